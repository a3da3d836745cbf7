"""Which observations are times: `s` where the static reading of the expression says so, nothing where it does not."""

from __future__ import annotations

from serq_interpreter.ir import program as ir
from serq_interpreter.ir.walk import roots, statements

TIMES = frozenset(("Now", "Waited", "Age", "Last", "Arrived"))
"""Context variables that are instants or durations, in seconds."""
_TIME_CALLS = frozenset(("EstWait",))
_DEEPEST = 50


def time_observations(program: ir.Program) -> frozenset[int]:
    """The observations all of whose statements record a time."""
    times: set[int] = set()
    others: set[int] = set()
    attributes = _time_attributes(program)
    for root in roots(program):
        for statement in statements(root):
            if isinstance(statement, ir.Observe):
                is_time = _is_time(statement.value, attributes, _DEEPEST)
                (times if is_time else others).add(statement.observation)
    return frozenset(times - others)


def _time_attributes(program: ir.Program) -> frozenset[int]:
    """Slots that are only ever set to times; found by trying again until nothing is added."""
    sets = [statement for root in roots(program) for statement in statements(root) if isinstance(statement, ir.Set)]
    found: frozenset[int] = frozenset((ir.SLOT_THINK,))
    for _ in range(4):
        times = {one.slot for one in sets if _is_time(one.value, found, _DEEPEST)}
        wrong = {
            one.slot for one in sets if not _is_time(one.value, found, _DEEPEST) and not isinstance(one.value, ir.Num)
        }
        grown = frozenset(times - wrong) | {ir.SLOT_THINK}
        if grown == found:
            break
        found = grown
    return found


def _is_time(expression: ir.Expr, attributes: frozenset[int], depth: int) -> bool:
    """Whether an expression is a time: `now`, differences and multiples of times."""
    if depth == 0:
        return False
    match expression:
        case ir.Ctx(name=name):
            return name in TIMES
        case ir.Attr(slot=slot):
            return slot in attributes
        case ir.Binary(op="Add" | "Sub", left=left, right=right):
            return _is_time(left, attributes, depth - 1) and (
                isinstance(right, ir.Num) or _is_time(right, attributes, depth - 1)
            )
        case ir.Binary(op="Mul", left=ir.Num(), right=right):
            return _is_time(right, attributes, depth - 1)
        case ir.Binary(op="Mul" | "Div", left=left, right=right):
            return _is_time(left, attributes, depth - 1) and not _is_time(right, attributes, depth - 1)
        case ir.Cond(then=then, otherwise=otherwise):
            return _is_time(then, attributes, depth - 1) and _is_time(otherwise, attributes, depth - 1)
        case ir.Call(function=function):
            return function in _TIME_CALLS
        case _:
            return False
