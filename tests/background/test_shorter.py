"""Shorter runs before a long one: which are made, what they are, and that the long one is the same with and without."""

from __future__ import annotations

from typing import Any

import pytest

from serq_interpreter.frontend.analysis import analyse
from serq_interpreter.ir import program as ir
from serq_interpreter.ir.json import write_program
from serq_interpreter.machine.run import run_program
from serq_lsp.background.running import Order, OutOfMemory, Running
from serq_lsp.background.shorter import AT_ONCE, GAIN, SOON, shares

PROGRAM = """pool kv { cap 64; }
stage svc : fifo;
workload { arrive poisson(0.5); }
session { set t = now; hold kv (2) { run svc (~exp(1)); } observe response = now - t; end; }
run { horizon 8000; warmup 4000; seed 5; }
"""
FAILS_LATE = PROGRAM.replace("run svc (~exp(1))", "run svc (0.5 - floor(serial / 3000))")


def kernel(text: str) -> ir.Program:
    lowered = analyse(text, "program.sq").lowered
    assert lowered is not None
    return lowered.program


def test_what_is_over_soon_has_no_shorter_runs() -> None:
    assert shares(0.5, SOON) == []
    assert shares(0.5, 100.0 * SOON, reached=0.01) == [], "its budget of events ends it soon"
    assert shares(0.0, 1000.0) == [], "without a warm-up the beginning of the run is the shorter run"
    assert shares(AT_ONCE / 10.0, 10.0) == [], "its warm-up is over before a shorter run could be"


@pytest.mark.parametrize(
    ("warm", "seconds", "expected"),
    [
        (0.5, 0.5, [1 / 16, 1 / 4]),
        (0.5, 1.5, [1 / 16, 1 / 4]),
        (0.5, 5.0, [1 / 64, 1 / 16, 1 / 4]),
        (0.1, 1.5, [1 / 16]),
        (0.1, 6.0, [1 / 64, 1 / 16]),
        (0.5, 100.0, [1 / 1024, 1 / 256, 1 / 64, 1 / 16, 1 / 4]),
    ],
)
def test_horizons_grow_from_what_takes_a_moment(warm: float, seconds: float, expected: list[float]) -> None:
    assert shares(warm, seconds) == expected


@pytest.mark.parametrize("warm", [0.02, 0.05, 0.1, 0.3, 0.5, 0.9])
@pytest.mark.parametrize("seconds", [0.4, 2.0, 9.0, 70.0, 1e6])
def test_each_is_worth_its_time(warm: float, seconds: float) -> None:
    """The long run would measure as long only so much later; all of them together take a third of that at most."""
    found = shares(warm, seconds)
    assert found == sorted(found)
    for share in found:
        assert warm + share * (1.0 - warm) >= GAIN * share
    assert all(share * seconds > AT_ONCE for share in found[1:])
    assert sum(found) <= 4.0 / 3.0 * (found[-1] if found else 0.0)


def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at the clock often, so that small runs have many slices."""
    monkeypatch.setattr("serq_interpreter.machine.generated.events._CHUNK", 20)
    monkeypatch.setattr("serq_lsp.background.running.PROBE", 0.0)


def told(monkeypatch: pytest.MonkeyPatch, text: str, wanted: list[float], **order: Any) -> list[dict[str, Any]]:
    """All answers of a run that is advanced in small slices, with these shorter runs."""
    monkeypatch.setattr("serq_lsp.background.running.shares", lambda *_: list(wanted))
    often(monkeypatch)
    running = Running(Order(write_program(kernel(text)), shorter=True, **order))
    found = [running.advance(0.0, lambda: False)]
    while not found[-1]["final"]:
        found.append(running.advance(0.02, lambda: False))
    return found


def test_a_shorter_run_is_the_program_with_a_shorter_horizon_and_warm_up(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = told(monkeypatch, PROGRAM, [1 / 16, 1 / 4])
    shorter = [data for data in answers if "instead_of" in data]
    assert all(data["instead_of"] == {"horizon": 8000.0, "warmup": 4000.0} for data in shorter)
    assert {data["settings"]["horizon"] for data in shorter} == {500.0, 2000.0}
    assert not any(data["final"] for data in shorter)
    assert all(data["report"]["end"] > data["report"]["warmup"] for data in shorter), "numbers, from the first on"
    for horizon in (500.0, 2000.0):
        last = [data for data in shorter if data["settings"]["horizon"] == horizon][-1]
        alone = run_program(kernel(PROGRAM), horizon=horizon, warmup=horizon / 2.0)
        assert last["report"] == alone.report


def test_what_is_shown_measures_ever_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = told(monkeypatch, PROGRAM, [1 / 16, 1 / 4])
    spans = [data["report"]["end"] - data["report"]["warmup"] for data in answers]
    assert spans == sorted(spans) and spans[-1] == 4000.0


def test_the_whole_run_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    last = told(monkeypatch, PROGRAM, [1 / 64, 1 / 16, 1 / 4])[-1]
    whole = Running(Order(write_program(kernel(PROGRAM)))).advance(60.0, lambda: False)
    for key in ("status", "report", "observations", "windows", "settings", "backlog"):
        assert last[key] == whole[key]
    assert "instead_of" not in last


def test_replications_follow_the_whole_run(monkeypatch: pytest.MonkeyPatch) -> None:
    last = told(monkeypatch, PROGRAM, [1 / 16], replications=3)[-1]
    assert len(last["replicas"]) == 3 and "instead_of" not in last


@pytest.mark.parametrize(
    "text",
    [
        PROGRAM.replace("seed 5;", "seed 5; arrivals 2000;"),
        PROGRAM.replace("poisson(0.5)", "batch(2000)"),
        PROGRAM + "claim few : at end (count(response) < 1e9);\n",
    ],
)
def test_a_run_that_speaks_of_its_end_is_not_cut(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    assert analyse(text, "program.sq").lowered is not None
    assert not any("instead_of" in data for data in told(monkeypatch, text, [1 / 4]))


def test_an_error_is_told_by_the_whole_run(monkeypatch: pytest.MonkeyPatch) -> None:
    last = told(monkeypatch, FAILS_LATE, [1 / 16, 1 / 4, 1 / 2])[-1]
    assert (last["status"], "instead_of" in last) == ("failed", False)
    assert last["settings"]["horizon"] == 8000.0


def test_where_there_is_no_room_for_them_the_whole_run_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("serq_lsp.background.running.shares", lambda *_: [1 / 4])
    often(monkeypatch)
    running = Running(Order(write_program(kernel(PROGRAM)), shorter=True))
    looks = 0

    def look() -> bool:
        nonlocal looks
        looks += 1
        if running.shorter is not None and running.shorter.left:
            raise OutOfMemory
        return False

    data = running.advance(60.0, look)
    assert (data["status"], data["final"]) == ("complete", True) and looks > 0
    assert "instead_of" not in data


class Left(BaseException):
    """As a worker leaves its work."""


def test_a_shorter_run_that_was_left_is_gone_on_with(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("serq_lsp.background.running.shares", lambda *_: [1 / 4])
    often(monkeypatch)
    running = Running(Order(write_program(kernel(PROGRAM)), shorter=True))

    def leave() -> bool:
        if running.shorter is not None:
            raise Left
        return False

    with pytest.raises(Left):
        running.advance(60.0, leave)
    data = running.advance(60.0, lambda: False)
    assert data["report"] == run_program(kernel(PROGRAM), horizon=2000.0, warmup=1000.0).report
