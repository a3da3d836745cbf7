"""After an edit the front end reads again only what it must; what it says is what it says of the text alone."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from serq_interpreter.frontend.analysis import Analysis, analyse
from serq_interpreter.ir.json import write_program
from tests.support.cases import all_cases
from tests.support.generate import mutated, programs
from tests.support.generate.mutation import spans

INSERTED = (
    "",
    ";",
    "}",
    "{",
    "(",
    ")",
    '"',
    "//",
    "/*",
    "*/",
    "\n",
    " ",
    "x",
    "def d(a) = a;",
    "pool extra { }",
    "\n}\n",
    "é",
    "²",
)


def edited(text: str, random: Random) -> str:
    """The text after what a person may do at once: a key, a word, a line, an item, a paste from elsewhere in the text."""
    if random.random() < 0.4:
        return mutated(text, random)[1]
    start = random.randrange(len(text) + 1)
    end = min(len(text), start + random.choice((0, 0, 1, 5, 60)))
    match random.randrange(4):
        case 0:
            put = random.choice(INSERTED)
        case 1:
            at = random.randrange(len(text) + 1)
            put = text[at : at + random.choice((10, 80, 400))]
        case 2:
            lines = text.split("\n")
            put = random.choice(lines) + "\n"
            start = end = len("\n".join(lines[: random.randrange(len(lines))]))
        case _:
            words = spans(text)
            word = random.choice(words) if words else None
            put = "" if word is None else text[word.start : word.end]
    return text[:start] + put + text[end:]


def difference(new: Analysis, fresh: Analysis) -> str:
    """How an analysis after an edit differs from one of the text alone."""
    if new.diagnostics != fresh.diagnostics or new.suppressed != fresh.suppressed:
        return f"diagnostics: {[item.message for item in new.diagnostics]} and {[item.message for item in fresh.diagnostics]}"
    if (new.lowered is None) != (fresh.lowered is None):
        return "only one has a kernel"
    if new.lowered is not None and fresh.lowered is not None:
        return "" if write_program(new.lowered.program) == write_program(fresh.lowered.program) else "IR"
    return ""


def judge_edits(text: str, random: Random, edits: int) -> None:
    """Edit again and again, each analysis from the one before."""
    analysis = analyse(text, "edited.sq")
    for _ in range(edits):
        before, text = text, edited(text, random)
        analysis = analyse(text, "edited.sq", previous=analysis)
        found = difference(analysis, analyse(text, "edited.sq"))
        assert found == "", f"{found}\nbefore:\n{before}\nafter:\n{text}"


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=programs(), seed=st.integers(0, 2**32))
def test_edits_of_generated_programs(text: str, seed: int) -> None:
    judge_edits(text, Random(seed), 4)


@pytest.mark.parametrize("seed", range(10))
def test_edits_of_the_corpus(seed: int) -> None:
    random = Random(seed)
    texts = [case.text for case in all_cases() if len(case.text) < 4000]
    for text in random.sample(texts, 4):
        judge_edits(text, random, 5)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(100, 130))
def test_many_edits(seed: int) -> None:
    random = Random(seed)
    texts = [case.text for case in all_cases() if len(case.text) < 4000]
    for text in random.sample(texts, 8):
        judge_edits(text, random, 12)
