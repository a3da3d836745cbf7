"""Arrival laws and what turns load (06 §2, §9.3; 08 §6)."""

from __future__ import annotations

import pytest

from serq_interpreter.ir.program import (
    SLOT_FORCED,
    SLOT_NEW,
    SLOT_OUT,
    SLOT_THINK,
    Batch,
    Closed,
    NoArrival,
    Num,
    Poisson,
    Renewal,
    ScriptedSession,
    Sessions,
)
from serq_interpreter.machine.arrivals import GapError, OpenArrivals, TurnScripts, is_open, n_initial_sessions
from serq_interpreter.machine.draws import Draws, exponential
from serq_interpreter.machine.trace_file import Trace, read_trace
from tests.support.cases import CASES
from tests.support.expected import expected_samples


def test_poisson_arrivals_of_a_case() -> None:
    expected = expected_samples(CASES / "rng" / "rng_stream_of_arrivals_poisson.expect.json")
    arrivals = OpenArrivals(Poisson(0.7), Draws(expected.seed), None)
    now, times = arrivals.first_gap(), []
    for _ in expected.series["came"].values:
        times.append(now)
        now += arrivals.next_gap()
    assert tuple(times) == expected.series["came"].values


def test_a_renewal_law_waits_one_gap_first() -> None:
    draws = Draws(4)
    arrivals = OpenArrivals(Renewal(Num(1.0)), draws, lambda: exponential(draws.arrival, 2.0))
    again = Draws(4).arrival
    assert [arrivals.first_gap(), arrivals.next_gap()] == [exponential(again, 2.0), exponential(again, 2.0)]


@pytest.mark.parametrize("gap", [0.0, -1.0, float("inf"), float("nan")])
def test_a_drawn_gap_is_positive_and_finite(gap: float) -> None:
    arrivals = OpenArrivals(Renewal(Num(1.0)), Draws(1), lambda: gap)
    with pytest.raises(GapError) as caught:
        arrivals.next_gap()
    assert caught.value.gap is gap


def test_sessions_before_the_first_event() -> None:
    script = ScriptedSession(attrs=())
    laws = [Closed(3), Batch(2), Sessions((script,) * 4), Poisson(1.0), Renewal(Num(1.0)), NoArrival()]
    assert [n_initial_sessions(law) for law in laws] == [3, 2, 4, 0, 0, 0]
    assert [is_open(law) for law in laws] == [False, False, False, True, True, False]


# --------------------------------------------------------------------------- turns


ROW = (1.0, 2.0, 3.0, 0.0)
OTHER = (5.0, 6.0, 7.0, 8.0)
TRACE = Trace(((ROW,), (OTHER, ROW)))


def test_an_ordered_trace_is_repeated() -> None:
    scripts = TurnScripts(Batch(5), TRACE, True, Draws(1))
    lengths = [len(scripts.for_session(serial) or ()) for serial in range(5)]
    assert lengths == [1, 2, 1, 2, 1]
    assert scripts.for_session(1) == (
        ((SLOT_NEW, 5.0), (SLOT_OUT, 6.0), (SLOT_THINK, 7.0), (SLOT_FORCED, 8.0)),
        ((SLOT_NEW, 1.0), (SLOT_OUT, 2.0), (SLOT_THINK, 3.0), (SLOT_FORCED, 0.0)),
    )


def test_a_sampled_trace_takes_the_picks_of_a_case() -> None:
    case = CASES / "trace" / "trace_sampled_other_seed"
    expected = expected_samples(case.with_suffix(".expect.json"))
    trace = read_trace(case.with_suffix(".csv"))
    scripts = TurnScripts(Batch(8), trace, False, Draws(expected.seed))
    loaded = [dict(row)[SLOT_NEW] for serial in range(8) for row in scripts.for_session(serial) or ()]
    got = expected.report["observes"]["got"]
    assert len(loaded) == got["count"]
    assert sum(loaded) / len(loaded) == pytest.approx(got["mean"])


def test_scripted_turns_come_before_the_trace() -> None:
    turns = (((SLOT_NEW, 9.0),),)
    law = Sessions((ScriptedSession(attrs=(), turns=turns), ScriptedSession(attrs=())))
    assert TurnScripts(law, None, True, Draws(1)).for_session(0) == turns
    assert TurnScripts(law, None, True, Draws(1)).for_session(1) is None
    scripts = TurnScripts(law, TRACE, True, Draws(1))
    assert scripts.for_session(0) == turns
    assert len(scripts.for_session(1) or ()) == 2
