"""After a syntax error: say what is wrong once, and find a place where parsing can go on (spec 03 §3).

In this order: a slip that a table knows; a token put in or left out; the nearest expression, option, statement or item
that can be given up.  What is given up becomes an error node, and the names in it are remembered as unparsed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import Any

from serq_interpreter.syntax import nodes, tables
from serq_interpreter.syntax.definitions import CLOSING, OPENING
from serq_interpreter.syntax.parser import Parser, shifted
from serq_interpreter.syntax.slips import SLIPS
from serq_interpreter.syntax.syntax_errors import code_of, expected_text, found_text
from serq_interpreter.syntax.tables import GOTO, ROW
from serq_interpreter.syntax.tokens import Edit, Finding, Fix, Place, Token, place_of

_INSERTED = (";", ")", "]", "}", "(", "{", ":", "=", ",")
_CLOSERS = frozenset((";", ")", "]", "}"))
_PARTS = (
    "statement",
    "pool_option",
    "step_option",
    "iteration_statement",
    "workload_clause",
    "queue_part",
    "run_option",
)
_MAX_HOLES = 60
_LOOK = 4
"""How many tokens must fit for a guess to be believed."""

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
        if kind != "NAME" and token.kind != "NAME" and kind not in ("EOF", "}", "{") and self.distance(before, token) < 3:
            parser.quiet = True
        if self._stuck >= _MAX_TRIES:
            error.report()
            return error.skip()
        if self._stuck < 3:
            for slip in SLIPS:
                if slip(error):
                    return True
            if error.missing_expression() or error.inserted() or error.deleted():
                return True
        error.report()
        return error.give_up()

    def distance(self, before: Token | None, token: Token) -> int:
        """How many of the chunk's tokens lie between an earlier error and `token`."""
        if before is None:
            return 1 << 30
        return bisect_left(self.starts, _origin(token).start) - bisect_left(self.starts, _origin(before).start)

    def lost(self, first: Token | None, stop: Token) -> None:
        """Remember the names from `first` up to the token before `stop` as unparsed."""
        self.unparsed.update(token.text for token in self.between(first, stop) if token.kind == "NAME")

    def between(self, first: Token | None, stop: Token) -> list[Token]:
        """The chunk's own tokens from `first` up to, and without, `stop` (expansions count as their uses)."""
        begin = bisect_left(self.starts, _origin(first).start) if first is not None else 0
        end = _origin(stop)
        limit = len(self.tokens) if end.kind == "EOF" else bisect_left(self.starts, end.start)
        return self.tokens[begin : max(limit, begin + 1)]


def _origin(token: Token) -> Token:
    while token.via is not None:
        token = token.via.use
    return token


