"""Folding and selection ranges, from brackets and comments: they work on any text."""

from __future__ import annotations

from dataclasses import dataclass

from serq_lsp.services.snapshot import Snapshot
from serq_lsp.services.tokens import pieces, tokens

CLOSES = {")": "(", "]": "[", "}": "{"}


@dataclass(frozen=True, slots=True)
class Fold:
    """Lines (0-based) that fold together; `kind` is `region` or `comment`."""

    start_line: int
    end_line: int
    kind: str


def folding(snapshot: Snapshot) -> list[Fold]:
    """Blocks in braces over several lines, and comments over several lines."""
    lines = snapshot.lines
    found = []
    for start, end in _pairs(snapshot):
        if snapshot.text[start] != "{":
            continue
        first, last = lines.line_column(start)[0] - 1, lines.line_column(end - 1)[0] - 1
        if last > first:
            found.append(Fold(first, last, "region"))
    found.extend(_comments(snapshot))
    return sorted(found, key=lambda fold: (fold.start_line, -fold.end_line))


def _comments(snapshot: Snapshot) -> list[Fold]:
    lines = snapshot.lines
    found: list[Fold] = []
    run: list[int] = []

    def close() -> None:
        if len(run) > 1:
            found.append(Fold(run[0], run[-1], "comment"))
        run.clear()

    for base, piece in pieces(snapshot):
        for token in piece.comments:
            first = lines.line_column(base + token.start)[0] - 1
            last = lines.line_column(base + token.end - 1)[0] - 1
            alone = not snapshot.text[lines.starts[first] : base + token.start].strip()
            if last > first:
                close()
                found.append(Fold(first, last, "comment"))
            elif alone and run and first == run[-1] + 1:
                run.append(first)
            else:
                close()
                if alone:
                    run.append(first)
    close()
    return found


def selection(snapshot: Snapshot, offset: int) -> list[tuple[int, int]]:
    """The ranges to select one after another, the smallest first: word, statement, inside and outside of brackets, item."""
    found: set[tuple[int, int]] = {(0, len(snapshot.text))}
    for at in tokens(snapshot):
        if at.start <= offset <= at.end:
            found.add((at.start, at.end))
    for start, end in _pairs(snapshot):
        if start <= offset <= end:
            found.add((start, end))
            if start < offset < end and end - start > 2:
                inner = snapshot.text[start + 1 : end - 1]
                left = len(inner) - len(inner.lstrip())
                found.add((start + 1 + left, start + 1 + len(inner.rstrip())))
    found.update(_statements(snapshot, offset))
    for base, piece in pieces(snapshot):
        if piece.tokens and base + piece.tokens[0].start <= offset <= base + piece.tokens[-1].end:
            found.add((base + piece.tokens[0].start, base + piece.tokens[-1].end))
    nested: list[tuple[int, int]] = []
    for span in sorted(found, key=lambda item: (item[1] - item[0], item)):
        if not (span[0] <= offset <= span[1]) or span[0] >= span[1]:
            continue
        if not nested or (span[0] <= nested[-1][0] and span[1] >= nested[-1][1]):
            nested.append(span)
    return nested or [(offset, offset)]


def _statements(snapshot: Snapshot, offset: int) -> list[tuple[int, int]]:
    """The run of tokens around the cursor between two of `;`, `{`, `}` at its nesting."""
    stack: list[int] = [-1]
    start = -1
    for at in tokens(snapshot):
        kind = at.token.kind
        if stack[-1] < 0:
            stack[-1] = at.start
        if kind == "{":
            stack.append(-1)
            continue
        if kind == "}" and len(stack) > 1:
            stack.pop()
        start = stack[-1]
        if kind in (";", "}"):
            if start >= 0 and start <= offset <= at.end:
                return [(start, at.end)]
            stack[-1] = -1
    return []


def _pairs(snapshot: Snapshot) -> list[tuple[int, int]]:
    """The ranges of matching brackets, brackets included."""
    found: list[tuple[int, int]] = []
    for base, piece in pieces(snapshot):
        stack: list[tuple[str, int]] = []
        for token in piece.tokens:
            if token.kind in "([{" and len(token.kind) == 1:
                stack.append((token.kind, base + token.start))
            elif token.kind in CLOSES:
                while stack and stack[-1][0] != CLOSES[token.kind]:
                    stack.pop()
                if stack:
                    found.append((stack.pop()[1], base + token.end))
    return found
