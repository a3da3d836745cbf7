"""One syntax error: where it is, what could have stood there, how it is reported, and the small repairs.

A small repair puts one token in or leaves one out, and is believed when the next tokens then fit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from serq_interpreter.syntax import tables
from serq_interpreter.syntax.definitions import CLOSING
from serq_interpreter.syntax.parser import SPAWN, Parser, names_group, shifted, spawns
from serq_interpreter.syntax.syntax_errors import code_of, expected_text, found_text
from serq_interpreter.syntax.tables import ROW
from serq_interpreter.syntax.tokens import Edit, Finding, Fix, Place, Token, place_of

if TYPE_CHECKING:
    from serq_interpreter.syntax.recovery import Recovery

_INSERTED = (";", ")", "]", "}", "(", "{", ":", "=", ",")
_CLOSERS = frozenset((";", ")", "]", "}"))
_FOLLOWS_EXPRESSION = frozenset(
    (";", ")", "]", ",", ":", "?", "+", "*", "/", "^", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "}", "EOF")
)
_LOOK = 4
"""How many tokens must fit for a guess to be believed."""


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
        consequence = recovery.unbalanced or recovery.open_braces <= 0
        if self.kind == "EOF" and recovery.reported is not None and consequence:
            return
        parser.quiet = True
        recovery.reported = self.token
        if self._touches_bad():
            return
        fixes = tuple(fix for fix in fixes if self._is_written(fix))
        if (code or self.code) == "SQ0112":
            args = {"name": self.token.text, "called": parser.buffer[-2].kind == "(", **args}
        texts = {"expected": expected_text(self.expected), "found": found_text(self.token), **args}
        parser.report(Finding(code or self.code, place or self._found_at(), texts, fixes=fixes, help=help))

    def _is_written(self, fix: Fix) -> bool:
        """Whether the fix edits text that stands where the error is: nothing that a definition brought."""
        return self.token.via is None and all(edit.place.via is None for edit in fix.edits)

    def _found_at(self) -> Place:
        """The token found; where a definition's expression ends too early, its end and not that of the use."""
        token, previous = self.token, self.parser.previous
        if token.kind != ")" or token.via is None or previous is None or previous.via is None:
            return place_of(token)
        use = token.via.use
        if token.chunk is use.chunk and previous.via.use is use and previous.chunk is not use.chunk:
            return Place(previous.chunk, previous.end, previous.end, previous.via)
        return place_of(token)

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
        if previous is None or (
            token.via is not None and (token.chunk is not previous.chunk or previous.end > token.start)
        ):
            return place_of(token)
        ended = self._ended_body(previous)
        if ended is not None:
            return ended
        return Place(previous.chunk, previous.end, previous.end, previous.via)

    def _ended_body(self, previous: Token) -> Place | None:
        """The end of the body that `previous` came from, where it ended before the error with an argument."""
        macros, around = self.parser.macros, []
        expansion = self.token.via
        while expansion is not None:
            around.append(expansion)
            expansion = expansion.use.via
        expansion = previous.via
        while macros is not None and expansion is not None and expansion not in around:
            last = macros.last_of(expansion.definition)
            if last is not None:
                return Place(last.chunk, last.end, last.end, expansion)
            expansion = expansion.use.via
        return None

    # ------------------------------------------------------------------------------------------------ small repairs

    def fits(self, states: list[int], buffer: list[Token], count: int = _LOOK) -> int:
        """How many of the next tokens of `buffer` can be shifted onto `states`, at most `count`.

        The end counts as all, and so does a use of a definition where a statement may begin.
        """
        stack: list[int] | None = states
        for number in range(count):
            token = buffer[-1 - number]
            if token.kind == "EOF":
                return count if shifted_or_end(stack or states, "EOF") else number
            if self._is_use(stack or states, buffer, number):
                return count
            stack = _take(stack or states, buffer, number)
            if stack is None:
                return number
        return count

    def _is_use(self, states: list[int], buffer: list[Token], number: int) -> bool:
        """Whether the token `number` from the top of `buffer` begins a use that stands as a statement."""
        macros = self.parser.macros
        token = buffer[-1 - number]
        if macros is None or token.kind != "NAME" or token.text not in macros or len(buffer) < number + 2:
            return False
        return buffer[-2 - number].kind == "(" and shifted(states, "fork") is not None

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
            if terminal not in self.expected or (terminal == "(" and self._is_called()):
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

    def _is_called(self) -> bool:
        """Whether a `(` follows the name found: then the name is too much, not a `(` before it missing."""
        return self.token.kind == "NAME" and self.parser.buffer[-2].kind == "("

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
        if token.kind == ":" and parser.previous is self.recovery.tokens[0]:
            # `queue : gateway` has lost its name: the role is none.
            return False
        title = "delete it"
        self.report(fixes=(Fix(title, (Edit(place_of(token), ""),), safe=self.kind == ";"),))
        self.recovery.lost(token, parser.buffer[-2])
        parser.buffer.pop()
        return True


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
        if text == SPAWN and spawns(buffer, number):
            return shifted(states, "SPAWN")
        if "GROUP" in ROW[states[-1]] and names_group(buffer, number):
            return shifted(states, "GROUP")
        following = buffer[-2 - number].kind if number + 2 <= len(buffer) else "EOF"
        if following == "(" and "fork" in ROW[states[-1]] and "NAME" in ROW[states[-1]]:
            return None
    return shifted(states, "NUMBER" if kind == "ERROR" else kind)
