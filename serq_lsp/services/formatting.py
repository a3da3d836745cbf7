"""Formatting as the smallest edits that turn the text into its canonical form."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from serq_interpreter.syntax.printer import format_text
from serq_lsp.services.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Replacement:
    """Replace the characters `start` to `end` by `text`."""

    start: int
    end: int
    text: str


def formatting(snapshot: Snapshot) -> list[Replacement]:
    """The edits of the whole text; none when it has syntax errors or is formatted already."""
    before = snapshot.text
    after = format_text(before)
    if after is None or after == before:
        return []
    return _line_edits(before, after)


def range_formatting(snapshot: Snapshot, start: int, end: int) -> list[Replacement]:
    """The edits of the whole text that touch the lines of the range."""
    return [item for item in formatting(snapshot) if item.start <= end and item.end >= start]


def on_type_formatting(snapshot: Snapshot, offset: int) -> list[Replacement]:
    """The edits of the line before the cursor, after a `;` or a `}` was typed."""
    line = snapshot.text.rfind("\n", 0, offset) + 1
    return [item for item in range_formatting(snapshot, line, offset) if item.start >= line and item.end <= offset]


def _line_edits(before: str, after: str) -> list[Replacement]:
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    offsets = [0]
    for line in old:
        offsets.append(offsets[-1] + len(line))
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return [
        Replacement(offsets[i1], offsets[i2], "".join(new[j1:j2]))
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
        if tag != "equal"
    ]
