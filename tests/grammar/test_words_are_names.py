"""No word is reserved (01 §1.5): every word of the vocabulary is a name wherever the language lets it be one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from serq_grammar.tree_reading import faults
from tests.grammar.words import PROGRAMS, WORDS, word_programs
from tests.support import oracle

if TYPE_CHECKING:
    from tree_sitter import Tree


def test_tree_sitter_reads_every_word_as_a_name(parse: Callable[[str], Tree]) -> None:
    programs = word_programs()
    wrong = [
        (place, word, faults(parse(text), text))
        for place, word, text, allowed in programs
        if allowed and faults(parse(text), text)
    ]
    assert not wrong
    assert len(programs) == len(PROGRAMS) * len(WORDS)


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
