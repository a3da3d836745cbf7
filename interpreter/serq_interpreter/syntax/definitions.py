"""Definitions: reading the item, and replacing a use by its body (spec 01 §3).

A definition is a token macro.  A `Macro` is a definition with what its uses need to know; `Definitions` are those above
a place, and remember which of them were asked for, so that a chunk's parse can be kept while these are the same.
"""

from __future__ import annotations

from serq_interpreter.syntax.nodes import DefItem, Definition
from serq_interpreter.syntax.parser import Parser
from serq_interpreter.syntax.tokens import Expansion, Finding, Note, Token, place_of

OPENING = frozenset("([{")
CLOSING = frozenset(")]}")


class Macro:
    """A definition that can be used."""

    __slots__ = ("definition", "is_expression", "name", "parameters", "tokens")

    def __init__(self, definition: Definition) -> None:
        item = definition.item
        self.definition = definition
        self.name = item.name.text
        self.is_expression = item.is_expression
        self.parameters = {token.text: index for index, token in enumerate(item.parameters)}
        self.tokens = item.tokens
        """`None` when the body is unknown: a use is then an unknown value."""


class Definitions:
    """The macros above one item."""

    def __init__(self, macros: dict[str, Macro]) -> None:
        self.macros = macros
        self.asked: dict[str, Macro] = {}
        self.grown = 0
        """How many tokens the expansions have added."""

    def __contains__(self, name: object) -> bool:
        return name in self.macros

    def expand(self, parser: Parser, statement: bool) -> bool:
        """Replace the use at the top of the parser's buffer by the body (see `Macros.expand`)."""
        buffer = parser.buffer
        use = buffer[-1]
        macro = self.asked[use.text] = self.macros[use.text]
        close = closing(buffer)
        if close is None:
            parser.report(Finding("SQ0143", place_of(use), {"name": use.text}))
            return False
        arguments = split_arguments(buffer, close)
        expansion = Expansion(use, macro.name)
        last = buffer[close]
        del buffer[close:]
        if statement:
            if buffer[-1].kind != ";":
                parser.report(Finding("SQ0144", place_of(last), {"name": use.text}))
            else:
                buffer.pop()
            if macro.is_expression:
                parser.report(Finding("SQ0248", place_of(use), {"name": use.text}))
                return True
        elif not macro.is_expression:
            parser.report(Finding("SQ0249", place_of(use), {"name": use.text}))
            buffer.append(Token("ERROR", use.text, use.start, use.end, use.chunk, use.via))
            return True
        if len(arguments) != len(macro.parameters):
            note = Note(place_of(macro.definition.item.name), "defined here")
            args: dict[str, object] = {"name": use.text, "wanted": len(macro.parameters), "given": len(arguments)}
            parser.report(Finding("SQ0146", place_of(use), args, (note,)))
            if not statement:
                buffer.append(Token("ERROR", use.text, use.start, use.end, use.chunk, use.via))
            return True
        if not all(arguments):
            self.empty_argument(parser, macro, arguments, last)
            if not statement:
                buffer.append(Token("ERROR", use.text, use.start, use.end, use.chunk, use.via))
            return True
        body = self.body(macro, arguments, expansion)
        if not statement:
            buffer.append(Token(")", ")", last.start, last.end, last.chunk, expansion))
        buffer.extend(reversed(body))
        if not statement:
            buffer.append(Token("(", "(", use.start, use.end, use.chunk, expansion))
        return True

    def empty_argument(self, parser: Parser, macro: Macro, arguments: list[list[Token]], close: Token) -> None:
        """SQ0145 at the place where the first empty argument should stand."""
        number = next(index for index, argument in enumerate(arguments) if not argument)
        name = next(text for text, index in macro.parameters.items() if index == number)
        parser.report(Finding("SQ0145", place_of(close), {"name": macro.name, "parameter": name}))

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
    """The index in `buffer` (next token last) of the `)` that closes the use at its top; `None` without one."""
    depth = 0
    for index in range(len(buffer) - 2, -1, -1):
        kind = buffer[index].kind
        if kind in OPENING:
            depth += 1
        elif kind in CLOSING:
            depth -= 1
            if depth == 0:
                return index
        elif kind == "EOF":
            return None
    return None


def split_arguments(buffer: list[Token], close: int) -> list[list[Token]]:
    """The arguments of the use at the top of `buffer`, whose `)` is at index `close`."""
    arguments: list[list[Token]] = [[]]
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
            continue
        arguments[-1].append(token)
    return [] if arguments == [[]] else arguments


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
