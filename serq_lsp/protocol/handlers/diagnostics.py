"""Diagnostics: pulled by clients that can, pushed to those that cannot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from serq_lsp.protocol.to_lsp import diagnostic_for
from serq_lsp.services.instances import instance_diagnostics

if TYPE_CHECKING:
    from serq_lsp.protocol.server import SerqServer
    from serq_lsp.services.snapshot import Snapshot


def register(server: SerqServer) -> None:
    """Add pull diagnostics, and pushing on every change for clients without them."""

    @server.feature(
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False, identifier="serq"),
    )
    def diagnostic(ls: SerqServer, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        found = current(ls, params.text_document.uri)
        result_id = str(hash(tuple(map(repr, found))))
        if params.previous_result_id == result_id:
            return types.RelatedUnchangedDocumentDiagnosticReport(result_id)
        return types.RelatedFullDocumentDiagnosticReport(found, result_id=result_id)

    def push(uri: str) -> None:
        republish(server, uri)

    def clear(uri: str) -> None:
        if not _pulls(server):
            server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    server.events.on_changed.append(push)
    server.events.on_closed.append(clear)


def republish(ls: SerqServer, uri: str) -> None:
    """Send the diagnostics of a document to a client that does not ask for them."""
    if not _pulls(ls):
        snapshot = ls.snapshot(uri)
        version = None if snapshot is None else snapshot.version
        ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, current(ls, uri), version=version))


def current(ls: SerqServer, uri: str) -> list[types.Diagnostic]:
    """The diagnostics of an open document; none for any other."""
    snapshot = ls.snapshot(uri)
    if snapshot is None:
        return []
    own = [item for item in snapshot.analysis.diagnostics if item.file == snapshot.file]
    found = [diagnostic_for(ls, snapshot, item) for item in (*own, *instance_diagnostics(snapshot))]
    found.extend(_problem(ls, snapshot, text) for text in snapshot.instance.problems)
    return [*found, *(item for more in ls.diagnostic_hooks for item in more(snapshot))]


def _problem(ls: SerqServer, snapshot: Snapshot, text: str) -> types.Diagnostic:
    """An instance file that cannot be read, or what in it cannot be used."""
    return types.Diagnostic(
        range=ls.range(snapshot.lines, 0, 0),
        message=f"instance file of the setting `serq.values`: {text}",
        severity=types.DiagnosticSeverity.Warning,
        source="serq",
    )


def _pulls(ls: SerqServer) -> bool:
    document = ls.client_capabilities.text_document
    return document is not None and document.diagnostic is not None
