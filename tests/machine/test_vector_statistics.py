"""Statistics in numpy are those of the plain loops, to the last bit."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from math import inf, nan
from random import Random

import pytest

from serq_interpreter.machine import statistics, substreams
from serq_interpreter.machine.native.loader import use_native

vector = pytest.importorskip("serq_interpreter.machine.vector_statistics")


@pytest.fixture(autouse=True)
def without_compiled_loops() -> Iterator[None]:
    use_native(False)
    substreams.use_numpy(True)
    yield
    substreams.use_numpy(None)
    use_native(True)


def plainly(function: str, values: list[float], *more: float) -> str:
    """The same of a list, which no vector is made of."""
    return repr(getattr(statistics, function)(values, *more))


def drawn(seed: int, n: int) -> list[float]:
    rng = Random(seed)
    scale = rng.choice((1e-6, 1.0, 1e9))
    kind = rng.choice(("exp", "two", "signed", "heavy"))
    if kind == "two":
        return [scale * rng.choice((0.1, 0.3)) for _ in range(n)]
    if kind == "signed":
        return [scale * rng.uniform(-1.0, 1.0) for _ in range(n)]
    if kind == "heavy":
        return [scale * rng.random() ** -2.0 for _ in range(n)]
    return [scale * rng.expovariate(1.0) for _ in range(n)]


@pytest.mark.parametrize("n", [2000, 4096 + 1000, 4097 + 1000, 12_345])
@pytest.mark.parametrize("seed", range(6))
def test_many_values(seed: int, n: int) -> None:
    values = drawn(seed, n)
    packed = array("d", values)
    assert repr(statistics.mean_and_m2(packed)) == plainly("mean_and_m2", values)
    assert vector.mean_and_m2(packed) is not None
    assert repr(statistics.plain_sum(packed)) == plainly("plain_sum", values)
    assert repr(statistics.squared_deviations(packed, 0.7)) == plainly("squared_deviations", values, 0.7)
    assert repr(statistics.batch_means(packed)) == plainly("batch_means", values)
    for share in (0.99, 0.5):
        assert repr(statistics.percentile(packed, share)) == plainly("percentile", values, share)


@pytest.mark.parametrize("special", [[nan], [inf], [-inf, inf], [-nan, -0.0], [-0.0], [1e308, 1e308]])
def test_special_values(special: list[float]) -> None:
    values = drawn(9, 3000) + special + drawn(10, 100)
    packed = array("d", values)
    for function, more in (
        ("mean_and_m2", ()),
        ("plain_sum", ()),
        ("squared_deviations", (0.7,)),
        ("percentile", (0.99,)),
    ):
        assert repr(getattr(statistics, function)(packed, *more)) == plainly(function, values, *more)
    zeros = [-0.0] * 2500
    assert repr(statistics.plain_sum(array("d", zeros))) == plainly("plain_sum", zeros) == "0.0"
