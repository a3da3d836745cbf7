"""Sessions and legs that wait only for each other when a run ends (04 §11.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from serq_interpreter.machine.actors import JOINING, QUEUED, Actor
from serq_interpreter.machine.automaton import JoinState
from serq_interpreter.machine.errors import RunError
from serq_interpreter.machine.expression_text import member_text
from serq_interpreter.machine.kinship import joins_children
from serq_interpreter.machine.numbers import SLACK
from serq_interpreter.machine.pools import PoolState

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine

Legs = dict[Actor, list[Actor]]
"""The running legs of each session."""


def check_wait_cycles(machine: Machine) -> None:
    """Raise `RunError` if a joining session and others wait for each other for ever."""
    actors = [*machine.sessions, *machine.legs]
    waiting = {actor for actor in actors if actor.status in (QUEUED, JOINING)}
    if not any(actor.status == JOINING for actor in waiting):
        return
    legs = legs_of(machine)
    while True:
        leaving = [actor for actor in waiting if not stays(machine, actor, waiting, legs)]
        if not leaving:
            break
        waiting.difference_update(leaving)
    stuck = [actor for actor in actors if actor in waiting]
    # A parent that waits for its children is no error: they are counted as stuck (`stuck_children`).
    joining = [actor for actor in stuck if actor.status == JOINING and not joins_children(actor)]
    if joining:
        text = "; ".join(_line(actor) for actor in stuck)
        node = machine.automaton.states[_join_state(machine, joining[0])].node
        message = f"at the end of the run these wait for each other for ever: {text}"
        raise RunError("SQ0914", message, node, joining[0].serial)


def _join_state(machine: Machine, actor: Actor) -> int:
    """The `join` the session stands at: the state whose successor its counter names."""
    for number, state in enumerate(machine.automaton.states):
        if isinstance(state, JoinState) and state.next == actor.pc:
            return number
    return actor.pc


def _line(actor: Actor) -> str:
    who = f"session {actor.serial}" if actor.leg is None else f"a leg of session {actor.serial}"
    if actor.waiting is None:
        return f"{who} waits at a `join`"
    return f"{who} waits at `{member_text(actor.waiting.pools[0].declaration)}`"


def legs_of(machine: Machine) -> Legs:
    """The running legs of each session."""
    legs: Legs = {}
    for leg in machine.legs:
        legs.setdefault(leg.root, []).append(leg)
    return legs


def stays(machine: Machine, actor: Actor, waiting: set[Actor], legs: Legs) -> bool:
    """Whether a session or leg waits for nothing but those in `waiting`."""
    if joins_children(actor):
        assert actor.kin is not None and actor.kin.joining is not None
        return all(child in waiting for child in actor.kin.children[actor.kin.joining].running)
    if actor.status == JOINING:
        return all(leg in waiting for leg in legs.get(actor, ()))
    assert actor.waiting is not None
    lacking = [
        pool
        for pool, units in zip(actor.waiting.pools, actor.waiting.units_at_join, strict=True)
        if pool.used + pool.outstanding() + pool.up(units) > pool.cap + SLACK
    ]
    return bool(lacking) and all(_blocked_by(machine, pool, waiting) for pool in lacking)


def _blocked_by(machine: Machine, pool: PoolState, waiting: set[Actor]) -> bool:
    """Whether everybody with a place on the pool waits, and no lease of it will expire."""
    if not pool.places or any(actor not in waiting for actor in pool.places):
        return False
    holders = [*machine.sessions, *machine.legs]
    return not any(lease.pool is pool and lease.expires for actor in holders for lease in actor.leases)
