"""Deep and long programs are read without a limit of ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from serq_grammar.tree_reading import faults

if TYPE_CHECKING:
    from tree_sitter import Tree

DEEP = 5_000


def test_nested_parentheses(parse: Callable[[str], Tree]) -> None:
    text = f"let a = {'(' * DEEP}1{')' * DEEP};"
    assert not faults(parse(text), text)


def test_nested_blocks(parse: Callable[[str], Tree]) -> None:
    text = f"session {{ {'loop { ' * DEEP}end; {'} ' * DEEP}}}"
    assert not faults(parse(text), text)


def test_nested_uses_of_definitions(parse: Callable[[str], Tree]) -> None:
    text = f"let a = {'f(' * DEEP}1{')' * DEEP};"
    assert not faults(parse(text), text)


def test_long_chain_of_operators(parse: Callable[[str], Tree]) -> None:
    text = f"let a = 0{' + 1' * DEEP};"
    assert not faults(parse(text), text)


def test_nested_aggregates_over_a_word_that_may_follow_an_expression(parse: Callable[[str], Tree]) -> None:
    depth = 200
    text = f"session {{ choose x in {'max by in 2 (' * depth}by{')' * depth} by (x); end; }}"
    assert not faults(parse(text), text)
