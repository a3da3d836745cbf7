"""Texts to trees: cut, lex and parse a program, item by item, keeping what an edit did not touch (`parse_document`)."""

from __future__ import annotations

from collections.abc import Mapping

from serq_interpreter.record import record
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.chunks import MAX_CHARACTERS, Piece
from serq_interpreter.syntax.cutting import cut
from serq_interpreter.syntax.lines import LineIndex
from serq_interpreter.syntax.reading import LibraryError, LoadLibrary, Reading
from serq_interpreter.syntax.tokens import Chunk, Finding, Place, Token

__all__ = ["Document", "Layout", "LibraryError", "LoadLibrary", "Source", "parse_document"]


class Layout:
    """Where each chunk of one version of a text starts."""

    __slots__ = ("lines", "offsets")

    def __init__(self, text: str, offsets: dict[Chunk, int]) -> None:
        self.offsets = offsets
        self.lines = LineIndex(text)


@record
class Source:
    """One text of a program: the program itself or a library."""

    file: str
    text: str
    layout: Layout
    comments: tuple[Token, ...]
    pieces: tuple[tuple[int, Piece], ...]


@record
class Document:
    """A program as read: immutable."""

    file: str
    text: str
    tree: nodes.Tree
    findings: tuple[Finding, ...]
    sources: tuple[Source, ...]
    """The program's own text first, then its libraries in the order in which they were read."""
    is_library: bool
    """Whether the text holds definitions and uses only (and at least one)."""

    def locate(self, place: Place) -> tuple[Source, int, int]:
        """The source of a place and its offsets there; raises `KeyError` for a place of another document."""
        for source in self.sources:
            base = source.layout.offsets.get(place.chunk)
            if base is not None:
                return source, base + place.start, base + place.end
        raise KeyError(place.chunk.file)


def parse_document(
    text: str,
    file: str,
    previous: Document | None = None,
    load_library: LoadLibrary | None = None,
    bodies: Mapping[str, tuple[Token, ...]] | None = None,
) -> Document:
    """Read a program.  Never raises; whatever is wrong is a finding.

    `previous` is an earlier version of the same document, whose chunks are used again where the text is the same.
    `load_library` resolves `use`; without it a `use` is SQ0150.  `bodies` replace the bodies of expression definitions
    by name; `previous` must have been read with the same.
    """
    if len(text) > MAX_CHARACTERS:
        return _too_long(text, file)
    before = {source.file: source for source in previous.sources} if previous is not None else {}

    def cut_source(name: str, content: str) -> list[tuple[int, Piece]]:
        known = before.get(name)
        return cut(name, content, (known.text, known.pieces) if known is not None else None)

    pieces = cut_source(file, text)
    reading = Reading(file, load_library, cut_source, bodies)
    reading.program(pieces)
    tree = nodes.Tree(
        file, tuple(reading.items), tuple(reading.definitions), frozenset(reading.unparsed), reading.damaged
    )
    sources = [_source(file, text, pieces)]
    sources.extend(_source(*library) for library in reading.libraries)
    is_library = bool(reading.items) and all(isinstance(item, nodes.DefItem | nodes.UseItem) for item in reading.items)
    return Document(file, text, tree, tuple(reading.findings), tuple(sources), is_library)


def _source(file: str, text: str, pieces: list[tuple[int, Piece]]) -> Source:
    offsets = {piece.chunk: start for start, piece in pieces}
    comments = tuple(token for _, piece in pieces for token in piece.comments)
    return Source(file, text, Layout(text, offsets), comments, tuple(pieces))


def _too_long(text: str, file: str) -> Document:
    """A text that is not read at all (SQ0191)."""
    piece = Piece(Chunk(file, ""))
    place = Place(piece.chunk, 0, 0)
    finding = Finding("SQ0191", place, {"characters": len(text), "limit": MAX_CHARACTERS})
    tree = nodes.Tree(file, (), (), frozenset(), True)
    return Document(file, text, tree, (finding,), (_source(file, "", [(0, piece)]),), False)
