"""What the builders share: their context, and parts on their way to the node that takes them over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from serq_interpreter.catalog.vocabulary import RETIRED_WORDS
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Finding, Token, place_of


class Context(Protocol):
    """What a builder may tell the parser."""

    def report(self, finding: Finding) -> None: ...

    def own_run(self, paren: Token) -> None:
        """A `run (…)` without a stage was read: SQ0164 outside a queue's entry."""

    def erred_since(self, token: Token) -> bool:
        """Whether a syntax error was met at or after `token`."""


Values = list[Any]
Builder = Callable[[Values, Context], Any]


class Listed:
    """A clause on its way to the node that takes its parts over."""

    __slots__ = ("first", "last", "parts", "value")

    def __init__(self, first: Token, last: Token, parts: tuple[Any, ...] = (), value: Any = None) -> None:
        self.first = first
        self.last = last
        self.parts = parts
        self.value = value


def declares(name: Token, context: Context) -> None:
    """A retired word is no name of a constant, attribute, binding or claim (SQ0129)."""
    if name.text in RETIRED_WORDS and name.kind == "NAME":
        context.report(Finding("SQ0129", place_of(name), {"name": name.text}))


def size_of(value: Any) -> Any:
    return None if value is None else value.value


def kept(parts: list[Any]) -> tuple[Any, ...]:
    return tuple(part for part in parts if not isinstance(part, nodes.ErrorStmt))


def is_damaged(parts: list[Any], first: Token, context: Context) -> bool:
    """Whether a part of what starts at `first` could not be read, or its end had to be guessed."""
    return context.erred_since(first) or any(isinstance(part, nodes.ErrorStmt) for part in parts)
