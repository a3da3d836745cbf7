"""Independent faults are reported each, and a fault stays in its item (spec 03 §3)."""

from __future__ import annotations

import random
import re

import pytest

from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.outline import outline
from tests.syntax.helpers import accepted_programs, codes, found, parse, token_spans

FAULTS: list[tuple[str, str]] = [
    ("let a = ;", "SQ0107"),
    ("let b 2;", "SQ0105"),
    ("pool kv { cap 4; size 3; }", "SQ0113"),
    ("stage svc : lifo;", "SQ0114"),
    ("stage e : step { cost 1; speed 2; }", "SQ0115"),
    ("workload { arrive batch(1); rate 3; }", "SQ0111"),
    ("claim c : always (1);", "SQ0119"),
    ("session { run svc (1) wait; end; }", "SQ0105"),
    ("gauge g used(kv);", "SQ0105"),
    ("run { horizon 10; threads 2; }", "SQ0116"),
]


@pytest.mark.parametrize("count", [3, 5, 10])
def test_each_of_several_faults_is_reported(count: int) -> None:
    chosen = FAULTS[:count]
    text = "\n".join(line for line, _ in chosen) + "\n"
    assert [(code, line) for code, line, _, _ in found(parse(text))][:count] == [
        (code, line) for line, (_, code) in enumerate(chosen, 1)
    ]


def test_faults_of_one_session() -> None:
    text = """session {
  set x = ;
  run svc (1)
  observe y = 2;
  wat;
  hold kv (1 { foo 1; }
  branch (1) { set = 3; }
  end;
}
"""
    assert [(code, line) for code, line, _, _ in found(parse(text))] == [
        ("SQ0107", 2),
        ("SQ0105", 3),
        ("SQ0112", 5),
        ("SQ0105", 6),
        ("SQ0112", 6),
        ("SQ0106", 7),
    ]


def test_a_missing_semicolon_stands_at_the_end_of_its_line() -> None:
    assert found(parse("session {\n  set x = 1\n  end;\n}\n")) == [("SQ0105", 2, 12, 0)]


def test_names_of_damaged_items_are_known() -> None:
    tree = parse("stage svc lifo;\npool kv { cap 4 5; evict lru; }\nsession { hold kv 1) { set a = 1; } }\n").tree
    assert isinstance(tree.items[0], nodes.ErrorItem)
    assert [(kind, name.text) for kind, name in tree.items[0].declared] == [("stage", "svc")]
    pool = tree.items[1]
    assert isinstance(pool, nodes.PoolItem)
    assert pool.name.text == "kv"
    assert tree.damaged


def test_names_in_what_was_given_up_are_remembered() -> None:
    tree = parse("session { fetch a from b; set c = 1; }\n").tree
    assert {"fetch", "a", "from", "b"} <= tree.unparsed
    assert "c" not in tree.unparsed


@pytest.mark.parametrize(
    "text",
    [
        "pool kv { cap 4;\nstage svc : fifo;\nrun { horizon 1; }\n",
        "session { run svc (1);\nrun { horizon 1; }\n",
        "let a = (1 + 2;\nlet b = 3;\n",
        "let a =\nlet b = 3;\n",
    ],
)
def test_an_open_item_ends_at_the_next_one(text: str) -> None:
    document = parse(text)
    assert len(document.findings) == 1
    assert len(document.tree.items) == text.count("\n")


def test_an_error_in_a_body_is_reported_once() -> None:
    text = "def job(n) { run svc n +; }\nsession { job(1); job(2); }\n"
    assert codes(text) == ["SQ0105"]


HEAD = re.compile(r"^(?:use|let|def|pool|stage|workload|session|server|queue|share|gauge|claim|run)\b", re.MULTILINE)


def test_a_token_left_out_changes_nothing_in_other_items() -> None:
    """Criterion: only a quote or a bracket may reach to the next item word in the first column."""
    source = random.Random(7)
    programs = [text for text in accepted_programs() if len(text) < 3000]
    for _ in range(400):
        text = source.choice(programs)
        start, end = source.choice(token_spans(text))
        changed = text[:start] + " " * (end - start) + text[end:]
        document = parse(text)
        base, piece = max(pair for pair in document.sources[0].pieces if pair[0] <= start)
        stop = base + len(piece.chunk.text)
        if text[start] in '(){}[]"':
            following = HEAD.search(changed, max(0, stop - 1))
            stop = following.start() if following is not None else len(text)
        first = base + piece.tokens[0].start
        after = parse(changed)
        for finding in after.findings:
            _, at, _ = after.locate(finding.place)
            uses_the_definition = finding.code in ("SQ0146", "SQ0248", "SQ0249") or finding.place.via is not None
            assert first - 1 <= at <= stop + 1 or uses_the_definition, (changed[first:stop], finding.code)


def test_the_outline_reads_a_text_as_written() -> None:
    text = "def f(a) { wat ] }\npool kv { cap 1; }\nsession { f(1, , ]; end; }\nd pull p share maxmin;\nlet = 2;\n"
    seen = outline(text)
    assert [(item.kind, item.name, item.line) for item in seen.items] == [
        ("def", "f", 1),
        ("pool", "kv", 2),
        ("session", "", 3),
        ("relation", "d pull p", 4),
        ("error", "", 5),
    ]


def test_a_use_is_a_statement_of_its_own_in_the_outline() -> None:
    assert outline("def f(a) = a;\nsession { f(1); g(kv[1], 2) ; set x = h(1); }\n").findings == ()


def test_a_definition_below_its_use_is_pointed_at() -> None:
    document = parse("session { job(1); }\ndef job(n) { end; }\n")
    assert [finding.code for finding in document.findings] == ["SQ0112"]
    assert document.locate(document.findings[0].notes[0].place)[1:] == (24, 27)


def test_a_body_without_its_end_is_not_mended_where_it_is_used() -> None:
    document = parse("def job(n) {\n  set y = n\n}\nstage s : fifo;\nsession { job(1); run s (y); end; }\n")
    assert [(finding.code, finding.fixes) for finding in document.findings] == [("SQ0105", ())]
