"""The LALR driver: tokens to nodes over the tables of `serq.lark`, expanding definitions as it goes (spec 01 §3).

No word is reserved: a NAME is taken for a word of the language where the state can take that word.  The remaining input
is a stack (`buffer`, next token last), so that an expansion puts tokens back in front of the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from serq_interpreter.syntax import tables
from serq_interpreter.syntax.building.parts import Builder
from serq_interpreter.syntax.building.registry import builder
from serq_interpreter.syntax.tables import ENDS, GOTO, ROW, RULES, STARTS
from serq_interpreter.syntax.tokens import Finding, Token

_SPAN_ENDS = frozenset((";", "{", "}"))
_NEAR = 24
"""How many characters before a `run (…)` a syntax error makes it a consequence."""
AGGREGATES = frozenset(("max", "min", "sum"))
SPAWN = "spawn"
GROUP_NAMES_EXCLUDED = frozenset(("turn", "end", "join", "request"))
"""Statements of one word: `join` before one of them lacks its `;`, it names no group."""
_EXTENSION_WORDS = frozenset(("into", "inherit"))
"""Words that a definition may be called by: they are looked for only where nothing else can stand."""
_WORDS = tables.WORDS - _EXTENSION_WORDS
_SPAWN_STOPS = frozenset((";", "{", "}", "EOF"))
RELATION_LEFTS = frozenset(("share", "run"))
"""Words of items that may also be the left queue of a relation (the other item words never are)."""

_PASS, _LIST, _EXTEND, _BUILD = range(4)


def _how(name: str) -> int:
    return {"": _PASS, "*": _LIST, "+": _EXTEND}.get(name, _BUILD)


_HOW: list[int] = [_how(rule.build) for rule in RULES]
_BUILDERS: list[Builder | None] = [
    builder(rule.build) if how == _BUILD else None for rule, how in zip(RULES, _HOW, strict=True)
]
_UNIT: list[bool] = [how == _PASS and rule.size == 1 for rule, how in zip(RULES, _HOW, strict=True)]
_PRODUCTIONS = [
    (rule.size, rule.origin, builder, how, tuple(rule.absent))
    for rule, builder, how in zip(RULES, _BUILDERS, _HOW, strict=True)
]
_CONFLICTS: list[frozenset[str]] = [
    frozenset(word for word in row if word in tables.WORDS and row[word] < 0) if "NAME" in row else frozenset()
    for row in ROW
]
"""Per state, the words that reduce where a NAME could be taken too: whether the word fits is seen by trying."""

_CHAINS: dict[tuple[int, int, str], int] = {}
"""(state below, state, terminal) → the state after the productions that only pass a value on; filled as met."""


_ITEM_STATES = frozenset((STARTS["item"], STARTS["program"]))


def spawns(buffer: list[Token], number: int = 0) -> bool:
    """Whether `spawn`, `number` tokens below the top of the buffer, begins the statement `spawn (…) into`.

    The first `into` after a `)` decides, before any `;` or brace: everything else called `spawn` stays a name.
    """
    at = len(buffer) - 2 - number
    if at < 0 or buffer[at].kind != "(":
        return False
    while at > 0 and buffer[at].kind not in _SPAWN_STOPS:
        if buffer[at].kind == ")" and buffer[at - 1].text == "into":
            return True
        at -= 1
    return False


def names_group(buffer: list[Token], number: int = 0) -> bool:
    """Whether the NAME `number` tokens below the top of the buffer, which stands after `join`, names a group."""
    at = len(buffer) - 1 - number
    return at > 0 and buffer[at - 1].kind == ";" and buffer[at].text not in GROUP_NAMES_EXCLUDED


def kind_of_name(row: dict[str, int], buffer: list[Token]) -> str:
    """What the NAME at the top of the buffer is where `row` has no place for a name: of the extension v4b, or nothing."""
    if "GROUP" in row and names_group(buffer):
        return "GROUP"
    text = buffer[-1].text
    return text if text in _EXTENSION_WORDS and text in row else "NAME"


def shifted(states: list[int], kind: str) -> list[int] | None:
    """The stack after shifting `kind` onto `states`, which stays as it is; `None` when it cannot be shifted."""
    stack = list(states)
    while True:
        action = ROW[stack[-1]].get(kind)
        if action is None:
            return None
        if action >= 0:
            stack.append(action)
            return stack
        size, origin = _PRODUCTIONS[~action][:2]
        if size:
            del stack[-size:]
        stack.append(GOTO[stack[-1]][origin])


class Macros(Protocol):
    """The definitions above the place that is read."""

    def __contains__(self, name: object) -> bool: ...

    def last_of(self, name: str) -> Token | None:
        """The last token of a body of statements."""

    def expand(self, parser: Parser, statement: bool) -> bool:
        """Replace the use at the top of `parser.buffer`; false when it is to be read as it stands."""


class Parser:
    """One run over the tokens of one item, statement block or expression."""

    def __init__(self, tokens: list[Token], eof: Token, macros: Macros | None = None) -> None:
        self.eof = eof
        self.buffer: list[Token] = [eof, eof, eof, *reversed(tokens)]
        self.macros = macros
        self.findings: list[Finding] = []
        self.own_runs: list[Token] = []
        self.states: list[int] = []
        self.values: list[Any] = []
        self.previous: Token | None = None
        self.quiet = False
        """Whether an error was reported since the last `;` or brace: at most one is per recovery span (spec 03 §3)."""
        self.last_error: Token | None = None
        self.as_written = False
        self.opaque: Token | None = None
        """A use of a definition that is read as it stands, because nobody knows its statements."""
        self.expects_spawn = False
        """Whether `spawn (` begins a statement before its `into` is there: where a text is being typed."""
        self.recover: Callable[[Parser, Token, str], bool] | None = None

    def report(self, finding: Finding) -> None:
        self.findings.append(finding)

    def own_run(self, paren: Token) -> None:
        if self.last_error is None or self.last_error.start < paren.start - _NEAR:
            self.own_runs.append(paren)

    def run(self, start: str) -> Any:
        """The value of `start` (a key of `STARTS`), or `None` when it could not be read."""
        states = self.states = [STARTS[start]]
        values = self.values = []
        end = ENDS[start]
        buffer = self.buffer
        macros = self.macros
        words = _WORDS
        while True:
            token = buffer[-1]
            kind = token.kind
            row = ROW[states[-1]]
            if kind == "NAME":
                text = token.text
                if text in words:
                    if text in row and self.is_word(text, row):
                        kind = text
                elif text in AGGREGATES:
                    if "AGGREGATE" in row and buffer[-2].kind == "NAME" and buffer[-3].text == "in":
                        kind = "AGGREGATE"
                elif macros is not None and text in macros and buffer[-2].kind == "(":
                    if "~" in row:
                        if macros.expand(self, False):
                            continue
                    elif "fork" in row and macros.expand(self, True):
                        continue
                if kind == "NAME":
                    if text == SPAWN and "SPAWN" in row and (self.expects_spawn or spawns(buffer)):
                        kind = "SPAWN"
                    elif self.is_unknown(row, buffer[-2]):
                        kind = "UNKNOWN"
            elif kind == "ERROR":
                kind = "NUMBER"
            action = row.get(kind)
            while True:
                if action is None:
                    if kind == "NAME":
                        kind = kind_of_name(ROW[states[-1]], buffer)
                        action = ROW[states[-1]].get(kind)
                        if action is not None:
                            continue
                    if kind == "EOF" and states[-1] == end:
                        return values[-1]
                    if self.recover is None or not self.recover(self, token, kind):
                        return None
                    states, values = self.states, self.values
                    break
                if action >= 0:
                    states.append(action)
                    values.append(token)
                    self.previous = buffer.pop()
                    if self.quiet and kind in _SPAN_ENDS:
                        self.quiet = False
                    break
                rule = ~action
                if _UNIT[rule]:
                    key = (states[-2], states[-1], kind)
                    state = _CHAINS.get(key)
                    if state is None:
                        state = _CHAINS[key] = _chain(*key)
                    states[-1] = state
                else:
                    self.reduce(rule)
                    state = states[-1]
                action = ROW[state].get(kind)

    def is_word(self, text: str, row: dict[str, int]) -> bool:
        """Whether the NAME at the top of the buffer, a word that `row` can take, is meant as that word."""
        if text in RELATION_LEFTS and self.states[-1] in _ITEM_STATES and self.buffer[-2].text in ("pull", "push"):
            return self.buffer[-3].kind != "NAME"
        return text not in _CONFLICTS[self.states[-1]] or self.accepts(text)

    def is_unknown(self, row: dict[str, int], following: Token) -> bool:
        """Whether a NAME where a statement or an item may start begins neither: only `NAME.` and `NAME[`, `NAME pull`."""
        if "fork" in row:
            if following.kind in (".", "["):
                return False
            if following.kind == "(" and (self.as_written or self.buffer[-1] is self.opaque):
                return False
            return self.accepts("fork")
        return self.states[-1] in _ITEM_STATES and following.text not in ("pull", "push")

    def erred_since(self, token: Token) -> bool:
        """Whether a syntax error was met at or after `token`."""
        error = self.last_error
        return error is not None and (error.chunk is not token.chunk or error.start >= token.start)

    def accepts(self, kind: str) -> bool:
        """Whether the terminal can be shifted now, after the reductions that it brings about."""
        return shifted(self.states, kind) is not None

    def reduce(self, rule: int) -> None:
        """Replace the values of the rule's symbols by what it builds."""
        size, origin, builder, how, absent = _PRODUCTIONS[rule]
        values = self.values
        states = self.states
        parts: list[Any] = []
        if size:
            parts = values[-size:]
            del values[-size:], states[-size:]
        if builder is not None:
            for shift, index in enumerate(absent):
                parts.insert(index + shift, None)
            values.append(builder(parts, self))
        elif how == _EXTEND:
            first: list[Any] = parts[0]
            for part in parts[1:]:
                if isinstance(part, list):
                    first.extend(part)
                else:
                    first.append(part)
            values.append(first)
        else:
            values.append([item for part in parts for item in (part if isinstance(part, list) else (part,))])
        states.append(GOTO[states[-1]][origin])


def _chain(below: int, state: int, kind: str) -> int:
    row = ROW[state]
    while True:
        action = row.get(kind)
        if action is None or action >= 0 or not _UNIT[~action]:
            return state
        state = GOTO[below][RULES[~action].origin]
        row = ROW[state]
