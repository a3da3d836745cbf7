"""Bad input on the command line: the code, the place, the session, exit code 1 and how far the run came."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from serq_interpreter.ir import program as ir
from serq_interpreter.machine import engine
from serq_interpreter.machine.generated import event_source
from serq_interpreter.machine.run import run_program
from tests.support.command_line import Ended, call
from tests.support.compiling import program_from

DELAY = "stage d : delay;\nworkload { arrive batch(3); }\nsession { run d (1); «STATEMENT» }\nrun { horizon 9; }\n"
POOL = "pool m { cap 9; } " + DELAY
FAMILY = "pool m[2] { cap 9; } " + DELAY
ENGINE = (
    "stage e : step { «OPTIONS» }\nworkload { arrive batch(1); }\nsession { run e decode (3); }\nrun { horizon 9; }\n"
)


def statement(text: str, frame: str = DELAY) -> str:
    return frame.replace("«STATEMENT»", text)


# Code, what is marked (between « and »), the session at fault, and the time of the error.
BAD = {
    "negative work": ("SQ0902", statement("run d («1 - serial»);"), 2, 1),
    "work that is no number": ("SQ0902", statement("run d («serial / serial»);"), 0, 1),
    "a draw with a negative mean": ("SQ0902", statement("run d («~exp(0 - serial)»);"), 1, 1),
    "negative units": ("SQ0902", statement("hold m («0 - serial») { run d (1); }", POOL), 1, 1),
    "units that are no number": ("SQ0902", statement("hold m («serial / serial») { run d (1); }", POOL), 0, 1),
    "a negative growth": ("SQ0902", statement("hold m (1) { grow m («0 - serial»); }", POOL), 1, 1),
    "a pool that is not there": ("SQ0903", statement("hold m[«serial»] (1) { run d (1); }", FAMILY), 2, 1),
    "a stage that is not there": (
        "SQ0903",
        "stage d[2] : delay;\nworkload { arrive batch(1); }\nsession { run d[«serial - 1»] (1); }\nrun { horizon 9; }\n",
        0,
        0,
    ),
    "a guard of 2": ("SQ0901", statement("branch («serial + 2») { run d (1); }"), 0, 1),
    "a guard that is no number": ("SQ0901", statement("branch («serial / serial») { run d (1); }"), 0, 1),
    "an iteration that costs nothing": ("SQ0911", ENGINE.replace("«OPTIONS»", "cost «0 * tokens»;"), None, 0),
    "a cost that is no number": ("SQ0911", ENGINE.replace("«OPTIONS»", "cost «0 / (tokens - 1)»;"), None, 0),
    "a negative cost": ("SQ0911", ENGINE.replace("«OPTIONS»", "cost «tokens - 3»;"), None, 0),
    "a gap before the last arrival": (
        "SQ0912",
        "stage d : delay;\nworkload { arrive renewal(«0 - 1 + 0 * ~exp(1)»); }\nsession { run d (1); }\nrun { horizon 9; }\n",
        None,
        0,
    ),
    "an instant that does not settle": ("SQ0910", statement("«loop { run d (serial); }»"), 0, 1),
    "sessions replaced at once": (
        "SQ0910",
        "stage d : delay;\nworkload { «arrive closed(1)»; }\n"
        "session { branch (serial > 5) { end; } run d (1); }\nrun { horizon 99; }\n",
        None,
        6,
    ),
    "a horizon before the last session ends": (
        "SQ0916",
        "stage d : delay;\nworkload { arrive renewal(1); }\nsession { run d (100); }\n"
        "run { horizon «10»; arrivals 2; }\n",
        None,
        10,
    ),
}


def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str) -> tuple[str, Ended]:
    """The place that is marked in the text, and how its run ended."""
    path = tmp_path / "bad.sq"
    before = text.split("«")[0]
    path.write_text(text.replace("«", "").replace("»", ""), encoding="utf-8")
    line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
    return f"{path}:{line}:{column}\n", call(capsys, "run", str(path))


@pytest.mark.parametrize("name", BAD)
def test_bad_input(capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str) -> None:
    code, text, session, time = BAD[name]
    place, ended = run(capsys, tmp_path, text)
    assert ended.code == 1
    assert f"error[{code}]" in ended.err and place in ended.err, ended.err
    if session is not None:
        assert re.search(rf"\bsession {session}\b", ended.err), ended.err
    assert f"partial: the run failed at t = {time} of " in ended.out
    assert "Traceback" not in ended.err


@pytest.mark.parametrize(
    ("horizon", "code"), [("0", "SQ0812"), ("0 - 1", "SQ0812"), ("inf", "SQ0813"), ("0 / 0", "SQ0805")]
)
def test_horizons_that_make_no_run(capsys: pytest.CaptureFixture[str], tmp_path: Path, horizon: str, code: str) -> None:
    place, ended = run(capsys, tmp_path, statement("").replace("horizon 9", f"horizon «{horizon}»"))
    assert (ended.code, ended.out) == (1, "")
    assert f"error[{code}]" in ended.err and place in ended.err, ended.err


@pytest.mark.parametrize(
    ("row", "column"), [("1,1,10,x,30", 8), ("1,1,10", 1), ("1,1,1,1,1,1,1", 1)], ids=["word", "few", "many"]
)
def test_wrong_rows_of_a_trace(capsys: pytest.CaptureFixture[str], tmp_path: Path, row: str, column: int) -> None:
    (tmp_path / "rows.csv").write_text(f"session,turn,new,out,think\n{row}\n", encoding="utf-8")
    text = (
        'stage d : delay;\nworkload { arrive poisson(1); trace "rows.csv"; turn { } }\n'
        "session { loop { turn; run d (out); branch (more == 0) { end; } } }\nrun { horizon 9; }\n"
    )
    _, ended = run(capsys, tmp_path, text)
    assert ended.code == 1 and "error[SQ0919]" in ended.err
    assert f"rows.csv:2:{column}" in ended.err, ended.err


CROWDS = {
    "a burst": "stage d : delay;\nworkload { «arrive batch(2000)»; }\nsession { run d (1); }\nrun { horizon 9; }\n",
    "an overloaded queue": (
        "stage d : fifo;\nworkload { «arrive poisson(100)»; }\nsession { run d (1); }\nrun { horizon 99; }\n"
    ),
    "legs for ever": (
        "stage d : delay;\nworkload { arrive batch(1); init { set n = 0; } }\n"
        "session { loop { run d (0.1); «fork { run d (1e9); }» set n = n + 1; branch (n == 0) { join; } } }\n"
        "run { horizon 999; }\n"
    ),
}


@pytest.mark.parametrize("name", CROWDS)
def test_an_exploding_workload_stops_at_a_limit(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    # The limit of a million is lowered: what happens at it is what is tested.
    monkeypatch.setattr(engine, "MOST_LIVE", 1000)
    monkeypatch.setattr(event_source, "MOST_LIVE", 1000)
    place, ended = run(capsys, tmp_path, CROWDS[name])
    assert ended.code == 1
    assert "error[SQ0990] more than 1,000 sessions and legs are live" in ended.err and place in ended.err, ended.err
    assert "partial: the run failed at t = " in ended.out


def test_a_million_statements_without_blocking() -> None:
    # Such a loop is refused in a text and in an intermediate representation; a program built by hand may have it.
    program = program_from(statement(""))
    count = ir.Set(ir.SLOT_TURN, ir.Binary("Add", ir.Attr(ir.SLOT_TURN), ir.Num(1.0)))
    spinning = replace(program, session=ir.Block((*program.session.statements, ir.Loop(ir.Block((count,))))))
    result = run_program(spinning)
    assert result.error is not None and result.status == "failed"
    assert (result.error.code, result.error.session, result.error.time) == ("SQ0910", 0, 1.0)
    assert result.error.message.startswith("session 0 has executed 1000000 statements at t = 1")
    assert isinstance(result.error.node, ir.Set | ir.Loop)
    assert (result.report["end"], result.report["events"]) == (1.0, 1)
