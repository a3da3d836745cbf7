"""What happened in a run and why, for people who look: a second run with the same seed, watched from its start.

A background run keeps no log.  The records are those of `serq_interpreter.machine.watching`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from serq_interpreter.ir.json import read_program
from serq_interpreter.machine.errors import RunError
from serq_interpreter.machine.run import Budget, Run
from serq_interpreter.machine.watching import attach


@dataclass(frozen=True, slots=True)
class LogOrder:
    """At most `limit` records from `start` (s) on, of one `session` or of all, until `events` events are over."""

    program: str
    seed: int | None
    horizon: float | None
    directory: str | None
    session: int | None
    start: float
    limit: int
    events: int
    seconds: float


class _Enough(Exception):
    """The limit is reached, or the session has left."""


def event_log(order: LogOrder, cancelled: Callable[[], bool]) -> dict[str, Any]:
    """`records`, whether more would follow (`truncated`), and the instant (s) that was reached (`end`)."""
    directory = None if order.directory is None else Path(order.directory)
    try:
        run = Run(read_program(order.program), seed=order.seed, horizon=order.horizon, directory=directory)
    except RunError as error:
        return {"error": error.message, "records": []}
    records: list[dict[str, Any]] = []

    def record(happened: dict[str, Any]) -> None:
        mine = order.session is None or happened.get("session") == order.session
        if not mine or happened["t"] < order.start:
            return
        if len(records) >= order.limit:
            raise _Enough
        records.append(happened)

    attach(run.machine, record)
    try:
        result = run.go(Budget(events=order.events, seconds=order.seconds), cancelled)
        truncated = result.status == "partial" and run.machine.events < order.events
    except _Enough:
        truncated = True
    return {"records": records, "truncated": truncated, "end": run.machine.seconds}
