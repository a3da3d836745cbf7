"""Times between tokens: mean and quantiles in constant memory (05 §10)."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, exp, floor, inf, log, log1p, nan
from typing import Any

_LOG_WIDTH = log1p(0.01)


def surely_within(gap: float) -> float:
    """Whatever lies between a gap and this is in the gap's bucket, rounding of the logarithm considered."""
    return exp((floor(log(gap) / _LOG_WIDTH) + 1) * _LOG_WIDTH) * (1.0 - 1e-9) if 0.0 < gap < inf else gap


class LastToken:
    """The latest token of a session's turn, and whether the session was `preempted` since."""

    __slots__ = ("by_decode", "preempted", "stage", "time", "turn")

    def __init__(self, time: Any, by_decode: bool, stage: Any, turn: int) -> None:
        self.time = time
        self.by_decode = by_decode
        self.stage = stage
        self.turn = turn
        self.preempted = False


class GapStatistics:
    """Gaps in buckets one per cent wide; each knows its count, its least and its greatest."""

    __slots__ = ("buckets", "count", "total")

    def __init__(self, zero: Any) -> None:
        self.count = 0
        self.total: Any = zero
        """Sum of the gaps in clock units."""
        self.buckets: dict[int, list[float]] = {}

    def add(self, gap: float, elapsed: Any) -> None:
        """A gap in seconds and in clock units."""
        self.count += 1
        self.total += elapsed
        self.bucket_of(gap)[0] += 1

    def bucket_of(self, gap: float) -> list[float]:
        """Count, least and greatest of the gap's bucket, widened to take the gap in; it is not counted yet."""
        key = floor(log(gap) / _LOG_WIDTH) if 0.0 < gap < inf else -(10**9)
        bucket = self.buckets.get(key)
        if bucket is None:
            bucket = self.buckets[key] = [0, gap, gap]
        elif gap < bucket[1]:
            bucket[1] = gap
        elif gap > bucket[2]:
            bucket[2] = gap
        return bucket

    def bucket_up_to(self, gap: float) -> tuple[list[float], float]:
        """`bucket_of`, and up to where a gap not below the bucket's least is surely in that bucket."""
        return self.bucket_of(gap), max(surely_within(gap), gap)

    def average(self, seconds: Callable[[Any], float]) -> float:
        """The mean gap; `seconds` converts clock units."""
        return seconds(self.total) / self.count if self.count else nan

    def quantile(self, p: float) -> float:
        """The middle of the bucket of rank ⌈p n⌉, clamped to what the bucket saw; NaN without gaps."""
        if not self.count:
            return nan
        rank = max(1, ceil(p * self.count))
        seen = 0
        for key in sorted(self.buckets):
            number, least, greatest = self.buckets[key]
            seen += int(number)
            if seen >= rank:
                return min(max(exp((key + 0.5) * _LOG_WIDTH), least), greatest)
        raise AssertionError("a rank beyond the number of gaps")
