"""Commands: runs, results and what is made of them (editors/PROTOCOL.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from serq_lsp.protocol.arguments import Arguments
from serq_lsp.protocol.errors import RequestFailed
from serq_lsp.protocol.json_ranges import json_range
from serq_lsp.services.results.snapshot_json import baseline_value, results_value
from serq_lsp.services.results.testing import tests_value

if TYPE_CHECKING:
    from serq_lsp.protocol.server import SerqServer


def register(server: SerqServer) -> None:
    """Add the commands about runs."""

    @server.command("serq.run")
    async def run(ls: Any, *arguments: Any) -> Any:
        given = Arguments.read(ls, arguments)
        generation = given.start(fresh=bool(given.options.get("fresh", False)))
        if not given.options.get("wait", False):
            return {"generation": generation}
        await ls.live.simulations.finished(given.uri)
        return results(ls, given, {"timeline": False})

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

    @server.command("serq.results")
    async def results_(ls: Any, *arguments: Any) -> Any:
        given = Arguments.read(ls, arguments)
        return results(ls, given, given.options)

    @server.command("serq.tests")
    def tests(ls: Any, *arguments: Any) -> Any:
        given = Arguments.read(ls, arguments)
        view = ls.live.view(given.snapshot)
        return tests_value(view, given.snapshot, json_range(ls, given.snapshot))


def results(ls: SerqServer, given: Arguments, options: dict[str, Any]) -> Any:
    """The `Results` of a document, `None` when nothing has run."""
    snapshot = ls.snapshot(given.uri) or given.snapshot
    view = ls.live.view(snapshot)
    if view is None:
        return None
    return results_value(view, json_range(ls, snapshot), points=given.points(options))
