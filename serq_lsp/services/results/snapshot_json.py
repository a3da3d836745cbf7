"""`Results` of editors/PROTOCOL.md: everything about a run that a panel or a test view shows."""

from __future__ import annotations

from typing import Any

from serq_interpreter.ir import program as ir
from serq_interpreter.stamp import program_hash
from serq_interpreter.version import __version__
from serq_lsp.services.locations import Span
from serq_lsp.services.results.comparing import delta_of, estimate
from serq_lsp.services.results.numbers import amount, half_width, known, supported
from serq_lsp.services.results.ranges import ToRange
from serq_lsp.services.results.series import gauge_series, histogram, level_series, sample_series
from serq_lsp.services.results.sites import Site
from serq_lsp.services.results.testing import tests_value
from serq_lsp.services.results.units import time_observations
from serq_lsp.services.results.verdict import verdict_of
from serq_lsp.services.results.view import Past, Row, RunView
from serq_lsp.services.results.wait_for import wait_for_value
from serq_lsp.services.run_diagnostics import run_diagnostics, shown_and_silenced

Json = dict[str, Any]

PROTOCOL = 1

_KINDS = {ir.Fifo: "fifo", ir.Ps: "ps", ir.Delay: "delay", ir.Step: "step"}


def results_value(view: RunView, to_range: ToRange, *, points: int = 400, timeline: Json | None = None) -> Json:
    """The snapshot of a run.  Every number has the digits that its uncertainty supports."""
    verdict = verdict_of(view)
    return {
        "protocol": PROTOCOL,
        "uri": view.snapshot.uri,
        "version": view.snapshot.version,
        "generation": view.generation,
        "state": _state(view),
        "stale": view.stale,
        "insteadOf": view.instead_of,
        "error": _error(view, to_range),
        "stamp": _stamp(view),
        "run": _run(view, to_range),
        "verdict": {"state": verdict.state, "message": verdict.message, "slope": supported(verdict.slope)},
        "observations": [_observation(view, to_range, i, points) for i in _indices(view, "observations")],
        "gauges": [_gauge(view, to_range, i, points) for i in _indices(view, "gauges")],
        "stages": [_stage(view, to_range, i, points) for i in _indices(view, "stages")],
        "pools": [_pool(view, to_range, i, points) for i in _indices(view, "pools")],
        "claims": [_claim(view, to_range, i) for i in _indices(view, "claims")],
        "tests": tests_value(view, view.snapshot, to_range),
        "timeline": timeline,
        "waitFor": wait_for_value(view, to_range),
        "baseline": None if view.baseline is None else baseline_value(view.baseline, view),
        "notes": _notes(view, to_range),
    }


def _rows(view: RunView, part: str) -> list[Row]:
    found: list[Row] = getattr(view, part)()
    return found


def _indices(view: RunView, part: str) -> range:
    sites: tuple[Site, ...] = getattr(view.sites, part)
    return range(min(len(sites), len(_rows(view, part))))


def _state(view: RunView) -> str:
    if view.fault is not None or view.data.get("error") is not None:
        return "failed"
    if not view.final:
        return "running"
    whole = view.data.get("status") == "complete" or view.data.get("reason") == "precise"
    return "final" if whole and not view.stopped else "partial"


def _error(view: RunView, to_range: ToRange) -> Json | None:
    if view.fault is not None:
        return {"message": view.fault, "range": None, "code": None}
    error = view.data.get("error")
    if error is None:
        return None
    found = next((item for item in run_diagnostics(view) if item.code == error["code"]), None)
    if found is None:
        return {"message": error["message"], "range": None, "code": error["code"]}
    at = found.location
    whole = at.start_offset == at.end_offset == 0
    where = None if whole else to_range(Span(at.file, at.start_offset, at.end_offset))
    return {"message": found.message, "range": where, "code": found.code}


