"""Outline, folding, selection ranges, semantic tokens, hover, signature help, code actions."""

from __future__ import annotations

import pytest

from serq_lsp.background.meaning import meaning_of
from serq_lsp.services.code_actions import code_actions, fix_all
from serq_lsp.services.folding import folding, selection
from serq_lsp.services.hover import hover
from serq_lsp.services.outline import outline
from serq_lsp.services.semantic_tokens import MODIFIERS, TYPES, semantic_tokens
from serq_lsp.services.settings import DEFAULTS, TABLE, json_schema, read_settings
from serq_lsp.services.signature_help import signature_help
from tests.support.markers import fixture

PROGRAM = """
// A program with one of most things.
// Two lines of comment.
let k = 2;
pool kv { cap 10; }
stage eng : step {
  cost 0.1 + tokens;
  memory kv;
}
workload {
  arrive batch(1);
  hidden o;
  turn { set o = 3; }
  session { turn; request; }
}
server {
  hold kv (1) {
    prefill 2 growing kv;
    observe seen = now;
  }
}
run { horizon 10; }
"""


def test_outline_lists_items_with_their_parts() -> None:
    found = outline(fixture(PROGRAM).snapshot())
    assert [(item.kind, item.name) for item in found] == [
        ("constant", "k"),
        ("pool", "kv"),
        ("stage", "eng"),
        ("workload", "workload"),
        ("block", "server"),
        ("run", "run"),
    ]
    assert [child.name for child in found[4].children] == ["seen"]


def test_outline_of_damaged_text_keeps_what_was_declared() -> None:
    names = [item.name for item in outline(fixture("pool kv { cap ; \nstage s : fifo;\n").snapshot())]
    assert "s" in names
    assert "kv" in names


def test_folds_blocks_and_comments() -> None:
    found = {(fold.start_line, fold.end_line, fold.kind) for fold in folding(fixture(PROGRAM).snapshot())}
    assert {(0, 1, "comment"), (4, 7, "region"), (8, 13, "region"), (14, 19, "region"), (15, 18, "region")} == found


def test_selection_grows_from_the_word_to_the_file() -> None:
    given = fixture("session { set x = al$0pha + 1; }\nrun { horizon 10; }\n")
    assert given.cursor is not None
    texts = [given.text[start:end] for start, end in selection(given.snapshot(), given.cursor)]
    assert texts[0] == "alpha"
    assert texts[1] == "set x = alpha + 1;"
    assert texts[-1] == given.text
    assert all(small in large for small, large in zip(texts, texts[1:], strict=False))


def _coloured(source: str) -> dict[str, tuple[str, set[str]]]:
    given = fixture(source)
    found = {}
    for token in semantic_tokens(given.snapshot()):
        bits = {name for number, name in enumerate(MODIFIERS) if token.modifiers >> number & 1}
        found[given.text[token.start : token.end]] = (TYPES[token.type], bits)
    return found


def test_colours_say_what_a_word_means() -> None:
    found = _coloured(PROGRAM)
    assert found["kv"][0] == "class"
    assert found["eng"][0] == "struct"
    assert found["tokens"] == ("variable", {"defaultLibrary", "readonly"})
    assert "hidden" in found["o"][1]
    assert found["seen"][0] == "event"
    assert found["prefill"][0] == "keyword"


def test_a_word_that_is_a_name_is_no_keyword() -> None:
    given = fixture("session { set set = 1; }\nrun { horizon 10; }\n")
    kinds = [TYPES[token.type] for token in semantic_tokens(given.snapshot())][:4]
    assert kinds == ["keyword", "keyword", "variable", "operator"]


def check_hover(source: str, *parts: str) -> None:
    given = fixture(source)
    assert given.cursor is not None
    found = hover(given.snapshot(), given.cursor)
    assert found is not None
    for part in parts:
        assert part in found.text, found.text


def test_hover_says_the_moment_of_a_context_variable() -> None:
    check_hover(PROGRAM.replace("tokens", "to$0kens"), "context variable", "Read here in **a cost**")


