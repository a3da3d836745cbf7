"""Definition, declaration, references, highlights, rename, links, hierarchy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from serq_lsp.protocol.documents import uri_of
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
    def references(ls: SerqServer, params: types.ReferenceParams) -> list[types.Location] | None:
        snapshot = ls.snapshot(params.text_document.uri)
        if snapshot is None:
            return None
        offset = ls.offset(snapshot, params.position)
        spans = service.references(snapshot, offset, params.context.include_declaration)
        return [span_location(ls, snapshot, span) for span in spans]

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
    def rename(ls: SerqServer, params: types.RenameParams) -> types.WorkspaceEdit | None:
        snapshot = ls.snapshot(params.text_document.uri)
        if snapshot is None:
            return None
        try:
            found = service.rename(snapshot, ls.offset(snapshot, params.position), params.new_name)
        except service.RenameProblem as problem:
            raise RequestFailed(str(problem)) from problem
        changes = {
            snapshot.uri if file == snapshot.file else uri_of(file): [
                types.TextEdit(span_range(ls, snapshot, span), params.new_name) for span in spans
            ]
            for file, spans in found.items()
        }
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
