"""Two moves that slips share: offering another word, and reading on as if it stood there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from serq_interpreter.syntax.tokens import Edit, Fix, Token, place_of

if TYPE_CHECKING:
    from serq_interpreter.syntax.fault import SyntaxFault


def replaced(token: Token, text: str, safe: bool = True) -> tuple[Fix, ...]:
    """The fix that writes `text` for the token."""
    return (Fix(f"write `{text}`", (Edit(place_of(token), text),), safe=safe),)


def become(fault: SyntaxFault, *words: str) -> bool:
    """Read the token found as these words."""
    token = fault.parser.buffer.pop()
    for word in reversed(words):
        fault.parser.buffer.append(Token(word, word, token.start, token.end, token.chunk, token.via))
    return True
