"""The verdict on a whole run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from serq_lsp.services.results.numbers import known, shown
from serq_lsp.services.results.view import RunView

State = Literal["steady", "warming", "overloaded", "few-samples", "stuck", "unknown"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """`slope`: sessions per second that the backlog grows by, where overloaded."""

    state: State
    message: str
    slope: float | None = None


def verdict_of(view: RunView) -> Verdict:
    """What a run comes to, the worst first; with the time it stands for, where that is not the whole."""
    verdict = _verdict(view)
    if not view.stands_for or verdict.state == "unknown":
        return verdict
    kind = "first" if view.instead_of is None else "a shorter run,"
    return Verdict(verdict.state, f"{verdict.message} ({kind} {view.stands_for})", verdict.slope)


def _verdict(view: RunView) -> Verdict:
    if view.fault is not None:
        return Verdict("unknown", view.fault)
    error = view.data.get("error")
    if error is not None:
        return Verdict("unknown", f"the run failed: {error['message']}")
    if not view.measured:
        return Verdict("unknown", "nothing was run yet")
    waiting = view.data.get("waiting")
    if waiting is not None:
        return Verdict("stuck", f"{_sessions(waiting['total'])} wait for each other at the end")
    stuck = n_stuck(view)
    if stuck:
        return Verdict("stuck", f"{_sessions(stuck)} lost what they had computed, again and again")
    return _steadiness(view)


def n_stuck(view: RunView) -> int:
    """Sessions that were preempted again without having got any further (spec 04 §8.5)."""
    return sum(row["stuck"] for row in view.pools())


def n_rejected(view: RunView) -> int:
    """Sessions refused because they could never fit."""
    return sum(row["rejected"] for row in view.pools())


def _steadiness(view: RunView) -> Verdict:
    backlog = view.data.get("backlog") or {}
    states = _states(view)
    if backlog.get("grows") or "overloaded" in states:
        slope = known(backlog.get("slope"))
        rate = "" if slope is None else f" by {shown(slope)} sessions a second"
        return Verdict("overloaded", f"overloaded: the number of sessions grows{rate}", slope)
    if view.report["arrivals"] == 0:
        return Verdict("unknown", "no session arrived")
    if "warming" in states:
        return Verdict("warming", "still warming up: means move during the run")
    if "few-samples" in states or not states:
        return Verdict("few-samples", "too few samples for an interval")
    return Verdict("steady", "steady")


def _states(view: RunView) -> set[str]:
    """The verdicts of what was observed at all."""
    found = set()
    for index, row in enumerate(view.observations()):
        state = view.detail("observations", index).get("verdict")
        if row["count"] and state is not None:
            found.add(state["verdict"])
    for index in range(len(view.gauges())):
        state = view.detail("gauges", index)
        if state:
            found.add(state["verdict"])
    return found


def _sessions(count: int) -> str:
    return "1 session" if count == 1 else f"{count} sessions"
