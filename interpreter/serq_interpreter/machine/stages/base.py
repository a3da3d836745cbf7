"""What every stage has: jobs present, completions, averages, estimators (05 §5, §10)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from serq_interpreter.ir import program as ir
from serq_interpreter.machine.numbers import minimum

if TYPE_CHECKING:
    from serq_interpreter.machine.actors import Actor
    from serq_interpreter.machine.engine import Machine


class Job:
    """A run at a stage.  `actor` is `None` for a spill's transfer; `gone` marks a job that left early or ended,
    whose pending event is then without effect."""

    __slots__ = ("actor", "gone", "joined", "number", "stage", "started", "tag", "work")

    def __init__(self, actor: Actor | None, stage: Any, work: float, joined: Any, number: int) -> None:
        self.actor = actor
        self.stage = stage
        self.work = work
        self.joined = joined
        self.started = joined
        self.number = number
        self.gone = False
        self.tag = 0.0

    def leave(self) -> None:
        """Take the job out of its stage before it is done (a preemption or a refusal)."""
        self.stage.leave(self)


class Estimator:
    """Exponentially weighted estimates, one update per completed job (05 §5), in seconds."""

    __slots__ = ("completions", "gap", "previous", "service", "waiting")

    def __init__(self) -> None:
        self.completions = 0
        self.previous = 0.0
        self.service = 0.0
        self.waiting = 0.0
        self.gap: float | None = None

    def completed(self, start: float, wait: float, service: float) -> None:
        self.completions += 1
        if self.completions == 1:
            self.service, self.waiting = service, wait
        else:
            gap = start - self.previous
            self.gap = gap if self.gap is None else 0.99 * self.gap + 0.01 * gap
            self.service = 0.99 * self.service + 0.01 * service
            self.waiting = 0.99 * self.waiting + 0.01 * wait
        self.previous = start

    def rate(self) -> float:
        """`est_lambda`: one over the mean gap of starts, 0 without a positive one."""
        return 1.0 / self.gap if self.gap is not None and self.gap > 0.0 else 0.0

    def load(self) -> float:
        """`est_rho`: rate times service, at most 0.99; the number of servers plays no part (05 §13.7)."""
        return minimum(self.rate() * self.service, 0.99) if self.completions else 0.0

    def wait(self) -> float:
        """`est_wait`."""
        return self.waiting

    def price(self, hit: float, rest: float) -> float:
        """`price(s, hit, rest)`: what a job of `hit + rest` costs the others, beside its own `rest`."""
        rate, load, wait = self.rate(), self.load(), self.waiting
        total = hit + rest
        delayed = rate * (total * total - hit * hit) / (2.0 * (1.0 - load))
        return rest + delayed + rate * wait * rest / (1.0 - load)


class StageState:
    """One stage member while a run goes on; the kinds add how jobs are served."""

    is_step = False
    serves_runs = True

    def __init__(self, machine: Machine, declaration: ir.Stage, index: int) -> None:
        self.machine = machine
        self.declaration = declaration
        self.index = index
        self.present = 0
        self.estimator = Estimator()
        self.area_number: Any = 0
        self.time_used: Any = 0
        self.completed = 0
        self.mean_wait = 0.0
        self.mean_service = 0.0
        self.n_jobs = 0
        self.changed = False

    # ------------------------------------------------------------------ to be answered by each kind

    def join(self, actor: Actor | None, work: float) -> Job:
        """A job of positive work joins."""
        raise NotImplementedError

    def leave(self, job: Any) -> None:
        """A job leaves before it is done."""
        raise NotImplementedError

    def busy(self) -> int:
        return self.present

    def work(self) -> float:
        """Remaining work of everybody here."""
        raise NotImplementedError

    def budget_left(self) -> float:
        raise TypeError(f"stage {self.declaration.name} has no token budget")

    # ------------------------------------------------------------------ shared

    def new_job(self, actor: Actor | None, work: float) -> Job:
        self.n_jobs += 1
        self.present += 1
        return Job(actor, self, work, self.machine.now, self.n_jobs)

    def integrate(self, elapsed: Any) -> None:
        """Add `elapsed` clock units to the time averages."""
        if self.present:
            self.area_number += self.present * elapsed
            self.time_used += elapsed

    def start_measuring(self) -> None:
        self.area_number = 0
        self.time_used = 0

    def record_completion(self, joined: Any, started: Any) -> None:
        """Statistics and estimates of a job that is done now (05 §5, §10)."""
        machine = self.machine
        wait = machine.span(started - joined)
        service = machine.span(machine.now - started)
        if machine.measuring:
            self.completed += 1
            self.mean_wait += (wait - self.mean_wait) / self.completed
            self.mean_service += (service - self.mean_service) / self.completed
        if machine.estimates_read:
            self.estimator.completed(machine.clock.seconds(started), wait, service)
