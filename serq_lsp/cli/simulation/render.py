"""A run's result as text or JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from serq_interpreter.machine.report import report_json as json_text
from serq_interpreter.machine.report_text import decimals, report_text
from serq_lsp.cli.simulation.confidence import Estimate
from serq_lsp.cli.simulation.result import Result


def result_text(result: Result) -> str:
    """The reference's layout, then verdicts, notes, and what cut the run short."""
    if result.report is None:
        return ""
    verdicts = {
        part: {name: f"{v['verdict']} ({v['decided_by']} {decimals(v['value'], 4)})" for name, v in entries.items()}
        for part, entries in result.steady.items()
    }
    text = report_text(result.report, result.notes, verdicts)
    return text if result.partial is None else f"{text}\npartial: {result.partial}\n"


def result_json(result: Result) -> str:
    """One line: the object of 07 §1, then what this product adds to it."""
    return json_text(result_object(result)) + "\n"


def result_object(result: Result) -> dict[str, Any]:
    """The report with `steady`, `notes`, `stamp`, and `partial` when the run stopped before its end."""
    value: dict[str, Any] = dict(result.report or {})
    if result.steady:
        value["steady"] = result.steady
    value["notes"] = list(result.notes)
    if result.stamp:
        value["stamp"] = result.stamp
    if result.partial is not None:
        value["partial"] = result.partial
    return value


# --------------------------------------------------------------------------- replications


def replications_text(results: Sequence[Result], estimates: Mapping[str, Estimate], closing: str | None) -> str:
    """A table with one row per metric: mean over the replications, interval, extremes."""
    head = ("metric", "mean", "95% CI", "rel", "min", "max")
    rows = [head, *(_estimate_row(name, e) for name, e in estimates.items())]
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    rows.insert(1, tuple("-" * width for width in widths))
    lines = [f"replications: {len(results)} seeds {_seeds_text([result.seed for result in results])}", ""]
    for row in rows:
        first, *others = zip(row, widths, strict=True)
        lines.append("  ".join([first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)]).rstrip())
    unsettled = _unsettled(results)
    if unsettled or closing:
        lines.append("")
    lines += unsettled
    if closing:
        lines.append(closing)
    return "\n".join(lines) + "\n"


def _estimate_row(name: str, e: Estimate) -> tuple[str, ...]:
    ci = "NaN" if e.ci != e.ci or e.ci == float("inf") else f"±{e.ci:.4f}"
    relative = "NaN" if ci == "NaN" or e.relative == float("inf") else f"{100.0 * e.relative:.1f}%"
    return (name, decimals(e.mean, 4), ci, relative, decimals(e.min, 4), decimals(e.max, 4))


def _seeds_text(seeds: Sequence[int]) -> str:
    shown = ", ".join(str(seed) for seed in seeds[:3])
    return shown if len(seeds) <= 3 else f"{shown}, …"


def _unsettled(results: Sequence[Result]) -> list[str]:
    """Verdicts other than `steady`, with the number of replications that had them."""
    counts: dict[tuple[str, str, str], int] = {}
    for result in results:
        for part, entries in result.steady.items():
            for name, verdict in entries.items():
                if verdict["verdict"] != "steady":
                    key = (part.removesuffix("s"), name, verdict["verdict"])
                    counts[key] = counts.get(key, 0) + 1
    return [
        f"state: {part} {name} is {verdict} in {n} of {len(results)} replications"
        for (part, name, verdict), n in counts.items()
    ]


def replications_json(results: Sequence[Result], estimates: Mapping[str, Estimate], partial: str | None) -> str:
    """One line: the estimates, and the object of every replication."""
    value: dict[str, Any] = {
        "replications": len(results),
        "seeds": [result.seed for result in results],
        "metrics": {
            name: {"mean": e.mean, "ci": e.ci, "min": e.min, "max": e.max, "n": e.n} for name, e in estimates.items()
        },
        "reports": [result_object(result) for result in results],
    }
    if partial is not None:
        value["partial"] = partial
    return json_text(value) + "\n"
