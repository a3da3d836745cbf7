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
            run, sampling = self._current()
            left = self.order.events - run.machine.events
            full = False

            def looking() -> bool:
                sampling.look()
                return cancelled()

            try:
                result = run.go(Budget(events=max(left, 0), seconds=seconds), looking)
            except OutOfMemory:
                # What was measured until now is worth having.
                full = True
                result = run.go(Budget(events=0))
            sampling.look()
            data = measure(run, result, sampling, lambda: full or cancelled())
            data["progress"] = self._progress(run)
            data["final"] = full or self._ends(run, result)
            if data["final"]:
                if result.status == "partial":
                    used_up = run.machine.events >= self.order.events
                    data["reason"] = MEMORY if full else EVENTS if used_up else PRECISE
                self._next_replication(data, result)
            return data
        while self.first["status"] != "failed" and len(self.replicas) < self.order.replications:
            run, _ = self._current()
            left = self.order.events - run.machine.events
            result = run.go(Budget(events=max(left, 0), seconds=max(deadline - monotonic(), 0.0)), cancelled)
            if not self._ends(run, result):
                break
            self._next_replication(None, result)
        return self.first | {"final": len(self.replicas) >= self.order.replications, "progress": 1.0}

    def _current(self) -> tuple[Run, Sampling]:
        if self.run is None or self.sampling is None:
            own = self.program.seed if self.order.seed is None else self.order.seed
            self.run = Run(
                self.program,
                seed=replication_seed(own, len(self.replicas)),
                horizon=self.order.horizon,
                directory=None if self.order.directory is None else Path(self.order.directory),
                record=not self.replicas,
            )
            self.sampling = Sampling(self.run.machine)
        return self.run, self.sampling

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
        return self.order.precision > 0.0 and _may_end_early(run) and self._is_precise(run, result)

    def _is_precise(self, run: Run, result: RunResult) -> bool:
        """The intervals are narrow and a tenth of the horizon has passed: a slow drift needs time to show."""
        past = run.machine.seconds > run.settings.warmup + 0.1 * (run.settings.horizon - run.settings.warmup)
        return past and widest_interval(result) <= self.order.precision


def _may_end_early(run: Run) -> bool:
    """Not a finite run, nor one whose claims speak of its end."""
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
