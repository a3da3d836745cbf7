"""What an exploration finds, and that it is found on a shortest way."""

from __future__ import annotations

import pytest

from serq_interpreter.explore.findings import Kind
from serq_interpreter.explore.instance import UnknownPool
from serq_interpreter.explore.replay import key_after
from serq_interpreter.explore.search import Limits, explore
from serq_interpreter.explore.subject import Reduction
from serq_interpreter.explore.trace import trace_of
from tests.explore.instances import CIRCLE, CROSSED, LIVELOCK, SPAWNING, STARVATION, found, instance, kinds


def test_one_session_cannot_wait_for_another() -> None:
    exploration = found(CROSSED, 1)
    assert exploration.complete
    assert exploration.findings == []


@pytest.mark.parametrize("sessions", [2, 3])
def test_two_orders_of_two_pools_deadlock_on_the_shortest_way(sessions: int) -> None:
    """Start, two arrivals, two ends of thinking: nothing shorter can do it."""
    exploration = found(CROSSED, sessions)
    assert exploration.complete
    assert kinds(exploration) == ["deadlock"]
    assert [move.kind for move in exploration.findings[0].path] == ["start", "arrive", "arrive", "event", "event"]


def test_three_sessions_deadlock_in_a_circle_and_two_do_not() -> None:
    assert kinds(found(CIRCLE, 2)) == []
    exploration = found(CIRCLE, 3)
    assert kinds(exploration) == ["deadlock"]
    assert [move.kind for move in exploration.findings[0].path] == ["start", "event", "event", "event"]


def test_without_reductions_the_shortest_way_is_as_long() -> None:
    for text, sessions in ((CROSSED, 3), (CIRCLE, 3)):
        reduced, whole = found(text, sessions), found(text, sessions, reduction=Reduction.none())
        assert [len(item.path) for item in reduced.findings] == [len(item.path) for item in whole.findings]


def test_one_order_of_two_pools_is_clean() -> None:
    exploration = found(
        CROSSED.replace("hold b (1) { run think (1); hold a (1)", "hold a (1) { run think (1); hold b (1)"), 3
    )
    assert exploration.complete
    assert exploration.findings == []


def test_preemption_for_ever_is_a_livelock() -> None:
    exploration = found(LIVELOCK)
    assert exploration.complete
    assert kinds(exploration) == ["livelock", "stuck"]
    livelock = next(item for item in exploration.findings if item.kind is Kind.LIVELOCK)
    assert livelock.again


def test_a_key_without_age_starves_and_one_with_age_does_not() -> None:
    exploration = found(STARVATION, 3)
    assert kinds(exploration) == ["starvation"]
    aged = STARVATION.replace("-urgent", "-urgent - 2 * waited")
    assert kinds(found(aged, 3)) == []


def test_somebody_blocked_while_others_go_on_is_a_deadlock() -> None:
    """Two of a closed population wait crosswise; the third never takes a lock."""
    text = """
    pool a { cap 1; }
    pool b { cap 1; }
    stage think : delay;
    workload { arrive closed(3); }
    session {
      branch (serial == 0) { hold a (1) { run think (1); hold b (1) { run think (1); } } }
      else { branch (serial == 1) { hold b (1) { run think (1); hold a (1) { run think (1); } } } else { } }
      loop { run think (1); }
    }
    run { horizon 100; }
    """
    exploration = found(text, 3)
    assert exploration.complete
    assert kinds(exploration) == ["deadlock", "deadlock"]
    assert {item.subject for item in exploration.findings} == {0, 1}


def test_a_claim_fails_in_one_order_only() -> None:
    text = """
    pool kv { cap 64; admit via engine; }
    stage engine : step { budget 16; cost 1; memory kv; }
    claim alone: every iteration of engine (residents <= 1);
    workload { arrive poisson(0.01); }
    session { hold kv (8) { prefill 8; decode 4; } end; }
    run { horizon 50; }
    """
    assert kinds(found(text, 1)) == []
    assert kinds(found(text, 2)) == ["claim"]


def test_sessions_may_come_together() -> None:
    """An engine that stands still starts with one session at once; with two only if they come at one instant."""
    text = """
    pool kv { cap 64; admit via engine; }
    stage engine : step { budget 16; cost 1; memory kv; }
    claim one_prefill: every iteration of engine (prefilled <= 8);
    workload { arrive poisson(0.01); }
    session { hold kv (8) { prefill 8; } end; }
    run { horizon 50; }
    """
    exploration = found(text, 2)
    assert kinds(exploration) == ["claim"]
    assert [(move.kind, move.index) for move in exploration.findings[0].path] == [("start", 0), ("arrive", 1)]


