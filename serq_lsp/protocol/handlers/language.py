"""Hover, completion and signature help."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from serq_lsp.protocol.documents import entries_of
from serq_lsp.services.completion import Completion, completion
from serq_lsp.services.hover import hover
from serq_lsp.services.names import symbol_at
from serq_lsp.services.paths import PathEntry, path_completion
from serq_lsp.services.signature_help import signature_help

if TYPE_CHECKING:
    from serq_lsp.protocol.server import SerqServer
    from serq_lsp.services.snapshot import Snapshot

KINDS = {
    "keyword": types.CompletionItemKind.Keyword,
    "snippet": types.CompletionItemKind.Snippet,
    "pool": types.CompletionItemKind.Class,
    "stage": types.CompletionItemKind.Struct,
    "queue": types.CompletionItemKind.Module,
    "entry": types.CompletionItemKind.Method,
    "constant": types.CompletionItemKind.Constant,
    "attribute": types.CompletionItemKind.Variable,
    "binding": types.CompletionItemKind.Variable,
    "builtin": types.CompletionItemKind.Variable,
    "context": types.CompletionItemKind.Property,
    "register": types.CompletionItemKind.Field,
    "observation": types.CompletionItemKind.Event,
    "group": types.CompletionItemKind.Value,
    "definition": types.CompletionItemKind.Function,
    "function": types.CompletionItemKind.Function,
    "distribution": types.CompletionItemKind.Function,
    "parameter": types.CompletionItemKind.Variable,
    "index": types.CompletionItemKind.Variable,
    "self": types.CompletionItemKind.Variable,
}


def register(server: SerqServer) -> None:
    """Add the methods that explain and complete."""

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def on_hover(ls: SerqServer, params: types.HoverParams) -> types.Hover | None:
        snapshot = ls.snapshot(params.text_document.uri)
        if snapshot is None:
            return None
        offset = ls.offset(snapshot, params.position)
        symbol = symbol_at(snapshot, offset)
        if symbol is not None and symbol[1].kind == "pool":
            await ls.guarantees.begun(snapshot)
        found = hover(snapshot, offset)
        extra = [text for more in ls.hover_hooks if (text := more(snapshot, offset))]
        if found is None and not extra:
            return None
        start, end = (found.start, found.end) if found is not None else (offset, offset)
        text = "\n\n---\n\n".join([*([found.text] if found is not None else []), *extra])
        content = types.MarkupContent(types.MarkupKind.Markdown, text)
        return types.Hover(content, ls.range(snapshot.lines, start, end))

    @server.feature(
        types.TEXT_DOCUMENT_COMPLETION,
        types.CompletionOptions(trigger_characters=[".", "~", "(", ",", " ", '"', "/"], resolve_provider=True),
    )
    def on_completion(ls: SerqServer, params: types.CompletionParams) -> types.CompletionList | None:
        snapshot = ls.snapshot(params.text_document.uri)
        if snapshot is None:
            return None
        offset = ls.offset(snapshot, params.position)
        paths = path_completion(snapshot, offset, entries_of)
        if paths is not None:
            return types.CompletionList(False, [_path(ls, snapshot, item) for item in paths])
        found = completion(snapshot, offset)
        return types.CompletionList(False, [_item(ls, item) for item in found])

    @server.feature(types.COMPLETION_ITEM_RESOLVE)
    def on_resolve(ls: SerqServer, item: types.CompletionItem) -> types.CompletionItem:
        del ls
        if isinstance(item.data, str) and item.data:
            item.documentation = types.MarkupContent(types.MarkupKind.Markdown, item.data)
        return item

    @server.feature(
        types.TEXT_DOCUMENT_SIGNATURE_HELP,
        types.SignatureHelpOptions(trigger_characters=["(", ","], retrigger_characters=[","]),
    )
    def on_signature(ls: SerqServer, params: types.SignatureHelpParams) -> types.SignatureHelp | None:
        snapshot = ls.snapshot(params.text_document.uri)
        if snapshot is None:
            return None
        found = signature_help(snapshot, ls.offset(snapshot, params.position))
        if found is None:
            return None
        information = types.SignatureInformation(
            found.label,
            documentation=types.MarkupContent(types.MarkupKind.Markdown, found.documentation),
            parameters=[types.ParameterInformation(label=(start, end)) for start, end in found.parameters],
        )
        return types.SignatureHelp([information], 0, found.active)


def _path(ls: SerqServer, snapshot: Snapshot, item: PathEntry) -> types.CompletionItem:
    return types.CompletionItem(
        label=item.label,
        kind=types.CompletionItemKind.Folder if item.is_folder else types.CompletionItemKind.File,
        sort_text=f"{item.rank}{item.label}",
        filter_text=item.label,
        text_edit=types.TextEdit(ls.range(snapshot.lines, item.start, item.end), item.label),
    )


def _item(ls: SerqServer, item: Completion) -> types.CompletionItem:
    snippets = bool(item.insert) and _takes_snippets(ls)
    return types.CompletionItem(
        label=item.label,
        kind=KINDS[item.kind],
        detail=item.detail or None,
        sort_text=f"{item.rank}{item.label}",
        filter_text=item.label if item.label.isidentifier() else None,
        insert_text=item.insert if snippets else None,
        insert_text_format=types.InsertTextFormat.Snippet if snippets else None,
        data=item.documentation or None,
    )


def _takes_snippets(ls: SerqServer) -> bool:
    document = ls.client_capabilities.text_document
    completion_ = document.completion if document is not None else None
    item = completion_.completion_item if completion_ is not None else None
    return bool(item is not None and item.snippet_support)
