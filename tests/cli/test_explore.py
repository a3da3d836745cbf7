"""`serq-lsp explore`: exit codes, text, JSON, files that can be run and walked again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.explore.instances import CROSSED
from tests.support.command_line import call


@pytest.fixture
def crossed(tmp_path: Path) -> str:
    path = tmp_path / "crossed.sq"
    path.write_text(CROSSED, encoding="utf-8")
    return str(path)


def test_a_deadlock_is_shown_with_the_way_there(capsys: pytest.CaptureFixture[str], crossed: str) -> None:
    ended = call(capsys, "explore", crossed)
    assert ended.code == 1
    assert "error[SQ1301] 2 sessions can come to wait for ever" in ended.out
    assert "the way there, 4 moves:" in ended.out
    assert "session 0 draws 0 from `~bernoulli(0.5)`" in ended.out
    assert f"session 0 waits: `a` has no room for 1 (1 of 1 taken)  ({crossed}:8:43)" in ended.out
    assert "stopped at the first finding" in ended.out


def test_nothing_found_in_a_whole_instance_is_0_and_in_a_part_2(
    capsys: pytest.CaptureFixture[str], crossed: str
) -> None:
    whole = call(capsys, "explore", crossed, "--sessions", "1")
    assert (whole.code, "nothing found; every state of the instance was seen" in whole.out) == (0, True)
    part = call(capsys, "explore", crossed, "--depth", "2")
    assert (part.code, "stopped after 2 moves deep: not every state was seen" in part.out) == (2, True)


def test_capacities_constants_and_kinds(capsys: pytest.CaptureFixture[str], crossed: str) -> None:
    assert call(capsys, "explore", crossed, "--cap", "a=2").code == 0
    assert call(capsys, "explore", crossed, "--find", "livelock").code == 0
    wrong = call(capsys, "explore", crossed, "--cap", "c=2")
    assert wrong.code == 2
    assert "the program has no pool `c` (its pools: `a`, `b`)" in wrong.err
    assert call(capsys, "explore", crossed, "--cap", "a").code == 2
    assert call(capsys, "explore", crossed, "--replace", "--arrive", "law").code == 2


def test_the_json_can_be_walked_again(capsys: pytest.CaptureFixture[str], crossed: str, tmp_path: Path) -> None:
    shown = call(capsys, "explore", crossed, "--sessions", "3", "--format", "json")
    value = json.loads(shown.out)
    assert (shown.code, value["version"], value["sessions"], value["complete"]) == (1, 1, 3, False)
    finding = value["findings"][0]
    assert (finding["code"], finding["kind"], len(finding["path"])) == ("SQ1301", "deadlock", 5)
    assert finding["trace"][0]["place"]["line"] == 5
    way = tmp_path / "way.json"
    way.write_text(shown.out, encoding="utf-8")
    again = call(capsys, "explore", crossed, "--sessions", "3", "--replay", str(way))
    assert (again.code, "the way ends in the same state" in again.out) == (1, True)
    other = call(capsys, "explore", crossed, "--sessions", "3", "--cap", "a=2", "--replay", str(way))
    assert (other.code, "ends in another state" in other.err) == (2, True)


@pytest.mark.parametrize("content", ["", "{}", '{"findings": [{"kind": "no"}]}', "[1]"])
def test_what_is_no_way_is_refused(
    capsys: pytest.CaptureFixture[str], crossed: str, tmp_path: Path, content: str
) -> None:
    way = tmp_path / "way.json"
    way.write_text(content, encoding="utf-8")
    ended = call(capsys, "explore", crossed, "--replay", str(way))
    assert ended.code == 2
    assert "not a way that" in ended.err


def test_the_output_is_a_program_that_runs_into_it(
    capsys: pytest.CaptureFixture[str], crossed: str, tmp_path: Path
) -> None:
    script = tmp_path / "script.json"
    shown = call(capsys, "explore", crossed, "--output", str(script))
    assert f"written to {script}" in shown.out
    run = call(capsys, "run", str(script), "--json")
    report = json.loads(run.out)
    assert (run.code, report["arrivals"], report["ended"]) == (0, 2, 0)
    assert call(capsys, "check", "--run", "full", str(script)).code == 0


def test_what_cannot_be_scripted_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    program = tmp_path / "closed.sq"
    program.write_text(CROSSED.replace("poisson(1)", "closed(2)"), encoding="utf-8")
    ended = call(capsys, "explore", str(program), "--output", str(tmp_path / "x.json"))
    assert ended.code == 1
    assert "not written: the members of a closed population differ" in ended.err
    assert not (tmp_path / "x.json").exists()


def test_shrinking_finds_the_fewest_sessions_and_the_least_constants(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    program = tmp_path / "sized.sq"
    sized = CROSSED.replace("cap 1", "cap room").replace("(1) {", "(room) {")
    program.write_text(f"let room = 12;\nlet unused = 7;\n{sized}", encoding="utf-8")
    ended = call(capsys, "explore", str(program), "--sessions", "4", "--shrink", "--format", "json")
    value = json.loads(ended.out)
    assert ended.code == 1
    assert value["shrunk"]["sessions"] == 2
    assert value["shrunk"]["constants"] == {"room": 1, "unused": 1}
    assert value["sessions"] == 2


def test_a_program_with_errors_is_not_searched(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    program = tmp_path / "wrong.sq"
    program.write_text("session { run nowhere (1); }", encoding="utf-8")
    ended = call(capsys, "explore", str(program))
    assert (ended.code, ended.out) == (2, "")
    assert "SQ0" in ended.err
    assert call(capsys, "explore", str(tmp_path / "missing.sq")).code == 2
    library = tmp_path / "library.sq"
    library.write_text("def twice(x) = 2 * x;", encoding="utf-8")
    refused = call(capsys, "explore", str(library))
    assert (refused.code, "this is a library" in refused.err) == (2, True)


def test_ir_is_searched_without_places(capsys: pytest.CaptureFixture[str], crossed: str, tmp_path: Path) -> None:
    program = tmp_path / "crossed.json"
    program.write_text(call(capsys, "ir", crossed).out, encoding="utf-8")
    ended = call(capsys, "explore", str(program), "--shrink", "--sessions", "3")
    assert ended.code == 1
    assert "2 sessions can come to wait for ever" in ended.out
    assert "shrunk in" in ended.out
