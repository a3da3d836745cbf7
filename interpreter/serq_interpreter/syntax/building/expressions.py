"""Expressions (`serq.lark`, section expressions)."""

from __future__ import annotations

from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.building.parts import Context, Values


def number(c: Values, context: Context) -> nodes.Expr:
    token = c[0]
    if token.kind == "ERROR":
        return nodes.ErrorExpr(token, token)
    return nodes.Number(token, token, number_value(token.text))


def number_value(text: str) -> float:
    """The nearest double of a literal, NaN when it is malformed (spec 01 §1.3)."""
    if text.count(".") > 1:
        return float("nan")
    return float(text.replace("_", ""))


def paren(c: Values, context: Context) -> nodes.Expr:
    return nodes.Paren(c[0], c[2], c[1])


def unary(c: Values, context: Context) -> nodes.Expr:
    return nodes.UnaryOp(c[0], c[1].last, c[0].kind, c[1])


def binary(c: Values, context: Context) -> nodes.Expr:
    if c[1].text == "%":
        return nodes.ErrorExpr(c[0].first, c[2].last)
    return nodes.BinaryOp(c[0].first, c[2].last, c[1].kind, c[0], c[2])


def conditional(c: Values, context: Context) -> nodes.Expr:
    return nodes.Conditional(c[0].first, c[4].last, c[0], c[2], c[4])


def draw(c: Values, context: Context) -> nodes.Expr:
    return nodes.Draw(c[0], c[4], c[1], tuple(c[3][::2]) if c[3] else ())


def aggregate(c: Values, context: Context) -> nodes.Expr:
    return nodes.Aggregate(c[0], c[6], c[0], c[1], c[3], c[5])


def apply(c: Values, context: Context) -> nodes.Expr:
    return nodes.Apply(c[0], c[3], c[0], tuple(c[2][::2]) if c[2] else ())


def reference(c: Values, context: Context) -> nodes.Reference:
    name = c[0]
    size = len(c)
    if size == 1:
        return nodes.Reference(name, name, name)
    if size == 3:
        return nodes.Reference(name, c[2], name, None, c[2])
    if size == 4:
        return nodes.Reference(name, c[3], name, c[2])
    return nodes.Reference(name, c[5], name, c[2], c[5])