def test_hover_says_where_a_context_variable_would_be_legal() -> None:
    check_hover(
        "session { set x = to$0kens; }\nrun { horizon 10; }\n", "**Not legal here** (SQ0301)", "Legal in: a cost"
    )


def test_hover_on_a_hidden_attribute_in_a_header() -> None:
    source = PROGRAM.replace("hold kv (1)", "hold kv ($0o)")
    check_hover(source, "Hidden from the scheduler", "snapshot", "**Not legal here** (SQ0302)")


def test_hover_on_a_keyword_shows_its_form_in_this_place() -> None:
    check_hover("pool kv { ca$0p 10; }\nrun { horizon 10; }\n", "*pool option*")
    check_hover("session { s$0et x = 1; }\nrun { horizon 10; }\n", "*statement*")


def test_hover_on_a_pool_tells_its_options() -> None:
    check_hover(PROGRAM.replace("growing kv", "growing k$0v"), "pool kv", "cap 10")


def test_hover_on_a_constant_tells_its_value() -> None:
    check_hover("let half = 1 / 2;\npool kv { cap ha$0lf; }\nrun { horizon 10; }\n", "**0.5**")


def test_signature_of_a_function_a_draw_a_definition() -> None:
    for text, label, active in (
        ("session { set x = min(1, $02); }", "min(a, b)", 1),
        ("session { set x = ~uniform($00, 1); }", "uniform(", 0),
        ("def f(a, b) = a + b;\nsession { set x = f(1, $02); }", "f(a, b)", 1),
    ):
        given = fixture(text + "\nrun { horizon 10; }\n")
        assert given.cursor is not None
        found = signature_help(given.snapshot(), given.cursor)
        assert found is not None
        assert found.label.startswith(label)
        assert found.active == active


def test_quick_fix_of_a_renamed_variable_makes_the_program_right() -> None:
    given = fixture("stage e : step { cost nt$0ok; }\nrun { horizon 10; }\n")
    assert given.cursor is not None
    actions = [item for item in code_actions(given.snapshot(), given.cursor, given.cursor) if item.kind == "quickfix"]
    (edit,) = actions[0].edits
    assert given.text[: edit.span.start] + edit.text + given.text[edit.span.end :] == given.text.replace(
        "ntok", "tokens"
    )


def test_fix_all_takes_every_safe_fix() -> None:
    given = fixture("stage e : step { cost ntok + ndec; }\nrun { horizon 10; };\n")
    action = fix_all(given.snapshot())
    assert action is not None
    assert len(action.edits) == 3


def test_extract_and_inline_a_constant() -> None:
    given = fixture("let k = 2;\npool kv { cap $0k; }\nrun { horizon 10; }\n")
    assert given.cursor is not None
    snapshot = given.snapshot()
    titles = {action.title for action in code_actions(snapshot, given.cursor, given.cursor)}
    assert "Inline the constant `k`" in titles
    start = given.text.index("10")
    titles = {action.title for action in code_actions(snapshot, start, start + 2)}
    assert "Extract `10` into a constant" in titles


EXTRACTED = """stage s : delay;
workload { arrive batch(2); }
session {
  set t = now;
  run s (serial + 2 * t); observe seen = now - t;
  end;
}
run { horizon 10; }
"""


