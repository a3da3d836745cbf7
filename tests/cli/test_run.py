"""`serq-lsp run`: reports, settings, errors, files, replications, interruption."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from tests.support.cases import CASES
from tests.support.command_line import Ended, call, spawn, start

QUEUE = """let lam = 0.5;
stage desk : fifo(1);
workload { arrive poisson(lam); init { set s = ~exp(1); } }
session { set t0 = now; run desk (s); observe response = now - t0; }
gauge busy_part = busy(desk);
run { horizon 300; warmup 20; seed 7; }
"""
ENDLESS = QUEUE.replace("horizon 300", "horizon 1e9")
TOP_LEVEL = "serq_version horizon end warmup seed events arrivals ended turns mean_live observes gauges stages pools"


@pytest.fixture
def queue(tmp_path: Path) -> str:
    path = tmp_path / "queue.sq"
    path.write_text(QUEUE, encoding="utf-8")
    return str(path)


def report(ended: Ended) -> dict[str, Any]:
    assert ended.code == 0, ended.err
    value: dict[str, Any] = json.loads(ended.out)
    return value


# --------------------------------------------------------------------------- one run


def test_text_report(capsys: pytest.CaptureFixture[str], queue: str) -> None:
    ended = call(capsys, "run", queue)
    lines = ended.out.splitlines()
    assert ended.code == 0
    assert lines[0].startswith("run: horizon 300 end 300 warmup 20 seed 7 events ")
    assert lines[1] == ""
    assert lines[2].split() == ["observe", "count", "mean", "95%", "CI", "cv2", "p99"]
    assert set(lines[3]) == {"-", " "}
    assert lines[4].startswith("response  ")
    assert any(line.startswith("gauge ") for line in lines)


def test_json_report_has_the_reference_fields_first(capsys: pytest.CaptureFixture[str], queue: str) -> None:
    ended = call(capsys, "run", queue, "--json")
    assert ended.out.endswith("}\n") and ended.out.count("\n") == 1
    value = report(ended)
    assert list(value)[:14] == TOP_LEVEL.split()
    assert list(value["observes"]["response"]) == ["count", "mean", "ci", "cv2", "p99"]
    assert value["steady"]["observes"]["response"]["verdict"] in ("steady", "few-samples", "warming")
    assert set(value["stamp"]) == {"version", "seed", "horizon", "warmup", "tick", "program"}
    assert call(capsys, "run", queue, "--format", "json").out == ended.out


def test_settings_replace_the_programs(capsys: pytest.CaptureFixture[str], queue: str) -> None:
    value = report(call(capsys, "run", queue, "--json", "--seed", "8", "--horizon", "90", "--warmup", "0"))
    assert (value["seed"], value["horizon"], value["warmup"]) == (8, 90, 0)
    finite = report(call(capsys, "run", queue, "--json", "--arrivals", "40"))
    assert finite["arrivals"] == finite["ended"] + 10 or finite["arrivals"] == 40
    assert finite["end"] < 300


def test_constants_are_replaced(capsys: pytest.CaptureFixture[str], queue: str) -> None:
    few = report(call(capsys, "run", queue, "--json", "--set", "lam=0.1"))
    many = report(call(capsys, "run", queue, "--json", "--set", "lam=0.1", "--set", "lam=0.4+0.4"))
    assert few["arrivals"] < 60 < many["arrivals"]


def test_large_seeds_are_taken(capsys: pytest.CaptureFixture[str], queue: str) -> None:
    assert report(call(capsys, "run", queue, "--json", "--seed", str(2**64 - 1)))["seed"] == 2**64 - 1


def test_text_from_standard_input() -> None:
    ended = spawn("run", "-", "--json", given=QUEUE)
    assert report(ended)["seed"] == 7


def test_the_same_bytes_from_two_processes(queue: str) -> None:
    first, second = (spawn("run", queue, "--json") for _ in range(2))
    assert first.code == 0 and first.out == second.out


@pytest.mark.parametrize("area", ["rng", "stats"])
def test_cases_give_the_recorded_report(capsys: pytest.CaptureFixture[str], area: str) -> None:
    checked = 0
    for path in sorted((CASES / area).glob("*.expect.json"))[:8]:
        expected = json.loads(path.read_text(encoding="utf-8"))
        program = path.with_name(path.name.replace(".expect.json", ".sq"))
        if program.exists():
            seed = str(expected["seed"])
            value = report(call(capsys, "run", str(program), "--json", "--clock", "f64", "--seed", seed))
            for key in ("events", "arrivals", "ended", "turns", "observes", "gauges"):
                assert value[key] == expected["report"][key], (path.name, key)
            checked += 1
    assert checked


# --------------------------------------------------------------------------- errors


def test_a_program_with_an_error_does_not_run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "bad.sq"
    path.write_text(QUEUE.replace("run desk", "run dusk"), encoding="utf-8")
    ended = call(capsys, "run", str(path))
    assert (ended.code, ended.out) == (1, "")
    assert "dusk" in ended.err and f"{path}:4:" in ended.err


def test_a_run_error_points_at_its_statement_and_the_partial_report_follows(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "negative.sq"
    path.write_text(QUEUE.replace("run desk (s)", "run desk (serial == 9 ? 0 - 1 : s)"), encoding="utf-8")
    ended = call(capsys, "run", str(path))
    assert ended.code == 1
    assert f"{path}:4:" in ended.err
    assert "partial: the run failed at t = " in ended.out


@pytest.mark.parametrize("case", ["trace_bad_number_in_new", "trace_empty_trace", "trace_missing_file"])
def test_trace_errors_name_the_file(capsys: pytest.CaptureFixture[str], case: str) -> None:
    ended = call(capsys, "run", str(CASES / "trace" / f"{case}.sq"))
    assert ended.code == 1
    assert f"{case}.csv" in ended.err
    assert ended.out == ""


def test_a_trace_from_outside_is_relative_to_the_current_directory(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(CASES / "trace")
    program = CASES / "trace" / "trace_missing_file.sq"
    assert call(capsys, "run", str(program), "--trace", "trace_ordered_no_header.csv").code == 0
    monkeypatch.chdir(CASES)
    assert call(capsys, "run", str(program), "--trace", "trace_ordered_no_header.csv").code == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["--horizon", "0"],
        ["--horizon", "inf"],
        ["--seed", "-1"],
        ["--set", "lam"],
        ["--replications", "0"],
        ["--until-ci", "lots"],
        ["--format", "xml"],
        ["--tick", "1ns", "--clock", "f64"],
        ["--dump", "d", "--replications", "2"],
        ["--events-of", "pool=kv"],
        ["--engine", "pyserq", "--dump", "d"],
        ["--unknown"],
    ],
)
def test_usage_errors(capsys: pytest.CaptureFixture[str], queue: str, arguments: list[str]) -> None:
    ended = call(capsys, "run", queue, *arguments)
    assert (ended.code, ended.out) == (2, "")


def test_a_missing_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    ended = call(capsys, "run", str(tmp_path / "nothing.sq"))
    assert ended.code == 2 and "nothing.sq" in ended.err


def test_an_unknown_constant(capsys: pytest.CaptureFixture[str], queue: str) -> None:
    ended = call(capsys, "run", queue, "--set", "mu=2")
    assert ended.code == 1 and "mu" in ended.err


def test_constants_of_an_ir_file_are_folded(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text("{}", encoding="utf-8")
    for command in (("run", str(path), "--def", "f=1"), ("sweep", str(path), "--set", "lam=1..2:2")):
        ended = call(capsys, *command)
        assert ended.code == 2 and "IR" in ended.err


# --------------------------------------------------------------------------- files


def test_dump(capsys: pytest.CaptureFixture[str], queue: str, tmp_path: Path) -> None:
    folder = tmp_path / "out" / "samples"
    value = report(call(capsys, "run", queue, "--json", "--dump", str(folder)))
    samples = (folder / "response.csv").read_text(encoding="utf-8").splitlines()
    assert samples[0] == "time,session,turn,value"
    assert len(samples) == value["observes"]["response"]["count"] + 1
    changes = (folder / "gauge" / "busy_part.csv").read_text(encoding="utf-8").splitlines()
    assert changes[:2] == ["time,value", "0,1"]


def test_a_dump_that_cannot_be_written(capsys: pytest.CaptureFixture[str], queue: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert call(capsys, "run", queue, "--dump", str(tmp_path / "file" / "d")).code == 2


# --------------------------------------------------------------------------- replications


def test_replications(capsys: pytest.CaptureFixture[str], queue: str) -> None:
    value = report(call(capsys, "run", queue, "--json", "--replications", "6", "--jobs", "1"))
    seeds = value["seeds"]
    assert value["replications"] == 6 and seeds[0] == 7 and len(set(seeds)) == 6
    means = [run["observes"]["response"]["mean"] for run in value["reports"]]
    metric = value["metrics"]["observes.response.mean"]
    assert metric["mean"] == pytest.approx(sum(means) / 6)
    assert 0 < metric["ci"] < metric["mean"]
    assert [run["seed"] for run in value["reports"]] == seeds


def test_replications_in_processes_are_the_same(queue: str) -> None:
    arguments = ("run", queue, "--json", "--replications", "5")
    assert spawn(*arguments, "--jobs", "2").out == spawn(*arguments, "--jobs", "1").out


def test_replications_as_text(capsys: pytest.CaptureFixture[str], queue: str) -> None:
    ended = call(capsys, "run", queue, "--replications", "3", "--jobs", "1", "--metric", "desk.utilization")
    assert ended.code == 0
    assert ended.out.startswith("replications: 3 seeds 7, ")
    assert "stages.desk.utilization" in ended.out and "response" not in ended.out.split("state:")[0]


def test_until_ci(capsys: pytest.CaptureFixture[str], queue: str) -> None:
    arguments = ("run", queue, "--jobs", "1", "--metric", "response.mean", "--until-ci")
    value = report(call(capsys, *arguments, "20%", "--json"))
    metric = value["metrics"]["observes.response.mean"]
    assert 5 <= value["replications"] < 200
    assert metric["ci"] / metric["mean"] <= 0.2
    ended = call(capsys, *arguments, "0.1%", "--replications", "6")
    assert "0.1% was not reached within 6 replications" in ended.out


def test_an_unknown_metric(capsys: pytest.CaptureFixture[str], queue: str) -> None:
    ended = call(capsys, "run", queue, "--replications", "2", "--jobs", "1", "--metric", "respons.mean")
    assert ended.code == 2 and "response.mean" in ended.err


# --------------------------------------------------------------------------- the reference as an engine


def test_reference_engine(capsys: pytest.CaptureFixture[str], queue: str) -> None:
    pytest.importorskip("pyserq")
    theirs = report(call(capsys, "run", queue, "--json", "--engine", "pyserq"))
    ours = report(call(capsys, "run", queue, "--json", "--clock", "f64"))
    assert theirs["notes"] == ["run by pyserq 0.1.3"]
    assert {key: theirs[key] for key in TOP_LEVEL.split()} == {key: ours[key] for key in TOP_LEVEL.split()}


def test_reference_engine_explains_a_refusal(capsys: pytest.CaptureFixture[str], queue: str) -> None:
    pytest.importorskip("pyserq")
    ended = call(capsys, "run", queue, "--engine", "pyserq", "--set", "mu=1")
    assert ended.code == 1 and "unknown `let` override `mu`" in ended.err


# --------------------------------------------------------------------------- interruption


@pytest.mark.skipif(os.name == "nt", reason="sends POSIX signals")
@pytest.mark.parametrize("form", ["json", "text"])
def test_interrupt_prints_what_was_measured(tmp_path: Path, form: str) -> None:
    path = tmp_path / "endless.sq"
    path.write_text(ENDLESS, encoding="utf-8")
    out = interrupted_output("run", str(path), "--format", form)
    if form == "json":
        value = json.loads(out)
        assert value["partial"].startswith("interrupted at t = ")
        assert 0 < value["end"] < 1e9
    else:
        assert "partial: interrupted at t = " in out


def interrupted_output(*arguments: str) -> str:
    """What an endless command printed when it was interrupted in the middle of its run.

    A signal that comes before the run has begun ends the command without a report; it is then tried again, later.
    """
    for seconds in (0.5, 2.0, 8.0, 30.0):
        process = start(*arguments)
        try:
            time.sleep(seconds)
            os.kill(process.pid, signal.SIGINT)
            out, _ = process.communicate(timeout=100)
        finally:
            process.kill()
        if out:
            assert process.returncode == 130
            return out
    raise AssertionError("no report in half a minute")


# --------------------------------------------------------------------------- the event log


def test_events(capsys: pytest.CaptureFixture[str], queue: str, tmp_path: Path) -> None:
    log = tmp_path / "events.jsonl"
    value = call(capsys, "run", queue, "--json", "--events", str(log))
    assert value.out == call(capsys, "run", queue, "--json").out
    records = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert [record["n"] for record in records] == list(range(len(records)))
    assert sum(record["kind"] == "arrive" for record in records) == json.loads(value.out)["arrivals"]
    call(capsys, "run", queue, "--events", str(log), "--events-of", "session=3", "--events-of", "session=4")
    sessions = {json.loads(line)["session"] for line in log.read_text(encoding="utf-8").splitlines()}
    assert sessions == {3, 4}


@pytest.mark.parametrize("selection", ["session", "colour=red", "pool="])
def test_a_selection_that_makes_no_sense(
    capsys: pytest.CaptureFixture[str], queue: str, tmp_path: Path, selection: str
) -> None:
    ended = call(capsys, "run", queue, "--events", str(tmp_path / "e.jsonl"), "--events-of", selection)
    assert ended.code == 2


def test_an_event_log_that_cannot_be_written(capsys: pytest.CaptureFixture[str], queue: str, tmp_path: Path) -> None:
    assert call(capsys, "run", queue, "--events", str(tmp_path / "no" / "e.jsonl")).code == 2
