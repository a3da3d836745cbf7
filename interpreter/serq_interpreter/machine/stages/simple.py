"""`fifo` and `delay` stages (05 §4)."""

from __future__ import annotations

from collections import deque
from math import inf
from typing import TYPE_CHECKING

from serq_interpreter.ir import program as ir
from serq_interpreter.machine.stages.base import Job, StageState

if TYPE_CHECKING:
    from serq_interpreter.machine.actors import Actor
    from serq_interpreter.machine.engine import Machine


class FifoStage(StageState):
    """`c` servers; waiting jobs are taken in joining order."""

    def __init__(self, machine: Machine, declaration: ir.Stage, index: int, servers: int) -> None:
        super().__init__(machine, declaration, index)
        self.servers = servers
        self.line: deque[Job] = deque()
        self.in_service: list[Job] = []

    def join(self, actor: Actor | None, work: float) -> Job:
        job = self.new_job(actor, work)
        if len(self.in_service) < self.servers:
            self._start(job)
        else:
            self.line.append(job)
        return job

    def _start(self, job: Job) -> None:
        machine = self.machine
        job.started = machine.now
        self.in_service.append(job)
        if job.work < inf:
            machine.schedule(machine.clock.after(machine.now, job.work), self._finish, job)

    def _next(self) -> None:
        if self.line and len(self.in_service) < self.servers:
            self._start(self.line.popleft())

    def _finish(self, job: Job) -> None:
        if job.gone:
            return
        job.gone = True
        self.in_service.remove(job)
        self.present -= 1
        # The successor's end is scheduled before the finisher continues (05 §3).
        self._next()
        self.record_completion(job.joined, job.started)
        self.machine.run_done(job)

    def leave(self, job: Job) -> None:
        job.gone = True
        self.present -= 1
        if job in self.in_service:
            self.in_service.remove(job)
            self._next()
        else:
            self.line.remove(job)

    def busy(self) -> int:
        return len(self.in_service)

    def work(self) -> float:
        machine = self.machine
        total = 0.0
        for job in self.line:
            total += job.work
        for job in self.in_service:
            total += machine.clock.remaining(job.started, job.work, machine.now)
        return total


class DelayStage(StageState):
    """Every job is served at once, without limit."""

    def __init__(self, machine: Machine, declaration: ir.Stage, index: int) -> None:
        super().__init__(machine, declaration, index)
        self.jobs: dict[Job, None] = {}

    def join(self, actor: Actor | None, work: float) -> Job:
        machine = self.machine
        job = self.new_job(actor, work)
        self.jobs[job] = None
        if work < inf:
            machine.schedule(machine.clock.after(machine.now, work), self._finish, job)
        return job

    def _finish(self, job: Job) -> None:
        if job.gone:
            return
        self.leave(job)
        self.record_completion(job.joined, job.started)
        self.machine.run_done(job)

    def leave(self, job: Job) -> None:
        job.gone = True
        self.present -= 1
        del self.jobs[job]

    def work(self) -> float:
        machine = self.machine
        total = 0.0
        for job in self.jobs:
            total += machine.clock.remaining(job.joined, job.work, machine.now)
        return total
