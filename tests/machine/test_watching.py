"""What a watched run tells, and that watching changes nothing."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

import serq_interpreter
from serq_interpreter.machine.report import report_json
from serq_interpreter.machine.watching import attach
from tests.support.cases import CASES, all_cases

AREAS = ("preempt", "cache", "queues", "lease", "legs", "spill", "iteration")


def watched(text_or_path: Any) -> tuple[list[dict[str, Any]], str]:
    """The records of a run and its report."""
    run = serq_interpreter.compile(text_or_path).start(record=False)
    records: list[dict[str, Any]] = []
    attach(run.machine, records.append)
    return records, report_json(run.go().report)


def told(records: list[dict[str, Any]], *kinds: str) -> list[dict[str, Any]]:
    return [record for record in records if record["kind"] in kinds]


@pytest.mark.parametrize("area", AREAS)
def test_watching_changes_nothing(area: str) -> None:
    checked = 0
    for case in all_cases():
        if case.area == area and case.expected.code is None and case.expected.run_code is None and checked < 12:
            records, report = watched(case.path)
            again = serq_interpreter.compile(case.path).start(record=False).go().report
            assert report == report_json(again), case.name
            assert [record["n"] for record in records] == list(range(len(records)))
            assert all(a["t"] <= b["t"] for a, b in pairwise(records))
            checked += 1
    assert checked


def test_counts_agree_with_the_report() -> None:
    for case in all_cases():
        if case.area in ("preempt", "cache") and case.expected == type(case.expected)():
            run = serq_interpreter.compile(case.path).start(record=False)
            records: list[dict[str, Any]] = []
            attach(run.machine, records.append)
            result = run.go()
            if result.status == "complete":
                pools = result.report["pools"]
                assert len(told(records, "preempt")) == sum(pool["preemptions"] for pool in pools), case.name
                assert len(told(records, "reject")) == sum(pool["rejected"] for pool in pools), case.name
                assert sum(record["units"] for record in told(records, "evict")) == sum(
                    pool["evicted_units"] for pool in pools
                ), case.name
                assert len(told(records, "arrive")) == result.report["arrivals"], case.name


def test_causes() -> None:
    records, _ = watched(CASES / "preempt" / "preempt_by_admission_index.sq")
    preempted = told(records, "preempt")[0]
    assert (preempted["session"], preempted["pool"], preempted["cause"]) == (2, "kv", {"for": 0, "units": 2.0})
    waits = told(records, "wait")
    assert waits[0]["session"] == 2
    assert waits[0]["cause"] == {"pool": "kv", "used": 11.0, "outstanding": 0.0, "cap": 12.0, "need": 3.0}
    requeued = [record for record in told(records, "queue") if record["cause"].get("preempted")]
    assert [record["session"] for record in requeued] == [2]


def test_an_eviction_names_for_whom_and_whose() -> None:
    records, _ = watched(
        """pool kv { cap 10; evict lru; }
        stage think : delay;
        workload { arrive batch(2); }
        session { run think (1 + serial); hold kv (6) { run think (1); } cache (6); run think (9); }
        run { horizon 50; }"""
    )
    (evicted,) = told(records, "evict")
    assert (evicted["session"], evicted["pool"], evicted["units"]) == (0, "kv", 6.0)
    assert evicted["cause"] == {"session": 1, "by": "admit"}
    (refused, _) = watched(
        "pool kv { cap 3; } stage d : delay; workload { arrive batch(1); } session { hold kv (4 + serial) { run d (1); } } run { horizon 5; }"
    )
    assert [record["cause"] for record in told(refused, "reject")] == [{"pool": "kv", "cap": 3.0}]


def test_states_are_those_of_the_automaton() -> None:
    run = serq_interpreter.compile(CASES / "preempt" / "preempt_by_admission_index.sq").start(record=False)
    records: list[dict[str, Any]] = []
    attach(run.machine, records.append)
    run.go()
    states = run.machine.automaton.states
    kinds = {
        "queue": "AcquireState",
        "admit": "AcquireState",
        "wait": "AcquireState",
        "run": "RunState",
        "done": "RunState",
    }
    for record in records:
        if record["kind"] in kinds:
            assert type(states[record["state"]]).__name__ == kinds[record["kind"]]
