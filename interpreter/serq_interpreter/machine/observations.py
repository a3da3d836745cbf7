"""What `observe` recorded: one packed array of doubles per observation (07 §4)."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass
from math import inf, nan

from serq_interpreter.machine.statistics import cv2, interval, mean_and_m2, percentile

_LARGEST_TURN = 2**32 - 1


@dataclass(frozen=True, slots=True)
class ObservationSummary:
    """One entry of the report's `observes`; `ci` is a half-width."""

    count: int
    mean: float
    ci: float
    cv2: float
    p99: float


class Series:
    """The samples of one observation, in recording order.

    `times` (clock units), `sessions` (internal serials) and `turns` are kept only when the run was asked
    for `places`, as a dump and a comparison need them; the report needs the values alone.
    """

    __slots__ = ("_moments", "name", "record", "sessions", "times", "turns", "values")

    def __init__(self, name: str, *, places: bool = False) -> None:
        self.name = name
        self._moments = (0, 0.0, 0.0)
        self.values: array[float] = array("d")
        self.times: array[float] | None = array("d") if places else None
        self.sessions: array[int] | None = array("Q") if places else None
        self.turns: array[int] | None = array("L") if places else None
        self.record: Callable[[float, float, int, float], None] = self._recorder()
        """`record(value, time, serial, turn_no)` appends a sample; where `times` is `None`,
        `values.append(value)` does the same."""

    def _recorder(self) -> Callable[[float, float, int, float], None]:
        add_value = self.values.append
        if self.times is None or self.sessions is None or self.turns is None:
            return lambda value, _time, _serial, _turn_no: add_value(value)
        add_time, add_session, add_turn = self.times.append, self.sessions.append, self.turns.append

        def record(value: float, time: float, serial: int, turn_no: float) -> None:
            add_value(value)
            add_time(time)
            add_session(serial)
            add_turn(turn_field(turn_no))

        return record

    def moments(self) -> tuple[float, float]:
        """Mean and sum of squared deviations of the samples so far, worked out once for each number of them."""
        n, mean, m2 = self._moments
        if n != len(self.values):
            mean, m2 = mean_and_m2(self.values)
            self._moments = (len(self.values), mean, m2)
        return mean, m2

    def summary(self) -> ObservationSummary:
        """The statistics of the report, computed now; every call reads all samples."""
        values = self.values
        n = len(values)
        if n == 0:
            return ObservationSummary(0, nan, inf, nan, nan)
        mean, m2 = self.moments()
        return ObservationSummary(n, mean, interval(values), cv2(n, mean, m2), percentile(values, 0.99))


def turn_field(turn_no: float) -> int:
    """The attribute `turn_no` as an unsigned 32-bit number: truncated, negative and NaN 0, too large the largest."""
    if not turn_no > 0.0:
        return 0
    return _LARGEST_TURN if turn_no >= _LARGEST_TURN else int(turn_no)
