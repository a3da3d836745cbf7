"""The edition v4b on the command line: settings, kernels, reports, samples, guarantees, trial runs."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.support.command_line import call
from tests.support.spawn_cases import FOLDER

PROGRAM = (FOLDER / "grandchildren.sq").read_text(encoding="utf-8")
BARE = PROGRAM.replace("// serq: edition v4b\n", "")
Capture = pytest.CaptureFixture[str]


def _file(folder: Path, text: str, name: str = "tree.sq") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_off_unless_asked_for(tmp_path: Path, capsys: Capture) -> None:
    done = call(capsys, "check", "--format", "concise", _file(tmp_path, BARE))
    assert done.code == 1
    assert done.out.count("SQ0001") == 1 and "error" in done.out


@pytest.mark.parametrize(
    ("name", "content"), [("serq.toml", 'edition = "v4b"\n'), ("pyproject.toml", '[tool.serq]\nedition = "v4b"\n')]
)
def test_settings_turn_it_on_for_every_command(name: str, content: str, tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    file = _file(tmp_path, BARE)
    assert call(capsys, "check", file).code == 0
    assert "trees: 1 arrived" in call(capsys, "run", file).out
    assert json.loads(call(capsys, "ir", "--format", "v4b", file).out)["spawning"]["groups"] == ["kids"]


def test_the_file_goes_before_the_settings(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "serq.toml").write_text('edition = "0.1.3"\n', encoding="utf-8")
    assert call(capsys, "check", _file(tmp_path, PROGRAM)).code == 0
    (tmp_path / "serq.toml").write_text('edition = "v4b"\n', encoding="utf-8")
    assert call(capsys, "check", _file(tmp_path, "// serq: edition 0.1.3\n" + BARE, "own.sq")).code == 1


def test_an_unknown_edition_in_the_settings_is_refused(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "serq.toml").write_text('edition = "v5"\n', encoding="utf-8")
    done = call(capsys, "check", _file(tmp_path, PROGRAM))
    assert done.code == 2 and "`edition` is 0.1.3 or v4b" in done.err


def test_the_fix_is_applied(tmp_path: Path, capsys: Capture) -> None:
    file = _file(tmp_path, BARE)
    assert call(capsys, "check", "--fix", file).code == 0
    assert Path(file).read_text(encoding="utf-8").startswith("// serq: edition v4b\n")


def test_ir_11_refuses_it_and_our_own_form_reads_back(tmp_path: Path, capsys: Capture) -> None:
    file = _file(tmp_path, PROGRAM)
    refused = call(capsys, "ir", file)
    assert refused.code == 1 and refused.out == "" and "IR 11 has no child sessions" in refused.err
    assert call(capsys, "ir", "--format", "ir11", file).err == refused.err
    written = call(capsys, "ir", "--format", "v4b", file).out
    assert json.loads(written)["version"] == "v4b"
    kernel = _file(tmp_path, written, "tree.json")
    assert call(capsys, "ir", "--format", "v4b", kernel).out == written
    assert call(capsys, "run", kernel).out == call(capsys, "run", file).out


def test_a_program_without_children_is_ir_11_in_both_forms(tmp_path: Path, capsys: Capture) -> None:
    plain = "stage svc : fifo;\nworkload { arrive batch(1); }\nsession { run svc (1); end; }\nrun { horizon 9; }\n"
    file = _file(tmp_path, "// serq: edition v4b\n" + plain)
    assert call(capsys, "ir", file).out == call(capsys, "ir", "--format", "v4b", file).out
    assert json.loads(call(capsys, "ir", file).out)["version"] == 11


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"group":0', '"group":7', "group 7 is out of range"),
        ('"version":"v4b"', '"version":11', "there is no `Spawn` here"),
        ('"spawning":', '"spawned":', "has no `spawning`"),
        ('"Set":[9,', '"Observe":[0,', "holds `Set` statements only"),
    ],
)
def test_damaged_kernels_are_refused(old: str, new: str, said: str, tmp_path: Path, capsys: Capture) -> None:
    written = call(capsys, "ir", "--format", "v4b", _file(tmp_path, PROGRAM)).out
    compact = json.dumps(json.loads(written), separators=(",", ":"))
    assert old in compact
    done = call(capsys, "check", _file(tmp_path, compact.replace(old, new, 1), "tree.json"))
    assert done.code == 1 and said in done.out


def test_the_automaton_has_its_states(tmp_path: Path, capsys: Capture) -> None:
    from serq_interpreter.machine.automaton_schema import AutomatonDocument

    file = _file(tmp_path, PROGRAM)
    text = call(capsys, "ir", "--format", "automaton", file).out
    AutomatonDocument.model_validate_json(text)
    kinds = [state["kind"] for state in json.loads(text)["states"]]
    assert kinds.count("spawn") == kinds.count("joingroup") == 1
    drawn = call(capsys, "draw", "--view", "automaton", "--format", "dot", file).out
    assert "spawn (2) into kids" in drawn and "join kids" in drawn


def test_the_report_and_the_samples_have_trees(tmp_path: Path, capsys: Capture) -> None:
    file = _file(tmp_path, PROGRAM)
    done = call(capsys, "run", "--dump", str(tmp_path / "out"), file)
    assert "\ntree " in done.out and "\nsessions " in done.out
    with (tmp_path / "out" / "tree" / "trees.csv").open(encoding="utf-8") as rows:
        (row,) = list(csv.DictReader(rows))
    assert row == {
        "root": "0",
        "sessions": "7",
        "depth": "2",
        "span": "2",
        "count levels": "7",
        "total levels": "10",
        "count done": "7",
        "total done": "10",
    }


def test_events_tell_of_children(tmp_path: Path, capsys: Capture) -> None:
    log = tmp_path / "events.jsonl"
    assert call(capsys, "run", "--events", str(log), _file(tmp_path, PROGRAM)).code == 0
    records = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    born = [(one["session"], one.get("cause")) for one in records if one["kind"] == "arrive"]
    assert born[:2] == [(0, None), (1, {"parent": 0, "depth": 1})]
    assert len(born) == 7


def test_guarantees_do_not_speak_of_children(tmp_path: Path, capsys: Capture) -> None:
    text = (
        (FOLDER / "inherit.sq").read_text(encoding="utf-8").replace("cap 100;", "cap 100; preempt lifo; reserve held;")
    )
    done = call(capsys, "check", "--guarantees", _file(tmp_path, text))
    assert "undecided" in done.out and "guaranteed:" not in done.out.replace("not guaranteed:", "")


def test_a_trial_run_fails_on_stuck_children(capsys: Capture) -> None:
    done = call(capsys, "check", "--run", "quick", "--format", "concise", str(FOLDER / "stuck-behind-an-idle-pool.sq"))
    assert done.code == 1 and "SQ12" in done.out


def test_a_kernel_is_asked_for_its_offspring_and_lineage(tmp_path: Path, capsys: Capture) -> None:
    written = json.loads(call(capsys, "ir", "--format", "v4b", _file(tmp_path, PROGRAM)).out)
    guard = written["blocks"][2][0]["Branch"]
    depth = written["spawning"]["depth"]
    guard[0] = {"Num": 1}
    done = call(capsys, "check", _file(tmp_path, json.dumps(written), "endless.json"))
    assert done.code == 1 and "SQ0011" in done.out
    written["blocks"][2].insert(0, {"Set": [depth, {"Num": 0}]})
    done = call(capsys, "check", _file(tmp_path, json.dumps(written), "written.json"))
    assert done.code == 1 and "SQ0006" in done.out


def test_a_sweep_can_look_at_trees(tmp_path: Path, capsys: Capture) -> None:
    text = PROGRAM.replace("stage think", "let most = 2;\nstage think").replace("depth < 2", "depth < most")
    file = _file(tmp_path, text)
    done = call(capsys, "sweep", "--metric", "trees.sessions.mean", "--set", "most=1,2,3", file)
    assert done.code == 0, done.err
    assert [row["trees.sessions.mean"] for row in csv.DictReader(done.out.splitlines())] == ["3", "7", "15"]
