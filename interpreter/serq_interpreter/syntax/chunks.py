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
"""How deep brackets, signs, `? :` and `^` may nest (SQ0190, our own limit)."""
MAX_CHARACTERS = 1_000_000
"""How long a text may be (SQ0191, our own limit)."""
_RESTARTS = 20

_HEAD = re.compile(
    r"""use\s*"|(?:let|gauge)\s+[^\W\d]\w*\s*=(?!=)|def\s+[^\W\d]\w*\s*\(|pool\s+[^\W\d]\w*\s*[\[{]
    |stage\s+[^\W\d]\w*\s*[\[:]|queue\s+[^\W\d]\w*\s*[\[:{]|claim\s+[^\W\d]\w*\s*(?::|given\s*\()
    |(?:workload|session|server|run)\s*\{|share\s+(?:maxmin|bottleneck)\s*;""",
    re.VERBOSE,
)

_POOL_BODY = re.compile(
    r"""(?:workload|session|server|run)\s*\{(?:\s|//[^\n]*|/\*.*?\*/)*
    (?:\}|(?:cap|block|evict|preempt|queue|admit|reserve|spill)\b)""",
    re.VERBOSE | re.DOTALL,
)
"""What reads as the name and the body of a pool, behind a lone `pool`, and as no other item."""

_RELATION = re.compile(r"[^\W\d]\w*\s+(?:pull|push)\s+[^\W\d]\w*\s+(?:latency|share)\b")


class Piece:
    """A chunk with its tokens (no `EOF`), its comments, and what the lexer found in it.

    `bad` are the ranges of characters that start no token; no syntax error is reported that touches one.
    """

    __slots__ = ("bad", "chunk", "comments", "eof", "findings", "parsed", "special", "tokens", "too_deep", "unclosed")

    def __init__(self, chunk: Chunk, special: bool = False) -> None:
        self.chunk = chunk
        self.tokens: list[Token] = []
        self.comments: list[Token] = []
        self.findings: list[Finding] = []
        self.bad: list[tuple[int, int]] = []
        self.too_deep: Token | None = None
        self.eof = Token("EOF", "", 0, 0, chunk)
        self.unclosed = False
        """Whether the text ended before the item, or an item word in the first column had to end it."""
        self.special = special
        """Whether it was lexed in another than the ordinary way, which depends on the whole text."""
        self.parsed: object = None
        """What parsing it gave last (`piece.Parsed`)."""

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


class _Item:
    """How far the item of a piece has been read: what its brackets are, and whether it is complete."""

    __slots__ = ("brackets", "closed", "cut_at", "definition", "expression", "nested", "piece", "signs", "stage")

    def __init__(self, piece: Piece) -> None:
        self.piece = piece
        self.brackets: list[str] = []
        self.closed = False
        self.definition = False
        self.expression = False
        """A `=` outside brackets was read: the body of a definition ends with `;` then."""
        self.stage = False
        """The `}` of a stage may have a `;` after it."""
        self.cut_at = -1
        """An item word in the first column inside brackets."""
        self.signs = self.nested = 0

    def is_relation(self) -> bool:
        tokens = self.piece.tokens
        return len(tokens) > 1 and tokens[1].text in ("pull", "push")

    def take(self, token: Token) -> None:
        """Take one of the tokens that shape an item."""
        kind = token.kind
        if kind == ";":
            self._semicolon()
        elif kind in ")]}":
            self._close(kind)
        elif kind in "([{":
            if not self.brackets and not self.definition:
                self._first_word()
            self.brackets.append(kind)
            self._limit(token, len(self.brackets))
        elif kind == "=":
            if not self.brackets:
                self._first_word()
                self.expression = True
        else:
            before = self.piece.tokens[-1].kind if self.piece.tokens else ""
            self.signs = self.signs + 1 if kind in "-!" and before in ("-", "!") else 0
            self.nested += kind in "?^"
            self._limit(token, max(self.signs, self.nested))

    def _first_word(self) -> None:
        if self.piece.tokens:
            word = self.piece.tokens[0].text
            self.definition, self.stage = word == "def", word == "stage"

    def _limit(self, token: Token, levels: int) -> None:
        if levels > MAX_LEVELS and self.piece.too_deep is None:
            self.piece.too_deep = token

    def _close(self, kind: str) -> None:
        brackets = self.brackets
        if self.definition:
            if brackets:
                brackets.pop()
            self.closed = kind == "}" and not brackets and not self.expression
        elif kind == "}":
            while brackets and brackets.pop() != "{":
                pass
            self.closed = not brackets
        elif brackets and brackets[-1] != "{":
            brackets.pop()

    def _semicolon(self) -> None:
        self.nested = 0
        brackets = self.brackets
        while not self.definition and brackets and brackets[-1] != "{":
            brackets.pop()
        if not brackets:
            self.closed = True
            self.stage = False


