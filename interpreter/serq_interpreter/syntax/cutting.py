"""Cut a text, taking the pieces of an earlier version where the text is the same."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from serq_interpreter.syntax.chunks import Cut, OtherLexing, Piece


def cut(file: str, text: str, before: tuple[str, Sequence[tuple[int, Piece]]] | None = None) -> list[tuple[int, Piece]]:
    """The pieces of a text with their offsets; `before` are those of an earlier version, and its text."""
    by_line = all_letters = False
    if before is not None and before[1]:
        if before[0] == text:
            return list(before[1])
        if not any(piece.special for _, piece in before[1]):
            try:
                return _again(file, text, *before)
            except OtherLexing as other:
                by_line, all_letters = other.by_line, other.all_letters
    while True:
        try:
            return list(Cut(file, text, by_line, all_letters).pieces(0))
        except OtherLexing as other:
            by_line, all_letters = other.by_line, other.all_letters


def _again(file: str, text: str, old_text: str, old: Sequence[tuple[int, Piece]]) -> list[tuple[int, Piece]]:
    same_start = _common_prefix(text, old_text)
    same_end = _common_suffix(text, old_text, min(len(text), len(old_text)) - same_start)
    moved = len(text) - len(old_text)
    head = _kept_head(old, same_start)
    pieces = list(old[:head])
    start = old[head][0] if head < len(old) else 0
    offsets = [offset for offset, _ in old]
    first_same = len(text) - same_end
    for offset, piece in Cut(file, text).pieces(start):
        if offset >= first_same:
            index = bisect_left(offsets, offset - moved)
            if index < len(old) and offsets[index] == offset - moved:
                pieces.extend((at + moved, kept) for at, kept in old[index:])
                return pieces
        pieces.append((offset, piece))
    return pieces


def _kept_head(old: Sequence[tuple[int, Piece]], same_start: int) -> int:
    """How many pieces at the start an edit at `same_start` cannot have changed.

    The end of a piece depends on the first tokens after it, and that of a piece with an open bracket on all that follows.
    """
    changed = next((n for n, (offset, piece) in enumerate(old) if offset >= same_start or piece.unclosed), len(old) - 1)
    return max(0, changed - 2)


def _common_prefix(a: str, b: str) -> int:
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _common_suffix(a: str, b: str, limit: int) -> int:
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if a[len(a) - middle : len(a) - low] == b[len(b) - middle : len(b) - low]:
            low = middle
        else:
            high = middle - 1
    return low
