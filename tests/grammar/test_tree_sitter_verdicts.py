"""The tree-sitter reading of the corpus: faults exactly where the language has a syntax error of the text as written."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from serq_grammar.tree_reading import OutlineItem, faults, outline
from tests.support.cases import CORPUS, all_cases

if TYPE_CHECKING:
    from tree_sitter import Tree

STRUCTURAL = {
    *(f"SQ{number:04}" for number in range(101, 129)),
    *("SQ0140", "SQ0141", "SQ0142", "SQ0143", "SQ0144", "SQ0145", "SQ0161", "SQ0162", "SQ0730", "SQ0749"),
}
"""Codes of errors that the text shows before definitions are expanded and names are known."""

SHOWN_BY_EXPANSION = {"syntax_def-body-merges-with-caller": "the body lacks its `;`, which only the use shows"}


def test_the_corpus_has_faults_exactly_on_its_syntax_errors(parse: Callable[[str], Tree]) -> None:
    wrong = {}
    cases = all_cases()
    for case in cases:
        expected = case.expected.code in STRUCTURAL and case.expected.file is None
        expected = expected and case.name not in SHOWN_BY_EXPANSION
        found = faults(parse(case.text), case.text)
        if bool(found) != expected:
            wrong[case.name] = (case.expected.code, found)
    assert not wrong
    assert len(cases) > 1000


def test_the_measured_schedules_are_read_without_a_fault(parse: Callable[[str], Tree]) -> None:
    programs = sorted((CORPUS / "vllm").rglob("*.sq"))
    wrong = [path.name for path in programs if faults(parse(text := path.read_text(encoding="utf-8")), text)]
    assert not wrong
    assert programs


def check_outline(parse: Callable[[str], Tree], text: str, *expected: tuple[str, str, int]) -> None:
    assert outline(parse(text)) == [OutlineItem(*item) for item in expected]


def test_outline_names_every_item(parse: Callable[[str], Tree]) -> None:
    check_outline(
        parse,
        'use "lib.sq";\nlet a = 1; def f(x) = x;\npool kv { }\nstage s : fifo;\n\nworkload { }\nserver { }\n'
        "session { }\nqueue q : gateway { }\nd pull p share maxmin;\nshare maxmin;\ngauge g = 1;\n"
        "claim c : at end (1);\nrun { }\n",
        ("use", "lib.sq", 1),
        ("let", "a", 2),
        ("def", "f", 2),
        ("pool", "kv", 3),
        ("stage", "s", 4),
        ("workload", "", 6),
        ("server", "", 7),
        ("session", "", 8),
        ("queue", "q", 9),
        ("relation", "d pull p", 10),
        ("share", "", 11),
        ("gauge", "g", 12),
        ("claim", "c", 13),
        ("run", "", 14),
    )


def test_a_damaged_item_leaves_the_others_alone(parse: Callable[[str], Tree]) -> None:
    check_outline(
        parse,
        "pool a { cap 1 }\nstage s : fifo\npool b { }\n",
        ("pool", "a", 1),
        ("stage", "s", 2),
        ("pool", "b", 3),
    )


def test_faults_count_characters(parse: Callable[[str], Tree]) -> None:
    text = "/* ééé */ let a = 1.2.3;\n"
    assert [(fault.line, fault.column) for fault in faults(parse(text), text)] == [(1, 19)]


def test_faults_of_an_engine(parse: Callable[[str], Tree]) -> None:
    text = "stage e : step { serve admission; serve admission; iteration { serve; } iteration { serve; } }"
    whats = {fault.what for fault in faults(parse(text), text)}
    assert whats == {"step engine without cost", "second serve", "second iteration"}


@pytest.mark.parametrize(
    "text",
    [
        "let a = 1;\r\nlet b = 2;\r",
        "let\u00a0a\u3000=\u20281;\u0085let\tb = 2;",
        "let a² = 1; let a٣ = 2; let Ⅷ = 3; let 𝒳 = 4; let _ = 5;",
        'let ſ = \u212a; // ſ \u212a 😀\n/* ſ \u212a **ſ* */ use "ſ\u212a";',
        "let a = 1 /**/ + 2 /***/ - /*/ 3 */ 4; // the end",
        "let a = 1_000; let b = 1__2_.5e-3; let c = .5; let d = 1.; let e = 1_e2; let f = 1._5;",
    ],
)
def test_characters_that_are_read(parse: Callable[[str], Tree], text: str) -> None:
    assert not faults(parse(text), text)


@pytest.mark.parametrize(
    "text",
    [
        "let \u200ba = 1;",
        "let ² = 1;",
        "let a‿b = 1;",
        "let à = 1;",
        "let a\x00 = 1;",
        "let a = 1 /*/ ;",
        "let a = 5 % 3;",
        "let a = 1 & 2;",
        "let a = 1e_5;",
        "let a = 0x10;",
        "let a = 1e+;",
        "let a = ._5;",
        'use "a;',
        "let a = +1;",
    ],
)
def test_characters_that_are_not(parse: Callable[[str], Tree], text: str) -> None:
    assert faults(parse(text), text)
