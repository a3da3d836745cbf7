"""Definition, declaration, references, highlights, rename, links, hierarchy."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from serq_interpreter.semantics.tree import Symbol
from serq_lsp.protocol.documents import file_of, uri_of
from serq_lsp.protocol.errors import RequestFailed
from serq_lsp.protocol.to_lsp import span_location, span_range
from serq_lsp.services import call_hierarchy as hierarchy
from serq_lsp.services import definition as service
from serq_lsp.services.locations import Span
from serq_lsp.services.snapshot import Snapshot

if TYPE_CHECKING:
    from serq_lsp.protocol.server import SerqServer


def register(server: SerqServer) -> None:
    """Add the methods of navigation."""
    _definitions(server)
    _renames(server)
    _links(server)
    _hierarchy(server)


def _definitions(server: SerqServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def definition(ls: SerqServer, params: types.DefinitionParams) -> list[types.Location] | None:
        return _locations(ls, params)

    @server.feature(types.TEXT_DOCUMENT_DECLARATION)
    def declaration(ls: SerqServer, params: types.DeclarationParams) -> list[types.Location] | None:
        return _locations(ls, params)

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    async def references(ls: SerqServer, params: types.ReferenceParams) -> list[types.Location] | None:
        snapshot = ls.snapshot(params.text_document.uri)
        if snapshot is None:
            return None
        offset = ls.offset(snapshot, params.position)
        spans = service.references(snapshot, offset, params.context.include_declaration)
        found = {_key(where): where for span in spans if (where := span_location(ls, snapshot, span))}
        async for other, more in _elsewhere(ls, snapshot, offset, params.context.include_declaration):
            found.update({_key(where): where for span in more if (where := span_location(ls, other, span))})
        return [found[key] for key in sorted(found)]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlight(ls: SerqServer, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight] | None:
        snapshot = ls.snapshot(params.text_document.uri)
        if snapshot is None:
            return None
        kinds = types.DocumentHighlightKind
        return [
            types.DocumentHighlight(span_range(ls, snapshot, item.span), kinds.Write if item.writes else kinds.Read)
            for item in service.highlights(snapshot, ls.offset(snapshot, params.position))
        ]


async def _elsewhere(
    ls: SerqServer, snapshot: Snapshot, offset: int, include_declaration: bool = True
) -> AsyncIterator[tuple[Snapshot, list[Span]]]:
    """The other programs that use the definition under the cursor, and where."""
    found = service.shared(snapshot, offset)
    if found is None:
        return
    home, name = found
    async for other in ls.programs.users_of(home, name):
        declared = service.home_of(other, name)
        if other.uri != snapshot.uri and declared is not None and os.path.realpath(declared) == os.path.realpath(home):
            yield other, service.references_of(other, Symbol("definition", name, None), include_declaration)


def _key(where: types.Location) -> tuple[str, int, int]:
    return file_of(where.uri), where.range.start.line, where.range.start.character


def _locations(ls: SerqServer, params: Any) -> list[types.Location] | None:
    snapshot = ls.snapshot(params.text_document.uri)
    if snapshot is None:
        return None
    spans = service.definition(snapshot, ls.offset(snapshot, params.position))
    return [span_location(ls, snapshot, span) for span in spans]


def _renames(server: SerqServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare(ls: SerqServer, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
        snapshot = ls.snapshot(params.text_document.uri)
        if snapshot is None:
            return None
        try:
            span, name = service.prepare_rename(snapshot, ls.offset(snapshot, params.position))
        except service.RenameProblem as problem:
            raise RequestFailed(str(problem)) from problem
        return types.PrepareRenamePlaceholder(span_range(ls, snapshot, span), name)

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    async def rename(ls: SerqServer, params: types.RenameParams) -> types.WorkspaceEdit | None:
        snapshot = ls.snapshot(params.text_document.uri)
        if snapshot is None:
            return None
        offset = ls.offset(snapshot, params.position)
        try:
            found = service.rename(snapshot, offset, params.new_name)
        except service.RenameProblem as problem:
            raise RequestFailed(str(problem)) from problem
        places = [span_location(ls, snapshot, span) for spans in found.values() for span in spans]
        async for other, spans in _elsewhere(ls, snapshot, offset):
            places.extend(span_location(ls, other, span) for span in spans)
        changes: dict[str, list[types.TextEdit]] = {}
        for where in {_key(where): where for where in reversed(places)}.values():
            changes.setdefault(where.uri, []).append(types.TextEdit(where.range, params.new_name))
        return types.WorkspaceEdit(changes=changes)


def _links(server: SerqServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)
    def links(ls: SerqServer, params: types.DocumentLinkParams) -> list[types.DocumentLink] | None:
        snapshot = ls.snapshot(params.text_document.uri)
        if snapshot is None:
            return None
        return [
            types.DocumentLink(ls.range(snapshot.lines, start, end), uri_of(file))
            for start, end, file in service.linked_files(snapshot)
        ]


def _hierarchy(server: SerqServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY)
    def prepare(ls: SerqServer, params: types.CallHierarchyPrepareParams) -> list[types.CallHierarchyItem] | None:
        snapshot = ls.snapshot(params.text_document.uri)
        if snapshot is None:
            return None
        found = hierarchy.prepare(snapshot, ls.offset(snapshot, params.position))
        return None if found is None else [_item(ls, snapshot, found)]

    @server.feature(types.CALL_HIERARCHY_INCOMING_CALLS)
    def incoming(
        ls: SerqServer, params: types.CallHierarchyIncomingCallsParams
    ) -> list[types.CallHierarchyIncomingCall] | None:
        snapshot, kind, name = _asked(ls, params.item)
        if snapshot is None:
            return None
        return [
            types.CallHierarchyIncomingCall(_item(ls, snapshot, call.other), _ranges(ls, snapshot, call.at))
            for call in hierarchy.incoming(snapshot, kind, name)
        ]

    @server.feature(types.CALL_HIERARCHY_OUTGOING_CALLS)
    def outgoing(
        ls: SerqServer, params: types.CallHierarchyOutgoingCallsParams
    ) -> list[types.CallHierarchyOutgoingCall] | None:
        snapshot, kind, name = _asked(ls, params.item)
        if snapshot is None:
            return None
        return [
            types.CallHierarchyOutgoingCall(_item(ls, snapshot, call.other), _ranges(ls, snapshot, call.at))
            for call in hierarchy.outgoing(snapshot, kind, name)
        ]


def _asked(ls: SerqServer, item: types.CallHierarchyItem) -> tuple[Snapshot | None, str, str]:
    data = item.data if isinstance(item.data, dict) else {}
    return ls.snapshot(str(data.get("uri", ""))), str(data.get("kind", "")), str(data.get("name", ""))


def _item(ls: SerqServer, snapshot: Snapshot, found: hierarchy.Callable) -> types.CallHierarchyItem:
    kind = types.SymbolKind.Method if found.kind == "entry" else types.SymbolKind.Function
    return types.CallHierarchyItem(
        name=found.name,
        kind=kind,
        uri=span_location(ls, snapshot, found.own).uri,
        range=span_range(ls, snapshot, found.whole),
        selection_range=span_range(ls, snapshot, found.own),
        detail=found.kind,
        data={"uri": snapshot.uri, "kind": found.kind, "name": found.name},
    )


def _ranges(ls: SerqServer, snapshot: Snapshot, spans: tuple[Span, ...]) -> list[types.Range]:
    return [span_range(ls, snapshot, span) for span in spans]
