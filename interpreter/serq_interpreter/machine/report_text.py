"""The report as text: blocks of tables and single lines (07 §7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isinf, isnan
from typing import Any

from serq_interpreter.machine.numbers import number_text

Report = Mapping[str, Any]
"""The object of 07 §1 with doubles in place of `null`: NaN and infinities as they are."""


def report_text(report: Report, notes: Iterable[str] = (), verdicts: Report | None = None) -> str:
    """The report in the reference's layout.

    `notes` become closing `note:` lines.  `verdicts` maps `observes` and `gauges` to {name: text}; each verdict
    that is not `steady` becomes a line of its own, so that a reader of the tables cannot miss it.
    """
    blocks = [
        [_run_line(report)],
        _table(_OBSERVE_HEAD, [_observe_row(name, o) for name, o in report["observes"].items()]),
        _tree_table(report.get("trees")),
        _table(_STAGE_HEAD, [_stage_row(row) for row in report["stages"]]),
        _table(_POOL_HEAD, [_pool_row(row) for row in report["pools"]]),
        _table(_GAUGE_HEAD, [_gauge_row(name, g) for name, g in report["gauges"].items()]),
        _table(_CLAIM_HEAD, [_claim_row(claim) for claim in report.get("claims", ())]),
        [*_single_lines(report), *_verdict_lines(verdicts or {}), *(f"note: {note}" for note in notes)],
    ]
    return "\n".join("".join(f"{line}\n" for line in block) for block in blocks if block)


def _run_line(report: Report) -> str:
    words = [f"{key} {number_text(report[key])}" for key in ("horizon", "end", "warmup")]
    words += [f"{key} {report[key]}" for key in ("seed", "events", "arrivals", "ended", "turns")]
    return f"run: {' '.join(words)} mean live {decimals(report['mean_live'], 3)}"


# --------------------------------------------------------------------------- rows


_OBSERVE_HEAD = ("observe", "count", "mean", "95% CI", "cv2", "p99")
_TREE_HEAD = ("tree", "count", "mean", "95% CI", "cv2", "p99")
_STAGE_HEAD = ("stage", "number", "util", "done", "thru", "wait", "service", "iters")
_POOL_HEAD = (
    "pool",
    "used",
    "cached",
    "queue",
    "holders",
    "wait",
    "admits",
    "evict(n)",
    "evict(u)",
    "preempt",
    "spill",
    "rej",
    "stuck",
)
_GAUGE_HEAD = ("gauge", "mean", "95% CI", "min", "max")
_CLAIM_HEAD = ("claim", "kind", "result")


def _observe_row(name: str, o: Mapping[str, Any]) -> list[str]:
    mean, ci, p99 = decimals(o["mean"], 4), _interval(o["ci"]), decimals(o["p99"], 4)
    return [name, str(o["count"]), mean, ci, decimals(o["cv2"], 3), p99]


def _stage_row(row: Mapping[str, Any]) -> list[str]:
    return [
        member_name(row),
        decimals(row["mean_number"], 3),
        decimals(row["utilization"], 3),
        str(row["completed"]),
        decimals(row["throughput"], 4),
        decimals(row["mean_wait"], 4),
        decimals(row["mean_service"], 4),
        str(row["iterations"]),
    ]


def _pool_row(row: Mapping[str, Any]) -> list[str]:
    counts = ("admissions", "evicted_entries", "evicted_units", "preemptions", "spills", "rejected", "stuck")
    return [
        member_name(row),
        decimals(row["mean_used"], 1),
        decimals(row["mean_cached"], 1),
        decimals(row["mean_queue"], 3),
        decimals(row["mean_holders"], 3),
        decimals(row["mean_wait"], 4),
        *(number_text(row[key]) if isinstance(row[key], float) else str(row[key]) for key in counts),
    ]


def _gauge_row(name: str, g: Mapping[str, Any]) -> list[str]:
    return [name, decimals(g["mean"], 4), _interval(g["ci"]), decimals(g["min"], 4), decimals(g["max"], 4)]


def _tree_table(trees: Mapping[str, Any] | None) -> list[str]:
    """Per session tree (edition v4b): how many sessions, how deep, how long, and what its samples add up to."""
    if trees is None:
        return []
    rows = [(part, trees[part]) for part in ("sessions", "depth", "span")]
    for name, found in trees["observes"].items():
        rows += [(f"count of {name}", found["count"]), (f"total of {name}", found["total"])]
    n = trees["ended"]
    return _table(_TREE_HEAD, [_observe_row(name, {"count": n, **summary}) for name, summary in rows])


def _claim_row(claim: Mapping[str, Any]) -> list[str]:
    return [claim["name"], claim["kind"], claim_result(claim)]


def claim_result(claim: Mapping[str, Any]) -> str:
    """A claim's result in words, with the counts or the place that prove it."""
    checked, failures, first = claim["checked"], claim["failures"], claim["first"]
    at = "" if first is None else f" at {decimals(first, 4)}"
    at_end = claim["kind"] == "at_end"
    match claim["result"]:
        case "holds":
            return "holds" if at_end else f"holds ({_iterations(checked)})"
        case "fails":
            return f"fails{at}" if at_end else f"fails{at} ({failures} of {_iterations(checked)})"
        case "witnessed":
            return f"witnessed{at} ({_iterations(checked)})"
        case "not_witnessed":
            return f"not witnessed ({_iterations(checked)})"
        case "not_evaluated":
            return f"not evaluated: {claim['note']}"
        case "out_of_scope":
            return f"out of scope: {claim['note']}"
        case other:
            return str(other)


