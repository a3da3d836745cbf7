"""Places of the front end as ranges of files: what navigation answers."""

from __future__ import annotations

from typing import NamedTuple

from serq_interpreter.syntax.tokens import Place
from serq_lsp.services.snapshot import Snapshot


class Span(NamedTuple):
    """A range of a file, in characters of its text."""

    file: str
    start: int
    end: int


def span_of(snapshot: Snapshot, place: Place) -> Span | None:
    """Where a place stands; `None` for one of another version or of an override's text."""
    try:
        source, start, end = snapshot.document.locate(place)
    except KeyError:
        return None
    return Span(source.file, start, end)
