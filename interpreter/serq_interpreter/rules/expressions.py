"""Facts about one expression: what it reads, and whether its value is fixed by its text alone.

All walks are iterative and in the order of the text: chains of operators may be far longer than the call stack.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from serq_interpreter.catalog.vocabulary import OBSERVABLES
from serq_interpreter.semantics import tree

Part = tree.Num | tree.Attr | tree.Ctx | tree.Reg | tree.Draw | tree.Call | tree.Agg | tree.Unknown


def children(node: object) -> tuple[object, ...]:
    """The parts of an expression node or reference, in the order of the text."""
    kind = type(node)
    if kind is tree.Binary:
        return (node.left, node.right)  # type: ignore[attr-defined]
    if kind is tree.Unary:
        return (node.operand,)  # type: ignore[attr-defined]
    if kind is tree.Cond:
        return (node.test, node.then, node.otherwise)  # type: ignore[attr-defined]
    if kind is tree.Call or kind is tree.Draw:
        return node.args  # type: ignore[attr-defined, no-any-return]
    if kind is tree.PoolRef or kind is tree.StageRef:
        return () if node.index is None else (node.index,)  # type: ignore[attr-defined]
    return ()


_LEAVES = frozenset({tree.Num, tree.Attr, tree.Ctx, tree.Reg, tree.Agg, tree.Unknown})
_PARTS = frozenset({*_LEAVES, tree.Draw, tree.Call})


def parts(expr: object) -> Iterator[Part]:
    """The leaves, draws and calls of `expr` with the indices inside it, each before its arguments."""
    kind = type(expr)
    if kind in _LEAVES:
        yield expr  # type: ignore[misc]
        return
    stack = [expr]
    while stack:
        node = stack.pop()
        kind = type(node)
        if kind in _LEAVES:
            yield node  # type: ignore[misc]
            continue
        if kind in _PARTS:
            yield node  # type: ignore[misc]
        stack.extend(reversed(children(node)))


@dataclass(frozen=True, slots=True)
class Reads:
    """What one expression reads, indices inside it included.

    `live` is the first call of an observable, `clock` the first `now`, `draw` the first draw; `closed` says that the
    text alone fixes the value (02 §4).
    """

    attributes: frozenset[str]
    live: tree.Call | None
    clock: tree.Ctx | None
    draw: tree.Draw | None
    unknown: bool
    closed: bool


_NUMBER = Reads(frozenset(), None, None, None, unknown=False, closed=True)


def reads(expr: tree.Expr | None) -> Reads:
    """The facts of `expr`; of `None`, those of a number."""
    if expr is None or type(expr) is tree.Num:
        return _NUMBER
    attributes: set[str] = set()
    live = clock = draw = None
    unknown = False
    closed = True
    for part in parts(expr):
        kind = type(part)
        if kind is tree.Num:
            continue
        if kind is tree.Call:
            if part.function not in OBSERVABLES:  # type: ignore[union-attr]
                continue
            live = live or part
        elif kind is tree.Attr:
            attributes.add(part.name)  # type: ignore[union-attr]
        elif kind is tree.Ctx:
            clock = clock or (part if part.name == "now" else None)  # type: ignore[union-attr]
        elif kind is tree.Draw:
            draw = draw or part
        elif kind is tree.Unknown:
            unknown = True
        closed = False
    return Reads(frozenset(attributes), live, clock, draw, unknown, closed)  # type: ignore[arg-type]


def moves(index: tree.Expr | None) -> tree.Call | tree.Ctx | tree.Draw | None:
    """The observable, clock or draw that makes an index move on its own, `None` when nothing does (02 §8)."""
    facts = reads(index)
    return facts.live or facts.clock or facts.draw
