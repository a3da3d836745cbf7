"""The search that `serq.explore` asks for, and its answer; loaded when somebody asks first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from serq_interpreter.explore.instance import UnknownPool
from serq_interpreter.explore.trace import trace_of
from serq_interpreter.frontend.diagnostic import Location
from serq_interpreter.ir.deep import deep_recursion
from serq_interpreter.ir.json import write_program
from serq_interpreter.machine.errors import RunError
from serq_lsp.background.exploring import finding_of, instance_of
from serq_lsp.protocol.arguments import Arguments
from serq_lsp.protocol.errors import RequestFailed
from serq_lsp.protocol.handlers.commands import told
from serq_lsp.protocol.handlers.simulation import refresh
from serq_lsp.protocol.progress import progress_of_command
from serq_lsp.protocol.to_lsp import range_of
from serq_lsp.protocol.tracing import exploration
from serq_lsp.services.exploration import Telling
from serq_lsp.services.exploration_value import ToRange, exploration_value

if TYPE_CHECKING:
    from serq_lsp.protocol.server import SerqServer
    from serq_lsp.services.snapshot import Snapshot

SESSIONS = 2
STATES = 50_000
SECONDS = 20.0


async def search(ls: SerqServer, given: Arguments) -> dict[str, Any]:
    """Search the orders of the document; what is found is shown as diagnostics, too.  Raises `RequestFailed`."""
    snapshot = given.snapshot
    lowered = snapshot.analysis.lowered
    if lowered is None:
        raise given.unfit()
    directory, sessions, caps = (
        ls.live.directory(given.uri),
        int(given.number("sessions", SESSIONS, 1, 64)),
        _caps(given),
    )
    with deep_recursion():
        text = write_program(lowered.program)
    order = {
        "program": text,
        "directory": directory,
        "sessions": sessions,
        "states": int(given.number("maxStates", STATES, 1, 10_000_000)),
        "seconds": given.number("wallSeconds", SECONDS, 0.001, 86_400.0),
        "caps": caps,
    }
    with progress_of_command(ls, "Exploring all orders"):
        data = await exploration(ls, order)
    try:
        instance = instance_of(lowered.program, directory, sessions, caps)
        tellings = [
            Telling(snapshot.analysis, instance.program, trace_of(instance, finding_of(found)))
            for found in data["findings"]
        ]
    except (UnknownPool, RunError) as error:
        raise RequestFailed(str(error)) from error
    diagnostics = [telling.diagnostic(way=True) for telling in tellings]
    ls.live.of(given.uri).explored = (snapshot.text, diagnostics)
    refresh(ls, given.uri)
    return told(ls, exploration_value(data, tellings, diagnostics, _ranges(ls, snapshot)))


def _caps(given: Arguments) -> dict[str, float]:
    """Capacities by pool.  Raises `InvalidParams`."""
    found = given.options.get("caps")
    if found is None:
        return {}
    inner = given.within(found)
    return {name: inner.number(name, 0.0, 0.0, float("inf")) for name in inner.options}


def _ranges(ls: SerqServer, snapshot: Snapshot) -> ToRange:
    """Ranges of places in the document itself; those of libraries have none."""

    def convert(at: Location | None) -> Any:
        if at is None or at.file != snapshot.file:
            return None
        found = range_of(ls, snapshot, at)
        return {
            "start": {"line": found.start.line, "character": found.start.character},
            "end": {"line": found.end.line, "character": found.end.character},
        }

    return convert
