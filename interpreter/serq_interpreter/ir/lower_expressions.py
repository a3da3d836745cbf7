"""Expressions and references of the elaborated program as kernel nodes, nothing simplified (08 §4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from serq_interpreter.catalog.vocabulary import IR_CONTEXT, IR_DISTRIBUTIONS, IR_FUNCTIONS
from serq_interpreter.ir import program as ir
from serq_interpreter.ir.names import Names, known
from serq_interpreter.semantics import tree

_BINARY = {
    "+": "Add",
    "-": "Sub",
    "*": "Mul",
    "/": "Div",
    "^": "Pow",
    "<": "Lt",
    "<=": "Le",
    ">": "Gt",
    ">=": "Ge",
    "==": "Eq",
    "!=": "Ne",
    "&&": "And",
    "||": "Or",
}

_UNARY = {"-": "Neg", "!": "Not"}

_AGGREGATES = {
    "total": "Total",
    "count": "Count",
    "largest": "Largest",
    "smallest": "Smallest",
    "prefix_total": "PrefixTotal",
}


def lower_expression(names: Names, expr: tree.Expr) -> ir.Expr:
    """The kernel expression; raises `ValueError` for what an error made unknown."""
    node: ir.Expr = _LOWER[type(expr)](names, expr)
    names.origins.record(node, expr.at)
    return node


def lower_optional(names: Names, expr: tree.Expr | None) -> ir.Expr | None:
    """`lower_expression`, for a part that may be absent."""
    return None if expr is None else lower_expression(names, expr)


def lower_all(names: Names, parts: tuple[tree.Expr, ...]) -> tuple[ir.Expr, ...]:
    """`lower_expression` of each."""
    return tuple([lower_expression(names, part) for part in parts])


def lower_pool(names: Names, ref: tree.PoolRef) -> ir.PoolRef:
    """A pool reference: base, number of members, index."""
    base, count = names.pools[known(ref.name)]
    node = ir.PoolRef(base, count, lower_optional(names, ref.index))
    names.origins.record(node, ref.at)
    return node


def lower_stage(names: Names, ref: tree.StageRef) -> ir.StageRef:
    """A stage reference: base, number of members, index."""
    base, count = names.stages[known(ref.name)]
    node = ir.StageRef(base, count, lower_optional(names, ref.index))
    names.origins.record(node, ref.at)
    return node


def _argument(names: Names, argument: tree.Expr | tree.PoolRef | tree.StageRef) -> ir.Expr | ir.PoolRef | ir.StageRef:
    if isinstance(argument, tree.PoolRef):
        return lower_pool(names, argument)
    if isinstance(argument, tree.StageRef):
        return lower_stage(names, argument)
    return lower_expression(names, argument)


def _num(names: Names, expr: tree.Num) -> ir.Expr:
    return ir.Num(expr.value)


def _attr(names: Names, expr: tree.Attr) -> ir.Expr:
    return ir.Attr(names.slots[expr.name])


def _ctx(names: Names, expr: tree.Ctx) -> ir.Expr:
    return ir.Ctx(IR_CONTEXT[expr.name])


def _reg(names: Names, expr: tree.Reg) -> ir.Expr:
    return ir.Reg(names.registers[expr.engine, expr.name])


def _draw(names: Names, expr: tree.Draw) -> ir.Expr:
    return ir.Sample(IR_DISTRIBUTIONS[expr.distribution], lower_all(names, expr.args))


def _call(names: Names, expr: tree.Call) -> ir.Expr:
    return ir.Call(IR_FUNCTIONS[expr.function], tuple([_argument(names, argument) for argument in expr.args]))


def _unary(names: Names, expr: tree.Unary) -> ir.Expr:
    return ir.Unary(_UNARY[expr.op], lower_expression(names, expr.operand))


def _binary(names: Names, expr: tree.Binary) -> ir.Expr:
    left = lower_expression(names, expr.left)
    return ir.Binary(_BINARY[expr.op], left, lower_expression(names, expr.right))


def _cond(names: Names, expr: tree.Cond) -> ir.Expr:
    test, then = lower_expression(names, expr.test), lower_expression(names, expr.then)
    return ir.Cond(test, then, lower_expression(names, expr.otherwise))


def _agg(names: Names, expr: tree.Agg) -> ir.Expr:
    return ir.Agg(_AGGREGATES[expr.kind], names.observations[expr.observation])


def _unknown(names: Names, expr: tree.Unknown) -> ir.Expr:
    raise ValueError("an expression that an error made unknown cannot be lowered")


_LOWER: dict[type, Callable[[Names, Any], ir.Expr]] = {
    tree.Num: _num,
    tree.Attr: _attr,
    tree.Ctx: _ctx,
    tree.Reg: _reg,
    tree.Draw: _draw,
    tree.Call: _call,
    tree.Unary: _unary,
    tree.Binary: _binary,
    tree.Cond: _cond,
    tree.Agg: _agg,
    tree.Unknown: _unknown,
}
