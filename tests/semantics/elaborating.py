"""What the tests of elaboration share: a program's findings as codes and the text they underline."""

from __future__ import annotations

from serq_interpreter.semantics.context import Request
from serq_interpreter.semantics.elaborate import elaborate
from serq_interpreter.semantics.tree import Elaborated
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.document import parse_document
from serq_interpreter.syntax.tokens import Finding


def elaborated(program: str, request: Request | None = None) -> Elaborated:
    """The elaboration of a program given as text."""
    return elaborate(parse_document(program, "example.sq").tree, request)


def underlined(finding: Finding) -> str:
    """The text that a finding underlines."""
    place = finding.place
    return place.chunk.text[place.start : place.end]


def shown(program: str, request: Request | None = None) -> list[str]:
    """`CODE text` of each finding of elaboration, sorted."""
    return sorted(f"{finding.code} {underlined(finding)}" for finding in elaborated(program, request).findings)


def check(program: str, *expected: str) -> None:
    """The findings of elaboration are exactly these."""
    assert shown(program) == sorted(expected)


def expression(text: str) -> nodes.Expr:
    """An expression given as text."""
    (item,) = parse_document(f"let value = {text};", "--set").tree.items
    assert isinstance(item, nodes.LetItem)
    return item.value
