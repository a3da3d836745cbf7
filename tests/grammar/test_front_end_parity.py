"""Two grammars, one language: tree-sitter and the front end find the same syntax errors and the same outline.

Both are asked about the text as written.  What only the expansion of a definition shows (an error inside a body, or
where a body meets its caller's next token) is left to the tests of the front end.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from serq_grammar.tree_reading import OutlineItem, faults, outline
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.document import Document, parse_document
from tests.grammar.test_tree_sitter_verdicts import SHOWN_BY_EXPANSION, STRUCTURAL
from tests.grammar.words import word_programs
from tests.support.cases import CASES, CORPUS, all_cases
from tests.support.guard import time_limit

if TYPE_CHECKING:
    from tree_sitter import Tree

Parse = Callable[[str], "Tree"]

TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"[^"]*"|[0-9][0-9_.]*(?:[eE][+-]?[0-9]+)?|\w+|<=|>=|==|!=|&&|\|\||\S', re.S)

REFUSED_BY_A_RULE = {
    "syntax_retired-hold-keep": "`keep (…)` reads like the use of a definition (SQ0127)",
}
"""Cases whose shape one of the two reads and a rule refuses."""

INSERTED = [
    ";",
    ")",
    "(",
    "{",
    "}",
    "[",
    "]",
    ",",
    "=",
    "1",
    "x",
    "by",
    "max",
    "share",
    "on",
    "1.2.3",
    "set",
    "hold",
    "queue",
    "+",
    "-",
    "?",
    ":",
    ".",
    "~",
    "==",
    "run",
    "end",
    "in",
    "from",
    "growing",
    "cache",
    "lease",
    "else",
    "serve",
    "admit",
    "prefill",
    '"s"',
    "pool",
    "step",
    "latency",
    "given",
    "at",
    "first",
    "only",
    "keep",
]
"""Tokens that a mutation puts in: all the punctuation, and words with several places."""


def own_findings(document: Document) -> list[str]:
    """Codes of the syntax errors that the text as written shows, `USE?` for one that depends on the definitions."""
    found = []
    for finding in document.findings:
        if finding.code in STRUCTURAL and finding.place.via is None:
            source, _, end = document.locate(finding.place)
            like_a_use = finding.code == "SQ0112" and source.text[end:].lstrip().startswith("(")
            found.append("USE?" if like_a_use else finding.code)
    return found


def own_outline(document: Document) -> list[OutlineItem]:
    """The front end's items in the terms of `serq_grammar.tree_reading.outline`."""
    found = []
    for item in document.tree.items:
        source, start, _ = document.locate(item.place)
        kind = type(item).__name__.removesuffix("Item").lower()
        found.append(OutlineItem(kind, own_name(item), source.text.count("\n", 0, start) + 1))
    return found


def own_name(item: nodes.Item) -> str:
    match item:
        case nodes.UseItem():
            return item.path.text
        case nodes.RelationItem():
            return f"{item.left.text} {item.verb.text} {item.right.text}"
        case _:
            name = getattr(item, "name", None)
            return "" if name is None else str(name.text)


def differences(parse: Parse, texts: list[tuple[str, str]]) -> list[tuple[str, object, object]]:
    """Programs on which the two disagree: about there being a syntax error, or about the outline when there is none."""
    found: list[tuple[str, object, object]] = []
    for name, text in texts:
        with time_limit(20, f"the front end on {name}"):
            document = parse_document(text, "program.sq")
        tree = parse(text)
        ours, theirs = own_findings(document), faults(tree, text)
        if "USE?" in ours and set(ours) <= {"USE?", "SQ0112"}:
            continue
        if bool(ours) != bool(theirs):
            found.append((name, ours, theirs))
        elif not ours and own_outline(document) != outline(tree):
            found.append((name, own_outline(document), outline(tree)))
    return found


@pytest.mark.full
def test_the_corpus_reads_alike(parse: Parse) -> None:
    left_out = SHOWN_BY_EXPANSION | REFUSED_BY_A_RULE
    texts = [(case.name, case.text) for case in all_cases() if case.name not in left_out]
    assert differences(parse, texts) == []


def test_libraries_and_measured_schedules_read_alike(parse: Parse) -> None:
    paths = [*sorted((CORPUS / "vllm").rglob("*.sq")), *sorted(CASES.rglob("lib-*.sq"))]
    texts = [(path.name, path.read_text(encoding="utf-8")) for path in paths]
    assert differences(parse, texts) == []
    assert texts


@pytest.mark.full
def test_every_word_as_a_name_reads_alike(parse: Parse) -> None:
    texts = [(f"{place} {word}", text) for place, word, text, allowed in word_programs() if allowed]
    assert differences(parse, texts) == []


def mutated(seed: int, count: int) -> list[tuple[str, str]]:
    """Accepted programs without definitions, each with one token deleted, inserted or replaced."""
    chance = random.Random(seed)
    programs = [
        case
        for case in all_cases()
        if case.expected.code is None and len(case.text) < 1_500 and not re.search(r"\b(def|use)\b", case.text)
    ]
    made = []
    for _ in range(count):
        case = chance.choice(programs)
        tokens = [match for match in TOKEN.finditer(case.text) if not match.group().startswith(("//", "/*"))]
        token = chance.choice(tokens)
        other = chance.choice([*INSERTED, chance.choice(tokens).group()])
        start, end, new = chance.choice(
            [
                (token.start(), token.end(), " "),
                (token.start(), token.start(), f" {other} "),
                (token.start(), token.end(), f" {other} "),
            ]
        )
        made.append((f"{case.name}: {case.text[start:end]!r} -> {new!r}", case.text[:start] + new + case.text[end:]))
    return made


def test_programs_with_a_wrong_token_read_alike(parse: Parse) -> None:
    assert differences(parse, mutated(seed=1, count=600)) == []


@pytest.mark.full
@pytest.mark.parametrize("seed", range(2, 6))
def test_many_programs_with_a_wrong_token_read_alike(parse: Parse, seed: int) -> None:
    assert differences(parse, mutated(seed, count=3_000)) == []
