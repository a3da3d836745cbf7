"""The arithmetic of the language on binary64 numbers: what an operator or a pure function gives (01 §2.7).

Nothing here raises: what has no value is NaN, what is too large is infinite.  `max` and `min` ignore a NaN and give
their second argument on a tie (so the sign of a zero is the second's).
"""

from __future__ import annotations

import math
from collections.abc import Callable

NAN = math.nan
INF = math.inf


def divide(a: float, b: float) -> float:
    """`a / b`; a division by zero is infinite, or NaN for `0/0`."""
    if b != 0.0:
        return a / b
    if a == 0.0 or a != a:
        return NAN
    return math.copysign(INF, a) * math.copysign(1.0, b)


def power(a: float, b: float) -> float:
    """`a ^ b` and `pow(a, b)`."""
    try:
        return math.pow(a, b)
    except OverflowError:
        return -INF if a < 0.0 and b % 2.0 == 1.0 else INF
    except ValueError:
        if a != 0.0:
            return NAN
        return math.copysign(INF, a) if abs(b) % 2.0 == 1.0 else INF


def maximum(a: float, b: float) -> float:
    if b != b:
        return a
    return a if a > b else b


def minimum(a: float, b: float) -> float:
    if b != b:
        return a
    return a if a < b else b


def floor(x: float) -> float:
    if not math.isfinite(x) or x == 0.0:
        return x
    return float(math.floor(x))


def ceil(x: float) -> float:
    if not math.isfinite(x) or x == 0.0:
        return x
    return math.copysign(float(math.ceil(x)), x)


def square_root(x: float) -> float:
    return math.sqrt(x) if x >= 0.0 else NAN


def exponential(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return INF


def logarithm(x: float) -> float:
    if x > 0.0:
        return math.log(x)
    return -INF if x == 0.0 else NAN


def truth(value: bool) -> float:
    return 1.0 if value else 0.0


BINARY: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": divide,
    "^": power,
    "<": lambda a, b: truth(a < b),
    "<=": lambda a, b: truth(a <= b),
    ">": lambda a, b: truth(a > b),
    ">=": lambda a, b: truth(a >= b),
    "==": lambda a, b: truth(a == b),
    "!=": lambda a, b: truth(a != b),
    "&&": lambda a, b: truth(a != 0.0 and b != 0.0),
    "||": lambda a, b: truth(a != 0.0 or b != 0.0),
}
"""Operators as written.  Every operand other than 0 is true, NaN included."""

UNARY: dict[str, Callable[[float], float]] = {"-": lambda a: -a, "!": lambda a: truth(a == 0.0)}

FUNCTIONS: dict[str, tuple[int, Callable[..., float]]] = {
    "min": (2, minimum),
    "max": (2, maximum),
    "abs": (1, abs),
    "floor": (1, floor),
    "ceil": (1, ceil),
    "sqrt": (1, square_root),
    "exp": (1, exponential),
    "ln": (1, logarithm),
    "pow": (2, power),
}
"""The pure functions: how many arguments they take, and their value."""
