"""Replacing a use of a definition by its body (spec 01 §3).

A definition is a token macro.  `Definitions` are the macros above one item; they remember which of them were asked for, so
that the item's parse can be kept while these are the same.
"""

from __future__ import annotations

from typing import NamedTuple

from serq_interpreter.syntax.definition_rules import LateUse, argument_findings
from serq_interpreter.syntax.macro import Macro, UnknownMacro
from serq_interpreter.syntax.parser import Parser
from serq_interpreter.syntax.tokens import Edit, Expansion, Finding, Fix, Note, Place, Token, place_of

OPENING = frozenset("([{")
CLOSING = frozenset(")]}")
MAX_TOKENS = 100_000
"""How many tokens a program may have with its expansions (SQ0147, SQ0154)."""


class Growth(NamedTuple):
    """By how many tokens one use of the text makes the program grow, and by how many at most on the way there."""

    total: int
    peak: int


class Definitions:
    """The macros above one item, and how many tokens its uses may still add."""

    def __init__(self, macros: dict[str, Macro | UnknownMacro], room: int = MAX_TOKENS) -> None:
        self.macros = macros
        self.asked: dict[str, Macro | UnknownMacro] = {}
        self.room = room
        self.grown = 0
        self.most = 0
        """How much room the uses took at most."""
        self.growth: dict[int, Growth] = {}
        """Of each use that stands in the text itself, by where it starts."""
        self.exceeded = False
        self.late: list[LateUse] = []
        self.unknown: set[str] = set()
        """Names in bodies that are not known, so that what they declare is unknown too."""
        self.left_out: set[str] = set()
        """Names in the bodies of uses that were refused: what a body would have declared is missing only for that."""

    @property
    def clean(self) -> bool:
        """Whether every use was replaced and has nothing to be looked at when the whole program is known."""
        return not (self.late or self.unknown or self.left_out or self.exceeded)

    def __contains__(self, name: object) -> bool:
        return name in self.macros

    def last_of(self, name: str) -> Token | None:
        """The last token of a body of statements; `None` for an expression."""
        macro = self.macros.get(name)
        if not isinstance(macro, Macro) or macro.is_expression or not macro.tokens:
            return None
        return macro.tokens[-1]

    def expand(self, parser: Parser, statement: bool) -> bool:
        """Replace the use at the top of the parser's buffer by the body (see `Macros.expand`)."""
        buffer = parser.buffer
        use = buffer[-1]
        if use is parser.opaque:
            return False
        macro = self.asked[use.text] = self.macros[use.text]
        close = closing(buffer)
        if close is None:
            fixes = missing_parentheses(buffer) if use.via is None else ()
            self.report(parser, Finding("SQ0143", place_of(use), {"name": use.text}, fixes=fixes))
            parser.quiet = True
            return False
        arguments, ends = split_arguments(buffer, close)
        last = buffer[close]
        length = len(buffer) - close
        del buffer[close:]
        if isinstance(macro, UnknownMacro):
            if not statement:
                buffer.append(Token("ERROR", use.text, use.start, use.end, use.chunk, use.via))
            else:
                if buffer[-1].kind == ";":
                    buffer.pop()
                self.put_back(parser, use, last)
            return True
        body = self.checked(parser, macro, use, arguments, ends, statement, length)
        if body is None and statement:
            self.left_out.update(token.text for token in macro.definition.item.tokens or () if token.kind == "NAME")
        if statement:
            self.end_statement(parser, macro, last)
            if body is None:
                self.put_back(parser, use, last)
            else:
                buffer.extend(reversed(body))
        elif body is None:
            buffer.append(Token("ERROR", use.text, use.start, use.end, use.chunk, use.via))
        else:
            expansion = Expansion(use, macro.name)
            buffer.append(Token(")", ")", last.start, last.end, last.chunk, expansion))
            buffer.extend(reversed(body))
            buffer.append(Token("(", "(", use.start, use.end, use.chunk, expansion))
        return True

    def put_back(self, parser: Parser, use: Token, last: Token) -> None:
        """Let a use whose statements are unknown be read as one statement of which nothing is known."""
        parser.opaque = use
        names = (last.start, last.end, last.chunk, last.via)
        end = Token(";", ";", last.end, last.end, last.chunk, last.via)
        parser.buffer += (end, last, Token("(", "(", *names), use)

    def report(self, parser: Parser, finding: Finding) -> None:
        """Report unless the statement already has a syntax error."""
        if not parser.quiet:
            parser.report(finding)

    def end_statement(self, parser: Parser, macro: Macro, last: Token) -> None:
        """Take the `;` after a statement's use."""
        buffer = parser.buffer
        if buffer[-1].kind == ";":
            parser.previous = buffer.pop()
            return
        at = Place(last.chunk, last.end, last.end, last.via)
        fix = Fix("insert `;`", (Edit(at, ";"),), safe=True)
        fixes = (fix,) if last.via is None else ()
        self.report(parser, Finding("SQ0144", at, {"name": macro.name}, fixes=fixes))

    def checked(
        self,
        parser: Parser,
        macro: Macro,
        use: Token,
        arguments: list[list[Token]],
        ends: list[Token],
        statement: bool,
        length: int,
    ) -> list[Token] | None:
        """The body of a use that keeps the rules; `None`, and a report, for one that does not."""
        args: dict[str, object] = {"name": use.text}
        note = (Note(place_of(macro.definition.item.name), f"`{macro.name}` is defined here"),)
        if macro.is_expression and statement:
            self.report(parser, Finding("SQ0248", place_of(use), args, note))
            return None
        if not macro.is_expression and not statement:
            self.report(parser, Finding("SQ0249", place_of(use), args, note))
            return None
        if len(arguments) != macro.used_with:
            args.update(wanted=macro.used_with, given=len(arguments))
            self.report(parser, Finding("SQ0146", place_of(use), args, note))
            return None
        empty = next((number for number, argument in enumerate(arguments) if not argument), None)
        if empty is not None:
            args["parameter"] = macro.definition.item.parameters[empty].text
            self.report(parser, Finding("SQ0145", up_to(use, ends[empty]), args, note))
            return None
        if macro.tokens is None:
            self.unknown.update(token.text for token in macro.definition.item.tokens or () if token.kind == "NAME")
            return None
        if macro.asks_about_arguments:
            findings, late = argument_findings(macro, use, arguments, self.macros, statement)
            for finding in findings:
                self.report(parser, finding)
            if late is not None:
                self.late.append(late)
        return self.within_room(parser, macro, use, arguments, statement, length)

    def within_room(
        self, parser: Parser, macro: Macro, use: Token, arguments: list[list[Token]], statement: bool, length: int
    ) -> list[Token] | None:
        """The body, unless the program would grow beyond `MAX_TOKENS`: then SQ0147, once, at the outermost use."""
        if self.exceeded:
            return None
        body = self.body(macro, arguments, Expansion(use, macro.name))
        more = len(body) - length + (-1 if statement else 2)
        self.grown += more
        self.most = max(self.most, self.grown)
        outer = use
        while outer.via is not None:
            outer = outer.via.use
        total, peak = self.growth.get(outer.start, (0, 0))
        self.growth[outer.start] = Growth(total + more, max(peak, total + more))
        if self.grown <= self.room:
            return body
        self.exceeded = True
        parser.report(Finding("SQ0147", place_of(outer), {"name": outer.text, "limit": MAX_TOKENS}, key="SQ0147"))
        return None

    def body(self, macro: Macro, arguments: list[list[Token]], expansion: Expansion) -> list[Token]:
        """The body's tokens with the arguments in place of the parameters."""
        parameters = macro.parameters
        out: list[Token] = []
        for token in macro.tokens or ():
            index = parameters.get(token.text) if token.kind == "NAME" else None
            if index is None:
                out.append(Token(token.kind, token.text, token.start, token.end, token.chunk, expansion))
                continue
            argument = arguments[index]
            copies = [Token(part.kind, part.text, part.start, part.end, part.chunk, expansion) for part in argument]
            if not is_reference(argument):
                first, last = argument[0], argument[-1]
                copies.insert(0, Token("(", "(", first.start, first.end, first.chunk, expansion))
                copies.append(Token(")", ")", last.start, last.end, last.chunk, expansion))
            out.extend(copies)
        return out


