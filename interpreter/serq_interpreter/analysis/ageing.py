"""How a key moves while sessions get older: whether an age makes it less or greater, seen from its form alone.

Compared are two sessions at one moment, of which one came earlier.  `waited` is greater for that one, time stamps
(`serial`, attributes made from the clock) are less, and the clock itself is the same for both.  What cannot be
followed, such as a product of two unknowns, may move either way.
"""

from __future__ import annotations

from functools import cached_property

from serq_interpreter.ir import program as ir
from serq_interpreter.ir.walk import expressions, roots, statements

BETTER, WORSE = -1, 1
"""The key of the one that waits longer is less (the least key goes first, 04 §4.3), or greater."""

Directions = frozenset[int]

_STILL: Directions = frozenset()
_LESS: Directions = frozenset([BETTER])
_GREATER: Directions = frozenset([WORSE])
_EITHER: Directions = _LESS | _GREATER
_MONOTONE = frozenset(["Min", "Max", "Floor", "Ceil", "Sqrt", "Exp", "Ln"])


class Ageing:
    """The directions of one program's expressions; recursive, used under `deep_recursion`."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program

    def of(self, key: ir.Expr) -> Directions:
        """Which ways the age of a session moves a key; empty when it has no part in it."""
        return _directions(key, self.stamps, _STILL) if _reads_attribute(key) else _directions(key, {}, _STILL)

    @cached_property
    def stamps(self) -> dict[int, Directions]:
        """The attributes that are made from the clock, directly or from others that are."""
        assignments = [item for root in roots(self.program) for item in statements(root) if isinstance(item, ir.Set)]
        found: dict[int, Directions] = {ir.SLOT_SERIAL: _LESS}
        changed = True
        while changed:
            changed = False
            for item in assignments:
                known = found.get(item.slot, _STILL)
                more = known | _directions(item.value, found, _LESS)
                if more != known:
                    found[item.slot] = more
                    changed = True
        return found


def _reads_attribute(key: ir.Expr) -> bool:
    return any(isinstance(part, ir.Attr) for part in expressions(key))


def _directions(
    node: ir.Expr | ir.PoolRef | ir.StageRef, stamps: dict[int, Directions], clock: Directions
) -> Directions:
    """The directions of an expression; `clock` is that of `now`: a reading that is kept is less for who came earlier."""

    def of(part: ir.Expr | ir.PoolRef | ir.StageRef) -> Directions:
        return _directions(part, stamps, clock)

    match node:
        case ir.Ctx(name="Now"):
            return clock
        case ir.Ctx(name="Waited"):
            return _GREATER
        case ir.Attr(slot=slot):
            return stamps.get(slot, _STILL)
        case ir.Unary(op="Neg", operand=operand):
            return _turned(of(operand))
        case ir.Binary(op="Add", left=left, right=right):
            return of(left) | of(right)
        case ir.Binary(op="Sub", left=left, right=right):
            return of(left) | _turned(of(right))
        case ir.Binary(op="Mul" | "Div", left=left, right=right) if (factor := _number(right)) is not None:
            return _scaled(of(left), factor)
        case ir.Binary(op="Mul", left=left, right=right) if (factor := _number(left)) is not None:
            return _scaled(of(right), factor)
        case ir.Call(function=function, args=args) if function in _MONOTONE:
            return _STILL.union(*(of(part) for part in args))
        case ir.Cond(test=test, then=then, otherwise=otherwise):
            return _EITHER if of(test) else of(then) | of(otherwise)
        case _:
            return _EITHER if any(of(part) for part in _parts(node)) else _STILL


def _parts(node: ir.Expr | ir.PoolRef | ir.StageRef) -> tuple[ir.Expr | ir.PoolRef | ir.StageRef, ...]:
    match node:
        case ir.Unary(operand=operand):
            return (operand,)
        case ir.Binary(left=left, right=right):
            return (left, right)
        case ir.Call(args=args) | ir.Sample(args=args):
            return args
        case ir.PoolRef(index=index) | ir.StageRef(index=index):
            return () if index is None else (index,)
        case _:
            return ()


def _number(node: ir.Expr) -> float | None:
    match node:
        case ir.Num(value=value):
            return value
        case ir.Unary(op="Neg", operand=ir.Num(value=value)):
            return -value
        case _:
            return None


def _turned(directions: Directions) -> Directions:
    return frozenset(-one for one in directions)


def _scaled(directions: Directions, factor: float) -> Directions:
    if factor == 0.0:
        return _STILL
    return directions if factor > 0.0 else _turned(directions)
