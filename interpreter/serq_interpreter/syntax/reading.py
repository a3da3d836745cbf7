"""One reading of a program: its items in order, the definitions above each, and the libraries that it uses.

What an item gave is kept with its piece and taken again while the definitions that it asked for are the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.chunks import Piece
from serq_interpreter.syntax.definition_rules import (
    LateUse,
    called_in,
    name_findings,
    order_findings,
    parameter_findings,
    program_findings,
)
from serq_interpreter.syntax.definitions import MAX_TOKENS
from serq_interpreter.syntax.macro import Macro, UnknownMacro
from serq_interpreter.syntax.piece import Parsed, calls, parse_again, parse_piece
from serq_interpreter.syntax.tokens import Finding, Note, Token, place_of

if TYPE_CHECKING:
    pass


class LibraryError(Exception):
    """A library that cannot be read; the text says why, in plain words."""


LoadLibrary = Callable[[str, str], tuple[str, str]]
"""(path as written, file that says it) → (file, text); raises `LibraryError`."""
CutLibrary = Callable[[str, str], list[tuple[int, Piece]]]
"""(file, text) → the pieces of a library; the same list for the same text where possible."""


class Reading:
    """Reads the pieces of a program, and of its libraries where a `use` stands."""

    def __init__(
        self,
        file: str,
        load_library: LoadLibrary | None,
        cut_library: CutLibrary,
        bodies: Mapping[str, tuple[Token, ...]] | None = None,
    ) -> None:
        self.bodies = bodies or {}
        """Bodies that replace those of expression definitions, by name (`--def`)."""
        self.load_library = load_library
        self.cut_library = cut_library
        self.macros: dict[str, Macro | UnknownMacro] = {}
        self.definitions: list[nodes.Definition] = []
        self.named: dict[str, nodes.Definition] = {}
        """Every definition by its name, also those that cannot be used; the first keeps the name."""
        self.items: list[nodes.Item] = []
        self.findings: list[Finding] = []
        self.unparsed: set[str] = set()
        self.damaged = False
        self.late: list[LateUse] = []
        self.libraries: list[tuple[str, str, list[tuple[int, Piece]]]] = []
        self.files: set[str] = {file}
        self.tokens = 0
        self.grown = 0
        self.missing_library = False
        self.nameless = False
        """Whether a definition has lost its name, or a `use` its form: any unknown statement may be defined there."""
        self.maybe_defined: set[str] = set()
        """Names before a `(` in items that could not be read."""
        self.reported: set[tuple[object, ...]] = set()
        """Errors in expanded text: a body's is reported at its first use only."""
        self.after_damage = False
        """Whether the piece before had a syntax error: what follows it and starts no item is a consequence."""

    def program(self, pieces: list[tuple[int, Piece]]) -> None:
        """Read the program's own pieces."""
        self.tokens = 1 + sum(len(piece.tokens) for _, piece in pieces)
        below = _defined([piece for _, piece in pieces])
        for index, (_, piece) in enumerate(pieces):
            self.lexical(piece)
            if piece.tokens:
                following = pieces[index + 1][1] if index + 1 < len(pieces) else None
                self.items.append(self.piece(piece, below, following).item)
        self.findings.extend(program_findings(self.items, self.named, self.late))
        self.findings = [self.explained(finding) for finding in self.findings if not self.is_consequence(finding)]

    def explained(self, finding: Finding) -> Finding:
        """An unknown statement that is a definition further down points at it."""
        definition = self.named.get(str(finding.args.get("name")))
        if finding.code != "SQ0112" or definition is None:
            return finding
        note = Note(place_of(definition.item.name), f"`{definition.name}` is defined here, below its use")
        return replace(finding, notes=(note,), fixes=(), help="a definition can be used below its text: move it up")

    def is_consequence(self, finding: Finding) -> bool:
        """Whether a statement is unknown only because a definition, or a library, could not be read."""
        if finding.code != "SQ0112" or not finding.args.get("called"):
            return False
        return self.missing_library or self.nameless or finding.args.get("name") in self.maybe_defined

    def lexical(self, piece: Piece) -> None:
        """What the lexer found in a piece; an open comment hides whatever it holds."""
        for finding in piece.findings:
            self.findings.append(finding)
            if finding.code == "SQ0102":
                self.damaged = True
                self.unparsed.update(re.findall(r"[^\W\d]\w*", piece.chunk.text[finding.place.start :]))

    def piece(self, piece: Piece, below: dict[str, Token], following: Piece | None = None) -> Parsed:
        """Read one piece, or take what it gave before; `following` is the piece after it."""
        room = MAX_TOKENS - self.tokens - self.grown
        parsed = piece.parsed
        if not isinstance(parsed, Parsed) or not parsed.holds(self.macros, room):
            again = (
                parse_again(piece, parsed, self.macros, room) if isinstance(parsed, Parsed) and parsed.clean else None
            )
            parsed = piece.parsed = again or parse_piece(piece, self.macros, room)
        consequence = self.after_damage and not piece.starts_item()
        if not consequence:
            self.report([_at_next_item(finding, piece, following) for finding in parsed.findings])
        if parsed.damaged:
            self.damaged = True
        self.unparsed |= parsed.unparsed
        self.after_damage = parsed.damaged
        self.late.extend(parsed.late)
        self.grown += parsed.grown
        item = parsed.item
        if isinstance(item, nodes.ErrorItem):
            self.maybe_defined |= calls(piece.tokens)
            head = piece.tokens[0]
            if (head.text == "def" and not item.declared) or head.text == "use" or head.kind == "STRING":
                self.nameless = True
            for kind, name in item.declared:
                if kind == "def":
                    below.pop(name.text, None)
                    self.macros.setdefault(name.text, self.unknown_macro(parsed, name.text))
        elif isinstance(item, nodes.DefItem):
            below.pop(item.name.text, None)
            self.define(item, parsed, below)
        elif isinstance(item, nodes.UseItem) and all(finding.code == "SQ0105" for finding in parsed.findings):
            # A missing `;` leaves no doubt about the library.
            self.use(item)
        return parsed

    def unknown_macro(self, parsed: Parsed, name: str) -> UnknownMacro:
        """The same object for the same parse."""
        if not isinstance(parsed.macro, UnknownMacro):
            parsed.macro = UnknownMacro(name)
        return parsed.macro

    def report(self, findings: list[Finding]) -> None:
        """Report what a piece gave; an error at one token of a body once (spec 03 §3)."""
        for finding in findings:
            place = finding.place
            if place.via is not None or finding.code == "SQ0147":
                key: tuple[object, ...] = (finding.code, place.chunk, place.start)
                if finding.code == "SQ0147":
                    key = (finding.code,)
                if key in self.reported:
                    continue
                self.reported.add(key)
            self.findings.append(finding)

    def define(self, item: nodes.DefItem, parsed: Parsed, below: dict[str, Token]) -> None:
        """Make a definition known to what follows."""
        replaced = self.bodies.get(item.name.text)
        called, of_parameters = parsed.called, parsed.of_parameters
        if replaced is not None and item.is_expression:
            item = nodes.DefItem(item.first, item.last, item.name, item.parameters, True, replaced)
            called, of_parameters = called_in(item), parameter_findings(item)
        definition = nodes.Definition(item, item.name.chunk.file)
        misnamed = name_findings(item, self.named)
        suspect = item.name.text in called or not called.isdisjoint(below)
        ordered = order_findings(item, below) if suspect else []
        self.findings.extend(misnamed)
        self.findings.extend(of_parameters)
        self.findings.extend(ordered)
        if not isinstance(parsed.macro, Macro) or (parsed.macro.tokens is None) != (
            bool(ordered) or item.tokens is None
        ):
            parsed.macro = Macro(definition, self.macros, known=not ordered)
        self.definitions.append(parsed.macro.definition)
        self.named.setdefault(item.name.text, parsed.macro.definition)
        if not misnamed or misnamed[0].code == "SQ0129":
            self.macros[item.name.text] = parsed.macro

    def use(self, item: nodes.UseItem) -> None:
        """Read the library that a `use` names, once."""
        if self.load_library is None:
            self.findings.append(Finding("SQ0150", item.place, {}))
            return
        try:
            file, text = self.load_library(item.path.text, item.path.chunk.file)
        except LibraryError as error:
            args: dict[str, object] = {"path": item.path.text, "reason": str(error)}
            self.findings.append(Finding("SQ0151", place_of(item.path), args))
            self.damaged = self.missing_library = True
            return
        if file in self.files:
            return
        self.files.add(file)
        pieces = self.cut_library(file, text)
        self.libraries.append((file, text, pieces))
        self.tokens += sum(len(piece.tokens) for _, piece in pieces)
        if self.tokens + self.grown > MAX_TOKENS:
            self.findings.append(Finding("SQ0154", item.place, {"path": item.path.text, "limit": MAX_TOKENS}))
            return
        self.library(pieces, Note(item.place, "the library is used here"))

    def library(self, pieces: list[tuple[int, Piece]], note: Note) -> None:
        """Read the pieces of a library: definitions and uses only."""
        before = self.after_damage
        self.after_damage = False
        below = _defined([piece for _, piece in pieces])
        for _, piece in pieces:
            self.lexical(piece)
            if not piece.tokens:
                continue
            first = piece.tokens[0]
            if first.kind != "NAME" or first.text not in ("def", "use"):
                if not self.after_damage or piece.starts_item():
                    args: dict[str, object] = {"found": first.text or first.kind}
                    self.findings.append(Finding("SQ0152", place_of(first), args, (note,)))
                self.after_damage = True
                continue
            if piece.unclosed:
                self.findings.append(Finding("SQ0153", place_of(first), {}, (note,)))
                self.after_damage = True
                continue
            self.piece(piece, below)
        self.after_damage = before


def _at_next_item(finding: Finding, piece: Piece, following: Piece | None) -> Finding:
    """A definition without a body lacks it where the next item starts (the catalogue underlines the token found)."""
    if finding.code != "SQ0140" or following is None or not following.tokens or finding.place.start < piece.eof.start:
        return finding
    return replace(finding, place=place_of(following.tokens[0]))


def _defined(pieces: Iterable[Piece]) -> dict[str, Token]:
    """The names that the pieces define."""
    found: dict[str, Token] = {}
    for piece in pieces:
        tokens = piece.tokens
        if len(tokens) > 1 and tokens[0].text == "def" and tokens[1].kind == "NAME":
            found.setdefault(tokens[1].text, tokens[1])
    return found
