"""Before and after: differences of two runs on common random numbers, with their interval.

Observations are compared by blocks of sessions (`serq_lsp.background.pairing`), levels by windows of time; the
interval is that of twenty batches of consecutive differences.  Runs of different seeds or windows have no pairs: their
half-widths are then added as independent ones are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot
from typing import Any

from serq_lsp.services.results.numbers import half_width, known, significant, supported
from serq_lsp.services.results.view import Past, RunView

BATCHES = 20
STUDENT_T = 2.093
"""95 %, 19 degrees of freedom."""

_T = (12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131)
_T_LATER = 2.0
"""Student's t for 1 to 15 degrees of freedom at 95 %, and about what follows."""


@dataclass(frozen=True, slots=True)
class Delta:
    """Current minus baseline of a mean; `ci` is the half-width of the (paired) difference, `None` unknown."""

    mean: float | None
    ci: float | None
    relative: float | None
    p99: float | None = None

    @property
    def significant(self) -> bool:
        """Whether the interval leaves out zero."""
        return self.mean is not None and self.ci is not None and abs(self.mean) > self.ci

    def value(self) -> dict[str, Any]:
        """The `Delta` of the protocol."""
        return {
            "mean": supported(self.mean, self.ci),
            "ci": half_width(self.ci),
            "relative": None if self.relative is None else significant(self.relative, 3),
            "significant": self.significant,
            "p99": supported(self.p99),
        }


def estimate(view: RunView, part: str, index: int, mean: Any, ci: Any) -> tuple[float | None, float | None]:
    """A mean and its half-width: over replications where there are some, else the run's own."""
    found = [known(replica[part][index]) for replica in view.data.get("replicas") or () if index < len(replica[part])]
    values = [value for value in found if value is not None]
    if len(values) < 2:
        return known(mean), known(ci)
    n = len(values)
    average = sum(values) / n
    variance = sum((value - average) ** 2 for value in values) / (n - 1)
    t = _T[n - 2] if n - 2 < len(_T) else _T_LATER
    return average, t * (variance / n) ** 0.5


def delta_of(view: RunView, part: str, index: int, name: str, row: dict[str, Any]) -> Delta | None:
    """The difference of one thing to the baseline; `None` without one, or where it was not there."""
    past = view.baseline
    if past is None or past.generation == view.generation or view.instead_of is not None:
        return None
    key = (view.generation, view.report["events"], part, index, name)
    if key not in past.differences:
        past.differences[key] = _delta(view, past, part, index, name, row)
    known_delta: Delta | None = past.differences[key]
    return known_delta


def _delta(view: RunView, past: Past, part: str, index: int, name: str, row: dict[str, Any]) -> Delta | None:
    sites: Sequence[Any] = getattr(view.sites, part)
    before_index = past.index(part, name, index, len(sites))
    rows = _rows(past.data, part)
    if before_index is None or before_index >= len(rows):
        return None
    before = rows[before_index]
    key, has_ci = _QUANTITY[part]
    after: float | None = known(row[key])
    old: float | None = known(before[key])
    if after is None or old is None:
        return None
    p99 = _difference(row.get("p99"), before.get("p99")) if part == "observations" else None
    paired = _paired(view, past, part, index, before_index)
    mean: float = after - old
    ci = _independent(row.get("ci"), before.get("ci")) if has_ci else None
    if paired is not None:
        mean, ci = paired
    return Delta(mean, ci, mean / abs(old) if old else None, p99)


_QUANTITY = {
    "observations": ("mean", True),
    "gauges": ("mean", True),
    "pools": ("mean_used", False),
    "stages": ("utilization", False),
}
"""The report's field that is compared, and whether the report has an interval of it."""


def _rows(data: dict[str, Any], part: str) -> list[dict[str, Any]]:
    report = data.get("report") or {}
    rows = report.get({"observations": "observes"}.get(part, part), ())
    return list(rows.values()) if isinstance(rows, dict) else list(rows)


