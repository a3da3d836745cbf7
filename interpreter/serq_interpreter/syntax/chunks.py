"""Cut a text into chunks, one per item with the blank space and comments before it, and lex each of them.

A chunk ends where its item ends: at a `;` outside brackets, or at the `}` that closes its body.  What follows up to the
next item belongs to chunks of its own that start with no item word.  Two things make the cut robust in a damaged text:
an item word at the start of a line outside brackets, followed by what an item needs, starts a chunk; and when a bracket
is never closed, so does one in the first column (spec 03 §3).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from serq_interpreter.syntax import lexer
from serq_interpreter.syntax.tokens import Chunk, Edit, Finding, Fix, Place, Token

ITEM_WORDS = frozenset(
    ("use", "let", "def", "pool", "stage", "workload", "session", "server", "queue", "share", "gauge", "claim", "run")
)
MAX_LEVELS = 2000
"""How deep brackets may nest (SQ0190, our own limit)."""
MAX_CHARACTERS = 2_000_000
"""How long a text may be (SQ0191, our own limit)."""
_RESTARTS = 20

_HEAD = re.compile(
    r"""use\s*"|(?:let|gauge)\s+[^\W\d]\w*\s*=(?!=)|def\s+[^\W\d]\w*\s*\(|pool\s+[^\W\d]\w*\s*[\[{]
    |stage\s+[^\W\d]\w*\s*[\[:]|queue\s+[^\W\d]\w*\s*[\[:{]|claim\s+[^\W\d]\w*\s*(?::|given\s*\()
    |(?:workload|session|server|run)\s*\{|share\s+(?:maxmin|bottleneck)\s*;""",
    re.VERBOSE,
)


class Piece:
    """A chunk with its tokens (no `EOF`), its comments, and what the lexer found in it.

    `bad` are the ranges of characters that start no token; no syntax error is reported that touches one.
    """

    __slots__ = ("bad", "by_line", "chunk", "comments", "eof", "findings", "parsed", "tokens", "too_deep", "unclosed")

    def __init__(self, chunk: Chunk) -> None:
        self.chunk = chunk
        self.tokens: list[Token] = []
        self.comments: list[Token] = []
        self.findings: list[Finding] = []
        self.bad: list[tuple[int, int]] = []
        self.too_deep: Token | None = None
        self.eof = Token("EOF", "", 0, 0, chunk)
        self.unclosed = False
        """Whether the text ended before the item, or an item word in the first column had to end it."""
        self.by_line = False
        self.parsed: object = None
        """What parsing it gave last (`reading.Parsed`)."""

    def starts_item(self) -> bool:
        """Whether the piece starts as an item does (a damaged piece before it is then no excuse for its errors)."""
        first = self.tokens[0]
        if first.kind != "NAME":
            return False
        if first.text in ("run", "queue", "session", "share") or first.text not in ITEM_WORDS:
            if len(self.tokens) > 1 and self.tokens[1].text in ("pull", "push"):
                return True
            return first.text in ITEM_WORDS and _HEAD.match(self.chunk.text, first.start) is not None
        return True


class Cut:
    """The state of one pass over a text; `pieces` yields them in order, each with its offset."""

    def __init__(self, file: str, text: str, by_line: bool = False) -> None:
        self.file = file
        self.text = text
        self.pattern = lexer.TOKEN_BY_LINE if by_line else lexer.TOKEN
        self.by_line = by_line
        self.restarts = 0

    def pieces(self, start: int) -> Iterator[tuple[int, Piece]]:
        """The pieces from offset `start` on, lazily.  Raises `UnclosedString` when a string never ends."""
        while True:
            piece, end, done = self._one(start)
            yield start, piece
            if done:
                return
            start = end

    def _one(self, base: int) -> tuple[Piece, int, bool]:
        """The piece at `base`, its end, and whether the text ends with it."""
        text = self.text
        chunk = Chunk(self.file, "")
        piece = Piece(chunk)
        piece.by_line = self.by_line
        tokens = piece.tokens
        add = tokens.append
        trivia: list[re.Match[str]] = []
        brackets: list[str] = []
        closed = expression = definition = stage = False
        candidate = -1
        end = base
        for match in self.pattern.finditer(text, base):
            group = match.lastindex
            if group == lexer.NAME:
                word = match[1]
                start = match.start(1)
                if closed:
                    break
                if word in ITEM_WORDS and tokens and (start == 0 or self._starts_line(start)) and _HEAD.match(text, start):
                    if not brackets:
                        if not (word == "share" and len(tokens) > 1 and tokens[1].text in ("pull", "push")):
                            break
                    elif candidate < 0 and text[start - 1] == "\n":
                        candidate = start
                        if self.restarts > _RESTARTS:
                            break
                if not word.isascii() and not lexer.is_name(word):
                    trivia.append(match)
                    continue
                kind = "NAME"
                if not tokens:
                    definition, stage = word == "def", word == "stage"
            elif group == lexer.PUNCTUATION:
                kind = word = match[2]
                start = match.start(2)
                if closed and not (stage and word == ";"):
                    break
                if word in "([{":
                    brackets.append(word)
                    if len(brackets) > MAX_LEVELS and piece.too_deep is None:
                        piece.too_deep = Token(kind, word, start - base, start - base + 1, chunk)
                elif word in ")]}":
                    if definition:
                        if brackets:
                            brackets.pop()
                        closed = word == "}" and not brackets and not expression
                    elif word == "}":
                        while brackets and brackets.pop() != "{":
                            pass
                        closed = not brackets
                    elif brackets and brackets[-1] != "{":
                        brackets.pop()
                elif word == ";":
                    if not definition:
                        while brackets and brackets[-1] != "{":
                            brackets.pop()
                    if not brackets:
                        closed = True
                        stage = False
                elif word == "=" and not brackets:
                    expression = True
            elif group in (lexer.COMMENT, lexer.OPEN_COMMENT, lexer.BAD):
                trivia.append(match)
                if group == lexer.BAD and not closed and match[lexer.BAD] in "&|%":
                    word = match[lexer.BAD]
                    start = match.start(lexer.BAD)
                    kind = "*" if word == "%" else word * 2
                    if not tokens:
                        continue
                else:
                    continue
            elif group == lexer.END:
                if not (brackets and candidate >= 0):
                    piece.unclosed = bool(tokens) and not closed
                    return self._finish(piece, base, len(text), trivia), len(text), True
                break
            else:
                if closed:
                    break
                if trivia:
                    self._trivia(piece, base, trivia)
                word = match[group]
                start = match.start(group)
                if group == lexer.NUMBER:
                    kind = "NUMBER"
                    if word.count(".") > 1:
                        piece.findings.append(_malformed_number(chunk, start - base, word))
                elif group == lexer.STRING:
                    end = match.end(group)
                    add(Token("STRING", word[1:-1], start - base, end - base, chunk))
                    continue
                else:
                    end, ended = self._open_string(piece, word, start, base)
                    closed = ended and not brackets
                    continue
            if trivia:
                self._trivia(piece, base, trivia)
            end = start + len(word)
            add(Token(kind, word, start - base, end - base, chunk))
        if candidate >= 0 and brackets and not closed:
            return self._recut(piece, base, candidate)
        return self._finish(piece, base, end, []), end, False

    def _starts_line(self, offset: int) -> bool:
        line = self.text.rfind("\n", 0, offset) + 1
        return not self.text[line:offset].strip()

    def _recut(self, piece: Piece, base: int, candidate: int) -> tuple[Piece, int, bool]:
        """End a piece whose brackets never close at the item word in the first column that `candidate` is."""
        self.restarts += 1
        piece.unclosed = True
        word = re.compile(r"\w+").match(self.text, candidate)
        piece.eof.text = word[0] if word is not None else ""
        limit = candidate - base
        piece.tokens = [token for token in piece.tokens if token.end <= limit]
        piece.comments = [token for token in piece.comments if token.end <= limit]
        piece.findings = [finding for finding in piece.findings if finding.place.end <= limit]
        piece.bad = [span for span in piece.bad if span[1] <= limit]
        if piece.too_deep is not None and piece.too_deep.end > limit:
            piece.too_deep = None
        return self._finish(piece, base, candidate, []), candidate, False

    def _finish(self, piece: Piece, base: int, end: int, trivia: list[re.Match[str]]) -> Piece:
        self._trivia(piece, base, trivia)
        chunk = piece.chunk
        chunk.text = self.text[base:end]
        piece.eof.start = piece.eof.end = end - base
        return piece

    def _trivia(self, piece: Piece, base: int, trivia: list[re.Match[str]]) -> None:
        for match in trivia:
            group = match.lastindex or 0
            start, end = match.start(group) - base, match.end(group) - base
            if group in (lexer.COMMENT, lexer.OPEN_COMMENT):
                piece.comments.append(Token("COMMENT", match[group], start, end, piece.chunk))
                if group == lexer.OPEN_COMMENT:
                    piece.findings.append(_open_comment(piece.chunk, start, end))
            elif piece.bad and piece.bad[-1][1] == start:
                piece.bad[-1] = (piece.bad[-1][0], end)
            else:
                piece.bad.append((start, end))
                piece.findings.append(_bad_character(piece.chunk, start, end, match[group]))
        trivia.clear()

    def _open_string(self, piece: Piece, word: str, start: int, base: int) -> tuple[int, bool]:
        """Take a string that its line ends; a `;` at the end of the line is not part of it.  Its end, and whether so."""
        if not self.by_line:
            raise UnclosedString
        chunk = piece.chunk
        whole = word.rstrip()
        ended = whole.endswith(";")
        content = whole[:-1] if ended else whole
        first, last, full = start - base, start - base + len(content), start - base + len(whole)
        fix = Fix('insert the closing `"`', (Edit(Place(chunk, last, last), '"'),), safe=True)
        piece.findings.append(Finding("SQ0103", Place(chunk, first, full), {}, fixes=(fix,)))
        piece.bad.append((first, full))
        piece.tokens.append(Token("STRING", content[1:], first, last, chunk))
        if ended:
            piece.tokens.append(Token(";", ";", last, full, chunk))
        return start + len(whole), ended


class UnclosedString(Exception):
    """A string that is never closed: the text is to be cut again with strings that end at their lines."""


_OPERATOR_FIXES = {"&": "&&", "|": "||", "#": "//"}


def _bad_character(chunk: Chunk, start: int, end: int, character: str) -> Finding:
    place = Place(chunk, start, end)
    written = _OPERATOR_FIXES.get(character)
    if written is not None:
        fixes: tuple[Fix, ...] = (Fix(f"write `{written}`", (Edit(place, written),), safe=True),)
    elif character == "%":
        fixes = ()
    else:
        fixes = (Fix("delete it", (Edit(place, ""),)),)
    shown = character if character.isprintable() else f"U+{ord(character[0]):04X}"
    return Finding("SQ0101", place, {"character": shown}, fixes=fixes, help=_BAD_HELP.get(character, ""))


_BAD_HELP = {
    "%": "there is no remainder operator: write `a - floor(a / b) * b`",
    "#": "a comment starts with `//`",
    "&": "the operator is `&&`",
    "|": "the operator is `||`",
    "\ufeff": "the file has a byte-order mark where none may stand: save it without",
}


def _open_comment(chunk: Chunk, start: int, end: int) -> Finding:
    fix = Fix("append `*/`", (Edit(Place(chunk, end, end), " */"),), safe=True)
    return Finding("SQ0102", Place(chunk, start, start + 2), {}, fixes=(fix,))


def _malformed_number(chunk: Chunk, start: int, word: str) -> Finding:
    place = Place(chunk, start, start + len(word))
    kept = ".".join(word.split(".")[:2]).rstrip("_")
    return Finding("SQ0104", place, {"text": word}, fixes=(Fix(f"keep `{kept}`", (Edit(place, kept),)),))
