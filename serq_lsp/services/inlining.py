"""Inlining a definition: a use, or all of them, replaced by the body with its arguments (spec 01 §3).

A definition is a macro of tokens, so the text of its body is what the use means.  Parentheses that the macro puts around
bodies and arguments are written where they may matter.  What is offered was tried: the new text has the same IR.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from serq_interpreter.frontend.analysis import Analysis
from serq_interpreter.ir.deep import deep_recursion
from serq_interpreter.ir.json_text import comparable_bytes
from serq_interpreter.ir.json_write import program_value
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.definitions import CLOSING, OPENING, is_reference
from serq_interpreter.syntax.tokens import Token, place_of
from serq_lsp.services.locations import span_of
from serq_lsp.services.names import names_of, symbol_at
from serq_lsp.services.snapshot import Snapshot
from serq_lsp.services.tokens import At, tokens
from serq_lsp.services.trying import Change, tried

MOST_CHARACTERS = 200_000
"""Longer texts are not tried: each offer is an analysis."""
MOST_USES = 200
_BEFORE, _AFTER = frozenset("([,=?:"), frozenset(")],;:")
"""Between these an expression stands alone."""


@dataclass(frozen=True, slots=True)
class _Use:
    """A use in the text: the tokens of each argument, where it starts, and where it ends (with `;`, of a statement)."""

    start: int
    end: int
    arguments: list[list[At]]
    alone: bool
    """Whether an expression in its place needs no parentheses."""


def inlined_definition(snapshot: Snapshot, offset: int) -> list[tuple[str, tuple[Change, ...]]]:
    """Titles and changes of what can be inlined for the definition named at `offset`: this use, all of them."""
    found = symbol_at(snapshot, offset)
    if found is None or found[1].kind != "definition" or len(snapshot.text) > MOST_CHARACTERS:
        return []
    name = found[1].name
    item = next((one.item for one in snapshot.document.tree.definitions if one.item.name.text == name), None)
    if item is None or item.tokens is None or snapshot.analysis.lowered is None:
        return []
    inliner = _Inliner(snapshot, item)
    if not inliner.uses:
        return []
    offered: list[tuple[str, tuple[Change, ...]]] = []
    here = next((use for use in inliner.uses if use.start == found[0].start), None)
    if here is not None and len(inliner.uses) > 1:
        offered.append((f"Inline this use of `{name}`", (inliner.change(here, everything=False),)))
    offered.append(inliner.all_uses())
    return [(title, changes) for title, changes in offered if _is_same(snapshot, changes)]


class _Inliner:
    """The uses of one definition in the snapshot's own text."""

    def __init__(self, snapshot: Snapshot, item: nodes.DefItem) -> None:
        self.snapshot = snapshot
        self.text = snapshot.text
        self.item = item
        self.body = list(item.tokens or ())
        self.tokens = list(tokens(snapshot))
        self.uses = self._uses()

    def _uses(self) -> list[_Use]:
        places = names_of(self.snapshot.analysis).places.get(("definition", self.item.name.text), {})
        numbers = {(id(at.token.chunk), at.token.start): number for number, at in enumerate(self.tokens)}
        found = []
        for where in places:
            number = numbers.get(where)
            if number is not None and self.tokens[number].token is not self.item.name:
                use = self._use(number)
                if use is not None:
                    found.append(use)
        return sorted(found, key=lambda use: use.start)

    def _use(self, number: int) -> _Use | None:
        """The use whose name is the token of this number; `None` where its parentheses are not closed."""
        every = self.tokens
        arguments: list[list[At]] = [[]]
        depth = 0
        for index in range(number + 1, len(every)):
            at = every[index]
            depth += (at.token.kind in OPENING) - (at.token.kind in CLOSING)
            if depth == 0:
                break
            if at.token.kind == "," and depth == 1:
                arguments.append([])
            elif index > number + 1:
                arguments[-1].append(at)
        else:
            return None
        if not self.item.is_expression:
            index += 1  # the `;` belongs to the use
            if index >= len(every) or every[index].token.kind != ";":
                return None
        before = every[number - 1].token.kind if number else ""
        after = every[index + 1].token.kind if index + 1 < len(every) else ""
        given = [] if arguments == [[]] else arguments
        return _Use(every[number].start, every[index].end, given, before in _BEFORE and after in _AFTER)

    def all_uses(self) -> tuple[str, tuple[Change, ...]]:
        """All uses; the definition goes, where it stands in this text."""
        name, n_uses = self.item.name.text, len(self.uses)
        outermost = [use for use in self.uses if not any(other.start < use.start < other.end for other in self.uses)]
        changes = [self.change(use, everything=True) for use in outermost]
        span = span_of(self.snapshot, self.item.place)
        if span is None or span.file != self.snapshot.file:
            which = f"all {n_uses} uses" if n_uses > 1 else "the use"
            return f"Inline {which} of `{name}` in this file", tuple(changes)
        start, end = self._lines_of(span.start, span.end)
        several = f"all {n_uses} uses of " if n_uses > 1 else ""
        return f"Inline {several}`{name}` and delete the definition", ((start, end, ""), *changes)

    def _lines_of(self, start: int, end: int) -> tuple[int, int]:
        """An item with its line, where it stands there alone, and one of two blank lines around it."""
        line, stop = self.text.rfind("\n", 0, start) + 1, self.text.find("\n", end)
        stop = len(self.text) if stop < 0 else stop + 1
        if self.text[line:start].strip() or self.text[end:stop].strip():
            return start, end
        if self.text[:line].endswith(("\n\n", "\r\n\r\n")) or not line:
            while self.text.startswith("\n", stop):
                stop += 1
        return line, stop

    def change(self, use: _Use, *, everything: bool) -> Change:
        """The use replaced by the body; uses in its arguments, too, when `everything` is to go."""
        return use.start, use.end, self._written(use, everything)

    def _written(self, use: _Use, everything: bool) -> str:
        pieces: list[str] = []
        source = self.snapshot.document.locate(place_of(self.body[0]))[0].text if self.body else ""
        parameters = {token.text: number for number, token in enumerate(self.item.parameters)}
        before = None
        for number, token in enumerate(self.body):
            start, end = self._own(token)
            if before is not None:
                pieces.append(source[before:start])
            index = parameters.get(token.text) if token.kind == "NAME" else None
            if index is None or index >= len(use.arguments):
                pieces.append(source[start:end])
            else:
                pieces.append(self._argument(use.arguments[index], self._stands_alone(use, number), everything))
            before = end
        text = "".join(pieces)
        if self.item.is_expression:
            return text if use.alone or is_atom(self.body) else f"({text})"
        return self._indented(text, use.start)

    def _own(self, token: Token) -> tuple[int, int]:
        """Where a token of the body stands in its own file."""
        _, start, end = self.snapshot.document.locate(place_of(token))
        return start, end

    def _stands_alone(self, use: _Use, number: int) -> bool:
        """Whether a parameter of the body needs no parentheses around its argument."""
        body = self.body
        # At the ends of the body are the macro's parentheses, or what makes them superfluous.
        closed = self.item.is_expression and (use.alone or not is_atom(body))
        before = body[number - 1].kind if number else "(" * closed
        after = body[number + 1].kind if number + 1 < len(body) else ")" * closed
        return before in _BEFORE and after in _AFTER

    def _argument(self, argument: Sequence[At], alone: bool, everything: bool) -> str:
        """The text of an argument, in parentheses where they may matter."""
        start, end = argument[0].start, argument[-1].end
        text, done = "", start
        keeps_together = is_atom([at.token for at in argument])
        for use in self.uses if everything else ():
            if done <= use.start < end:
                text += self.text[done : use.start] + self._written(use, everything)
                done = use.end
                if (use.start, use.end) == (start, end):
                    keeps_together = is_atom(self.body)
        text += self.text[done:end]
        return text if alone or keeps_together else f"({text})"

    def _indented(self, text: str, offset: int) -> str:
        """The body's lines, moved to the column of the use."""
        line = self.text[self.text.rfind("\n", 0, offset) + 1 : offset]
        indent = line[: len(line) - len(line.lstrip(" \t"))]
        first, *rest = text.split("\n")
        shared = min((len(one) - len(one.lstrip(" \t")) for one in rest if one.strip()), default=0)
        return "\n".join([first, *(indent + one[shared:] if one.strip() else "" for one in rest)])


def is_atom(body: Sequence[Token]) -> bool:
    """Whether tokens keep together beside any operator: a number, a reference, a call, a draw, a parenthesis."""
    if len(body) == 1 or is_reference(list(body)):
        return True
    called = body[1:] if body[0].kind == "~" else body
    if called and called[0].kind == "NAME":
        called = called[1:]
    if not called or called[0].kind != "(":
        return False
    depth = 0
    for number, token in enumerate(called):
        depth += (token.kind in OPENING) - (token.kind in CLOSING)
        if depth == 0:
            return number == len(called) - 1
    return False


def _is_same(snapshot: Snapshot, changes: Sequence[Change]) -> bool:
    """Whether the changed text has the same IR, and no finding that the old one has not."""
    after = tried(snapshot, changes)
    return after is not None and after.lowered is not None and _ir(after) == _ir(snapshot.analysis)


def _ir(analysis: Analysis) -> bytes:
    assert analysis.lowered is not None
    with deep_recursion():
        return comparable_bytes(program_value(analysis.lowered.program))