def _iterations(n: int) -> str:
    return f"{n} iteration" if n == 1 else f"{n} iterations"


# --------------------------------------------------------------------------- single lines


def _single_lines(report: Report) -> list[str]:
    lines = [
        f"idle: stage {member_name(row)} was idle at the end with work waiting for it"
        for row in report["stages"]
        if row["idle_with_work"]
    ]
    trees = report.get("trees")
    if trees is not None:
        roots, live = trees["arrivals"], trees["live"]
        lines.append(
            f"trees: {roots} arrived, {live} live at the end, the deepest has depth {int(trees['depth']['max'])}"
        )
    for row in report["pools"]:
        over = row["over_cap"]
        if over is not None:
            need = number_text(over["need"])
            lines.append(
                f"over: the head of {over['queue']}'s queue asks pool {member_name(row)} for {need}, over its cap"
            )
    return lines


def _verdict_lines(verdicts: Report) -> list[str]:
    lines = []
    for part, what in (("observes", "observe"), ("gauges", "gauge")):
        for name, verdict in verdicts.get(part, {}).items():
            if not str(verdict).startswith("steady"):
                lines.append(f"state: {what} {name} is {verdict}")
    return lines


def member_name(row: Mapping[str, Any]) -> str:
    """`NAME`, or `NAME[i]` for a member of a family."""
    return row["name"] if row["index"] is None else f"{row['name']}[{row['index']}]"


# --------------------------------------------------------------------------- numbers and layout


def decimals(x: float | None, places: int) -> str:
    """Fixed decimals; `NaN` for no value."""
    if x is None or isnan(x):
        return "NaN"
    if isinf(x):
        return "inf" if x > 0 else "-inf"
    return f"{x:.{places}f}"


def _interval(half_width: float | None) -> str:
    if half_width is None or isnan(half_width) or isinf(half_width):
        return "NaN"
    return f"±{half_width:.4f}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines of a table whose first column is left-aligned and whose others are right-aligned."""
    if not rows:
        return []
    widths = [max(len(line[i]) for line in (head, *rows)) for i in range(len(head))]
    dashes = ["-" * width for width in widths]
    return [_line(cells, widths) for cells in (head, dashes, *rows)]


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = zip(cells, widths, strict=True)
    return "  ".join([first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)]).rstrip()
