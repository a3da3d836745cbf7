"""The value of an elaborated expression that needs no session, no state and no draw (spec 02 §4, "closed")."""

from __future__ import annotations

from typing import assert_never

from serq_interpreter.semantics import arithmetic, tree


def closed_value(expr: tree.Expr, *, measured: bool = True) -> float | None:
    """The number that `expr` is whenever it is read, NaN included; `None` when that depends on the run or is unknown.

    Of `? :` with a closed test only the chosen operand matters.  `measured`: whether a `blocksize` is a number.
    """
    match expr:
        case tree.Num(value=value):
            return value if measured or not expr.measured else None
        case tree.Unary(op=op, operand=operand):
            value_ = closed_value(operand, measured=measured)
            return None if value_ is None else arithmetic.UNARY[op](value_)
        case tree.Binary(op=op, left=left, right=right):
            a = closed_value(left, measured=measured)
            b = None if a is None else closed_value(right, measured=measured)
            return None if a is None or b is None else arithmetic.BINARY[op](a, b)
        case tree.Cond(test=test, then=then, otherwise=otherwise):
            chosen = closed_value(test, measured=measured)
            return None if chosen is None else closed_value(then if chosen != 0.0 else otherwise, measured=measured)
        case tree.Call():
            return _call(expr, measured)
        case tree.Attr() | tree.Ctx() | tree.Reg() | tree.Draw() | tree.Agg() | tree.Unknown():
            return None
        case _:
            assert_never(expr)


def constant_value(expr: tree.Expr) -> float | None:
    """The number of an expression that is folded where a constant stands: closed, and not computed from a `blocksize`."""
    return expr.value if isinstance(expr, tree.Num) else closed_value(expr, measured=False)


def _call(call: tree.Call, measured: bool) -> float | None:
    known = arithmetic.FUNCTIONS.get(call.function)
    if known is None or known[0] != len(call.args):
        return None
    values: list[float] = []
    for argument in call.args:
        if isinstance(argument, tree.PoolRef | tree.StageRef):
            return None
        value = closed_value(argument, measured=measured)
        if value is None:
            return None
        values.append(value)
    return float(known[1](*values))
