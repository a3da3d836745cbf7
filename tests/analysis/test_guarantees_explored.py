"""The progress theorem against every order: small instances of guaranteed programs, explored."""

from __future__ import annotations

import pytest

from serq_interpreter.analysis.progress import Verdict, guarantees
from serq_interpreter.explore.findings import Kind
from serq_interpreter.explore.instance import small
from serq_interpreter.explore.search import Limits, explore
from serq_interpreter.explore.subject import Instance
from serq_interpreter.frontend.analysis import analyse
from serq_interpreter.ir import program as ir
from tests.analysis.progress_programs import POSITIVE, STILL_OPEN, near_theorem, text
from tests.machine.programs import Generator

AGAINST = frozenset({Kind.ERROR, Kind.DEADLOCK, Kind.LIVELOCK, Kind.STUCK, Kind.REJECTED})


def kernel(source: str) -> ir.Program | None:
    lowered = analyse(source).lowered
    return None if lowered is None else lowered.program


def contradictions(program: ir.Program, states: int) -> list[str]:
    """What a search of an instance with two sessions finds against a guarantee."""
    instance, mode = small(program, 2, "law")
    found = explore(Instance(instance, 2, mode), Limits(states=states), kinds=AGAINST, every=True)
    return [item.kind.value for item in found.findings]


def guaranteed(source: str) -> ir.Program | None:
    """The program if the theorem says that every session of it completes."""
    program = kernel(source)
    answers = () if program is None else guarantees(program)
    return program if answers and all(item.verdict is Verdict.GUARANTEED for item in answers) else None


def explored(seeds: range, states: int) -> int:
    """How many guaranteed programs among the generated ones were explored without a contradiction."""
    count = 0
    for seed in seeds:
        for source in (near_theorem(seed), Generator(seed).text()):
            program = guaranteed(source)
            if program is not None:
                assert contradictions(program, states) == [], source
                count += 1
    return count


def test_the_search_finds_what_a_reserve_that_is_too_small_leads_to() -> None:
    source = text(
        kv="pool kv { cap 12; preempt lifo; }",
        engine="",
        init="set n = 4;",
        session="hold kv (n) { run think (1); grow kv (6); run think (1); } end;",
    )
    program = kernel(source)
    assert program is not None
    assert guarantees(program)[0].verdict is Verdict.NOT_GUARANTEED
    assert contradictions(program, 2000) != []


def test_no_order_contradicts_a_guarantee() -> None:
    assert explored(range(3), 150) >= 1


@pytest.mark.full
def test_no_order_of_many_programs_contradicts_a_guarantee() -> None:
    assert explored(range(3, 160), 1000) >= 70


@pytest.mark.full
@pytest.mark.parametrize("name", sorted(set(POSITIVE) - STILL_OPEN))
def test_no_order_contradicts_what_was_written(name: str) -> None:
    program = kernel(POSITIVE[name])
    assert program is not None
    assert contradictions(program, 1000) == []


def test_no_rule_warns_of_a_wait_in_what_is_guaranteed() -> None:
    sources = [source for source in map(near_theorem, range(60)) if guaranteed(source) is not None]
    sources += [source for name, source in POSITIVE.items() if name not in STILL_OPEN]
    assert len(sources) >= 50
    found = {item.code for source in sources for item in analyse(source).diagnostics if item.code.startswith("SQ11")}
    # A key without age starves who waits outside; the theorem speaks of who was let in.
    assert found <= {"SQ1107"}
