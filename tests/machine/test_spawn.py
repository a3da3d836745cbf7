"""Spawn and join of the edition v4b: every case of `tests/corpus/spawn`, the trees' sums, the streams, the other forms."""

from __future__ import annotations

from typing import Any

import pytest

import serq_interpreter
from serq_interpreter.catalog import Severity
from serq_interpreter.frontend.analysis import Analysis, analyse
from serq_interpreter.ir.json import read_program, write_program
from serq_interpreter.ir.program import Program
from serq_interpreter.machine.run import Budget, Run, RunResult, run_program
from tests.machine.forms import CLOCKS
from tests.support.spawn_cases import SpawnCase, number_at, spawn_cases

CASES = list(spawn_cases())
ACCEPTED = [case for case in CASES if case.expected.code is None]
REFUSED = [case for case in CASES if case.expected.code is not None]


def _analysed(text: str) -> Analysis:
    return analyse(text, "case.sq")


def _program(text: str) -> Program:
    analysis = _analysed(text)
    assert analysis.lowered is not None, [item.message for item in analysis.diagnostics]
    return analysis.lowered.program


def _run(program: Program, **settings: Any) -> RunResult:
    return run_program(program, check_invariants=True, record=True, **settings)


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.name)
def test_refused(case: SpawnCase) -> None:
    errors = [item for item in _analysed(case.text).diagnostics if item.severity is Severity.ERROR]
    assert [item.code for item in errors] == [case.expected.code]
    start = errors[0].location.start
    assert (start.line, start.column) == (case.expected.line, case.expected.column)


@pytest.mark.parametrize("case", ACCEPTED, ids=lambda case: case.name)
@pytest.mark.parametrize("clock", CLOCKS)
def test_runs_as_expected(case: SpawnCase, clock: Any) -> None:
    result = _run(_program(case.text), clock=clock)
    assert (result.error.code if result.error else None) == case.expected.run_code
    assert {name: list(result.series[name].values) for name in case.samples} == case.samples
    assert {path: number_at(result.report, path) for path in case.report} == case.report


@pytest.mark.parametrize("case", ACCEPTED, ids=lambda case: case.name)
def test_runs_the_same_again_and_from_its_ir(case: SpawnCase) -> None:
    program = _program(case.text)
    first = _run(program)
    again = _run(read_program(write_program(program)))
    assert repr(first.report) == repr(again.report)
    assert first.notes == again.notes


# --------------------------------------------------------------------------- trees

FOREST = """// serq: edition v4b
pool slots { cap 6; }
stage think : delay;
workload { arrive poisson(0.8); init { set work = 1; } }
session {
  set began = now;
  branch (depth < 3) {
    branch with (0.6) { spawn (floor(~uniform(0, 4))) into kids { set work = ~exp(1); } }
  }
  hold slots (1) { run think (work); }
  join kids;
  observe took = now - began;
  observe level = depth;
  end;
}
run { horizon 150; warmup 20; }
"""


def test_sums_over_the_trees_are_the_totals() -> None:
    machine = Run(_program(FOREST), check_invariants=True, record=True)
    result = machine.go()
    trees = result.trees
    assert trees is not None
    assert result.status == "complete" and len(trees.roots) > 50 and len(trees.live) > 0
    report = result.report
    rows = list(trees.rows())
    of_live = [(tree.sessions, tree.ended, tree.counts, tree.totals) for tree in trees.live]
    assert sum(row[1] for row in rows) + trees.n_before + sum(one[0] for one in of_live) == report["arrivals"]
    assert trees.n_measured + sum(one[1] for one in of_live) == report["ended"]
    for number, name in enumerate(("took", "level")):
        values = result.series[name].values
        counted = sum(row[4 + 2 * number] for row in rows) + sum(one[2][number] for one in of_live)
        added = sum(row[5 + 2 * number] for row in rows) + sum(one[3][number] for one in of_live)
        assert counted == len(values) == report["observes"][name]["count"]
        assert added == pytest.approx(sum(values), rel=1e-12)
    assert report["trees"]["arrivals"] == trees.n_planted == len(rows) + _trees_before(trees) + len(trees.live)


def _trees_before(trees: Any) -> int:
    return int(trees.n_planted - len(trees.roots) - len(trees.live))