def closing(buffer: list[Token]) -> int | None:
    """The index in `buffer` (next token last) of the `)` that closes the use at its top; `None` without one.

    A `;` ends the search outside braces: it cannot stand in an argument that is read, and the language's own search would
    run on into the next statements.
    """
    depth = braces = 0
    for index in range(len(buffer) - 2, -1, -1):
        kind = buffer[index].kind
        if kind in OPENING:
            depth += 1
            braces += kind == "{"
        elif kind in CLOSING:
            depth -= 1
            braces -= kind == "}"
            if depth == 0:
                return index if kind == ")" else None
        elif kind == "EOF" or (kind == ";" and braces <= 0):
            return None
    return None


def missing_parentheses(buffer: list[Token]) -> tuple[Fix, ...]:
    """Close the parentheses of the use at the top of `buffer` before the `;` that ends its statement."""
    depth = 0
    last = buffer[-1]
    for token in reversed(buffer[:-1]):
        if token.kind in (";", "{", "}", "EOF") or token.chunk is not last.chunk:
            break
        depth += (token.kind == "(") - (token.kind == ")")
        last = token
    if depth <= 0:
        return ()
    closers = ")" * depth
    at = Place(last.chunk, last.end, last.end)
    return (Fix(f"insert `{closers}`", (Edit(at, closers),), safe=True),)


def split_arguments(buffer: list[Token], close: int) -> tuple[list[list[Token]], list[Token]]:
    """The arguments of the use at the top of `buffer`, whose `)` is at index `close`, and the `,` or `)` after each."""
    arguments: list[list[Token]] = [[]]
    ends: list[Token] = []
    depth = 0
    for index in range(len(buffer) - 3, close, -1):
        token = buffer[index]
        kind = token.kind
        if kind in OPENING:
            depth += 1
        elif kind in CLOSING:
            depth -= 1
        elif kind == "," and depth == 0:
            arguments.append([])
            ends.append(token)
            continue
        arguments[-1].append(token)
    ends.append(buffer[close])
    return ([], []) if arguments == [[]] else (arguments, ends)


def up_to(use: Token, end: Token) -> Place:
    """From the use's name to the start of `end`."""
    if end.chunk is not use.chunk or end.start < use.end:
        return place_of(use)
    return Place(use.chunk, use.start, end.start, use.via)


def is_reference(tokens: list[Token]) -> bool:
    """Whether the tokens are `NAME`, `NAME.NAME`, `NAME[…]` or `NAME[…].NAME`."""
    if tokens[0].kind != "NAME":
        return False
    size = len(tokens)
    if size == 1:
        return True
    if tokens[1].kind == ".":
        return size == 3 and tokens[2].kind == "NAME"
    if tokens[1].kind != "[":
        return False
    depth = 0
    for index in range(1, size):
        kind = tokens[index].kind
        if kind in OPENING:
            depth += 1
        elif kind in CLOSING:
            depth -= 1
            if depth == 0:
                rest = tokens[index + 1 :]
                return not rest or (len(rest) == 2 and rest[0].kind == "." and rest[1].kind == "NAME")
    return False
