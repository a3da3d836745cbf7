"""Inlining definitions: `$0` marks the cursor; what is offered means the same."""

from __future__ import annotations

import pytest

from serq_interpreter.ir.json import write_program
from serq_lsp.services.code_actions import code_actions
from serq_lsp.services.inlining import inlined_definition
from tests.support.markers import fixture

PROGRAM = """%s
stage s : fifo;
workload { arrive poisson(0.5); }
session {
  set a = 1;
  %s
  end;
}
run { horizon 10; }
"""
LIBRARY = "//- /lib.sq\ndef half(x) = x / 2;\n"


def offers(source: str) -> dict[str, str]:
    """Title → the text afterwards."""
    given = fixture(source)
    assert given.cursor is not None
    snapshot = given.snapshot()
    assert snapshot.analysis.diagnostics == () or not snapshot.analysis.has_errors
    found = {}
    for title, changes in inlined_definition(snapshot, given.cursor):
        text = given.text
        for start, end, piece in sorted(changes, reverse=True):
            text = text[:start] + piece + text[end:]
        found[title] = text
    return found


def inlined(definition: str, use: str) -> str:
    """The only offer for a definition, as the statement that comes of its use."""
    (text,) = offers(PROGRAM % (definition, use)).values()
    assert text.startswith("stage s"), "the definition has gone"
    return text.partition("set a = 1;\n")[2].partition("  end;\n")[0].strip()


@pytest.mark.parametrize(
    ("definition", "use", "expected"),
    [
        ("def f(x) = x + 1;", "set y = $0f(a);", "set y = a + 1;"),
        ("def f(x) = x + 1;", "set y = 2 * $0f(a);", "set y = 2 * (a + 1);"),
        ("def f(x) = x * 2;", "set y = $0f(a + 1);", "set y = (a + 1) * 2;"),
        ("def f(x) = max(x, 2);", "set y = 3 - $0f(a + 1);", "set y = 3 - max(a + 1, 2);"),
        ("def f(x) = x ? 1 : 2;", "set y = $0f(a > 0) + 1;", "set y = ((a > 0) ? 1 : 2) + 1;"),
        ("def f() = 3;", "set y = -$0f();", "set y = -3;"),
        ("def f() = -3;", "set y = 2 ^ $0f();", "set y = 2 ^ (-3);"),
        ("def f() = ~exp(2);", "run s ($0f());", "run s (~exp(2));"),
        ("def f() = ~exp(2) + 1;", "run s (2 * $0f());", "run s (2 * (~exp(2) + 1));"),
        ("def f(x, x2) = x - x2;", "set y = $0f(2 + a, a);", "set y = (2 + a) - a;"),
        ("def f(x) = x;", "set y = 2 * $0f(a + 1);", "set y = 2 * (a + 1);"),
        ("def f(x) = x ? 1 : x;", "set y = $0f(a ? 2 : 3);", "set y = (a ? 2 : 3) ? 1 : a ? 2 : 3;"),
        ("def f(x) { run s (x); }", "$0f(a);", "run s (a);"),
        ("def f() { }", "$0f();", ""),
        (
            "def f(x) {\n  run s (x);\n  // and then\n  run s (1);\n}",
            "$0f(a);",
            "run s (a);\n  // and then\n  run s (1);",
        ),
        ("def $0f(x) = x + 1;", "set y = f(a);", "set y = a + 1;"),
    ],
)
def test_the_use_becomes_the_body(definition: str, use: str, expected: str) -> None:
    assert inlined(definition, use) == expected


def test_one_use_of_several_or_all_of_them() -> None:
    found = offers(PROGRAM % ("def f(x) = x + 1;\n", "set y = $0f(a) * f(2);\n  set z = f(f(3));"))
    assert list(found) == ["Inline this use of `f`", "Inline all 4 uses of `f` and delete the definition"]
    one, every = found.values()
    assert "def f" in one and "set y = (a + 1) * f(2);" in one
    assert "def f" not in every and every.startswith("stage s")
    assert "set y = (a + 1) * (2 + 1);\n  set z = (3 + 1) + 1;" in every


def test_a_use_in_another_definition() -> None:
    found = offers(PROGRAM % ("def f(x) = x + 1;\ndef g(z) = $0f(z) * 2;", "set y = g(a);"))
    (text,) = found.values()
    assert text.startswith("def g(z) = (z + 1) * 2;\n")


def test_a_definition_of_a_library_stays_there() -> None:
    found = offers(PROGRAM % ('use "lib.sq";', "set y = 3 * $0half(a);") + LIBRARY)
    assert list(found) == ["Inline the use of `half` in this file"]
    assert "set y = 3 * (a / 2);" in next(iter(found.values()))


@pytest.mark.parametrize(
    ("definition", "use"),
    [
        ("def f(x) = x + 1;", "set $0y = a;"),
        ("def f(x) = x + 1;", "set y = f($0a);"),
        ("def $0f(x) = x + 1;", "set y = a;"),
        ("def f(x) = x + k;\ndef g(k) = $0f(2) + k;", "set k = 1; set y = g(a);"),
    ],
)
def test_nothing_is_offered_where_nothing_can_be_inlined(definition: str, use: str) -> None:
    """The last: `k` of the body would become the parameter of the other definition."""
    assert offers(PROGRAM % (definition, use)) == {}


def test_an_editor_that_only_looks_does_not_wait_in_a_long_text(monkeypatch: pytest.MonkeyPatch) -> None:
    given = fixture(PROGRAM % ("def f(x) = x + 1;", "set y = $0f(a);"))
    assert given.cursor is not None
    snapshot = given.snapshot()

    def titles(asked: bool) -> list[str]:
        assert given.cursor is not None
        found = code_actions(snapshot, given.cursor, given.cursor, asked=asked)
        return [action.title for action in found if action.kind == "refactor.inline"]

    offered = ["Inline `f` and delete the definition"]
    assert titles(True) == titles(False) == offered
    monkeypatch.setattr("serq_lsp.services.code_actions.LONG_TEXT", 10)
    assert (titles(True), titles(False)) == (offered, [])


def test_what_is_offered_has_the_same_ir() -> None:
    source = PROGRAM % ("def f(x) { hold kv (x) { run s (~exp(x)); } }\npool kv { cap 8; }", "$0f(2); f(a);")
    before = fixture(source).snapshot().analysis.lowered
    assert before is not None
    for text in offers(source).values():
        after = fixture(text).snapshot().analysis.lowered
        assert after is not None and write_program(after.program) == write_program(before.program)
