"""Series and histograms of a run, with at most so many points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from serq_lsp.services.results.numbers import significant
from serq_lsp.services.results.view import RunView

_DIGITS = 5


def histogram(detail: dict[str, Any]) -> dict[str, Any] | None:
    """The `Histogram` of an observation."""
    found = detail.get("histogram")
    if not found:
        return None
    return {"edges": [significant(edge, _DIGITS) for edge in found["edges"]], "counts": found["counts"]}


def sample_series(detail: dict[str, Any], points: int) -> dict[str, Any] | None:
    """The samples of an observation over time."""
    found = detail.get("series")
    if not found or not found["t"]:
        return None
    return _series(found["t"], found["v"], points, step=False)


def level_series(view: RunView, part: str, index: int, names: Sequence[str], points: int) -> dict[str, Any] | None:
    """The levels of a pool or stage: means of windows of time."""
    windows = view.data["windows"]
    levels = windows[part][index]
    times = _times(windows, len(levels[0]))
    if not times:
        return None
    return {name: _series(times, level, points, step=True) for name, level in zip(names, levels, strict=True)}


def gauge_series(view: RunView, index: int, points: int) -> dict[str, Any] | None:
    """A gauge over time: means of windows."""
    windows = view.data["windows"]
    level = windows["gauges"][index]
    times = _times(windows, len(level))
    return _series(times, level, points, step=True) if times else None


def _times(windows: dict[str, Any], n: int) -> list[float]:
    return [windows["start"] + k * windows["width"] for k in range(n)]


def _series(times: Sequence[float], values: Sequence[float], points: int, *, step: bool) -> dict[str, Any]:
    t, v = decimate(times, values, max(points, 2))
    return {"t": [significant(x, 9) for x in t], "v": [_number(x) for x in v], "step": step}


def _number(value: float) -> float | None:
    return significant(value, _DIGITS) if value == value and abs(value) != float("inf") else None


def decimate(times: Sequence[float], values: Sequence[float], points: int) -> tuple[list[float], list[float]]:
    """At most `points` points: of each stretch the least and the greatest, in order of time."""
    n = len(times)
    if n <= points:
        return list(times), list(values)
    stretches = max(points // 2, 1)
    picked: list[int] = []
    for k in range(stretches):
        stretch = range(k * n // stretches, (k + 1) * n // stretches)
        low, high = min(stretch, key=values.__getitem__), max(stretch, key=values.__getitem__)
        picked += sorted({low, high})
    return [times[i] for i in picked], [values[i] for i in picked]
