"""How a generated run keeps time: doubles of seconds, integer ticks, or ticks as whole doubles.

Whole numbers below 2^53 are exact as doubles and quicker than Python's integers.  They serve while no instant of the run
can be larger; an area of numbers and ticks that grows beyond 2^52 is carried over to an integer.
"""

from __future__ import annotations

from math import inf, nextafter
from typing import TYPE_CHECKING, Any

from serq_interpreter.machine.exact_clock import ExactClock

if TYPE_CHECKING:
    from serq_interpreter.machine.clock import Clock, Time
    from serq_interpreter.machine.generated.text import Text

_LARGEST = 2.0**52
_TO_WHOLE = 1.5 * 2.0**52
"""Added to a double below 2^51 it leaves no room for a fraction: taken away again the nearest whole number is left."""


class ClockSource:
    """Doubles of seconds."""

    exact = False
    scale = ""
    """The operations that make seconds of a time."""
    seconds = "now"

    def names(self) -> dict[str, Any]:
        """What the texts refer to."""
        return {}

    def native(self, time: Time) -> Any:
        """A time of the machine as the run keeps it."""
        return time

    def before(self, time: Any) -> Any:
        """The last instant before a time as the run keeps it."""
        return nextafter(time, -inf)

    def load(self, place: str) -> str:
        """A time of the machine's books, as the run keeps it."""
        return place

    def store(self, name: str) -> str:
        """A time of the run, as the machine's books have it."""
        return name

    def schedule(self, text: Text, place: str, duration: str) -> None:
        """`place` becomes the instant a finite `duration` (a name), 0 or more, after now."""
        text.put(f"{place} = now + {duration}")

    def schedule_up(self, text: Text, place: str, duration: str) -> None:
        """The same, rounded up to a tick."""
        self.schedule(text, place, duration)

    def area(self, text: Text, i: int) -> None:
        """Stage `i` had `n{i}` sessions, some, for a time `e`."""
        text.put(f"an{i} += n{i} * e; tu{i} += e")

    def load_area(self, text: Text, i: int, place: str) -> None:
        """The area of stage `i` so far, from the machine's books."""
        text.put(f"an{i} = {place}")

    def store_area(self, text: Text, i: int, place: str) -> None:
        """The area into the books."""
        text.put(f"{place} = an{i}")

    def reset(self, text: Text, i: int) -> None:
        """Area and time of stage `i` begin anew."""
        text.put(f"an{i} = tu{i} = 0")


class TickSource(ClockSource):
    """Integer ticks."""

    exact = True
    seconds = "seconds"

    def __init__(self, clock: ExactClock) -> None:
        self._clock = clock
        self.scale = " / per" if clock.unit.numerator == 1 else " * over / per"

    def names(self) -> dict[str, Any]:
        unit = self._clock.unit
        return {
            "ticks": self._clock.ticks,
            "ticks_up": self._clock.ticks_up,
            "over": unit.numerator,
            "per": unit.denominator,
        }

    def before(self, time: Any) -> Any:
        return time - 1

    def schedule(self, text: Text, place: str, duration: str) -> None:
        text.put(f"{place} = now + ticks({duration})")

    def schedule_up(self, text: Text, place: str, duration: str) -> None:
        text.put(f"{place} = now + ticks_up({duration})")


class WholeSource(TickSource):
    """Ticks as whole doubles; the clock's constants are written as literals."""

    def __init__(self, clock: ExactClock) -> None:
        super().__init__(clock)
        self.scale = f" / {float(clock.unit.denominator)!r}"
        self.per_second = float(clock.unit.denominator)
        self.rate, self.surely = clock.rate, clock.surely

    def names(self) -> dict[str, Any]:
        return {"late": self.late, "late_up": self.late_up}

    def late(self, duration: float) -> float:
        """A duration in ticks, half to even, where a product of doubles does not decide."""
        return _double(self._clock.ticks(duration))

    def late_up(self, duration: float) -> float:
        """The same, rounded up."""
        return _double(self._clock.ticks_up(duration))

    def native(self, time: Time) -> Any:
        return float(time)

    def load(self, place: str) -> str:
        return f"float({place})"

    def store(self, name: str) -> str:
        return f"int({name})"

    def _nearest(self, text: Text, duration: str) -> None:
        """`k` is the nearest whole number of ticks to the product of doubles, `p` what it leaves."""
        text.put(f"p = {duration} * {self._clock.rate!r}; k = p + {_TO_WHOLE!r} - {_TO_WHOLE!r}; p -= k")

    def schedule(self, text: Text, place: str, duration: str) -> None:
        # As `ExactClock.ticks`, whose comment says why a product of doubles decides away from a half.
        with text.block(f"if {duration} <= {self._clock.surely!r}:"):
            self._nearest(text, duration)
            text.put(f"{place} = now + (k if -0.49 < p < 0.49 else late({duration}))")
        text.put(f"else: {place} = now + late({duration})")

    def schedule_up(self, text: Text, place: str, duration: str) -> None:
        with text.block(f"if {duration} <= {self._clock.surely!r}:"):
            self._nearest(text, duration)
            text.put(f"{place} = now + (k + 1.0 if p > 0.01 else k if p < -0.01 else late_up({duration}))")
        text.put(f"else: {place} = now + late_up({duration})")

    def area(self, text: Text, i: int) -> None:
        text.put(f"tu{i} += e", f"x = an{i} + n{i} * e")
        text.put(f"if x < {_LARGEST!r}: an{i} = x", f"else: big{i} += int(an{i}) + n{i} * int(e); an{i} = 0.0")

    def load_area(self, text: Text, i: int, place: str) -> None:
        text.put(f"big{i} = {place}; an{i} = 0.0")

    def store_area(self, text: Text, i: int, place: str) -> None:
        text.put(f"{place} = big{i} + int(an{i})")

    def reset(self, text: Text, i: int) -> None:
        text.put(f"an{i} = tu{i} = 0.0; big{i} = 0")


def _double(ticks: int) -> float:
    """Ticks as a whole double; so many that no run reaches them are as good as infinitely many."""
    return float(ticks) if ticks < _LARGEST else float("inf")


def clock_source(clock: Clock, limit: Time) -> ClockSource:
    """How a run of the clock up to `limit` keeps time."""
    if not isinstance(clock, ExactClock):
        return ClockSource()
    if clock.unit.numerator == 1 and clock.unit.denominator <= 2**53 and limit < _LARGEST:
        return WholeSource(clock)
    return TickSource(clock)
