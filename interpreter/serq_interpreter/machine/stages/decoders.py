"""The decodes of an engine as one cohort: an iteration costs the same however many they are (05 §11.2).

Every member gets one token in each iteration that serves any of them, so that one set of counters stands for all:
`grown` iterations had their memory taken, `started` began, `finished` ended since the cohort was empty.  A member's
own numbers (remaining tokens, position, units, latest token) are what they were when it joined plus what the
counters have moved; `sync` writes them where somebody may look, `flush` also gives the members back to the engine,
which then serves them one by one.

Members stand in the order in which they are served, before every other resident.
"""

from __future__ import annotations

import heapq
from collections import deque
from itertools import accumulate, repeat
from typing import TYPE_CHECKING, Any

from serq_interpreter.machine.numbers import SLACK
from serq_interpreter.machine.stages.token_gaps import LastToken

if TYPE_CHECKING:
    from serq_interpreter.machine.pools import Allocation, PoolState
    from serq_interpreter.machine.stages.step import StepJob, StepStage

_NEVER = -1
"""The first growth of a member that has room for all its tokens."""


class Member:
    """A decode as it was when it joined.  Its first growth is for the iteration number `first`."""

    __slots__ = ("allocation", "attribute", "first", "position", "remaining", "since", "units")

    def __init__(self, job: StepJob, since: int) -> None:
        assert job.actor is not None
        self.since = since
        self.remaining = job.remaining
        self.attribute: float = job.actor.attrs[job.state.position]
        self.allocation: Allocation | None = job.allocation
        self.first = _NEVER
        self.position = self.units = 0.0
        if self.allocation is not None:
            self.position, self.units = self.allocation.position - 1.0, self.allocation.units


