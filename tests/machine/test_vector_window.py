"""Windows in numpy on the clock of doubles: every sum is that of the plain loop, to the last bit."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from serq_interpreter.machine import substreams
from serq_interpreter.machine.generated import windows
from serq_interpreter.machine.run import Run
from serq_interpreter.machine.stages.token_gaps import GapStatistics
from tests.machine.forms import difference
from tests.machine.window_programs import window_text
from tests.support.compiling import program_from

np = pytest.importorskip("numpy")
vector_window = pytest.importorskip("serq_interpreter.machine.generated.vector_window")
vector_sums = pytest.importorskip("serq_interpreter.machine.generated.vector_sums")
vector_means = pytest.importorskip("serq_interpreter.machine.stages.vector_means")


@pytest.fixture
def arrays(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every window that can be is taken in arrays, in short chunks."""
    monkeypatch.setattr(windows, "FEWEST_RUNS", 1)
    monkeypatch.setattr(vector_window, "FEWEST_RUNS", 1)
    monkeypatch.setattr(vector_window, "MOST_RUNS", 37)
    substreams.use_numpy(True)
    yield
    substreams.use_numpy(None)


@pytest.mark.parametrize("seed", range(2000, 2030))
@pytest.mark.usefixtures("arrays")
def test_random_programs(seed: int) -> None:
    found, _ = difference(program_from(window_text(seed)), "f64", record=True)
    assert found is None


_LONG = """
stage engine : step { budget 8192; cost COST; memory kv; }
pool kv { cap CAP; block 16; evict lru; preempt lifo; admit via engine; }
workload { arrive poisson(2); turn { set n = ceil(~uniform(50, 300)); set o = ceil(~exp(900)); set more = ~bernoulli(0.6); }
  session { turn; loop { request; branch (more) { turn; } else { end; } } } }
server { hold kv (min(n, budget_left(engine))) { run engine prefill (n) growing kv; run engine decode (o) growing kv; }
  cache (n + o); observe done = now; }
run { horizon 5; warmup 1; seed 3; }
"""


@pytest.mark.parametrize("cap", ["1e9", "9000"], ids=["ample", "cache turns full"])
@pytest.mark.parametrize(
    "cost",
    [
        "0.0004 + 5e-6 * tokens + 2e-9 * kv_decode",
        "0.0007",
        "0.0009 - 1e-8 * kv_decode",
        "(kv_decode + 4000) * 1e-7 / 3",
    ],
)
@pytest.mark.usefixtures("arrays")
def test_long_windows(cost: str, cap: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_window, "MOST_RUNS", 4096)
    program = program_from(_LONG.replace("COST", cost).replace("CAP", cap))
    found, _ = difference(program, "f64", record=True)
    assert found is None
    run = Run(program, clock="f64", whole=False)
    run.go()
    (window,) = run.fast.windows  # type: ignore[union-attr]
    assert window.in_arrays and window.iterations > 1000


@pytest.mark.parametrize("count", [0, 999, 1000, 123_456])
def test_means_move_as_in_the_loop(count: int) -> None:
    rng = Random(count)
    for values in (
        np.full(3000, 3.0),
        np.array([rng.uniform(1e-4, 3e-4) for _ in range(5000)]),
        np.linspace(1e-4, 9e-4, 777),
        np.array([0.1]),
    ):
        mean = rng.uniform(0.0, 2.0)
        expected = mean
        for number, value in enumerate(values.tolist(), count + 1):
            expected += (value - expected) / number
        assert vector_means.moved(mean, count, values) == expected


_NUMBERS = st.lists(st.integers(0, 30), min_size=1, max_size=40)
_TERMS = st.one_of(
    st.floats(0.0, 1e4),
    st.integers(0, 2**12).map(lambda k: k * 2.0**-48),
    st.integers(2**40, 2**41).map(lambda k: k * 2.0**-54),
)


@given(st.data(), _NUMBERS, st.lists(st.floats(0.0, 1e6), min_size=1, max_size=4), st.integers(1, 7))
@settings(max_examples=80, derandomize=True, deadline=None)
def test_sums_are_those_of_one_at_a_time(data: st.DataObject, numbers: list[int], totals: list[float], n: int) -> None:
    """With ties, through binades, from zero, and of negative terms."""
    size = len(numbers)
    rows = [data.draw(st.lists(_TERMS, min_size=size, max_size=size)) for _ in totals]
    if data.draw(st.booleans()):
        rows[-1] = [-term for term in rows[-1]]
    times = [n, *(1 for _ in totals[1:])]
    found = vector_sums.sums_of_runs(totals, np.array(rows), np.array(numbers, np.float64), times)
    for total, row, each, result in zip(totals, rows, times, found, strict=True):
        for term, number in zip(row, numbers, strict=True):
            for _ in range(number * each):
                total += term
        assert result == total


def test_gaps_are_those_of_one_at_a_time() -> None:
    rng = Random(5)
    elapsed = [rng.choice((0.01, 0.0101, 0.2)) * rng.uniform(1.0, 1.02) for _ in range(2000)]
    numbers = [rng.randrange(1, 9) for _ in elapsed]
    one, other = GapStatistics(0.0), GapStatistics(0.0)
    for value, number in zip(elapsed, numbers, strict=True):
        for _ in range(number):
            one.add(value, value)
    vector_sums.count_gaps(other, np.array(elapsed), np.array(numbers, np.float64))
    assert (one.count, one.buckets) == (other.count, other.buckets)
