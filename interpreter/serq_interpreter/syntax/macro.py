"""What a definition's body does, read from its tokens: draws, assigns, reads live state (spec 02 §13)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from serq_interpreter.catalog.vocabulary import CONTEXT_VARIABLES, OBSERVABLES
from serq_interpreter.syntax.nodes import Definition
from serq_interpreter.syntax.tokens import Token


class UnknownMacro:
    """A definition of which only the name could be read: a use is an unknown value or unknown statements."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class Macro:
    """A definition that can be used.  `above` are the macros its body may use.

    `tokens` is `None` when the body is unknown: a use is then an unknown value, or statements that nobody knows.
    """

    __slots__ = (
        "assigns",
        "clock",
        "counts",
        "definition",
        "draws",
        "is_expression",
        "name",
        "parameters",
        "reads",
        "requests",
        "tokens",
        "turns",
    )

    def __init__(self, definition: Definition, above: Mapping[str, Macro | UnknownMacro], known: bool = True) -> None:
        item = definition.item
        self.definition = definition
        self.name = item.name.text
        self.is_expression = item.is_expression
        self.parameters: dict[str, int] = {}
        for index, token in enumerate(item.parameters):
            self.parameters.setdefault(token.text, index)
        self.tokens: tuple[Token, ...] | None = item.tokens if known else None
        facts = Facts(self.tokens or (), above, self.parameters)
        self.draws = facts.draws
        self.assigns = facts.assigns
        self.clock = facts.clock
        self.reads = facts.reads
        self.turns = facts.turns
        self.requests = facts.requests
        self.counts = facts.counts

    @property
    def asks_about_arguments(self) -> bool:
        """Whether any rule about arguments (SQ0250 to SQ0253) can apply to a use."""
        if not self.is_expression:
            return True
        return bool(self.assigns) or any(count > 1 for count in self.counts.values())

    @property
    def used_with(self) -> int:
        """How many arguments a use has."""
        return len(self.definition.item.parameters)


class Facts:
    """What a run of tokens does, the macros it uses included."""

    __slots__ = ("assigns", "clock", "counts", "draws", "reads", "requests", "turns")

    def __init__(
        self,
        tokens: tuple[Token, ...] | list[Token],
        above: Mapping[str, Macro | UnknownMacro],
        parameters: Mapping[str, int],
    ):
        self.draws = False
        self.assigns: set[str] = set()
        """Names after `set` and `choose`, those that an `at admission` binds, and what a hold itself sets."""
        self.clock: tuple[Token, str] | None = None
        """The first mention of a context variable (as any name: the rule is about tokens) or read of live state."""
        self.reads: dict[str, Token] = {}
        """Names mentioned other than as a function, each with its first token."""
        self.turns = False
        self.requests: set[str] = set()
        """Gateways requested, `""` for the server."""
        self.counts: dict[str, int] = {}
        """How often each parameter occurs."""
        size = len(tokens)
        indices = aggregate_indices(tokens)
        for index, token in enumerate(tokens):
            if token.kind == "~":
                self.draws = True
            if token.kind != "NAME":
                continue
            text = token.text
            if text in parameters:
                self.counts[text] = self.counts.get(text, 0) + 1
                continue
            if id(token) in indices:
                continue
            following = tokens[index + 1].kind if index + 1 < size else ""
            before = tokens[index - 1] if index else None
            if following == "(":
                self._calls(token, above.get(text))
            else:
                self.reads.setdefault(text, token)
                if text in CONTEXT_VARIABLES and self.clock is None:
                    self.clock = (token, f"`{text}`")
                self._statement(token, before, following)
        self._bindings(tokens)

    def _calls(self, token: Token, macro: Macro | UnknownMacro | None) -> None:
        if isinstance(macro, UnknownMacro):
            return
        if macro is None:
            if token.text in OBSERVABLES and self.clock is None:
                self.clock = (token, f"`{token.text}(…)`")
            return
        self.draws = self.draws or macro.draws
        self.assigns |= macro.assigns
        self.turns = self.turns or macro.turns
        self.requests |= macro.requests
        for name in macro.reads:
            self.reads.setdefault(name, token)
        if macro.clock is not None and self.clock is None:
            self.clock = (token, macro.clock[1])

    def _statement(self, token: Token, before: Token | None, following: str) -> None:
        if token.text == "hold" and following == "NAME":
            self.assigns |= _SET_BY_HOLDS
        if before is not None and before.kind == "NAME":
            if before.text in ("set", "choose"):
                self.assigns.add(token.text)
            elif before.text == "request" and following == ";":
                self.requests.add(token.text)
        if following == ";" and (before is None or before.kind in (";", "{", "}", ")")):
            if token.text == "turn":
                self.turns = True
            elif token.text == "request":
                self.requests.add("")

    def _bindings(self, tokens: tuple[Token, ...] | list[Token]) -> None:
        for token in bound_names(tokens):
            self.assigns.add(token.text)


