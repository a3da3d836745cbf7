"""Bodies of a library's definitions, read on their own.

A body is only parsed where it is used, so the language allows a bad one that nobody uses.  In a library, whose users may
be elsewhere, one that does not parse as it stands is worth a warning (SQ1092).
"""

from __future__ import annotations

from serq_interpreter.deep import deep_recursion
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.document import Document
from serq_interpreter.syntax.parser import Parser
from serq_interpreter.syntax.tokens import Finding, Token, place_of


def body_findings(document: Document) -> list[Finding]:
    """One warning for each definition of the document's own text whose body does not parse."""
    found: list[Finding] = []
    with deep_recursion():
        for item in document.tree.items:
            if isinstance(item, nodes.DefItem) and item.tokens is not None:
                token = _stops_at(item, item.tokens)
                if token is not None:
                    args: dict[str, object] = {"name": item.name.text, "found": token.text}
                    found.append(Finding("SQ1092", place_of(token), args))
    return found


def _stops_at(item: nodes.DefItem, tokens: tuple[Token, ...]) -> Token | None:
    """The token at which the body cannot be read on, `None` when it is fine."""
    last = item.last
    eof = Token("EOF", "", last.start, last.start, last.chunk)
    if item.is_expression:
        body, start = list(tokens), "expr"
    else:
        opening = Token("{", "{", item.name.start, item.name.end, last.chunk)
        body, start = [opening, *tokens, Token("}", "}", last.start, last.end, last.chunk)], "block"
    parser = Parser(body, eof)
    parser.as_written = True
    if parser.run(start) is not None:
        return None
    stopped = parser.buffer[-1]
    return last if stopped.kind == "EOF" else stopped
