"""The step engine: residents, iterations and what is measured of them (05 §6)."""

from __future__ import annotations

from math import inf, nan
from typing import TYPE_CHECKING, Any

from serq_interpreter.ir import program as ir
from serq_interpreter.machine.errors import RunError
from serq_interpreter.machine.expression_text import member_text
from serq_interpreter.machine.numbers import number_text
from serq_interpreter.machine.stages.base import Job, StageState
from serq_interpreter.machine.stages.decode_steps import DecodeSteps
from serq_interpreter.machine.stages.decoders import Decoders
from serq_interpreter.machine.stages.planning import Plan
from serq_interpreter.machine.stages.token_gaps import GapStatistics, LastToken

if TYPE_CHECKING:
    from serq_interpreter.machine.actors import Actor
    from serq_interpreter.machine.automaton import RunState
    from serq_interpreter.machine.claims import ClaimState
    from serq_interpreter.machine.engine import Machine
    from serq_interpreter.machine.pools import Allocation, PoolState
    from serq_interpreter.machine.stages.step_code import StepCode

RUN_IS_DONE = 1e-9
"""A run with at most this much left, absolutely, is complete (05 §6.7)."""


class StepJob(Job):
    """A resident.  `allocation` is what a growing run grows; `stalled` while such a growth waits for memory."""

    __slots__ = ("allocation", "decoding", "growing", "remaining", "stalled", "state")

    def __init__(self, actor: Actor, stage: StepStage, work: float, state: RunState, number: int) -> None:
        super().__init__(actor, stage, work, stage.machine.now, number)
        self.state = state
        self.decoding = state.mode is ir.RunMode.DECODE
        self.remaining = work
        self.growing: PoolState | None = None
        self.allocation: Allocation | None = None
        self.stalled = False


