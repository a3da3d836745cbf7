"""A restored state goes on as the state did; equal keys mean equal futures; what does not matter is not in a key."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from serq_interpreter.explore.relevance import relevance_of
from serq_interpreter.explore.replay import key_after
from serq_interpreter.explore.subject import START, Instance, Move, Reduction, Subject
from tests.explore.instances import CIRCLE, CROSSED, LIVELOCK, SPAWNING, STARVATION, analysed, instance
from tests.explore.small_programs import small_program

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"


def of_file(name: str, sessions: int) -> Instance:
    """An instance of an example."""
    from serq_interpreter.explore.instance import small
    from serq_interpreter.frontend.analysis import analyse

    path = EXAMPLES / name
    lowered = analyse(path.read_text(encoding="utf-8"), str(path)).lowered
    assert lowered is not None
    program, arrivals = small(lowered.program, sessions)
    return Instance(program, sessions, arrivals, directory=path.parent)


PROGRAMS = {
    "crossed": instance(CROSSED, 3),
    "circle": instance(CIRCLE, 3),
    "livelock": instance(LIVELOCK),
    "starvation": instance(STARVATION, 3),
    "spawning": instance(SPAWNING, 2),
    **{
        name: of_file(name, 2)
        for name in ("subagents.sq", "vllm.sq", "spill.sq", "ps.sq", "disaggregated_pull.sq", "trace_replay.sq")
    },
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_restored_state_goes_on_as_the_state_did(name: str) -> None:
    """Random ways, each state captured and restored, beside the same way without."""
    whole = PROGRAMS[name]
    for seed in range(2):
        random = Random(seed)
        subject = Subject(whole)
        path: list[Move] = []
        snapshot = subject.capture()
        for _ in range(25):
            subject.restore(snapshot)
            moves = [START] if not path else subject.moves(subject.pending())
            if not moves:
                break
            move = random.choice(moves)
            decisions = tuple(random.randrange(2) for _ in range(3))
            subject.perform(Move(move.kind, move.index, decisions))
            path.append(Move(move.kind, move.index, subject.oracle.decisions()))
            key = subject.key()[0]
            snapshot = subject.capture()
            subject.restore(snapshot)
            assert subject.key()[0] == key
            snapshot = subject.capture()
        assert key_after(whole, path) == key


def test_a_captured_state_is_not_changed_by_what_follows() -> None:
    subject = Subject(instance(CROSSED, 2))
    subject.perform(START)
    subject.perform(Move("arrive", 0, (0,)))
    key, snapshot = subject.key()[0], subject.capture()
    for _ in range(2):
        subject.restore(snapshot)
        assert subject.key()[0] == key
        subject.perform(Move("arrive", 0, (1,)))
        subject.perform(Move("event"))
        assert subject.key()[0] != key


def test_sessions_have_no_names_in_a_key() -> None:
    """Who came first is forgotten where nothing remembers it."""
    text = CROSSED.replace("poisson(1)", "batch(2)")
    one, other = [], []
    for found, reduction in ((one, Reduction()), (other, Reduction.none())):
        for decisions in ((0, 1), (1, 0)):
            subject = Subject(instance(text, 2, reduction=reduction))
            subject.perform(Move("start", 0, decisions))
            found.append(subject.key()[0])
    assert one[0] == one[1]
    assert other[0] != other[1]


def test_what_only_an_observation_reads_does_not_matter() -> None:
    lowered = analysed(
        """
        pool kv { cap 4; }
        stage gpu : fifo;
        workload { arrive poisson(1); init { set n = 2; set unused = n + 1; set m = n * 2; } }
        session {
          set asked = now;
          set tried = now;
          hold kv (m) { run gpu (1); }
          branch (now - tried > 3) { end; }
          observe response = now - asked + unused;
          end;
        }
        run { horizon 10; }
        """
    ).lowered
    assert lowered is not None
    program = lowered.program
    relevance = relevance_of(program)
    assert [program.attrs[slot] for slot in relevance.slots] == ["n", "m"]
    assert [program.attrs[slot] for slot in relevance.clocks] == ["tried"]
    assert not relevance.absolute_time


def test_the_time_of_day_matters_where_it_is_asked_for() -> None:
    lowered = analysed(
        """
        stage gpu : fifo;
        workload { arrive poisson(1); }
        session { branch (now > 5) { end; } run gpu (1); end; }
        run { horizon 10; }
        """
    ).lowered
    assert lowered is not None
    assert relevance_of(lowered.program).absolute_time


def test_small_programs_are_the_same_for_the_same_number() -> None:
    assert small_program(7) == small_program(7)
    assert len({small_program(number) for number in range(20)}) == 20
