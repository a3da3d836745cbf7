"""Who decides a draw: a list of decisions made before, then always the first possibility.

An exploration runs the machine itself.  Where a run would ask its random streams, the machine asks the `Oracle`, which
answers with one of finitely many values and remembers how many there were, so that the search can come back and take
the next one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from serq_interpreter.ir import program as ir
from serq_interpreter.machine.draws import DISTRIBUTIONS
from serq_interpreter.machine.evaluate import Draw


@dataclass(frozen=True, slots=True)
class Source:
    """Whose stream a draw comes from: a session's (`serial`), or the machine's own (`None`)."""

    serial: int | None
    leg: int | None = None


@dataclass(frozen=True, slots=True)
class Drawn:
    """A draw that was decided."""

    sample: ir.Sample | None
    """The draw in the program; `None` for the row of a trace that a session replays."""
    source: Source
    value: float


class Oracle:
    """The decisions of one move."""

    __slots__ = ("_at", "_given", "branches", "drawn")

    def __init__(self) -> None:
        self._given: tuple[int, ...] = ()
        self._at = 0
        self.branches: list[tuple[int, int]] = []
        """The decisions so far: which possibility, of how many."""
        self.drawn: list[Drawn] = []

    def begin(self, decisions: tuple[int, ...]) -> None:
        """A move starts; its first decisions are given."""
        self._given = decisions
        self._at = 0
        self.branches = []
        self.drawn = []

    def decide(self, n: int) -> int:
        """One of `n` possibilities, by number."""
        if n <= 1:
            return 0
        choice = self._given[self._at] if self._at < len(self._given) else 0
        self._at += 1
        self.branches.append((choice, n))
        return choice

    def decisions(self) -> tuple[int, ...]:
        """All decisions of the move."""
        return tuple(choice for choice, _ in self.branches)

    def following(self) -> tuple[int, ...] | None:
        """The decisions with which the move is to be tried next; `None` when all were."""
        branches = self.branches
        for last in range(len(branches) - 1, -1, -1):
            choice, n = branches[last]
            if choice + 1 < n:
                return (*(earlier for earlier, _ in branches[:last]), choice + 1)
        return None


class FixedStream:
    """A stream that gives the same few uniforms again and again."""

    __slots__ = ("_at", "_uniforms")

    def __init__(self, uniforms: Sequence[float]) -> None:
        self._uniforms = uniforms
        self._at = 0

    def uniform(self) -> float:
        value = self._uniforms[self._at % len(self._uniforms)]
        self._at += 1
        return value


Supports = Mapping[ir.Sample, Sequence[Sequence[float]]]
"""Draw → the uniforms that stand for its possibilities, one list for each."""


def decided_draws(oracle: Oracle, supports: Supports) -> Callable[[ir.Sample], Draw]:
    """Draws as the oracle decides them, for `Evaluator`."""

    def draw_of(sample: ir.Sample) -> Draw:
        distribution = DISTRIBUTIONS[sample.distribution]
        uniforms = supports[sample]

        def draw(stream: Any, *args: float) -> float:
            values = possible_values(distribution, uniforms, args)
            value = values[oracle.decide(len(values))]
            source = stream if isinstance(stream, Source) else Source(None)
            oracle.drawn.append(Drawn(sample, source, value))
            return value

        return draw

    return draw_of


def possible_values(distribution: Draw, uniforms: Sequence[Sequence[float]], args: Sequence[float]) -> list[float]:
    """The different values of a draw with these arguments, least uniform first."""
    values: list[float] = []
    for some in uniforms:
        value = distribution(FixedStream(some), *args)
        if value not in values:
            values.append(value)
    return values


class DecidedPicks:
    """Which row of an unordered trace a session replays."""

    __slots__ = ("_oracle",)

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle

    def below(self, n: int) -> int:
        row = self._oracle.decide(n)
        self._oracle.drawn.append(Drawn(None, Source(None), float(row)))
        return row


class DecidedStreams:
    """Stands where a run has its streams: a stream only says whose it is."""

    __slots__ = ()

    def workload(self, serial: int, turn: int) -> Source:
        del turn
        return Source(serial)

    def session(self, serial: int) -> Source:
        return Source(serial)

    def leg(self, serial: int, leg: int) -> Source:
        return Source(serial, leg)