class StepStage(StageState):
    """An engine that serves its residents in iterations."""

    is_step = True

    def __init__(self, machine: Machine, declaration: ir.Stage, index: int) -> None:
        super().__init__(machine, declaration, index)
        self.code: StepCode
        self.memory: PoolState | None = None
        self.queues: list[PoolState] = []
        self.claims: list[ClaimState] = []
        self.residents: dict[StepJob, None] = {}
        self.others: dict[StepJob, None] = {}
        """The residents that are not members of the cohort."""
        self.decoders: Decoders | None = None
        """The cohort, where the program allows one."""
        self.plan: Plan | None = None
        self.reading_header_with: float | None = None
        self.running = False
        self.batch: list[tuple[StepJob, float]] = []
        """Who is served one by one in the running iteration."""
        self.together = 0
        """How many members of the cohort are served in it, before the batch."""
        self.n_prefills = 0
        self.n_decodes = 0
        self.last_attempt_empty = False
        self.served = 0.0
        self.iterations = 0
        self.time_prefill: Any = 0
        self.time_decode: Any = 0
        self.time_mixed: Any = 0
        self.area_decodes: Any = 0
        self.decode_steps: DecodeSteps = machine.clock.decode_steps()
        self.gaps = GapStatistics(machine.clock.zero)

    # ------------------------------------------------------------------ residents

    def join_run(self, actor: Actor, work: float, growing: PoolState | None, state: RunState) -> StepJob:
        """A run becomes a resident, at the end of the joining order."""
        self.n_jobs += 1
        self.present += 1
        job = StepJob(actor, self, work, state, self.n_jobs)
        job.growing = growing
        actor.attrs[state.position] = 0.0
        self.residents[job] = self.others[job] = None
        return job

    def leave(self, job: StepJob) -> None:
        job.gone = True
        self.present -= 1
        del self.residents[job]
        if self.decoders is not None and job in self.decoders.members:
            self.decoders.drop(job)
            return
        del self.others[job]
        if self.plan is not None:
            self.plan.drop(job)
        elif self.running:
            self.batch = [item for item in self.batch if item[0] is not job]

    def has_waiting(self) -> bool:
        for pool in self.queues:  # noqa: SIM110  read at every event
            if pool.queue:
                return True
        return False

    # ------------------------------------------------------------------ iterations

    def attempt(self) -> bool:
        """Plan an iteration and start it if it serves or preempted anybody (05 §6.3).

        Returns whether anything happened: somebody was served, preempted or admitted.
        """
        machine = self.machine
        registers = machine.registers.copy() if self.code.sets_registers else machine.registers
        plan = self.plan = machine.plan = Plan(self)
        plan.run()
        self.plan = machine.plan = None
        came_to_nothing = not plan.batch and not plan.together and plan.preempted == 0
        # Whom the attempt admitted may have gone elsewhere: then nobody is left behind (05 §10).
        self.last_attempt_empty = came_to_nothing and (self.present > 0 or self.has_waiting())
        if came_to_nothing:
            if plan.admitted == 0 and self.code.sets_registers:
                for index in self.code.registers:
                    machine.registers[index] = registers[index]
            return plan.admitted > 0
        self._start(plan)
        return True

    def _start(self, plan: Plan) -> None:
        machine = self.machine
        batch = plan.batch
        # While the cost and the claims are read the engine is not busy yet (05 §5).
        cost, exact, n_decodes = self._cost(plan)
        for claim in self.claims:
            claim.read()
        self.batch = batch
        self.together = plan.together
        self.n_decodes = n_decodes
        self.n_prefills = len(batch) + plan.together - n_decodes
        if plan.together:
            self._decoders.started += 1
            self.served += plan.together
        for job, tokens in batch:
            allocation = job.allocation
            if allocation is not None:
                allocation.position += tokens
                allocation.frame.advanced = True
            self.served += tokens
        if n_decodes > plan.together and self.decoders is not None:
            self.decoders.join_starting()
        self.iterations += 1
        self.running = True
        end = machine.now
        if cost < inf:
            end = machine.clock.after(end, cost) if exact is None or cost == 0.0 else end + exact
            machine.schedule(end, self.finish, None)
        if self.n_decodes and machine.measuring:
            self.decode_steps.add(self.n_decodes, cost, end - machine.now)

    def _cost(self, plan: Plan) -> tuple[float, int | None, int]:
        """In seconds, in ticks where it is exact, and the number of decodes."""
        code = self.code
        if code.quick_cost is not None:
            if self.claims:
                code.shape.measure(plan)
            cost, exact, n_decodes = code.quick_cost(plan)
        else:
            code.shape.measure(plan)
            cost, n_decodes = code.cost(self.machine.nobody), code.shape.n_decodes
            exact = None if code.cost_in_ticks is None else code.cost_in_ticks(self.machine.nobody)
        if not cost > 0.0:
            cost = 0.0
        if cost == 0.0 and (plan.batch or plan.together):
            name, tokens = member_text(self.declaration), number_text(plan.tokens())
            message = f"engine `{name}`: an iteration of {tokens} tokens takes no time; its cost must be above 0"
            kind = self.declaration.kind
            raise RunError("SQ0911", message, kind.cost if isinstance(kind, ir.Step) else None)
        return cost, exact, n_decodes

    def finish(self, _arg: Any) -> None:
        """Apply the iteration's tokens; completed runs leave and their sessions become ready (05 §6.7)."""
        batch, self.batch = self.batch, []
        self.running = False
        self.n_prefills = self.n_decodes = 0
        if self.together:
            self._finish_together()
        for job, tokens in batch:
            if job.gone:
                continue
            job.remaining -= tokens
            if job.actor is not None:
                job.actor.attrs[job.state.position] += tokens
            done = job.remaining <= RUN_IS_DONE
            if job.decoding or done:
                self.token(job, self.machine.now)
            if done:
                del self.others[job]
                self._done(job)

    @property
    def _decoders(self) -> Decoders:
        assert self.decoders is not None
        return self.decoders

    def _finish_together(self) -> None:
        """The members' tokens, and those of them that are done."""
        decoders, machine = self._decoders, self.machine
        n, self.together = self.together, 0
        decoders.finished += 1
        decoders.tokens_at(machine.now, n)
        if decoders.ends[0][0] == decoders.finished:
            for job in decoders.take_ended():
                self._done(job)

    def _done(self, job: StepJob) -> None:
        job.gone = True
        self.present -= 1
        del self.residents[job]
        self.record_completion(job.joined, job.joined)
        self.machine.run_done(job)

    def token(self, job: StepJob, now: Any) -> None:
        """A token at `now`: every decode's, and the end of a prefill (05 §10, token gaps)."""
        machine = self.machine
        actor = job.actor
        assert actor is not None
        last: LastToken | None = actor.tokens
        if last is None or last.turn != actor.turns:
            actor.tokens = LastToken(now, job.decoding, self, actor.turns)
            return
        continues = job.decoding or last.by_decode or (last.preempted and last.stage is self)
        if continues and machine.measuring:
            elapsed = now - last.time
            self.gaps.add(machine.span(elapsed), elapsed)
        last.time = now
        last.by_decode = last.by_decode or job.decoding
        last.stage = self
        last.preempted = False

    # ------------------------------------------------------------------ queries and averages

    def busy(self) -> int:
        return len(self.batch) + self.together

    def work(self) -> float:
        if self.decoders is not None:
            self.decoders.sync()
        total = 0.0
        for job in self.residents:
            total += job.remaining
        return total

    def budget_left(self) -> float:
        """In a header that the engine tries the tokens left; elsewhere a plan of the next attempt (05 §6.9).

        A body that the engine admitted reads the plan too, not what is left in the running attempt.
        """
        if self.reading_header_with is not None:
            return self.reading_header_with
        left = self.code.budget(self.machine.nobody)
        chunk = self.code.chunk(self.machine.nobody)
        jobs = self.residents
        if self.decoders is not None and self.decoders.members:
            if self._whole(left, chunk):
                # Whole numbers may be taken away in any order.
                left -= len(self.decoders.members)
                if not left > 0.0:
                    return 0.0
                jobs = self.others
            else:
                self.decoders.sync()
        for job in jobs:
            want = 1.0 if job.decoding else (chunk if chunk > 0.0 else inf)
            left = left - min(job.remaining, want)
            if not left > 0.0:
                return nan if left != left else 0.0
        return left if left > 0.0 or left != left else 0.0

    def _whole(self, left: float, chunk: float) -> bool:
        """Whether all that `budget_left` takes away is whole."""
        if not (left.is_integer() or left == inf) or not (chunk.is_integer() or not 0.0 < chunk < inf):
            return False
        return all(job.remaining.is_integer() for job in self.others)

    def integrate(self, elapsed: Any) -> None:
        if self.present:
            self.area_number += self.present * elapsed
            self.time_used += elapsed
        if self.running:
            if self.n_decodes:
                self.area_decodes += self.n_decodes * elapsed
                if self.n_prefills:
                    self.time_mixed += elapsed
                else:
                    self.time_decode += elapsed
            elif self.n_prefills:
                self.time_prefill += elapsed

    def start_measuring(self) -> None:
        super().start_measuring()
        self.time_prefill = self.time_decode = self.time_mixed = self.area_decodes = 0

    def is_idle_with_work(self) -> bool:
        """At the end: somebody here or waiting, nothing running, and the last attempt came to nothing."""
        return not self.running and self.last_attempt_empty and (self.present > 0 or self.has_waiting())
