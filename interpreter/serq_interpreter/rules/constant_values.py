"""The value of a closed expression: one that reads no attribute, no state and draws nothing (02 §4)."""

from __future__ import annotations

from serq_interpreter.ir.deep import deep_recursion
from serq_interpreter.rules.survey import Survey
from serq_interpreter.semantics import tree
from serq_interpreter.semantics.arithmetic import BINARY, FUNCTIONS, UNARY


def closed_value(survey: Survey, expr: tree.Expr | None) -> float | None:
    """The value of `expr`, `None` when it is absent or not closed."""
    if expr is None:
        return None
    if isinstance(expr, tree.Num):
        return expr.value
    if not survey.reads(expr).closed:
        return None
    with deep_recursion():
        return _value(expr)


def _value(expr: object) -> float:
    match expr:
        case tree.Num():
            return expr.value
        case tree.Unary():
            return UNARY[expr.op](_value(expr.operand))
        case tree.Binary():
            return BINARY[expr.op](_value(expr.left), _value(expr.right))
        case tree.Cond():
            return _value(expr.then) if _value(expr.test) != 0.0 else _value(expr.otherwise)
        case tree.Call():
            return FUNCTIONS[expr.function][1](*(_value(argument) for argument in expr.args))
        case _:
            raise TypeError(f"not a closed expression: {type(expr).__name__}")
