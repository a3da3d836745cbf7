"""Symbols, folding, selection ranges and semantic tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from serq_lsp.protocol.documents import file_of
from serq_lsp.services.folding import folding, selection
from serq_lsp.services.outline import Outline, outline
from serq_lsp.services.semantic_tokens import MODIFIERS, TYPES, Coloured, semantic_tokens
from serq_lsp.services.snapshot import Snapshot

if TYPE_CHECKING:
    from serq_lsp.protocol.server import SerqServer

KINDS = {
    "pool": types.SymbolKind.Class,
    "stage": types.SymbolKind.Struct,
    "queue": types.SymbolKind.Module,
    "entry": types.SymbolKind.Method,
    "constant": types.SymbolKind.Constant,
    "definition": types.SymbolKind.Function,
    "gauge": types.SymbolKind.Event,
    "claim": types.SymbolKind.Boolean,
    "block": types.SymbolKind.Namespace,
    "workload": types.SymbolKind.Namespace,
    "run": types.SymbolKind.Namespace,
    "relation": types.SymbolKind.Interface,
    "attribute": types.SymbolKind.Variable,
    "observation": types.SymbolKind.Event,
    "group": types.SymbolKind.Array,
}
LEGEND = types.SemanticTokensLegend(list(TYPES), list(MODIFIERS))


def register(server: SerqServer) -> None:
    """Add the methods of structure and colours."""
    _symbols(server)
    _ranges(server)
    _tokens(server)


def _symbols(server: SerqServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(ls: SerqServer, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol] | None:
        snapshot = ls.snapshot(params.text_document.uri)
        return None if snapshot is None else [_symbol(ls, snapshot, item) for item in outline(snapshot)]

    @server.feature(types.WORKSPACE_SYMBOL)
    async def workspace(ls: SerqServer, params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
        query = params.query.lower()
        every = await ls.programs.made(lambda snapshot: _workspace_symbols(ls, snapshot))
        return [item for item in every if _matches(query, item.name.lower())]


def _workspace_symbols(ls: SerqServer, snapshot: Snapshot) -> list[types.WorkspaceSymbol]:
    """The named things of a program, without the blocks that every program has."""
    found = []
    for item in outline(snapshot):
        if KINDS[item.kind] is not types.SymbolKind.Namespace:
            place = types.Location(snapshot.uri, ls.range(snapshot.lines, item.name_start, item.name_end))
            name = file_of(snapshot.uri)
            found.append(types.WorkspaceSymbol(place, item.name, KINDS[item.kind], container_name=name))
    return found


def _matches(query: str, name: str) -> bool:
    """Whether the query's letters occur in the name in order."""
    position = 0
    for letter in query:
        position = name.find(letter, position) + 1
        if position == 0:
            return False
    return True


def _symbol(ls: SerqServer, snapshot: Snapshot, item: Outline) -> types.DocumentSymbol:
    return types.DocumentSymbol(
        name=item.name,
        kind=KINDS[item.kind],
        range=ls.range(snapshot.lines, item.start, item.end),
        selection_range=ls.range(snapshot.lines, item.name_start, item.name_end),
        detail=item.detail or None,
        children=[_symbol(ls, snapshot, child) for child in item.children] or None,
    )


def _ranges(server: SerqServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    def folds(ls: SerqServer, params: types.FoldingRangeParams) -> list[types.FoldingRange] | None:
        snapshot = ls.snapshot(params.text_document.uri)
        if snapshot is None:
            return None
        return [
            types.FoldingRange(fold.start_line, fold.end_line, kind=types.FoldingRangeKind(fold.kind))
            for fold in folding(snapshot)
        ]

    @server.feature(types.TEXT_DOCUMENT_SELECTION_RANGE)
    def selections(ls: SerqServer, params: types.SelectionRangeParams) -> list[types.SelectionRange] | None:
        snapshot = ls.snapshot(params.text_document.uri)
        if snapshot is None:
            return None
        return [_selection(ls, snapshot, position) for position in params.positions]


def _selection(ls: SerqServer, snapshot: Snapshot, position: types.Position) -> types.SelectionRange:
    parent: types.SelectionRange | None = None
    for start, end in reversed(selection(snapshot, ls.offset(snapshot, position))):
        parent = types.SelectionRange(ls.range(snapshot.lines, start, end), parent)
    assert parent is not None
    return parent


def _tokens(server: SerqServer) -> None:
    sent: dict[str, tuple[str, list[int]]] = {}
    server.events.on_closed.append(lambda uri: sent.pop(uri, None) and None)

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)
    def full(ls: SerqServer, params: types.SemanticTokensParams) -> types.SemanticTokens | None:
        snapshot = ls.snapshot(params.text_document.uri)
        if snapshot is None:
            return None
        return types.SemanticTokens(*_remember(sent, snapshot, encoded(ls, snapshot, semantic_tokens(snapshot))))

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA, LEGEND)
    def delta(
        ls: SerqServer, params: types.SemanticTokensDeltaParams
    ) -> types.SemanticTokens | types.SemanticTokensDelta | None:
        snapshot = ls.snapshot(params.text_document.uri)
        if snapshot is None:
            return None
        known = sent.get(snapshot.uri)
        data, result_id = _remember(sent, snapshot, encoded(ls, snapshot, semantic_tokens(snapshot)))
        if known is None or known[0] != params.previous_result_id:
            return types.SemanticTokens(data, result_id)
        return types.SemanticTokensDelta([_edit(known[1], data)], result_id)

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, LEGEND)
    def ranged(ls: SerqServer, params: types.SemanticTokensRangeParams) -> types.SemanticTokens | None:
        snapshot = ls.snapshot(params.text_document.uri)
        if snapshot is None:
            return None
        start, end = ls.offset(snapshot, params.range.start), ls.offset(snapshot, params.range.end)
        return types.SemanticTokens(encoded(ls, snapshot, semantic_tokens(snapshot, start, end)))


def _remember(sent: dict[str, tuple[str, list[int]]], snapshot: Snapshot, data: list[int]) -> tuple[list[int], str]:
    result_id = f"{snapshot.version}-{len(data)}-{hash(tuple(data)) & 0xFFFFFFFF:x}"
    sent[snapshot.uri] = (result_id, data)
    return data, result_id


def _edit(before: list[int], after: list[int]) -> types.SemanticTokensEdit:
    """One edit between the longest common start and end, in whole tokens."""
    start = 0
    limit = min(len(before), len(after))
    while start < limit and before[start] == after[start]:
        start += 1
    start -= start % 5
    tail = 0
    while tail < limit - start and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    tail -= tail % 5
    return types.SemanticTokensEdit(start, len(before) - start - tail, after[start : len(after) - tail])


def encoded(ls: SerqServer, snapshot: Snapshot, found: list[Coloured]) -> list[int]:
    """The protocol's relative encoding."""
    data: list[int] = []
    line = column = 0
    places = ls.converter.along(snapshot.lines, ((item.start, item.end) for item in found))
    for item, (now, start, length) in zip(found, places, strict=True):
        data += (now - line, start - column if now == line else start, length, item.type, item.modifiers)
        line, column = now, start
    return data
