"""What one piece of a text gives: its item, and all that must be known to give it again (`Parsed`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from serq_interpreter.catalog.vocabulary import LANGUAGE_WORDS
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.again import needed, read_again
from serq_interpreter.syntax.chunks import Piece
from serq_interpreter.syntax.definition_rules import LateUse, called_in, parameter_findings
from serq_interpreter.syntax.definitions import Definitions, Growth
from serq_interpreter.syntax.macro import Macro, UnknownMacro
from serq_interpreter.syntax.parser import Parser
from serq_interpreter.syntax.read_definition import read_definition
from serq_interpreter.syntax.tokens import Finding, Token, place_of

if TYPE_CHECKING:
    from serq_interpreter.syntax.recovery import Recovery

Macros = dict[str, Macro | UnknownMacro]

DECLARING = frozenset(("let", "def", "pool", "stage", "queue", "gauge", "claim"))


class Parsed:
    """What one piece gave.  `asked` are the names that it may use as definitions, and what each meant."""

    __slots__ = (
        "asked",
        "called",
        "clean",
        "damaged",
        "findings",
        "grown",
        "growth",
        "item",
        "late",
        "macro",
        "of_parameters",
        "room",
        "unparsed",
    )

    def __init__(self, item: nodes.Item, asked: dict[str, Macro | UnknownMacro | None]) -> None:
        self.item = item
        self.asked = asked
        self.findings: list[Finding] = []
        self.unparsed: set[str] = set()
        self.damaged = False
        self.late: list[LateUse] = []
        self.clean = False
        """Whether nothing at all was to be said of it, so that a part of it can be read again alone."""
        self.growth: dict[int, Growth] = {}
        """What its uses grow by (`Definitions.growth`)."""
        self.grown = 0
        self.room = 0
        """How much room for expansions it needs."""
        self.macro: Macro | UnknownMacro | None = None
        self.called: frozenset[str] = frozenset()
        """Of a definition: the names before a `(` in its body."""
        self.of_parameters: list[Finding] = []
        """Of a definition: what its parameters are told."""

    def holds(self, macros: dict[str, Macro | UnknownMacro], room: int) -> bool:
        """Whether the piece would give the same below these macros."""
        if self.room > room:
            return False
        for name, macro in self.asked.items():  # noqa: SIM110 - asked of every piece at every edit
            if macros.get(name) is not macro:
                return False
        return True


def parse_piece(piece: Piece, macros: Macros, room: int) -> Parsed:
    """Parse one piece below these macros."""
    first, last = piece.tokens[0], piece.tokens[-1]
    if piece.too_deep is not None:
        parsed = Parsed(nodes.ErrorItem(first, last, declared(piece.tokens)), {})
        parsed.findings.append(Finding("SQ0190", place_of(piece.too_deep), {}))
        return damaged(parsed, piece.tokens)
    if first.text == "def" and first.kind == "NAME":
        definition, findings = read_definition(piece.tokens, piece.eof)
        parsed = Parsed(definition, {name: macros.get(name) for name in calls(piece.tokens)})
        parsed.findings.extend(findings)
        if isinstance(definition, nodes.DefItem):
            parsed.called = called_in(definition)
            parsed.of_parameters = parameter_findings(definition)
        return damaged(parsed, piece.tokens) if findings else parsed
    definitions = Definitions(macros, room)
    parser = Parser(piece.tokens, piece.eof, definitions)
    recovery = parser.recover = Repair(piece)
    item = parser.run("item")
    if item is None:
        item = nodes.ErrorItem(first, last, declared(piece.tokens))
    if not isinstance(item, nodes.QueueItem):
        parser.findings.extend(Finding("SQ0164", place_of(paren), {}) for paren in parser.own_runs)
    asked: dict[str, Macro | UnknownMacro | None] = {name: macros.get(name) for name in calls(piece.tokens)}
    asked.update(definitions.asked)
    parsed = Parsed(item, asked)
    parsed.findings = parser.findings
    parsed.damaged = recovery.damaged or bool(definitions.unknown) or bool(piece.bad)
    parsed.unparsed = recovery.unparsed | definitions.unknown | definitions.left_out
    if isinstance(item, nodes.ErrorItem):
        damaged(parsed, piece.tokens)
    parsed.late = definitions.late
    parsed.growth = definitions.growth
    parsed.clean = definitions.clean and not (parsed.findings or parsed.damaged or parsed.unparsed)
    parsed.grown = definitions.grown
    parsed.room = definitions.most if not definitions.exceeded else 1 << 60
    return parsed


def parse_again(piece: Piece, before: Parsed, macros: Macros, room: int) -> Parsed | None:
    """What a piece gives below definitions of which some have changed; `None` when all of it must be read."""
    asked = {name: macros.get(name) for name in before.asked}
    changed = {name for name, macro in before.asked.items() if asked[name] is not macro}
    found = read_again(piece, before.item, before.growth, changed, macros, room)
    if found is None:
        return None
    asked.update(found.asked)
    parsed = Parsed(found.item, asked)
    parsed.clean = True
    parsed.growth = found.growth
    parsed.grown = sum(growth.total for growth in found.growth.values())
    parsed.room = needed(found.growth)
    return parsed


class Repair:
    """What a parser calls at an error: loads the recovery when there is a first one, which most pieces never have."""

    def __init__(self, piece: Piece) -> None:
        self.piece = piece
        self.recovery: Recovery | None = None

    def __call__(self, parser: Parser, token: Token, kind: str) -> bool:
        if self.recovery is None:
            from serq_interpreter.syntax.recovery import Recovery

            self.recovery = Recovery(self.piece.tokens, self.piece.bad)
        return self.recovery(parser, token, kind)

    @property
    def damaged(self) -> bool:
        """Whether there was an error."""
        return self.recovery is not None

    @property
    def unparsed(self) -> set[str]:
        """Names in what was given up."""
        return self.recovery.unparsed if self.recovery is not None else set()


def damaged(parsed: Parsed, tokens: list[Token]) -> Parsed:
    parsed.damaged = True
    parsed.unparsed.update(token.text for token in tokens if token.kind == "NAME")
    return parsed


def calls(tokens: list[Token]) -> set[str]:
    """The names that stand before a `(`, other than words of the language."""
    found = set()
    before: Token | None = None
    for token in tokens:
        if token.kind == "(" and before is not None and before.kind == "NAME" and before.text not in LANGUAGE_WORDS:
            found.add(before.text)
        before = token
    return found


def declared(tokens: list[Token]) -> tuple[tuple[str, Token], ...]:
    """What the head of a damaged item still shows: (kind, name)."""
    if len(tokens) > 1 and tokens[0].text in DECLARING and tokens[1].kind == "NAME":
        return ((tokens[0].text, tokens[1]),)
    return ()
