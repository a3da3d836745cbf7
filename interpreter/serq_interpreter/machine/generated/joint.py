"""Windows of several engines at once, on the exact clock (05 §11.1, condition 7, of engines that share no pool).

Sums of whole numbers do not depend on the order of the engines' iterations, so that each engine goes on by itself until
something happens to any of them: an event of another kind, or the end of an iteration after which one has to stop.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from serq_interpreter.machine.generated.ledger import WholeLedger, enter_growth
from serq_interpreter.machine.generated.line_plan import LinePlan

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine
    from serq_interpreter.machine.generated.windows import EngineWindows, Ready
    from serq_interpreter.machine.pools import PoolState

Running = tuple[int, "EngineWindows"]
"""When an engine's iteration ends, and the engine."""


def take_together(machine: Machine, running: list[Running], stop: int, most: int) -> int:
    """Let the engines go on while iterations start before `stop`; how many were started, at most `most` of each.

    0 leaves everything as it is.
    """
    ready: list[tuple[int, EngineWindows, Ready]] = []
    for end, windows in running:
        if end >= stop:
            continue
        found = windows.prepare(most)
        if found is None or found.line is None:
            stop = min(stop, end)
            continue
        ready.append((end, windows, found))
    if not ready or not apart(found.cohort.pool for _, _, found in ready):
        return 0
    plans: list[tuple[EngineWindows, Ready, LinePlan]] = []
    for end, windows, found in ready:
        plan = windows.plan(found, end, stop) if end < stop else None
        stop = min(stop, end if plan is None else plan.at)
        if plan is not None:
            plans.append((windows, found, plan))
    settled = []
    for windows, found, plan in plans:
        fitting: LinePlan | None = plan
        if plan.begin >= stop:
            fitting = windows.plan(found, plan.end, stop) if plan.end < stop else None
        if fitting is not None:
            settled.append((windows, found, fitting))
    if settled:
        _enter(machine, settled)
    return sum(plan.started for _, _, plan in settled)


def apart(pools: Iterable[PoolState | None]) -> bool:
    """No two engines grow one pool."""
    grown = [pool for pool in pools if pool is not None]
    return len(set(grown)) == len(grown)


def _enter(machine: Machine, settled: list[tuple[EngineWindows, Ready, LinePlan]]) -> None:
    """The machine as at the latest of the iterations' beginnings."""
    now = max(plan.begin for _, _, plan in settled)
    if machine.measuring:
        type(machine)._integrate(machine, now - machine.now)
        for windows, found, plan in settled:
            assert isinstance(windows.ledger, WholeLedger)
            windows.ledger.enter_tokens(found.cohort, plan)
            pool = found.cohort.pool
            enter_growth(pool, plan)
            if pool is not None:
                after = now - plan.begin
                pool.area_used += (plan.used - int(pool.used)) * after
                pool.area_cached += (plan.cached - int(pool.cached)) * after
    machine.now = now
    machine.seconds = machine.clock.seconds(now)
    machine.same_instant = 0
    for windows, found, plan in settled:
        machine.events += plan.started
        windows.leave(found.cohort, plan.started, plan.begin, plan.used, plan.cached)
    reschedule(machine, [(windows, plan.begin, plan.at, plan.started) for windows, _, plan in settled])


def reschedule(machine: Machine, settled: list[tuple[EngineWindows, Any, Any, int]]) -> None:
    """New ends of the engines' iterations, given when the last one began, ends, and how many were started.

    Iterations that began at one instant were scheduled in the order in which the engines are declared.
    """
    ends: dict[Any, tuple[Any, int]] = {}
    for windows, _, at, started in sorted(settled, key=lambda item: (item[1], item[0].engine.index)):
        machine.n_scheduled += started
        ends[windows.engine.finish] = (at, machine.n_scheduled)
    agenda = machine.agenda
    for place, (_, _, handler, argument) in enumerate(agenda):
        found = ends.get(handler)
        if found is not None:
            agenda[place] = (*found, handler, argument)
    heapq.heapify(agenda)
