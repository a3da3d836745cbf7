"""After a syntax error: say what is wrong once, and find a place where parsing can go on (spec 03 §3).

In this order: a slip that a table knows; a token put in or left out; the nearest expression, option, statement or item
that can be given up.
"""

from __future__ import annotations

from bisect import bisect_left

from serq_interpreter.syntax.fault import SyntaxFault
from serq_interpreter.syntax.giving_up import give_up, skip
from serq_interpreter.syntax.parser import Parser
from serq_interpreter.syntax.slips import SLIPS
from serq_interpreter.syntax.tokens import Token

_MAX_ERRORS = 200
"""After how many repairs an item is given up as a whole."""
_MAX_TRIES = 6
"""How many repairs may be tried at one token."""


class Recovery:
    """What a parser calls at an error; one per chunk."""

    def __init__(self, tokens: list[Token], bad: list[tuple[int, int]]) -> None:
        self.tokens = tokens
        self.bad = bad
        self.unparsed: set[str] = set()
        self.damaged = False
        self.unbalanced = False
        """Whether a brace was put in or taken for a stray one, so that the end of the item comes at the wrong place."""
        self.closers = 0
        """How many `)` were put in that may still come, too late."""
        self.open_braces = sum((token.kind == "{") - (token.kind == "}") for token in tokens)
        self.reported: Token | None = None
        self.starts = [token.start for token in tokens]
        self._last: Token | None = None
        self._stuck = 0
        self._calls = 0

    def __call__(self, parser: Parser, token: Token, kind: str) -> bool:
        """Repair the parser's stacks or input; false when nothing can be done."""
        self.damaged = True
        before, parser.last_error = parser.last_error, token
        self._calls += 1
        self._stuck = self._stuck + 1 if token is self._last else 0
        self._last = token
        if self._calls > _MAX_ERRORS or (self._stuck >= _MAX_TRIES and kind == "EOF"):
            return False
        error = SyntaxFault(parser, token, kind, self)
        if token.kind not in ("NAME", "EOF", "}", "{") and self.distance(before, token) < 3:
            parser.quiet = True
        if self._stuck >= _MAX_TRIES:
            error.report()
            return skip(error)
        if self._stuck < 3:
            for slip in SLIPS:
                if slip(error):
                    return True
            if error.missing_expression() or error.inserted() or error.deleted():
                return True
        error.report()
        return give_up(error)

    def distance(self, before: Token | None, token: Token) -> int:
        """How many of the chunk's tokens lie between an earlier error and `token`."""
        if before is None:
            return 1 << 30
        return bisect_left(self.starts, origin(token).start) - bisect_left(self.starts, origin(before).start)

    def lost(self, first: Token | None, stop: Token) -> None:
        """Remember the names from `first` up to the token before `stop` as unparsed."""
        self.unparsed.update(token.text for token in self.between(first, stop) if token.kind == "NAME")

    def between(self, first: Token | None, stop: Token) -> list[Token]:
        """The chunk's own tokens from `first` up to, and without, `stop` (expansions count as their uses)."""
        begin = bisect_left(self.starts, origin(first).start) if first is not None else 0
        end = origin(stop)
        limit = len(self.tokens) if end.kind == "EOF" else bisect_left(self.starts, end.start)
        return self.tokens[begin : max(limit, begin + 1)]


def origin(token: Token) -> Token:
    while token.via is not None:
        token = token.via.use
    return token
