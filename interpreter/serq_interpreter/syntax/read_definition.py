"""Read a `def` item: its head, and its body as a run of tokens (spec 01 §3)."""

from __future__ import annotations

from serq_interpreter.syntax.definitions import CLOSING, OPENING
from serq_interpreter.syntax.nodes import DefItem, ErrorItem
from serq_interpreter.syntax.tokens import Finding, Token, place_of


def read_definition(tokens: list[Token], eof: Token) -> tuple[DefItem | ErrorItem, list[Finding]]:
    """The definition that the tokens of a chunk are, and what is wrong with its form."""
    return _Reader(tokens, eof).read()


class _Reader:
    def __init__(self, tokens: list[Token], eof: Token) -> None:
        self.tokens = tokens
        self.eof = eof
        self.findings: list[Finding] = []
        self.at = 1

    def peek(self) -> Token:
        return self.tokens[self.at] if self.at < len(self.tokens) else self.eof

    def read(self) -> tuple[DefItem | ErrorItem, list[Finding]]:
        first, last = self.tokens[0], self.tokens[-1]
        name = self.peek()
        if name.kind != "NAME":
            self.findings.append(_expected("SQ0106", "a name", name))
            return ErrorItem(first, last), self.findings
        self.at += 1
        parameters = self.parameters()
        if parameters is None:
            return ErrorItem(first, last, (("def", name),)), self.findings
        opening = self.peek()
        if opening.kind not in ("=", "{"):
            self.findings.append(Finding("SQ0140", place_of(opening), {"name": name.text}))
            return DefItem(first, last, name, parameters, True, None), self.findings
        self.at += 1
        expression = opening.kind == "="
        body = self.body(name, expression)
        if expression and body == ():
            self.findings.append(Finding("SQ0142", place_of(name), {"name": name.text}))
            body = None
        return DefItem(first, last, name, parameters, expression, body), self.findings

    def parameters(self) -> tuple[Token, ...] | None:
        """The parameter list, parentheses included; `None` when it is malformed."""
        found: list[Token] = []
        if self.peek().kind != "(":
            self.findings.append(_expected("SQ0105", "`(`", self.peek()))
            return None
        self.at += 1
        while self.peek().kind != ")":
            token = self.peek()
            if token.kind != "NAME":
                self.findings.append(_expected("SQ0106", "a name", token))
                return None
            found.append(token)
            self.at += 1
            if self.peek().kind == ",":
                self.at += 1
            elif self.peek().kind != ")":
                self.findings.append(_expected("SQ0105", "`)`", self.peek()))
                return None
        self.at += 1
        return tuple(found)

    def body(self, name: Token, expression: bool) -> tuple[Token, ...] | None:
        """The tokens up to the `;` outside brackets or the matching `}`; `None` when there is no such end."""
        start = self.at
        depth = 0 if expression else 1
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            if token.kind in OPENING:
                depth += 1
            elif token.kind in CLOSING:
                depth -= 1
                if depth < 0 or (depth == 0 and not expression and token.kind != "}"):
                    self.findings.append(Finding("SQ0141", place_of(token), {"name": name.text}))
                    return None
                if depth == 0 and not expression:
                    return tuple(self.tokens[start : self.at])
            elif token.kind == ";" and depth == 0:
                return tuple(self.tokens[start : self.at])
            self.at += 1
        self.findings.append(Finding("SQ0141", place_of(name), {"name": name.text}))
        return None


def _expected(code: str, expected: str, found: Token) -> Finding:
    return Finding(code, place_of(found), {"expected": expected, "found": found.text or "the end of the file"})
