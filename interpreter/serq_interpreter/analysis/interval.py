"""Intervals of doubles: what a value can be, as a range with two facts.

An `Interval` contains the doubles from `lo` to `hi`, both included, infinities included; `whole` says that every finite
one is a whole number, `nan` that NaN is possible, too.  Operations are those of the machine (`machine.numbers`):
rounding to the nearest double is monotone, so the operation on the ends bounds the operation on everything between.
"""

from __future__ import annotations

from math import ceil, floor, inf, isfinite, isnan, nextafter, ulp

from serq_interpreter.record import record


@record
class Interval:
    """The values from `lo` to `hi`; never empty."""

    lo: float
    hi: float
    whole: bool = False
    nan: bool = False

    def __eq__(self, other: object) -> bool:
        return (
            type(other) is Interval
            and self.lo == other.lo
            and self.hi == other.hi
            and self.whole == other.whole
            and self.nan == other.nan
        )

    def __hash__(self) -> int:
        return hash((self.lo, self.hi, self.whole, self.nan))

    @property
    def finite(self) -> bool:
        """Whether neither an infinity nor NaN is possible."""
        return isfinite(self.lo) and isfinite(self.hi) and not self.nan

    @property
    def constant(self) -> float | None:
        """The only value, if there is one."""
        return self.lo if self.lo == self.hi and not self.nan else None

    def contains(self, value: float) -> bool:
        """Whether a run may take this value."""
        if isnan(value):
            return self.nan
        return self.lo <= value <= self.hi and (not self.whole or not isfinite(value) or value == floor(value))

    def __str__(self) -> str:
        text = f"{_number(self.lo)}" if self.lo == self.hi else f"{_number(self.lo)} … {_number(self.hi)}"
        return text + (", whole" if self.whole and self.lo != self.hi else "") + (" or NaN" if self.nan else "")


ANYTHING = Interval(-inf, inf, nan=True)
NUMBER = Interval(-inf, inf)
NOT_NEGATIVE = Interval(0.0, inf)
COUNT = Interval(0.0, inf, whole=True)
TRUTH = Interval(0.0, 1.0, whole=True)


def exactly(value: float) -> Interval:
    """The interval of one number."""
    if isnan(value):
        return ANYTHING
    return Interval(value, value, whole=not isfinite(value) or value == floor(value))


def between(lo: float, hi: float, *, whole: bool = False, nan: bool = False) -> Interval:
    """An interval from computed ends; an end that is no number stands for no bound."""
    lo, hi = (-inf if isnan(lo) else lo), (inf if isnan(hi) else hi)
    return Interval(lo, hi, whole, nan) if lo <= hi else ANYTHING


def join(one: Interval, other: Interval) -> Interval:
    """The smallest interval that contains both."""
    if one is other:
        return one
    if one.lo <= other.lo and one.hi >= other.hi and (other.whole or not one.whole) and (one.nan or not other.nan):
        return one  # the same object: states that share their parts are compared quickly
    return Interval(min(one.lo, other.lo), max(one.hi, other.hi), one.whole and other.whole, one.nan or other.nan)


def widen(old: Interval, new: Interval, steps: tuple[float, ...]) -> Interval:
    """`new`, with each end that moved carried on to the next of `steps` (ascending), so that loops come to an end."""
    if new == old:
        return old
    lo, hi = new.lo, new.hi
    if lo < old.lo:
        lo = max((step for step in steps if step <= lo), default=-inf)
    if hi > old.hi:
        hi = min((step for step in steps if step >= hi), default=inf)
    return Interval(lo, hi, new.whole, new.nan)


# --------------------------------------------------------------------------- arithmetic


def add(a: Interval, b: Interval) -> Interval:
    nan = a.nan or b.nan or (a.hi == inf and b.lo == -inf) or (a.lo == -inf and b.hi == inf)
    return between(a.lo + b.lo, a.hi + b.hi, whole=a.whole and b.whole, nan=nan)


def negate(a: Interval) -> Interval:
    return Interval(-a.hi, -a.lo, a.whole, a.nan)


def subtract(a: Interval, b: Interval) -> Interval:
    return add(a, negate(b))


