"""The event log of a run as the editor opens it."""

from __future__ import annotations

import pytest

from serq_interpreter.ir.json import write_program
from serq_lsp.background.event_log import LogOrder, event_log
from serq_lsp.services.results.event_text import event_text
from tests.support.simulated import snapshot_of, view_of

TEXT = """pool kv { cap 20; preempt lifo; evict lru; }
pool small { cap 1; }
stage engine : step { budget 8; cost 1; memory kv; }
stage user : delay;
workload { arrive batch(2); }
session {
  hold kv (4) { run engine prefill (4) growing kv; run engine decode (10) growing kv; } cache (6)
  hold kv (14) { run user (1); }
  branch (serial > 0) { hold small (1 + serial) { run user (1); } }
  end;
}
run { horizon 200; }
"""


def log_of(text: str, **choice: object) -> tuple[dict[str, object], str]:
    snapshot = snapshot_of(text)
    lowered = snapshot.analysis.lowered
    assert lowered is not None
    fields = {"session": None, "start": 0.0, "limit": 5000} | choice
    order = {"seed": None, "horizon": None, "directory": None, "events": 10**6, "seconds": 30.0} | fields
    log = event_log(LogOrder(write_program(lowered.program), **order), lambda: False)  # type: ignore[arg-type]
    return log, event_text(view_of(snapshot), log, "program, run 2", {"engine": "gpu"})


def test_each_happening_is_a_line_with_its_cause_and_statement() -> None:
    log, text = log_of(TEXT)
    lines = text.splitlines()
    assert lines[0] == f"# program, run 2: what happened and why, {len(log['records'])} events"  # type: ignore[arg-type]
    assert lines[1] == "# seed 1, horizon 200 s"
    body = [" ".join(line.split()) for line in lines[3:]]
    assert body[0] == "0 0 arrives 7"
    for said in (
        "0 0 asks for 4 units of kv, 0 ahead 7",
        "0 0 gets 4 units of kv at once 7",
        "0 0 joins gpu with work 4 7",
        "1 0 is done at gpu after 1 s 7",
        "1 0 grows by 1 unit of kv 7",
    ):
        assert said in body
    for part in (
        "is preempted in kv for session 0's growth by 1 unit",
        "is preempted in kv for its own growth by 6 units",
        "cached in kv",
        "is rejected: small has 1 unit",
        "ends",
    ):
        assert any(part in line for line in body), part
    assert "{" not in text and "None" not in text


def test_a_wait_says_what_is_missing() -> None:
    text = """pool kv { cap 4; }
stage user : delay;
workload { arrive batch(2); }
session { hold kv (3) { run user (1.5); } observe t = now; end; }
run { horizon 9; }
"""
    said = " ".join(log_of(text)[1].split())
    assert "1 waits for kv: needs 3; 3 of 4 used 4" in said and "1 gets 3 units of kv after 1.5 s 4" in said


@pytest.mark.parametrize("limit", [1, 7])
def test_a_log_that_ends_early_says_so(limit: int) -> None:
    log, text = log_of(TEXT, limit=limit)
    assert log["truncated"] and len(log["records"]) == limit  # type: ignore[arg-type]
    assert text.splitlines()[-1].startswith("# the log ends here, at t = ")


def test_one_session_and_a_later_start() -> None:
    log, text = log_of(TEXT, session=1, start=2.0)
    assert log["records"] and not log["truncated"]
    assert all(record["session"] == 1 and record["t"] >= 2.0 for record in log["records"])  # type: ignore[attr-defined]
    assert "the log ends here" not in text
