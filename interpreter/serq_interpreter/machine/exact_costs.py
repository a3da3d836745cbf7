"""Costs as exact polynomials: rational coefficients over whole observables.

Decimal literals are read exactly (0.1 is one tenth), so that a cost evaluated here is what
the program says and not a sum of rounded doubles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Any

from serq_interpreter.ir import program as ir

_WHOLE_VARIABLES = frozenset(("Ntok", "Npre", "Nres", "Ndec", "Kvb", "Kvp", "Attn"))
_WHOLE_FUNCTIONS = frozenset(("Queue", "Busy", "Used", "Free", "Holders", "Queued"))
_LARGEST_EXPONENT = 8
_MOST_TERMS = 64

Monomial = tuple[ir.Expr, ...]
"""The observables multiplied, as nodes of the expression."""


@dataclass(frozen=True, slots=True)
class Polynomial:
    """A sum of coefficient · observables; equal observables are told apart by node only, which costs terms,
    not exactness."""

    terms: tuple[tuple[Fraction, Monomial], ...]

    def coefficients(self) -> Iterable[Fraction]:
        return (coefficient for coefficient, _ in self.terms)

    def scaled(self, factor: Fraction) -> Polynomial:
        return Polynomial(tuple((coefficient * factor, monomial) for coefficient, monomial in self.terms))

    def evaluator(self, closure: Callable[[ir.Expr], Callable[[Any], float]]) -> Callable[[Any], int | None]:
        """A function of the subject giving the value rounded half to even; `None` if it is not finite."""
        terms = [
            (int(coefficient) if coefficient.denominator == 1 else coefficient, [closure(node) for node in monomial])
            for coefficient, monomial in self.terms
        ]

        def value(subject: Any) -> int | None:
            total: int | Fraction = 0
            for coefficient, factors in terms:
                product: int | Fraction = coefficient
                for factor in factors:
                    number = factor(subject)
                    if not isfinite(number):
                        return None
                    product = product * (int(number) if number.is_integer() else Fraction(number))
                total = total + product
            return total if isinstance(total, int) else round(total)

        return value


def rational(expression: ir.Expr) -> Fraction | None:
    """The exact value of a closed arithmetic expression, `None` if it is not one."""
    exact = polynomial(expression)
    if exact is None or any(monomial for _, monomial in exact.terms):
        return None
    return sum((coefficient for coefficient, _ in exact.terms), Fraction(0))


def polynomial(expression: ir.Expr) -> Polynomial | None:
    """The expression as a polynomial, `None` if it is none; recursive, run under `deep_recursion`."""
    terms = _terms(expression)
    return None if terms is None else Polynomial(tuple(terms))


_Terms = list[tuple[Fraction, Monomial]]


def _terms(expression: ir.Expr) -> _Terms | None:
    match expression:
        case ir.Num():
            return [(Fraction(repr(expression.value)), ())] if isfinite(expression.value) else None
        case ir.Ctx():
            return [(Fraction(1), (expression,))] if expression.name in _WHOLE_VARIABLES else None
        case ir.Call():
            return [(Fraction(1), (expression,))] if expression.function in _WHOLE_FUNCTIONS else None
        case ir.Unary(op="Neg"):
            inner = _terms(expression.operand)
            return None if inner is None else [(-coefficient, monomial) for coefficient, monomial in inner]
        case ir.Binary():
            left = _terms(expression.left)
            right = None if left is None else _terms(expression.right)
            return None if left is None or right is None else _combined(expression.op, left, right)
    return None


def _combined(op: str, left: _Terms, right: _Terms) -> _Terms | None:
    match op:
        case "Add":
            return _merged(left + right)
        case "Sub":
            return _merged(left + [(-coefficient, monomial) for coefficient, monomial in right])
        case "Mul":
            return _product(left, right)
    constant = _only_constant(right)
    if op == "Div" and constant:
        return [(coefficient / constant, monomial) for coefficient, monomial in left]
    if op == "Pow" and constant is not None and constant in range(_LARGEST_EXPONENT + 1):
        power: _Terms | None = [(Fraction(1), ())]
        for _ in range(int(constant)):
            power = None if power is None else _product(power, left)
        return power
    return None


def _product(left: _Terms, right: _Terms) -> _Terms | None:
    if len(left) * len(right) > _MOST_TERMS:
        return None
    return _merged([(one * other, first + second) for one, first in left for other, second in right])


def _merged(terms: _Terms) -> _Terms | None:
    """Constants are added up, so that a long sum of literals stays one term."""
    constant = sum((coefficient for coefficient, monomial in terms if not monomial), Fraction(0))
    rest = [(coefficient, monomial) for coefficient, monomial in terms if monomial]
    if len(rest) > _MOST_TERMS:
        return None
    return [(constant, ()), *rest]


def _only_constant(terms: _Terms) -> Fraction | None:
    if any(monomial for _, monomial in terms):
        return None
    return sum((coefficient for coefficient, _ in terms), Fraction(0))