class Cut:
    """The state of one pass over a text; `pieces` yields them in order, each with its offset."""

    def __init__(self, file: str, text: str, by_line: bool = False, all_letters: bool = False) -> None:
        self.file = file
        self.text = text
        self.pattern = lexer.pattern(by_line, all_letters)
        self.by_line = by_line
        self.all_letters = all_letters
        self.restarts = 0

    def pieces(self, start: int) -> Iterator[tuple[int, Piece]]:
        """The pieces from offset `start` on, lazily.  Raises `OtherLexing` when they must be cut anew."""
        while True:
            piece, end, done = self._one(start)
            yield start, piece
            if done:
                return
            start = end

    def _one(self, base: int) -> tuple[Piece, int, bool]:
        """The piece at `base`, its end, and whether the text ends with it."""
        piece = Piece(Chunk(self.file, ""), self.by_line or self.all_letters)
        chunk = piece.chunk
        add = piece.tokens.append
        item = _Item(piece)
        trivia: list[re.Match[str]] = []
        end = base
        for match in self.pattern.finditer(self.text, base):
            group = match.lastindex or 0
            if group in _TRIVIA:
                if group == lexer.BAD and not self.all_letters and lexer.is_other_letter(match[group]):
                    raise OtherLexing(self.by_line, True)
                trivia.append(match)
                kind = _MEANT.get(match[group], "") if piece.tokens and not item.closed else ""
                if not kind:
                    continue
            elif group == lexer.END:
                if item.cut_at < 0 or not item.brackets:
                    piece.unclosed = bool(piece.tokens) and not item.closed
                    return self._finish(piece, base, len(self.text), trivia), len(self.text), True
                break
            else:
                kind = match[group]
                if item.closed and not (item.stage and kind == ";"):
                    break
                if group == lexer.NAME:
                    if kind in ITEM_WORDS and self._ends_before(match.start(group), item):
                        break
                    if item.brackets and item.cut_at < 0 and kind in ("pull", "push"):
                        self._may_be_relation(piece, base, item)
                    if not kind.isascii() and not lexer.is_name(kind):
                        trivia.append(match)
                        continue
                    kind = "NAME"
                elif group != lexer.PUNCTUATION:
                    kind = "NUMBER" if group == lexer.NUMBER else "STRING"
            if trivia:
                self._trivia(piece, base, trivia)
            start, end = match.start(group), match.end(group)
            if group == lexer.OPEN_STRING:
                end = self._open_string(item, match[group], start, base)
                continue
            word = match[group][1:-1] if group == lexer.STRING else match[group]
            token = Token(kind, word, start - base, end - base, chunk)
            if kind in _SHAPING:
                item.take(token)
            elif group == lexer.NUMBER and word.count(".") > 1:
                piece.findings.append(_malformed_number(token))
            add(token)
        if item.cut_at >= 0 and item.brackets and not item.closed:
            return self._recut(piece, base, item.cut_at)
        return self._finish(piece, base, end, []), end, False

    def _ends_before(self, start: int, item: _Item) -> bool:
        """Whether the item word at `start` ends the piece; in brackets it is remembered for when they never close."""
        if not item.piece.tokens or not self._starts_line(start) or _HEAD.match(self.text, start) is None:
            return False
        if not item.brackets:
            tokens = item.piece.tokens
            if len(tokens) == 1 and tokens[0].text == "pool" and _POOL_BODY.match(self.text, start) is not None:
                return False
            return not (item.is_relation() and self.text.startswith("share", start))
        if item.cut_at < 0 and self.text[start - 1] == "\n":
            item.cut_at = start
            return self.restarts > _RESTARTS
        return False

    def _may_be_relation(self, piece: Piece, base: int, item: _Item) -> None:
        """Remember a relation in the first column, like an item word, for when the brackets around it never close."""
        start = base + piece.tokens[-1].start if piece.tokens else 0
        if _RELATION.match(self.text, start) is not None and self.text[start - 1 : start] == "\n":
            item.cut_at = start

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
                piece.findings.append(_bad_character(piece.chunk, start, match[group]))
        trivia.clear()

    def _open_string(self, item: _Item, word: str, start: int, base: int) -> int:
        """Take a string that its line ends; a `;` at the end of the line is not part of it.  The offset of its end."""
        if not self.by_line:
            raise OtherLexing(True, self.all_letters)
        piece = item.piece
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
            semicolon = Token(";", ";", last, full, chunk)
            item.take(semicolon)
            piece.tokens.append(semicolon)
        return start + len(whole)


class OtherLexing(Exception):
    """The text is to be cut again, with strings that end at their lines, or with letters of all scripts."""

    def __init__(self, by_line: bool, all_letters: bool) -> None:
        super().__init__()
        self.by_line = by_line
        self.all_letters = all_letters


_TRIVIA = frozenset((lexer.COMMENT, lexer.OPEN_COMMENT, lexer.BAD))
_MEANT = {"&": "&&", "|": "||", "%": "*"}
"""Characters that start no token and are read as an operator all the same."""
_SHAPING = frozenset("()[]{};=-!?^")

_OPERATOR_FIXES = {"&": "&&", "|": "||", "#": "//"}


def _bad_character(chunk: Chunk, start: int, character: str) -> Finding:
    character = character[0]
    place = Place(chunk, start, start + 1)
    written = _OPERATOR_FIXES.get(character)
    if written is not None:
        fixes: tuple[Fix, ...] = (Fix(f"write `{written}`", (Edit(place, written),), safe=True),)
    elif character == "%":
        fixes = ()
    else:
        fixes = (Fix("delete it", (Edit(place, ""),)),)
    shown = character if character.isprintable() else f"U+{ord(character):04X}"
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


def _malformed_number(token: Token) -> Finding:
    place = Place(token.chunk, token.start, token.end)
    kept = ".".join(token.text.split(".")[:2]).rstrip("_")
    return Finding("SQ0104", place, {"text": token.text}, fixes=(Fix(f"keep `{kept}`", (Edit(place, kept),)),))
