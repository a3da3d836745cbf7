"""Code actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from serq_lsp.protocol.documents import uri_of
from serq_lsp.protocol.to_lsp import diagnostic_for, span_range
from serq_lsp.services.coalescing import licence_fixes
from serq_lsp.services.code_actions import Action, code_actions
from serq_lsp.services.snapshot import Snapshot

if TYPE_CHECKING:
    from serq_lsp.protocol.server import SerqServer


def register(server: SerqServer) -> None:
    """Add code actions."""

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(
            code_action_kinds=[
                types.CodeActionKind.QuickFix,
                types.CodeActionKind.RefactorExtract,
                types.CodeActionKind.RefactorInline,
                types.CodeActionKind.RefactorRewrite,
                "source.fixAll.serq",
            ]
        ),
    )
    def actions(ls: SerqServer, params: types.CodeActionParams) -> list[types.CodeAction] | None:
        snapshot = ls.snapshot(params.text_document.uri)
        if snapshot is None:
            return None
        start, end = ls.offset(snapshot, params.range.start), ls.offset(snapshot, params.range.end)
        wanted = params.context.only
        asked = params.context.trigger_kind is not types.CodeActionTriggerKind.Automatic
        found = [*code_actions(snapshot, start, end, asked=asked), *licence_fixes(snapshot, start, end)]
        return [_action(ls, snapshot, item) for item in found if _wanted(item.kind, wanted)]


def _wanted(kind: str, only: Sequence[types.CodeActionKind | str] | None) -> bool:
    if not only:
        return True
    return any(
        kind == str(getattr(one, "value", one)) or kind.startswith(f"{getattr(one, 'value', one)}.") for one in only
    )


def _action(ls: SerqServer, snapshot: Snapshot, item: Action) -> types.CodeAction:
    changes: dict[str, list[types.TextEdit]] = {}
    for edit in item.edits:
        uri = snapshot.uri if edit.span.file == snapshot.file else uri_of(edit.span.file)
        changes.setdefault(uri, []).append(types.TextEdit(span_range(ls, snapshot, edit.span), edit.text))
    return types.CodeAction(
        title=item.title,
        kind=item.kind,
        diagnostics=[diagnostic_for(ls, snapshot, item.diagnostic)] if item.diagnostic is not None else None,
        is_preferred=item.preferred or None,
        edit=types.WorkspaceEdit(changes=changes),
    )
