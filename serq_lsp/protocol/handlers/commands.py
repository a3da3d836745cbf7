"""Commands: runs, results and what is made of them (editors/PROTOCOL.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from serq_lsp.protocol.arguments import Arguments
from serq_lsp.protocol.errors import InvalidParams, RequestFailed
from serq_lsp.protocol.handlers.lenses import client_commands
from serq_lsp.protocol.handlers.simulation import refresh
from serq_lsp.protocol.json_ranges import json_range
from serq_lsp.protocol.progress import progress_of_command
from serq_lsp.protocol.tracing import event_records, session_log, sweep_points
from serq_lsp.services.results.comparison import comparison_value
from serq_lsp.services.results.event_text import event_text
from serq_lsp.services.results.sites import sites_of
from serq_lsp.services.results.snapshot_json import baseline_value, results_value
from serq_lsp.services.results.sweeping import FACTORS, constant_at, sweep_value
from serq_lsp.services.results.testing import tests_value
from serq_lsp.services.results.timeline import explanation_value, timeline_value
from serq_lsp.services.results.units import time_observations
from serq_lsp.services.results.view import RunView

if TYPE_CHECKING:
    from serq_lsp.background.simulation import Outcome
    from serq_lsp.protocol.server import SerqServer

MOST_SESSIONS = 2000
MOST_EVENTS = 50_000


def register(server: SerqServer) -> None:
    """Add the commands about runs."""
    _runs(server)
    _answers(server)
    _explanations(server)
    _logs(server)


def _runs(server: SerqServer) -> None:
    @server.command("serq.run")
    async def run(ls: Any, *arguments: Any) -> Any:
        given = Arguments.read(ls, arguments)
        generation = given.start(fresh=bool(given.options.get("fresh", False)))
        if not given.options.get("wait", False):
            return {"generation": generation}
        with progress_of_command(ls, "Simulating"):
            await ls.live.simulations.finished(given.uri)
        return await _results(ls, given, {"timeline": False})

    @server.command("serq.stop")
    def stop(ls: Any, *arguments: Any) -> Any:
        given = Arguments.read(ls, arguments)
        return {"stopped": ls.live.simulations.stop(given.uri)}

    @server.command("serq.pinBaseline")
    def pin_baseline(ls: Any, *arguments: Any) -> Any:
        given = Arguments.read(ls, arguments)
        unpin = bool(given.options.get("unpin", False))
        pinned = ls.live.simulations.pin(given.uri, unpin)
        if pinned is None and not unpin:
            raise RequestFailed("nothing has run to its end yet: there is nothing to compare with")
        view = ls.live.view(given.snapshot)
        past = ls.live.past(ls.live.runs(given.uri))
        return {"baseline": None if past is None or view is None else baseline_value(past, view)}


def _answers(server: SerqServer) -> None:
    @server.command("serq.results")
    async def results(ls: Any, *arguments: Any) -> Any:
        given = Arguments.read(ls, arguments)
        return await _results(ls, given, given.options)

    @server.command("serq.compare")
    def compare(ls: Any, *arguments: Any) -> Any:
        given = Arguments.read(ls, arguments)
        found = comparison_value(_view(ls, given))
        if found is None:
            raise RequestFailed("there is no baseline: edit a program that has run, or pin a run")
        return told(ls, found)

    @server.command("serq.tests")
    def tests(ls: Any, *arguments: Any) -> Any:
        given = Arguments.read(ls, arguments)
        view = ls.live.view(given.snapshot)
        return tests_value(view, given.snapshot, json_range(ls, given.snapshot))

    @server.command("serq.automaton")
    def automaton(ls: Any, *arguments: Any) -> Any:
        given = Arguments.read(ls, arguments)
        sites = sites_of(given.snapshot.analysis)
        if sites is None:
            raise given.unfit()
        from serq_lsp.services.results.automaton_value import automaton_value  # seldom wanted

        return automaton_value(given.snapshot, sites, json_range(ls, given.snapshot))


def _explanations(server: SerqServer) -> None:
    @server.command("serq.explainSlowest")
    async def explain_slowest(ls: Any, *arguments: Any) -> Any:
        given = Arguments.read(ls, arguments)
        view = _view(ls, given)
        index = _observation(view, given.text("observation"))
        ranks = view.detail("observations", index).get("ranks")
        if not ranks:
            raise RequestFailed(f"`{view.sites.observations[index].label}` has no samples that could be explained")
        wanted = given.number("quantile", 0.99, 0.0, 1.0)
        _, serial, value, at = min(ranks, key=lambda row: abs(row[0] - wanted))
        with progress_of_command(ls, "Looking at the slowest request"):
            log = await session_log(ls, given.uri, int(serial), 1)
        found = explanation_value(
            view,
            log or {"records": [], "end": 0.0},
            json_range(ls, view.snapshot),
            observation=index,
            serial=int(serial),
            value=value,
            at=at,
            is_time=index in time_observations(view.sites.program),
        )
        return told(ls, found)

    @server.command("serq.sweep")
    async def sweep(ls: Any, *arguments: Any) -> Any:
        given = Arguments.read(ls, arguments)
        snapshot = given.snapshot
        sites = sites_of(snapshot.analysis)
        if sites is None:
            raise given.unfit()
        constant = constant_at(snapshot, given.text("constant"), given.offset("position"))
        if constant is None:
            raise InvalidParams("name a constant (`let`), or give the position of one")
        names = [site.label for site in sites.observations]
        metric = given.text("metric") or (names[0] if names else "")
        if metric not in names:
            raise InvalidParams(f"no observation is called `{metric}`" if metric else "the program observes nothing")
        factors = given.numbers("factors", FACTORS)
        index = names.index(metric)
        with progress_of_command(ls, f"Sweeping {constant.name}") as progress:
            points = await sweep_points(
                ls, snapshot, constant, factors, index, lambda done: progress.report(done / len(factors))
            )
        unit = "s" if index in time_observations(sites.program) else None
        found = sweep_value(snapshot, constant, metric, unit, points, json_range(ls, snapshot))
        wanted = ls.live.wanted_of(snapshot)
        ls.live.of(given.uri).sweeps[constant.name] = ("" if wanted is None else wanted.key, found["text"])
        refresh(ls, given.uri)
        return told(ls, found)


def _logs(server: SerqServer) -> None:
    @server.command("serq.events")
    async def events(ls: Any, *arguments: Any) -> Any:
        given = Arguments.read(ls, arguments)
        _view(ls, given)
        outcome = ls.live.runs(given.uri).shown
        session = given.optional("session")
        limit = int(given.number("limit", 5000, 1, MOST_EVENTS))
        with progress_of_command(ls, "Collecting events"):
            log = await event_records(
                ls,
                outcome,
                session=None if session is None else int(session),
                start=given.number("from", 0.0, 0.0, float("inf")),
                limit=limit,
            )
        view = _view(ls, given)
        stem = given.uri.rpartition("/")[2].partition(".")[0] or "program"
        text = event_text(view, log, f"{stem}, run {outcome.generation}", _names_now(outcome, view))
        try:
            uri = ls.showing.show(f"{stem}-run-{outcome.generation}.events.txt", text)
        except OSError as error:
            raise RequestFailed(f"the event log cannot be written: {error.strerror or error}") from error
        return {"uri": uri, "events": len(log["records"]), "truncated": log["truncated"]}


def _names_now(outcome: Outcome, view: RunView) -> dict[str, str]:
    """What the run called pools and stages → what they are called in today's text."""
    found = dict(zip(outcome.names.pools, (site.label for site in view.sites.pools), strict=False))
    return found | dict(zip(outcome.names.stages, (site.label for site in view.sites.stages), strict=False))