class Decoders:
    """The cohort of one engine.  Units and tokens of members are whole, and they grow one pool at most."""

    def __init__(self, engine: StepStage) -> None:
        self.engine = engine
        self.members: dict[StepJob, Member] = {}
        self.grown = self.started = self.finished = 0
        self.pool: PoolState | None = None
        self.block = 1
        self.takers: dict[int, int] = {}
        """How many members take a block, by the iteration's number modulo the block."""
        self.later: list[tuple[int, int, StepJob]] = []
        """Members with more than a block of room, by their first growth."""
        self.ends: list[tuple[int, float, int, StepJob]] = []
        """Members by the number of their last iteration, then in the order of serving."""
        self.units = 0.0
        """What the members hold of the engine's memory."""
        self.last: Any = None
        """When the members' latest token came."""
        self.fresh: list[StepJob] = []
        """Members whose first token is on its way; they are the last in order."""

    # ------------------------------------------------------------------ joining and leaving

    def join_starting(self) -> None:
        """Take in the decodes that the iteration which starts serves one by one, after the members.

        Members are served before everybody else: who comes after one that stays outside stays outside.
        """
        engine = self.engine
        batch = engine.batch
        if not self.members:
            self.started = self.grown = 1
        joined = 0
        for job, tokens in batch:
            if not (job.decoding and tokens == 1.0 and self._join(job)):
                break
            joined += 1
        if joined:
            engine.batch = batch[joined:]
            engine.together += joined
        elif not self.members:
            self._clear()

    def _join(self, job: StepJob) -> bool:
        """Take in a decode whose position the iteration has moved already; whether it can be a member."""
        remaining = job.remaining
        actor = job.actor
        assert actor is not None
        if not remaining.is_integer() or remaining < 1.0:
            return False
        member = Member(job, self.finished)
        if job.growing is not None and not self._grows(member):
            return False
        memory = self.engine.memory
        if memory is not None:
            self.units += actor.units_on(memory)
        self.members[job] = member
        self.fresh.append(job)
        heapq.heappush(self.ends, (self.finished + int(remaining), actor.admission, job.number, job))
        del self.engine.others[job]
        if member.first != _NEVER:
            if member.first - member.since < self.block:
                self._count(member.first, 1)
            else:
                heapq.heappush(self.later, (member.first, job.number, job))
        return True

    def _grows(self, member: Member) -> bool:
        """Whether a growing member fits the cohort's pool; sets its first growth."""
        allocation = member.allocation
        if allocation is None or not allocation.held:
            return False
        pool = allocation.pool
        if not self.members:
            block = pool.block
            if pool.reserve_held or block is None or not block.is_integer():
                return False
            self.pool, self.block = pool, int(block)
        elif self.pool is None and not pool.reserve_held and pool.block is not None and pool.block.is_integer():
            self.pool, self.block = pool, int(pool.block)
        elif pool is not self.pool:
            return False
        room = member.units - member.position
        if room < 1.0 or not room.is_integer() or not member.units.is_integer():
            return False
        if room < member.remaining:
            member.first = self.finished + int(room)
        return True

    def _count(self, first: int, change: int) -> None:
        residue = first % self.block
        number = self.takers.get(residue, 0) + change
        if number:
            self.takers[residue] = number
        else:
            del self.takers[residue]

    def take_ended(self) -> list[StepJob]:
        """The members whose last token came with the iteration that just ended, in the order of serving."""
        ended = []
        ends, finished = self.ends, self.finished
        while ends and ends[0][0] == finished:
            ended.append(heapq.heappop(ends)[3])
        for job in ended:
            self._remove(job)
        if not self.members:
            self._clear()
        return ended

    def drop(self, job: StepJob) -> None:
        """A member leaves before it is done: what a plan or the running iteration gave it goes back."""
        self._remove(job)
        if job in self.fresh:
            self.fresh.remove(job)
        self.ends[:] = [entry for entry in self.ends if entry[3] is not job]
        heapq.heapify(self.ends)
        engine, plan = self.engine, self.engine.plan
        if plan is not None and plan.together:
            plan.together -= 1
            plan.left += 1.0
        elif engine.together:
            engine.together -= 1
        if not self.members:
            self._clear()

    def _remove(self, job: StepJob) -> None:
        """A member leaves for good, with its own numbers."""
        member = self.members.pop(job)
        self._write(job, member)
        memory = self.engine.memory
        assert job.actor is not None
        if memory is not None:
            self.units -= job.actor.units_on(memory)
        if member.first != _NEVER and (member.first - member.since < self.block or self.grown > member.first):
            self._count(member.first, -1)

    def _clear(self) -> None:
        self.members.clear()
        self.takers.clear()
        self.later.clear()
        self.ends.clear()
        self.fresh.clear()
        self.units = 0.0
        self.pool = None
        self.block = 1
        self.grown = self.started = self.finished = 0

    # ------------------------------------------------------------------ the members' own numbers

    def _write(self, job: StepJob, member: Member) -> None:
        finished = self.finished - member.since
        actor = job.actor
        assert actor is not None
        job.remaining = member.remaining - finished
        actor.attrs[job.state.position] = member.attribute + finished
        allocation = member.allocation
        if allocation is not None and job.growing is not None:
            allocation.position = member.position + (self.started - member.since)
            if self.started > member.since:
                allocation.frame.advanced = True
            if member.first != _NEVER and self.grown > member.first:
                allocation.units = member.units + -(-(self.grown - member.first) // self.block) * self.block
        if job in self.fresh:
            return
        last: LastToken = actor.tokens
        last.time = self.last
        last.by_decode = True
        last.stage = self.engine
        last.preempted = False

    def sync(self) -> None:
        """Write every member's own numbers; they stay members."""
        for job, member in self.members.items():
            self._write(job, member)

    def flush(self) -> None:
        """Give the members back to the engine, with what a plan or the running iteration gave them."""
        if not self.members:
            return
        self.sync()
        engine = self.engine
        jobs = list(self.members)
        self._clear()
        engine.others = dict.fromkeys(engine.residents)
        plan = engine.plan
        if plan is not None and plan.together:
            plan.together = 0
            plan.batch[:0] = [(job, 1.0) for job in jobs]
            plan.seen.update(jobs)
        elif engine.together:
            engine.together = 0
            engine.batch[:0] = [(job, 1.0) for job in jobs]

    # ------------------------------------------------------------------ iterations

    def before_change(self) -> int:
        """How many iterations may start, after the one that runs, before some member completes or turns taker."""
        most = self.ends[0][0] - self.finished - 1
        if self.later and self.later[0][0] - self.grown < most:
            return self.later[0][0] - self.grown
        return most

    def grow(self) -> bool:
        """Take the memory that the next iteration needs; nothing is changed if that is not there at once."""
        later, grown = self.later, self.grown
        while later and later[0][0] == grown:
            if heapq.heappop(later)[2] in self.members:
                self._count(grown, 1)
        takers = self.takers
        number = takers.get(grown % self.block, 0) if takers else 0
        if number:
            pool = self.pool
            assert pool is not None
            growth = float(number * self.block)
            used = pool.used + growth
            if used > pool.cap + SLACK:
                return False
            if used + pool.cached > pool.cap + SLACK and (pool.evict_keys is not None or pool.spill_to is not None):
                return False
            pool.used = used
            if pool is self.engine.memory:
                self.units += growth
            if pool.cached:
                self.engine.machine.caching.evict_excess(pool)
        self.grown = grown + 1
        return True

    def tokens_at(self, now: Any, n: int) -> None:
        """All `n` members get a token at `now`."""
        engine = self.engine
        machine, fresh = engine.machine, self.fresh
        n -= len(fresh)
        if n and machine.measuring:
            gaps, elapsed = engine.gaps, now - self.last
            gaps.count += n
            gaps.bucket_of(machine.span(elapsed))[0] += n
            gaps.total = added_times(gaps.total, elapsed, n)
        if fresh:
            for job in fresh:
                engine.token(job, now)
            fresh.clear()
        self.last = now


def added_times(total: Any, value: Any, n: int) -> Any:
    """`value` added `n` times, one after the other: on the clock of doubles the order is part of the result."""
    if isinstance(total, int) and isinstance(value, int):
        return total + n * value
    if n <= 8:
        for _ in range(n):
            total += value
        return total
    return deque(accumulate(repeat(value, n), initial=total), maxlen=1)[0]
