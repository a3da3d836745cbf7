"""Definition, references, highlights, rename, hierarchy."""

from __future__ import annotations

import pytest

from serq_lsp.services import call_hierarchy
from serq_lsp.services.definition import (
    RenameProblem,
    definition,
    highlights,
    linked_files,
    prepare_rename,
    references,
    rename,
)
from serq_lsp.services.hover import hover
from tests.support.markers import fixture

END = "run { horizon 10; }\n"


def check_definition(source: str) -> None:
    """The definition of what stands at the cursor is what the carets underline."""
    given = fixture(source)
    assert given.cursor is not None
    found = definition(given.snapshot(), given.cursor)
    assert [(span.file, span.start, span.end) for span in found] == [
        (mark.file, mark.start, mark.end) for mark in given.marks
    ]


def check_references(source: str) -> None:
    given = fixture(source)
    assert given.cursor is not None
    found = references(given.snapshot(), given.cursor)
    assert [(span.file, span.start, span.end) for span in found] == sorted(
        (mark.file, mark.start, mark.end) for mark in given.marks
    )


POOL = """
pool kv { cap 64; block 16; preempt lifo; admit via eng; }
   //^^
stage eng : step { cost 1; memory kv; }
pool spare { cap 10; }
session {
  %s
}
gauge g = used(kv);
run { horizon 10; }
"""


@pytest.mark.parametrize(
    "statement",
    [
        "hold k$0v (1) { run eng prefill (1); }",
        "hold kv (1) { run eng prefill (1) growing k$0v; }",
        "hold kv (1) { grow k$0v (1); run eng prefill (1); }",
        "hold kv (1) { load k$0v (1); run eng prefill (1); }",
        "hold kv (1) { release k$0v; run eng prefill (1); }",
        "hold kv (1) { run eng prefill (1); } cache (1) lease k$0v (3)",
        "set x = used(k$0v);",
        "set x = blocksize(k$0v);",
        "drop k$0v;",
    ],
)
def test_a_pool_from_every_use(statement: str) -> None:
    check_definition(POOL % statement)


def test_a_pool_from_options() -> None:
    check_definition("""
pool kv { cap 64; }
   //^^
stage eng : step { cost 1; memory k$0v; }
run { horizon 10; }
""")


def test_a_stage_from_admit_via() -> None:
    check_definition("""
pool kv { cap 64; admit via en$0g; }
stage eng : step { cost 1; }
    //^^^
run { horizon 10; }
""")


def test_an_indexed_member() -> None:
    check_definition("""
pool kv[2] { cap 64; }
   //^^
session { set i = 1; hold k$0v[i] (1) { } }
run { horizon 10; }
""")


def test_an_attribute_across_the_sides() -> None:
    given = fixture("""
stage svc : fifo;
workload { arrive batch(1); turn { set prompt = 3; } session { turn; request; } }
server { run svc (pro$0mpt); }
run { horizon 10; }
""")
    assert given.cursor is not None
    (span,) = definition(given.snapshot(), given.cursor)
    assert given.text[span.start : span.end].startswith(("prompt", "set prompt"))


def test_a_definition_in_a_library() -> None:
    check_definition("""
use "lib.sq";
stage svc : fifo;
session { run svc (tw$0ice(2)); }
run { horizon 10; }
//- /lib.sq
def twice(x) = 2 * x;
  //^^^^^
""")


def test_a_library_file() -> None:
    given = fixture("""
use "li$0b.sq";
run { horizon 10; }
//- /lib.sq
def twice(x) = 2 * x;
""")
    assert given.cursor is not None
    assert [span.file for span in definition(given.snapshot(), given.cursor)] == ["/lib.sq"]
    assert [file for _, _, file in linked_files(given.snapshot())] == ["/lib.sq"]


def test_references_of_a_constant() -> None:
    check_references("""
let k = 2;
  //^
pool kv { cap k; }
            //^
session { set x = $0k + k; }
                //^
                    //^
run { horizon 10; }
""")


def test_references_reach_into_definitions() -> None:
    check_references("""
let k = 2;
  //^
def more(x) = x + k;
                //^
session { set x = more($0k); }
                     //^
run { horizon 10; }
""")


def test_highlights_tell_reads_from_writes() -> None:
    given = fixture("""
session { set x = 1; set y = $0x; set x = x + 1; }
run { horizon 10; }
""")
    assert given.cursor is not None
    found = highlights(given.snapshot(), given.cursor)
    assert [item.writes for item in found] == [True, False, True, False]


def renamed(source: str, name: str) -> str:
    given = fixture(source)
    assert given.cursor is not None
    snapshot = given.snapshot()
    text = given.text
    spans = rename(snapshot, given.cursor, name)[snapshot.file]
    for span in sorted(spans, reverse=True):
        text = text[: span.start] + name + text[span.end :]
    return text


