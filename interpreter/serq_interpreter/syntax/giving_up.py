"""Giving up the smallest part around a syntax error after which parsing can go on (spec 03 §3).

The parts are, from small to large: an expression, a stage kind or a policy; a statement, an option, a clause or an entry;
the item.  What is given up becomes an error node, and its names are remembered as unparsed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.definitions import CLOSING, OPENING
from serq_interpreter.syntax.parser import shifted
from serq_interpreter.syntax.tables import GOTO
from serq_interpreter.syntax.tokens import Token

if TYPE_CHECKING:
    from serq_interpreter.syntax.fault import SyntaxFault

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
"""How many places around an error are tried for a missing expression."""


def skip(fault: SyntaxFault) -> bool:
    """Leave out the token found, whatever it is."""
    if fault.kind in ("{", "}"):
        fault.recovery.unbalanced = True
    buffer = fault.parser.buffer
    fault.parser.previous = buffer.pop()
    fault.recovery.lost(fault.token, buffer[-1])
    return True


def give_up(fault: SyntaxFault) -> bool:
    """Give up the smallest part around the error after which parsing can go on."""
    holes = 0
    states = fault.parser.states
    open_brackets = 0
    for index in range(len(states) - 1, -1, -1):
        goto = GOTO[states[index]]
        if holes < _MAX_HOLES:
            for name, make in _HOLES:
                if name in goto:
                    holes += 1
                    if _fill(fault, index, name, make, open_brackets):
                        return True
        for name in _PARTS:
            if name in goto:
                return _give_up_part(fault, index, name)
        if index:
            value = fault.parser.values[index - 1]
            if isinstance(value, Token):
                open_brackets += (value.kind in OPENING) - (value.kind in CLOSING)
    return False


def _fill(fault: SyntaxFault, index: int, name: str, make: Callable[[Token, Token], Any], depth: int) -> bool:
    """Give up what was read since state `index`, and what follows up to a token that may come after a `name`."""
    parser = fault.parser
    filled = [*parser.states[: index + 1], GOTO[parser.states[index]][name]]
    buffer = parser.buffer
    for offset in range(len(buffer) - 3):
        token = buffer[-1 - offset]
        kind = token.kind
        if kind in CLOSING and depth > 0 and kind != "}":
            depth -= 1
            continue
        if depth <= 0 and kind in _STOPS.get(name, _AFTER_EXPRESSION) and shifted(filled, kind) is not None:
            first = _first_value(fault, index)
            fault.recovery.lost(first, token)
            del parser.states[index + 1 :], parser.values[index:]
            del buffer[len(buffer) - offset :]
            parser.states = filled
            parser.values.append(make(first or fault.token, fault.token))
            return True
        if kind in (";", "{", "}", "EOF"):
            return False
        if kind in OPENING:
            depth += 1
        elif kind in CLOSING:
            return False
    return False


def _first_value(fault: SyntaxFault, index: int) -> Token | None:
    for value in fault.parser.values[index:]:
        if isinstance(value, Token):
            return value
        first = getattr(value, "first", None)
        if first is not None:
            return _as_token(first)
        if isinstance(value, list) and value:
            return value[0] if isinstance(value[0], Token) else _as_token(value[0].first)
    return None


def _give_up_part(fault: SyntaxFault, index: int, name: str) -> bool:
    """Give up a statement or option: up to its `;`, or up to the `}` of the block around it."""
    parser = fault.parser
    buffer = parser.buffer
    first = _first_value(fault, index) or fault.token
    depth = 0
    last = first
    while True:
        token = buffer[-1]
        kind = token.kind
        if kind == "EOF" or (kind == "}" and depth <= 0):
            break
        if kind == "{" and name == "statement" and depth <= 0:
            return _read_block(fault, index, first, token)
        if kind == "{":
            depth = max(depth, 0) + 1
        elif kind == "}":
            depth -= 1
        buffer.pop()
        last = parser.previous = token
        if depth <= 0 and kind in (";", "}"):
            parser.quiet = False
            break
    fault.recovery.lost(first, buffer[-1])
    taken = fault.recovery.between(first, buffer[-1])
    if last is first and token is first and kind in ("EOF", "}"):
        return _close(fault, index)
    del parser.states[index + 1 :], parser.values[index:]
    parser.states.append(GOTO[parser.states[-1]][name])
    parser.values.append(nodes.ErrorStmt(first, last, assigned_names(taken)))
    return True


def _close(fault: SyntaxFault, index: int) -> bool:
    """Nothing to give up before the `}` or the end: close what is open, or leave the `}` out."""
    parser = fault.parser
    if fault.kind == "EOF" and _first_value(fault, index) is None:
        if shifted(parser.states[: index + 1], "}") is None:
            return False
        del parser.states[index + 1 :], parser.values[index:]
        fault.put("}", "")
        return True
    first = _first_value(fault, index)
    if first is not None:
        name = next(name for name in _PARTS if name in GOTO[parser.states[index]])
        del parser.states[index + 1 :], parser.values[index:]
        parser.states.append(GOTO[parser.states[-1]][name])
        parser.values.append(nodes.ErrorStmt(first, first, ()))
        return True
    return False


def _read_block(fault: SyntaxFault, index: int, first: Token, brace: Token) -> bool:
    """Give up the head of a statement and read its block, as if a test of unknown value stood before it."""
    parser = fault.parser
    fault.recovery.lost(first, brace)
    del parser.states[index + 1 :], parser.values[index:]
    chunk, start, via = first.chunk, first.start, first.via
    text = nodes.DAMAGED if first.text in ("hold", "enter", "admit") else "branch"
    for kind, word in ((")", ""), ("ERROR", ""), ("(", ""), ("branch", text)):
        parser.buffer.append(Token(kind, word, start, first.end, chunk, via))
    return True


def _as_token(first: Any) -> Token:
    while not isinstance(first, Token):
        first = first.first
    return first


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
