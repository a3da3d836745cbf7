"""Background simulation: edits start and end runs; results are told to the client."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from serq_interpreter.catalog import Severity
from serq_lsp.protocol.handlers.diagnostics import republish
from serq_lsp.protocol.progress import RunProgress
from serq_lsp.protocol.to_lsp import diagnostic_for
from serq_lsp.services.results.verdict import verdict_of
from serq_lsp.services.run_diagnostics import shown_and_silenced
from serq_lsp.services.run_hover import run_hover

if TYPE_CHECKING:
    from serq_lsp.protocol.server import SerqServer
    from serq_lsp.services.snapshot import Snapshot


def register(server: SerqServer) -> None:
    """Listen to documents and to their runs."""
    live = server.live

    def changed(uri: str) -> None:
        note_edit(server, uri)
        settings = server.documents.settings_of(uri)
        waits = not server.trusted or settings["simulation.trigger"] != "onType"
        live.simulations.changed(uri, -1.0 if waits else settings["simulation.debounceMs"] / 1000.0)

    def saved(uri: str) -> None:
        if server.documents.settings_of(uri)["simulation.trigger"] == "onSave":
            live.simulations.changed(uri, 0.0)

    def closed(uri: str) -> None:
        live.simulations.closed(uri)
        live.seen.pop(uri, None)

    def results(uri: str, generation: int, final: bool) -> None:
        live.of(uri).typed = None
        server.protocol.notify("serq/results", {"uri": uri, "generation": generation, "final": final})
        refresh(server, uri)

    progress = RunProgress(server)

    def status(uri: str) -> None:
        tell_status(server, uri)
        progress.tell(uri)

    def fault(uri: str, message: str) -> None:
        name = uri.rpartition("/")[2]
        text = f"The simulation of {name} ended: {message}"
        server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, text))

    server.events.on_changed.append(changed)
    server.events.on_saved.append(saved)
    server.events.on_closed.append(closed)
    live.simulations.on_results.append(results)
    live.simulations.on_status.append(status)
    live.simulations.on_fault.append(fault)
    server.diagnostic_hooks.append(lambda snapshot: _diagnostics(server, snapshot))
    server.hover_hooks.append(lambda snapshot, offset: _hover(server, snapshot, offset))

    @server.feature(types.WINDOW_WORK_DONE_PROGRESS_CANCEL)
    def cancel_progress(ls: SerqServer, params: types.WorkDoneProgressCancelParams) -> None:
        del ls
        progress.cancel(params.token)

    @server.feature(types.SHUTDOWN)
    async def shutdown(ls: SerqServer, params: None) -> None:
        del params
        ls.showing.close()
        await ls.live.close()

    @server.feature(types.EXIT)
    def exit_(ls: SerqServer, params: None) -> None:
        del params
        ls.live.pool.kill_all()


def note_edit(server: SerqServer, uri: str) -> None:
    """Remember which line is being typed: no hint appears or goes away there until a run has something new."""
    snapshot, seen = server.snapshot(uri), server.live.of(uri)
    if snapshot is None:
        return
    before, text = seen.text, snapshot.text
    seen.text = text
    if not before or before == text:
        return
    line, _ = snapshot.lines.line_column(len(text) - _common_tail(before, text))
    seen.typed = (snapshot.lines.starts[line - 1], snapshot.lines.line_end(line))


def _common_tail(one: str, other: str) -> int:
    """How many characters two texts end with alike."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[-middle:] == other[-middle:]:
            low = middle
        else:
            high = middle - 1
    return low


def tell_status(server: SerqServer, uri: str) -> None:
    """Send `serq/status`."""
    runs = server.live.runs(uri)
    snapshot = server.snapshot(uri)
    view = server.live.view(snapshot)
    shown = runs.shown
    verdict = None if view is None else verdict_of(view)
    errors = 0
    if snapshot is not None:
        errors = sum(item.severity is Severity.ERROR for item in snapshot.analysis.diagnostics)
    running = runs.job is not None
    progress = runs.progress if running else None
    message = None
    if running and runs.job is not None:
        message = f"running {runs.job.wall:.1f} s"
    elif verdict is not None and not runs.stale:
        message = verdict.message
    server.protocol.notify(
        "serq/status",
        {
            "uri": uri,
            "state": runs.state,
            "generation": 0 if shown is None else shown.generation,
            "progress": progress,
            "message": message,
            "verdict": None if verdict is None else verdict.state,
            "errors": errors,
        },
    )
    if runs.stale:
        refresh(server, uri)


def refresh(server: SerqServer, uri: str) -> None:
    """Ask the client to ask again for what shows results."""
    workspace = server.client_capabilities.workspace
    if workspace is not None:
        if workspace.inlay_hint is not None and workspace.inlay_hint.refresh_support:
            server.workspace_inlay_hint_refresh(None)
        if workspace.code_lens is not None and workspace.code_lens.refresh_support:
            server.workspace_code_lens_refresh(None)
        if workspace.diagnostics is not None and workspace.diagnostics.refresh_support:
            server.workspace_diagnostic_refresh(None)
    republish(server, uri)


def _diagnostics(server: SerqServer, snapshot: Snapshot) -> list[types.Diagnostic]:
    view = server.live.view(snapshot)
    found = []
    for item in () if view is None else shown_and_silenced(view)[0]:
        diagnostic = diagnostic_for(server, snapshot, item)
        diagnostic.source = "serq-sim"
        found.append(diagnostic)
    return found


def _hover(server: SerqServer, snapshot: Snapshot, offset: int) -> str:
    view = server.live.view(snapshot)
    return run_hover(view, offset) if view is not None else ""
