"""Running a program: the façade of the machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any, Literal

from serq_interpreter.ir import program as ir
from serq_interpreter.ir.deep import deep_recursion
from serq_interpreter.machine.arrivals import n_initial_sessions
from serq_interpreter.machine.automaton import Automaton
from serq_interpreter.machine.build import build_machine
from serq_interpreter.machine.clock import Clock, F64Clock
from serq_interpreter.machine.compile_automaton import compile_automaton
from serq_interpreter.machine.engine import Machine
from serq_interpreter.machine.errors import Interrupted, RunError
from serq_interpreter.machine.exact_clock import ExactClock, choose_unit, parse_tick
from serq_interpreter.machine.gauges import GaugeSeries
from serq_interpreter.machine.generated.drive import Coalescing, coalescing, keep_cohorts
from serq_interpreter.machine.generated.events import GeneratedEvents, generated_events
from serq_interpreter.machine.generated.serving.driver import Leave, Serving, serving
from serq_interpreter.machine.generated.sessions import (
    GeneratedSessions,
    generate_steps,
    generated_sessions,
    reason_against,
)
from serq_interpreter.machine.numbers import number_text
from serq_interpreter.machine.observations import Series
from serq_interpreter.machine.quirks import Quirks
from serq_interpreter.machine.report import build_report, read_over_cap
from serq_interpreter.machine.settings import Settings, run_settings
from serq_interpreter.machine.stuck_children import count_stuck_children
from serq_interpreter.machine.trace_file import Trace, TraceError, read_trace
from serq_interpreter.machine.trees import Trees
from serq_interpreter.machine.wait_cycles import check_wait_cycles

ClockName = Literal["f64", "exact"]
Semantics = Literal["edition", "pure"]
Form = Literal["reference", "generated", "coalesced"]
"""Which execution ran: the results are the same."""
FastForm = GeneratedEvents | GeneratedSessions | Coalescing | Serving


@dataclass(frozen=True, slots=True)
class Budget:
    """When to stop early: after `events` events, or `seconds` of wall-clock time."""

    events: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class RunResult:
    """What a run came to.

    `status` is `complete`, `partial` (stopped by the budget or cancelled, `reason` says which) or `failed`
    (`error`).  A partial or failed run still has the report of what was measured so far.
    """

    status: Literal["complete", "partial", "failed"]
    report: dict[str, Any]
    series: dict[str, Series] = field(default_factory=dict)
    gauges: dict[str, GaugeSeries] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    error: RunError | None = None
    reason: str | None = None
    form: Form = "reference"
    trees: Trees | None = None
    """The statistics of session trees, in a program that spawns."""


def run_program(
    program: ir.Program,
    *,
    seed: int | None = None,
    horizon: float | None = None,
    warmup: float | None = None,
    arrivals: int | None = None,
    trace: str | Path | None = None,
    directory: Path | None = None,
    clock: ClockName = "exact",
    tick: str | None = None,
    semantics: Semantics = "edition",
    budget: Budget | None = None,
    cancel: Callable[[], bool] | None = None,
    check_invariants: bool = False,
    record: bool = False,
    coalesce: bool = True,
    reference: bool = False,
    whole: bool = True,
) -> RunResult:
    """Run a closed program to its end, its budget or an error.

    `horizon` and `warmup` are seconds.  `directory` is where a relative trace of the program is looked up;
    `trace` replaces it.  `record` keeps times, sessions and turns of samples and the gauges' change points.
    Iterations that repeat are taken together where that cannot be told apart, unless `coalesce` is off.  `reference`
    asks for the readable execution, which nothing is generated for, and without `whole` no program runs as one generated
    function; the results are the same.
    Errors of the run are in the result, not raised.
    """
    try:
        run = Run(
            program,
            seed=seed,
            horizon=horizon,
            warmup=warmup,
            arrivals=arrivals,
            trace=trace,
            directory=directory,
            clock=clock,
            tick=tick,
            semantics=semantics,
            check_invariants=check_invariants,
            record=record,
            coalesce=coalesce,
            reference=reference,
            whole=whole,
        )
    except RunError as error:
        return RunResult("failed", {}, error=error)
    return run.go(budget, cancel)


class Run:
    """A run that can be stopped, looked at and continued.

        run = Run(program, seed=3)
        coarse = run.go(Budget(events=10_000))
        while coarse.status == "partial":
            coarse = run.go(Budget(events=100_000))

    Raises `RunError` if the settings or the trace make no run.
    """

    def __init__(
        self,
        program: ir.Program,
        *,
        seed: int | None = None,
        horizon: float | None = None,
        warmup: float | None = None,
        arrivals: int | None = None,
        trace: str | Path | None = None,
        directory: Path | None = None,
        clock: ClockName = "exact",
        tick: str | None = None,
        semantics: Semantics = "edition",
        check_invariants: bool = False,
        record: bool = False,
        coalesce: bool = True,
        reference: bool = False,
        whole: bool = True,
        automaton: Automaton | None = None,
    ) -> None:
        self.settings: Settings = run_settings(program, seed, horizon, warmup, arrivals)
        self.program = program
        corpus = load_trace(program, trace, directory)
        run_clock, self.clock_note = make_clock(clock, program, self.settings, tick)
        with deep_recursion():
            compiled = compile_automaton(program) if automaton is None else automaton
            self._build: Callable[[], Machine] = lambda: build_machine(
                compiled,
                self.settings,
                run_clock,
                Quirks(semantics == "edition"),
                corpus,
                record=record,
            )
            self.machine: Machine = self._build()
        self._coalesce = coalesce
        self._reference = reference
        self._whole = whole
        self.fast: FastForm | None = None
        self._started = False
        self.prepare: Callable[[Machine], None] | None = None
        """What is done to a machine that begins anew in the place of `machine`, before it starts."""
        self._left_at = 0
        """Events of the run that started over."""
        self._result: RunResult | None = None
        if check_invariants:
            from serq_interpreter.machine.invariants import invariant_checker

            self.machine.invariants = invariant_checker(self.machine)

    def go(self, budget: Budget | None = None, cancel: Callable[[], bool] | None = None) -> RunResult:
        """Run on until the end or until the budget is used up; a finished run returns its result again."""
        if self._result is not None:
            return self._result
        budget = budget or Budget()
        deadline = None if budget.seconds is None else monotonic() + budget.seconds
        machine = self.machine
        with deep_recursion():
            try:
                if not self._started:
                    self._started = True
                    if not self._reference and self.program.spawning is None:
                        self.fast = _fast_form(machine, self._coalesce, self._whole)
                    machine.start(n_initial_sessions(self.program.arrival))
                try:
                    self._drive(budget.events, deadline, cancel)
                except Leave:
                    machine = self._start_over()
                    events = None if budget.events is None else budget.events + self._left_at
                    self._drive(events, deadline, cancel)
                end = self._end()
                read_over_cap(machine)
            except Interrupted as interruption:
                return self._partial("partial", reason=interruption.reason)
            except RunError as error:
                error.time = machine.seconds
                self._result = self._partial("failed", error=error)
                return self._result
            self._result = self._measured("complete", end)
            return self._result

    def _drive(self, events: int | None, deadline: float | None, cancel: Callable[[], bool] | None) -> None:
        machine = self.machine
        drive = machine.run_until if self.fast is None else self.fast.run_until
        try:
            drive(machine.horizon, events, deadline, cancel)
        finally:
            # Whoever looks now finds every resident's own numbers.
            machine.sync_decoders()

    def _start_over(self) -> Machine:
        """The generated function came upon something it leaves to the other forms: they run from the beginning."""
        self._left_at = self.machine.events
        machine = self.machine = self._build()
        if self.prepare is not None:
            self.prepare(machine)
        self.fast = _fast_form(machine, self._coalesce, whole=False)
        machine.start(n_initial_sessions(self.program.arrival))
        return machine

    def iterations_per_step(self) -> list[float | None]:
        """By stage: how many iterations of a coalesced engine a step stood for so far; `None` for other stages."""
        found: list[float | None] = [None] * len(self.machine.stages)
        if isinstance(self.fast, Coalescing):
            for window in self.fast.windows:
                if window.licensed:
                    found[window.engine.index] = window.iterations_per_step()
        if isinstance(self.fast, Serving):
            for engine in self.fast.engines:
                found[engine.index] = self.fast.iterations_per_step(engine)
        return found

    def _end(self) -> Any:
        """Close the books at the end of the run; raises `RunError` for a finite run that did not drain."""
        machine, settings = self.machine, self.settings
        end = machine.horizon
        if settings.arrivals is not None:
            if machine.drained():
                end = machine.last_end
            elif machine.n_arrived < settings.arrivals:
                raise self._not_arrived()
        machine.close(end)
        count_stuck_children(machine)
        check_wait_cycles(machine)
        if settings.arrivals is not None:
            self._check_drained(end)
        for claim in machine.claims:
            claim.read_at_end()
        return end

    def _not_arrived(self) -> RunError:
        horizon, got = number_text(self.settings.horizon), self.machine.n_arrived
        message = (
            f"{got} of the {self.settings.arrivals} arrivals asked for had come when the horizon {horizon} was reached"
        )
        return RunError("SQ0915", message, self.program)

    def _check_drained(self, end: Any) -> None:
        machine = self.machine
        if not machine.drained():
            horizon = number_text(self.settings.horizon)
            message = f"{machine.live} sessions have not ended by the horizon {horizon}: a run of counted arrivals ends with its sessions"
            raise RunError("SQ0916", message, self.program)
        seconds = machine.clock.seconds(end)
        if seconds <= self.settings.warmup:
            at, warmup = number_text(seconds), number_text(self.settings.warmup)
            message = f"the last session ended at {at}, not after the warm-up {warmup}: nothing was measured"
            raise RunError("SQ0917", message, self.program)

    def _partial(
        self, status: Literal["partial", "failed"], error: RunError | None = None, reason: str | None = None
    ) -> RunResult:
        """The report of what was measured up to now."""
        return self._measured(status, self.machine.now, error, reason)

    def _measured(
        self,
        status: Literal["complete", "partial", "failed"],
        end: Any,
        error: RunError | None = None,
        reason: str | None = None,
    ) -> RunResult:
        machine = self.machine
        return RunResult(
            status=status,
            report=build_report(machine, end),
            series={series.name: series for series in machine.series},
            gauges={series.name: series for series, _ in machine.gauges},
            notes=[*machine.quirks.notes(), *([self.clock_note] if self.clock_note else [])],
            error=error,
            reason=reason,
            form=_form_of(self.fast),
            trees=machine.trees,
        )


def _fast_form(machine: Machine, coalesce: bool, whole: bool = True) -> FastForm | None:
    """The quickest execution the program qualifies for, of a machine that has not started.

    `whole` allows the one that has to start over where it comes upon something it does not foresee.
    """
    events = generated_events(machine)
    if events is not None:
        return events
    if coalesce and whole:
        found = serving(machine)
        if found is not None:
            return found
    keep_cohorts(machine)
    windows = coalescing(machine) if coalesce else None
    if reason_against(machine) is not None:
        return windows
    if windows is None:
        return generated_sessions(machine)
    generate_steps(machine)
    return windows


def _form_of(fast: FastForm | None) -> Form:
    if fast is None:
        return "reference"
    coalesced = isinstance(fast, Serving)
    coalesced = coalesced or (isinstance(fast, Coalescing) and any(window.licensed for window in fast.windows))
    return "coalesced" if coalesced else "generated"


def make_clock(
    name: ClockName, program: ir.Program, settings: Settings, tick: str | None = None
) -> tuple[Clock, str | None]:
    """The clock of a run by name, and a note about its unit.  `tick` overrides the unit of the exact clock."""
    if name == "f64":
        return F64Clock(), None
    if tick is not None:
        try:
            return ExactClock(parse_tick(tick)), None
        except ValueError as error:
            raise RunError("SQ0819", str(error), program) from error
    with deep_recursion():
        unit, note = choose_unit(program, settings)
    return ExactClock(unit), note


def load_trace(program: ir.Program, override: str | Path | None, directory: Path | None) -> Trace | None:
    """The program's trace, read when the run starts even if no session takes a turn (06 §9)."""
    if override is None and program.trace is None:
        return None
    path = Path(override) if override is not None else (directory or Path()) / str(program.trace)
    try:
        return read_trace(path)
    except TraceError as error:
        raise RunError(error.code, error.message, program) from error