class SyntaxFault:
    """One error: where, what could have stood there, and the ways out."""

    def __init__(self, parser: Parser, token: Token, kind: str, recovery: Recovery) -> None:
        self.parser = parser
        self.token = token
        self.kind = kind
        self.recovery = recovery
        states = parser.states
        self.expected = frozenset(terminal for terminal in ROW[states[-1]] if shifted_or_end(states, terminal))
        self.code = code_of(self.expected, "NAME" if token.kind == "NAME" else kind)

    # ------------------------------------------------------------------------------------------------ reports

    def report(
        self, code: str = "", place: Place | None = None, fixes: tuple[Fix, ...] = (), help: str = "", **args: object
    ) -> None:
        """Report once per recovery span, and nothing that touches a character the lexer refused."""
        parser = self.parser
        recovery = self.recovery
        if parser.quiet or self.token is recovery.reported:
            return
        if self.kind == "EOF" and recovery.reported is not None:
            if recovery.unbalanced or recovery.open_braces <= 0:
                return
        parser.quiet = True
        recovery.reported = self.token
        if self._touches_bad():
            return
        if self.token.via is not None:
            fixes = ()
        if (code or self.code) == "SQ0112":
            args = {"name": self.token.text, "called": parser.buffer[-2].kind == "(", **args}
        texts = {"expected": expected_text(self.expected), "found": found_text(self.token), **args}
        parser.report(Finding(code or self.code, place or place_of(self.token), texts, fixes=fixes, help=help))

    def _touches_bad(self) -> bool:
        bad = self.recovery.bad
        if not bad or self.token.via is not None:
            return False
        previous = self.parser.previous
        start = previous.start if previous is not None and previous.via is None else 0
        return any(first <= self.token.end and last >= start for first, last in bad)

    def after_previous(self) -> Place:
        """The empty range after the token before the error."""
        previous = self.parser.previous
        token = self.token
        if previous is None or (token.via is not None and (token.chunk is not previous.chunk or previous.end > token.start)):
            return place_of(token)
        return Place(previous.chunk, previous.end, previous.end, previous.via)

    # ------------------------------------------------------------------------------------------------ small repairs

    def fits(self, states: list[int], buffer: list[Token], count: int = _LOOK) -> int:
        """How many of the next tokens of `buffer` can be shifted onto `states`, at most `count`; the end counts as all."""
        stack: list[int] | None = states
        for number in range(count):
            token = buffer[-1 - number]
            if token.kind == "EOF":
                return count if shifted_or_end(stack or states, "EOF") else number
            stack = _take(stack or states, buffer, number)
            if stack is None:
                return number
        return count

    def missing_expression(self) -> bool:
        """Put in an unknown expression where one is missing and the next token could follow it."""
        if "~" not in self.expected:
            return False
        parser = self.parser
        states = shifted(parser.states, "NUMBER")
        if states is None or self.kind not in _FOLLOWS_EXPRESSION or not self.fits(states, parser.buffer, 1):
            return False
        previous = parser.previous
        if previous is not None and previous.kind == "," and self.kind in (")", ";"):
            comma = place_of(previous)
            self.report(fixes=(Fix("delete the comma", (Edit(comma, ""),), safe=True),))
            if self.kind == ")":
                parser.states.pop()
                parser.values.pop()
                return True
        else:
            self.report()
        self.put("ERROR", "")
        return True

    def put(self, kind: str, text: str) -> None:
        """Put a token before the rest of the input."""
        at = self.token
        self.parser.buffer.append(Token(kind, text, at.start, at.start, at.chunk, at.via))

    def inserted(self) -> bool:
        """Put in one token that makes the next ones fit."""
        parser = self.parser
        best = ""
        best_fit = 0
        for terminal in _INSERTED:
            if terminal not in self.expected:
                continue
            states = shifted(parser.states, terminal)
            if states is None:
                continue
            fit = self.fits(states, parser.buffer)
            if fit > best_fit:
                best, best_fit = terminal, fit
        if not best or not self._believed(best, best_fit):
            return False
        at = self.after_previous()
        safe = best_fit >= _LOOK and best in (";", ")", "}", "(")
        fix = Fix(f"insert `{best}`", (Edit(at, best),), safe=safe)
        if best in _CLOSERS and self.kind != "EOF":
            self.report(place=at, fixes=(fix,), expected=f"`{best}`")
        elif best in _CLOSERS:
            help = "a closing `}` is missing" if best == "}" else ""
            self.report(place=self._end_place(at, best), fixes=(fix,), help=help)
        else:
            self.report(fixes=(fix,))
        if best == "{":
            self.recovery.unbalanced = True
        elif best == ")" and self.kind == ";":
            self.recovery.closers += 1
        parser.buffer.append(Token(best, "", at.end, at.end, at.chunk, at.via))
        return True

    def _end_place(self, at: Place, terminal: str) -> Place:
        """At the end of the text the message stands where the text ends."""
        return place_of(self.token) if self.token.start > at.end or terminal == "}" else at

    def _believed(self, terminal: str, fit: int) -> bool:
        if fit >= 3 or self.kind == "EOF":
            return True
        if terminal == ";":
            return self.kind == "}" or (fit >= 2 and self.on_new_line())
        return terminal in ("(", ")") and fit >= 1 and self.kind != "NAME"

    def on_new_line(self) -> bool:
        """Whether the token found is the first of its line."""
        previous = self.parser.previous
        if previous is None or previous.chunk is not self.token.chunk or self.token.start < previous.end:
            return False
        return "\n" in self.token.chunk.text[previous.end : self.token.start]

    def deleted(self) -> bool:
        """Leave out the token found when the next ones fit without it."""
        parser = self.parser
        token = self.token
        if self.kind == "EOF" or self.kind in ("{", "}"):
            return False
        rest = parser.buffer[-_LOOK - 3 : -1]
        if rest[-1].kind == "EOF" or self.fits(parser.states, rest) < (2 if self.kind in CLOSING else _LOOK - 1):
            return False
        title = "delete it"
        self.report(fixes=(Fix(title, (Edit(place_of(token), ""),), safe=self.kind == ";"),))
        self.recovery.lost(token, parser.buffer[-2])
        parser.buffer.pop()
        return True

    # ------------------------------------------------------------------------------------------------ giving up

    def skip(self) -> bool:
        """Leave out the token found, whatever it is."""
        if self.kind in ("{", "}"):
            self.recovery.unbalanced = True
        buffer = self.parser.buffer
        self.parser.previous = buffer.pop()
        self.recovery.lost(self.token, buffer[-1])
        return True

    def give_up(self) -> bool:
        """Give up the smallest part around the error after which parsing can go on."""
        holes = 0
        states = self.parser.states
        open_brackets = 0
        for index in range(len(states) - 1, -1, -1):
            goto = GOTO[states[index]]
            if holes < _MAX_HOLES:
                for name, make in _HOLES:
                    if name in goto:
                        holes += 1
                        if self._fill(index, name, make, open_brackets):
                            return True
            for name in _PARTS:
                if name in goto:
                    return self._give_up_part(index, name)
            if index:
                value = self.parser.values[index - 1]
                if isinstance(value, Token):
                    open_brackets += (value.kind in OPENING) - (value.kind in CLOSING)
        return False

    def _fill(self, index: int, name: str, make: Callable[[Token, Token], Any], depth: int) -> bool:
        """Give up what was read since state `index`, and what follows up to a token that may come after a `name`."""
        parser = self.parser
        filled = [*parser.states[: index + 1], GOTO[parser.states[index]][name]]
        buffer = parser.buffer
        for offset in range(len(buffer) - 3):
            token = buffer[-1 - offset]
            kind = token.kind
            if kind in CLOSING and depth > 0 and kind != "}":
                depth -= 1
                continue
            if depth <= 0 and kind in _STOPS.get(name, _AFTER_EXPRESSION) and shifted(filled, kind) is not None:
                first = self._first_value(index)
                self.recovery.lost(first, token)
                del parser.states[index + 1 :], parser.values[index:]
                del buffer[len(buffer) - offset :]
                parser.states = filled
                parser.values.append(make(first or self.token, self.token))
                return True
            if kind in (";", "{", "}", "EOF"):
                return False
            if kind in OPENING:
                depth += 1
            elif kind in CLOSING:
                return False
        return False

    def _first_value(self, index: int) -> Token | None:
        for value in self.parser.values[index:]:
            if isinstance(value, Token):
                return value
            first = getattr(value, "first", None)
            if first is not None:
                return _as_token(first)
            if isinstance(value, list) and value:
                return value[0] if isinstance(value[0], Token) else _as_token(value[0].first)
        return None

    def _give_up_part(self, index: int, name: str) -> bool:
        """Give up a statement or option: up to its `;`, or up to the `}` of the block around it."""
        parser = self.parser
        buffer = parser.buffer
        first = self._first_value(index) or self.token
        depth = 0
        last = first
        while True:
            token = buffer[-1]
            kind = token.kind
            if kind == "EOF" or (kind == "}" and depth <= 0):
                break
            if kind == "{" and name == "statement" and depth <= 0:
                return self._read_block(index, first, token)
            if kind == "{":
                depth = max(depth, 0) + 1
            elif kind == "}":
                depth -= 1
            buffer.pop()
            last = parser.previous = token
            if depth <= 0 and kind in (";", "}"):
                parser.quiet = False
                break
        self.recovery.lost(first, buffer[-1])
        taken = self.recovery.between(first, buffer[-1])
        if last is first and token is first and kind in ("EOF", "}"):
            return self._close(index)
        del parser.states[index + 1 :], parser.values[index:]
        parser.states.append(GOTO[parser.states[-1]][name])
        parser.values.append(nodes.ErrorStmt(first, last, assigned_names(taken)))
        return True

    def _close(self, index: int) -> bool:
        """Nothing to give up before the `}` or the end: close what is open, or leave the `}` out."""
        parser = self.parser
        if self.kind == "EOF" and self._first_value(index) is None:
            if shifted(parser.states[: index + 1], "}") is None:
                return False
            del parser.states[index + 1 :], parser.values[index:]
            self.put("}", "")
            return True
        first = self._first_value(index)
        if first is not None:
            name = next(name for name in _PARTS if name in GOTO[parser.states[index]])
            del parser.states[index + 1 :], parser.values[index:]
            parser.states.append(GOTO[parser.states[-1]][name])
            parser.values.append(nodes.ErrorStmt(first, first, ()))
            return True
        return False

    def _read_block(self, index: int, first: Token, brace: Token) -> bool:
        """Give up the head of a statement and read its block, as if a test of unknown value stood before it."""
        parser = self.parser
        taken = self.recovery.between(first, brace)
        self.recovery.lost(first, brace)
        del parser.states[index + 1 :], parser.values[index:]
        chunk, start, via = first.chunk, first.start, first.via
        text = nodes.DAMAGED if first.text in ("hold", "enter", "admit") else "branch"
        self.assigned = assigned_names(taken)
        for kind, word in ((")", ""), ("ERROR", ""), ("(", ""), ("branch", text)):
            parser.buffer.append(Token(kind, word, start, first.end, chunk, via))
        return True


