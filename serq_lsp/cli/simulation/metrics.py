"""Names for the numbers of a report: `wait.mean`, `stages.engine.utilization`, `pools.kv[1].mean_used`.

An observation or gauge may be named alone when the name is unambiguous; `wait` is then `wait.mean`.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from math import nan
from typing import Any

_TOP_LEVEL = ("end", "events", "arrivals", "ended", "turns", "mean_live")


class UnknownMetric(ValueError):
    """A name that no number of the report has; the text offers near ones."""


def all_metrics(report: Mapping[str, Any]) -> dict[str, float]:
    """Every number of a report by its full name, in the report's order; `null` is NaN."""
    found = {key: _number(report[key]) for key in _TOP_LEVEL}
    for part in ("observes", "gauges"):
        for name, row in report[part].items():
            found |= {f"{part}.{name}.{key}": _number(value) for key, value in row.items()}
    for part in ("stages", "pools"):
        for row in report[part]:
            name = row["name"] if row["index"] is None else f"{row['name']}[{row['index']}]"
            for key, value in row.items():
                if key not in ("name", "index", "over_cap"):
                    found[f"{part}.{name}.{key}"] = _number(value)
    return found | _of_trees(report.get("trees"))


def _of_trees(trees: Mapping[str, Any] | None) -> dict[str, float]:
    """The numbers of session trees (edition v4b): `trees.span.mean`, `trees.observes.wait.total.p99`."""
    found: dict[str, float] = {}
    pending: list[tuple[str, Any]] = [("trees", trees or {})]
    while pending:
        name, value = pending.pop(0)
        if isinstance(value, Mapping):
            pending = [*((f"{name}.{key}", inner) for key, inner in value.items()), *pending]
        else:
            found[name] = _number(value)
    return found


def headline_metrics(report: Mapping[str, Any]) -> list[str]:
    """What a summary shows unasked: the mean of each observation and gauge, of each stage its utilisation,
    of each pool its mean use."""
    names = [f"observes.{name}.mean" for name, row in report["observes"].items() if row["count"]]
    names += [f"gauges.{name}.mean" for name in report["gauges"]]
    full = all_metrics(report)
    names += [name for name in full if name.startswith("stages.") and name.endswith(".utilization")]
    names += [name for name in full if name.startswith("pools.") and name.endswith(".mean_used")]
    return [*names, "mean_live"]


def resolve_metric(name: str, report: Mapping[str, Any]) -> str:
    """The full name of a metric given in full or without its part.  Raises `UnknownMetric`."""
    full = all_metrics(report)
    candidates = [name, *(f"{part}.{name}{tail}" for part in _PARTS for tail in ("", ".mean"))]
    matches = [candidate for candidate in candidates if candidate in full]
    if len(matches) == 1 or name in full:
        return matches[0]
    if matches:
        raise UnknownMetric(f"metric `{name}` is ambiguous: {', '.join(matches)}")
    short = [known.removeprefix(f"{part}.") for known in full for part in _PARTS if known.startswith(f"{part}.")]
    near = get_close_matches(name, [*full, *short], n=4)
    hint = f"; did you mean {', '.join(near)}?" if near else f"; for example {', '.join(headline_metrics(report)[:4])}"
    raise UnknownMetric(f"no number of the report is called `{name}`{hint}")


_PARTS = ("observes", "gauges", "stages", "pools", "trees")


def _number(value: Any) -> float:
    return nan if value is None else float(value)
