"""Sums in closed form are those of the loop, to the last bit."""

from __future__ import annotations

from math import inf, isnan, ldexp, nan, nextafter, ulp
from struct import pack

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from serq_interpreter.machine.generated.repeated_sums import added, binade_top, starts_before, sum_lines

_QUICK = settings(max_examples=150, derandomize=True, deadline=None)
_ANY = st.floats(min_value=0.0, allow_nan=False, allow_infinity=False)
_TIMES = st.integers(0, 300)


def looped(total: float, value: float, times: int) -> float:
    for _ in range(times):
        total += value
    return total


def looped_starts(at: float, step: float, stop: float, most: int) -> tuple[int, float, float]:
    number, last = 0, at
    while number < most and at < stop:
        last = at
        at = last + step
        number += 1
    return number, last, at


def same(one: float, other: float) -> bool:
    return pack("<d", one) == pack("<d", other) or (isnan(one) and isnan(other))


@st.composite
def close_to_spacing(draw: st.DrawFn) -> tuple[float, float]:
    """A sum and a value of few spacings, often half-way between two of them."""
    total = ldexp(draw(st.integers(2**52, 2**53 - 1)), draw(st.integers(-1074, 900)))
    halves = draw(st.one_of(st.integers(0, 9), st.integers(0, 2**53 - 1)))
    value = halves * (ulp(total) / 2) if ulp(total) > 5e-324 else halves * ulp(total)
    return total, value + draw(st.sampled_from([0.0, 1.0, -1.0])) * ulp(value) if value else value


@st.composite
def close_to_top(draw: st.DrawFn) -> tuple[float, float]:
    """A sum that leaves its binade, or several, in the course of the steps."""
    total = ldexp(1.0 - draw(st.integers(0, 2**10)) * 2.0**-53, draw(st.integers(-1000, 900)))
    return total, total * draw(st.sampled_from([2.0**-52, 3 * 2.0**-54, 0.001, 0.37, 1.0, 5.0, 2.0**60]))


def clock_like() -> st.SearchStrategy[tuple[float, float]]:
    return st.tuples(st.floats(0.0, 1e7), st.floats(1e-7, 10.0))


_PAIRS = st.one_of(st.tuples(_ANY, _ANY), close_to_spacing(), close_to_top(), clock_like())


@given(_PAIRS, _TIMES)
@example((0.0, 0.0), 9)
@example((-0.0, 0.0), 9)
@example((0.0, 5e-324), 9)
@example((2.0**1023, 2.0**1000), 200)
@example((1e308, 1e307), 200)
@example((1.0 + 2.0**-52, 2.0**-53), 100)
@example((inf, 1.0), 9)
@example((1.0, inf), 9)
@example((nan, 1.0), 9)
@example((-5.0, 0.1), 99)
@example((5.0, -0.1), 99)
@_QUICK
def test_added(pair: tuple[float, float], times: int) -> None:
    total, value = pair
    assert same(added(total, value, times), looped(total, value, times))


@given(_PAIRS, st.integers(0, 300), st.data())
@example((1.0 + 2.0**-52, 2.0**-53), 100, None)
@example((0.0, 0.1), 100, None)
@_QUICK
def test_starts_before(pair: tuple[float, float], most: int, data: st.DataObject | None) -> None:
    at, step = pair
    assume(looped(at, step, 300) < inf)
    if data is None:
        stop = looped(at, step, 50)
    else:
        stop = looped(at, step, data.draw(st.integers(0, 300)))
        stop = data.draw(st.sampled_from([stop, nextafter(stop, inf), nextafter(stop, 0.0), stop - step / 3, inf]))
    assert starts_before(at, step, stop, most) == looped_starts(at, step, stop, most)


@given(_PAIRS, st.lists(st.integers(1, 60), max_size=12))
@_QUICK
def test_the_source_keeps_sum_and_top(pair: tuple[float, float], times: list[int]) -> None:
    total, value = pair
    lines = [
        "def run(a, v, n, top):",
        *("    " + line for line in sum_lines("a", "v", "n", "top")),
        "    return a, top",
    ]
    namespace: dict[str, object] = {"added": added, "binade_top": binade_top}
    exec("\n".join(lines), namespace)
    run = namespace["run"]
    assert callable(run)
    top, expected = binade_top(total), total
    for number in times:
        total, top = run(total, value, float(number), top)
        expected = looped(expected, value, number)
        assert same(total, expected)
        assert top == binade_top(total)


@given(
    st.floats(0.5, 1e6), st.lists(st.floats(1e-6, 0.5), min_size=1, max_size=60), st.integers(0, 40), st.floats(0, 1)
)
@_QUICK
def test_whole_multiples_of_differences(start: float, costs: list[float], factor: int, share: float) -> None:
    times = [start]
    for cost in costs:
        times.append(times[-1] + cost)
    total = share * start
    top = binade_top(total)
    assume(top <= binade_top(start) and times[-1] <= binade_top(start))
    closed = total + factor * (times[-1] - times[0])
    assume(closed < top)
    for one, other in zip(times, times[1:], strict=False):
        total += factor * (other - one)
    assert same(closed, total)


@pytest.mark.parametrize("x", [5e-324, 1e-310, 2.0**-1022, 0.3, 1.0, 1.5, 2.0, 1e300])
def test_a_binade(x: float) -> None:
    top = binade_top(x)
    assert top / 2.0 <= x < top


def test_where_nothing_is_below() -> None:
    assert binade_top(0.0) == 0.0
    assert [binade_top(x) for x in (-1.0, inf, nan, 2.0**1023)] == [-inf] * 4


def test_many_additions_take_few_steps() -> None:
    """More than a loop could make: from 1 to 2^40 by one, through forty binades."""
    assert added(1.0, 1.0, 2**40 - 1) == 2.0**40
    assert starts_before(1.0, 1.0, 2.0**40, 2**60) == (2**40 - 1, 2.0**40 - 1, 2.0**40)
