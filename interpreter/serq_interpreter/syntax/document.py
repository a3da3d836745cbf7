"""Texts to trees: cut, lex and parse a program, item by item, keeping what an edit did not touch (`parse_document`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.chunks import Cut, Piece, UnclosedString
from serq_interpreter.syntax.definitions import Definitions, Macro
from serq_interpreter.syntax.lines import LineIndex
from serq_interpreter.syntax.parser import Parser
from serq_interpreter.syntax.read_definition import read_definition
from serq_interpreter.syntax.tokens import Chunk, Finding, Place, Token, place_of


class LibraryError(Exception):
    """A library that cannot be read; the text says why, in plain words."""


LoadLibrary = Callable[[str, str], tuple[str, str]]
"""(path as written, file that says it) → (file, text); raises `LibraryError`."""


class Layout:
    """Where each chunk of one version of a text starts."""

    __slots__ = ("lines", "offsets")

    def __init__(self, text: str, offsets: dict[Chunk, int]) -> None:
        self.offsets = offsets
        self.lines = LineIndex(text)


@dataclass(frozen=True, slots=True)
class Source:
    """One text of a program: the program itself or a library."""

    file: str
    text: str
    layout: Layout
    comments: tuple[Token, ...]


@dataclass(frozen=True, slots=True)
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
    _pieces: tuple[tuple[int, Piece], ...] = ()

    def locate(self, place: Place) -> tuple[Source, int, int]:
        """The source of a place and its offsets there; raises `KeyError` for a place of another document."""
        for source in self.sources:
            base = source.layout.offsets.get(place.chunk)
            if base is not None:
                return source, base + place.start, base + place.end
        raise KeyError(place.chunk.file)


def parse_document(
    text: str, file: str, previous: Document | None = None, load_library: LoadLibrary | None = None
) -> Document:
    """Read a program.  Never raises; whatever is wrong is a finding.

    `previous` is an earlier version of the same document, whose chunks are used again where the text is the same.
    `load_library` resolves `use`; without it a `use` is SQ0150.
    """
    return _Reading(text, file, previous, load_library).document()


class _Reading:
    def __init__(self, text: str, file: str, previous: Document | None, load_library: LoadLibrary | None) -> None:
        self.text = text
        self.file = file
        self.previous = previous
        self.load_library = load_library
        self.macros: dict[str, Macro] = {}
        self.definitions: list[nodes.Definition] = []
        self.items: list[nodes.Item] = []
        self.findings: list[Finding] = []
        self.unparsed: set[str] = set()
        self.damaged = False
        self.sources: list[Source] = []
        self.read_files: set[str] = {file}

    def document(self) -> Document:
        pieces = self._cut(self.text, self.file)
        self.sources.append(self._source(self.file, self.text, pieces))
        for _, piece in pieces:
            self.findings.extend(piece.findings)
            if piece.tokens:
                self._item(piece)
        tree = nodes.Tree(
            self.file, tuple(self.items), tuple(self.definitions), frozenset(self.unparsed), self.damaged
        )
        library = bool(self.items) and all(isinstance(item, nodes.DefItem | nodes.UseItem) for item in self.items)
        return Document(self.file, self.text, tree, tuple(self.findings), tuple(self.sources), library, tuple(pieces))

    def _cut(self, text: str, file: str) -> list[tuple[int, Piece]]:
        try:
            return list(Cut(file, text).pieces(0))
        except UnclosedString:
            return list(Cut(file, text, by_line=True).pieces(0))

    def _source(self, file: str, text: str, pieces: list[tuple[int, Piece]]) -> Source:
        offsets = {piece.chunk: start for start, piece in pieces}
        comments = tuple(token for _, piece in pieces for token in piece.comments)
        return Source(file, text, Layout(text, offsets), comments)

    def _item(self, piece: Piece) -> None:
        first = piece.tokens[0]
        if first.text == "def" and first.kind == "NAME":
            item, findings = read_definition(piece.tokens, piece.eof)
            self.findings.extend(findings)
            self.items.append(item)
            if isinstance(item, nodes.DefItem):
                self._define(item)
            return
        parser = Parser(piece.tokens, piece.eof, Definitions(self.macros))
        item = parser.run("item")
        self.findings.extend(parser.findings)
        if item is None:
            self._damage(piece)
            token = parser.buffer[-1]
            self.findings.append(
                Finding("SQ0105", place_of(token), {"expected": "something else", "found": token.text or "the end"})
            )
            self.items.append(nodes.ErrorItem(first, piece.tokens[-1]))
            return
        if not isinstance(item, nodes.QueueItem):
            for paren in parser.own_runs:
                self.findings.append(Finding("SQ0164", place_of(paren), {}))
        self.items.append(item)
        if isinstance(item, nodes.UseItem):
            self._use(item)

    def _damage(self, piece: Piece) -> None:
        self.damaged = True
        self.unparsed.update(token.text for token in piece.tokens if token.kind == "NAME")

    def _define(self, item: nodes.DefItem) -> None:
        definition = nodes.Definition(item, item.name.chunk.file)
        self.definitions.append(definition)
        if item.name.text not in self.macros:
            self.macros[item.name.text] = Macro(definition)

    def _use(self, item: nodes.UseItem) -> None:
        if self.load_library is None:
            self.findings.append(Finding("SQ0150", item.place, {}))
            return
        try:
            file, text = self.load_library(item.path.text, item.path.chunk.file)
        except LibraryError as error:
            args: dict[str, object] = {"path": item.path.text, "reason": str(error)}
            self.findings.append(Finding("SQ0151", place_of(item.path), args))
            return
        if file in self.read_files:
            return
        self.read_files.add(file)
        self._library(file, text)

    def _library(self, file: str, text: str) -> None:
        pieces = self._cut(text, file)
        self.sources.append(self._source(file, text, pieces))
        for _, piece in pieces:
            self.findings.extend(piece.findings)
            if not piece.tokens:
                continue
            first = piece.tokens[0]
            if first.text == "def":
                item, findings = read_definition(piece.tokens, piece.eof)
                self.findings.extend(findings)
                if isinstance(item, nodes.DefItem):
                    self._define(item)
            elif first.text == "use":
                parser = Parser(piece.tokens, piece.eof)
                used = parser.run("item")
                if isinstance(used, nodes.UseItem):
                    self._use(used)
            else:
                self.findings.append(Finding("SQ0152", place_of(first), {}))
