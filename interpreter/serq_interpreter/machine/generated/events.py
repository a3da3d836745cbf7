"""Runs a machine by source generated for its program, where the program qualifies (`event_subset`)."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Generator
from math import inf, log
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

from serq_interpreter.machine import engine, settling
from serq_interpreter.machine.draws import Stream
from serq_interpreter.machine.errors import Interrupted
from serq_interpreter.machine.generated.draw_source import draw, hyperexponential, uniform_between
from serq_interpreter.machine.generated.event_clock import ClockSource, clock_source
from serq_interpreter.machine.generated.event_errors import bad_guard, bad_work, crowded, spinning, unsettled
from serq_interpreter.machine.generated.event_source import Source
from serq_interpreter.machine.generated.event_subset import reason_against
from serq_interpreter.machine.generated.expression_source import NAMES
from serq_interpreter.machine.generated.text import compiled
from serq_interpreter.machine.native.driver import native_run

if TYPE_CHECKING:
    from serq_interpreter.machine.clock import Time
    from serq_interpreter.machine.engine import Machine

_CHUNK = 20_000
"""Events between two looks at the clock on the wall and the cancellation."""
_LONG_CHUNK = 200_000
"""The same where there is nothing to look at: compiled loops hear of an interruption in between only."""


class Run(Protocol):
    """A run that goes on by a number of events at a time."""

    def send(self, granted: int, /) -> bool | None:
        """Process so many events at most; whether the run is complete."""
        ...


class GeneratedEvents:
    """Drives a machine as `Machine.run_until` does."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._run: Run | None = None

    def run_until(
        self, limit: Time, max_events: int | None, deadline: float | None, cancelled: Callable[[], bool] | None
    ) -> bool:
        """As `Machine.run_until`.  `limit` is the same at every call."""
        run = self._run
        if run is None:
            run = self._run = self._begin(limit)
        left: float = inf if max_events is None else max_events
        watched = deadline is not None or cancelled is not None
        while True:
            chunk = int(min(left, _CHUNK if watched else _LONG_CHUNK))
            done = run.send(chunk)
            if done:
                return True
            left -= chunk
            if left <= 0:
                raise Interrupted("the budget of events is used up")
            if deadline is not None and monotonic() >= deadline:
                raise Interrupted("the budget of time is used up")
            if cancelled is not None and cancelled():
                raise Interrupted("cancelled")

    def _begin(self, limit: Time) -> Run:
        """The generated run at the state of a machine that has started."""
        machine = self.machine
        clock = clock_source(machine.clock, limit)
        end = clock.native(limit)
        first: tuple[Any, int] = (inf, 0)
        warmup, stop = inf, end
        for time, number, handler, _ in machine.agenda:
            if handler == machine._arrive:
                first = (clock.native(time), number)
            else:
                assert handler == machine._end_warmup
                # Up to `stop` everything comes before the end of the warm-up.
                warmup = clock.native(time)
                stop = clock.before(warmup)
        return native_run(machine, clock, end, warmup, stop, first) or _generated(
            machine, clock, end, warmup, stop, *first
        )


def _generated(machine: Machine, clock: ClockSource, end: Any, warmup: Any, stop: Any, *first: Any) -> Run:
    """The run by a function of the program's own, at its beginning."""
    text = Source(machine, clock, any(series.times is not None for series in machine.series))
    code = text.text()
    namespace: dict[str, Any] = dict(NAMES) | _NAMES | text.samples | clock.names()
    namespace |= {"opened": _opener(text.at.get("STREAM", 0))}
    exec(compiled(code), namespace)
    books = _Books(machine)
    run: Generator[bool | None, int, None] = namespace["run"](
        machine, books, machine.n_scheduled, end, warmup, stop, *first
    )
    next(run)
    return run


def generated_events(machine: Machine) -> GeneratedEvents | None:
    """The driver of a machine that has not started; `None` if its program does not qualify."""
    return GeneratedEvents(machine) if reason_against(machine) is None else None


class _Books:
    """Where the generated source writes what it measured."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self.stages = machine.stages

    def record(self, index: int) -> Callable[..., None]:
        """What takes a sample: the value alone where nothing else is kept."""
        series = self._machine.series[index]
        return series.values.append if series.times is None else series.record

    def next_gap(self) -> float:
        arrivals = self._machine.open_arrivals
        assert arrivals is not None
        return self._machine._gap(arrivals.next_gap)


# --------------------------------------------------------------------------- what the source calls


def _opener(place: int) -> Callable[[Any, list[Any], int], Stream]:
    """What opens the stream of a session's own statements and keeps it in the session."""

    def opened(draws: Any, actor: list[Any], serial: int) -> Stream:
        stream: Stream = draws.session(serial)
        actor[place] = stream
        return stream

    return opened


_NAMES: dict[str, Any] = {
    "pop": heapq.heappop,
    "push": heapq.heappush,
    "replace": heapq.heapreplace,
    "deque": deque,
    "log": log,
    "inf": inf,
    "EVENTS_PER_INSTANT": engine.EVENTS_PER_INSTANT,
    "READIES_PER_INSTANT": settling.READIES_PER_INSTANT,
    "unsettled": unsettled,
    "spinning": spinning,
    "crowded": crowded,
    "bad_guard": bad_guard,
    "bad_work": bad_work,
    "draw": draw,
    "uniform_between": uniform_between,
    "hyperexponential": hyperexponential,
}