def _difference(after: Any, before: Any) -> float | None:
    one, other = known(after), known(before)
    return None if one is None or other is None else one - other


def _independent(one: Any, other: Any) -> float | None:
    first, second = known(one), known(other)
    return None if first is None or second is None else hypot(first, second)


def _paired(view: RunView, past: Past, part: str, index: int, before: int) -> tuple[float, float] | None:
    """The mean of the paired differences and its half-width, where the runs can be paired."""
    if view.data["settings"]["seed"] != past.data["settings"]["seed"]:
        return None
    if part == "observations":
        return _by_sessions(view.detail(part, index).get("blocks"), _detail(past.data, before).get("blocks"))
    return _by_windows(view.data["windows"], past.data["windows"], part, index, before)


def _detail(data: dict[str, Any], index: int) -> dict[str, Any]:
    found: dict[str, Any] = data["observations"][index] or {}
    return found


# --------------------------------------------------------------------------- sessions


def _by_sessions(after: Any, before: Any) -> tuple[float, float] | None:
    if not after or not before:
        return None
    size = max(after["size"], before["size"])
    sums_a, counts_a = _coarser(after, size)
    sums_b, counts_b = _coarser(before, size)
    # The last block of the shorter run is not complete.
    n = min(len(sums_a), len(sums_b)) - 1
    blocks = [i for i in range(n) if counts_a[i] and counts_b[i]]
    if len(blocks) < 2 * BATCHES:
        return None
    differences = []
    for k in range(BATCHES):
        part = blocks[k * len(blocks) // BATCHES : (k + 1) * len(blocks) // BATCHES]
        a = sum(sums_a[i] for i in part) / sum(counts_a[i] for i in part)
        b = sum(sums_b[i] for i in part) / sum(counts_b[i] for i in part)
        differences.append(a - b)
    return _interval(differences)


def _coarser(table: dict[str, Any], size: int) -> tuple[list[float], list[int]]:
    """Sums and counts in blocks of `size` sessions, a multiple of the table's own."""
    step = size // table["size"]
    sums, counts = table["sums"], table["counts"]
    starts = range(0, len(sums), step)
    return [sum(sums[i : i + step]) for i in starts], [sum(counts[i : i + step]) for i in starts]


# --------------------------------------------------------------------------- windows of time


def _by_windows(
    after: dict[str, Any], before: dict[str, Any], part: str, index: int, index_before: int
) -> tuple[float, float] | None:
    if after["start"] != before["start"]:
        return None
    width = max(after["width"], before["width"])
    one = _wider(_level(after, part, index), width / after["width"])
    other = _wider(_level(before, part, index_before), width / before["width"])
    n = min(len(one), len(other))
    if n < BATCHES:
        return None
    differences = [a - b for a, b in zip(one[:n], other[:n], strict=True)]
    batches = [_mean(differences[k * n // BATCHES : (k + 1) * n // BATCHES]) for k in range(BATCHES)]
    return _interval(batches)


def _level(windows: dict[str, Any], part: str, index: int) -> list[float]:
    rows = windows[part]
    if index >= len(rows):
        return []
    if part == "gauges":
        found: list[float] = rows[index]
    else:
        found = rows[index][0 if part == "pools" else 1]
    return found


def _wider(means: list[float], ratio: float) -> list[float]:
    """Means of windows that are `ratio` times as wide; none where that is no whole number."""
    step = round(ratio)
    if step < 1 or abs(step - ratio) > 1e-6:
        return []
    return [_mean(means[i : i + step]) for i in range(0, len(means) - step + 1, step)]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _interval(batches: Sequence[float]) -> tuple[float, float]:
    mean = _mean(batches)
    variance = sum((value - mean) ** 2 for value in batches) / (len(batches) - 1)
    return mean, STUDENT_T * (variance / len(batches)) ** 0.5
