"""`serq.explore`: a search in the background; what it finds is shown where it happens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from serq_interpreter.frontend.suppression import apply_to_run
from serq_lsp.protocol.arguments import Arguments
from serq_lsp.protocol.to_lsp import diagnostic_for

if TYPE_CHECKING:
    from lsprotocol import types

    from serq_lsp.protocol.server import SerqServer
    from serq_lsp.services.snapshot import Snapshot


def register(server: SerqServer) -> None:
    """Add the command and what it shows."""
    server.diagnostic_hooks.append(lambda snapshot: _diagnostics(server, snapshot))

    @server.command("serq.explore")
    async def explore(ls: Any, *arguments: Any) -> Any:
        from serq_lsp.protocol.searching import search  # the search is not loaded before somebody wants it

        return await search(ls, Arguments.read(ls, arguments))


def _diagnostics(server: SerqServer, snapshot: Snapshot) -> list[types.Diagnostic]:
    """What the last search found, as long as the text is the one that was searched."""
    seen = server.live.seen.get(snapshot.uri)
    if seen is None or seen.explored is None or seen.explored[0] != snapshot.text:
        return []
    shown, _ = apply_to_run(seen.explored[1], snapshot.document)
    found = []
    for item in shown:
        if item.file == snapshot.file:
            diagnostic = diagnostic_for(server, snapshot, item)
            diagnostic.source = "serq-explore"
            found.append(diagnostic)
    return found
