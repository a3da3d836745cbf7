"""The loops that may be compiled, interpreted: they come to the same bits as what serves without them."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from math import nan
from pathlib import Path
from random import Random

import pytest

from serq_interpreter.machine import chacha, draws, statistics, substreams
from serq_interpreter.machine.generated import event_stages
from serq_interpreter.machine.native import loader
from serq_interpreter.machine.native.loops import blocks, kernel, opcodes, sums, words
from serq_interpreter.machine.native.tables import Tables
from serq_interpreter.machine.run import Budget, Run, run_program
from serq_interpreter.machine.stages import decode_steps
from tests.machine.event_programs import event_text
from tests.machine.forms import CLOCKS, difference, everything
from tests.support.compiling import program_from

LOOPS = Path(loader.__file__).with_name("loops")

MM1 = """
stage svc : fifo(1);
workload { arrive poisson(0.8); init { set s = ~exp(1); } session { request; end; } }
server { set t0 = now; run svc (s); observe response = now - t0; }
run { horizon 500; warmup 10; seed 3; }
"""


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The loops are taken as if they were compiled."""
    modules = {"blocks": blocks, "sums": sums, "kernel": kernel}
    monkeypatch.setattr(loader, "_state", lambda: (modules, "interpreted"))
    monkeypatch.setattr(loader._Wish, "off", False)
    substreams.forget()
    yield
    substreams.forget()


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loader._Wish, "off", True)


# --------------------------------------------------------------------------- numbers that stand twice


def test_the_compiler_sees_the_same_instructions() -> None:
    text = (LOOPS / "opcodes.pxd").read_text(encoding="utf-8")
    declared = {name: int(value) for name, value in re.findall(r"^ +(\w+) = (-?\d+)$", text, re.MULTILINE)}
    assert declared == {name: value for name, value in vars(opcodes).items() if name.isupper()}


def test_the_compiler_sees_the_same_constants() -> None:
    text = (LOOPS / "words.pxd").read_text(encoding="utf-8")
    declared = {
        name: int(value, 0) for name, value in re.findall(r"#define SERQ_(\w+) (\w+?)U(?:LL)?$", text, re.MULTILINE)
    }
    assert declared == {name: value for name, value in vars(words).items() if name.isupper()}
    assert declared == {name: getattr(chacha, name) for name in declared}


def test_streams_and_stages_are_what_they_are_elsewhere() -> None:
    assert (opcodes.KIND_WORKLOAD, opcodes.KIND_SESSION) == (draws.KIND_WORKLOAD, draws.KIND_SESSION)
    assert opcodes.UNIFORMS == chacha.OUTPUTS_PER_BLOCK
    assert (opcodes.ARRIVAL, opcodes.WARMUP, opcodes.VOID) == (
        event_stages.ARRIVAL,
        event_stages.WARMUP,
        event_stages.VOID,
    )


def test_every_loop_has_its_types() -> None:
    modules = {path.stem for path in LOOPS.glob("*.py")} - {"__init__"}
    assert modules == {path.stem for path in LOOPS.glob("*.pxd")}
    assert set(loader.MODULES) <= modules


# --------------------------------------------------------------------------- draws and sums


@pytest.mark.parametrize(("seed", "serial", "turn", "kind"), [(3, 0, 0, 1), (2**64 - 5, 7, 2, 1), (11, 2**33, 0, 3)])
def test_blocks_of_sessions(seed: int, serial: int, turn: int, kind: int, without: None) -> None:
    wanted = substreams._first_blocks(seed, serial, 9, turn, kind)
    if isinstance(wanted, substreams.PackedUniforms):
        wanted.fill(8)
    assert blocks.first_uniforms(seed, serial, 9, turn, kind) == wanted


@pytest.mark.parametrize("counter", [0, 2**32 - 2])
def test_blocks_of_a_stream(counter: int, without: None) -> None:
    key = chacha.key_words(77)
    assert blocks.stream_uniforms(array("I", key), counter, 4) == substreams.block_uniforms(key, counter, 4)


@pytest.mark.parametrize("special", [[], [nan], [-nan, -0.0, 0.0], [float("inf")]])
def test_statistics(special: list[float], without: None) -> None:
    rng = Random(5)
    values = array("d", [rng.expovariate(1.0) for _ in range(2500)] + special)
    assert repr(sums.mean_and_m2(values)) == repr(statistics.mean_and_m2(values))
    assert repr(sums.total(values, 3, 2400)) == repr(statistics.plain_sum(values[3:2400]))
    assert repr(sums.squared_deviations(values, 1.5)) == repr(statistics.squared_deviations(values, 1.5))
    largest, less = sums.at_least(values, 2.0)
    assert (list(largest), less) == statistics._at_least(list(values), 2.0)


