"""What some sessions of a run did: a second run with the same seed, watched, gives the same sessions.

A background run keeps no log; a timeline is made when somebody looks, and only of the sessions that are looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from serq_interpreter.ir.json import read_program
from serq_interpreter.machine.errors import RunError
from serq_interpreter.machine.expression_text import member_text
from serq_interpreter.machine.run import Budget, Run
from serq_interpreter.machine.watching import attach

MOST_RECORDS = 200_000

TOLD = frozenset({"arrive", "end", "reject", "queue", "stall", "admit", "grow", "release", "run", "done"})
"""What segments are made of (`services.results.segments`); evictions alone are often most of a log."""


@dataclass(frozen=True, slots=True)
class TraceOrder:
    """Sessions with serials from `first`, `limit` of them, until `until` (s) or `events` events."""

    program: str
    seed: int | None
    horizon: float | None
    directory: str | None
    first: int
    limit: int
    until: float | None
    events: int
    seconds: float


class _Enough(Exception):
    """Everything asked for has been seen."""


class Recorder:
    """Collects the records of the wanted sessions and knows when they have all ended."""

    def __init__(self, run: Run, order: TraceOrder) -> None:
        self.order = order
        self.records: list[list[Any]] = []
        self.open: set[int] = set()
        self.seen = 0
        self.truncated = False
        machine = run.machine
        self.pools = {member_text(pool.declaration): pool.index for pool in machine.pools}
        self.stages = {member_text(stage.declaration): index for index, stage in enumerate(machine.stages)}
        self.machine = machine

    def __call__(self, record: dict[str, Any]) -> None:
        serial = record.get("session")
        if serial is None:
            return
        if record["kind"] == "arrive" and serial >= self.order.first + self.order.limit and not self.open:
            raise _Enough
        if not self.order.first <= serial < self.order.first + self.order.limit:
            return
        kind = record["kind"]
        if kind not in TOLD:
            return
        if kind == "arrive":
            self.open.add(serial)
            self.seen += 1
        elif kind in ("end", "reject"):
            self.open.discard(serial)
        if len(self.records) >= MOST_RECORDS:
            self.truncated = True
            raise _Enough
        where = self.pools.get(record["pool"]) if "pool" in record else self.stages.get(record.get("stage", ""))
        self.records.append(
            [
                record["t"],
                kind,
                serial,
                record.get("leg"),
                "pool" if "pool" in record else "stage" if "stage" in record else None,
                where,
                record.get("units"),
                record.get("state"),
                bool(record.get("cause", {}).get("preempted")),
            ]
        )


def trace(order: TraceOrder, cancelled: Callable[[], bool]) -> dict[str, Any]:
    """The records of the wanted sessions: `[t, kind, serial, leg, what, index, units, state, preempted]`."""
    program = read_program(order.program)
    directory = None if order.directory is None else Path(order.directory)
    try:
        run = Run(program, seed=order.seed, horizon=order.horizon, directory=directory)
    except RunError as error:
        return {"error": error.message, "records": []}
    recorder = Recorder(run, order)
    attach(run.machine, recorder)
    status = "complete"
    try:
        result = run.go(Budget(events=order.events, seconds=order.seconds), cancelled)
        status = result.status
        recorder.truncated = recorder.truncated or (status == "partial" and bool(recorder.open))
    except _Enough:
        status = "enough"
    return {
        "status": status,
        "records": recorder.records,
        "truncated": recorder.truncated,
        "end": run.machine.seconds,
        "arrivals": run.machine.arrivals,
        "open": sorted(recorder.open),
    }
