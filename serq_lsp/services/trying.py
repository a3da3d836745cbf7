"""Trying an edit before it is offered: the analysis of the text as it would be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from serq_interpreter.files import FileError, library_loader
from serq_interpreter.frontend.analysis import Analysis, analyse
from serq_lsp.services.snapshot import Snapshot

Change = tuple[int, int, str]
"""Replace the characters from start to end."""


def tried(snapshot: Snapshot, changes: Sequence[Change]) -> Analysis | None:
    """The analysis after the changes; `None` where it has a finding that the text has not yet."""
    text = snapshot.text
    for start, end, piece in sorted(changes, reverse=True):
        text = text[:start] + piece + text[end:]
    before = snapshot.analysis
    known = {source.file: source.text for source in snapshot.document.sources}

    def read(path: str) -> str:
        if path not in known:
            raise FileError(path, "it is not read for this")
        return known[path]

    loader = None if before.options.from_text else library_loader(before.file, read)
    after = analyse(text, before.file, options=before.options, previous=before, load_library=loader)
    more = Counter(item.code for item in after.diagnostics) - Counter(item.code for item in before.diagnostics)
    return None if more else after
