"""Timelines, explanations and sweeps: what a process works out when somebody looks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from serq_lsp.background.process import WorkerGone
from serq_lsp.background.request import Wanted, wanted_of
from serq_lsp.background.simulation import Outcome
from serq_lsp.protocol.errors import RequestFailed
from serq_lsp.services.results.sites import sites_of
from serq_lsp.services.results.sweeping import Constant, Point, point_of, with_constant
from serq_lsp.services.results.verdict import verdict_of
from serq_lsp.services.results.view import RunView

if TYPE_CHECKING:
    from serq_lsp.protocol.server import SerqServer
    from serq_lsp.services.snapshot import Snapshot

TRACE_SECONDS = 12.0
"""Real seconds that a timeline may take: a watched run takes no short cuts, and nothing else waits for it."""
LEAST_SECONDS = 0.2
"""Real seconds that each point of a sweep gets at least."""


async def session_log(ls: SerqServer, uri: str, first: int, limit: int) -> dict[str, Any] | None:
    """The records of some sessions of the run shown, from a second run that is watched.

    `None` when nothing has run.  Raises `RequestFailed`.
    """
    outcome = ls.live.runs(uri).shown
    if outcome is None or not outcome.data.get("report"):
        return None
    seen = ls.live.of(uri)
    key = (outcome.key, outcome.data["report"]["events"], first, limit)
    if seen.log is not None and seen.log[0] == key:
        return seen.log[1]
    order = outcome.wanted.order()
    fields = {name: order[name] for name in ("program", "seed", "horizon", "directory")}
    request = fields | {
        "first": first,
        "limit": limit,
        "until": None,
        "events": outcome.data["report"]["events"],
        "seconds": TRACE_SECONDS,
    }
    log = await _ask(ls, "trace", order=request)
    if "error" in log:
        raise RequestFailed(str(log["error"]))
    seen.log = (key, log)
    return log


async def event_records(
    ls: SerqServer, outcome: Outcome, *, session: int | None, start: float, limit: int
) -> dict[str, Any]:
    """The event log of a run, from a second run that is watched.  Raises `RequestFailed`."""
    order = outcome.wanted.order()
    request = {name: order[name] for name in ("program", "seed", "horizon", "directory")} | {
        "session": session,
        "start": start,
        "limit": limit,
        "events": outcome.data["report"]["events"],
        "seconds": TRACE_SECONDS,
    }
    log = await _ask(ls, "events", order=request)
    if "error" in log:
        raise RequestFailed(str(log["error"]))
    return log


async def exploration(ls: SerqServer, order: dict[str, Any]) -> dict[str, Any]:
    """What a search in a worker found; a cancelled request ends the worker.  Raises `RequestFailed`."""
    found = await _ask(ls, "explore", order=order)
    if "error" in found:
        raise RequestFailed(str(found["error"]))
    return found


async def sweep_points(
    ls: SerqServer,
    snapshot: Snapshot,
    constant: Constant,
    factors: list[float],
    metric: int,
    told: Callable[[int], None],
) -> list[Point]:
    """The metric's value at each multiple of a constant, on common random numbers.  Raises `RequestFailed`."""
    budget = float(snapshot.settings["simulation.budget.seconds"])
    seconds = max(min(budget / max(len(factors), 1), 2.0), LEAST_SECONDS)
    found = []
    for number, factor in enumerate(factors):
        value = float(f"{constant.value * factor:.12g}")
        found.append(await _point(ls, snapshot, constant.name, factor, value, metric, seconds))
        told(number + 1)
        await asyncio.sleep(0)
    return found


async def _point(
    ls: SerqServer, snapshot: Snapshot, name: str, factor: float, value: float, metric: int, seconds: float
) -> Point:
    analysis, error = with_constant(snapshot, name, value)
    sites = sites_of(analysis)
    if error is not None or sites is None:
        return Point(factor, value, None, None, "unknown")
    wanted: Wanted = wanted_of(sites.program, ls.live.directory(snapshot.uri), snapshot.settings.values)
    data = await _ask(ls, "once", order=wanted.order() | {"replications": 1}, seconds=seconds)
    view = RunView(snapshot, sites, 0, data, final=True)
    return point_of(factor, value, data, metric, verdict_of(view).state)


async def _ask(ls: SerqServer, kind: str, **fields: Any) -> dict[str, Any]:
    try:
        answer = await ls.live.pool.call(kind, **fields)
    except WorkerGone as error:
        raise RequestFailed("the process that worked this out has ended") from error
    except OSError as error:
        raise RequestFailed(f"no process can be started: {error.strerror or error}") from error
    if "fault" in answer:
        raise RequestFailed(str(answer["fault"]))
    return answer