def told(ls: SerqServer, found: dict[str, Any]) -> dict[str, Any]:
    """The answer; a client without a panel of its own also gets it as a message."""
    if "serq.openResults" not in client_commands(ls):
        ls.window_show_message(types.ShowMessageParams(types.MessageType.Info, found["text"]))
    return found


def _view(ls: SerqServer, given: Arguments) -> RunView:
    view = ls.live.view(ls.snapshot(given.uri) or given.snapshot)
    if view is None or not view.measured:
        raise RequestFailed("nothing has run yet")
    return view


def _observation(view: RunView, name: str | None) -> int:
    """The index of an observation: the named one, else the first with samples."""
    labels = [site.label for site in view.sites.observations]
    if name is not None:
        if name not in labels:
            raise InvalidParams(f"no observation is called `{name}`")
        return labels.index(name)
    rows = view.observations()
    found = next((index for index, row in enumerate(rows) if row["count"] and index < len(labels)), None)
    if found is None:
        raise RequestFailed("the last run observed nothing")
    return found


async def _results(ls: SerqServer, given: Arguments, options: dict[str, Any]) -> Any:
    """The `Results` of a document, `None` when nothing has run."""
    wanted = options.get("timeline", {})
    view = ls.live.view(ls.snapshot(given.uri) or given.snapshot)
    if view is None:
        return None
    timeline = None
    to_range = json_range(ls, view.snapshot)
    if wanted is not False and view.measured and view.final:
        choice = given.within(wanted)
        first, limit = int(choice.number("first", 0, 0, 2**53)), int(choice.number("limit", 200, 1, MOST_SESSIONS))
        log = await session_log(ls, given.uri, first, limit)
        if log is not None:
            start, stop = choice.optional("from"), choice.optional("to")
            timeline = timeline_value(view, log, to_range, first=first, limit=limit, start=start, stop=stop)
    return results_value(view, to_range, points=given.points(), timeline=timeline)
