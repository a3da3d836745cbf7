"""Inlay hints: the numbers of the last run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from serq_lsp.services.coalescing import licence_explanation, licence_hints
from serq_lsp.services.run_hints import Hint, frozen, run_hints
from serq_lsp.services.run_hover import hover_of

if TYPE_CHECKING:
    from serq_lsp.protocol.server import SerqServer
    from serq_lsp.services.snapshot import Snapshot


def register(server: SerqServer) -> None:
    """Add inlay hints and the explanation of one."""

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT, types.InlayHintOptions(resolve_provider=True))
    def hints(ls: SerqServer, params: types.InlayHintParams) -> list[types.InlayHint] | None:
        uri = params.text_document.uri
        snapshot = ls.snapshot(uri)
        if snapshot is None:
            return None
        ls.live.pool.use(uri)
        found = [*run_hints(ls.live.view(snapshot), 0, len(snapshot.text)), *licence_hints(snapshot)]
        seen = ls.live.of(uri)
        if seen.typed is not None:
            found = frozen(seen.hints, found, *seen.typed)
        seen.hints = found
        start, end = ls.offset(snapshot, params.range.start), ls.offset(snapshot, params.range.end)
        return [_hint(ls, snapshot, hint) for hint in found if start <= hint.offset <= end]

    @server.feature(types.INLAY_HINT_RESOLVE)
    def resolve(ls: SerqServer, hint: types.InlayHint) -> types.InlayHint:
        data = hint.data if isinstance(hint.data, dict) else {}
        id = str(data.get("id", ""))
        view = ls.live.view(ls.snapshot(str(data.get("uri", ""))))
        text = licence_explanation(id) or (hover_of(view, id) if view is not None else "")
        if text:
            hint.tooltip = types.MarkupContent(types.MarkupKind.Markdown, text)
        return hint


def _hint(ls: SerqServer, snapshot: Snapshot, hint: Hint) -> types.InlayHint:
    return types.InlayHint(
        position=ls.converter.position(snapshot.lines, hint.offset),
        label=hint.label,
        padding_left=True,
        data={"uri": snapshot.uri, "id": hint.id},
    )
