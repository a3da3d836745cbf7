"""Kernel nodes by number: the same program read twice has the same nodes in the same order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import is_dataclass
from itertools import islice
from typing import Any

from serq_interpreter.ir import program as ir


def nodes_in_order(program: ir.Program) -> Iterator[Any]:
    """Every node, parents first; a node that is shared counts once for each place it is in."""
    stack: list[Any] = [program]
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            stack += node[::-1]
        elif is_dataclass(node):
            yield node
            fields = [getattr(node, name) for name in node.__match_args__]  # type: ignore[union-attr]
            stack += [value for value in reversed(fields) if isinstance(value, tuple) or is_dataclass(value)]


def number_of(program: ir.Program, wanted: object) -> int | None:
    """The number of a node, `None` for one that is not in the program."""
    return next((number for number, node in enumerate(nodes_in_order(program)) if node is wanted), None)


def node_at(program: ir.Program, number: int | None) -> Any:
    """The node of a number, `None` for none."""
    return None if number is None else next(islice(nodes_in_order(program), number, None), None)
