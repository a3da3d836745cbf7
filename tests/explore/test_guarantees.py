"""No exploration contradicts the theorem: what it guarantees is neither stuck, refused nor waits for ever in any order."""

from __future__ import annotations

import pytest

from serq_interpreter.analysis.progress import Verdict, guarantees
from serq_interpreter.explore.findings import Kind
from serq_interpreter.explore.instance import small
from serq_interpreter.explore.search import Limits, explore
from serq_interpreter.explore.subject import Instance
from serq_interpreter.frontend.analysis import analyse
from tests.analysis.progress_programs import near_theorem

AGAINST = frozenset((Kind.DEADLOCK, Kind.LIVELOCK, Kind.STUCK, Kind.REJECTED, Kind.ERROR))


def explored(seeds: range, states: int) -> int:
    """Explore the guaranteed programs among the generated ones; how many there were."""
    count = 0
    for seed in seeds:
        source = near_theorem(seed)
        lowered = analyse(source, "example.sq").lowered
        if lowered is None:
            continue
        found = guarantees(lowered.program)
        if not found or any(item.verdict is not Verdict.GUARANTEED for item in found):
            continue
        count += 1
        for sessions in (1, 2, 3):
            program, arrivals = small(lowered.program, sessions, "any")
            whole = Instance(program, sessions, arrivals, semantics="edition")
            exploration = explore(whole, Limits(states=states), kinds=AGAINST)
            assert exploration.findings == [], source
    return count


def test_a_few_guaranteed_programs_hold_in_every_order() -> None:
    assert explored(range(4), states=60) >= 1


@pytest.mark.full
def test_many_guaranteed_programs_hold_in_every_order() -> None:
    assert explored(range(12, 200), states=400) >= 50
