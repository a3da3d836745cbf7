"""Ranges that no node has: the brackets of an index, the parentheses of a list.

A node keeps its first and last token; brackets around it are found in the text.  Where the text between was expanded
from a definition, the range of the part itself stands for the bracketed one.
"""

from __future__ import annotations

from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Place, Token, place_of


def bracketed(node: nodes.Node) -> Place:
    """The range of `[node]` or `(node)` with its brackets, or of `node` alone where they cannot be seen."""
    first, last = node.first, node.last
    chunk = first.chunk
    if first.via is not None or last.chunk is not chunk or last.via is not None:
        return node.place
    start, end = _skip_back(chunk.text, first.start), _skip(chunk.text, last.end)
    if start >= 0 and end < len(chunk.text) and chunk.text[start] in "[(" and chunk.text[end] in "])":
        return Place(chunk, start, end + 1)
    return node.place


def parenthesised(before: Token, last: Token | None = None) -> Place:
    """The range of the `(…)` that stands after the token `before`; `last` is the last token inside, if there is one.

    The range of `before` where the parentheses cannot be seen.
    """
    text = before.chunk.text
    inside = before if last is None else last
    if before.via is not None or inside.via is not None or inside.chunk is not before.chunk:
        return place_of(before)
    start = _skip(text, before.end)
    end = _skip(text, start + 1 if last is None else last.end)
    if start < len(text) and text[start] == "(" and end < len(text) and text[end] == ")":
        return Place(before.chunk, start, end + 1)
    return place_of(before)


def _skip(text: str, at: int) -> int:
    """The first position from `at` that is neither white space nor in a comment."""
    while at < len(text):
        if text[at].isspace():
            at += 1
        elif text.startswith("//", at):
            at = _after(text, "\n", at)
        elif text.startswith("/*", at):
            at = _after(text, "*/", at + 2)
        else:
            break
    return at


def _after(text: str, mark: str, at: int) -> int:
    found = text.find(mark, at)
    return len(text) if found < 0 else found + len(mark)


def _skip_back(text: str, at: int) -> int:
    """The last position before `at` that is no white space; comments are not looked through."""
    at -= 1
    while at >= 0 and text[at].isspace():
        at -= 1
    return at
