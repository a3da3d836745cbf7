"""Where each node of a kernel program stands in the text."""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.syntax.tokens import Place


class Origins:
    """Kernel node → place.  Nodes are keys by identity; a node that came from no text has no place."""

    __slots__ = ("_places",)

    def __init__(self) -> None:
        self._places: dict[object, Place] = {}

    def record(self, node: object, place: Place) -> None:
        """Remember where `node` stands."""
        self._places[node] = place

    def add(self, others: Origins) -> None:
        """Remember all that `others` do."""
        self._places.update(others._places)

    def get(self, node: object) -> Place | None:
        """Where `node` stands, or `None`."""
        return self._places.get(node)

    def __len__(self) -> int:
        return len(self._places)

    def items(self) -> Iterator[tuple[object, Place]]:
        """Every node with its place."""
        return iter(self._places.items())