def test_a_claim_at_the_end_is_read_where_everybody_has_left() -> None:
    text = """
    stage gpu : fifo;
    claim quick: at end (largest(response) < 2.5);
    workload { arrive batch(3); }
    session { set asked = now; run gpu (1); observe response = now - asked; end; }
    run { horizon 50; }
    """
    assert kinds(found(text, 2)) == []
    assert kinds(found(text, 3)) == ["claim"]


def test_a_claim_of_some_iteration_is_witnessed_or_not() -> None:
    text = """
    pool kv { cap 64; admit via engine; }
    stage engine : step { budget 16; cost 1; memory kv; }
    claim two: some iteration of engine (residents >= 2);
    claim three: some iteration of engine (residents >= 3);
    workload { arrive poisson(1); }
    session { hold kv (8) { prefill 8; decode 2; } end; }
    run { horizon 50; }
    """
    exploration = found(text, 2)
    assert exploration.complete
    assert set(exploration.witnesses) == {0}


def test_a_hold_that_some_draw_makes_too_large_is_refused() -> None:
    text = """
    pool kv { cap 10; }
    stage think : delay;
    workload { arrive poisson(1); init { set n = 8 * ceil(~uniform(0, 2)); } }
    session { hold kv (n) { run think (1); } end; }
    run { horizon 20; }
    """
    assert kinds(found(text, 1)) == ["rejected"]
    assert kinds(found(text, 1, caps={"kv": 16})) == []


def test_an_error_of_the_run_is_found_with_its_place() -> None:
    text = """
    stage think : delay;
    workload { arrive poisson(1); init { set n = ~bernoulli(0.5); } }
    session { run think (n - 0.5); end; }
    run { horizon 20; }
    """
    exploration = found(text, 1)
    assert kinds(exploration) == ["error"]
    error = exploration.findings[0].error
    assert error is not None
    assert error.code == "SQ0902"
    assert error.node is not None


def test_whoever_ends_may_be_followed() -> None:
    """Two at a time, without end: the states come back, so there are few."""
    text = """
    pool slot { cap 1; queue by (-urgent); }
    stage work : delay;
    workload { arrive poisson(1); init { set urgent = ~bernoulli(0.5); } }
    session { hold slot (1) { run work (1); } end; }
    run { horizon 100; }
    """
    exploration = found(text, 3, replace=True)
    assert kinds(exploration) == ["starvation"]


def test_the_children_of_one_session_can_wait_for_each_other() -> None:
    exploration = found(SPAWNING, 1)
    assert exploration.complete
    assert kinds(exploration) == ["deadlock"]
    whole = instance(SPAWNING, 1)
    waiters = trace_of(whole, exploration.findings[0]).waiters
    assert [waiter.what for waiter in waiters] == ["join", "queue", "queue"]
    assert isinstance(key_after(whole, exploration.findings[0].path), bytes)


@pytest.mark.parametrize("work", ["inf", "1"])
def test_work_without_end_is_meant(work: str) -> None:
    text = f"""
    stage gpu : delay;
    workload {{ arrive poisson(1); }}
    session {{ fork {{ run gpu ({work}); }} join; end; }}
    run {{ horizon 50; }}
    """
    exploration = found(text, 1)
    assert exploration.complete
    assert exploration.findings == []


def test_limits_stop_a_search_and_say_so() -> None:
    few = explore(instance(CROSSED, 3), Limits(states=10), every=True)
    assert (few.complete, few.stopped) == (False, "10 states")
    shallow = explore(instance(CROSSED, 3), Limits(depth=2), every=True)
    assert (shallow.complete, shallow.stopped, shallow.depth) == (False, "2 moves deep", 2)
    asked: list[int] = []
    cancelled = explore(instance(CROSSED, 3), cancel=lambda: len(asked) > 3 or asked.append(1) is not None)
    assert (cancelled.complete, cancelled.stopped) == (False, "cancelled")


def test_a_search_for_one_kind_leaves_the_others() -> None:
    exploration = explore(instance(LIVELOCK), kinds=frozenset((Kind.LIVELOCK,)))
    assert kinds(exploration) == ["livelock"]


def test_an_unknown_pool_is_named() -> None:
    with pytest.raises(UnknownPool, match=r"no pool `c` .*`a`, `b`"):
        instance(CROSSED, caps={"c": 1})


def test_the_edition_may_need_an_event_from_outside() -> None:
    """In the edition an engine's admission leaves a shared stage unsettled until the next event (05 §13)."""
    text = """
    pool kv { cap 64; admit via engine; }
    stage network : ps(1);
    stage engine : step { budget 16; cost 1; memory kv; }
    workload { arrive poisson(1); }
    session { hold kv (8) { run network (1); decode 2; } end; }
    run { horizon 50; }
    """
    exploration = found(text, 2)
    assert exploration.complete
    assert exploration.findings == []
    assert kinds(found(text, 1, arrivals="law")) == ["deadlock"]
    assert kinds(found(text, 1, arrivals="law", semantics="pure")) == []