def _stamp(view: RunView) -> Json:
    settings = view.data.get("settings") or {}
    program = view.sites.program
    return {
        "version": __version__,
        "instance": view.instance or None,
        "seed": settings.get("seed", program.seed),
        "horizon": settings.get("horizon", program.horizon),
        "warmup": settings.get("warmup", program.warmup),
        "replications": max(len(view.data.get("replicas") or ()), 1),
        "tick": view.data.get("tick"),
        "program": program_hash(view.sites.program),
        "engine": "builtin",
    }


def _run(view: RunView, to_range: ToRange) -> Json:
    report = view.report
    return {
        "end": known(report.get("end")) or 0.0,
        "events": report.get("events", 0),
        "arrivals": report.get("arrivals", 0),
        "ended": report.get("ended", 0),
        "turns": report.get("turns", 0),
        "meanLive": supported(report.get("mean_live")),
        "wallSeconds": supported(view.data.get("wall")) or 0.0,
        "range": to_range(view.span(view.sites.run)),
    }


def _head(view: RunView, to_range: ToRange, kind: str, index: int, site: Site) -> Json:
    return {"id": f"{kind}:{index}", "name": site.label, "range": to_range(view.span(site.name_at))}


def _delta(view: RunView, part: str, index: int, site: Site, row: Row) -> Json | None:
    delta = delta_of(view, part, index, site.label, row)
    return None if delta is None else delta.value()


# --------------------------------------------------------------------------- measurements


def _observation(view: RunView, to_range: ToRange, index: int, points: int) -> Json:
    site, row = view.sites.observations[index], view.observations()[index]
    detail = view.detail("observations", index)
    mean, ci = estimate(view, "observations", index, row["mean"], row["ci"])
    spans = [view.span(place) for place in (site.at, *site.others)]
    state = detail.get("verdict")
    value = _head(view, to_range, "observation", index, site)
    value["range"] = to_range(spans[0])
    return value | {
        "ranges": [to_range(span) for span in spans if span is not None],
        "unit": "s" if index in time_observations(view.sites.program) else None,
        "count": row["count"],
        "mean": supported(mean, ci),
        "ci": half_width(ci),
        **{key: supported(detail.get(key)) for key in ("min", "max", "p50", "p90")},
        "p99": supported(row["p99"]),
        "cv2": supported(row["cv2"]),
        "verdict": "unknown" if not row["count"] or state is None else state["verdict"],
        "histogram": histogram(detail),
        "series": sample_series(detail, points),
        "delta": _delta(view, "observations", index, site, row),
    }


def _gauge(view: RunView, to_range: ToRange, index: int, points: int) -> Json:
    site, row = view.sites.gauges[index], view.gauges()[index]
    mean, ci = estimate(view, "gauges", index, row["mean"], row["ci"])
    return _head(view, to_range, "gauge", index, site) | {
        "mean": supported(mean, ci),
        "ci": half_width(ci),
        "min": supported(row["min"]),
        "max": supported(row["max"]),
        "series": gauge_series(view, index, points),
        "delta": _delta(view, "gauges", index, site, row),
    }


def _claim(view: RunView, to_range: ToRange, index: int) -> Json:
    row = view.claims()[index]
    keys = ("kind", "result", "checked", "failures", "note")
    site = view.sites.claims[index]
    return (
        _head(view, to_range, "claim", index, site) | {key: row[key] for key in keys} | {"first": known(row["first"])}
    )


# --------------------------------------------------------------------------- pools and stages


