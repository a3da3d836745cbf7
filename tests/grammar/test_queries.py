"""The queries compile, name the vocabulary's words, and leave no token of a program without a colour."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from serq_interpreter.catalog import vocabulary
from tests.support.cases import all_cases

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Tree

QUERIES = Path(__file__).resolve().parents[2] / "grammar" / "tree-sitter-serq" / "queries"
HIGHLIGHTS = (QUERIES / "highlights.scm").read_text(encoding="utf-8")
SUPPLIED = {*vocabulary.CONTEXT_VARIABLES, *vocabulary.BUILTIN_ATTRIBUTES, "self"}


def word_lists(capture: str) -> list[set[str]]:
    """The lists of `#any-of?` on a capture, in the order of the file."""
    found = re.findall(rf"#any-of\? @{re.escape(capture)}\s+([^)]*)\)", HIGHLIGHTS)
    return [set(re.findall(r'"([^"]+)"', words)) for words in found]


def leaves(tree: Tree) -> list[Node]:
    found, waiting = [], [tree.root_node]
    while waiting:
        node = waiting.pop()
        if node.children:
            waiting.extend(node.children)
        elif node.text:
            found.append(node)
    return found


@pytest.mark.parametrize("path", sorted(QUERIES.glob("*.scm")), ids=lambda path: path.stem)
def test_query_fits_the_grammar(language: Language, path: Path) -> None:
    from tree_sitter import Query

    assert Query(language, path.read_text(encoding="utf-8")).pattern_count > 0


def test_there_is_a_query_for_every_use() -> None:
    assert {path.stem for path in QUERIES.glob("*.scm")} == {
        "folds",
        "highlights",
        "indents",
        "injections",
        "locals",
        "tags",
    }


def test_supplied_names_are_those_of_the_vocabulary() -> None:
    assert word_lists("variable.builtin") == [SUPPLIED] * 4


def test_words_in_bodies_of_definitions_are_those_of_the_vocabulary() -> None:
    functions, words = {*vocabulary.FUNCTIONS, *vocabulary.AGGREGATE_WORDS}, set(vocabulary.KEYWORDS)
    expected = (words - functions - set(vocabulary.CONTEXT_VARIABLES)) | {"queue"}
    assert word_lists("keyword") == [expected] * 2
    assert word_lists("function.builtin")[-2:] == [functions - words | set(vocabulary.AGGREGATE_WORDS)] * 2


def test_functions_that_take_names_are_those_of_the_vocabulary() -> None:
    stages_and_pools = {*vocabulary.STAGE_FUNCTIONS, *vocabulary.POOL_FUNCTIONS, "blocksize"} - {"price"}
    assert word_lists("function.builtin")[:2] == [stages_and_pools, set(vocabulary.OBSERVATION_FUNCTIONS)]


def test_every_token_of_the_accepted_cases_has_a_colour(language: Language, parse: Callable[[str], Tree]) -> None:
    from tree_sitter import Query, QueryCursor

    query = Query(language, HIGHLIGHTS)
    plain = {}
    for case in all_cases():
        if case.expected.code is not None:
            continue
        tree = parse(case.text)
        coloured = {node.id for nodes in QueryCursor(query).captures(tree.root_node).values() for node in nodes}
        missed = {leaf.text for leaf in leaves(tree) if leaf.id not in coloured}
        if missed:
            plain[case.name] = missed
    assert not plain
