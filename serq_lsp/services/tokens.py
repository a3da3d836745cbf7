"""Tokens of a snapshot's own text, by offset."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from serq_interpreter.syntax.chunks import Piece
from serq_interpreter.syntax.tokens import Token
from serq_lsp.services.snapshot import Snapshot


class At(NamedTuple):
    """A token with the offsets where it stands in the whole text."""

    token: Token
    start: int
    end: int


def tokens(snapshot: Snapshot) -> Iterator[At]:
    """Every token of the text, in order, comments excluded."""
    for base, piece in pieces(snapshot):
        for token in piece.tokens:
            yield At(token, base + token.start, base + token.end)


def pieces(snapshot: Snapshot) -> tuple[tuple[int, Piece], ...]:
    """The pieces of the text with their offsets."""
    return snapshot.document.sources[0].pieces


def piece_at(snapshot: Snapshot, offset: int) -> tuple[int, Piece] | None:
    """The piece that holds `offset` (the end of a piece belongs to it)."""
    found = pieces(snapshot)
    index = bisect_right(found, offset, key=lambda item: item[0]) - 1
    if index < 0:
        return None
    if index > 0 and found[index][0] == offset:
        base, before = found[index - 1]
        if before.tokens and base + before.tokens[-1].end == offset:
            return found[index - 1]
    return found[index]


def token_at(snapshot: Snapshot, offset: int) -> At | None:
    """The token under the cursor; of two that touch, the name, or else the one after."""
    found = piece_at(snapshot, offset)
    if found is None:
        return None
    candidates: list[At] = []
    for base, piece in (found, *_neighbour(snapshot, found)):
        for token in piece.tokens:
            if base + token.start <= offset <= base + token.end:
                candidates.append(At(token, base + token.start, base + token.end))
    if not candidates:
        return None
    names = [item for item in candidates if item.token.kind == "NAME"]
    inside = [item for item in candidates if item.start <= offset < item.end]
    return (names or inside or candidates)[-1 if not names else 0]


def tokens_before(snapshot: Snapshot, offset: int, count: int) -> list[At]:
    """The last `count` tokens that end at or before `offset`, the nearest first."""
    before: list[At] = []
    found = pieces(snapshot)
    index = bisect_right(found, offset, key=lambda item: item[0]) - 1
    while index >= 0 and len(before) < count:
        base, piece = found[index]
        for token in reversed(piece.tokens):
            if base + token.end <= offset:
                before.append(At(token, base + token.start, base + token.end))
                if len(before) == count:
                    break
        index -= 1
    return before


def comment_at(snapshot: Snapshot, offset: int) -> At | None:
    """The comment that `offset` stands in."""
    found = piece_at(snapshot, offset)
    if found is None:
        return None
    for base, piece in (found, *_neighbour(snapshot, found)):
        for token in piece.comments:
            start, end = base + token.start, base + token.end
            line_comment = token.text.startswith("//")
            if start < offset < end or (line_comment and start < offset == end):
                return At(token, start, end)
    return None


def _neighbour(snapshot: Snapshot, found: tuple[int, Piece]) -> list[tuple[int, Piece]]:
    every = pieces(snapshot)
    index = every.index(found)
    return [every[index + 1]] if index + 1 < len(every) else []
