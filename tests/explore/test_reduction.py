"""The reductions change no verdict: generated instances with them and without."""

from __future__ import annotations

import pytest

from serq_interpreter.explore.search import Exploration, Limits, explore
from serq_interpreter.explore.subject import Reduction
from serq_interpreter.frontend.analysis import analyse
from tests.explore.instances import instance
from tests.explore.small_programs import small_program

MOST_STATES = 600
"""Larger instances are passed over: without reductions some are endless, as times that sessions remember grow."""


def both_ways(number: int, sessions: int, most: int) -> tuple[Exploration, Exploration] | None:
    """The explorations of a generated program with and without reductions; `None` where it is wrong or too large."""
    text = small_program(number)
    if analyse(text, "example.sq").lowered is None:
        return None
    limits = Limits(states=most)
    reduced = explore(instance(text, sessions), limits, every=True)
    if not reduced.complete:
        return None
    whole = explore(instance(text, sessions, reduction=Reduction.none()), limits, every=True)
    return (reduced, whole) if whole.complete else None


def verdicts(exploration: Exploration) -> list[tuple[str, str, int]]:
    """What was found, where, and of what is found on a way how long the shortest is."""
    return sorted(
        (str(item.kind), str(item.subject), 0 if item.again or item.waiters else len(item.path))
        for item in exploration.findings
    )


def compare(first: int, wanted: int, sessions: int, most: int = MOST_STATES) -> tuple[int, int, set[str]]:
    """Compare so many instances; returns the states with and without reductions and the kinds that were found."""
    reduced_states = whole_states = 0
    kinds: set[str] = set()
    number = first
    for _ in range(wanted):
        pair = None
        while pair is None:
            pair = both_ways(number, sessions, most)
            number += 1
        reduced, whole = pair
        assert verdicts(reduced) == verdicts(whole), small_program(number - 1)
        assert set(reduced.witnesses) == set(whole.witnesses)
        assert reduced.states <= whole.states
        reduced_states += reduced.states
        whole_states += whole.states
        kinds.update(str(item.kind) for item in reduced.findings)
    return reduced_states, whole_states, kinds


def test_a_few_instances_have_the_same_verdicts() -> None:
    reduced, whole, kinds = compare(0, 6, sessions=2, most=100)
    assert reduced < whole
    assert "deadlock" in kinds


@pytest.mark.full
@pytest.mark.parametrize("first", range(0, 1000, 250))
def test_two_hundred_instances_have_the_same_verdicts(first: int) -> None:
    """Four times fifty, of two sessions and of three."""
    reduced, whole, _ = compare(first, 35, sessions=2)
    assert reduced < whole
    reduced, whole, _ = compare(first + 100, 15, sessions=3)
    assert reduced < whole


def test_an_event_that_concerns_one_session_alone_is_not_ordered_with_the_others() -> None:
    text = """
    stage client : delay;
    stage other : delay;
    workload { arrive batch(4); }
    session { run client (1 + serial); run other (2); run client (4 - serial); end; }
    run { horizon 20; }
    """
    ordered = explore(instance(text, 4, reduction=Reduction(partial_order=False)), every=True)
    reduced = explore(instance(text, 4), every=True)
    assert ordered.complete
    assert reduced.complete
    assert reduced.states < ordered.states
    assert reduced.findings == ordered.findings == []


@pytest.mark.parametrize(
    "change",
    [
        ("run other (2);", "hold kv (1) { run other (2); }"),
        ("run other (2);", "run client (queue(other));"),
        ("run other (2);", "run gpu (2);"),
    ],
)
def test_an_event_that_concerns_others_is_ordered_with_them(change: tuple[str, str]) -> None:
    text = """
    pool kv { cap 1; }
    stage client : delay;
    stage other : delay;
    stage gpu : fifo;
    workload { arrive batch(2); }
    session { run client (1); run other (2); end; }
    run { horizon 20; }
    """.replace(*change)
    ordered = explore(instance(text, 2, reduction=Reduction(partial_order=False)), every=True)
    reduced = explore(instance(text, 2), every=True)
    assert (reduced.states, reduced.moves) == (ordered.states, ordered.moves)
