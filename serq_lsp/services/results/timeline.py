"""`Timeline` of editors/PROTOCOL.md: what some sessions did, and when."""

from __future__ import annotations

from typing import Any

from serq_lsp.services.results.numbers import amount, significant, supported
from serq_lsp.services.results.ranges import ToRange
from serq_lsp.services.results.segments import Segment, Session, in_order, merged, sessions_of
from serq_lsp.services.results.view import RunView

Json = dict[str, Any]

MOST_SEGMENTS = 100
MOST_IN_ALL = 6000
"""Segments of all sessions together: an answer stays below 2 MiB."""
_DIGITS = 9


def timeline_value(
    view: RunView, log: Json, to_range: ToRange, *, first: int, limit: int, start: float | None, stop: float | None
) -> Json:
    """The sessions of a log (see `serq_lsp.background.tracing`), cut to `start` and `stop` (s) where given."""
    sessions = sessions_of(log["records"], log["end"])[:limit]
    begin = min((session.arrived for session in sessions), default=0.0) if start is None else start
    last = max((session.ended if session.ended is not None else log["end"] for session in sessions), default=0.0)
    end = last if stop is None else stop
    shown = [one for one in sessions if one.arrived <= end and (one.ended is None or one.ended >= begin)]
    most = max(min(MOST_SEGMENTS, MOST_IN_ALL // max(len(shown), 1)), 4)
    stuck = {actor["session"] for actor in (view.data.get("waiting") or {}).get("actors", ())}
    return {
        "from": _time(begin),
        "to": _time(max(end, begin)),
        "total": view.report.get("arrivals", len(sessions)),
        "first": first,
        "truncated": bool(log["truncated"]),
        "until": _time(log["end"]),
        "sessions": [_session(view, one, stuck, to_range, most) for one in shown],
    }


def _time(value: float) -> float:
    return significant(value, _DIGITS)


def _session(view: RunView, session: Session, stuck: set[int], to_range: ToRange, most: int) -> Json:
    outcome = "rejected" if session.rejected else "ended"
    if session.ended is None:
        outcome = "stuck" if session.serial in stuck else "live"
    segments = sorted(merged(session.segments, most), key=in_order)
    return {
        "serial": session.serial,
        "arrived": _time(session.arrived),
        "ended": None if session.ended is None else _time(session.ended),
        "outcome": outcome,
        "segments": [_segment(view, segment, to_range) for segment in segments],
    }


def _segment(view: RunView, segment: Segment, to_range: ToRange) -> Json:
    return {
        "from": _time(segment.start),
        "to": _time(segment.end),
        "state": segment.state,
        "on": name_of(view, segment),
        "amount": None if segment.amount is None else supported(segment.amount),
        "range": to_range(view.span(place_of_segment(view, segment))),
        "lane": segment.lane,
    }


def name_of(view: RunView, segment: Segment) -> str | None:
    """The pool or stage, as written."""
    sites = view.sites.pools if segment.what == "pool" else view.sites.stages if segment.what == "stage" else ()
    if segment.index is None or segment.index >= len(sites):
        return None
    return sites[segment.index].label


def place_of_segment(view: RunView, segment: Segment) -> Any:
    """The statement that a segment belongs to."""
    pool = segment.index if segment.what == "pool" else None
    return view.sites.hold_word(segment.automaton_state, pool)


# --------------------------------------------------------------------------- where one session's time went


def explanation_value(
    view: RunView,
    log: Json,
    to_range: ToRange,
    *,
    observation: int,
    serial: int,
    value: float,
    at: float,
    is_time: bool,
) -> Json:
    """`Explanation`: the time of one session by statement, over the span that its sample measured."""
    found = [one for one in sessions_of(log["records"], log["end"]) if one.serial == serial]
    session = found[0] if found else Session(serial, at, at)
    start = max(at - value, session.arrived) if is_time else session.arrived
    stop = at if is_time or session.ended is None else session.ended
    total = max(stop - start, 0.0)
    parts = _parts(view, session, start, stop, to_range)
    for part in parts:
        part["share"] = significant(part["seconds"] / total, 3) if total else 0.0
        part["seconds"] = significant(part["seconds"], 5)
    name = view.sites.observations[observation].label
    return {
        "observation": name,
        "serial": serial,
        "value": significant(value, 5),
        "total": significant(total, 5),
        "parts": parts,
        "text": _text(name, serial, value, parts),
    }


def _parts(view: RunView, session: Session, start: float, stop: float, to_range: ToRange) -> list[Json]:
    """Seconds by statement and state; what a hold spends in the runs and waits inside it counts for those."""
    sums: dict[tuple[Any, ...], list[float]] = {}
    examples: dict[tuple[Any, ...], Segment] = {}
    own = [one for one in session.segments if one.lane == 0]
    for segment in own:
        begin, end = max(segment.start, start), min(segment.end, stop)
        if end <= begin:
            continue
        inside = [one for one in own if one is not segment and one.start >= segment.start and one.end <= segment.end]
        seconds = end - begin
        if segment.state == "holding":
            seconds -= _covered([(max(one.start, begin), min(one.end, end)) for one in inside])
        if seconds <= 1e-12 * max(end, 1.0):
            continue
        key = (segment.state, segment.what, segment.index, segment.automaton_state)
        examples.setdefault(key, segment)
        sums.setdefault(key, [0.0, 0])[0] += seconds
        sums[key][1] += 1
    rows = [_part(view, examples[key], seconds, int(times), to_range) for key, (seconds, times) in sums.items()]
    return sorted(rows, key=lambda row: -row["seconds"])


def _covered(spans: list[tuple[float, float]]) -> float:
    """The length of the union of spans."""
    total, reached = 0.0, float("-inf")
    for start, end in sorted(spans):
        if end > reached:
            total += end - max(start, reached)
            reached = end
    return total


_VERBS = {"waiting": "waits for", "holding": "holds", "running": "runs at", "preempted": "preempted at"}


def _part(view: RunView, segment: Segment, seconds: float, times: int, to_range: ToRange) -> Json:
    return {
        "label": f"{_VERBS[segment.state]} {name_of(view, segment) or '?'}",
        "state": segment.state,
        "seconds": seconds,
        "share": 0.0,
        "times": times,
        "range": to_range(view.span(place_of_segment(view, segment))),
    }


def _text(name: str, serial: int, value: float, parts: list[Json]) -> str:
    lines = [f"{name} = {amount(value)} of session {serial}"]
    for part in parts:
        times = "once" if part["times"] == 1 else f"{part['times']} times"
        lines.append(f"  {100.0 * part['share']:5.1f} %  {part['seconds']:>10.4g} s  {part['label']} ({times})")
    return "\n".join(lines)
