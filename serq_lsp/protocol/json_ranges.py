"""Spans as JSON ranges, for answers whose shape the protocol library does not know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from serq_lsp.services.results.ranges import ToRange

if TYPE_CHECKING:
    from serq_lsp.protocol.server import SerqServer
    from serq_lsp.services.locations import Span
    from serq_lsp.services.snapshot import Snapshot


def json_range(ls: SerqServer, snapshot: Snapshot) -> ToRange:
    """A converter of the snapshot's spans, in the client's position encoding."""

    def convert(span: Span | None) -> Any:
        if span is None:
            return None
        found = ls.range(snapshot.lines, span.start, span.end)
        return {
            "start": {"line": found.start.line, "character": found.start.character},
            "end": {"line": found.end.line, "character": found.end.character},
        }

    return convert