def test_a_run_in_pieces_is_the_run() -> None:
    whole = _run(_program(FOREST))
    pieces = Run(_program(FOREST), check_invariants=True, record=True)
    result = pieces.go(Budget(events=50))
    while result.status == "partial":
        result = pieces.go(Budget(events=50))
    assert repr(result.report) == repr(whole.report)


def test_the_library_takes_an_edition_and_shows_trees() -> None:
    text = FOREST.removeprefix("// serq: edition v4b\n")
    assert any(item.code == "SQ0001" for item in serq_interpreter.check(text))
    report = serq_interpreter.compile(text, edition="v4b").run(horizon=60)
    assert report.trees["arrivals"] > 10
    assert "\ntree " in report.text() and '"trees":{' in report.json()


# --------------------------------------------------------------------------- randomness, traces, forms


def test_a_child_has_the_streams_of_its_serial() -> None:
    children = """// serq: edition v4b
stage think : delay;
workload { arrive batch(1); turn { set w = ~exp(1); } }
session {
  branch (depth == 0) { spawn (3) into kids { } join kids; observe own = ~uniform(0, 1); end; }
  turn;
  observe drawn = w;
  observe own = ~uniform(0, 1);
  end;
}
run { horizon 10; }
"""
    alone = """stage think : delay;
workload { arrive batch(4); turn { set w = ~exp(1); } }
session { turn; observe drawn = w; observe own = ~uniform(0, 1); end; }
run { horizon 10; }
"""
    one, other = _run(_program(children)), run_program(_program(alone), record=True)
    assert one.series["drawn"].values == other.series["drawn"].values[1:]
    assert one.series["own"].values[:3] == other.series["own"].values[1:]
    assert one.series["own"].values[3] == other.series["own"].values[0]


def test_the_block_draws_from_the_parent_anew_for_each_child() -> None:
    text = """// serq: edition v4b
stage think : delay;
workload { arrive batch(1); }
session {
  branch (depth == 0) { spawn (3) into kids { set x = ~uniform(0, 1); } join kids; set x = ~uniform(0, 1); }
  observe x = x;
  end;
}
run { horizon 10; }
"""
    alone = """stage think : delay;
workload { arrive batch(1); }
session { observe x = ~uniform(0, 1); observe x = ~uniform(0, 1); observe x = ~uniform(0, 1); observe x = ~uniform(0, 1); }
run { horizon 10; }
"""
    assert _run(_program(text)).series["x"].values == run_program(_program(alone)).series["x"].values


def test_children_have_no_rows_and_take_none(tmp_path: Any) -> None:
    (tmp_path / "rows.csv").write_text(
        "session,turn,new,out,think\n0,1,10,1,0\n0,2,11,1,0\n1,1,20,2,0\n", encoding="utf-8"
    )
    text = """// serq: edition v4b
stage think : delay;
workload { arrive batch(2); trace "rows.csv" ordered; }
session {
  branch (depth == 0) { spawn (1) into kids { set new = 99; } join kids; }
  turn;
  observe read = new;
  observe more = more;
  end;
}
run { horizon 10; }
"""
    result = _run(_program(text), directory=tmp_path)
    assert list(result.series["read"].values) == [99, 99, 10, 20]
    assert list(result.series["more"].values) == [0, 0, 1, 0]


def test_only_the_reference_form_runs_a_program_that_spawns() -> None:
    engine = """// serq: edition v4b
stage gpu : step { cost 0.01 + 0.0001 * tokens; budget 64; }
workload { arrive poisson(1); }
session {
  branch (depth == 0) { spawn (2) into kids { } join kids; }
  run gpu prefill (30);
  run gpu decode (20);
  observe done = now;
  end;
}
run { horizon 50; }
"""
    program = _program(engine)
    assert run_program(program).form == "reference"
    assert repr(run_program(program).report) == repr(run_program(program, reference=True).report)


def test_too_many_children_stop_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("serq_interpreter.machine.engine.MOST_LIVE", 1000)
    text = """// serq: edition v4b
stage think : delay;
workload { arrive batch(1); }
session { branch (depth == 0) { spawn (5000) into kids { } join kids; } run think (1); end; }
run { horizon 10; }
"""
    error = run_program(_program(text)).error
    assert error is not None and error.code == "SQ0990"
    assert type(error.node).__name__ == "Spawn"
