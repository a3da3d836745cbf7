"""The licence in the editor and on the command line: hover, hints, quick fixes, `check --explain-coalescing`."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from serq_interpreter.analysis.licence_conditions import CONDITIONS, PLAIN
from serq_lsp.cli.main import cli
from serq_lsp.services.coalescing import engine_licences, licence_explanation, licence_fixes, licence_hints
from serq_lsp.services.code_actions import Action
from serq_lsp.services.hover import hover
from serq_lsp.services.run_hints import run_hints
from serq_lsp.services.settings import read_settings
from serq_lsp.services.snapshot import Snapshot
from tests.support.simulated import snapshot_of, view_of

DRAWS = CONDITIONS["cost-draws"].example
ORDER = CONDITIONS["order-moves"].example


def explained(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    done = CliRunner().invoke(cli, ["check", "--explain-coalescing", "--format", "concise", str(path)])
    assert done.exit_code == 0, done.output
    return done.output


def hover_text(text: str) -> str:
    found = hover(snapshot_of(text), text.index("engine"))
    assert found is not None
    return found.text


def test_the_command_line_says_what_is_asked_at_each_window(tmp_path: Path) -> None:
    said = explained(tmp_path / "p.sq", PLAIN)
    assert "`engine`: coalesced: iterations are taken together while" in said
    assert "without preempting anybody" in said


@pytest.mark.parametrize("rule", ["cost-clock", "only", "claim", "register"])
def test_the_command_line_names_the_expression_and_its_place(rule: str, tmp_path: Path) -> None:
    text = CONDITIONS[rule].example
    said = explained(tmp_path / "p.sq", text)
    written = {"cost-clock": "now / ", "only": "serial < 1000", "claim": "tokens < 1000", "register": "set R"}[rule]
    line = text[: text.index(written)].count("\n") + 1
    column = text.index(written) - text.rfind("\n", 0, text.index(written))
    assert f"p.sq:{line}:{column})" in said
    assert f"needed: {CONDITIONS[rule].title}" in said


def test_programs_without_engines_and_ir_files(tmp_path: Path) -> None:
    queue = (
        "stage s : fifo;\nworkload { arrive poisson(1); }\nsession { run s (~exp(0.5)); end; }\nrun { horizon 9; }\n"
    )
    assert "no step engine" in explained(tmp_path / "q.sq", queue)
    (tmp_path / "e.sq").write_text(CONDITIONS["cost-clock"].example, encoding="utf-8")
    made = CliRunner().invoke(cli, ["ir", str(tmp_path / "e.sq")])
    said = explained(tmp_path / "e.json", made.stdout)
    assert "the cost reads `now`\n" in said


def test_the_hover_of_a_stage_tells_its_licence() -> None:
    assert "**Coalesced**" in hover_text(PLAIN)
    assert "the cost reads `now` (line 3)" in hover_text(CONDITIONS["cost-clock"].example)


def test_a_hint_stands_at_the_expression_that_forbids_it() -> None:
    snapshot = snapshot_of(CONDITIONS["cost-clock"].example)
    (hint,) = licence_hints(snapshot)
    assert snapshot.lines.line_column(hint.offset)[0] == 3
    assert hint.label == "one at a time: reads `now`"
    assert "depend on when it starts" in licence_explanation(hint.id)
    assert licence_explanation("stage:0") == ""
    assert licence_hints(snapshot_of(PLAIN)) == []
    assert licence_hints(snapshot_of("stage engine : step { cost now; budget")) == []


def test_the_setting_switches_both_hints_off() -> None:
    snapshot = snapshot_of(PLAIN)
    settings, _ = read_settings({"hints.coalescing": False})
    quiet = Snapshot(snapshot.uri, 1, snapshot.analysis, settings)
    assert licence_hints(Snapshot("file:///w/p.sq", 1, snapshot_of(DRAWS).analysis, settings)) == []
    labels = [hint.label for hint in run_hints(view_of(quiet), 0, len(PLAIN)) if hint.id == "stage:0"]
    assert len(labels) == 1 and "coalesced" not in labels[0]


def test_after_a_run_the_stage_tells_how_many_were_taken_at_once() -> None:
    labels = {hint.id: hint.label for hint in run_hints(view_of(snapshot_of(PLAIN)), 0, len(PLAIN))}
    assert "coalesced" in labels["stage:0"] and labels["stage:0"].rstrip().endswith("×")
    forbidden = snapshot_of(DRAWS)
    labels = {hint.id: hint.label for hint in run_hints(view_of(forbidden), 0, len(DRAWS))}
    assert "coalesced" not in labels["stage:0"]


def applied(text: str, at: str) -> tuple[Action, str]:
    snapshot = snapshot_of(text)
    offset = text.index(at)
    (action,) = licence_fixes(snapshot, offset, offset)
    for edit in sorted(action.edits, key=lambda edit: -edit.span.start):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return action, text


@pytest.mark.parametrize(
    ("draw", "mean"),
    [
        ("~exp(0.01)", "0.01"),
        ("~exp(0.01 + 0.02)", "(0.01 + 0.02)"),
        ("~uniform(0.01, 0.03)", "((0.01 + 0.03) / 2)"),
        ("~erlang(3, 0.02)", "0.02"),
    ],
)
def test_a_draw_can_be_replaced_by_its_mean(draw: str, mean: str) -> None:
    action, text = applied(DRAWS.replace("~exp(0.01)", draw), "~" + draw[1:])
    assert f"cost 0.01 + {mean};" in text
    assert "results change" in action.title and not action.preferred
    assert all(engine.licence.granted for engine in engine_licences(snapshot_of(text).analysis))


@pytest.mark.parametrize(("keys", "left"), [("kv_decode, serial", "serial"), ("serial, kv_decode", "serial")])
def test_a_key_that_is_the_same_for_everybody_can_go(keys: str, left: str) -> None:
    action, text = applied(
        ORDER.replace("kv_decode, serial", keys), "kv_decode, s" if keys[0] == "k" else "kv_decode);"
    )
    assert f"serve by ({left});" in text and action.preferred
    assert all(engine.licence.granted for engine in engine_licences(snapshot_of(text).analysis))


def test_no_fix_where_there_is_none() -> None:
    text = CONDITIONS["cost-clock"].example
    assert licence_fixes(snapshot_of(text), 0, len(text)) == []
