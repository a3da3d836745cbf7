"""Runs over several stages: flows that share constant capacities (05 §8)."""

from __future__ import annotations

from math import inf, nan
from typing import TYPE_CHECKING

from serq_interpreter.ir import program as ir
from serq_interpreter.machine.numbers import maximum
from serq_interpreter.machine.stages.base import Job, StageState

if TYPE_CHECKING:
    from serq_interpreter.machine.actors import Actor
    from serq_interpreter.machine.engine import Machine


class SharedStage(StageState):
    """A stage of some flow: every run on it is a flow.  `capacity` is constant and positive."""

    def __init__(self, machine: Machine, declaration: ir.Stage, index: int, capacity: float) -> None:
        super().__init__(machine, declaration, index)
        self.capacity = capacity
        self.flows: Flows
        self.carried = 0.0

    def join(self, actor: Actor | None, work: float) -> Job:
        return self.flows.start(actor, [self], work)

    def leave(self, job: Job) -> None:
        self.flows.leave(job)

    def integrate(self, elapsed: float) -> None:
        if self.present:
            self.area_number += self.present * elapsed
            self.time_used += self.carried / self.capacity * elapsed

    def work(self) -> float:
        total = 0.0
        elapsed = self.machine.seconds - self.flows.last
        for flow in self.flows.present:
            if self in flow.stages:
                total += maximum(flow.remaining - flow.rate * elapsed, 0.0)
        return total


class Flow(Job):
    """A run present at all its stages from start to end."""

    __slots__ = ("rate", "remaining", "stages")

    def __init__(self, actor: Actor | None, stages: list[SharedStage], work: float, joined: float, number: int) -> None:
        super().__init__(actor, stages[0], work, joined, number)
        self.stages = stages
        self.remaining = work
        self.rate = 0.0


class Flows:
    """All flows of the deployment, re-timed together."""

    def __init__(self, machine: Machine, share: ir.Share | None) -> None:
        self.machine = machine
        self.share = share
        self.present: dict[Flow, None] = {}
        self.stages: list[SharedStage] = []
        self.last = 0.0
        self.version = 0
        self.changed = False
        self.n_started = 0
        self.due: Flow | None = None

    def start(self, actor: Actor | None, stages: list[SharedStage], work: float) -> Flow:
        self.n_started += 1
        flow = Flow(actor, stages, work, self.machine.now, self.n_started)
        self.present[flow] = None
        for stage in stages:
            stage.present += 1
        self.changed = True
        return flow

    def leave(self, job: Job) -> None:
        assert isinstance(job, Flow)
        job.gone = True
        del self.present[job]
        for stage in job.stages:
            stage.present -= 1
        self.changed = True

    def retime(self) -> None:
        """Advance every flow, share the capacities anew, schedule the next end."""
        self.changed = False
        machine = self.machine
        now = machine.seconds
        elapsed = now - self.last
        self.last = now
        for flow in self.present:
            done = flow.rate * elapsed if elapsed else 0.0
            flow.remaining = maximum(flow.remaining - done, 0.0)
        if self.share is ir.Share.BOTTLENECK:
            self._bottleneck()
        else:
            self._max_min()
        for stage in self.stages:
            stage.carried = 0.0
        for flow in self.present:
            for stage in flow.stages:
                stage.carried += flow.rate
                if flow.rate == inf:
                    # No finite average has an infinite rate in it, though no time passes (05 §10).
                    stage.time_used = nan
        self._schedule()

    def _bottleneck(self) -> None:
        for flow in self.present:
            flow.rate = min(stage.capacity / stage.present for stage in flow.stages)

    def _max_min(self) -> None:
        left = {stage: stage.capacity for stage in self.stages}
        count = {stage: stage.present for stage in self.stages}
        unset = dict.fromkeys(self.present)
        while unset:
            tightest: SharedStage | None = None
            share = inf
            for stage in self.stages:
                if count[stage] > 0 and (tightest is None or left[stage] / count[stage] < share):
                    tightest, share = stage, left[stage] / count[stage]
            assert tightest is not None
            for flow in [flow for flow in unset if tightest in flow.stages]:
                del unset[flow]
                flow.rate = share
                for stage in flow.stages:
                    left[stage] -= share
                    count[stage] -= 1

    def _schedule(self) -> None:
        self.version += 1
        machine = self.machine
        now = machine.seconds
        best = inf
        self.due = None
        for flow in self.present:
            if flow.rate > 0.0:
                end = now + flow.remaining / flow.rate
                if end < best:
                    best, self.due = end, flow
        if self.due is not None:
            machine.schedule(machine.clock.not_before(machine.now, best), self._finish, self.version)

    def _finish(self, version: int) -> None:
        flow = self.due
        if version != self.version or flow is None or flow.gone:
            return
        self.leave(flow)
        for stage in flow.stages:
            stage.record_completion(flow.joined, flow.joined)
        self.machine.run_done(flow)
