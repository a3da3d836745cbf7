"""The edition v4b in the editor: completion, hovers, names, colours, outline, the fix that turns it on."""

from __future__ import annotations

from pathlib import Path

import pytest

from serq_interpreter.frontend.analysis import Options, analyse
from serq_lsp.protocol.documents import Documents
from serq_lsp.services.completion import completion
from serq_lsp.services.cursor import cursor_at, moment_of
from serq_lsp.services.definition import RenameProblem, definition, prepare_rename, references, rename
from serq_lsp.services.formatting import formatting
from serq_lsp.services.hover import hover
from serq_lsp.services.outline import outline
from serq_lsp.services.run_hover import run_hover
from serq_lsp.services.semantic_tokens import MODIFIERS, TYPES, semantic_tokens
from serq_lsp.services.settings import read_settings
from tests.support.markers import fixture
from tests.support.simulated import view_of

LINE = "// serq: edition v4b\n"
HEAD = "pool kv { cap 90; }\nstage think : delay;\nworkload { arrive batch(1); init { set n = 2; } }\n"
TAIL = "\nrun { horizon 10; }\n"
SESSION = """session {
  hold kv (4) { run think (4 - cached); } cache (4)
  branch (depth < 2) {
    spawn (n) into kids inherit kv { set task = n * 2; }
    join kids;
  }
  run think (task);
  end;
}"""


def _program(session: str = SESSION, line: str = LINE) -> str:
    return line + HEAD + session + TAIL


def _offered(session: str, line: str = LINE) -> dict[str, str]:
    given = fixture(_program(session, line))
    assert given.cursor is not None
    return {found.label: found.kind for found in completion(given.snapshot(), given.cursor)}


def test_statements_are_offered_where_the_edition_has_them() -> None:
    session = "session { spawn (n) into kids { } $0 }"
    offered = _offered(session)
    assert offered["spawn"] == offered["join kids"] == "keyword"
    assert "join" in offered and "set" in offered
    off = _offered("session { $0 }", line="")
    assert "spawn" not in off


@pytest.mark.parametrize(
    "typed", ["spawn ($0", "spawn ($0)", "spawn ($0) into kids { }", "spawn (n + $0) into kids { }"]
)
def test_the_count_is_an_expression_of_the_session(typed: str) -> None:
    given = fixture(_program(f"session {{ {typed} }}"))
    assert given.cursor is not None
    assert moment_of(cursor_at(given.snapshot(), given.cursor)) == "stmt"
    offered = _offered(f"session {{ {typed} }}")
    assert {"n", "depth", "parent", "serial", "now", "used"} <= set(offered)


def test_words_and_names_around_a_spawn() -> None:
    assert set(_offered("session { spawn (1) $0 }")) == {"into"}
    assert "inherit" in _offered("session { spawn (1) into kids $0 }")
    assert _offered("session { spawn (1) into kids { } spawn (2) into $0 }")["kids"] == "group"
    assert _offered("session { spawn (1) into kids { } join $0 }")["kids"] == "group"
    assert _offered("session { spawn (1) into kids inherit $0 }")["kv"] == "pool"
    assert set(_offered("session { spawn (1) into kids { $0 } }")) == {"set"}
    assert "task" in _offered("session { set task = 1; spawn (1) into kids { set y = $0 } }")


def test_lineage_is_offered_in_its_edition_only() -> None:
    assert _offered("session { set y = $0; }")["depth"] == "builtin"
    assert "depth" not in _offered("session { set y = $0; }", line="")


@pytest.mark.parametrize(
    ("mark", "said"),
    [
        ("sp$0awn (n)", "Creates child sessions"),
        ("in$0to kids", "The group"),
        ("inh$0erit kv", "leave it where it is"),
        ("jo$0in kids", "every child session spawned into the group"),
        ("dep$0th < 2", "How many spawns lie between"),
        ("into ki$0ds", "spawned at one place, reads the parent's prefix on `kv`"),
        ("join ki$0ds", "a group of child sessions"),
    ],
)
def test_hover(mark: str, said: str) -> None:
    given = fixture(_program(SESSION.replace(mark.replace("$0", ""), mark, 1)))
    assert given.cursor is not None
    found = hover(given.snapshot(), given.cursor)
    assert found is not None and said in found.text


def test_hover_of_names_of_the_base_edition() -> None:
    given = fixture("def spawn(k) { run think (k); }\n" + HEAD + "session { set depth = 1; sp$0awn(2); }" + TAIL)
    assert given.cursor is not None
    found = hover(given.snapshot(), given.cursor)
    assert found is not None and "definition" in found.text


