"""Fewer sessions, smaller pools, smaller constants: the least instance that still fails in the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import inf, isfinite
from time import monotonic

from serq_interpreter.explore.findings import Finding, Kind
from serq_interpreter.explore.search import Exploration, Limits, explore
from serq_interpreter.explore.subject import Instance
from serq_interpreter.machine.errors import RunError


@dataclass(frozen=True, slots=True)
class Size:
    """What may be made smaller: the number of sessions, capacities by pool, constants by name."""

    sessions: int
    caps: Mapping[str, float] = field(default_factory=dict)
    constants: Mapping[str, float] = field(default_factory=dict)


InstanceOf = Callable[[Size], Instance | None]
"""The instance of a size; `None` where the program has an error at that size."""


@dataclass(frozen=True, slots=True)
class Shrunk:
    """The smallest failing size that was found, its exploration, and how many sizes were tried."""

    size: Size
    exploration: Exploration
    finding: Finding
    tried: int


def shrink(
    start: Size,
    instance_of: InstanceOf,
    first: Exploration,
    limits: Limits,
    seconds: float,
    cancel: Callable[[], bool] | None = None,
) -> Shrunk:
    """Make sizes smaller one at a time as long as a finding of the first one's kind remains.

    `first` is the exploration at `start` and has a finding.  No search takes more states than the first one had room
    for; after `seconds` the best so far is returned.
    """
    finding = first.findings[0]
    best = Shrunk(start, first, finding, 0)
    deadline = monotonic() + seconds
    tried = 0
    while True:
        for size in _smaller(best.size):
            if monotonic() >= deadline or (cancel is not None and cancel()):
                return replace(best, tried=tried)
            tried += 1
            found = _fails(instance_of(size), finding.kind, replace(limits, seconds=deadline - monotonic()), cancel)
            if found is not None:
                best = Shrunk(size, found, found.findings[0], tried)
                break
        else:
            return replace(best, tried=tried)


def _fails(
    instance: Instance | None, kind: Kind, limits: Limits, cancel: Callable[[], bool] | None
) -> Exploration | None:
    """The exploration of an instance if it has a finding of the kind."""
    if instance is None:
        return None
    try:
        found = explore(instance, limits, kinds=frozenset((kind,)), cancel=cancel)
    except RunError:
        return None
    return found if found.findings else None


def _smaller(size: Size) -> Iterator[Size]:
    """Sizes with one thing smaller, the boldest steps first."""
    if size.sessions > 1:
        yield replace(size, sessions=size.sessions - 1)
    for name, value in size.constants.items():
        for less in _less(value):
            yield replace(size, constants={**size.constants, name: less})
    for name, value in size.caps.items():
        for less in _less(value):
            yield replace(size, caps={**size.caps, name: less})


def _less(value: float) -> Iterator[float]:
    """Smaller whole numbers: a quarter, a half, one less.  Fractions, which are mostly times and rates, stay."""
    if not isfinite(value) or value != int(value) or value <= 1 or value == inf:
        return
    whole = int(value)
    yield from dict.fromkeys(float(less) for less in (whole // 4, whole // 2, whole - 1) if 1 <= less < whole)
