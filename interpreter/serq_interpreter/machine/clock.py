"""Clocks: what an instant is and how durations are added to it (seed §4).

The machine's times are *native* values of its clock; expressions and reports see seconds.
`F64Clock` is the reference's clock: an instant is a double and sums are made one after
the other.  `ExactClock` (in `exact_clock`) counts integer ticks.
"""

from __future__ import annotations

from typing import Any, Protocol

from serq_interpreter.machine.stages.decode_steps import DecodeSteps, RunningDecodeSteps

Time = Any
"""A native instant or duration: a float, or an int of ticks."""


class Clock(Protocol):
    """What the machine asks of a clock.  Durations passed in are finite seconds."""

    zero: Time

    def after(self, now: Time, duration: float) -> Time:
        """The instant `duration` seconds (rounded to the clock) after `now`."""
        ...

    def after_up(self, now: Time, duration: float) -> Time:
        """As `after`, but rounded up to a tick: completions of shared stages."""
        ...

    def not_before(self, now: Time, seconds: float) -> Time:
        """The first instant at or after `seconds`, never before `now`."""
        ...

    def at(self, seconds: float) -> Time:
        """The instant nearest to `seconds`."""
        ...

    def seconds(self, time: Time) -> float:
        """The nearest double of an instant or a duration."""
        ...

    def remaining(self, start: Time, duration: float, now: Time) -> float:
        """Seconds until `duration` after `start`; infinite durations stay infinite."""
        ...

    def area(self, units: float, elapsed: Time) -> Any:
        """`units` held for `elapsed`; exact where the clock counts and the units are whole."""
        ...

    def decode_steps(self) -> DecodeSteps:
        """How the means over decoding iterations are kept."""
        ...


class F64Clock:
    """Doubles of seconds."""

    zero = 0.0

    def after(self, now: float, duration: float) -> float:
        return now + duration

    def after_up(self, now: float, duration: float) -> float:
        return now + duration

    def not_before(self, now: float, seconds: float) -> float:
        return seconds if seconds > now else now

    def at(self, seconds: float) -> float:
        return seconds

    def seconds(self, time: float) -> float:
        return time

    def remaining(self, start: float, duration: float, now: float) -> float:
        return duration - (now - start)

    def area(self, units: float, elapsed: float) -> float:
        return units * elapsed

    def decode_steps(self) -> DecodeSteps:
        return RunningDecodeSteps()
