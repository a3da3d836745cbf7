"""Which code a syntax error has, and how it is worded: from the terminals that could have stood there.

The LALR states tell: where a statement may start the error is about a statement, and so on (spec 03, catalogue 1xx).
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from serq_interpreter.syntax.tokens import Token

_OPERATORS = frozenset(("+", "-", "*", "/", "^", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "?"))

_BY_WORD: tuple[tuple[str, str, str], ...] = (
    ("~", "SQ0107", "SQ0107"),
    ("fork", "SQ0112", "SQ0108"),
    ("workload", "SQ0110", "SQ0110"),
    ("init", "SQ0111", "SQ0111"),
    ("evict", "SQ0113", "SQ0106"),
    ("budget", "SQ0115", "SQ0106"),
    ("horizon", "SQ0116", "SQ0106"),
    ("nic", "SQ0730", "SQ0730"),
    ("ps", "SQ0114", "SQ0114"),
    ("every", "SQ0119", "SQ0119"),
    ("maxmin", "SQ0120", "SQ0120"),
    ("share", "SQ0120", "SQ0120"),
    ("NUMBER", "SQ0121", "SQ0121"),
)
"""A terminal that only one kind of place can take; the code there for a word, and for anything else."""


def code_of(expected: AbstractSet[str], kind: str) -> str:
    """The code of the error at a token of `kind`, where only the terminals `expected` could stand."""
    for terminal, word_code, other_code in _BY_WORD:
        if terminal in expected:
            return word_code if kind == "NAME" else other_code
    if expected == {"STRING"}:
        return "SQ0109"
    if expected == {"admission"}:
        return "SQ0122"
    if "exclusive" in expected and ";" not in expected:
        return "SQ0117"
    if {"serve", "admit", "branch", "set"} <= expected:
        return "SQ0118"
    return "SQ0106" if "NAME" in expected else "SQ0105"


def found_text(token: Token) -> str:
    """How a message names the token found."""
    if token.kind == "EOF":
        return f"`{token.text}`" if token.text else "the end"
    if token.kind == "STRING":
        return f'`"{_short(token.text)}"`'
    return f"`{_short(token.text)}`"


def _short(text: str) -> str:
    line = text.split("\n", 1)[0]
    return line if len(line) <= 40 and line == text else line[:37] + "…"


def expected_text(expected: AbstractSet[str]) -> str:
    """How a message names what could have stood here, the most helpful first and at most four."""
    if "~" in expected:
        return "an expression"
    rest = set(expected)
    if _OPERATORS & rest:
        rest -= _OPERATORS
    named = [f"`{terminal}`" for terminal in sorted(rest, key=_rank) if not terminal.isupper()]
    if "NAME" in rest:
        named.insert(0, "a name")
    if "STRING" in rest:
        named.insert(0, "a string")
    if not named:
        return "the end" if "EOF" in rest else "something else"
    if len(named) > 4:
        named = named[:4]
    return named[0] if len(named) == 1 else ", ".join(named[:-1]) + " or " + named[-1]


def _rank(terminal: str) -> tuple[int, str]:
    return (0 if terminal in (";", ")", "]", "}", "{", "(", ":", "=") else 1, terminal)