@pytest.mark.parametrize(
    ("selected", "definition", "use"),
    [
        ("serial + 2 * t", "def amount() = serial + 2 * t;", "run s (amount());"),
        ("now - t", "def amount() = now - t;", "observe seen = amount();"),
        (
            "run s (serial + 2 * t); observe seen = now - t;",
            "def steps() {\n  run s (serial + 2 * t); observe seen = now - t;\n}",
            "steps();\n  end;",
        ),
    ],
)
def test_a_selection_becomes_a_definition(selected: str, definition: str, use: str) -> None:
    snapshot = fixture(EXTRACTED).snapshot()
    start = EXTRACTED.index(selected)
    found = code_actions(snapshot, start, start + len(selected))
    action = next(item for item in found if item.kind == "refactor.extract" and "definition" in item.title)
    text = EXTRACTED
    for edit in sorted(action.edits, key=lambda item: item.span.start, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    assert definition + "\n\nsession {" in text and use in text
    after = fixture(text).snapshot().analysis
    assert after.lowered is not None and snapshot.analysis.lowered is not None
    assert meaning_of(after.lowered.program) == meaning_of(snapshot.analysis.lowered.program)


@pytest.mark.parametrize(
    "selected", ["(serial + 2", "set t", "s (serial + 2 * t)", "arrive batch(2);", "erial + 2", " "]
)
def test_half_a_thing_becomes_no_definition(selected: str) -> None:
    start = EXTRACTED.index(selected)
    found = code_actions(fixture(EXTRACTED).snapshot(), start, start + len(selected))
    assert not any("definition" in item.title for item in found)


def test_suppressing_a_warning_silences_it() -> None:
    given = fixture("pool spare { cap 10; }\nsession { end; }\nrun { horizon 10; }\n")
    snapshot = given.snapshot()
    warning = next(item for item in snapshot.analysis.diagnostics if item.code >= "SQ1000")
    at = warning.location.start_offset
    action = next(item for item in code_actions(snapshot, at, at) if item.title.startswith(f"Suppress {warning.code}"))
    (edit,) = action.edits
    text = given.text[: edit.span.start] + edit.text + given.text[edit.span.end :]
    codes = {item.code for item in fixture(text).snapshot().analysis.diagnostics}
    assert warning.code not in codes
    assert "SQ1090" not in codes


@pytest.mark.parametrize(
    ("section", "problem"),
    [
        ({"simulation": {"seed": -1}}, "at least 0"),
        ({"simulation": {"trigger": "always"}}, "is one of"),
        ({"strict": "yes"}, "boolean"),
        ({"simulation.precision": 2}, "below 1"),
        ({"simulation": {"horizon": float("nan")}}, "finite"),
        ([], "is an object"),
    ],
)
def test_invalid_settings_are_named_and_defaults_used(section: object, problem: str) -> None:
    settings, problems = read_settings(section)
    assert len(problems) == 1
    assert problem in problems[0]
    assert settings.values == DEFAULTS


def test_settings_are_read_nested_and_dotted() -> None:
    settings, problems = read_settings(
        {"simulation": {"budget": {"seconds": 3}}, "hints.pools": False, "server": {"path": ""}}
    )
    assert not problems
    assert settings["simulation.budget.seconds"] == 3
    assert settings["hints.pools"] is False


def test_the_schema_has_every_setting_with_a_valid_default() -> None:
    import jsonschema

    schema = json_schema()
    assert set(schema["properties"]) == {f"serq.{item.name}" for item in TABLE}
    jsonschema.validate({f"serq.{name}": value for name, value in DEFAULTS.items()}, schema)


@pytest.mark.parametrize(
    ("server", "title", "gone"),
    [
        ("observe late = decod$0ing; run svc (1);", "Delete the statement", "SQ0301"),
        ("hold kv ($0o) { run svc (1); }", "take it out of `hidden`", "SQ0302"),
        ("hold kv (1) { fork { run svc (1); } jo$0in; }", "Join after the hold", "SQ1001"),
        ("hold kv (1) { fork { hold kv (1) { run svc (1); } } jo$0in; }", "Join after the hold", "SQ1002"),
    ],
)
def test_quick_fixes_of_what_the_scheduler_may_not_do(server: str, title: str, gone: str) -> None:
    given = fixture(
        "pool kv { cap 9; }\nstage svc : fifo;\n"
        "workload { arrive batch(1); hidden o; turn { set o = 3; } session { turn; request; } }\n"
        f"server {{ {server} observe t = now + o; }}\nrun {{ horizon 10; }}\n"
    )
    assert given.cursor is not None
    snapshot = given.snapshot()
    assert gone in {item.code for item in snapshot.analysis.diagnostics}
    action = next(item for item in code_actions(snapshot, given.cursor, given.cursor) if title in item.title)
    text = given.text
    for edit in sorted(action.edits, key=lambda item: item.span.start, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    assert gone not in {item.code for item in fixture(text).snapshot().analysis.diagnostics}