def test_rename_a_pool_everywhere() -> None:
    text = renamed(POOL % "hold k$0v (1) { run eng prefill (used(kv)) growing kv; } cache (1)", "memory1")
    assert "kv" not in text
    assert text.count("memory1") == 6


def test_rename_a_parameter_in_its_definition_only() -> None:
    text = renamed(
        "def f(a) = $0a + 1;\nsession { set a = f(2); set b = a; }\nrun { horizon 10; }\n",
        "initial",
    )
    assert text.startswith("def f(initial) = initial + 1;")
    assert "set a = f(2); set b = a;" in text


@pytest.mark.parametrize(
    ("source", "name", "why"),
    [
        ("let $0k = 1;\nrun { horizon 10; }\n", "1k", "is not a name"),
        ("let $0k = 1;\nlet m = 2;\nrun { horizon 10; }\n", "m", "already"),
        ("let $0k = 1;\nrun { horizon 10; }\n", "now", "supplied by the language"),
        ("session { set x = no$0w; }\nrun { horizon 10; }\n", "then", "belongs to the language"),
        ("session { s$0et x = 1; }\nrun { horizon 10; }\n", "put", "no name here"),
    ],
)
def test_renames_that_would_change_the_meaning_are_refused(source: str, name: str, why: str) -> None:
    given = fixture(source)
    assert given.cursor is not None
    with pytest.raises(RenameProblem, match=why):
        rename(given.snapshot(), given.cursor, name)


def test_prepare_rename_gives_the_name() -> None:
    given = fixture("let capa$0city = 1;\nrun { horizon 10; }\n")
    assert given.cursor is not None
    span, name = prepare_rename(given.snapshot(), given.cursor)
    assert (name, given.text[span.start : span.end]) == ("capacity", "capacity")


def test_call_hierarchy_of_definitions() -> None:
    given = fixture("""
def inner(x) = x + 1;
def ou$0ter(x) = inner(x) * 2;
stage svc : fifo;
session { run svc (outer(3)); }
run { horizon 10; }
""")
    assert given.cursor is not None
    snapshot = given.snapshot()
    item = call_hierarchy.prepare(snapshot, given.cursor)
    assert item is not None
    assert [call.other.name for call in call_hierarchy.outgoing(snapshot, item.kind, item.name)] == ["inner"]
    assert [call.other.name for call in call_hierarchy.incoming(snapshot, item.kind, item.name)] == ["session"]


QUEUES = """queue p : prefill {
  pool kv { cap 9000; }
  serve step { budget 512; cost 1; memory kv; }
  nic ps(400000);
  prefill (n) { hold kv (n) { prefill n; } lease kv (60) }
}
queue d : decode {
  pool kv { cap 9000; }
  serve step { budget 512; cost 1; memory kv; }
  nic ps(400000);
  decode (n) { hold kv (n) { decode 1; } }
  decode (n) from src { hold kv (n) { transfer n from src to kv (n); decode 3; } }
}
d pull p latency 0.002 share maxmin;
workload { arrive poisson(1); init { set prompt = 9; } }
session { p.prefill (prompt); d.decode (prompt) from p; observe t = now; end; }
run { horizon 10; }
"""


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("n; }", "a parameter of the entry `p.prefill`"),
        ("src to", "a parameter of the entry `d.decode from`"),
        ("nic ps", "Here: the stage `p.nic`."),
        ("latency", "Here: the stage `d.nic.latency`."),
        ("p : prefill", "queue p : prefill\n```"),
    ],
)
def test_hover_on_what_belongs_to_a_queue(word: str, said: str) -> None:
    snapshot = fixture(QUEUES).snapshot()
    found = hover(snapshot, QUEUES.index(word))
    assert found is not None and said in found.text


@pytest.mark.parametrize("word", ["nic ps", "latency", "cached;", "tool 3"])
def test_words_of_the_language_are_not_renamed(word: str) -> None:
    text = "stage tool : delay;\n" + QUEUES.replace("observe t = now;", "observe t = now + cached; tool 3;")
    snapshot = fixture(text).snapshot()
    with pytest.raises(RenameProblem, match="language"):
        rename(snapshot, text.index(word), "other")


def test_hover_shows_a_declaration_without_its_surroundings() -> None:
    text = """pool kv { cap 9; }
stage s : delay;
workload { arrive poisson(1); init { // what is asked
  set prompt = 9; } }
session { hold kv (known) at admission (known = min(prompt, 3), more_of = 2) { run s (known); } end; }
run { horizon 10; }
"""
    snapshot = fixture(text).snapshot()
    for word, said in (("prompt, 3", "`set prompt = 9`"), ("known)", "`known = min(prompt, 3)`")):
        found = hover(snapshot, text.index(word))
        assert found is not None and f"First assigned: {said}" in found.text
