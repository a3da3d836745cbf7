"""Bounds of averages: what an expression is on average at most, and how likely a test is true, over fresh draws.

The draws of one expression are independent of each other and of the attributes, which lie in their intervals.  Where the
shape of an expression says nothing better, its largest value bounds its mean.
"""

from __future__ import annotations

from math import inf, isfinite

from serq_interpreter.analysis.expression_bounds import Environment, ExpressionBounds
from serq_interpreter.ir import program as ir


class Means:
    """Averages of the expressions of one program; recursive, run under `deep_recursion`."""

    def __init__(self, expressions: ExpressionBounds) -> None:
        self.expressions = expressions

    def upper(self, expression: ir.Expr, environment: Environment) -> float:
        """A number that the expression's mean does not exceed."""
        most = self.expressions.value(expression, environment).hi
        match expression:
            case ir.Sample(distribution=distribution, args=args):
                return min(most, self._drawn(distribution, args, environment))
            case ir.Binary(op=op, left=left, right=right):
                return min(most, self._binary(op, left, right, environment))
            case ir.Cond(then=then, otherwise=otherwise):
                return min(most, max(self.upper(then, environment), self.upper(otherwise, environment)))
            case ir.Call(function=function, args=args):
                return min(most, self._call(function, args, environment))
        return most

    def chance(self, test: ir.Expr, environment: Environment) -> tuple[float, float]:
        """The least and the greatest probability that a test is true."""
        if isinstance(test, ir.Unary) and test.op == "Not":
            lowest, highest = self.chance(test.operand, environment)
            return 1.0 - highest, 1.0 - lowest
        if isinstance(test, ir.Sample) and test.distribution == "Bernoulli":
            value = self.expressions.value(test.args[0], environment)
            if value.nan:
                return 0.0, 1.0
            return min(max(value.lo, 0.0), 1.0), min(max(value.hi, 0.0), 1.0)
        if isinstance(test, ir.Binary) and test.op in ("And", "Or"):
            (a, b), (c, d) = self.chance(test.left, environment), self.chance(test.right, environment)
            # Both sides may depend on the same attributes: no product, but the bounds that always hold.
            if test.op == "And":
                return max(a + c - 1.0, 0.0), min(b, d)
            return max(a, c), min(b + d, 1.0)
        value = self.expressions.value(test, environment)
        if value.lo > 0.0 or value.hi < 0.0:
            return (0.0 if value.nan else 1.0), 1.0
        return 0.0, 0.0 if value.lo == value.hi == 0.0 and not value.nan else 1.0

    def _drawn(self, distribution: str, args: tuple[ir.Expr, ...], environment: Environment) -> float:
        means = [self.upper(arg, environment) for arg in args]
        match distribution:
            case "Exp" | "H2" | "Det":
                return means[0]
            case "Erlang":
                return means[1]
            case "Uniform":
                return (means[0] + means[1]) / 2.0
            case "Bernoulli":
                return min(max(means[0], 0.0), 1.0)
        return inf

    def _binary(self, op: str, left: ir.Expr, right: ir.Expr, environment: Environment) -> float:
        one, other = self.expressions.value(left, environment), self.expressions.value(right, environment)
        if one.nan or other.nan:
            return inf
        match op:
            case "Add":
                return self.upper(left, environment) + self.upper(right, environment)
            case "Sub" if isfinite(other.lo):
                return self.upper(left, environment) - other.lo
            case "Mul" if one.lo >= 0.0 and other.lo >= 0.0 and one.hi * other.hi > 0.0:
                return self.upper(left, environment) * self.upper(right, environment)
            case "Div" if one.lo >= 0.0 and other.lo > 0.0:
                return self.upper(left, environment) / other.lo
        return inf

    def _call(
        self, function: str, args: tuple[ir.Expr | ir.PoolRef | ir.StageRef, ...], environment: Environment
    ) -> float:
        plain = [arg for arg in args if not isinstance(arg, ir.PoolRef | ir.StageRef)]
        if len(plain) != len(args):
            return inf
        values = [self.expressions.value(arg, environment) for arg in plain]
        if any(value.nan for value in values):
            return inf
        match function:
            case "Floor":
                return self.upper(plain[0], environment)
            case "Ceil":
                return self.upper(plain[0], environment) + 1.0
            case "Min":
                return min(self.upper(arg, environment) for arg in plain)
            case "Max" if all(value.lo >= 0.0 for value in values):
                return self.upper(plain[0], environment) + self.upper(plain[1], environment)
        return inf
