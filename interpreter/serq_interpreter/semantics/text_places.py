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


def after(token: Token) -> str:
    """The first character after `token` that is neither white space nor in a comment; empty at the text's end."""
    at = _skip(token.chunk.text, token.end)
    return token.chunk.text[at : at + 1]


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


def opening(word: Token) -> Place:
    """The `(` that stands after `word`, or `word` itself where it cannot be seen."""
    at = _skip(word.chunk.text, word.end)
    if word.via is None and word.chunk.text[at : at + 1] == "(":
        return Place(word.chunk, at, at + 1)
    return place_of(word)


def clause(word: str, first: nodes.Node, last: nodes.Node, closing: bool = False) -> Place:
    """The range of a clause `word first … last`, with the `)` after `last` when `closing`."""
    start, end = first.first, last.last
    chunk = start.chunk
    if start.via is not None or end.via is not None or end.chunk is not chunk:
        return first.place
    begin = _skip_back(chunk.text, start.start) + 1 - len(word)
    stop = end.end
    if closing:
        after = _skip(chunk.text, stop)
        stop = after + 1 if chunk.text[after : after + 1] == ")" else stop
    if begin >= 0 and chunk.text[begin : begin + len(word)] == word:
        return Place(chunk, begin, stop)
    return first.place
