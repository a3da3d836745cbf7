"""Tokens and places: where something stands in which text.

A text is cut into *chunks* (one item with the blank space and comments before it).
Offsets count characters from the chunk's start, so a chunk that an edit elsewhere
moves keeps its tokens, its tree and its findings.  A `Layout` gives each chunk its
offset in one version of its file.
"""

from __future__ import annotations

from typing import NamedTuple

from serq_interpreter.record import fact


class Chunk:
    """A piece of a file that is lexed and parsed on its own.  Compared by identity."""

    __slots__ = ("file", "text")

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        """The path as the user knows it, or `<text>`."""
        self.text = text


class Token:
    """One token.  `kind` is `NAME`, `NUMBER`, `STRING`, `EOF`, or the punctuation itself (`"("`, `"<="`).

    `via` is the expansion that brought the token here, `None` for a token read where it is written.
    An expanded token has the `chunk`, `start` and `end` of the token in the definition's body or in the
    argument that it was copied from.
    """

    __slots__ = ("chunk", "end", "kind", "start", "text", "via")

    def __init__(self, kind: str, text: str, start: int, end: int, chunk: Chunk, via: Expansion | None = None) -> None:
        self.kind = kind
        self.text = text
        self.start = start
        self.end = end
        self.chunk = chunk
        self.via = via

    def __repr__(self) -> str:
        return f"Token({self.kind!r}, {self.text!r}, {self.start}, {self.end})"


class Expansion:
    """One use of a definition: the `use` (its name token) of `definition`, itself reached through `use.via`."""

    __slots__ = ("definition", "use")

    def __init__(self, use: Token, definition: str) -> None:
        self.use = use
        self.definition = definition


class Place(NamedTuple):
    """A range of one chunk, in characters from the chunk's start; empty when `start == end`."""

    chunk: Chunk
    start: int
    end: int
    via: Expansion | None = None


def place_of(first: Token, last: Token | None = None) -> Place:
    """The range from `first` to `last`; only `first` when they stand in different texts."""
    if last is None or last.chunk is not first.chunk or last.end < first.start:
        last = first
    return _made(Place, (first.chunk, first.start, last.end, first.via))


_made = tuple.__new__
"""Places are made by the thousand for every analysis; the constructor of a named tuple takes twice as long."""


@fact
class Edit:
    """Replace the text at `place` by `text`."""

    place: Place
    text: str


@fact
class Fix:
    """What a person may apply; `safe` fixes need no question."""

    title: str
    edits: tuple[Edit, ...]
    safe: bool = False


@fact
class Note:
    """A related place and what it has to do with the finding."""

    place: Place
    message: str


@fact
class Finding:
    """A diagnostic before it is worded: `catalog.entry(code).message.format(**args)` is its message.

    `key` makes repetitions equal (spec 03 §4.4): of findings with the same code and key the first is kept.
    """

    code: str
    place: Place
    args: dict[str, object]
    notes: tuple[Note, ...] = ()
    fixes: tuple[Fix, ...] = ()
    help: str = ""
    key: object = None
