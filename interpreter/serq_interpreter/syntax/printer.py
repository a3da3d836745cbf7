"""Canonical text: the same tokens and comments in one layout (`format_text`).

The layout follows the program as written, before definitions are expanded.  One statement, option or item stands on a
line; a short body stays on the line of its head; a long line is broken at its outermost places.  A blank line stays one
blank line.  What cannot be read as written keeps its text.  The result is lexed again and compared: `format_text` returns
the text it was given rather than one with other tokens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.chunks import Piece
from serq_interpreter.syntax.cutting import cut
from serq_interpreter.syntax.line_breaks import WIDTH, Word, broken
from serq_interpreter.syntax.parser import Parser
from serq_interpreter.syntax.read_definition import read_definition
from serq_interpreter.syntax.tokens import Token

INDENT = "  "
_OPTIONS_ON_ONE_LINE = 4
_STATEMENTS_ON_ONE_LINE = 3
_LISTS = frozenset(("statements", "options", "clauses", "parts", "then", "otherwise", "body"))
"""Fields whose nodes start lines of their own."""


def format_text(text: str) -> str | None:
    """The text in canonical layout; `None` when it has characters, comments or strings that cannot be read."""
    pieces = [piece for _, piece in cut("", text)]
    if any(piece.findings or piece.too_deep is not None for piece in pieces):
        return None
    printed = _Printer(pieces).text()
    if not _same(pieces, [piece for _, piece in cut("", printed)]):
        return text
    return printed.replace("\n", "\r\n") if "\r\n" in text and "\n" not in text.replace("\r\n", "") else printed


def _same(before: list[Piece], after: list[Piece]) -> bool:
    return all(
        [token.text for piece in before for token in part(piece)]
        == [token.text for piece in after for token in part(piece)]
        for part in (lambda piece: piece.tokens, _comments)
    )


def _comments(piece: Piece) -> Iterator[Token]:
    """Comments with the blank space at the end of their lines taken off, as the printer does."""
    for token in piece.comments:
        yield Token("COMMENT", _stripped(token.text), 0, 0, token.chunk)


def _stripped(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.split("\n"))


class _Shape:
    """What the tree of one piece says about its tokens, by identity."""

    def __init__(self) -> None:
        self.starts: set[int] = set()
        """Tokens that start a line."""
        self.tight: set[int] = set()
        """Names that their `(` follows without a space."""
        self.prefix: set[int] = set()
        """Operators that stand before their operand without a space."""
        self.raw = False
        """The piece cannot be read as written."""

    def read(self, root: object) -> None:
        """Take in a tree."""
        stack: list[object] = [root]
        while stack:
            node = stack.pop()
            if isinstance(node, tuple):
                stack.extend(node)
                continue
            if not isinstance(node, nodes.Node):
                continue
            self._node(node)
            for field in node.__match_args__:
                value = getattr(node, field)
                if isinstance(value, tuple) and field in _LISTS:
                    self.starts.update(id(part.first) for part in value if isinstance(part, nodes.Node))
                if isinstance(value, tuple | nodes.Node):
                    stack.append(value)

    def _node(self, node: nodes.Node) -> None:
        match node:
            case nodes.Apply() | nodes.Draw():
                self.tight.add(id(node.name))
            case nodes.UnaryOp():
                self.prefix.add(id(node.first))
            case nodes.StageKind() | nodes.ErrorStmt():
                self.tight.add(id(node.first))
            case nodes.ArriveClause():
                self.tight.add(id(node.form))
            case nodes.DefItem():
                self.tight.add(id(node.name))
            case _:
                pass


def shape_of(piece: Piece) -> _Shape:
    """How a piece is to be laid out."""
    shape = _Shape()
    tokens = piece.tokens
    if tokens[0].text == "def" and tokens[0].kind == "NAME":
        item, findings = read_definition(tokens, piece.eof)
        if findings or not isinstance(item, nodes.DefItem):
            shape.raw = True
            return shape
        shape.read(item)
        shape.raw = not _read_body(shape, piece, item)
        return shape
    tree = _as_written(tokens, piece.eof, "item")
    if tree is None:
        shape.raw = True
    else:
        shape.read(tree)
    return shape


def _read_body(shape: _Shape, piece: Piece, item: nodes.DefItem) -> bool:
    body = item.tokens or ()
    if item.is_expression:
        tree = _as_written(list(body), piece.eof, "expr")
    else:
        opening = next(index for index, token in enumerate(piece.tokens) if token.kind == "{")
        tree = _as_written(piece.tokens[opening:], piece.eof, "block")
    if tree is None:
        return False
    shape.read(tree)
    return True


def _as_written(tokens: list[Token], eof: Token, start: str) -> object | None:
    parser = Parser(tokens, eof)
    parser.as_written = True
    found: object | None = parser.run(start)
    return found


class _Printer:
    def __init__(self, pieces: list[Piece]) -> None:
        self.pieces = pieces
        self.lines: list[str] = []
        self.line: list[Word] = []
        self.depth = 0
        self.line_depth = 0
        """The depth of blocks where the line began."""
        self.level = 0
        """Brackets open on the line."""
        self.pending_blank = False

    def text(self) -> str:
        """The whole text."""
        for piece in self.pieces:
            if piece.tokens:
                shape = shape_of(piece)
                if shape.raw:
                    self.raw(piece)
                else:
                    self.piece(piece, shape)
            else:
                self.trivia(piece, piece.comments, 0, len(piece.chunk.text))
        self.end_line()
        while self.lines and not self.lines[0]:
            self.lines.pop(0)
        while self.lines and not self.lines[-1]:
            self.lines.pop()
        return "\n".join(self.lines) + "\n" if self.lines else ""

    # ------------------------------------------------------------------------------------------------ lines

    def end_line(self) -> None:
        if self.line:
            self.lines.extend(broken(self.line, INDENT * self.line_depth))
            self.line = []
        self.level = 0

    def add(self, word: Word) -> None:
        if not self.line:
            self.line_depth = self.depth
        self.line.append(word)

    def blank(self) -> None:
        if self.lines and self.lines[-1] and not self.lines[-1].endswith("{"):
            self.lines.append("")

    def trivia(self, piece: Piece, comments: Iterable[Token], start: int, end: int, breaks: bool = True) -> None:
        """The comments between two tokens, and one blank line where the text has some.

        `breaks`: the second token starts a line of its own.
        """
        text = piece.chunk.text
        at = start
        for comment in comments:
            gap = text[at : comment.start]
            newlines = gap.count("\n")
            if newlines or (not self.line and not self.lines):
                self.own_line(comment, newlines, breaks)
            else:
                self.inline(comment)
            if comment.text.startswith("//"):
                self.end_comment_line()
            at = comment.end
        rest = text[at:end]
        if rest.count("\n") > 1:
            self.pending_blank = True
        if at > start and "\n" in rest and self.line and self.line[-1].comment:
            self.end_comment_line()

    def own_line(self, comment: Token, newlines: int, breaks: bool) -> None:
        if self.line and not breaks:
            self.line[-1].force = True
            self.add(Word(_stripped(comment.text), True, self.level, comment=True))
            return
        self.end_line()
        if newlines > 1 or self.pending_blank:
            self.blank()
        self.pending_blank = False
        self.add(Word(_stripped(comment.text), False, 0, comment=True))
        self.end_line()

    def inline(self, comment: Token) -> None:
        if not self.line and self.lines:
            last = self.lines.pop()
            self.lines.append(f"{last} {_stripped(comment.text)}" if last else _stripped(comment.text))
            return
        self.add(Word(_stripped(comment.text), bool(self.line), self.level, comment=True))

    def end_comment_line(self) -> None:
        """A line comment ends its line, inside a statement too."""
        if self.line:
            self.line[-1].force = True

    # ------------------------------------------------------------------------------------------------ pieces

    def raw(self, piece: Piece) -> None:
        """A piece that keeps its text."""
        first, last = piece.tokens[0], piece.tokens[-1]
        self.trivia(piece, [c for c in piece.comments if c.start < first.start], 0, first.start)
        self.end_line()
        self.take_blank()
        self.lines.extend(_stripped(piece.chunk.text[first.start : last.end]).split("\n"))
        self.trivia(piece, [c for c in piece.comments if c.start > last.end], last.end, len(piece.chunk.text))

    def take_blank(self) -> None:
        if self.pending_blank:
            self.blank()
        self.pending_blank = False

    def piece(self, piece: Piece, shape: _Shape) -> None:
        """One item."""
        tokens = piece.tokens
        comments = piece.comments
        groups = _Groups(tokens, comments, shape)
        previous: Token | None = None
        at = 0
        seen = 0
        for index, token in enumerate(tokens):
            between = []
            while seen < len(comments) and comments[seen].start < token.start:
                between.append(comments[seen])
                seen += 1
            closes = token.kind == "}" and not groups.flat(index)
            starts = index == 0 or (id(token) in shape.starts and not groups.inside_flat(index))
            opened = previous is not None and previous.kind == "{" and not groups.flat(index - 1)
            self.trivia(piece, between, at, token.start, starts or closes or opened)
            at = token.end
            if starts or closes:
                self.end_line()
                if closes:
                    self.depth -= 1
                    self.pending_blank = False
                self.take_blank()
            self.pending_blank = False
            self.word(token, previous, shape, index, tokens)
            if token.kind == "{" and not groups.fits(index, self.line_width(), tokens, shape):
                following = tokens[index + 1].start if index + 1 < len(tokens) else len(piece.chunk.text)
                self.end_line_after_brace(piece, comments, seen, token, following)
            previous = token
        self.trivia(piece, comments[seen:], at, len(piece.chunk.text))

    def line_width(self) -> int:
        """The width of the line so far; of its last part when it is to be broken."""
        width = len(INDENT) * self.line_depth + sum(len(word.text) + word.space for word in self.line)
        return width if width <= WIDTH else len(broken(self.line, INDENT * self.line_depth)[-1])

    def end_line_after_brace(
        self, piece: Piece, comments: list[Token], seen: int, brace: Token, following: int
    ) -> None:
        """After the `{` of a body of several lines; a comment on its line stays there."""
        self.depth += 1
        if seen < len(comments) and comments[seen].start < following:
            comment = comments[seen]
            if "\n" not in piece.chunk.text[brace.end : comment.start] and comment.text.startswith("//"):
                return
        self.end_line()

    def word(self, token: Token, previous: Token | None, shape: _Shape, index: int, tokens: list[Token]) -> None:
        text = f'"{token.text}"' if token.kind == "STRING" else token.text
        space = bool(self.line) and previous is not None and _space(previous, token, shape, index, tokens)
        if token.kind in (")", "]"):
            self.level -= 1
        self.add(Word(text, space, self.level, _breakable(token, previous, shape)))
        if token.kind in ("(", "["):
            self.level += 1


class _Groups:
    """The brace groups of a piece, and which of them stay on one line."""

    def __init__(self, tokens: list[Token], comments: list[Token], shape: _Shape) -> None:
        self.match: dict[int, int] = {}
        self._flat: set[int] = set()
        self._inside: list[tuple[int, int]] = []
        stack: list[int] = []
        for index, token in enumerate(tokens):
            if token.kind == "{":
                stack.append(index)
            elif token.kind == "}" and stack:
                self.match[stack.pop()] = index
        self.comments = comments

    def flat(self, index: int) -> bool:
        return index in self._flat

    def inside_flat(self, index: int) -> bool:
        return any(start < index < end for start, end in self._inside)

    def fits(self, index: int, width: int, tokens: list[Token], shape: _Shape) -> bool:
        """Whether the group that opens at `index` goes on one line; remembers it."""
        end = self.match.get(index)
        if end is None:
            return False
        inner = tokens[index + 1 : end]
        first, last = tokens[index], tokens[end]
        if any(first.start < comment.start < last.end for comment in self.comments):
            return False
        if any(token.kind == "{" for token in inner):
            return False
        limit = _OPTIONS_ON_ONE_LINE if _holds_options(tokens, index) else _STATEMENTS_ON_ONE_LINE
        if sum(token.kind == ";" for token in inner) > limit:
            return False
        for number in range(index + 1, min(end + 2, len(tokens))):
            token = tokens[number]
            width += len(token.text) + _space(tokens[number - 1], token, shape, number, tokens)
        if width > WIDTH and inner:
            return False
        self._flat.update((index, end))
        self._inside.append((index, end))
        return True


def _holds_options(tokens: list[Token], index: int) -> bool:
    """Whether a brace opens a list of options rather than of statements."""
    return (
        tokens[0].text in ("pool", "stage", "run", "workload")
        and tokens[index - 1].text
        not in (
            "init",
            "turn",
            "session",
            "iteration",
        )
        and tokens[index - 1].kind != ")"
    )


_NO_SPACE_BEFORE = frozenset((";", ",", ")", "]", ".", "["))
_NO_SPACE_AFTER = frozenset(("(", "[", ".", "~"))
_OPERATORS = frozenset(("+", "-", "*", "/", "^", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "?", ":"))
_CLAUSES = frozenset(
    ("reserve", "reuse", "at", "cache", "lease", "growing", "from", "to", "when", "share", "latency", "requeue")
)


def _space(previous: Token, token: Token, shape: _Shape, index: int, tokens: list[Token]) -> bool:
    """Whether a space stands between two tokens of one line."""
    kind = token.kind
    if previous.kind in _NO_SPACE_AFTER or id(previous) in shape.prefix:
        return False
    if kind == "(":
        return id(previous) not in shape.tight
    if kind == "[":
        return previous.kind != "NAME"
    return kind not in _NO_SPACE_BEFORE


def _breakable(token: Token, previous: Token | None, shape: _Shape) -> bool:
    """Whether a long line may be broken before the token."""
    if previous is None:
        return False
    if previous.kind == "," or (token.kind == "NAME" and token.text in _CLAUSES and previous.kind in (")", "}")):
        return True
    return token.kind in _OPERATORS and id(token) not in shape.prefix
