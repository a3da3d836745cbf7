"""No word is reserved (01 §1.5): every word of the vocabulary is a name wherever the language lets it be one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from serq_grammar.tree_reading import faults
from serq_interpreter.frontend.analysis import analyse
from tests.grammar.words import PROGRAMS, WORDS, word_programs
from tests.support import oracle

if TYPE_CHECKING:
    from tree_sitter import Tree

EVERYWHERE = frozenset({"pool", "pool array", "attribute", "observation"})
"""Places that the quick tests look at; the full suite looks at the others too."""


def test_tree_sitter_reads_every_word_as_a_name(parse: Callable[[str], Tree]) -> None:
    programs = word_programs()
    wrong = [
        (place, word, faults(parse(text), text))
        for place, word, text, allowed in programs
        if allowed and faults(parse(text), text)
    ]
    assert not wrong
    assert len(programs) == len(PROGRAMS) * len(WORDS)


def refused(places: frozenset[str]) -> list[tuple[str, str, list[str]]]:
    """Words of these places about which the front end disagrees with 01 §1.5, with its findings."""
    found = []
    for place, word, text, allowed in word_programs():
        if place in places:
            analysis = analyse(text, "program.sq")
            if analysis.has_errors == allowed:
                found.append((place, word, [one.message for one in analysis.diagnostics]))
    return found


def test_the_front_end_allows_every_word_as_pool_attribute_and_observation() -> None:
    assert not refused(EVERYWHERE)


@pytest.mark.full
def test_the_front_end_allows_the_same_names_elsewhere() -> None:
    assert not refused(frozenset(PROGRAMS) - EVERYWHERE)


@pytest.mark.skipif(not oracle.AVAILABLE, reason="the reference implementation is not installed")
def test_the_reference_allows_the_same_names() -> None:
    programs = word_programs()
    answers = oracle.verdicts([text for _, _, text, _ in programs])
    wrong = [
        (place, word, answer)
        for (place, word, _, allowed), answer in zip(programs, answers, strict=True)
        if (answer is None) != allowed
    ]
    assert not wrong
