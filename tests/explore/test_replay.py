"""The way to a finding can be walked again: with its decisions, and as an ordinary run of a scripted program."""

from __future__ import annotations

from dataclasses import replace

import pytest

from serq_interpreter.explore.findings import Finding, Kind
from serq_interpreter.explore.replay import key_after, moves_of, moves_value, standstill
from serq_interpreter.explore.subject import Instance
from serq_interpreter.explore.trace import Trace, Waiter, happened, trace_of
from serq_interpreter.explore.workload import Unscripted, scripted
from serq_interpreter.ir import program as ir
from serq_interpreter.ir.deep import deep_recursion
from serq_interpreter.ir.json import read_program, write_program
from serq_interpreter.machine.automaton import Automaton
from serq_interpreter.machine.compile_automaton import compile_automaton
from serq_interpreter.machine.run import run_program
from tests.explore.instances import CIRCLE, CROSSED, LIVELOCK, found, instance

DRAWN_IN_THE_SESSION = """
pool kv { cap 8; }
stage think : delay;
workload { arrive poisson(1); init { set n = 2 * ceil(~uniform(0, 2)); } }
session {
  loop {
    turn;
    hold kv (n) { run think (~uniform(1, 2)); hold kv (4) { run think (1); } }
    branch (turn_no == 2) { end; }
  }
}
run { horizon 100; warmup 10; }
"""

GROWING = """
pool kv { cap 8; block 1; admit via engine; }
stage engine : step { budget 8; cost 0.25 + 0.125 * tokens; memory kv; }
workload { arrive poisson(1); turn { set asks = 1 + ~bernoulli(0.5); } }
session { turn; hold kv (asks) { prefill asks growing kv; decode 4 * asks growing kv; } end; }
run { horizon 100; }
"""


def first(text: str, sessions: int) -> tuple[Instance, Finding]:
    """An instance and its first deadlock."""
    whole = instance(text, sessions)
    finding = next(item for item in found(text, sessions).findings if item.kind is Kind.DEADLOCK)
    return whole, finding


WAYS = [(CROSSED, 2), (CROSSED, 3), (CIRCLE, 3), (DRAWN_IN_THE_SESSION, 2), (GROWING, 2), (GROWING, 3)]


@pytest.mark.parametrize(("text", "sessions"), WAYS)
def test_the_trace_ends_in_the_state_that_the_search_found(text: str, sessions: int) -> None:
    whole, finding = first(text, sessions)
    trace = trace_of(whole, finding)
    assert trace.key == key_after(whole, finding.path)
    assert trace.waiters
    assert [step.move for step in trace.steps] == list(finding.path)


@pytest.mark.parametrize(("text", "sessions"), WAYS)
def test_a_run_of_the_script_ends_in_the_same_state(text: str, sessions: int) -> None:
    whole, finding = first(text, sessions)
    trace = trace_of(whole, finding)
    program = read_program(write_program(scripted(whole, finding.path)))
    waiters, rooms = standstill(program, trace.seconds)
    with deep_recursion():
        again = compile_automaton(program)
    assert rooms == trace.rooms
    assert [plain(waiter, again) for waiter in waiters] == [plain(waiter, trace.automaton) for waiter in trace.waiters]


def plain(waiter: Waiter, automaton: Automaton) -> Waiter:
    """A waiter whose states are counted without those of the script."""
    shift = _script_states(automaton)
    state = None if waiter.state is None else waiter.state - shift
    holds = tuple(replace(held, state=held.state - shift) for held in waiter.holds)
    return replace(waiter, state=state, holds=holds)


def _script_states(automaton: Automaton) -> int:
    return 1 if any(stage.name == "script" for stage in automaton.program.stages) else 0


def test_the_script_runs_like_any_program() -> None:
    whole, finding = first(CROSSED, 2)
    result = run_program(scripted(whole, finding.path))
    assert result.status == "complete"
    assert [row["mean_queue"] > 0 for row in result.report["pools"]] == [True, True]
    assert result.report["ended"] == 0


def test_an_order_that_is_not_the_machines_own_cannot_be_scripted() -> None:
    whole, finding = first(CIRCLE, 3)
    other = tuple(replace(move, index=1) if number == 1 else move for number, move in enumerate(finding.path))
    with pytest.raises(Unscripted, match="one instant"):
        scripted(whole, other)


def test_a_closed_population_whose_members_differ_cannot_be_scripted() -> None:
    text = CROSSED.replace("poisson(1)", "closed(2)")
    whole, finding = first(text, 2)
    with pytest.raises(Unscripted, match="closed"):
        scripted(whole, finding.path)


def test_a_livelock_is_walked_round() -> None:
    whole = instance(LIVELOCK)
    finding = next(item for item in found(LIVELOCK).findings if item.kind is Kind.LIVELOCK)
    assert key_after(whole, finding.path) == key_after(whole, (*finding.path, *finding.again))
    trace = trace_of(whole, finding)
    told = [record["kind"] for step in trace.steps if step.again for record in step.happened]
    assert "preempt" in told
    assert "end" not in told


def test_moves_go_through_json() -> None:
    _, finding = first(CROSSED, 2)
    assert moves_of(moves_value(finding.path)) == finding.path
    for wrong in ([{"kind": "jump"}], [{"kind": "event", "index": -1}], [{"kind": "event", "decisions": "0"}]):
        with pytest.raises(ValueError, match="move"):
            moves_of(wrong)


def test_happenings_are_told_in_words() -> None:
    trace: Trace = trace_of(*first(CROSSED, 2))
    told = [happened(record) for step in trace.steps for record in step.happened]
    assert "session 0 takes 1 of `b`" in told
    assert "session 0 waits: `a` has no room for 1 (1 of 1 taken)" in told


def test_the_arrivals_of_a_script_are_those_of_the_way() -> None:
    whole, finding = first(CROSSED, 2)
    program = scripted(whole, finding.path)
    assert isinstance(program.arrival, ir.Sessions)
    slot = program.attrs.index("arrives")
    assert [dict(session.attrs)[slot] for session in program.arrival.sessions] == [0.0, 0.5]
