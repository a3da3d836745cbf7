"""`Sweep` of editors/PROTOCOL.md: a metric over multiples of a constant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from serq_interpreter.catalog import Severity
from serq_interpreter.frontend.analysis import Analysis, Options, analyse
from serq_interpreter.frontend.diagnostic import Diagnostic
from serq_interpreter.semantics.tree import Symbol
from serq_interpreter.syntax.tokens import Place
from serq_lsp.services.names import names_of, symbol_at
from serq_lsp.services.results.numbers import half_width, known, shown, supported
from serq_lsp.services.results.pictures import sparkline
from serq_lsp.services.results.ranges import ToRange
from serq_lsp.services.results.sites import own_span
from serq_lsp.services.snapshot import Snapshot

FACTORS = (0.5, 0.6, 0.7, 0.85, 1.0, 1.2, 1.4, 1.7, 2.0)
CLIFF = 3.0
"""How many times the metric grows from one point to the next where it breaks away."""


@dataclass(frozen=True, slots=True)
class Point:
    """One point: `mean` and `ci` of the metric, and the run's verdict."""

    factor: float
    value: float
    mean: float | None
    ci: float | None
    verdict: str


@dataclass(frozen=True, slots=True)
class Constant:
    """A constant of the document and its value."""

    name: str
    value: float
    place: Place | None


def constant_at(snapshot: Snapshot, name: str | None, offset: int | None) -> Constant | None:
    """The constant of that name, or the one that stands at `offset`; `None` when there is none."""
    if name is None and offset is not None:
        found = symbol_at(snapshot, offset)
        name = found[1].name if found is not None and found[1].kind == "constant" else None
    if name is None:
        return None
    value = known(snapshot.analysis.elaborated.constants.get(name))
    if value is None:
        return None
    return Constant(name, value, names_of(snapshot.analysis).declaration(Symbol("constant", name, None)))


def with_constant(snapshot: Snapshot, name: str, value: float) -> tuple[Analysis, Diagnostic | None]:
    """The document with a constant replaced, and the first error that this makes."""
    old = snapshot.analysis.options
    sets = {**old.sets, name: f"{value:.17g}"}
    options = Options(sets=sets, editor=old.editor, edition=old.edition, from_text=old.from_text)
    analysis = analyse(snapshot.text, snapshot.file, options=options, previous=snapshot.analysis)
    errors = (item for item in analysis.diagnostics if item.severity is Severity.ERROR)
    return analysis, next(errors, None)


def point_of(factor: float, value: float, data: dict[str, Any], metric: int, verdict: str) -> Point:
    """A point from a worker's data."""
    rows = list((data.get("report") or {}).get("observes", {}).values())
    if metric >= len(rows) or not rows[metric]["count"]:
        return Point(factor, value, None, None, verdict)
    row = rows[metric]
    return Point(factor, value, known(row["mean"]), known(row["ci"]), verdict)


def cliff_of(points: Sequence[Point]) -> float | None:
    """The constant's value where the metric breaks away, looking from the least value of the metric outwards."""
    ordered = sorted(points, key=lambda point: point.value)
    calm = [index for index, point in enumerate(ordered) if point.mean is not None and point.verdict not in _BAD]
    if not calm:
        return None
    start = min(calm, key=lambda index: abs(ordered[index].mean or 0.0))
    for indices in (range(start, len(ordered)), range(start, -1, -1)):
        before: Point | None = None
        for index in indices:
            point = ordered[index]
            if before is not None and _breaks(before, point):
                return point.value
            before = point
    return None


_BAD = ("overloaded", "stuck")


def _breaks(before: Point, point: Point) -> bool:
    if point.verdict in _BAD and before.verdict not in _BAD:
        return True
    if before.mean is None or point.mean is None or before.mean == 0.0:
        return False
    return abs(point.mean) >= CLIFF * abs(before.mean)


def sweep_value(
    snapshot: Snapshot, constant: Constant, metric: str, unit: str | None, points: Sequence[Point], to_range: ToRange
) -> dict[str, Any]:
    """The answer, with the same as one line of text."""
    cliff = cliff_of(points)
    return {
        "constant": constant.name,
        "range": to_range(own_span(snapshot, constant.place)),
        "metric": metric,
        "unit": unit,
        "value": constant.value,
        "points": [
            {
                "factor": point.factor,
                "value": point.value,
                "mean": supported(point.mean, point.ci),
                "ci": half_width(point.ci),
                "verdict": point.verdict,
            }
            for point in points
        ],
        "cliff": cliff,
        "text": _text(constant, metric, points, cliff),
    }


def _text(constant: Constant, metric: str, points: Sequence[Point], cliff: float | None) -> str:
    if not points:
        return f"{metric} over {constant.name}: nothing was run"
    line = sparkline([point.mean for point in points])
    if cliff is not None:
        at = next(index for index, point in enumerate(points) if point.value == cliff)
        line = f"{line[:at]}|{line[at:]}"
    tail = "" if cliff is None else f", breaks away at {shown(cliff)}"
    span = f"{shown(points[0].value)} … {shown(points[-1].value)}"
    return f"{metric} over {constant.name} = {span}: {line}{tail}"
