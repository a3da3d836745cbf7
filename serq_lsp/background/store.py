"""Results by meaning: what was run is not run again when a text comes back to it."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

KEPT = 16
"""Results that are kept; each is a few hundred kilobytes at most."""


class Store:
    """The last final results, by the key of the program's meaning."""

    def __init__(self) -> None:
        self._found: OrderedDict[str, dict[str, Any]] = OrderedDict()

    def get(self, key: str) -> dict[str, Any] | None:
        """The data of a run of this meaning."""
        data = self._found.get(key)
        if data is not None:
            self._found.move_to_end(key)
        return data

    def put(self, key: str, data: dict[str, Any]) -> None:
        """Keep the data of an ended run."""
        self._found[key] = data
        self._found.move_to_end(key)
        while len(self._found) > KEPT:
            self._found.popitem(last=False)
