"""Where the cursor stands in the grammar: what may follow, and at which moment it would be read.

The parser runs over the tokens before the cursor, with its usual recovery; its stack then says everything.
"""

from __future__ import annotations

from dataclasses import dataclass

from serq_interpreter.syntax.chunks import Piece
from serq_interpreter.syntax.edition import EXTENDED
from serq_interpreter.syntax.parser import Parser, shifted
from serq_interpreter.syntax.recovery import Recovery
from serq_interpreter.syntax.tables import ROW, WORDS
from serq_interpreter.syntax.tokens import Token
from serq_lsp.services.snapshot import Snapshot
from serq_lsp.services.tokens import piece_at, pieces, tokens_before


@dataclass(frozen=True, slots=True)
class Cursor:
    """`words` are the words of the language that may come next; `open` the tokens on the parser's stack, outermost
    first (`outer` of them: words and brackets of constructs that are not finished).

    `starts_expression`: an expression may start; `takes_name`: a name may come.
    """

    words: frozenset[str]
    starts_expression: bool
    takes_name: bool
    open: tuple[Token, ...]
    before: tuple[Token, ...]
    """All tokens of the item before the cursor."""


def cursor_at(snapshot: Snapshot, offset: int) -> Cursor:
    """What may come at `offset`; a name that the cursor stands in or behind is not looked at."""
    found = piece_at(snapshot, offset)
    extended = snapshot.edition == EXTENDED
    if found is None:
        return _parse([], Token("EOF", "", 0, 0, snapshot.document.sources[0].pieces[0][1].chunk), extended)
    base, piece = _continued(snapshot, found, offset)
    limit = offset - base
    before = [token for token in piece.tokens if token.end <= limit]
    if before and before[-1].kind in ("NAME", "NUMBER") and before[-1].end == limit:
        before.pop()
    if before and before[-1].kind in (";", "}") and _finished(before):
        before = []
    return _parse(before, piece.eof, extended)


def _continued(snapshot: Snapshot, found: tuple[int, Piece], offset: int) -> tuple[int, Piece]:
    """The piece before, where the cursor stands behind its last token on the same line and the item goes on."""
    base, piece = found
    if any(base + token.end <= offset for token in piece.tokens):
        return found
    last = tokens_before(snapshot, offset, 1)
    if not last or last[0].token.kind in (";", "}") or "\n" in snapshot.text[last[0].end : offset]:
        return found
    return next(one for one in reversed(pieces(snapshot)) if one[0] <= last[0].start)


def _finished(tokens: list[Token]) -> bool:
    """Whether the tokens are a whole item, so that the cursor stands before the next."""
    depth = 0
    for token in tokens:
        if token.kind in ("(", "[", "{"):
            depth += 1
        elif token.kind in (")", "]", "}"):
            depth -= 1
    return depth <= 0


class _Stopped(Exception):
    pass


def _parse(tokens: list[Token], eof: Token, extended: bool) -> Cursor:
    parser = Parser(list(tokens), eof)
    parser.as_written = True
    parser.expects_spawn = extended
    recovery = Recovery(list(tokens), [])

    def recover(running: Parser, token: Token, kind: str) -> bool:
        if token.kind == "EOF":
            return False
        return recovery(running, token, kind)

    parser.recover = recover
    parser.run("item")
    states = list(parser.states)
    row = ROW[states[-1]]
    words = frozenset(word for word in row if word in WORDS and shifted(states, word) is not None)
    opened = tuple(value for value in parser.values if isinstance(value, Token))
    return Cursor(
        words,
        starts_expression="~" in row and shifted(states, "~") is not None,
        takes_name="NAME" in row and shifted(states, "NAME") is not None,
        open=opened,
        before=tuple(tokens),
    )


_STATEMENT_MOMENTS = frozenset(
    "set observe run grow load cache lease branch loop choose prefill decode tool transfer with spawn".split()
)
_CONSTANT_WORDS = frozenset(
    "let cap block fifo granule state horizon warmup seed arrivals poisson batch closed latency".split()
)
_OWN_MOMENT = {
    "reserve": "head",
    "reuse": "head",
    "hold": "head",
    "admission": "head",
    "evict": "evict",
    "spill": "evict",
    "when": "evict",
    "preempt": "preempt",
    "ps": "ps",
    "budget": "budget",
    "chunk": "budget",
    "cost": "cost",
    "only": "only",
    "while": "iter",
    "gauge": "gauge",
    "given": "given",
    "renewal": "gap",
}


def moment_of(cursor: Cursor) -> str | None:
    """The moment (a column of the moment table) at which an expression at the cursor would be read."""
    open_words = [token.text for token in cursor.open if token.kind == "NAME"]
    inside_iteration = "iteration" in open_words
    for word in reversed(open_words):
        found = _moment_of_word(word, open_words, inside_iteration)
        if found is not None:
            return _in_entry(found, cursor)
    return None


def _moment_of_word(word: str, open_words: list[str], inside_iteration: bool) -> str | None:
    if word in ("set", "branch") and inside_iteration:
        return "iter"
    if word in _OWN_MOMENT:
        return _OWN_MOMENT[word]
    if word == "serve":
        return "only" if inside_iteration else "order"
    if word == "queue" and open_words[0] == "pool":
        return "queue"
    if word in ("every", "some"):
        return "every"
    if word == "end" and open_words[0] == "claim":
        return "end"
    if word in _CONSTANT_WORDS:
        return "const"
    if word in _STATEMENT_MOMENTS:
        return "stmt"
    if word in ("pool", "stage") and open_words[0] == word:
        return "const"
    return None


def _in_entry(moment: str, cursor: Cursor) -> str:
    """Statements of a queue's entry have columns of their own, a gateway's route excepted."""
    opened = cursor.open
    if not opened or opened[0].text != "queue" or moment not in ("stmt", "head"):
        return moment
    verbs = [token.text for token in opened if token.text in ("prefill", "decode", "transfer", "route")]
    if not verbs or verbs[0] == "route":
        return moment
    return "e.body" if moment == "stmt" else "e.head"