def test_a_group_is_a_name() -> None:
    given = fixture(_program(SESSION.replace("join kids", "join ki$0ds")))
    assert given.cursor is not None
    snapshot, text = given.snapshot(), given.snapshot().text
    assert [text[one.start - 5 : one.end] for one in definition(snapshot, given.cursor)] == ["into kids"]
    assert [text[one.start - 5 : one.end] for one in references(snapshot, given.cursor)] == ["into kids", "join kids"]
    assert len(rename(snapshot, given.cursor, "helpers")[snapshot.file]) == 2
    with pytest.raises(RenameProblem):
        rename(snapshot, given.cursor, "turn")


def test_lineage_cannot_be_renamed() -> None:
    given = fixture(_program(SESSION.replace("depth", "dep$0th")))
    assert given.cursor is not None
    with pytest.raises(RenameProblem):
        prepare_rename(given.snapshot(), given.cursor)


def test_colours() -> None:
    given = fixture(_program(SESSION + "$0"))
    snapshot = given.snapshot()
    found = {snapshot.text[one.start : one.end]: (TYPES[one.type], one.modifiers) for one in semantic_tokens(snapshot)}
    assert found["spawn"][0] == found["into"][0] == found["inherit"][0] == found["join"][0] == "keyword"
    assert found["kids"][0] == "decorator"
    kind, bits = found["depth"]
    assert kind == "variable" and bits & 1 << MODIFIERS.index("defaultLibrary")


def test_outline_shows_groups() -> None:
    given = fixture(_program(SESSION + "$0"))
    session = next(one for one in outline(given.snapshot()) if one.name == "session")
    (group,) = [one for one in session.children if one.kind == "group"]
    assert (group.name, group.detail, [one.name for one in group.children]) == ("kids", "n", ["task"])


def test_formatting_keeps_the_statements() -> None:
    ugly = "session { spawn(n)into kids inherit kv{set task=n*2;} join   kids ; end; }$0"
    given = fixture(_program(ugly))
    assert given.cursor is not None
    new = "".join(edit.text for edit in formatting(given.snapshot()))
    assert "spawn (n) into kids inherit kv { set task = n * 2; }\n" in new
    assert "join kids;\n" in new


def test_the_fix_adds_the_line_and_settings_turn_the_edition_on() -> None:
    text = "// about it\n" + _program(line="")
    analysis = analyse(text, "a.sq")
    (error,) = [item for item in analysis.diagnostics if item.severity.value == "error"]
    assert error.code == "SQ0001"
    (fix,) = error.fixes
    (edit,) = fix.edits
    mended = text[: edit.location.start_offset] + edit.text + text[edit.location.end_offset :]
    assert mended.startswith(LINE)
    assert not analyse(mended, "a.sq").has_errors
    assert analyse(mended, "a.sq").edition == "v4b"
    by_setting = analyse(text, "a.sq", options=Options(edition="v4b"))
    assert not by_setting.has_errors and by_setting.edition == "v4b"
    own_word = analyse("// serq: edition 0.1.3\n" + text, "a.sq", options=Options(edition="v4b"))
    assert [item.code for item in own_word.diagnostics if item.severity.value == "error"] == ["SQ0001"]


def test_a_group_shows_the_trees_of_the_last_run() -> None:
    text = _program(SESSION.replace("join kids", "join ki$0ds")).replace("horizon 10", "horizon 90")
    given = fixture(text.replace("batch(1)", "poisson(1)"))
    assert given.cursor is not None
    found = run_hover(view_of(given.snapshot()), given.cursor)
    assert "**Session trees** in the last run" in found
    row = found.splitlines()[4].split(" | ")
    assert row[1].startswith("3"), "a root and two children, whose `n` nobody sets"
    assert row[4] == "1"


def test_the_editor_takes_the_edition_from_its_settings_and_from_the_project(tmp_path: Path) -> None:
    file = tmp_path / "a.sq"
    file.write_text(_program(line=""), encoding="utf-8")
    documents = Documents(lambda _uri: (1, file.read_text(encoding="utf-8")))
    uri = file.as_uri()
    documents.opened(uri)

    def edition() -> str:
        snapshot = documents.snapshot(uri)
        assert snapshot is not None
        return snapshot.analysis.edition

    assert edition() == "0.1.3"
    documents.settings[uri] = read_settings({"edition": "v4b"})[0]
    assert edition() == "v4b"
    (tmp_path / "serq.toml").write_text('edition = "v4b"\n', encoding="utf-8")
    documents.settings[uri] = read_settings({})[0]
    for user in documents.users_of(str(tmp_path / "serq.toml")):
        documents.forget(user)
    assert edition() == "v4b"
    documents.settings[uri] = read_settings({"edition": "0.1.3"})[0]
    assert edition() == "0.1.3"


def test_typing_the_edition_line_is_enough() -> None:
    text = _program(line="")
    before = analyse(text, "a.sq")
    after = analyse(LINE + text, "a.sq", previous=before)
    assert before.has_errors and not after.has_errors
    again = analyse(text, "a.sq", previous=after)
    assert [item.code for item in again.diagnostics] == [item.code for item in before.diagnostics]
