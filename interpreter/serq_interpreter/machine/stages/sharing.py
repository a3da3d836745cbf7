"""`ps` stages: processor sharing with a virtual clock (05 §4).

The formulas are those of the reference, in doubles and in its grouping, also under the exact clock.
"""

from __future__ import annotations

import heapq
from math import inf, isfinite
from typing import TYPE_CHECKING

from serq_interpreter.ir import program as ir
from serq_interpreter.machine.numbers import maximum
from serq_interpreter.machine.stages.base import Job, StageState

if TYPE_CHECKING:
    from serq_interpreter.machine.actors import Actor
    from serq_interpreter.machine.engine import Machine
    from serq_interpreter.machine.evaluate import Closure


class PsStage(StageState):
    """Jobs present share a capacity; `virtual` is the service everyone present has received."""

    def __init__(self, machine: Machine, declaration: ir.Stage, index: int) -> None:
        super().__init__(machine, declaration, index)
        self.capacity: Closure
        self.virtual = 0.0
        self.rate = 0.0
        self.last = 0.0
        self.heap: list[tuple[float, int, Job]] = []
        self.version = 0

    def _touch(self) -> None:
        now = self.machine.seconds
        self.virtual = self.virtual + self.rate * (now - self.last)
        self.last = now

    def join(self, actor: Actor | None, work: float) -> Job:
        self._touch()
        job = self.new_job(actor, work)
        job.tag = self.virtual + work
        heapq.heappush(self.heap, (job.tag, job.number, job))
        self.changed = True
        return job

    def leave(self, job: Job) -> None:
        self._touch()
        job.gone = True
        self.present -= 1
        self.changed = True

    def _least(self) -> Job | None:
        heap = self.heap
        while heap and heap[0][2].gone:
            heapq.heappop(heap)
        return heap[0][2] if heap else None

    def retime(self) -> None:
        """Schedule the next completion; called once per settling if the population changed."""
        self.changed = False
        self._touch()
        self.version += 1
        least = self._least()
        if least is None:
            self.rate = 0.0
            return
        machine = self.machine
        capacity = self.capacity(machine.nobody)
        self.rate = capacity / self.present
        if capacity > 0.0:
            # At an infinite rate everything ends now, infinite work too.
            wait = maximum(least.tag - self.virtual, 0.0) / self.rate if isfinite(self.rate) else 0.0
            if wait < inf:
                machine.schedule(machine.clock.after_up(machine.now, wait), self._finish, (self.version, least))

    def _finish(self, scheduled: tuple[int, Job]) -> None:
        # The job the event was made for ends, even if one with a lesser tag joined after the re-timing (05 §13.1).
        version, job = scheduled
        if version != self.version or job.gone:
            return
        self._touch()
        job.gone = True
        self.present -= 1
        self.virtual = maximum(self.virtual, job.tag)
        self.changed = True
        self.record_completion(job.joined, job.started)
        self.machine.run_done(job)

    def work(self) -> float:
        elapsed = self.machine.seconds - self.last
        virtual = self.virtual + self.rate * elapsed
        total = 0.0
        for tag, _, job in self.heap:
            if not job.gone:
                total += tag - virtual
        return total
