"""One background run inside a worker: started from IR text, advanced in slices, measured after each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

from serq_interpreter.ir import program as ir
from serq_interpreter.ir.deep import deep_recursion
from serq_interpreter.ir.json import read_program
from serq_interpreter.machine.arrivals import is_open
from serq_interpreter.machine.chacha import mix
from serq_interpreter.machine.errors import RunError
from serq_interpreter.machine.run import Budget, Run, RunResult
from serq_lsp.background.measuring import error_value, measure, widest_interval
from serq_lsp.background.sampling import Sampling
from serq_lsp.background.shorter import AT_ONCE, PROBE, Shorter, measured_seconds, shares

_SEED_BITS = 53


class OutOfMemory(Exception):
    """The run has grown beyond what a worker may use; `cancelled` raises it."""


EVENTS, MEMORY, PRECISE = "the budget of events is used up", "the memory of a worker is used up", "precise"
"""Why a run ended before its horizon."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be run: IR 11 text and settings; `precision` is a share of each mean, 0 for none."""

    program: str
    seed: int | None = None
    horizon: float | None = None
    directory: str | None = None
    replications: int = 1
    precision: float = 0.0
    events: int = 5_000_000
    shorter: bool = False
    """Whether shorter runs come first where the whole takes long (`shorter`)."""


