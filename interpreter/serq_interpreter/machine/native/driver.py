"""A run by the compiled kernel: the machine's books in and out, and what only the machine can answer."""

from __future__ import annotations

from array import array
from types import ModuleType
from typing import TYPE_CHECKING, Any

from serq_interpreter.ir import program as ir
from serq_interpreter.machine import engine, settling
from serq_interpreter.machine.arrivals import GapError
from serq_interpreter.machine.draws import DrawError, erlang_phases
from serq_interpreter.machine.errors import RunError
from serq_interpreter.machine.generated.event_clock import ClockSource, TickSource, WholeSource
from serq_interpreter.machine.generated.event_errors import bad_guard, bad_work, crowded, spinning, unsettled
from serq_interpreter.machine.generated.event_subset import plain
from serq_interpreter.machine.native.loader import native
from serq_interpreter.machine.native.loops.opcodes import SAMPLES
from serq_interpreter.machine.native.tables import Books, Tables
from serq_interpreter.machine.numbers import divide
from serq_interpreter.machine.observations import turn_field
from serq_interpreter.machine.static_facts import attributes_read

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine

_TIMES = ("now", "measured_from", "live_since", "last_end")
"""What machine and kernel both have, as times."""
_COUNTS = ("live", "arrivals", "ended", "turns", "events", "measuring", "live_area", "seconds")


def native_run(machine: Machine, clock: ClockSource, *bounds: Any) -> NativeRun | None:
    """A run by the compiled kernel of a machine that has started and whose program `event_subset` takes; `None` where
    the kernel is not there, or does not keep such times or draw such gaps.  `bounds` as `NativeRun` has them."""
    kernel = native("kernel")
    if kernel is None or (isinstance(clock, TickSource) and not isinstance(clock, WholeSource)):
        return None
    arrival = machine.program.arrival
    if isinstance(arrival, ir.Renewal) and (not plain(arrival.gap) or attributes_read([arrival.gap])):
        return None
    return NativeRun(kernel, machine, clock, *bounds)


class NativeRun:
    """Goes on by a number of events at a time (`send`), as the generator of a generated run does."""

    def __init__(
        self,
        kernel: ModuleType,
        machine: Machine,
        clock: ClockSource,
        limit: float,
        warmup: float,
        stop: float,
        first: tuple[float, int],
    ) -> None:
        """Times are the run's: doubles of seconds, or ticks as whole doubles; `first` is the arrival that is due."""
        self.machine = machine
        self._exact = clock.exact
        places = any(series.times is not None for series in machine.series)
        tables = Tables(machine, places)
        self._books = Books(len(machine.stages), len(machine.series), places)
        self._hooks = Hooks(machine, clock, tables, self._books)
        self._run = run = kernel.EventKernel(tables, self._books, self._hooks)
        if isinstance(clock, WholeSource):
            run.whole = True
            run.per, run.tick_rate, run.surely = clock.per_second, clock.rate, clock.surely
        run.limit, run.warmup, run.stop = limit, warmup, stop
        run.arrival_time, run.arrival_number = first
        run.sequence = machine.n_scheduled
        run.same = machine.same_instant
        run.backlog_limit = machine.backlog.limit
        run.most_live = engine.MOST_LIVE
        run.most_events, run.most_readies = engine.EVENTS_PER_INSTANT, settling.READIES_PER_INSTANT
        for name in _COUNTS:
            setattr(run, name, getattr(machine, name))
        for name in _TIMES:
            setattr(run, name, clock.native(getattr(machine, name)))

    def send(self, granted: int) -> bool:
        """Process so many events at most; whether the run is complete.  The machine's books are up to date afterwards."""
        try:
            return bool(self._run.run(granted))
        finally:
            self._write_books()

    def _write_books(self) -> None:
        machine, run, books = self.machine, self._run, self._books
        for name in _COUNTS:
            setattr(machine, name, getattr(run, name))
        machine.same_instant = run.same
        for name in _TIMES:
            setattr(machine, name, self._time(getattr(run, name)))
        for i, stage in enumerate(machine.stages):
            stage.present, stage.completed = books.present[i], books.completed[i]
            stage.mean_wait, stage.mean_service = books.mean_wait[i], books.mean_service[i]
            stage.time_used = self._time(books.time_used[i])
            stage.area_number = self._time(books.area[i])
            if self._exact:
                stage.area_number += self._hooks.carried[i]
        for i in range(len(machine.series)):
            self._hooks.hand_over(i)

    def _time(self, native_time: float) -> Any:
        return int(native_time) if self._exact else native_time


