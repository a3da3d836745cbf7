"""The indices that names get in the kernel, and the origins recorded while lowering."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from serq_interpreter.ir import program as ir
from serq_interpreter.ir.origins import Origins
from serq_interpreter.semantics import tree

T = TypeVar("T")


class Names:
    """The name tables of one program, and its nodes lowered so far.

    `before` are those of an earlier version of the program: where all names have the same indices, what is the same node
    of the elaborated program is the same node of the kernel.
    """

    def __init__(self, elaborated: tree.Elaborated, before: Names | None = None) -> None:
        self.elaborated = elaborated
        self.origins = Origins()
        self.lowered: dict[tuple[object, int], tuple[Any, Origins]] = {}
        """By node of the elaborated program and number of the family's member: the kernel's node, and its origins."""
        # The lineage of the extension comes last, so that a program without it has the slots it always had.
        lineage = [name for name in elaborated.lineage if name not in elaborated.attributes]
        names = (*ir.BUILTIN_ATTRIBUTES, *elaborated.attributes, *lineage)
        self.slots = {name: slot for slot, name in enumerate(names)}
        self.groups = {name: number for number, name in enumerate(elaborated.groups)}
        self.lineage = lineage
        self.observations = {name: number for number, name in enumerate(elaborated.observations)}
        self.registers = {key: number for number, key in enumerate(elaborated.registers)}
        self.pools = _families(elaborated.pools)
        self.stages = _families(elaborated.stages)
        self.known = before.lowered if before is not None and before._indices() == self._indices() else {}

    def _indices(self) -> tuple[object, ...]:
        tables = (self.slots, self.groups, self.observations, self.registers, self.pools, self.stages)
        return tuple([list(table.items()) for table in tables])

    def once(self, node: object, member: int, lower: Callable[[], T]) -> T:
        """What `lower` makes of a node of the elaborated program, or what it was for the version before."""
        key = (node, member)
        known = self.known.get(key)
        if known is None:
            outside, self.origins = self.origins, Origins()
            known = (lower(), self.origins)
            self.origins = outside
        self.lowered[key] = known
        made, origins = known
        self.origins.add(origins)
        result: T = made
        return result

    def register(self, engine: str | None, name: str) -> int:
        """The index of a register; raises `ValueError` for one that an error made unknown."""
        if engine is None:
            raise ValueError(f"register {name} has no engine")
        return self.registers[engine, name]


def _families(declared: dict[str, tree.Pool] | dict[str, tree.Stage]) -> dict[str, tuple[int, int]]:
    """Name → (index of the first member, number of members)."""
    found: dict[str, tuple[int, int]] = {}
    base = 0
    for name, item in declared.items():
        count = 1 if item.size is None else item.size
        found[name] = (base, count)
        base += count
    return found


def known(name: str | None) -> str:
    """`name`; raises `ValueError` when an error made it unknown."""
    if name is None:
        raise ValueError("a reference that names nothing cannot be lowered")
    return name
