"""Levels over simulated time as the means of equal windows, in constant memory.

A window's width doubles when `CAPACITY` windows are full, so that any length of run has between half of that and all.
Windows of two runs that start together can be compared: widths differ by powers of two.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

CAPACITY = 384
_FIRST_SHARE = 1.0 / 12288
"""The first width as a share of the whole: CAPACITY times a power of two."""


class Windows:
    """Means of several levels over common windows; times and widths are native clock units."""

    def __init__(self, n_levels: int, start: float, length: float) -> None:
        self.start = start
        self.width = max(length * _FIRST_SHARE, 1e-12)
        self.boundary = start + self.width
        self.areas: list[array[float]] = [array("d") for _ in range(n_levels)]
        self._before = [0.0] * n_levels
        """The integrals at the last boundary."""

    def pass_to(self, t0: float, t1: float, integrals0: Sequence[float], integrals1: Sequence[float]) -> None:
        """Time passes from `t0` to `t1`, over a boundary; between them every level is constant.

        Boundaries before `t0` were passed unseen, by a stretch that the machine took as one; levels were nearly
        constant there.
        """
        self.reach(t0, integrals0)
        while self.boundary <= t1:
            self._close((self.boundary - t0) / (t1 - t0), integrals0, integrals1)

    def reach(self, now: float, integrals: Sequence[float]) -> None:
        """It is `now`; what came before was not looked at, and is taken as constant since the last boundary."""
        last = self.boundary - self.width
        while self.boundary <= now and now > last:
            self._close((self.boundary - last) / (now - last), list(self._before), integrals)
            last = self.boundary - self.width

    def _close(self, share: float, integrals0: Sequence[float], integrals1: Sequence[float]) -> None:
        """End the current window where `share` of the way between two instants is gone."""
        for level, areas in enumerate(self.areas):
            here = integrals0[level] + (integrals1[level] - integrals0[level]) * share
            areas.append(here - self._before[level])
            self._before[level] = here
        if self.areas and len(self.areas[0]) == CAPACITY:
            self._double()
        self.boundary += self.width

    def _double(self) -> None:
        for level, areas in enumerate(self.areas):
            pairs = zip(areas[::2], areas[1::2], strict=True)
            self.areas[level] = array("d", [left + right for left, right in pairs])
        self.width *= 2.0

    def means(self, level: int) -> list[float]:
        """The mean of a level in each full window."""
        return [area / self.width for area in self.areas[level]]
