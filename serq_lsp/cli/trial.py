"""`check --run`: run a faultless program within a budget and say what its run shows (codes SQ09xx and SQ12xx).

The findings are those of the editor's background simulation; only their weight differs: on the command line a refused
request fails the check.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from serq_interpreter.catalog import Severity
from serq_interpreter.frontend import suppression
from serq_interpreter.frontend.analysis import Analysis
from serq_interpreter.frontend.diagnostic import Diagnostic
from serq_interpreter.frontend.ir_analysis import IrAnalysis
from serq_interpreter.ir.deep import deep_recursion
from serq_interpreter.ir.json import write_program
from serq_interpreter.ir.numbering import node_at
from serq_interpreter.ir.program import Program
from serq_interpreter.machine.errors import RunError
from serq_interpreter.reading import Reading
from serq_lsp.background.running import Order, Running
from serq_lsp.services.results.sites import sites_of
from serq_lsp.services.results.view import RunView
from serq_lsp.services.run_diagnostics import run_diagnostics
from serq_lsp.services.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Limits:
    """When a trial run stops: after `events` events or `seconds` of real time."""

    events: int
    seconds: float


LIMITS: Mapping[str, Limits] = {
    "quick": Limits(events=100_000, seconds=10.0),
    "full": Limits(events=2_000_000_000, seconds=3600.0),
}
"""`--run` → its budget.  Events bind first on any machine that is not very slow, so that results are the same."""

THRESHOLDS: Mapping[str, str] = {
    "stuck": "SQ1201",
    "wait-cycles": "SQ1202",
    "rejected": "SQ1203",
    "over-cap": "SQ1204",
    "idle-with-work": "SQ1205",
    "failed-claims": "SQ1207",
}
"""Setting `thresholds.NAME` → the code that is reported only when the run's number is above it (default 0)."""


def trial(
    analysis: Analysis | IrAnalysis, directory: Path, mode: str, thresholds: Mapping[str, float]
) -> tuple[list[Diagnostic], int]:
    """What a run of a program without errors shows, and how much of that its comments suppress; nothing for a library.

    `mode` is a key of `LIMITS`; a relative trace is looked up in `directory`.
    """
    lowered = analysis.lowered
    if lowered is None:
        return [], 0
    data = _run(lowered.program, directory, LIMITS[mode])
    if isinstance(analysis, IrAnalysis):
        return _error_of_ir(analysis, data), 0
    found = run_diagnostics(_view(analysis, data))
    weighed = [_weigh(item) for item in found if not _tolerated(item, data, thresholds)]
    return suppression.apply_to_run(weighed, analysis.document)


def _run(program: Program, directory: Path, limits: Limits) -> dict[str, Any]:
    with deep_recursion():
        text = write_program(program)
    order = Order(program=text, directory=str(directory), events=limits.events)
    with deep_recursion():
        running = Running(order)
    return running.advance(limits.seconds, lambda: False)


def _view(analysis: Analysis, data: dict[str, Any]) -> RunView:
    sites = sites_of(analysis)
    assert sites is not None  # only a program without errors is run
    return RunView(Snapshot(analysis.file, 0, analysis), sites, 1, data, final=True)


def _error_of_ir(analysis: IrAnalysis, data: dict[str, Any]) -> list[Diagnostic]:
    """IR has no places: what stops its run is said, not what its report shows."""
    error = data.get("error")
    if error is None or analysis.lowered is None:
        return []
    program = analysis.lowered.program
    node = program if error["node"] is None else node_at(program, error["node"])
    raised = RunError(error["code"], error["message"], node, error["session"])
    raised.time = error["time"]
    return [Reading(analysis, analysis.file, None).explain(raised)]


def _weigh(found: Diagnostic) -> Diagnostic:
    return found.with_severity(Severity.ERROR) if found.code == "SQ1203" else found


def _tolerated(found: Diagnostic, data: dict[str, Any], thresholds: Mapping[str, float]) -> bool:
    for name, code in THRESHOLDS.items():
        if code == found.code:
            return _numbers(data)[name] <= thresholds.get(name, 0.0)
    return False


def _numbers(data: dict[str, Any]) -> dict[str, int]:
    """What the thresholds compare: sums over the pools, stages and claims of the run.

    `wait-cycles` are the sessions and legs that wait for each other at the end, `over-cap` the pools at which the
    head of a queue asks for more than there is.
    """
    report = data["report"]
    waiting = data.get("waiting")
    return {
        "stuck": sum(row["stuck"] for row in report["pools"]),
        "wait-cycles": 0 if waiting is None else waiting["total"],
        "rejected": sum(row["rejected"] for row in report["pools"]),
        "over-cap": sum(1 for row in report["pools"] if row["over_cap"] is not None),
        "idle-with-work": sum(1 for row in report["stages"] if row["idle_with_work"]),
        "failed-claims": sum(row["failures"] for row in report.get("claims", ()) if row["result"] == "fails"),
    }
