"""The arithmetic of the edition: IEEE doubles, no exception, every corner decided (01, 04 §2, 04 §4.3).

Python raises where IEEE answers; these functions answer.  The NaN of an invalid operation carries the sign
bit of the reference platform, because keys are compared by the total order of doubles.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from math import copysign, inf

NAN = copysign(math.nan, -1.0)
"""What 0/0, inf - inf and sqrt(-1) give: the sign bit is set."""

_HARDWARE_NAN_IS_NEGATIVE = copysign(1.0, math.inf - math.inf) < 0.0


def divide(a: float, b: float) -> float:
    """a / b, also by a zero of either sign."""
    if b != 0.0:
        return a / b
    if a == 0.0 or a != a:
        return a if a != a else NAN
    return copysign(inf, a) * copysign(1.0, b)


def power(a: float, b: float) -> float:
    """C's `pow`."""
    try:
        return math.pow(a, b)
    except OverflowError:
        return -inf if a < 0.0 and b % 2.0 == 1.0 else inf
    except ValueError:
        if a == 0.0:
            return copysign(inf, a) if b % 2.0 == 1.0 else inf
        return NAN


def minimum(a: float, b: float) -> float:
    """The lesser; a NaN loses to a number, of equals the second."""
    return a if a < b or b != b else b


def maximum(a: float, b: float) -> float:
    """The greater; a NaN loses to a number, of equals the second."""
    return a if a > b or b != b else b


def floor(x: float) -> float:
    return copysign(float(math.floor(x)), x) if -inf < x < inf else x


def ceil(x: float) -> float:
    return copysign(float(math.ceil(x)), x) if -inf < x < inf else x


def square_root(x: float) -> float:
    return math.sqrt(x) if x >= 0.0 else (x if x != x else NAN)


def exponential(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return inf


def logarithm(x: float) -> float:
    if x > 0.0:
        return math.log(x)
    if x == 0.0:
        return -inf
    return x if x != x else math.nan


SLACK = 1e-9
"""Amounts and room are compared with this much tolerance, absolutely; rounding to blocks is not."""


def round_up(x: float, block: float | None) -> float:
    """`x` in whole blocks, at least as large (04 §2)."""
    return x if block is None else ceil(x / block) * block


def round_down(x: float, block: float | None) -> float:
    """`x` in whole blocks, at most as large (04 §2)."""
    return x if block is None else floor(x / block) * block


# --------------------------------------------------------------------------- total order


class _Beyond:
    """A NaN as a key: below or above every other key, equal to its own kind."""

    __slots__ = ("above",)

    def __init__(self, above: bool) -> None:
        self.above = above

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Beyond) and other.above == self.above

    def __hash__(self) -> int:
        return hash(self.above)

    def __lt__(self, other: object) -> bool:
        return not self.above and self != other

    def __gt__(self, other: object) -> bool:
        return self.above and self != other


_BELOW_ALL = _Beyond(False)
_ABOVE_ALL = _Beyond(True)
_NEGATIVE_ZERO = Fraction(-1, 2**1075)
"""Between every negative double and zero: Python compares it exactly."""

SortKey = float | Fraction | _Beyond


def total_order(x: float) -> SortKey:
    """A value whose `<` is the IEEE total order of doubles: -NaN < -inf < … < -0 < +0 < … < inf < NaN."""
    if x > 0.0 or x < 0.0:
        return x
    if x != x:
        return _BELOW_ALL if copysign(1.0, x) < 0.0 else _ABOVE_ALL
    return x if copysign(1.0, x) > 0.0 else _NEGATIVE_ZERO


def portable(operation: Callable[[float, float], float]) -> Callable[[float, float], float]:
    """`operation` with the reference platform's NaN, on hardware whose default NaN has no sign bit."""
    if _HARDWARE_NAN_IS_NEGATIVE:
        return operation

    def with_reference_nan(a: float, b: float) -> float:
        result = operation(a, b)
        return NAN if result != result and a == a and b == b else result

    return with_reference_nan


def number_text(x: float) -> str:
    """A number as messages and reports print it: shortest digits, no exponent, `4` for 4.0."""
    if x != x:
        return "NaN"
    if x in (inf, -inf):
        return "inf" if x > 0 else "-inf"
    text = repr(x)
    if "e" in text:
        from decimal import Decimal

        text = format(Decimal(text), "f")
    return text[:-2] if text.endswith(".0") else text
