"""Definitions are token macros (spec 01 §3, 02 §13), libraries hold them."""

from __future__ import annotations

import pytest

from serq_interpreter.syntax import nodes
from tests.syntax.helpers import codes, parse
from tests.syntax.test_programs import drawn


def value(text: str) -> str:
    """The last `let` of a program, drawn."""
    item = parse(text).tree.items[-1]
    assert isinstance(item, nodes.LetItem)
    return drawn(item.value)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("def f(a) = a * 2; let x = f(1 + 2) + 1;", "(((1+2)*2)+1)"),
        ("def f(a) = a ? 1 : 2; let x = 3 * f(4);", "(3*(4?1:2))"),
        ("def f() = 1; def g(a) = f() + a; let x = g(f());", "(1+1)"),
        ("def f(p) = used(p); let x = f(kv[1]);", "used(kv[1])"),
        ("def f(a,) = a; let x = f(2) ^ 2;", "(2^2)"),
        ("def f(g) = g(3); let x = f(floor);", "floor(3)"),
        ("def f() = 1; let x = f;", "f"),
    ],
)
def test_expansion(text: str, shown: str) -> None:
    assert codes(text) == []
    assert value(text) == shown


def test_expanded_tokens_know_their_use() -> None:
    item = parse("def f(a) = a + 1;\nlet x = f(2);").tree.items[1]
    assert isinstance(item, nodes.LetItem)
    token = item.value.first
    assert token.via is not None
    assert (token.via.definition, token.via.use.text) == ("f", "f")
    assert (token.start, token.chunk) == (token.via.use.start, token.via.use.chunk)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(a) = a + + * 2 ? ;", []),
        ("def f(a) { ( ] }", []),
        ("def f(a) = (a;", ["SQ0141"]),
        ("def f(a) = a };", ["SQ0141"]),
        ("def f() = ;", ["SQ0142"]),
        ("def f() { }\nsession { f(); }", []),
        ("def f(a) = a; let x = f(1;", ["SQ0143"]),
        ("def f(a) { set y = a; }\nsession { f(1) end; }", ["SQ0144"]),
        ("def f(a, b) = a; let x = f(, 1);", ["SQ0145"]),
        ("def f(a) = a; let x = f();", ["SQ0146"]),
        ("def hold() = 1;", ["SQ0240"]),
        ("def f() = 1; def f() = 2;", ["SQ0241"]),
        ("def kv() = 1; pool kv { }", ["SQ0242"]),
        ("def f() = f();", ["SQ0243"]),
        ("def f() = g(); def g() = 1;", ["SQ0244"]),
        ("def f(a, a) = a;", ["SQ0245"]),
        ("def f(floor) = floor;", ["SQ0246"]),
        ("def f(a) { set a = 1; }", ["SQ0247"]),
        ("def f(a) = max a in 2 (a);", ["SQ0247"]),
        ("def f(a) = a;\nsession { f(1); }", ["SQ0248"]),
        ("def f(a) { set y = a; }\nlet x = f(1);", ["SQ0249"]),
        ("def f(a) = a + a; let x = f(~exp(1));", ["SQ0250"]),
        ("def g(a) = a + a; def f(b) = g(b); let x = f(~exp(1));", ["SQ0250"]),
        ("def f(a) { set y = 1; set z = a; }\nsession { f(y); }", ["SQ0251"]),
        ("def f(a) { set y = 1; }\nsession { f(x.y); }", ["SQ0251"]),
        ("def f(a) { turn; set z = a; }\nworkload { turn { set k = 1; } }\nsession { f(k); }", ["SQ0252"]),
        ("def f(a) { request; set z = a; }\nserver { set w = 1; }\nworkload { session { f(w); } }", ["SQ0252"]),
        ("def f(a) { set z = a; }\nsession { f(now); }", ["SQ0253"]),
        ("def t() = now; def f(a) { set z = a; }\nsession { f(t()); }", ["SQ0253"]),
        ("def f(a) { set z = used(a); }\nsession { f(kv[used(p)]); }", ["SQ0253"]),
        ("def f(a) = a; let x = f(now);", []),
        ("def f(a) { set z = a; }\nsession { f(x.size); }", ["SQ0253"]),
        ("def f(a) { set z = a; }\nsession { f(max size in 2 (size)); }", []),
        ("def f(a) { set y = a; }\nsession { f(max y in 2 (y)); }", []),
        ("def f(a) { set y = a; }\nsession { f(max y in 2 (y) + y); }", ["SQ0251"]),
        ("def f(a) { set y = a; }\nsession { f(max y in (y) (1)); }", ["SQ0251"]),
    ],
)
def test_rules_of_definitions(text: str, expected: list[str]) -> None:
    assert codes(text) == expected


def test_a_damaged_definition_is_an_unknown_value() -> None:
    assert codes("def f(a b) = 1;\nlet x = f(1, 2) + 1;\nsession { f(); }") == ["SQ0105"]


def test_the_size_of_the_expanded_program_is_limited() -> None:
    text = "def d0() = 1;\n" + "".join(f"def d{n}() = d{n - 1}() + d{n - 1}();\n" for n in range(1, 18))
    assert codes(text + "let x = d17();\nlet y = d17();") == ["SQ0147"]


def test_libraries() -> None:
    libraries = {"a.sq": 'use "b.sq";\ndef two() = one() + one();\n', "b.sq": 'use "a.sq";\ndef one() = 1;\n'}
    document = parse('use "a.sq";\nlet x = two();', libraries)
    assert document.findings == ()
    assert [source.file for source in document.sources] == ["main.sq", "a.sq", "b.sq"]
    assert [definition.file for definition in document.tree.definitions] == ["b.sq", "a.sq"]


@pytest.mark.parametrize(
    ("library", "expected"),
    [
        ("def f() = 1;\nlet a = 2;", ["SQ0152"]),
        ("def f() = 1", ["SQ0153"]),
        ("def f() = 1;\ndef f() = 2;", ["SQ0241"]),
        ("def f() = 1 % 2;", ["SQ0101"]),
    ],
)
def test_faults_in_a_library_stand_in_the_library(library: str, expected: list[str]) -> None:
    document = parse('use "a.sq";\nlet x = f();', {"a.sq": library})
    assert [finding.code for finding in document.findings] == expected
    assert {document.locate(finding.place)[0].file for finding in document.findings} == {"a.sq"}


def test_a_missing_library_makes_unknown_statements_unknown() -> None:
    assert codes('use "gone.sq";\nsession { helper(1); }') == ["SQ0151"]
    assert codes("session { helper(1); }") == ["SQ0112"]
