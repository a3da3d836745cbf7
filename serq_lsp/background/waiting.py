"""Who waits for whom at the end of a run: sessions that nothing can wake any more, and what they wait for.

A session waits when it stands in a queue or its growth found no room; it is *stuck* when every unit that it lacks is
held by sessions that are stuck themselves, or exists nowhere.  The set is found by taking away, until nothing changes,
everybody who may still go on (as `machine.wait_cycles` does for joins).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from serq_interpreter.machine.actors import GROWING, JOINING, QUEUED, Actor
from serq_interpreter.machine.kinship import joins_children
from serq_interpreter.machine.numbers import SLACK
from serq_interpreter.machine.stages.step import StepStage

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine
    from serq_interpreter.machine.pools import PoolState

MOST_SESSIONS = 40


def waiting_of(machine: Machine) -> dict[str, Any] | None:
    """The stuck sessions of a run that has ended, with what they hold and lack; `None` when there are none."""
    actors = [*machine.sessions, *machine.legs]
    stuck = {actor for actor in actors if _waits(actor)}
    legs: dict[Actor, list[Actor]] = {}
    for leg in machine.legs:
        legs.setdefault(leg.root, []).append(leg)
    while True:
        leaving = [actor for actor in stuck if not _stays(machine, actor, stuck, legs)]
        if not leaving:
            break
        stuck.difference_update(leaving)
    found = [actor for actor in actors if actor in stuck]
    if not found:
        return None
    return {
        "at": machine.seconds,
        "total": len(found),
        "actors": [_actor(machine, actor) for actor in _first(found)],
        "pools": [
            {"index": pool.index, "cap": pool.cap, "used": pool.used, "queue": len(pool.queue)}
            for pool in machine.pools
        ],
    }


def _first(actors: list[Actor]) -> list[Actor]:
    """The sessions to show: those that hold something come first, they are the reason."""
    holders = [actor for actor in actors if actor.frames or actor.leases]
    others = [actor for actor in actors if not (actor.frames or actor.leases)]
    return [*holders, *others][:MOST_SESSIONS]


def _waits(actor: Actor) -> bool:
    return actor.status in (QUEUED, JOINING, GROWING) or actor.grower is not None


def _stays(machine: Machine, actor: Actor, stuck: set[Actor], legs: dict[Actor, list[Actor]]) -> bool:
    """Whether `actor` waits for nothing but what stuck sessions have, or what does not exist."""
    if joins_children(actor):
        assert actor.kin is not None and actor.kin.joining is not None
        return all(child in stuck for child in actor.kin.children[actor.kin.joining].running)
    if actor.status == JOINING:
        return all(leg in stuck for leg in legs.get(actor, ()))
    if actor.grower is not None:
        pool = actor.grower.allocation.pool
        return _lacks(pool, actor.grower.units) and _kept_by(machine, pool, stuck)
    if actor.waiting is None:
        return False
    first = actor.waiting.pools[0]
    if _served_by_idle_engine(first):
        return True
    if first.queue and first.queue[0] is not actor.waiting and first.queue_keys is None:
        # Behind another in a first-come queue: it goes on when that one does.
        head = first.queue[0].actor
        return head in stuck
    lacking = [pool for pool, units in _wanted(machine, actor) if _lacks(pool, units)]
    return bool(lacking) and all(_kept_by(machine, pool, stuck) for pool in lacking)


def _served_by_idle_engine(pool: PoolState) -> bool:
    """Its engine has nothing to do and does not admit: no event will look at the queue again."""
    engine = pool.admit_via
    return isinstance(engine, StepStage) and engine.is_idle_with_work() and not engine.machine.agenda


def _wanted(machine: Machine, actor: Actor) -> list[tuple[PoolState, float]]:
    waiting = actor.waiting
    assert waiting is not None
    demand = machine.admission._demand(actor, waiting.plan, waiting.pools)
    return [(allocation.pool, allocation.need) for allocation in demand]


def _lacks(pool: PoolState, units: float) -> bool:
    return pool.used + pool.outstanding() + units > pool.cap + SLACK


def _kept_by(machine: Machine, pool: PoolState, stuck: set[Actor]) -> bool:
    """Whether everybody who has units of the pool is stuck, and no lease of it will expire."""
    if any(actor not in stuck for actor in pool.places):
        return False
    holders = [*machine.sessions, *machine.legs]
    return not any(lease.pool is pool and lease.expires for actor in holders for lease in actor.leases)


def _actor(machine: Machine, actor: Actor) -> dict[str, Any]:
    """One stuck session: where it stands, what it asks for, what it holds (pool, units, state of the hold)."""
    holds = [
        [allocation.pool.index, allocation.units, frame.plan.own]
        for frame in actor.frames
        for allocation in frame.allocations
        if allocation.held
    ]
    holds += [[lease.pool.index, lease.units, None] for lease in actor.leases]
    found: dict[str, Any] = {
        "session": actor.serial,
        "leg": actor.leg,
        "holds": holds,
        "asks": [],
        "state": None,
        "run": None,
        "kind": "queue",
        "ahead": 0,
    }
    if actor.grower is not None:
        grower = actor.grower
        found |= {"kind": "grow", "asks": [[grower.allocation.pool.index, grower.units]]}
        found["state"] = grower.allocation.frame.plan.own
        found["run"] = _state_before(machine, actor)
    elif actor.waiting is not None:
        queue = actor.waiting.pools[0].queue
        found |= {
            "state": actor.waiting.plan.own,
            "asks": [[pool.index, units] for pool, units in _wanted(machine, actor)],
            "ahead": queue.index(actor.waiting),
        }
    else:
        found |= {"kind": "join", "state": _state_before(machine, actor)}
    return found


def _state_before(machine: Machine, actor: Actor) -> int:
    """The run, growth or join a session stands in: its counter may already name the state after it."""
    states = machine.automaton.states
    kinds = ("RunState", "GrowState", "JoinState", "JoinGroupState")
    if type(states[actor.pc]).__name__ in kinds:
        return actor.pc
    for number, state in enumerate(states):
        if type(state).__name__ in kinds and getattr(state, "next", None) == actor.pc:
            return number
    return actor.pc
