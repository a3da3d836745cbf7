"""Programs near those of the corpus are judged and run as the reference does; `python -m tests.mutated_corpus` runs more."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.machine.differential import Reference
from tests.mutated_corpus import check, program

KNOWN_MESSAGES = "unknown message"
"""Says that no program of the corpus gives this message: no difference, only nothing to compare the code with."""


@pytest.fixture(scope="module")
def reference() -> Iterator[Reference]:
    child = Reference()
    yield child
    child.close()


def _differences(first: int, count: int, reference: Reference) -> dict[int, list[str]]:
    found = {seed: check(program(seed), reference)[1] for seed in range(first, first + count)}
    return {seed: lines for seed, lines in found.items() if lines and not lines[0].startswith(KNOWN_MESSAGES)}


def test_some_changed_programs_are_as_in_the_reference(reference: Reference) -> None:
    assert _differences(0, 20, reference) == {}


@pytest.mark.full
@pytest.mark.parametrize("first", [100, 200, 300, 400, 500])
def test_changed_programs_are_as_in_the_reference(reference: Reference, first: int) -> None:
    assert _differences(first, 100, reference) == {}