class Running:
    """A run that a worker holds.  `advance` answers with what is known then."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.program: ir.Program = read_program(order.program)
        self.run: Run | None = None
        self.sampling: Sampling | None = None
        self.wall = 0.0
        self.replicas: list[dict[str, Any]] = []
        self.first: dict[str, Any] | None = None
        """The data of the first replication, once it has ended."""
        self.shorter: Shorter | None = None
        """The shorter runs, once it is known how fast the whole goes."""

    def advance(self, seconds: float, cancelled: Callable[[], bool]) -> dict[str, Any]:
        """Run for at most `seconds`; `final` says that nothing more will come.

        What `cancelled` raises ends the slice at once; the run can be advanced again.
        """
        began = monotonic()
        try:
            data = self._advance(seconds, cancelled)
        except RunError as error:
            # The settings or the trace make no run.
            data = {"status": "failed", "reason": None, "report": {}, "error": error_value(self.program, error)}
            data["final"] = True
        self.wall += monotonic() - began
        data["wall"] = self.wall
        data["replicas"] = self.replicas
        return data

    def _advance(self, seconds: float, cancelled: Callable[[], bool]) -> dict[str, Any]:
        deadline = monotonic() + seconds
        if self.first is None:
            return self._advance_first(deadline, cancelled)
        while self.first["status"] != "failed" and len(self.replicas) < self.order.replications:
            run, _ = self._current()
            left = self.order.events - run.machine.events
            result = run.go(Budget(events=max(left, 0), seconds=max(deadline - monotonic(), 0.0)), cancelled)
            if not self._ends(run, result):
                break
            self._next_replication(None, result)
        return self.first | {"final": len(self.replicas) >= self.order.replications, "progress": 1.0}

    def _advance_first(self, deadline: float, cancelled: Callable[[], bool]) -> dict[str, Any]:
        """The replication that is measured; at first its shorter runs, where there are any."""
        run, sampling = self._current()
        if self.order.shorter and self.shorter is None:
            # What comes once (compiling, the first draws) does not tell how fast it goes on.
            self._go(run, sampling, min(monotonic() + PROBE / 4.0, deadline), cancelled)
            began, before = monotonic(), run.machine.seconds
            result, full = self._go(run, sampling, min(began + PROBE, deadline), cancelled)
            if full or self._ends(run, result):
                return self._told(run, result, sampling, full, cancelled)
            self.shorter = self._shorter(run, monotonic() - began, run.machine.seconds - before)
        if self.shorter is not None:
            self.shorter.skip_to(measured_seconds(run))
            data = self._advance_shorter(self.shorter, deadline, cancelled)
            if data is not None:
                return data | {"final": False, "progress": self._progress(run)}
        result, full = self._go(run, sampling, deadline, cancelled)
        if not full and not self._ends(run, result) and self._is_behind(run):
            assert self.shorter is not None and self.shorter.data is not None
            return self.shorter.data | {"final": False, "progress": self._progress(run)}
        return self._told(run, result, sampling, full, cancelled)

    def _go(
        self, run: Run, sampling: Sampling, deadline: float, cancelled: Callable[[], bool]
    ) -> tuple[RunResult, bool]:
        """Run until the deadline; with whether memory is used up."""
        left = self.order.events - run.machine.events

        def looking() -> bool:
            sampling.look()
            return cancelled()

        try:
            seconds = max(deadline - monotonic(), 0.0)
            return run.go(Budget(events=max(left, 0), seconds=seconds), looking), False
        except OutOfMemory:
            # What was measured until now is worth having.
            return run.go(Budget(events=0)), True

    def _told(
        self, run: Run, result: RunResult, sampling: Sampling, full: bool, cancelled: Callable[[], bool]
    ) -> dict[str, Any]:
        """What the run itself has come to; when it has ended, the next replication is up."""
        sampling.look()
        data = measure(run, result, sampling, lambda: full or cancelled())
        data["progress"] = self._progress(run)
        data["final"] = full or self._ends(run, result)
        if data["final"]:
            if result.status == "partial":
                used_up = run.machine.events >= self.order.events
                data["reason"] = MEMORY if full else EVENTS if used_up else PRECISE
            self.shorter = None
            self._next_replication(data, result)
        return data

    # ------------------------------------------------------------------ shorter runs

    def _shorter(self, run: Run, seconds: float, simulated: float) -> Shorter:
        """Which shorter runs are worth making, of a run that simulates so many seconds in `seconds` of work."""
        settings, machine = run.settings, run.machine
        wanted: list[float] = []
        if simulated > 0.0 and machine.events and may_be_cut(run):
            by_events = self.order.events * machine.seconds / (machine.events * settings.horizon)
            wanted = shares(
                settings.warmup / settings.horizon, seconds * settings.horizon / simulated, min(by_events, 1.0)
            )
        return Shorter(self._of_horizon, run, wanted)

    def _advance_shorter(
        self, shorter: Shorter, deadline: float, cancelled: Callable[[], bool]
    ) -> dict[str, Any] | None:
        """What a shorter run has newly measured; at the deadline what is known; `None` when they are over."""
        while shorter.left:
            patience = deadline if shorter.data is not None else max(deadline, monotonic() + 2.0 * AT_ONCE)
            try:
                data = shorter.advance(patience, cancelled)
            except OutOfMemory:
                shorter.give_up()
                return None
            if data is not None:
                return data
            if monotonic() >= deadline:
                return shorter.data
        return None

    def _is_behind(self, run: Run) -> bool:
        """Whether a shorter run has measured for longer than this one."""
        shorter = self.shorter
        return shorter is not None and shorter.data is not None and measured_seconds(run) <= shorter.measured

    def _current(self) -> tuple[Run, Sampling]:
        if self.run is None or self.sampling is None:
            self.run = self._of_horizon(self.order.horizon, None)
            self.sampling = Sampling(self.run)
        return self.run, self.sampling

    def _of_horizon(self, horizon: float | None, warmup: float | None) -> Run:
        """A run of the next replication that has not started; `None`: as long as the program says."""
        own = self.program.seed if self.order.seed is None else self.order.seed
        return Run(
            self.program,
            seed=replication_seed(own, len(self.replicas)),
            horizon=horizon,
            warmup=warmup,
            directory=None if self.order.directory is None else Path(self.order.directory),
            record=not self.replicas,
        )

    def _next_replication(self, data: dict[str, Any] | None, result: RunResult) -> None:
        """Keep what the ended replication came to and make room for the next."""
        if self.order.replications > 1 and result.status != "failed":
            self.replicas.append(means_of(result.report))
        if data is not None:
            self.first = data
            data["final"] = self.order.replications <= 1 or result.status == "failed"
        self.run = self.sampling = None

    def _progress(self, run: Run) -> float:
        horizon = run.settings.horizon
        by_time = run.machine.seconds / horizon if horizon else 0.0
        return max(0.0, min(1.0, max(by_time, run.machine.events / max(self.order.events, 1))))

    def _ends(self, run: Run, result: RunResult) -> bool:
        if result.status != "partial":
            return True
        if run.machine.events >= self.order.events:
            return True
        return self.order.precision > 0.0 and may_be_cut(run) and self._is_precise(run, result)

    def _is_precise(self, run: Run, result: RunResult) -> bool:
        """The intervals are narrow and a tenth of the horizon has passed: a slow drift needs time to show."""
        past = run.machine.seconds > run.settings.warmup + 0.1 * (run.settings.horizon - run.settings.warmup)
        return past and widest_interval(result) <= self.order.precision


def may_be_cut(run: Run) -> bool:
    """Whether an earlier end is an end like any other: not of a finite run, nor of one whose claims speak of its end."""
    open_ended = is_open(run.program.arrival) or isinstance(run.program.arrival, ir.Closed)
    at_end = any(claim.kind is ir.ClaimKind.AT_END for claim in run.program.claims)
    return open_ended and run.settings.arrivals is None and not at_end


def replication_seed(first: int, index: int) -> int:
    """The seed of replication `index`: the run's own first, then far apart from each other (06 §10.2)."""
    return first if index == 0 else mix(mix(first) + index) >> (64 - _SEED_BITS)


def means_of(report: dict[str, Any]) -> dict[str, Any]:
    """The means of one replication, by part and index."""
    return {
        "observations": [row["mean"] if row["count"] else None for row in report["observes"].values()],
        "gauges": [row["mean"] for row in report["gauges"].values()],
        "pools": [row["mean_used"] for row in report["pools"]],
        "stages": [row["utilization"] for row in report["stages"]],
    }


@dataclass(slots=True)
class Table:
    """The runs a worker holds, by number."""

    runs: dict[int, Running] = field(default_factory=dict)

    def start(self, number: int, order: Order) -> None:
        with deep_recursion():
            self.runs[number] = Running(order)

    def drop(self, number: int) -> None:
        self.runs.pop(number, None)
