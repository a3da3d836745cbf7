"""`Comparison` of editors/PROTOCOL.md: a run beside its baseline."""

from __future__ import annotations

from typing import Any

from serq_lsp.services.results.comparing import delta_of
from serq_lsp.services.results.numbers import half_width, shown, shown_half, supported
from serq_lsp.services.results.sites import Site
from serq_lsp.services.results.snapshot_json import baseline_value
from serq_lsp.services.results.view import Row, RunView

_QUANTITIES = (
    ("observations", "observation", "mean", "mean"),
    ("gauges", "gauge", "mean", "mean"),
    ("stages", "stage", "utilization", "utilization"),
    ("pools", "pool", "used", "mean_used"),
)


def comparison_value(view: RunView) -> dict[str, Any] | None:
    """Every mean before and after; `None` without a baseline."""
    past = view.baseline
    if past is None:
        return None
    baseline = baseline_value(past, view)
    rows = []
    for part, kind, quantity, key in _QUANTITIES:
        sites: tuple[Site, ...] = getattr(view.sites, part)
        found: list[Row] = getattr(view, part)()
        for index, (site, row) in enumerate(zip(sites, found, strict=False)):
            delta = delta_of(view, part, index, site.label, row)
            before = baseline["values"].get(f"{kind}:{index}")
            if delta is None or before is None:
                continue
            rows.append(
                {
                    "id": f"{kind}:{index}",
                    "name": site.label,
                    "quantity": quantity,
                    "before": before["mean"],
                    "after": supported(row[key], row.get("ci")),
                    "delta": delta.value(),
                }
            )
    return {"baseline": baseline, "rows": rows, "text": _text(rows)}


def _text(rows: list[dict[str, Any]]) -> str:
    """The same as a table."""
    head = ("", "quantity", "before", "after", "difference", "±", "")
    lines = [head]
    for row in rows:
        delta = row["delta"]
        mark = "significant" if delta["significant"] else ""
        difference = shown(delta["mean"], delta["ci"])
        cells = (row["name"], row["quantity"], shown(row["before"]), shown(row["after"]), difference)
        lines.append((*cells, shown_half(half_width(delta["ci"])), mark))
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column < 2 else cell.rjust(width) for column, (cell, width) in enumerate(pairs)
        ).rstrip()
        for pairs in (list(zip(line, widths, strict=True)) for line in lines)
    )
