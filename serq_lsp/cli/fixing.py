"""Applying fixes to files, and showing them as a diff."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from serq_interpreter.frontend.diagnostic import Diagnostic, TextEdit


def edits_of(diagnostics: Iterable[Diagnostic], unsafe: bool) -> dict[str, list[TextEdit]]:
    """The edits to apply, per file, in order and without overlaps.

    Of each diagnostic the first admissible fix counts, whole or not at all.
    """
    taken: dict[str, list[TextEdit]] = {}
    for item in diagnostics:
        for fix in item.fixes:
            if (fix.safe or unsafe) and not _overlaps(fix.edits, taken):
                for edit in fix.edits:
                    taken.setdefault(edit.location.file, []).append(edit)
                break
    return taken


def apply_edits(text: str, edits: Iterable[TextEdit]) -> str:
    """`text` with the edits made; they do not overlap."""
    for edit in sorted(edits, key=lambda item: item.location.start_offset, reverse=True):
        text = text[: edit.location.start_offset] + edit.text + text[edit.location.end_offset :]
    return text


def diff(file: str, before: str, after: str) -> str:
    """A unified diff of one file."""
    return "".join(
        difflib.unified_diff(
            before.splitlines(keepends=True), after.splitlines(keepends=True), fromfile=file, tofile=file
        )
    )


def _overlaps(edits: tuple[TextEdit, ...], taken: dict[str, list[TextEdit]]) -> bool:
    for edit in edits:
        start, end = edit.location.start_offset, edit.location.end_offset
        for other in taken.get(edit.location.file, ()):
            if start < other.location.end_offset and other.location.start_offset < end:
                return True
            if start == end == other.location.start_offset == other.location.end_offset:
                return True
    return False
