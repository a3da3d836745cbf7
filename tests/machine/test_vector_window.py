"""Windows in numpy on the clock of doubles: every sum is that of the plain loop, to the last bit."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from serq_interpreter.machine import substreams
from serq_interpreter.machine.generated import windows
from serq_interpreter.machine.run import Run
from serq_interpreter.machine.stages.token_gaps import GapStatistics
from tests.machine.forms import difference
from tests.machine.window_programs import window_text
from tests.support.compiling import program_from

np = pytest.importorskip("numpy")
vector_window = pytest.importorskip("serq_interpreter.machine.generated.vector_window")
vector_means = pytest.importorskip("serq_interpreter.machine.stages.vector_means")


@pytest.fixture
def arrays(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every window that can be is taken in arrays, in short chunks."""
    monkeypatch.setattr(windows, "_FEWEST_IN_ARRAYS", 1)
    monkeypatch.setattr(vector_window, "CHUNK", 37)
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
    monkeypatch.setattr(vector_window, "CHUNK", 4096)
    program = program_from(_LONG.replace("COST", cost).replace("CAP", cap))
    found, _ = difference(program, "f64", record=True)
    assert found is None
    run = Run(program, clock="f64")
    run.go()
    (window,) = run.fast.windows  # type: ignore[union-attr]
    assert window._vectors is not None and window.iterations > 1000


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
        assert vector_means.moved_mean(mean, count, values) == expected


def test_sums_and_gaps_are_those_of_one_at_a_time() -> None:
    rng = Random(5)
    elapsed = np.array([rng.choice((0.01, 0.0101, 0.2)) * rng.uniform(1.0, 1.02) for _ in range(2000)])
    for factor in (1, 3, 0.7):
        total = 0.3
        for value in elapsed.tolist():
            total += factor * value
        assert vector_window.Sums().add(0.3, factor, elapsed) == total
    one, other = GapStatistics(0.0), GapStatistics(0.0)
    for value in elapsed.tolist():
        for _ in range(3):
            one.add(value, value)
    other.total = vector_window.Sums().add_times(0.0, elapsed, 3)
    vector_window.count_gaps(other, elapsed, 3)
    assert (one.count, one.total, one.buckets) == (other.count, other.total, other.buckets)
