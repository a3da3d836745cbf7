"""Expressions as Python source, operation by operation what `evaluate` does."""

from __future__ import annotations

from collections.abc import Callable
from math import copysign, inf
from typing import Any

from serq_interpreter.ir import program as ir
from serq_interpreter.machine import numbers

Leaf = Callable[[ir.Expr], str]
"""The source of a leaf (`Attr`, `Ctx`, `Reg`, …), of a draw or of a query."""

_OPERATORS = {"Add": "+", "Sub": "-", "Mul": "*"}
_COMPARISONS = {"Lt": "<", "Le": "<=", "Gt": ">", "Ge": ">=", "Eq": "==", "Ne": "!="}
_FUNCTIONS = {"Abs": "abs", "Floor": "_floor", "Ceil": "_ceil", "Sqrt": "_sqrt", "Exp": "_exp", "Ln": "_ln"}
_BINARY_FUNCTIONS = {"Min": "_min", "Max": "_max", "Pow": "_pow"}
ARITHMETIC = frozenset((*_FUNCTIONS, *_BINARY_FUNCTIONS))

NAMES: dict[str, Any] = {
    "_floor": numbers.floor,
    "_ceil": numbers.ceil,
    "_sqrt": numbers.square_root,
    "_exp": numbers.exponential,
    "_ln": numbers.logarithm,
    "_min": numbers.minimum,
    "_max": numbers.maximum,
    "_pow": numbers.power,
    "_div": numbers.divide,
    "inf": inf,
}
"""What the source refers to."""

PORTABLE = copysign(1.0, inf - inf) < 0.0
"""Whether plain operators give the reference's NaN on this hardware; without it nothing is generated."""

DEEPEST = 60
"""Deeper expressions are left to the reference: the compiler of the host bounds nesting."""


def depth(expression: ir.Expr) -> int:
    """Nesting of the expression; iterative."""
    deepest = 0
    pending: list[tuple[Any, int]] = [(expression, 1)]
    while pending:
        node, level = pending.pop()
        deepest = max(deepest, level)
        match node:
            case ir.Unary():
                pending.append((node.operand, level + 1))
            case ir.Binary():
                pending += ((node.left, level + 1), (node.right, level + 1))
            case ir.Cond():
                pending += ((part, level + 1) for part in (node.test, node.then, node.otherwise))
            case ir.Call() | ir.Sample():
                pending += ((part, level + 1) for part in node.args)
            case ir.PoolRef() | ir.StageRef():
                if node.index is not None:
                    pending.append((node.index, level + 1))
            case _:
                continue
    return deepest


def source(expression: ir.Expr, leaf: Leaf) -> str:
    """The expression in parentheses where needed; `depth` must have been checked."""
    match expression:
        case ir.Num():
            return repr(expression.value) if expression.value >= 0.0 else f"({expression.value!r})"
        case ir.Unary(op="Neg"):
            return f"(-{source(expression.operand, leaf)})"
        case ir.Unary():
            return f"(1.0 if {source(expression.operand, leaf)} == 0.0 else 0.0)"
        case ir.Binary():
            return _binary(expression, leaf)
        case ir.Cond():
            then, otherwise = source(expression.then, leaf), source(expression.otherwise, leaf)
            return f"({then} if {truth(expression.test, leaf)} else {otherwise})"
        case ir.Call() if expression.function in ARITHMETIC:
            return _call(expression, leaf)
        case _:
            return leaf(expression)


def truth(expression: ir.Expr, leaf: Leaf) -> str:
    """The condition `expression != 0` as a Python condition."""
    match expression:
        case ir.Binary(op=op) if op in _COMPARISONS:
            return f"({source(expression.left, leaf)} {_COMPARISONS[op]} {source(expression.right, leaf)})"
        case ir.Binary(op="And"):
            return f"({truth(expression.left, leaf)} and {truth(expression.right, leaf)})"
        case ir.Binary(op="Or"):
            return f"({truth(expression.left, leaf)} or {truth(expression.right, leaf)})"
        case ir.Unary(op="Not"):
            return f"({source(expression.operand, leaf)} == 0.0)"
        case _:
            return f"({source(expression, leaf)} != 0.0)"


def _binary(expression: ir.Binary, leaf: Leaf) -> str:
    op = expression.op
    if op in _COMPARISONS or op in ("And", "Or"):
        return f"(1.0 if {truth(expression, leaf)} else 0.0)"
    left, right = source(expression.left, leaf), source(expression.right, leaf)
    if op in _OPERATORS:
        return f"({left} {_OPERATORS[op]} {right})"
    if op == "Div":
        if isinstance(expression.right, ir.Num) and expression.right.value != 0.0:
            return f"({left} / {right})"
        return f"_div({left}, {right})"
    return f"_pow({left}, {right})"


def _call(expression: ir.Call, leaf: Leaf) -> str:
    arguments = [source(part, leaf) for part in expression.args if not isinstance(part, ir.PoolRef | ir.StageRef)]
    name = _FUNCTIONS.get(expression.function) or _BINARY_FUNCTIONS[expression.function]
    return f"{name}({', '.join(arguments)})"
