"""Any text is read without raising, in bounded time."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from serq_interpreter.catalog.vocabulary import WORDS
from serq_interpreter.syntax.chunks import MAX_CHARACTERS
from serq_interpreter.syntax.document import parse_document
from serq_interpreter.syntax.printer import format_text
from tests.support.guard import time_limit
from tests.syntax.helpers import accepted_programs, mutated

TOKENS = (
    sorted({word.name for word in WORDS})
    + list("(){}[];,:.=?~+-*/^<>!")
    + ["<=", "==", "&&", "||", "1", "2.5", '"a"', "x"]
)


@given(st.text(max_size=200))
@settings(max_examples=200, deadline=None)
def test_any_text(text: str) -> None:
    document = parse_document(text, "x.sq")
    for finding in document.findings:
        _, start, end = document.locate(finding.place)
        assert 0 <= start <= end <= len(text)
    format_text(text)


@given(st.lists(st.sampled_from(TOKENS), max_size=60))
@settings(max_examples=300, deadline=None)
def test_any_tokens(tokens: list[str]) -> None:
    parse_document(" ".join(tokens), "x.sq")


def test_many_mutations_at_once() -> None:
    source = random.Random(11)
    programs = [text for text in accepted_programs() if len(text) < 3000]
    for _ in range(80):
        text = source.choice(programs)
        for _ in range(10):
            text = mutated(text, source)
        with time_limit(20, "reading a damaged program"):
            parse_document(text, "x.sq")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("let a = " + "(" * 10_000 + "1" + ")" * 10_000 + ";", "SQ0190"),
        ("session { " + "loop { " * 10_000 + "end; " + "}" * 10_000 + "}", "SQ0190"),
        ("let a = " + "-" * 10_000 + "1;", "SQ0190"),
        ("let a = " + "1 ? 2 : " * 10_000 + "3;", "SQ0190"),
        ("let a = " + "(" * 10_000, "SQ0190"),
        ("let a = 1;" + " " * MAX_CHARACTERS, "SQ0191"),
    ],
    ids=["parentheses", "blocks", "signs", "conditionals", "open parentheses", "length"],
)
def test_our_own_limits_are_reported_once(text: str, code: str) -> None:
    with time_limit(60, "a large text"):
        assert [finding.code for finding in parse_document(text, "x.sq").findings] == [code]


@pytest.mark.parametrize(
    "text",
    [
        "let a = " + "(" * 1_900 + "1" + ")" * 1_900 + ";",
        "session { " + "loop { " * 1_900 + "end; " + "}" * 1_900 + "}",
        "let a = 1" + " + 1" * 20_000 + ";",
    ],
    ids=["parentheses", "blocks", "sum"],
)
def test_deep_and_long_programs_are_legal(text: str) -> None:
    with time_limit(60, "a deep program"):
        assert parse_document(text, "x.sq").findings == ()


@pytest.mark.parametrize(
    "text", ["\0" * 1000, ") " * 20_000, "session { run a (1);\n" * 1_000, 'use "a;\n' * 2_001, "/* " * 20_000]
)
def test_junk_ends(text: str) -> None:
    with time_limit(60, "junk"):
        assert parse_document(text, "x.sq").findings