def multiply(a: Interval, b: Interval) -> Interval:
    products = [_product(x, y) for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
    nan = a.nan or b.nan or (_infinite(a) and _has_zero(b)) or (_infinite(b) and _has_zero(a))
    return between(min(products), max(products), whole=a.whole and b.whole, nan=nan)


def divide(a: Interval, b: Interval) -> Interval:
    if _has_zero(b):
        return ANYTHING
    quotients = [x / y for x in (a.lo, a.hi) for y in (b.lo, b.hi) if isfinite(x) or isfinite(y)]
    nan = a.nan or b.nan or (_infinite(a) and _infinite(b))
    if _infinite(a) and _infinite(b):
        quotients += [-inf if x < 0 < y or y < 0 < x else inf for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
        quotients.append(0.0)
    return between(min(quotients), max(quotients), nan=nan)


def minimum(a: Interval, b: Interval) -> Interval:
    """The lesser; a NaN loses to a number."""
    return _choice(a, b, Interval(min(a.lo, b.lo), min(a.hi, b.hi), a.whole and b.whole))


def maximum(a: Interval, b: Interval) -> Interval:
    """The greater; a NaN loses to a number."""
    return _choice(a, b, Interval(max(a.lo, b.lo), max(a.hi, b.hi), a.whole and b.whole))


def _choice(a: Interval, b: Interval, found: Interval) -> Interval:
    if a.nan:
        found = join(found, Interval(b.lo, b.hi, b.whole))
    if b.nan:
        found = join(found, Interval(a.lo, a.hi, a.whole))
    return Interval(found.lo, found.hi, found.whole, a.nan and b.nan)


def power(a: Interval, b: Interval) -> Interval:
    """`a ^ b`, bounded where no negative base is possible: it is monotone in each then."""
    if not (a.lo >= 0.0 and a.finite and b.finite) or (a.lo == 0.0 and b.lo < 0.0):
        return ANYTHING
    try:
        ends = [x**y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
    except OverflowError:
        return NOT_NEGATIVE
    whole = a.whole and b.whole and b.lo >= 0.0
    return Interval(max(0.0, _below(min(ends))), _above(max(ends)), whole)


def rounded(a: Interval, up: bool) -> Interval:
    """`ceil` or `floor`."""
    turn = ceil if up else floor
    ends = [float(turn(x)) if isfinite(x) else x for x in (a.lo, a.hi)]
    return Interval(ends[0], ends[1], True, a.nan)


def absolute(a: Interval) -> Interval:
    ends = sorted((abs(a.lo), abs(a.hi)))
    return Interval(0.0 if _has_zero(a) else ends[0], ends[1], a.whole, a.nan)


def monotone(function: object, a: Interval, *, from_: float = -inf) -> Interval:
    """A rising function whose library may be off by an ulp; below `from_` it gives NaN."""
    assert callable(function)
    lo = max(a.lo, from_)
    if a.hi < from_:
        return ANYTHING
    return between(_below(function(lo)), _above(function(a.hi)), nan=a.nan or a.lo < from_)


def _below(x: float) -> float:
    return nextafter(nextafter(x, -inf), -inf) if isfinite(x) else x


def _above(x: float) -> float:
    return nextafter(nextafter(x, inf), inf) if isfinite(x) else x


def _product(x: float, y: float) -> float:
    return 0.0 if x == 0.0 or y == 0.0 else x * y


def _has_zero(a: Interval) -> bool:
    return a.lo <= 0.0 <= a.hi


def _infinite(a: Interval) -> bool:
    return a.lo == -inf or a.hi == inf


def _number(x: float) -> str:
    return f"{x:.10g}"


# --------------------------------------------------------------------------- draws


def drawn(distribution: str, args: list[Interval]) -> Interval:
    """What a draw can give (06 §11); the tails of `exp`, `erlang` and `h2` count as unbounded."""
    nan = any(arg.nan or _infinite(arg) for arg in args)
    match distribution:
        case "Det":
            return args[0]
        case "Uniform":
            return _uniform(args[0], args[1], nan)
        case "Bernoulli":
            return TRUTH
        case "Exp" | "H2":
            return _tail(args[0], nan)
        case "Erlang":
            return _tail(args[1], nan)
    return ANYTHING


def _uniform(low: Interval, high: Interval, nan: bool) -> Interval:
    lo, hi = min(low.lo, high.lo), max(low.hi, high.hi)
    if lo < 0.0 and isfinite(lo) and isfinite(hi):
        # `low + (high - low) * u` may be rounded past an end by a unit in the last place of the difference.
        slack = 2.0 * ulp(hi - lo)
        return between(lo - slack, hi + slack, nan=nan)
    return between(lo, hi, nan=nan)


def _tail(mean: Interval, nan: bool) -> Interval:
    return Interval(0.0 if mean.lo >= 0.0 else -inf, 0.0 if mean.hi <= 0.0 else inf, nan=nan)
