"""States, scopes and admissions of small programs; the automaton as JSON."""

from __future__ import annotations

import json

from serq_interpreter.machine import automaton as a
from serq_interpreter.machine.automaton_json import automaton_json
from serq_interpreter.machine.compile_automaton import compile_automaton
from tests.support.compiling import program_from

NESTED = """
pool m { cap 9; preempt lifo; }
pool k { cap 9; }
stage d : delay;
workload { arrive batch(1); init { set n = 3; } }
session {
  hold m (n) reserve (n + 1) {
    loop { hold k (1) { run d (1); } cache (n) branch (n == 3) { end; } }
  }
}
run { horizon 9; }
"""


def _automaton() -> a.Automaton:
    return compile_automaton(program_from(NESTED))


def test_open_holds_are_the_scopes_around_the_state() -> None:
    automaton = _automaton()
    run = next(number for number, state in enumerate(automaton.states) if isinstance(state, a.RunState))
    inner, outer = automaton.open_holds(run)
    assert automaton.scopes[inner].parent == outer
    assert automaton.scopes[outer].parent == automaton.states[automaton.entry].scope
    assert automaton.open_holds(automaton.entry) == ()


def test_a_preemption_resumes_at_the_acquire_state_of_its_scope() -> None:
    automaton = _automaton()
    for number, state in enumerate(automaton.states):
        if isinstance(state, a.AcquireState):
            assert automaton.scopes[state.opens].reentry == number
            assert automaton.states[state.next].scope == state.opens


def test_the_admission_is_a_block_of_its_own() -> None:
    automaton = _automaton()
    acquire = next(state for state in automaton.states if isinstance(state, a.AcquireState))
    block = acquire.admission
    n = automaton.program.attrs.index("n")
    assert [let.slot for let in block.lets] == [n]
    assert [take.refused_early for take in block.takes] == [True]
    assert block.needs[0] is not None
    assert not block.caches


def test_keep_and_free_are_moves() -> None:
    automaton = _automaton()
    moves = [type(move) for state in automaton.states if isinstance(state, a.ExitState) for move in state.moves]
    assert sorted(move.__name__ for move in moves) == ["Free", "Keep"]


def test_every_run_has_a_position_in_the_vector() -> None:
    automaton = _automaton()
    positions = [state.position for state in automaton.states if isinstance(state, a.RunState)]
    assert positions == list(range(len(automaton.program.attrs), automaton.n_slots))


def test_json_has_every_state_and_scope() -> None:
    program = program_from(NESTED)
    automaton = compile_automaton(program)
    value = json.loads(automaton_json(program))
    assert [state["id"] for state in value["states"]] == list(range(len(automaton.states)))
    assert [scope["kind"] for scope in value["scopes"]] == ["session", "hold", "hold"]
    assert value["states"][value["entry"]]["kind"] == "acquire"
