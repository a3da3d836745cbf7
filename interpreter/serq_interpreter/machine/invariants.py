"""Laws that hold after every event (seed §2): allocated + cached + free = cap (+ excess)."""

from __future__ import annotations

from collections.abc import Callable
from math import isclose, isfinite
from typing import TYPE_CHECKING

from serq_interpreter.machine.expression_text import member_text
from serq_interpreter.machine.numbers import number_text
from serq_interpreter.machine.pools import PoolState

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine
    from serq_interpreter.machine.trees import Trees


class BrokenInvariant(AssertionError):
    """A law of the machine does not hold: a fault of ours."""


def invariant_checker(machine: Machine) -> Callable[[], None]:
    """A function that checks all laws now; raises `BrokenInvariant`."""

    def check() -> None:
        leased: dict[PoolState, float] = {}
        for actor in (*machine.sessions, *machine.legs):
            scopes = machine.automaton.open_holds(actor.pc)
            open_now = tuple(frame.plan.scope for frame in reversed(actor.frames))
            if actor.waiting is None and scopes != open_now:
                raise BrokenInvariant(f"session {actor.serial} has holds {open_now} open at a state inside {scopes}")
            for lease in actor.leases:
                leased[lease.pool] = leased.get(lease.pool, 0.0) + lease.units
        if machine.trees is not None:
            _check_trees(machine, machine.trees)
        for pool in machine.pools:
            _check_pool(pool, leased.get(pool, 0.0))

    return check


def _check_trees(machine: Machine, trees: Trees) -> None:
    """Every session, end and sample belongs to one tree (edition v4b)."""
    pairs = [
        ("sessions", trees.n_sessions, machine.arrivals),
        ("live sessions", trees.n_live, machine.live),
        ("ended sessions", trees.n_ended, machine.ended),
    ]
    pairs += [
        (f"samples of `{series.name}`", trees.n_samples(number), len(series.values))
        for number, series in enumerate(machine.series)
    ]
    for what, counted, booked in pairs:
        if counted != booked:
            raise BrokenInvariant(f"the session trees have {counted} {what}, the run has {booked}")


def _check_pool(pool: PoolState, leased: float) -> None:
    allocated = leased + sum(allocation.units for allocation in pool.allocations)
    cached = sum(entry.size for entry in pool.entries.values())
    if not isfinite(allocated) or pool.used != pool.used:
        return
    _same(pool, "allocated units", pool.used, allocated)
    _same(pool, "cached units", pool.cached, cached)
    # A cap below 0 is a pool without room: nothing is ever free in it.
    free = max(pool.cap, 0.0) - allocated - cached
    pool.excess = max(0.0, min(pool.excess, -free))
    if isfinite(pool.cap) and free < 0.0 and not isclose(-free, pool.excess, rel_tol=1e-9, abs_tol=1e-6):
        text = f"{number_text(allocated)} allocated and {number_text(cached)} cached of {number_text(pool.cap)}"
        raise BrokenInvariant(f"pool {member_text(pool.declaration)}: {text}, excess {number_text(pool.excess)}")


def _same(pool: PoolState, what: str, booked: float, counted: float) -> None:
    if not isclose(booked, counted, rel_tol=1e-9, abs_tol=1e-6):
        name = member_text(pool.declaration)
        raise BrokenInvariant(f"pool {name}: {what} {number_text(booked)} booked, {number_text(counted)} counted")
