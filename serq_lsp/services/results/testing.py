"""What of a program can be tested, and what its last run says about it: claims, no session stuck, none refused."""

from __future__ import annotations

from typing import Any

from serq_lsp.services.locations import Span
from serq_lsp.services.results.numbers import amount
from serq_lsp.services.results.ranges import ToRange
from serq_lsp.services.results.sites import Sites, own_span, sites_of
from serq_lsp.services.results.verdict import n_rejected, n_stuck
from serq_lsp.services.results.view import Row, RunView
from serq_lsp.services.run_diagnostics import shown_and_silenced
from serq_lsp.services.snapshot import Snapshot

Json = dict[str, Any]

_OF_CLAIMS = ("SQ1207", "SQ1208")
_OF_STUCK = ("SQ1201", "SQ1202", "SQ1204", "SQ1205")
_OF_REJECTED = ("SQ1203",)
SILENCED = "silenced by a comment"
"""The finding behind an outcome is one that the program says it accepts (`// serq: allow(…)`)."""


def tests_value(view: RunView | None, snapshot: Snapshot, to_range: ToRange) -> list[Json]:
    """The `Test[]` of a document: outcomes are `unknown` where no current run is there."""
    whole = view is not None and view.final and view.instead_of is None
    current = view if view is not None and whole and not view.stale and view.measured else None
    sites = sites_of(snapshot.analysis) or (None if view is None else view.sites)
    if sites is None:
        return []
    found = [_claim(current, sites, index, snapshot, to_range) for index in range(len(sites.claims))]
    if sites.pools:
        found.append(_count(current, sites, snapshot, to_range, "stuck"))
        found.append(_count(current, sites, snapshot, to_range, "rejected"))
    return found


def _test(id: str, label: str, kind: str, where: Any) -> Json:
    return {
        "id": id,
        "label": label,
        "kind": kind,
        "range": where,
        "outcome": "unknown",
        "message": None,
        "at": None,
        "related": [],
    }


def _claim(view: RunView | None, sites: Sites, index: int, snapshot: Snapshot, to_range: ToRange) -> Json:
    site = sites.claims[index]
    test = _test(f"claim:{site.name}", f"claim {site.name}", "claim", to_range(own_span(snapshot, site.name_at)))
    rows = [] if view is None else view.claims()
    if view is not None and index < len(rows):
        test["outcome"], test["message"] = _of_claim(rows[index])
        if test["outcome"] == "failed" and _is_silenced(view, sites, index):
            test["outcome"], test["message"] = "skipped", f"{SILENCED}: {test['message']}"
    return test


def _is_silenced(view: RunView, sites: Sites, index: int) -> bool:
    span = view.span(sites.claims[index].name_at)
    silenced = [item.location for item in shown_and_silenced(view)[1] if item.code in _OF_CLAIMS]
    return span is not None and any((at.file, at.start_offset) == (span.file, span.start) for at in silenced)


def _of_claim(row: Row) -> tuple[str, str | None]:
    match row["result"]:
        case "holds" | "witnessed":
            return "passed", None
        case "fails":
            return "failed", f"fails {row['failures']} of {row['checked']} times, first at t = {amount(row['first'])}"
        case "not_witnessed":
            return "failed", f"not witnessed in {row['checked']} iterations"
        case _:
            return "skipped", row["note"]


def _count(view: RunView | None, sites: Sites, snapshot: Snapshot, to_range: ToRange, kind: str) -> Json:
    test = _test(kind, f"{kind} == 0", kind, to_range(own_span(snapshot, sites.pools[0].name_at)))
    if view is None:
        return test
    waiting = view.data.get("waiting")
    number = n_rejected(view) if kind == "rejected" else n_stuck(view) + (0 if waiting is None else waiting["total"])
    if not number:
        test["outcome"] = "passed"
        return test
    test["outcome"], test["message"] = "failed", f"{number} {kind}"
    codes = _OF_STUCK if kind == "stuck" else _OF_REJECTED
    shown, silenced = shown_and_silenced(view)
    first = next((item for item in shown if item.code in codes), None)
    if first is None and any(item.code in codes for item in silenced):
        test["outcome"], test["message"] = "skipped", f"{SILENCED}: {test['message']}"
    elif first is not None:
        at = first.location
        test["message"] = first.message
        test["at"] = to_range(Span(at.file, at.start_offset, at.end_offset))
        test["related"] = [
            {
                "message": note.message,
                "range": to_range(Span(note.location.file, note.location.start_offset, note.location.end_offset)),
            }
            for note in first.related
        ]
    return test
