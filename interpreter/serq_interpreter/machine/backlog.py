"""The number of live sessions over time: does it grow without end?"""

from __future__ import annotations

from array import array

from serq_interpreter.machine.statistics import N_BATCHES, plain_sum
from serq_interpreter.machine.trend import GROWTH_T, goes_on, trend_of


class Backlog:
    """The number of live sessions over time, as the means of equal windows, in constant memory.

    The end of a run may be unknown, so windows double in width when 80 are full: between 40 and 80 cover the run
    at any time.  Times are in clock units.  A machine adds up the level itself: it calls `pass_to` when the open window
    is over (`limit`) and `reach` before the windows are looked at; without it `change` adds up.
    """

    __slots__ = ("_before", "_full", "_level", "_since", "_start", "_total", "_width", "limit")

    _MOST_WINDOWS = 4 * N_BATCHES

    def __init__(self, start: float, horizon: float) -> None:
        self._start = start
        self._width = (horizon - start) / self._MOST_WINDOWS
        self._full: array[float] = array("d")
        """Areas of the windows that have ended."""
        self._before = 0.0
        """Their sum: the area at the beginning of the window that has not ended."""
        self.limit = start + self._width
        """When the open window ends."""
        self._since = start
        self._total = 0.0
        self._level = 0.0

    def change(self, time: float, level: float) -> None:
        """From `time` on there are `level` live sessions; times before the start only set the level."""
        since = self._since
        if time > since:
            self._total += self._level * (time - since)
            self._since = time
            if time > self.limit:
                self.pass_to(time, self._total, self._level)
        self._level = level

    def pass_to(self, time: float, area: float, level: float) -> None:
        """Close every window that ends before `time`.  `area` is the integral from the start to `time`, `level` the level
        held up to there since before the open window ended."""
        while time > self.limit:
            total = area - level * (time - self.limit)
            self._full.append(total - self._before)
            self._before = total
            if len(self._full) == self._MOST_WINDOWS:
                pairs = zip(self._full[::2], self._full[1::2], strict=True)
                self._full = array("d", [left + right for left, right in pairs])
                self._width *= 2.0
            self.limit = self._start + (len(self._full) + 1) * self._width

    def reach(self, time: float, area: float, level: float) -> None:
        """The integral is `area` at `time`, and the level is `level` from there on."""
        self._since, self._total, self._level = max(time, self._start), area, level

    def open_area(self) -> float:
        """The area of the window that has not ended."""
        return self._total - self._before

    def close(self, end: float) -> None:
        """Account for the level held until `end`."""
        self.change(end, self._level)

    def windows(self) -> list[float]:
        """The mean level in each of 20 equal windows, oldest first; fewer than 20 full windows give none."""
        areas = self._full
        if self._since >= self.limit:
            areas = areas + array("d", [self.open_area()])
        per_batch = len(areas) // N_BATCHES
        if per_batch == 0:
            return []
        span = per_batch * self._width
        first = len(areas) - per_batch * N_BATCHES
        starts = range(first, len(areas), per_batch)
        return [plain_sum(areas[start : start + per_batch]) / span for start in starts]

    def slope(self) -> float:
        """Sessions gained per clock unit, from the first window to the last."""
        windows = self.windows()
        if not windows:
            return 0.0
        per_batch = (len(self._full) + 1) // N_BATCHES or 1
        return (windows[-1] - windows[0]) / ((N_BATCHES - 1) * per_batch * self._width)

    def grows(self, least_t: float = GROWTH_T) -> bool:
        """Whether the backlog grows by at least this Student's t, and goes on growing in the second half."""
        windows = self.windows()
        return bool(windows) and goes_on(trend_of(windows), least_t)
