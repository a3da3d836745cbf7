"""Code lenses: what can be done with the program's runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from serq_lsp.services.guarantee import guarantee_line, guarantee_of
from serq_lsp.services.run_lenses import Lens, run_lenses

if TYPE_CHECKING:
    from serq_lsp.protocol.server import SerqServer
    from serq_lsp.services.snapshot import Snapshot


def register(server: SerqServer) -> None:
    """Add code lenses."""

    server.events.on_changed.append(server.guarantees.changed)
    server.events.on_closed.append(server.guarantees.closed)

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions(resolve_provider=True))
    def lenses(ls: SerqServer, params: types.CodeLensParams) -> list[types.CodeLens] | None:
        snapshot = ls.snapshot(params.text_document.uri)
        if snapshot is None:
            return None
        found = run_lenses(
            snapshot,
            ls.live.view(snapshot),
            running=ls.live.runs(snapshot.uri).job is not None,
            client=client_commands(ls),
            sweeps=ls.live.sweeps(snapshot),
            explores="serq.explore" in ls.protocol.fm.commands,
        )
        return [_lens(ls, snapshot, lens) for lens in found]

    @server.feature(types.CODE_LENS_RESOLVE)
    async def resolve(ls: SerqServer, lens: types.CodeLens) -> types.CodeLens:
        data = lens.data if isinstance(lens.data, dict) else {}
        snapshot = ls.snapshot(str(data.get("uri", "")))
        if lens.command is None and snapshot is not None:
            await ls.guarantees.ready(snapshot)
            answer = guarantee_of(snapshot.analysis, str(data.get("pool", "")))
            if answer is not None:
                lens.command = types.Command(title=guarantee_line(answer), command="")
        return lens


def client_commands(ls: SerqServer) -> frozenset[str]:
    """The commands that the client offers (`initializationOptions.commands`)."""
    offered = ls.options.get("commands")
    return frozenset(str(name) for name in offered) if isinstance(offered, list) else frozenset()


def _lens(ls: SerqServer, snapshot: Snapshot, lens: Lens) -> types.CodeLens:
    if lens.pool:
        data = {"uri": snapshot.uri, "pool": lens.pool}
        return types.CodeLens(ls.range(snapshot.lines, lens.start, lens.end), data=data)
    arguments = [snapshot.uri, *lens.arguments] if lens.command else None
    command = types.Command(title=lens.title, command=lens.command, arguments=arguments)
    return types.CodeLens(ls.range(snapshot.lines, lens.start, lens.end), command=command)