_SET_BY_HOLDS = frozenset(("cached", "computed"))
_AGGREGATES = frozenset(("max", "min", "sum"))


def aggregate_indices(tokens: tuple[Token, ...] | list[Token]) -> set[int]:
    """The tokens (by identity) that are an aggregate's index, where it is named and in its terms."""
    found: set[int] = set()
    for at in range(len(tokens) - 4):
        if tokens[at].text not in _AGGREGATES or tokens[at + 1].kind != "NAME" or tokens[at + 2].text != "in":
            continue
        found.add(id(tokens[at + 1]))
        opening = _closing(tokens, at + 3) + 1 if tokens[at + 3].kind == "(" else at + 4
        if opening < len(tokens) and tokens[opening].kind == "(":
            terms = tokens[opening : _closing(tokens, opening)]
            found.update(id(token) for token in terms if token.text == tokens[at + 1].text)
    return found


def _closing(tokens: tuple[Token, ...] | list[Token], opening: int) -> int:
    """The index of the bracket that closes the one at `opening`; the end without one."""
    depth = 0
    for at in range(opening, len(tokens)):
        depth += (tokens[at].kind in ("(", "[", "{")) - (tokens[at].kind in (")", "]", "}"))
        if depth == 0:
            return at
    return len(tokens)


def bound_names(tokens: tuple[Token, ...] | list[Token]) -> list[Token]:
    """The names that the `at admission ( … )` clauses in a run of tokens bind."""
    found: list[Token] = []
    size = len(tokens)
    index = 0
    while index + 2 < size:
        opens = tokens[index].text == "at" and tokens[index + 1].text == "admission" and tokens[index + 2].kind == "("
        index += 1
        if not opens:
            continue
        depth = 0
        for at in range(index + 1, size - 1):
            kind = tokens[at].kind
            if kind in ("(", "[", "{"):
                depth += 1
            elif kind in (")", "]", "}"):
                depth -= 1
                if depth == 0:
                    break
            if depth == 1 and kind in ("(", ",") and at + 2 < size and tokens[at + 2].kind == "=":
                found.append(tokens[at + 1])
    return found


def named_with(tokens: tuple[Token, ...], parameters: Mapping[str, int]) -> Token | None:
    """The first parameter with which a body names what it assigns, binds, observes or counts with (SQ0247)."""
    for before, token in pairwise(tokens):
        if token.kind != "NAME" or token.text not in parameters or before.kind != "NAME":
            continue
        assigns = before.text in ("set", "choose", "observe")
        if assigns or (before.text in ("max", "min", "sum") and _counts(tokens, token)):
            return token
    return next((token for token in bound_names(tokens) if token.text in parameters), None)


def _counts(tokens: tuple[Token, ...], index: Token) -> bool:
    position = next(number for number, token in enumerate(tokens) if token is index)
    return position + 1 < len(tokens) and tokens[position + 1].text == "in"
