"""The interpreter as a library."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import serq_interpreter
from serq_interpreter.machine.run import Budget
from tests.support.command_line import ROOT

QUEUE = """let lam = 0.5;
stage desk : fifo(1);
workload { arrive poisson(lam); }
session { set t0 = now; run desk (~exp(1)); observe response = now - t0; }
gauge n = busy(desk);
run { horizon 100; seed 7; }
"""


def test_text_to_report() -> None:
    report = serq_interpreter.compile(QUEUE).run()
    response = report.observe("response")
    assert response is not None and report.seed == 7
    assert response.count == len(response.samples) == len(response.times) == len(response.sessions)
    assert response.mean == pytest.approx(sum(response.samples) / response.count)
    assert report.stage("desk") is report.stages_named("desk")[0]
    assert report.pool("none") is None and report.gauge("n") is report.gauges["n"]
    assert json.loads(report.json())["ended"] == report["ended"] == report.ended
    assert str(report).startswith("run: horizon 100 ")
    assert report.partial is None
    with pytest.raises(AttributeError, match="nothing"):
        report.nothing  # noqa: B018 - the access is the test


def test_overrides() -> None:
    few = serq_interpreter.compile(QUEUE, sets={"lam": 0.05}).run(seed=3, horizon=50)
    many = serq_interpreter.compile(QUEUE, sets={"lam": "1 + 1"}, horizon=50, seed=3).run()
    assert few.arrivals < many.arrivals and few.horizon == many.horizon == 50


def test_path_and_diagnostics(tmp_path: Path) -> None:
    path = tmp_path / "q.sq"
    path.write_text(QUEUE.replace("busy(desk)", "busy(dusk)"), encoding="utf-8")
    for given in (path, str(path)):
        program = serq_interpreter.compile(given)
        assert program.program is None
        assert [item.location.start.line for item in program.diagnostics if item.severity == "error"] == [5]
        with pytest.raises(serq_interpreter.ProgramError, match=r"q\.sq:5:"):
            program.run()
    assert [item.code for item in serq_interpreter.check(path)] == [item.code for item in program.diagnostics]
    with pytest.raises(serq_interpreter.FileError):
        serq_interpreter.compile(tmp_path / "none.sq")


def test_a_failed_run_keeps_what_it_measured() -> None:
    with pytest.raises(serq_interpreter.RunFailed) as caught:
        serq_interpreter.compile(QUEUE.replace("~exp(1)", "serial < 5 ? 1 : 0 - 1")).run()
    assert caught.value.diagnostics[0].location.start.line == 4
    assert caught.value.report is not None and caught.value.report.arrivals >= 5


def test_a_budget_gives_a_partial_report() -> None:
    report = serq_interpreter.compile(QUEUE).run(budget=Budget(events=10))
    assert report.partial and report.events == 10


def test_a_stamp_repeats_the_run() -> None:
    program = serq_interpreter.compile(QUEUE)
    stamp = program.run().stamp
    assert stamp["seed"] == 7 and stamp["program"] == program.hash
    assert serq_interpreter.compile(QUEUE + "\n// a comment\n").hash == program.hash
    assert serq_interpreter.compile(QUEUE, sets={"lam": 0.6}).hash != program.hash


def test_importing_the_package_imports_nothing_else() -> None:
    code = (
        "import sys, serq_interpreter; "
        "print([m for m in sys.modules if m.startswith(('serq_interpreter.', 'pydantic', 'numpy', 'lark'))])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT / "interpreter")},
    )
    assert done.stdout.strip() == "['serq_interpreter.version']"


def test_the_package_lists_what_it_offers() -> None:
    assert {name for name in dir(serq_interpreter) if not name.startswith("_")} <= set(serq_interpreter.__all__)
    for name in serq_interpreter.__all__:
        assert getattr(serq_interpreter, name) is not None
    with pytest.raises(AttributeError):
        serq_interpreter.nothing  # noqa: B018 - the access is the test
