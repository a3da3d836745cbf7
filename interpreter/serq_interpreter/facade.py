"""The interpreter as a library: text or a path in, diagnostics and runs out.

    import serq_interpreter

    program = serq_interpreter.compile("chat.sq", sets={"lam": 0.7})
    report = program.run(seed=3, horizon=500)
    print(report.observe("response").mean)

Names of this module are offered by `serq_interpreter` itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from serq_interpreter.files import read_file
from serq_interpreter.machine.errors import RunError
from serq_interpreter.reading import Reading, read_text
from serq_interpreter.results import Report, report_of
from serq_interpreter.stamp import program_hash

if TYPE_CHECKING:
    from serq_interpreter.frontend.diagnostic import Diagnostic
    from serq_interpreter.ir.origins import Origins
    from serq_interpreter.ir.program import Program
    from serq_interpreter.machine.run import Budget, Run


class ProgramError(ValueError):
    """The program has errors, or its run failed; `diagnostics` say what and where, the text shows the first."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        first = diagnostics[0]
        at = first.location
        more = f" (and {len(diagnostics) - 1} more)" if len(diagnostics) > 1 else ""
        super().__init__(f"{at.file}:{at.start.line}:{at.start.column}: {first.message} [{first.code}]{more}")
        self.diagnostics = diagnostics


@dataclass(frozen=True, eq=False)
class Compiled:
    """A program that was read: what is wrong with it and, if nothing is, how it runs.

    `program` is the kernel and `origins` maps its nodes to their places; `program` is `None` when there are errors.
    """

    reading: Reading

    @property
    def program(self) -> Program | None:
        return self.reading.program

    @property
    def origins(self) -> Origins | None:
        return self.reading.origins

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Errors and warnings, in order of place."""
        return self.reading.diagnostics

    @property
    def text(self) -> str:
        return self.reading.text

    @property
    def hash(self) -> str:
        """SHA-256 of the program's canonical IR, in hexadecimal.  Raises `ProgramError`."""
        return program_hash(self._runnable())

    def run(
        self,
        *,
        seed: int | None = None,
        horizon: float | None = None,
        warmup: float | None = None,
        arrivals: int | None = None,
        trace: str | Path | None = None,
        clock: Literal["exact", "f64"] = "exact",
        tick: str | None = None,
        semantics: Literal["edition", "pure"] = "edition",
        budget: Budget | None = None,
        cancel: Callable[[], bool] | None = None,
        check_invariants: bool = False,
        record: bool = True,
        coalesce: bool = True,
    ) -> Report:
        """Run to the end (or until `budget` or `cancel` stop it; the report is then partial).

        `horizon` and `warmup` are clock units and replace the program's.  `record` keeps the time, session and turn of
        each sample and the change points of gauges; `coalesce` off takes every step one by one.  Raises `ProgramError`
        when the program has errors or its run fails; what was measured before a run failed is the error's `report`.
        """
        started = self.start(
            seed=seed,
            horizon=horizon,
            warmup=warmup,
            arrivals=arrivals,
            trace=trace,
            clock=clock,
            tick=tick,
            semantics=semantics,
            check_invariants=check_invariants,
            record=record,
            coalesce=coalesce,
        )
        result = started.go(budget, cancel)
        report = report_of(started, result)
        if result.error is not None:
            raise RunFailed(self.reading.explain(result.error), report)
        return report

    def start(
        self,
        *,
        seed: int | None = None,
        horizon: float | None = None,
        warmup: float | None = None,
        arrivals: int | None = None,
        trace: str | Path | None = None,
        clock: Literal["exact", "f64"] = "exact",
        tick: str | None = None,
        semantics: Literal["edition", "pure"] = "edition",
        check_invariants: bool = False,
        record: bool = True,
        coalesce: bool = True,
    ) -> Run:
        """A run at time 0, to be driven in pieces (`machine.run.Run.go`).  Raises as `run` does."""
        from serq_interpreter.machine.run import Run

        program = self._runnable()
        try:
            return Run(
                program,
                seed=seed,
                horizon=horizon,
                warmup=warmup,
                arrivals=arrivals,
                trace=self.reading.trace if trace is None else trace,
                directory=self.reading.directory,
                clock=clock,
                tick=tick,
                semantics=semantics,
                check_invariants=check_invariants,
                record=record,
                coalesce=coalesce,
            )
        except RunError as error:
            raise RunFailed(self.reading.explain(error), None) from error

    def _runnable(self) -> Program:
        if self.program is None:
            raise ProgramError(self.reading.errors)
        return self.program


class RunFailed(ProgramError):
    """A run that stopped with an error; `report` is what was measured before, if it had begun."""

    def __init__(self, diagnostic: Diagnostic, report: Report | None) -> None:
        super().__init__((diagnostic,))
        self.report = report


def compile(
    path_or_text: str | Path,
    *,
    sets: Mapping[str, str | float] | None = None,
    defs: Mapping[str, str] | None = None,
    seed: int | None = None,
    horizon: float | None = None,
    warmup: float | None = None,
    arrivals: int | None = None,
    trace: str | Path | None = None,
    edition: str = "",
) -> Compiled:
    """Read a program: a path (`.sq`, or IR as `.json`), or the text itself.

    A string is a path when it ends in `.sq` or `.json` and has one line.  `sets` replaces constants (`let`) by name,
    `defs` the bodies of expression definitions; `edition` is that of a text which names none.  A program with errors is returned with its diagnostics.
    Raises `FileError` when the file cannot be read.
    """
    path = path_or_text if isinstance(path_or_text, Path) else _path_in(path_or_text)
    text = str(path_or_text) if path is None else read_file(str(path))
    return Compiled(
        read_text(
            text,
            None if path is None else str(path),
            sets={name: value if isinstance(value, str) else repr(value) for name, value in (sets or {}).items()},
            defs=dict(defs or {}),
            seed=seed,
            horizon=horizon,
            warmup=warmup,
            arrivals=arrivals,
            trace=None if trace is None else str(trace),
            edition=edition,
        )
    )


def check(
    path_or_text: str | Path, *, sets: Mapping[str, str | float] | None = None, edition: str = ""
) -> tuple[Diagnostic, ...]:
    """The diagnostics of a program, in order of place.  Raises `FileError` when the file cannot be read."""
    return compile(path_or_text, sets=sets, edition=edition).diagnostics


def run(path_or_text: str | Path, *, seed: int | None = None, horizon: float | None = None) -> Report:
    """Compile and run in one step.  Raises `FileError` and `ProgramError`."""
    return compile(path_or_text).run(seed=seed, horizon=horizon)


def _path_in(text: str) -> Path | None:
    return Path(text) if text.endswith((".sq", ".json")) and "\n" not in text else None