def test_means_moved_by_runs_of_iterations() -> None:
    rng = Random(7)
    runs = [(rng.choice((1, 1, 5, 40)), float(rng.randint(1, 4)), rng.random()) for _ in range(60)]
    assert sums.moved_means(17, 2.0, 0.5, runs) == decode_steps._moved_one_by_one(17, 2.0, 0.5, runs)
    alike = [(number, 3.0, cost) for number, _, cost in runs]
    numbers, costs = (array("d", [float(run[i]) for run in runs]) for i in (0, 2))
    wanted = decode_steps._moved_one_by_one(17, 2.0, 0.5, alike)
    assert sums.moved_by_one_batch(17, 2.0, 0.5, numbers, 3.0, costs) == wanted


# --------------------------------------------------------------------------- runs


@pytest.mark.parametrize("seed", range(2000, 2016))
@pytest.mark.parametrize("clock", CLOCKS)
def test_random_programs(seed: int, clock: str, interpreted: None) -> None:
    try:
        program = program_from(event_text(seed))
    except ValueError:
        pytest.skip("the program has errors")
    found, _ = difference(program, clock, record=True)
    assert found is None


@pytest.mark.parametrize("clock", CLOCKS)
def test_a_run_in_pieces(clock: str, interpreted: None) -> None:
    program = program_from(MM1)
    whole = everything(run_program(program, clock=clock))  # type: ignore[arg-type]
    run = Run(program, clock=clock)  # type: ignore[arg-type]
    result = run.go(Budget(events=1))
    while result.status == "partial":
        result = run.go(Budget(events=37))
    assert everything(result) == whole


def test_many_draws_of_a_session(interpreted: None) -> None:
    """More than the eight uniforms of a block, in every block."""
    many = " + ".join(["~exp(0.1)"] * 11)
    program = program_from(f"""
stage a : fifo(2);
workload {{ arrive poisson(1); init {{ set x = {many}; }} turn {{ set y = {many}; }}
  session {{ turn; loop {{ run a ({many}); request; branch with (0.5) {{ turn; run a (x + y); }} else {{ end; }} }} }} }}
server {{ observe t = now; run a (~exp(0.1)); }}
run {{ horizon 40; warmup 0; seed 2; }}
""")
    for clock in CLOCKS:
        found, _ = difference(program, clock, record=True)
        assert found is None


def test_more_sessions_than_there_was_room_for(interpreted: None) -> None:
    program = program_from(MM1.replace("poisson(0.8)", "poisson(4)").replace("fifo(1)", "ps(1)"))
    found, fast = difference(program, "exact", record=True)
    assert found is None
    assert fast.report["arrivals"] - fast.report["ended"] > opcodes.ROWS


def test_a_gap_that_is_not_positive_is_an_error(interpreted: None) -> None:
    program = program_from(MM1.replace("poisson(0.8)", "renewal(~bernoulli(0.9))"))
    for clock in CLOCKS:
        found, fast = difference(program, clock, record=True)
        assert found is None
        assert fast.error is not None and fast.error.code == "SQ0912"


def test_tables_of_what_no_run_reaches(interpreted: None) -> None:
    """States behind a loop without an end have no code."""
    program = program_from(
        MM1.replace("request; end;", "request; loop { run svc (1); } end;").replace("poisson(0.8)", "poisson(0.1)")
    )
    run = Run(program)
    assert -1 in Tables(run.machine, False)._places
    found, _ = difference(program, "f64", record=True)
    assert found is None


# --------------------------------------------------------------------------- which are used


def test_another_version_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    package = tmp_path / loader.PACKAGE
    package.mkdir()
    (package / "__init__.py").write_text('SOURCES = "another"\n', encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(__import__("sys").modules, loader.PACKAGE, raising=False)
    found, why = loader._state.__wrapped__()
    assert found == {} and "another version" in why
    monkeypatch.delitem(__import__("sys").modules, loader.PACKAGE, raising=False)


def test_it_can_be_switched_off(interpreted: None) -> None:
    assert loader.native("kernel") is kernel
    loader.use_native(False)
    assert loader.native("kernel") is None
    assert loader.SWITCH in loader.status()
    loader.use_native(True)
    assert loader.status() == "interpreted"
