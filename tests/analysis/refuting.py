"""Runs that try to refute a guarantee: stuck, refused or preempted sessions, sessions that do not end, or end too late."""

from __future__ import annotations

from math import isfinite

from serq_interpreter.ir import program as ir
from serq_interpreter.machine.run import Budget, Run
from serq_interpreter.record import changed

EVENTS = 5_000
SEEDS = (None, 11)
"""The program's own draws, and others."""


def refutation(program: ir.Program, events: int = EVENTS) -> list[str]:
    """What runs of a program, of so many events each, show against a guarantee; empty when nothing does."""
    return [wrong for seed in SEEDS for wrong in _of_run(program, seed, events)]


def _of_run(program: ir.Program, seed: int | None, events: int) -> list[str]:
    run = Run(program, seed=seed)
    result = run.go(Budget(events=events))
    wrong = [] if result.error is None else [str(result.error)]
    for pool in result.report["pools"]:
        if pool["stuck"] or pool["rejected"] or pool["preemptions"]:
            wrong.append(f"{pool['name']}: stuck {pool['stuck']}, rejected {pool['rejected']}, {pool['preemptions']}")
    if result.status != "complete" or wrong:
        return wrong
    if isinstance(program.arrival, ir.Batch):
        if run.machine.live:
            return [f"{run.machine.live} sessions do not end"]
        end = float(run.machine.clock.seconds(run.machine.last_end))
        serial = serial_time(program, seed, events)
        if serial is not None and end > 10.0 * serial:
            return [f"the last session ends at {end}, one after the other they take {serial}"]
    return wrong


def serial_time(program: ir.Program, seed: int | None, events: int) -> float | None:
    """How long the sessions of a batch take one after the other; `None` when that is not finished within the budget."""
    assert isinstance(program.arrival, ir.Batch)
    alone = changed(program, arrival=ir.Closed(1), arrivals=None)
    run = Run(alone, seed=seed)
    n_events = 0
    while run.machine.ended < program.arrival.sessions and n_events < events:
        if run.go(Budget(events=100)).status != "partial":
            break
        n_events += 100
    if run.machine.ended < program.arrival.sessions:
        return None
    seconds = float(run.machine.clock.seconds(run.machine.last_end))
    return seconds if isfinite(seconds) else None
