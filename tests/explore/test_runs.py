"""Whatever a run shows, an exploration finds: where draws have finitely many outcomes it has seen that run."""

from __future__ import annotations

import pytest

from serq_interpreter.explore.search import Limits, explore
from serq_interpreter.frontend.analysis import analyse
from serq_interpreter.ir import program as ir
from serq_interpreter.machine.run import Run
from tests.explore.instances import instance, kinds
from tests.explore.small_programs import small_program


def shown(program: ir.Program, seed: int) -> set[str]:
    """What a run of two sessions shows."""
    run = Run(program, seed=seed)
    result = run.go()
    pools, claims = result.report["pools"], result.report.get("claims", ())
    found = set()
    if result.error is not None:
        found.add("deadlock" if result.error.code == "SQ0914" else "error")
    elif run.machine.live:
        found.add("deadlock")
    found.update(kind for kind in ("stuck", "rejected") if any(pool[kind] for pool in pools))
    if any(claim["result"] == "fails" for claim in claims):
        found.add("claim")
    return found


def compare(numbers: range, seeds: range) -> set[str]:
    """Compare runs of generated programs with their explorations; returns what the runs showed."""
    seen: set[str] = set()
    for number in numbers:
        text = small_program(number, finite=True)
        lowered = analyse(text, "example.sq").lowered
        if lowered is None:
            continue
        exploration = explore(instance(text, 2), Limits(states=4000), every=True)
        if not exploration.complete:
            continue
        # Sessions that preempt each other for ever are live when a run ends, too.
        possible = {{"livelock": "deadlock", "starvation": "deadlock"}.get(kind, kind) for kind in kinds(exploration)}
        for seed in seeds:
            found = shown(lowered.program, seed)
            assert found <= possible, (number, seed, text)
            seen |= found
    return seen


def test_what_a_few_runs_show_is_found() -> None:
    assert compare(range(12), range(3)) >= {"deadlock"}


@pytest.mark.full
def test_what_many_runs_show_is_found() -> None:
    assert compare(range(12, 300), range(12)) >= {"deadlock", "stuck", "claim"}
