"""From our values to protocol types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from serq_interpreter.catalog import Severity
from serq_interpreter.frontend.diagnostic import Diagnostic, Location
from serq_interpreter.syntax.lines import LineIndex
from serq_lsp.protocol.documents import uri_of

if TYPE_CHECKING:
    from serq_lsp.protocol.server import SerqServer
    from serq_lsp.services.locations import Span
    from serq_lsp.services.snapshot import Snapshot

SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
    Severity.HINT: types.DiagnosticSeverity.Hint,
}

UNUSED_NAMES = ("unused", "unreachable")
DEPRECATED_NAMES = ("retired", "renamed", "old-")


def diagnostic_for(ls: SerqServer, snapshot: Snapshot, item: Diagnostic) -> types.Diagnostic:
    """One diagnostic, with its page, related places and tags."""
    text = item.message if not item.help else f"{item.message}\nhelp: {item.help}"
    return types.Diagnostic(
        range=range_of(ls, snapshot, item.location),
        message=text,
        severity=SEVERITIES[item.severity],
        code=item.code,
        code_description=types.CodeDescription(href=item.url),
        source="serq",
        tags=_tags(item),
        related_information=[
            types.DiagnosticRelatedInformation(
                location=types.Location(
                    uri_for(snapshot, related.location.file), range_of(ls, snapshot, related.location)
                ),
                message=related.message,
            )
            for related in item.related
        ]
        or None,
        data={"code": item.code, "name": item.name},
    )


def range_of(ls: SerqServer, snapshot: Snapshot, at: Location) -> types.Range:
    """The protocol range of a location in the snapshot's text or one of its libraries."""
    return ls.range(_lines(snapshot, at.file), at.start_offset, at.end_offset)


def uri_for(snapshot: Snapshot, file: str) -> str:
    """The URI of a file of the snapshot: the client's own spelling for the document itself."""
    return snapshot.uri if file == snapshot.file else uri_of(file)


def _lines(snapshot: Snapshot, file: str) -> LineIndex:
    for source in snapshot.document.sources:
        if source.file == file:
            return source.layout.lines
    return snapshot.lines


def _tags(item: Diagnostic) -> list[types.DiagnosticTag] | None:
    if item.name.startswith(UNUSED_NAMES):
        return [types.DiagnosticTag.Unnecessary]
    if item.name.startswith(DEPRECATED_NAMES):
        return [types.DiagnosticTag.Deprecated]
    return None


def span_range(ls: SerqServer, snapshot: Snapshot, span: Span) -> types.Range:
    """The protocol range of a span in the snapshot's text or one of its libraries."""
    for source in snapshot.document.sources:
        if source.file == span.file:
            return ls.range(source.layout.lines, span.start, span.end)
    start = types.Position(0, 0)
    return types.Range(start, start)


def span_location(ls: SerqServer, snapshot: Snapshot, span: Span) -> types.Location:
    """The protocol location of a span."""
    return types.Location(uri_for(snapshot, span.file), span_range(ls, snapshot, span))
