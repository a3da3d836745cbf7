"""Formatting of documents, ranges and while typing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from serq_lsp.services import formatting as service
from serq_lsp.services.snapshot import Snapshot

if TYPE_CHECKING:
    from serq_lsp.protocol.server import SerqServer


def register(server: SerqServer) -> None:
    """Add the methods of formatting."""

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def document(ls: SerqServer, params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
        snapshot = ls.snapshot(params.text_document.uri)
        return None if snapshot is None else _edits(ls, snapshot, service.formatting(snapshot))

    @server.feature(types.TEXT_DOCUMENT_RANGE_FORMATTING)
    def ranged(ls: SerqServer, params: types.DocumentRangeFormattingParams) -> list[types.TextEdit] | None:
        snapshot = ls.snapshot(params.text_document.uri)
        if snapshot is None:
            return None
        start, end = ls.offset(snapshot, params.range.start), ls.offset(snapshot, params.range.end)
        return _edits(ls, snapshot, service.range_formatting(snapshot, start, end))

    @server.feature(
        types.TEXT_DOCUMENT_ON_TYPE_FORMATTING,
        types.DocumentOnTypeFormattingOptions(first_trigger_character="}", more_trigger_character=[";"]),
    )
    def on_type(ls: SerqServer, params: types.DocumentOnTypeFormattingParams) -> list[types.TextEdit] | None:
        snapshot = ls.snapshot(params.text_document.uri)
        if snapshot is None:
            return None
        return _edits(ls, snapshot, service.on_type_formatting(snapshot, ls.offset(snapshot, params.position)))


def _edits(ls: SerqServer, snapshot: Snapshot, found: list[service.Replacement]) -> list[types.TextEdit]:
    return [types.TextEdit(ls.range(snapshot.lines, item.start, item.end), item.text) for item in found]
