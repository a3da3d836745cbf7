"""Timelines and explanations: what sessions did, as segments that nest."""

from __future__ import annotations

from typing import Any

import pytest

from serq_interpreter.catalog import entry
from serq_interpreter.ir.json import write_program
from serq_lsp.background.tracing import TraceOrder, trace
from serq_lsp.services.locations import Span
from serq_lsp.services.results.segments import Segment, Session, merged, sessions_of
from serq_lsp.services.results.timeline import explanation_value, timeline_value
from serq_lsp.services.snapshot import Snapshot
from tests.support.simulated import snapshot_of, view_of

HELD = """pool kv { cap 4; }
pool room { cap 9; }
stage svc : fifo;
stage io : delay;
workload { arrive batch(3); }
session {
  set t = now;
  hold room (1) {
    hold kv (3) { run svc (2); release kv; run io (1); }
  }
  observe response = now - t;
  end;
}
run { horizon 50; }
"""
CACHED = """pool kv { cap 8; evict lru; }
stage svc : fifo;
workload { arrive batch(4); }
session { hold kv (5) { run svc (1); } cache (inf) observe t = now; end; }
run { horizon 50; }
"""
FORKED = """stage svc : fifo;
workload { arrive batch(1); }
session { fork { run svc (2); } run svc (1); join; observe t = now; end; }
run { horizon 50; }
"""


def log_of(snapshot: Snapshot, first: int = 0, limit: int = 50) -> dict[str, Any]:
    lowered = snapshot.analysis.lowered
    assert lowered is not None
    order = TraceOrder(write_program(lowered.program), None, None, None, first, limit, None, 100_000, 60.0)
    return trace(order, lambda: False)


def sessions(text: str) -> list[Session]:
    log = log_of(snapshot_of(text))
    return sessions_of(log["records"], log["end"])


def crosses(one: Segment, other: Segment) -> bool:
    return one.start < other.start < one.end < other.end


@pytest.mark.parametrize("text", [HELD, FORKED, *(entry(code).wrong for code in ("SQ1201", "SQ1202", "SQ1204"))])
def test_segments_of_a_lane_nest_and_never_cross(text: str) -> None:
    for session in sessions(text):
        for one in session.segments:
            assert one.start < one.end
            assert not any(one.lane == other.lane and crosses(one, other) for other in session.segments)


def test_what_a_session_did() -> None:
    first, second, _ = sessions(HELD)
    assert [(one.state, one.start, one.end) for one in first.segments] == [
        ("holding", 0.0, 3.0),
        ("holding", 0.0, 2.0),
        ("running", 0.0, 2.0),
        ("running", 2.0, 3.0),
    ]
    assert [(one.state, one.start, one.end) for one in second.segments if one.state == "waiting"] == [
        ("waiting", 0.0, 2.0)
    ]


def test_legs_have_lanes_of_their_own() -> None:
    (session,) = sessions(FORKED)
    assert {segment.lane for segment in session.segments} == {0, 1}


def test_a_preempted_session_says_so() -> None:
    states = {segment.state for segment in sessions(entry("SQ1201").wrong)[0].segments}
    assert {"holding", "running"} <= states


def test_outcomes() -> None:
    for code, outcomes in (("SQ1202", {"stuck"}), ("SQ1203", {"ended", "rejected"}), ("SQ1201", {"live"})):
        snapshot = snapshot_of(entry(code).wrong)
        value = timeline_value(
            view_of(snapshot), log_of(snapshot), lambda span: None, first=0, limit=50, start=None, stop=None
        )
        assert {session["outcome"] for session in value["sessions"]} == outcomes, code


def test_only_the_wanted_sessions_are_recorded() -> None:
    log = log_of(snapshot_of(HELD), first=1, limit=1)
    assert {record[2] for record in log["records"]} == {1}


def test_a_log_that_is_cut_short_says_until_when() -> None:
    snapshot = snapshot_of(HELD)
    lowered = snapshot.analysis.lowered
    assert lowered is not None
    log = trace(TraceOrder(write_program(lowered.program), None, None, None, 0, 50, None, 5, 60.0), lambda: False)
    value = timeline_value(view_of(snapshot), log, lambda span: None, first=0, limit=50, start=None, stop=None)
    assert (value["truncated"], value["until"]) == (True, value["to"])
    assert value["until"] < 9.0, "the whole run takes 9 s"


def test_evictions_take_no_room_in_the_log() -> None:
    snapshot = snapshot_of(CACHED)
    assert view_of(snapshot).pools()[0]["evicted_entries"] > 0
    kinds = {record[1] for record in log_of(snapshot)["records"]}
    assert kinds == {"arrive", "queue", "admit", "run", "done", "release", "end"}


def test_many_segments_are_merged() -> None:
    many = [Segment(i, i + 1, "running" if i % 2 else "waiting", None, None, None, None, 0) for i in range(1000)]
    few = merged(many, 100)
    assert len(few) == 100 and few[0].start == 0 and few[-1].end == 1000


def test_a_timeline_names_and_places_things() -> None:
    snapshot = snapshot_of(HELD)

    def to_text(span: Span | None) -> Any:
        return None if span is None else HELD[span.start : span.end]

    value = timeline_value(view_of(snapshot), log_of(snapshot), to_text, first=0, limit=50, start=0.0, stop=None)
    assert (value["total"], len(value["sessions"]), value["truncated"]) == (3, 3, False)
    found = {(one["on"], one["range"]) for one in value["sessions"][0]["segments"]}
    assert ("kv", "kv (3)") in found and ("svc", "run svc (2);") in found


def test_the_parts_of_an_explanation_add_up() -> None:
    snapshot = snapshot_of(HELD)
    view = view_of(snapshot)
    _, serial, value, at = view.detail("observations", 0)["ranks"][-2]
    found = explanation_value(
        view,
        log_of(snapshot, int(serial), 1),
        lambda span: None,
        observation=0,
        serial=int(serial),
        value=value,
        at=at,
        is_time=True,
    )
    assert found["total"] == pytest.approx(value)
    assert sum(part["seconds"] for part in found["parts"]) == pytest.approx(value)
    assert found["parts"][0]["label"] == "waits for kv"
    assert "session" in found["text"]
