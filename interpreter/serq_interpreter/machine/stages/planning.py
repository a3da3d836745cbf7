"""One attempt of a step engine: who gets how many tokens, who is admitted (05 §6.3 to §6.6, §7)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from math import inf
from typing import TYPE_CHECKING, Any

from serq_interpreter.machine.errors import RunError
from serq_interpreter.machine.expression_text import member_text
from serq_interpreter.machine.growth import FELL, WAITS
from serq_interpreter.machine.numbers import floor, minimum, number_text, total_order

if TYPE_CHECKING:
    from serq_interpreter.machine.evaluate import Closure
    from serq_interpreter.machine.pools import Waiting
    from serq_interpreter.machine.stages.decoders import Decoders
    from serq_interpreter.machine.stages.step import StepJob, StepStage
    from serq_interpreter.machine.stages.step_code import AdmitCode, BodyStatement, Order, ServeCode


class Plan:
    """The state of an attempt.

    `left` is what is left of the budget, `batch` the tokens given, in the order given; `seen`
    the jobs served or passed over; `passed` whether a granule passed somebody over.
    """

    __slots__ = (
        "admitted",
        "batch",
        "budget",
        "chunk",
        "left",
        "literal",
        "passed",
        "preempted",
        "seen",
        "stage",
        "together",
    )

    def __init__(self, stage: StepStage) -> None:
        self.stage = stage
        machine = stage.machine
        self.budget = self.left = stage.code.budget(machine.nobody)
        self.chunk = stage.code.chunk(machine.nobody)
        self.batch: list[tuple[StepJob, float]] = []
        self.together = 0
        """Members of the cohort that are served, before the batch."""
        self.seen: set[StepJob] = set()
        self.preempted = 0
        self.admitted = 0
        self.passed = False
        self.literal = stage.code.body is not None
        """A programmed body serves while `left > 0`; the default one until `left <= 0`, which differs for a NaN."""

    # ------------------------------------------------------------------ procedures

    def run(self) -> None:
        code = self.stage.code
        if code.exclusive_prefill:
            self._exclusive_prefill()
        elif code.body is not None:
            self._body(code.body)
        else:
            self._serve_residents(code.order)
            if self.preempted == 0 and self.stage.has_waiting():
                self.admit(None, None, while_unpreempted=True)

    def _serve_residents(self, order: Order) -> None:
        """Everybody here: the cohort at once where that is the same, else one by one."""
        stage = self.stage
        decoders = stage.decoders
        if decoders is not None and decoders.members:
            if self._serve_together(decoders, order):
                if stage.others:
                    self.serve(list(stage.others), None, order)
                return
            decoders.flush()
        self.serve(list(stage.residents), None, order)

    def _serve_together(self, decoders: Decoders, order: Order) -> bool:
        """Serve the members if they come first, and there is budget and memory for all; else change nothing."""
        n = len(decoders.members)
        if not (self.left >= n and (self.left.is_integer() or self.left == inf)):
            return False
        others = self.stage.others
        if others:
            last = _order_key(next(reversed(decoders.members)), order)
            for job in others:
                if _order_key(job, order) < last:
                    return False
        if not decoders.grow():
            return False
        self.together = n
        self.left -= n
        return True

    def _body(self, statements: tuple[BodyStatement, ...]) -> None:
        for statement in statements:
            statement.run(self)

    def serve_statement(self, code: ServeCode) -> None:
        jobs = [job for job in self.stage.residents if job not in self.seen]
        self.serve(jobs, code.only, code.order)

    def admit_statement(self, code: AdmitCode) -> None:
        self.admit(code.only, code.gate)

    def _exclusive_prefill(self) -> None:
        """A waiting prefill takes the iteration for itself (05 §6.6)."""
        stage = self.stage
        order = stage.code.order
        prefills = [job for job in stage.residents if not job.decoding]
        if prefills:
            # Even those that wait for memory keep the decodes out, though not newcomers from being admitted.
            self._serve_one(prefills)
            if self.batch:
                return
        else:
            self.serve(list(stage.residents), None, order)
        while self.preempted == 0 and self.left > 0.0:
            newcomers = self._admit_head(self.budget)
            if newcomers is None:
                return
            arrived = [job for job in newcomers if not job.decoding]
            if arrived:
                if self._displace_decodes(arrived):
                    return
            elif not prefills:
                self.serve(newcomers, None, order)

    def _displace_decodes(self, prefills: list[StepJob]) -> bool:
        """A newcomer's prefill takes the whole budget; the decodes stay chosen if memory keeps it out.

        Returns whether it did take it.
        """
        decodes, self.batch = self.batch, []
        left, self.left = self.left, self.budget
        self._serve_one(prefills)
        if self.batch:
            return True
        self.batch, self.left = [item for item in decodes if not item[0].gone], left
        return False

    def _serve_one(self, prefills: list[StepJob]) -> None:
        """The first prefill for which there is memory; one that waits for it lets the next be tried."""
        for job in sorted(prefills, key=_admission_order):
            if not self.serve([job], None, self.stage.code.order) or self.batch:
                return

    # ------------------------------------------------------------------ serving

    def _open(self) -> bool:
        return self.left > 0.0 if self.literal else not self.left <= 0.0

    def serve(self, jobs: Collection[StepJob], only: Closure | None, order: Order) -> bool:
        """Give tokens to the jobs, least keys first, until the budget is used up (05 §6.3).

        Returns false if a job preempted itself, which ends the serving.
        """
        if order.stable and only is None and len(jobs) == 1:
            (job,) = jobs
            if self._open() and not job.gone and not job.stalled and job not in self.seen:
                return self._offer(job)
            return True
        picks = self._sorted_picks(jobs, order) if order.stable else self._picks(jobs, order)
        for job in picks:
            if only is not None and only(job.actor) == 0.0:
                continue
            if not self._offer(job):
                return False
        return True

    def _sorted_picks(self, jobs: Iterable[StepJob], order: Order) -> Iterable[StepJob]:
        """Keys that nothing changes during the plan: one sort instead of a search per pick."""
        if not order.keys:
            ranked = sorted(jobs, key=_admission_order)
        else:
            ranked = sorted(jobs, key=lambda job: _key(job, order.keys))
        for job in ranked:
            if not self._open():
                return
            if not job.gone and not job.stalled and job not in self.seen:
                yield job

    def _picks(self, jobs: Iterable[StepJob], order: Order) -> Iterable[StepJob]:
        """Keys are read anew before each pick."""
        rest = list(jobs)
        while self._open():
            best: StepJob | None = None
            best_key: Any = None
            rest = [job for job in rest if not job.gone and not job.stalled and job not in self.seen]
            for job in rest:
                key = _key(job, order.keys)
                if best is None or key < best_key:
                    best, best_key = job, key
            if best is None:
                return
            rest.remove(best)
            yield best

    def _offer(self, job: StepJob) -> bool:
        """Serve one job; false if it preempted itself, which ends the statement."""
        tokens = self._want(job)
        if tokens == 0.0:
            self.seen.add(job)
            self.passed = True
            return True
        if job.growing is not None:
            outcome = self.stage.machine.growth.grow_run(job, tokens)
            if outcome == FELL:
                return False
            if outcome == WAITS:
                return True
        self.batch.append((job, tokens))
        self.left -= tokens
        self.seen.add(job)
        return True

    def _want(self, job: StepJob) -> float:
        """Tokens for a job (05 §6.4); 0 only where the granule says so."""
        if job.decoding:
            return minimum(minimum(1.0, job.remaining), self.left)
        amount = job.remaining
        if self.chunk > 0.0:
            amount = min(amount, self.chunk)
        amount = minimum(amount, self.left)
        granule = self.stage.code.granule
        if granule is not None and amount < job.remaining:
            amount = floor(amount / granule) * granule if granule < inf else 0.0
        return amount

    def drop(self, job: StepJob) -> None:
        """A job left during the plan: its tokens go back."""
        for number, (served, tokens) in enumerate(self.batch):
            if served is job:
                del self.batch[number]
                self.left += tokens
                return

    # ------------------------------------------------------------------ admitting

    def admit(self, only: Closure | None, gate: Closure | None, while_unpreempted: bool = False) -> None:
        """Admit heads of the engine's queues and serve who comes of it (05 §6.6)."""
        stage = self.stage
        while not self.passed and self.left > 0.0:
            if gate is not None and not self._gate(gate):
                return
            if while_unpreempted and self.preempted:
                return
            newcomers = self._admit_head(self.left)
            if newcomers is None:
                return
            if newcomers and not self.serve(newcomers, only, stage.code.order):
                return

    def _gate(self, gate: Closure) -> bool:
        value = gate(self.stage.machine.nobody)
        if value not in (0.0, 1.0):
            name = member_text(self.stage.declaration)
            message = f"engine `{name}`: the `while` of an `admit` came out as {number_text(value)}, neither true (1) nor false (0)"
            raise RunError("SQ0908", message, self.stage.code.node_of(gate))
        return value == 1.0

    def _admit_head(self, budget_in_header: float) -> list[StepJob] | None:
        """Try the selected head; the jobs that joined because of it, or `None` if it does not fit."""
        stage = self.stage
        head = self._head()
        if head is None:
            return None
        stage.reading_header_with = budget_in_header
        admitted = stage.machine.admission.admit(head)
        stage.reading_header_with = None
        if not admitted:
            return None
        self.admitted += 1
        mark = stage.n_jobs
        stage.machine.run_ready()
        return [job for job in stage.others if job.number > mark]

    def _head(self) -> Waiting | None:
        for pool in self.stage.queues:
            if pool.queue:
                return pool.head()
        return None

    # ------------------------------------------------------------------ what a body reads

    def tokens(self) -> float:
        total = float(self.together) if self.together else -0.0
        for _, tokens in self.batch:
            total += tokens
        return total

    def prefilled(self) -> float:
        total = -0.0
        for job, tokens in self.batch:
            if not job.decoding:
                total += tokens
        return total


def _admission_order(job: StepJob) -> tuple[float, int]:
    assert job.actor is not None
    return job.actor.admission, job.number


def _order_key(job: StepJob, order: Order) -> tuple[Any, ...]:
    return _key(job, order.keys) if order.keys else _admission_order(job)


def _key(job: StepJob, keys: tuple[Closure, ...]) -> tuple[Any, ...]:
    actor = job.actor
    assert actor is not None
    return (*[total_order(key(actor)) for key in keys], actor.admission, job.number)
