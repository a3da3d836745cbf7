"""Small pictures made of characters: sparklines and histograms."""

from __future__ import annotations

from collections.abc import Sequence

_BARS = "▁▂▃▄▅▆▇█"


def sparkline(values: Sequence[float | None], width: int = 40) -> str:
    """A line of bars, from the least to the greatest of what is shown; what is not a number leaves a gap.

    A level that never changes is a line in the middle, or at the bottom where it is 0.
    """
    values = _squeezed(values, width)
    known = [value for value in values if value is not None and value == value]
    if not known:
        return ""
    low, high = min(known), max(known)
    if low == high and low != 0.0:
        low -= 0.5
        high += 0.5
    scale = (len(_BARS) - 1) / (high - low) if high > low else 0.0
    return "".join(
        " " if value is None or value != value else _BARS[min(round((value - low) * scale), len(_BARS) - 1)]
        for value in values
    )


def _squeezed(values: Sequence[float | None], width: int) -> list[float | None]:
    """At most `width` values: means of stretches."""
    n = len(values)
    if n <= width:
        return list(values)
    found: list[float | None] = []
    for k in range(width):
        part = [value for value in values[k * n // width : (k + 1) * n // width] if value is not None]
        found.append(sum(part) / len(part) if part else None)
    return found


def histogram_line(counts: Sequence[int], width: int = 24) -> str:
    """A histogram as one line of bars; an empty bin is a gap."""
    n = len(counts)
    width = min(width, n)
    sums = [sum(counts[k * n // width : (k + 1) * n // width]) for k in range(width)]
    top = max(sums, default=0)
    if not top:
        return ""
    return "".join(" " if not count else _BARS[(count * (len(_BARS) - 1)) // top] for count in sums)
