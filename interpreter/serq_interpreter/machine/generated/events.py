"""Runs a machine by source generated for its program, where the program qualifies (`event_subset`)."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Generator
from math import inf, log
from time import monotonic
from typing import TYPE_CHECKING, Any

from serq_interpreter.machine import automaton as a
from serq_interpreter.machine import engine, settling
from serq_interpreter.machine.draws import Stream
from serq_interpreter.machine.errors import Interrupted, RunError
from serq_interpreter.machine.exact_clock import ExactClock
from serq_interpreter.machine.execute import bad_guard, bad_work
from serq_interpreter.machine.generated.draw_source import draw, hyperexponential, uniform_between
from serq_interpreter.machine.generated.event_clock import clock_source
from serq_interpreter.machine.generated.event_source import Source
from serq_interpreter.machine.generated.event_subset import reason_against
from serq_interpreter.machine.generated.expression_source import NAMES
from serq_interpreter.machine.generated.text import compiled

if TYPE_CHECKING:
    from serq_interpreter.machine.clock import Time
    from serq_interpreter.machine.engine import Machine

_CHUNK = 20_000
"""Events between two looks at the clock on the wall and the cancellation."""


class GeneratedEvents:
    """Drives a machine as `Machine.run_until` does."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._run: Generator[bool | None, int, None] | None = None

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
            chunk = int(min(left, _CHUNK if watched else 2**60))
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

    def _begin(self, limit: Time) -> Generator[bool | None, int, None]:
        """The generated run at the state of a machine that has started."""
        machine = self.machine
        clock = clock_source(machine.clock, limit)
        text = Source(machine, clock, any(series.times is not None for series in machine.series))
        code = text.text()
        namespace: dict[str, Any] = dict(NAMES) | _NAMES | text.samples | clock.names()
        namespace |= {"opened": _opener(text.at.get("STREAM", 0))}
        exec(compiled(code), namespace)
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
        run: Generator[bool | None, int, None] = namespace["run"](
            machine, _Books(machine), machine.n_scheduled, end, warmup, stop, *first
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


def _at(machine: Machine, now: Any) -> None:
    machine.now = int(now) if isinstance(machine.clock, ExactClock) else now
    machine.seconds = machine.clock.seconds(machine.now)


def _unsettled(machine: Machine, now: Any, same: int) -> RunError:
    _at(machine, now)
    return machine._unsettled(f"{same} events without time passing")


class _Somebody:
    """As much of a session as an error message reads."""

    def __init__(self, serial: int, pc: int) -> None:
        self.serial = serial
        self.pc = pc


def _spinning(machine: Machine, now: Any, serial: int, pc: int) -> RunError:
    _at(machine, now)
    return machine._spinning(_Somebody(serial, pc))  # type: ignore[arg-type]


def _crowded(machine: Machine, now: Any) -> RunError:
    _at(machine, now)
    return machine.crowded(machine.program.arrival)


def _bad_guard(machine: Machine, now: Any, serial: int, number: int, value: float) -> RunError:
    state = machine.automaton.states[number]
    assert isinstance(state, a.BranchState)
    _at(machine, now)
    error = bad_guard(machine.program, state.guard, value)
    error.session = serial
    return error


def _bad_work(machine: Machine, now: Any, serial: int, number: int, value: float) -> RunError:
    state = machine.automaton.states[number]
    assert isinstance(state, a.RunState)
    _at(machine, now)
    error = bad_work(machine.program, state, value)
    error.session = serial
    return error


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
    "unsettled": _unsettled,
    "spinning": _spinning,
    "crowded": _crowded,
    "bad_guard": _bad_guard,
    "bad_work": _bad_work,
    "draw": draw,
    "uniform_between": uniform_between,
    "hyperexponential": hyperexponential,
}
