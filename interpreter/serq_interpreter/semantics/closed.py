"""The value of an elaborated expression that needs no session, no state and no draw (spec 02 §4, "closed")."""

from __future__ import annotations

from typing import assert_never

from serq_interpreter.semantics import arithmetic, tree


def closed_value(expr: tree.Expr) -> float | None:
    """The number that `expr` is whenever it is read, NaN included; `None` when that depends on the run or is unknown.

    Of `? :` with a closed test only the chosen operand matters.
    """
    match expr:
        case tree.Num(value=value):
            return value
        case tree.Unary(op=op, operand=operand):
            value_ = closed_value(operand)
            return None if value_ is None else arithmetic.UNARY[op](value_)
        case tree.Binary(op=op, left=left, right=right):
            a = closed_value(left)
            b = None if a is None else closed_value(right)
            return None if a is None or b is None else arithmetic.BINARY[op](a, b)
        case tree.Cond(test=test, then=then, otherwise=otherwise):
            chosen = closed_value(test)
            return None if chosen is None else closed_value(then if chosen != 0.0 else otherwise)
        case tree.Call():
            return _call(expr)
        case tree.Attr() | tree.Ctx() | tree.Reg() | tree.Draw() | tree.Agg() | tree.Unknown():
            return None
        case _:
            assert_never(expr)


def _call(call: tree.Call) -> float | None:
    known = arithmetic.FUNCTIONS.get(call.function)
    if known is None or known[0] != len(call.args):
        return None
    values: list[float] = []
    for argument in call.args:
        if isinstance(argument, tree.PoolRef | tree.StageRef):
            return None
        value = closed_value(argument)
        if value is None:
            return None
        values.append(value)
    return float(known[1](*values))
