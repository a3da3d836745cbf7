"""Children that all wait in queues that do not move, counted as stuck when a run ends (edition v4b).

A parent at `join NAME` whose running children nothing can wake waits for ever, like a session that is preempted again and
again.  The children in the queues are counted in the `stuck` of the pool they wait for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from serq_interpreter.machine.actors import JOINING, QUEUED, Actor
from serq_interpreter.machine.kinship import joins_children
from serq_interpreter.machine.wait_cycles import Legs, legs_of, stays

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine


def count_stuck_children(machine: Machine) -> None:
    """Count the children of each waiting parent all of whose children are stuck.  Call it once, when the run has ended."""
    if machine.trees is None:
        return
    still = _still(machine)
    for parent in machine.sessions:
        kin = parent.kin
        if parent.status != JOINING or kin is None or kin.joining is None:
            continue
        running = kin.children[kin.joining].running
        if not all(child in still for child in running):
            continue
        for child in running:
            if child.waiting is not None:
                child.waiting.pools[0].stuck += 1


def _still(machine: Machine) -> set[Actor]:
    """The sessions and legs that nothing will wake: everybody who may go on is taken away until nothing changes."""
    actors = [*machine.sessions, *machine.legs]
    still = {actor for actor in actors if actor.status in (QUEUED, JOINING)}
    legs = legs_of(machine)
    while True:
        leaving = [actor for actor in still if not _stays(machine, actor, still, legs)]
        if not leaving:
            return still
        still.difference_update(leaving)


def _stays(machine: Machine, actor: Actor, still: set[Actor], legs: Legs) -> bool:
    waiting = actor.waiting
    if waiting is None or joins_children(actor):
        return stays(machine, actor, still, legs)
    if not machine.agenda:
        return True  # no event will look at the queue again
    first = waiting.pools[0]
    if any(pool.up(units) > pool.cap for pool, units in zip(waiting.pools, waiting.units_at_join, strict=True)):
        return True
    if first.queue_keys is None and first.queue[0] is not waiting:
        return first.queue[0].actor in still
    return stays(machine, actor, still, legs)