def _stage(view: RunView, to_range: ToRange, index: int, points: int) -> Json:
    site, row = view.sites.stages[index], view.stages()[index]
    kind = _KINDS[type(view.sites.program.stages[index].kind)]
    is_step = kind == "step"
    length = (known(view.report["end"]) or 0.0) - (known(view.report["warmup"]) or 0.0)
    return _head(view, to_range, "stage", index, site) | {
        "name": site.name,
        "index": site.index,
        "kind": kind,
        "number": supported(row["mean_number"]),
        "utilization": supported(row["utilization"]),
        "throughput": supported(row["throughput"]),
        "wait": supported(row["mean_wait"]),
        "service": supported(row["mean_service"]),
        "completed": row["completed"],
        "iterations": row["iterations"] if is_step else None,
        "iterationsPerSecond": supported(row["iterations"] / length) if is_step and length > 0.0 else None,
        "batch": supported(row["mean_decode_batch"]) if is_step else None,
        "idleWithWork": row["idle_with_work"],
        "series": level_series(view, "stages", index, ("number", "busy"), points),
        "delta": _delta(view, "stages", index, site, row),
    }


def _pool(view: RunView, to_range: ToRange, index: int, points: int) -> Json:
    site, row = view.sites.pools[index], view.pools()[index]
    over = row["over_cap"]
    return _head(view, to_range, "pool", index, site) | {
        "name": site.name,
        "index": site.index,
        "cap": known(view.sites.program.pools[index].cap),
        "used": supported(row["mean_used"]),
        "cached": supported(row["mean_cached"]),
        "queue": supported(row["mean_queue"]),
        "holders": supported(row["mean_holders"]),
        "wait": supported(row["mean_wait"]),
        "admissions": row["admissions"],
        "evictions": row["evicted_entries"],
        **{key: row[key] for key in ("preemptions", "spills", "rejected", "stuck")},
        "overCap": None if over is None else {"queue": over["queue"], "need": known(over["need"]) or 0.0},
        "series": level_series(view, "pools", index, ("used", "cached", "queue"), points),
        "delta": _delta(view, "pools", index, site, row),
    }


# --------------------------------------------------------------------------- what is compared, what is said


def baseline_value(past: Past, view: RunView) -> Json:
    """The `Baseline`: its numbers under the identifiers of today's text."""
    values: dict[str, Json] = {}
    report = past.data.get("report") or {}
    rows = {
        "observations": ("observation", list(report.get("observes", {}).values()), "mean"),
        "gauges": ("gauge", list(report.get("gauges", {}).values()), "mean"),
        "stages": ("stage", list(report.get("stages", ())), "utilization"),
        "pools": ("pool", list(report.get("pools", ())), "mean_used"),
    }
    for part, (kind, found, key) in rows.items():
        sites: tuple[Site, ...] = getattr(view.sites, part)
        for index, site in enumerate(sites):
            before = past.index(part, site.label, index, len(sites))
            if before is not None and before < len(found):
                row = found[before]
                values[f"{kind}:{index}"] = {
                    "mean": supported(row[key], row.get("ci")),
                    "ci": half_width(row.get("ci")),
                    "p99": supported(row.get("p99")),
                    "series": None,
                }
    seed = (past.data.get("settings") or {}).get("seed", 0)
    label = f"{'pinned' if past.pinned else 'before the edit'} (run {past.generation})"
    return {"generation": past.generation, "pinned": past.pinned, "label": label, "seed": seed, "values": values}


def _notes(view: RunView, to_range: ToRange) -> list[Json]:
    notes: list[Json] = [{"message": text, "severity": "info", "range": None} for text in view.data.get("notes") or ()]
    reason = view.data.get("reason")
    if view.instead_of is not None:
        own = view.data["settings"]
        text = f"a shorter run: {view.stands_for}, with a warm-up of {amount(own['warmup'])} s"
        notes.append({"message": text, "severity": "info", "range": None})
    if reason == "precise":
        notes.append({"message": "ended early: every interval is narrow enough", "severity": "info", "range": None})
    elif view.final and reason:
        notes.append({"message": f"partial: {reason}", "severity": "info", "range": None})
    for item in shown_and_silenced(view)[0]:
        at = item.location
        severity = {"error": "error", "warning": "warning"}.get(str(item.severity), "info")
        where = to_range(Span(at.file, at.start_offset, at.end_offset))
        notes.append({"message": item.message, "severity": severity, "range": where})
    return notes