def _as_token(first: Any) -> Token:
    while not isinstance(first, Token):
        first = first.first
    return first


def shifted_or_end(states: list[int], terminal: str) -> bool:
    """Whether the terminal can be shifted, or is the end and may come."""
    if terminal != "EOF":
        return shifted(states, terminal) is not None
    return tables.reaches_end(states)


def _take(states: list[int], buffer: list[Token], number: int) -> list[int] | None:
    """The stack after the token `number` from the top of `buffer`, read as a word where one fits."""
    token = buffer[-1 - number]
    kind = token.kind
    if kind == "NAME":
        text = token.text
        if text in tables.WORDS:
            stack = shifted(states, text)
            if stack is not None:
                return stack
        following = buffer[-2 - number].kind if number + 2 <= len(buffer) else "EOF"
        if following == "(" and "fork" in ROW[states[-1]] and "NAME" in ROW[states[-1]]:
            return None
    return shifted(states, "NUMBER" if kind == "ERROR" else kind)


def assigned_names(tokens: list[Token]) -> tuple[Token, ...]:
    """The names that the tokens of a damaged statement seem to assign: after `set` and `choose`, and bindings."""
    found = []
    for before, token, after in zip(tokens, tokens[1:], [*tokens[2:], None], strict=False):
        if token.kind != "NAME":
            continue
        binds = after is not None and after.kind == "=" and before.kind in ("(", ",")
        if before.text in ("set", "choose") or binds:
            found.append(token)
    return tuple(found)


def _error_expression(first: Token, last: Token) -> nodes.Expr:
    return nodes.ErrorExpr(first, last if last.kind != "EOF" else first)


def _unknown_kind(first: Token, last: Token) -> nodes.StageKind:
    return nodes.StageKind(first, last, last.text, damaged=True)


def _unknown_policy(first: Token, last: Token) -> Token:
    return Token("ERROR", "maxmin", last.start, last.end, last.chunk, last.via)


_HOLES: tuple[tuple[str, Callable[[Token, Token], Any]], ...] = (
    ("expr", _error_expression),
    ("count", _error_expression),
    ("simple_kind", _unknown_kind),
    ("policy", _unknown_policy),
)
_AFTER_EXPRESSION = frozenset((";", ")", "]", ",", ":"))
_STOPS = {"count": frozenset("("), "simple_kind": frozenset(";"), "policy": frozenset(";")}
_FOLLOWS_EXPRESSION = frozenset(
    (";", ")", "]", ",", ":", "?", "+", "*", "/", "^", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "}", "EOF")
)
