"""Runs on the built-in machine: quietly in a worker, or in front of a person who may press Ctrl-C."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from time import monotonic
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from serq_interpreter.facade import Compiled, ProgramError
from serq_interpreter.reading import read_text
from serq_interpreter.results import report_of
from serq_lsp.cli.simulation.progress import Bar, progress_bar
from serq_lsp.cli.simulation.result import Result, RunOptions
from serq_lsp.cli.simulation.source import Source

if TYPE_CHECKING:
    from serq_interpreter.frontend.diagnostic import Diagnostic
    from serq_interpreter.machine.run import Run, RunResult

_SECONDS_BETWEEN_UPDATES = 0.1


@dataclass(frozen=True, slots=True)
class RunFiles:
    """What a single run writes beside its report: a folder of samples, a log of events and what of it."""

    dump: str | None = None
    events: str | None = None
    events_of: Sequence[str] = ()


@lru_cache(maxsize=4)
def compiled(source: Source) -> Compiled:
    """The program of a source; a process that runs it many times reads it once."""
    reading = read_text(
        source.text,
        source.path,
        sets=dict(source.sets),
        defs=dict(source.defs),
        seed=source.seed,
        horizon=source.horizon,
        warmup=source.warmup,
        arrivals=source.arrivals,
        trace=source.trace,
        edition=source.edition,
    )
    return Compiled(reading)


def run_quietly(source: Source, options: RunOptions, seed: int | None) -> Result:
    """One run to its end; errors are in the result."""
    program = compiled(source)
    try:
        run = _start(program, source, options, seed, record=False)
    except ProgramError as error:
        return Result(seed or 0, error=render(error.diagnostics, program))
    return _result(run, run.go(), program)


def run_interactively(
    source: Source, options: RunOptions, files: RunFiles, progress: bool | None
) -> tuple[Result, bool]:
    """One run with a progress bar, its files written; whether Ctrl-C ended it.

    Raises `click.ClickException` (exit code 2) when a file cannot be written or overrides do not fit the program.
    """
    program = compiled(source)
    try:
        run = _start(program, source, options, None, record=files.dump is not None)
    except ProgramError as error:
        return Result(0, error=render(error.diagnostics, program)), False
    with ExitStack() as stack:
        if files.events is not None:
            from serq_lsp.cli.simulation.event_file import event_file

            stack.enter_context(event_file(run, files.events, files.events_of))
        bar = stack.enter_context(progress_bar(progress, "simulated time", run.settings.horizon))
        interrupts = stack.enter_context(_interrupts())
        outcome = run.go(cancel=_watch(run, bar, interrupts))
    result = _result(run, outcome, program, interrupted=bool(interrupts))
    if files.dump is not None:
        _dump(files.dump, outcome)
    return result, bool(interrupts)


def _start(program: Compiled, source: Source, options: RunOptions, seed: int | None, *, record: bool) -> Run:
    """A run at time 0.  Raises `ProgramError`."""
    return program.start(
        seed=source.seed if seed is None else seed,
        horizon=source.horizon,
        warmup=source.warmup,
        arrivals=source.arrivals,
        clock="f64" if options.clock == "f64" else "exact",
        tick=options.tick,
        coalesce=options.coalesce,
        semantics="pure" if options.semantics == "pure" else "edition",
        check_invariants=options.check_invariants,
        record=record,
    )


def _result(run: Run, outcome: RunResult, program: Compiled, *, interrupted: bool = False) -> Result:
    report = report_of(run, outcome)
    error = None
    partial = None
    if outcome.error is not None:
        error = render((program.reading.explain(outcome.error),), program)
        partial = f"the run failed at t = {run.machine.seconds:.10g} of {run.settings.horizon:.10g}"
    elif outcome.status == "partial":
        reason = "interrupted" if interrupted else outcome.reason
        partial = f"{reason} at t = {run.machine.seconds:.10g} of {run.settings.horizon:.10g}"
    return Result(
        seed=run.settings.seed,
        report=report.fields,
        notes=report.notes,
        steady=report.steady_value(),
        stamp=report.stamp,
        partial=partial,
        error=error,
    )


def render(diagnostics: Sequence[Diagnostic], program: Compiled) -> str:
    """Diagnostics as `check` prints them in full."""
    from serq_lsp.cli.formats.full import render as render_full
    from serq_lsp.cli.outcome import Outcome

    outcome = Outcome(tuple(diagnostics), program.reading.texts, color=sys.stderr.isatty())
    return render_full(outcome).rstrip("\n")


def _dump(directory: str, outcome: RunResult) -> None:
    from serq_interpreter.machine.dump import dump

    try:
        dump(directory, outcome.series.values(), outcome.gauges.values(), outcome.trees)
    except OSError as error:
        raise click.ClickException(f"{directory}: cannot be written: {error.strerror or error}") from error


# --------------------------------------------------------------------------- watching


def _watch(run: Run, bar: Bar, interrupts: list[int]) -> Callable[[], bool]:
    """A cancellation check that also moves the bar, at most ten times a second."""
    last = monotonic()

    def cancelled() -> bool:
        nonlocal last
        if monotonic() - last >= _SECONDS_BETWEEN_UPDATES:
            last = monotonic()
            bar.reach(run.machine.seconds)
        return bool(interrupts)

    return cancelled


@contextmanager
def _interrupts() -> Iterator[list[int]]:
    """A list that Ctrl-C fills; a second Ctrl-C interrupts at once."""
    received: list[int] = []

    def receive(number: int, frame: FrameType | None) -> Any:
        if received:
            signal.default_int_handler(number, frame)
        received.append(number)

    try:
        previous = signal.signal(signal.SIGINT, receive)
    except ValueError:  # not the main thread: nobody can press Ctrl-C here
        yield received
        return
    try:
        yield received
    finally:
        signal.signal(signal.SIGINT, previous)
