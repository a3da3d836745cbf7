"""The exact clock: integer ticks of a unit chosen per program (seed §4).

The unit is one over the least common denominator of the program's rational time constants
and cost coefficients, refined to at most a nanosecond, so that k iterations of one cost
last exactly k times that cost.  Expressions stay doubles; durations become ticks, half to
even, when they start; `now` reads as the nearest double.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import inf, lcm

from serq_interpreter.ir import program as ir
from serq_interpreter.machine.exact_costs import Polynomial, polynomial, rational
from serq_interpreter.machine.settings import Settings
from serq_interpreter.machine.stages.decode_steps import DecodeSteps, SummedDecodeSteps
from serq_interpreter.machine.static_facts import every_statement

NANOSECONDS = 10**9
FINEST = 10**15
"""Ticks per second beyond which a unit is not chosen."""
FALLBACK = 10**12
_MOST_SURE_TICKS = 2.0**44
"""A product of so many ticks, rounded to a double, is off by at most 2^-10."""
_SUFFIXES = {"fs": 10**15, "ps": 10**12, "ns": 10**9, "us": 10**6, "µs": 10**6, "ms": 10**3, "s": 1}


class ExactClock:
    """Integer ticks; `unit` is the length of a tick in seconds."""

    zero = 0

    def __init__(self, unit: Fraction) -> None:
        self.unit = unit
        self._per = unit.denominator
        self._over = unit.numerator
        # Ticks per second as a double, and up to how many seconds a product with it is near enough to decide.
        exact = self._over == 1 and self._per <= 2**53
        self.rate = float(self._per) if exact else 0.0
        self.surely = _MOST_SURE_TICKS / self._per if exact else -1.0
        if self._over == 1:
            # The true division of two ints is correctly rounded; read at every event, so without a frame of its own.
            self.seconds = self._per.__rtruediv__  # type: ignore[method-assign,assignment]

    def ticks(self, seconds: float) -> int:
        """A duration in ticks, half to even."""
        if 0.0 <= seconds <= self.surely:
            # The product of doubles is off by far less than a hundredth: away from a half it decides.
            product = seconds * self.rate
            whole = int(product)
            rest = product - whole
            if rest < 0.49:
                return whole
            if rest > 0.51:
                return whole + 1
        numerator, denominator = seconds.as_integer_ratio()
        return _divide_half_even(numerator * self._per, denominator * self._over)

    def ticks_up(self, seconds: float) -> int:
        """A duration in ticks, rounded up."""
        if 0.0 <= seconds <= self.surely:
            product = seconds * self.rate
            whole = int(product)
            if 0.01 < product - whole < 0.99:
                return whole + 1
        numerator, denominator = seconds.as_integer_ratio()
        return -(-numerator * self._per // (denominator * self._over))

    def after(self, now: int, duration: float) -> int:
        return now + self.ticks(duration)

    def after_up(self, now: int, duration: float) -> int:
        return now + self.ticks_up(duration)

    def not_before(self, now: int, seconds: float) -> int:
        return max(now, self.ticks_up(seconds))

    def at(self, seconds: float) -> int:
        return self.ticks(seconds)

    def seconds(self, time: int) -> float:
        return time * self._over / self._per

    def remaining(self, start: int, duration: float, now: int) -> float:
        return duration if duration == inf else self.seconds(start + self.ticks(duration) - now)

    def area(self, units: float, elapsed: int) -> int | float:
        return (int(units) if units.is_integer() else units) * elapsed

    def decode_steps(self) -> DecodeSteps:
        return SummedDecodeSteps()

    def exact_cost(self, cost: Polynomial) -> Polynomial:
        """The same polynomial with its coefficients in ticks."""
        return cost.scaled(1 / self.unit)


def _divide_half_even(numerator: int, denominator: int) -> int:
    quotient, rest = divmod(numerator, denominator)
    double = 2 * rest
    if double > denominator or (double == denominator and quotient & 1):
        quotient += 1
    return quotient


def choose_unit(program: ir.Program, settings: Settings) -> tuple[Fraction, str | None]:
    """The tick of a program in seconds, and a note where the exact one would be too fine."""
    denominator = NANOSECONDS
    for constant in _time_constants(program, settings):
        denominator = lcm(denominator, constant.denominator)
        if denominator > FINEST:
            return Fraction(1, FALLBACK), "the exact tick would be finer than 1e-15: times are rounded to 1e-12"
    return Fraction(1, denominator), None


def parse_tick(text: str) -> Fraction:
    """A tick as given from outside: `1ns`, `250 ps`, `0.001`, `1/3000000000`.  Raises `ValueError`."""
    number = text.strip()
    scale = 1
    for suffix, per_second in _SUFFIXES.items():
        if number.endswith(suffix) and not number[: -len(suffix)].rstrip().endswith(("f", "p", "n", "u", "µ", "m")):
            number, scale = number[: -len(suffix)].strip(), per_second
            break
    try:
        tick = Fraction(number) / scale
    except (ValueError, ZeroDivisionError) as error:
        raise ValueError(f"`{text}` is no tick: write seconds, or a number with fs, ps, ns, us, ms or s") from error
    if tick <= 0:
        raise ValueError(f"`{text}` is no tick: it must be positive")
    return tick


def _time_constants(program: ir.Program, settings: Settings) -> Iterable[Fraction]:
    """Every rational constant that is a time, or the coefficient of one in a cost."""
    for seconds in (settings.horizon, settings.warmup):
        yield Fraction(repr(seconds))
    if isinstance(program.arrival, ir.Renewal):
        yield from _constant(program.arrival.gap)
    for statement in every_statement(program):
        match statement:
            case ir.Run() if isinstance(program.stages[statement.stage.base].kind, ir.Fifo | ir.Delay):
                yield from _constant(statement.work)
            case ir.Hold(lease=ir.Lease() as lease):
                yield from _constant(lease.time)
    for stage in program.stages:
        if isinstance(stage.kind, ir.Step):
            cost = polynomial(stage.kind.cost)
            if cost is not None:
                yield from cost.coefficients()


def _constant(expression: ir.Expr) -> Iterable[Fraction]:
    """The closed sub-expressions of a duration that are added up or stand alone."""
    value = rational(expression)
    if value is not None:
        yield value
        return
    match expression:
        case ir.Binary(op="Add" | "Sub"):
            yield from _constant(expression.left)
            yield from _constant(expression.right)
        case ir.Binary(op="Mul"):
            for side in (expression.left, expression.right):
                factor = rational(side)
                if factor is not None:
                    yield factor
        case ir.Cond():
            yield from _constant(expression.then)
            yield from _constant(expression.otherwise)
