"""Semantic tokens: what each word means, with modifiers for hidden attributes, snapshots and retired words."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from serq_interpreter.catalog.vocabulary import (
    EXTENSION_KEYWORDS,
    KEYWORDS,
    RENAMED_CONTEXT,
    RETIRED_WORDS,
    ROLE_WORDS,
    SERVING_FORMS,
)
from serq_interpreter.semantics.tree import Symbol
from serq_lsp.services.names import is_lineage, names_of
from serq_lsp.services.snapshot import Snapshot
from serq_lsp.services.tokens import pieces

TYPES = (
    "keyword",
    "comment",
    "string",
    "number",
    "operator",
    "class",
    "struct",
    "namespace",
    "method",
    "variable",
    "property",
    "event",
    "decorator",
    "macro",
    "parameter",
    "function",
)
MODIFIERS = ("declaration", "readonly", "defaultLibrary", "hidden", "snapshot", "retired", "modification")

_TYPE_OF_KIND: dict[str, tuple[str, tuple[str, ...]]] = {
    "pool": ("class", ()),
    "stage": ("struct", ()),
    "queue": ("namespace", ()),
    "entry": ("method", ()),
    "constant": ("variable", ("readonly",)),
    "attribute": ("variable", ()),
    "binding": ("variable", ("snapshot",)),
    "register": ("property", ()),
    "observation": ("event", ()),
    "gauge": ("event", ()),
    "claim": ("decorator", ()),
    "group": ("decorator", ()),
    "definition": ("macro", ()),
    "parameter": ("parameter", ()),
    "index": ("parameter", ()),
    "source": ("parameter", ()),
    "self": ("parameter", ("defaultLibrary",)),
    "context": ("variable", ("defaultLibrary", "readonly")),
    "builtin": ("variable", ("defaultLibrary",)),
    "function": ("function", ("defaultLibrary",)),
    "distribution": ("function", ("defaultLibrary",)),
}

_KEYWORDS = frozenset(KEYWORDS) | frozenset(EXTENSION_KEYWORDS) | frozenset(ROLE_WORDS) | RETIRED_WORDS
_OPERATORS = frozenset("+ - * / ^ < <= > >= == != ! && || ? ~ =".split())


class Coloured(NamedTuple):
    """A token of the text: offsets, index into `TYPES`, bits of `MODIFIERS`."""

    start: int
    end: int
    type: int
    modifiers: int


def semantic_tokens(snapshot: Snapshot, start: int = 0, end: int | None = None) -> list[Coloured]:
    """The tokens that overlap `start` to `end`, in order; none runs over a line's end."""
    limit = len(snapshot.text) if end is None else end
    index = names_of(snapshot.analysis)
    hidden = {item.name for item in snapshot.analysis.elaborated.hidden}
    found: list[Coloured] = []
    for base, piece in pieces(snapshot):
        if base > limit or base + len(piece.chunk.text) < start:
            continue
        for token in piece.comments:
            found.extend(_lines(snapshot, base + token.start, base + token.end))
        for token in piece.tokens:
            symbol = index.symbol(token.chunk, token.start) if token.kind == "NAME" else None
            kind, modifiers = _meaning(token.kind, token.text, symbol, hidden)
            if kind is None:
                continue
            if symbol is not None and symbol.declared is not None:
                declared = symbol.declared
                if declared.chunk is token.chunk and declared.start == token.start:
                    modifiers = (*modifiers, "declaration")
            found.append(_coloured(base + token.start, base + token.end, kind, modifiers))
    found.sort()
    return [item for item in found if item.end > start and item.start < limit]


def _meaning(kind: str, text: str, symbol: Symbol | None, hidden: set[str]) -> tuple[str | None, tuple[str, ...]]:
    if kind == "NUMBER":
        return "number", ()
    if kind == "STRING":
        return "string", ()
    if kind != "NAME":
        return ("operator", ()) if kind in _OPERATORS else (None, ())
    if symbol is not None and not (symbol.kind == "stage" and text in SERVING_FORMS and symbol.name != text):
        known, modifiers = _TYPE_OF_KIND.get(symbol.kind, ("variable", ()))
        if is_lineage(symbol):
            modifiers = ("defaultLibrary", "readonly")
        if symbol.name in hidden and symbol.kind in ("attribute", "builtin"):
            modifiers = (*modifiers, "hidden")
        return known, modifiers
    if text in RENAMED_CONTEXT and text not in _KEYWORDS:
        return "variable", ("retired",)
    if text in _KEYWORDS:
        return "keyword", ("retired",) if text in ("enter", "keep", "where", "fit") else ()
    return None, ()


def _lines(snapshot: Snapshot, start: int, end: int) -> list[Coloured]:
    found = []
    while start < end:
        stop = snapshot.text.find("\n", start, end)
        stop = end if stop < 0 else stop
        if stop > start:
            found.append(_coloured(start, stop, "comment", ()))
        start = stop + 1
    return found


def _coloured(start: int, end: int, kind: str, modifiers: tuple[str, ...]) -> Coloured:
    return Coloured(start, end, *_numbers(kind, modifiers))


@cache
def _numbers(kind: str, modifiers: tuple[str, ...]) -> tuple[int, int]:
    """A type and its modifiers as the protocol counts them."""
    bits = 0
    for modifier in modifiers:
        bits |= 1 << MODIFIERS.index(modifier)
    return TYPES.index(kind), bits
