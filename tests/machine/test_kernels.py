"""The loops over the runs of a window find what one iteration after the other finds, to the last bit."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from serq_interpreter.machine.generated.kernels import measuring_kernel, plain_kernel
from serq_interpreter.machine.generated.ledger import enter_fine
from serq_interpreter.machine.stages.decode_steps import RunningDecodeSteps
from serq_interpreter.machine.stages.token_gaps import GapStatistics

_QUICK = settings(max_examples=150, derandomize=True, deadline=None)

_COSTS = st.one_of(
    st.floats(1e-6, 1e-2),
    st.sampled_from([0.25, 0.125 + 2.0**-40, 0.1, 3.0, 2.0**-30]),
    st.integers(1, 2**20).map(lambda k: k * 2.0**-41),
)
_RUNS = st.lists(
    st.tuples(st.integers(1, 40), _COSTS, st.integers(0, 10**6).map(float), st.integers(1, 10**5).map(float)),
    max_size=25,
)
_STARTS = st.one_of(st.floats(0.0, 300.0), st.sampled_from([0.0, 63.9999, 128.0 - 2.0**-46, 255.99]))
_AREAS = st.one_of(st.just(0.0), st.floats(0.0, 1e7), st.sampled_from([0.9999999, 511.999]))


@dataclass
class Books:
    """Everything that is added up, by a plain loop."""

    runs: list[tuple[int, float, float, float]]
    prev: float
    t: float
    stop: float
    u: float
    h: float
    au: float
    ah: float
    d: int
    total: float
    lanes: list[float]
    factors: list[float]
    measured: bool = True
    started: int = 0

    def run(self, gaps: GapStatistics, steps: RunningDecodeSteps) -> None:
        for number, cost, used, cached in self.runs:
            for _ in range(number):
                if not self.t < self.stop:
                    return
                self.account(gaps)
                steps.add(self.d, cost, cost)
                self.started += 1
                self.prev, self.t = self.t, self.t + cost
                self.u, self.h = used, cached

    def account(self, gaps: GapStatistics) -> None:
        elapsed = self.t - self.prev
        self.au += self.u * elapsed
        self.ah += self.h * elapsed
        self.lanes = [area + factor * elapsed for area, factor in zip(self.lanes, self.factors, strict=True)]
        for _ in range(self.d):
            self.total += elapsed
        gaps.bucket_of(elapsed)[0] += self.d


@given(
    _RUNS, _STARTS, _COSTS, st.floats(0.0, 0.2), st.integers(1, 9), st.lists(_AREAS, min_size=5, max_size=5), st.data()
)
@_QUICK
def test_measuring(
    runs: list[Any], start: float, cost: float, span: float, d: int, areas: list[float], data: st.DataObject
) -> None:
    factors = data.draw(st.lists(st.sampled_from([1.0, 2.0, 7.0, 0.3, 1e5]), min_size=2, max_size=2))
    book = Books(
        runs, start, start + cost, start + cost + span, 32.0, 16.0, areas[0], areas[1], d, areas[2], areas[3:], factors
    )
    assume(book.t > start)
    steps, other = RunningDecodeSteps(), RunningDecodeSteps()
    gaps, buckets = GapStatistics(0.0), GapStatistics(0.0)
    given_runs, seen = iter(list(runs)), []
    found = measuring_kernel(2, True, True, d)(
        given_runs, start, book.t, book.stop, lambda at, used: seen.append((at, used)), 32.0, 16.0, areas[0], areas[1],
        float(d), steps.runs.append, areas[2], gaps.bucket_up_to, *areas[3:], *factors,
    )  # fmt: skip
    book.run(buckets, other)
    assert found == (book.started, book.prev, book.t, book.u, book.h, book.au, book.ah, book.total, *book.lanes)
    assert gaps.buckets == buckets.buckets
    assert (steps.count, steps.mean_batch, steps.mean_cost) == (other.count, other.mean_batch, other.mean_cost)
    assert [used for _, used in seen] == [used for _, _, used, _ in runs][: len(seen)]


@given(_RUNS, _STARTS, st.floats(0.0, 0.2))
@_QUICK
def test_before_the_warm_up_ends(runs: list[Any], start: float, span: float) -> None:
    book = Books(runs, start, start, start + span, 0.0, 0.0, 0.0, 0.0, 0, 0.0, [], [])
    started, prev, t, used, _ = plain_kernel()(iter(list(runs)), start, start + span, None)
    book.run(GapStatistics(0.0), RunningDecodeSteps())
    assert (started, prev, t) == (book.started, book.prev, book.t)
    assert not started or used == book.u


@given(_RUNS, _STARTS, st.floats(0.0, 1.1), st.integers(1, 5))
@_QUICK
def test_sums_told_from_the_ends_of_a_window(runs: list[Any], start: float, share: float, value: int) -> None:
    """Also where a binade ends on the way, of the clock or of the sum."""
    assume(runs)
    gaps = GapStatistics(0.0)
    gaps.total = start * share
    owner = SimpleNamespace(area=start * share)
    iterations = [cost for number, cost, _, _ in runs for _ in range(number)]
    area, total, at = owner.area, gaps.total, start
    for cost in iterations[:-1]:
        end = at + cost
        area += value * (end - at)
        for _ in range(value):
            total += end - at
        at = end
    taken = [(number, float(value), cost) for number, cost, _, _ in runs]
    enter_fine([(owner, "area", value), (gaps, "total", value)], start, at, [(1, 1.0, 9.0), *taken], 1)
    assert (owner.area, gaps.total) == (area, total)
