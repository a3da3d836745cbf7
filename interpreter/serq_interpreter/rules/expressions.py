"""Facts about one expression: what it reads, and whether its value is fixed by its text alone.

All walks are iterative and in the order of the text: chains of operators may be far longer than the call stack.
"""

from __future__ import annotations

from typing import NamedTuple

from serq_interpreter.catalog.vocabulary import OBSERVABLES
from serq_interpreter.semantics import tree


class Reads(NamedTuple):
    """What one expression reads, indices inside it included, in the order of the text.

    `attributes` are the names of `attrs`; `live` are the calls of observables; `others` are context variables but
    `now`, registers and aggregates of observations.  `closed` says that the text alone fixes the value (02 §4).
    """

    attributes: frozenset[str]
    attrs: tuple[tree.Attr, ...]
    live: tuple[tree.Call, ...]
    clock: tree.Ctx | None
    draw: tree.Draw | None
    others: tuple[tree.Ctx | tree.Reg | tree.Agg, ...]
    unknown: bool

    @property
    def closed(self) -> bool:
        """Whether nothing but numbers is read."""
        return not (self.attrs or self.live or self.clock or self.draw or self.others or self.unknown)


_NUMBER = Reads(frozenset(), (), (), None, None, (), unknown=False)


def reads(expr: tree.Expr | None) -> Reads:
    """The facts of `expr`; of `None`, those of a number."""
    if expr is None or type(expr) is tree.Num:
        return _NUMBER
    if type(expr) is tree.Attr:
        return Reads(frozenset((expr.name,)), (expr,), (), None, None, (), unknown=False)
    attrs: list[tree.Attr] = []
    live: list[tree.Call] = []
    others: list[tree.Ctx | tree.Reg | tree.Agg] = []
    clock: tree.Ctx | None = None
    draw: tree.Draw | None = None
    unknown = False
    stack: list[object] = [expr]
    while stack:
        node = stack.pop()
        match node:
            case tree.Num():
                pass
            case tree.Attr():
                attrs.append(node)
            case tree.Binary():
                stack += (node.right, node.left)
            case tree.Call():
                if node.function in OBSERVABLES:
                    live.append(node)
                stack += node.args[::-1]
            case tree.PoolRef() | tree.StageRef():
                if node.index is not None:
                    stack.append(node.index)
            case tree.Ctx():
                if node.name == "now":
                    clock = clock or node
                else:
                    others.append(node)
            case tree.Cond():
                stack += (node.otherwise, node.then, node.test)
            case tree.Unary():
                stack.append(node.operand)
            case tree.Draw():
                draw = draw or node
                stack += node.args[::-1]
            case tree.Reg() | tree.Agg():
                others.append(node)
            case tree.Unknown():
                unknown = True
            case _:
                raise TypeError(f"not an expression: {type(node).__name__}")
    names = frozenset([attr.name for attr in attrs])
    return Reads(names, tuple(attrs), tuple(live), clock, draw, tuple(others), unknown)


def children(node: object) -> tuple[object, ...]:
    """The parts of an expression node or reference, in the order of the text."""
    match node:
        case tree.Binary():
            return (node.left, node.right)
        case tree.Call() | tree.Draw():
            return node.args
        case tree.PoolRef() | tree.StageRef():
            return () if node.index is None else (node.index,)
        case tree.Cond():
            return (node.test, node.then, node.otherwise)
        case tree.Unary():
            return (node.operand,)
        case _:
            return ()


def moves(facts: Reads) -> tree.Call | tree.Ctx | tree.Draw | None:
    """The observable, clock or draw that makes an index move on its own, `None` when nothing does (02 §8)."""
    return (facts.live[0] if facts.live else None) or facts.clock or facts.draw