class Hooks:
    """What the kernel asks."""

    def __init__(self, machine: Machine, clock: ClockSource, tables: Tables, books: Books) -> None:
        self._machine = machine
        self._draws = machine.draws
        self._tables = tables
        self._books = books
        self._begun = False
        self.carried = [0] * len(machine.stages)
        """By stage: number times ticks that no longer fit in a double."""
        if isinstance(clock, WholeSource):
            self.late, self.late_up = clock.late, clock.late_up

    # ------------------------------------------------------------------ books

    def hand_over(self, i: int) -> None:
        """The samples of an observation go to its series."""
        books, series = self._books, self._machine.series[i]
        taken = slice(i * SAMPLES, i * SAMPLES + books.filled[i])
        series.values.extend(books.samples[taken])
        if series.times is not None and series.sessions is not None and series.turns is not None:
            series.times.extend(books.sample_times[taken])
            series.sessions.extend(books.sample_serials[taken].tolist())
            series.turns.extend(map(turn_field, books.sample_turns[taken]))
        books.filled[i] = 0

    def carry(self, i: int, area: float, present: int, elapsed: float) -> None:
        """The area of a stage so far, and of so many for so long, does not fit in a double."""
        self.carried[i] += int(area) + present * int(elapsed)

    def forget_carried(self) -> None:
        """Areas begin anew."""
        self.carried = [0] * len(self.carried)

    def pass_backlog(self, seconds: float, area: float, live: int) -> float:
        """The open window of the backlog is over; when the next one is."""
        machine = self._machine
        machine.backlog.pass_to(seconds, area * machine.one, live)
        return machine.backlog.limit

    # ------------------------------------------------------------------ draws

    def bad_gap(self, gap: float) -> RunError:
        """The gap of a renewal law is not positive and finite."""
        return self._machine.bad_gap(GapError(gap))

    def arrival_uniforms(self) -> tuple[array[float], int, int]:
        """Uniforms of the arrival stream, the first and the end of those not used."""
        stream = self._draws.arrival
        if stream.at == stream.stop or self._begun:
            stream.at = stream.stop
            stream.uniform()
            stream.at -= 1
        self._begun = True
        return stream.block, stream.at, stream.stop

    def phases(self, sample: int, phases: float) -> int:
        """The number of phases of `~erlang`.  Raises `RunError`."""
        try:
            return erlang_phases(phases)
        except DrawError as error:
            raise RunError("SQ0902", str(error), self._tables.samples[sample]) from error

    def divide(self, a: float, b: float) -> float:
        """A division by zero."""
        return divide(a, b)

    # ------------------------------------------------------------------ errors

    def unsettled(self, now: float, same: int) -> RunError:
        return unsettled(self._machine, now, same)

    def spinning(self, now: float, serial: int, at: int) -> RunError:
        return spinning(self._machine, now, serial, self._tables.state_at(at))

    def crowded(self, now: float) -> RunError:
        return crowded(self._machine, now)

    def bad_guard(self, now: float, serial: int, state: int, value: float) -> RunError:
        return bad_guard(self._machine, now, serial, state, value)

    def bad_work(self, now: float, serial: int, state: int, value: float) -> RunError:
        return bad_work(self._machine, now, serial, state, value)
