"""A gauge's change points and statistics, in constant memory when the end is known (07 §5)."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from math import copysign, inf, nan

from serq_interpreter.machine.statistics import N_BATCHES, half_width


@dataclass(frozen=True, slots=True)
class GaugeSummary:
    """One entry of the report's `gauges`; `ci` is a half-width, `windows` the means of 20 equal windows."""

    mean: float
    ci: float
    min: float
    max: float
    windows: tuple[float, ...]


class GaugeSeries:
    """One gauge: call `record(time, value)` at the end of each instant, then `summary(end)` once.

    The pieces between change points are added up as they end.  Where the end of the run is not known in
    advance (a finite run) or `points` are asked for, the change points are kept instead and added up at the end.
    Times are in clock units.
    """

    __slots__ = ("_areas", "_keep", "_since", "_started", "_value", "_warmup", "n_changes", "name", "times", "values")

    def __init__(self, name: str, warmup: float, horizon: float, *, points: bool = False, finite: bool = False) -> None:
        self.name = name
        self.times: array[float] = array("d")
        self.values: array[float] = array("d")
        self._keep = points or finite
        self._warmup = warmup
        self._areas = _Areas(warmup, horizon)
        self._since = 0.0
        self._value = nan
        self._started = False
        self.n_changes = 0

    def record(self, time: float, value: float) -> None:
        """The value at the end of the instant at `time`; equal bits, or NaN after NaN, are no change."""
        last = self._value
        if self._started and (value == last != 0.0 or _same(value, last)):
            return
        if self._started:
            self.n_changes += 1
        if self._started and not self._keep:
            self._areas.add(self._since, time, last)
        if self._keep:
            # The first point stands at time 0 whenever the first instant was.
            self.times.append(time if self._started else 0.0)
            self.values.append(value)
        self._since = time if self._started else 0.0
        self._value = value
        self._started = True

    def summary(self, end: float) -> GaugeSummary:
        """The statistics over `[warmup, end]`."""
        areas = self._areas
        if self._keep:
            areas = _Areas(self._warmup, end)
            stops = [*self.times[1:], end]
            for start, stop, value in zip(self.times, stops, self.values, strict=True):
                areas.add(start, stop, value)
        elif self._started:
            areas.add(self._since, end, self._value)
        return areas.summary()


def _same(value: float, last: float) -> bool:
    if value != value:
        return last != last
    return value == last and copysign(1.0, value) == copysign(1.0, last)


class _Areas:
    """The integral over `[start, end]` and over each of its 20 windows, and the extremes held for a time."""

    __slots__ = ("_edges", "_first", "area", "end", "max", "min", "start", "windows")

    def __init__(self, start: float, end: float) -> None:
        self.start = start
        self.end = end
        self.area = 0.0
        self.windows = [0.0] * N_BATCHES
        self.min = inf
        self.max = -inf
        width = (end - start) / N_BATCHES
        self._edges = [start + i * width for i in range(N_BATCHES)] + [end]
        self._first = 0

    def add(self, start: float, stop: float, value: float) -> None:
        """One piece; pieces come in time order."""
        start, stop = max(start, self.start), min(stop, self.end)
        if not stop > start:
            return
        self.area += value * (stop - start)
        # Of two equal zeros the later one counts, as in the reference.
        if value <= self.min:
            self.min = value
        if value >= self.max:
            self.max = value
        edges, windows = self._edges, self.windows
        while self._first < N_BATCHES - 1 and edges[self._first + 1] <= start:
            self._first += 1
        for i in range(self._first, N_BATCHES):
            left, right = edges[i], edges[i + 1]
            if left >= stop:
                break
            inside = min(stop, right) - max(start, left)
            if inside > 0.0:
                windows[i] += value * inside

    def summary(self) -> GaugeSummary:
        width = (self.end - self.start) / N_BATCHES
        means = tuple(area / width for area in self.windows)
        return GaugeSummary(self.area / (self.end - self.start), half_width(means), self.min, self.max, means)
