"""Generated programs agree with the reference in every count and sample."""

from __future__ import annotations

import pytest

from tests.machine.differential import Reference, check
from tests.machine.programs import SERVING
from tests.support.oracle import AVAILABLE

pytestmark = pytest.mark.skipif(not AVAILABLE, reason="the reference is not installed")


def _agree(first: int, count: int) -> None:
    reference = Reference()
    kinds: dict[str, int] = {}
    differing = {}
    try:
        for seed in range(first, first + count):
            kind, found = check(seed, reference)
            kinds[kind] = kinds.get(kind, 0) + 1
            if found:
                differing[seed] = found[0]
    finally:
        reference.close()
    assert differing == {}
    assert kinds.get("ran", 0) > count // 2, kinds


@pytest.mark.parametrize("first", [0, SERVING])
def test_generated_programs(first: int) -> None:
    _agree(first, 60)


@pytest.mark.full
@pytest.mark.parametrize("first", [500, SERVING + 500])
def test_many_generated_programs(first: int) -> None:
    _agree(first, 1000)
