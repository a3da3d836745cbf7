"""When sessions arrive and what their turns load (06 §2, §9.3; 08 §6).

An *open* law (`poisson`, `renewal`) is an event source: the next gap is drawn while an arrival is processed.
The others create their sessions before the first event, in serial order; `closed` replaces each leaver.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, log
from typing import assert_never

from serq_interpreter.ir.program import (
    SLOT_FORCED,
    SLOT_NEW,
    SLOT_OUT,
    SLOT_THINK,
    Arrival,
    Batch,
    Closed,
    NoArrival,
    Poisson,
    Renewal,
    Sessions,
)
from serq_interpreter.machine.draws import Draws, PicksBelow, Stream
from serq_interpreter.machine.trace_file import Trace

Assignments = tuple[tuple[int, float], ...]
"""Attribute slots and the values a turn writes into them."""


class GapError(ValueError):
    """A drawn gap that is not positive and finite (`SQ0912`); `gap` is the value."""

    def __init__(self, gap: float) -> None:
        super().__init__(f"the gap to the next arrival is {gap:g}: it must be above 0")
        self.gap = gap


def is_open(arrival: Arrival) -> bool:
    """Whether arrivals are events of the agenda."""
    return isinstance(arrival, Poisson | Renewal)


def n_initial_sessions(arrival: Arrival) -> int:
    """Sessions that exist before the first event."""
    match arrival:
        case Closed(sessions=n) | Batch(sessions=n):
            return n
        case Sessions(sessions=scripts):
            return len(scripts)
        case Poisson() | Renewal() | NoArrival():
            return 0
        case _:
            assert_never(arrival)


class OpenArrivals:
    """The gaps of an open law, from the arrival stream, in clock units."""

    __slots__ = ("first_gap", "next_gap")

    def __init__(self, arrival: Poisson | Renewal, draws: Draws, evaluate_gap: Callable[[], float] | None) -> None:
        """`evaluate_gap` evaluates a renewal law's expression on `draws.arrival`."""
        self.next_gap: Callable[[], float]
        """The gap to the next arrival.  Raises `GapError`."""
        self.first_gap: Callable[[], float]
        """The time of the first arrival: 0 for a Poisson law, one gap for a renewal law."""
        match arrival:
            case Poisson(rate=rate):
                self.next_gap = _poisson_gaps(draws.arrival, rate)
                self.first_gap = _zero
            case Renewal():
                if evaluate_gap is None:
                    raise TypeError("a renewal law needs its expression's evaluator")
                self.next_gap = self.first_gap = _checked(evaluate_gap)
            case _:
                assert_never(arrival)


def _zero() -> float:
    return 0.0


def _poisson_gaps(stream: Stream, rate: float) -> Callable[[], float]:
    def next_gap() -> float:
        # A division by the rate, not a product with the mean: the last bit differs (06 §2).
        # A uniform of exactly 0 gives a gap of 0, which the edition takes.
        return -log(1.0 - stream.uniform()) / rate

    return next_gap


def _checked(evaluate_gap: Callable[[], float]) -> Callable[[], float]:
    def next_gap() -> float:
        gap = evaluate_gap()
        if not 0.0 < gap < inf:
            raise GapError(gap)
        return gap

    return next_gap


# --------------------------------------------------------------------------- turns


class TurnScripts:
    """The rows each session's turns load, from scripted sessions or a trace.

    Ask once per session, at its creation and in serial order: with an unordered trace each call takes a pick.
    """

    __slots__ = ("_arrival", "_ordered", "_picks", "_rows", "for_session")

    def __init__(self, arrival: Arrival, trace: Trace | None, ordered: bool, draws: Draws) -> None:
        self._arrival = arrival
        self._rows = [tuple(_assignments(row) for row in rows) for rows in trace.sessions] if trace else []
        self._ordered = ordered
        self._picks: PicksBelow = draws.picks
        self.for_session: Callable[[int], Sequence[Assignments] | None] = self._replayed
        """What the session's turns load, in order; `None` if turns load nothing and leave `more` alone."""
        if isinstance(arrival, Sessions):
            self.for_session = self._scripted
        elif trace is None:
            self.for_session = no_rows

    def decide_picks(self, picks: PicksBelow) -> None:
        """Take the picks of an unordered trace from elsewhere."""
        self._picks = picks

    def _scripted(self, serial: int) -> Sequence[Assignments] | None:
        replayed = self._replayed(serial)
        assert isinstance(self._arrival, Sessions)
        return self._arrival.sessions[serial].turns or replayed

    def _replayed(self, serial: int) -> Sequence[Assignments] | None:
        if not self._rows:
            return None
        index = serial % len(self._rows) if self._ordered else self._picks.below(len(self._rows))
        return self._rows[index]


def no_rows(_serial: int) -> None:
    return None


def _assignments(row: tuple[float, float, float, float]) -> Assignments:
    new, out, think, forced = row
    return ((SLOT_NEW, new), (SLOT_OUT, out), (SLOT_THINK, think), (SLOT_FORCED, forced))
