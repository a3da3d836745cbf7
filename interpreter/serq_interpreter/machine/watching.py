"""What happened in a run and why, one record per happening.

`attach` makes a machine tell a sink about every arrival, end, wait, admission, rejection, eviction, preemption,
growth and run, with its cause and the automaton state of the session concerned.  It wraps methods of the machine's
parts, so that a run that is not watched pays nothing and a run that is watched computes the same.

A record is a dictionary with `t` (clock units), `n` (its number), `kind`, and where they apply `session`, `leg`,
`pool`, `stage`, `state` (the number of the automaton's state), `units` and `cause` (a dictionary that names the reason).

| kind | cause |
|---|---|
| `arrive` | –; of a child its `parent`, a serial, and its `depth` |
| `turn` `end` | – |
| `queue` | `preempted`, or how many are `ahead` |
| `wait` | the `pool` without room, its `used`, `outstanding` and `cap`, and the `need` |
| `admit` | the time `waited` and the units `hit` in the own prefix |
| `reject` | the `pool` and its `cap` |
| `stall` | as `wait`: a growth without room and without a victim |
| `grow` `release` `keep` | – |
| `evict` | for whom room is made (`session`), and by what (`by`) |
| `preempt` | whose growth needs room (`for`) and its `units` |
| `run` | how many were `present` already |
| `done` | the time in the stage, `lasted` |
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from serq_interpreter.machine import automaton as a
from serq_interpreter.machine.actors import Actor
from serq_interpreter.machine.expression_text import member_text
from serq_interpreter.machine.numbers import SLACK

if TYPE_CHECKING:
    from serq_interpreter.machine.actors import Lease
    from serq_interpreter.machine.engine import Machine
    from serq_interpreter.machine.pools import Allocation, Entry, PoolState, Waiting
    from serq_interpreter.machine.stages.base import Job, StageState

Record = dict[str, Any]
Sink = Callable[[Record], None]


def attach(machine: Machine, sink: Sink) -> None:
    """Tell `sink` what happens in a machine that has not started."""
    machine.watched = True
    log = _Log(machine, sink)
    log.watch_sessions()
    log.watch_queues()
    log.watch_memory()
    log.watch_stages()


class _Log:
    def __init__(self, machine: Machine, sink: Sink) -> None:
        self.machine = machine
        self.sink = sink
        self.n = 0
        self.told_to_wait: set[int] = set()
        """Numbers of waiting holds whose reason was told; it is told once, when the hold is first tried in vain."""
        self.reason: Record = {"by": "start"}
        """What makes room at present: the cause of evictions and preemptions."""
        self.run_states: dict[int, int] = {}
        for number, state in enumerate(machine.automaton.states):
            if isinstance(state, a.RunState):
                self.run_states.setdefault(state.next, number)

    def tell(self, kind: str, actor: Actor | None = None, **fields: Any) -> None:
        record: Record = {"t": self.machine.seconds, "n": self.n, "kind": kind}
        self.n += 1
        if actor is not None:
            record["session"] = actor.serial
            if actor.leg is not None:
                record["leg"] = actor.leg
        self.sink(record | fields)

    # ------------------------------------------------------------------ sessions

    def watch_sessions(self) -> None:
        lifecycle = self.machine.lifecycle
        block, turn, leave = lifecycle._block, lifecycle.turn, lifecycle._leave

        def on_block(actor: Actor, lines: list[Any], draws: bool) -> None:
            if actor.turns == 0 and lines is lifecycle.init:
                self.tell("arrive", actor, state=actor.pc)
            block(actor, lines, draws)

        def on_turn(actor: Actor) -> None:
            turn(actor)
            self.tell("turn", actor, state=actor.pc, turn=actor.turns)

        def on_leave(session: Actor) -> None:
            self.tell("end", session, state=session.pc)
            leave(session)

        children = lifecycle.children
        if children is not None:
            born = children.born

            def on_born(child: Actor) -> None:
                kin = child.kin
                assert kin is not None and kin.parent is not None
                self.tell("arrive", child, state=child.pc, cause={"parent": kin.parent.serial, "depth": kin.depth})
                born(child)

            children.born = on_born  # type: ignore[method-assign]
        lifecycle._block = on_block  # type: ignore[method-assign]
        lifecycle.turn = on_turn  # type: ignore[method-assign]
        lifecycle._leave = on_leave  # type: ignore[method-assign]

    # ------------------------------------------------------------------ queues

    def watch_queues(self) -> None:
        admission = self.machine.admission
        enqueue, admit, refuse, move_in = admission._enqueue, admission.admit, admission._refuse, admission._move_in

        def on_enqueue(waiting: Waiting, front: bool) -> None:
            pool = waiting.pools[0]
            cause: Record = {"preempted": True} if self.reason.get("preempting") else {"ahead": len(pool.queue)}
            units = waiting.units_at_join[0]
            self.tell("queue", waiting.actor, pool=_name(pool), state=waiting.plan.own, units=units, cause=cause)
            enqueue(waiting, front)

        def on_admit(waiting: Waiting) -> bool:
            actor = waiting.actor
            before = self.reason
            self.reason = {"session": actor.serial, "by": "admit"}
            admitted = admit(waiting)
            self.reason = before
            if admitted:
                self.told_to_wait.discard(waiting.number)
                waited = self.machine.span(self.machine.now - waiting.joined)
                self._admitted(waiting, waited)
            elif waiting.number not in self.told_to_wait:
                self.told_to_wait.add(waiting.number)
                self._in_vain(waiting)
            return admitted

        def on_refuse(actor: Actor, pool: PoolState) -> None:
            self.tell("reject", actor, pool=_name(pool), state=actor.pc, cause={"pool": _name(pool), "cap": pool.cap})
            refuse(actor, pool)

        def on_move_in(allocation: Allocation, frame: Any, actor: Actor, reuse: float | None) -> float:
            hit = move_in(allocation, frame, actor, reuse)
            self.hits[id(allocation)] = hit
            return hit

        self.hits: dict[int, float] = {}
        admission._enqueue = on_enqueue  # type: ignore[method-assign]
        admission.admit = on_admit  # type: ignore[method-assign]
        admission._refuse = on_refuse  # type: ignore[method-assign]
        admission._move_in = on_move_in  # type: ignore[method-assign]

    def _admitted(self, waiting: Waiting, waited: float) -> None:
        """One record per pool of the hold."""
        for allocation in waiting.actor.frames[-1].allocations:
            cause = {"waited": waited, "hit": self.hits.pop(id(allocation), 0.0)}
            pool, units = _name(allocation.pool), allocation.units
            self.tell("admit", waiting.actor, pool=pool, state=waiting.plan.own, units=units, cause=cause)

    def _in_vain(self, waiting: Waiting) -> None:
        for allocation in self.machine.admission._demand(waiting.actor, waiting.plan, waiting.pools):
            pool = allocation.pool
            if not pool.used + pool.outstanding() + allocation.need <= pool.cap + SLACK:
                cause = _no_room(pool, allocation.need)
                self.tell("wait", waiting.actor, pool=_name(pool), state=waiting.plan.own, cause=cause)
                return

    # ------------------------------------------------------------------ memory

    def watch_memory(self) -> None:
        self._watch_growth()
        self._watch_caching()
        self._watch_releases()

    def _watch_growth(self) -> None:
        growth = self.machine.growth
        make_room, take, stall, preempt = growth._make_room, growth.take, growth._stall, growth.preempt

        def on_make_room(actor: Actor, allocation: Allocation, units: float) -> int:
            before = self.reason
            self.reason = {"session": actor.serial, "by": "grow", "units": units}
            outcome = make_room(actor, allocation, units)
            self.reason = before
            return outcome

        def on_take(allocation: Allocation, units: float) -> None:
            before = self.reason
            self.reason = {"session": allocation.actor.serial, "by": "grow"}
            self.tell("grow", allocation.actor, pool=_name(allocation.pool), state=allocation.actor.pc, units=units)
            take(allocation, units)
            self.reason = before

        def on_stall(grower: Any) -> None:
            pool = grower.allocation.pool
            cause = _no_room(pool, grower.units)
            self.tell("stall", grower.actor, pool=_name(pool), state=grower.actor.pc, units=grower.units, cause=cause)
            stall(grower)

        def on_preempt(victim: Actor, pool: PoolState) -> None:
            allocation = victim.allocation_on(pool)
            cause = {"for": self.reason.get("session"), "units": self.reason.get("units")}
            position = None if allocation is None else allocation.position
            self.tell("preempt", victim, pool=_name(pool), state=victim.pc, position=position, cause=cause)
            before = self.reason
            self.reason = {"session": self.reason.get("session"), "by": "preempt", "preempting": True}
            preempt(victim, pool)
            self.reason = before

        growth._make_room = on_make_room  # type: ignore[method-assign]
        growth.take = on_take  # type: ignore[method-assign]
        growth._stall = on_stall  # type: ignore[method-assign]
        growth.preempt = on_preempt  # type: ignore[method-assign]

    def _watch_caching(self) -> None:
        caching = self.machine.caching
        evict_piece, keep = caching._evict_piece, caching.keep

        def on_evict_piece(pool: PoolState) -> None:
            sizes = _sizes_of_candidates(pool)
            before = pool.evicted_units
            evict_piece(pool)
            owner = next((owner for entry, owner, size in sizes if entry.size != size), None)
            units = pool.evicted_units - before
            cause = {key: self.reason[key] for key in ("session", "by") if key in self.reason}
            self.tell("evict", owner, pool=_name(pool), units=units, cause=cause)

        def on_keep(pool: PoolState, actor: Actor, units: float) -> None:
            keep(pool, actor, units)
            self.tell("keep", actor, pool=_name(pool), state=actor.pc, units=units)

        caching._evict_piece = on_evict_piece  # type: ignore[method-assign]
        caching.keep = on_keep  # type: ignore[method-assign]

    def _watch_releases(self) -> None:
        holds = self.machine.holds
        give_back, end_lease = holds.give_back, holds.end_lease

        def on_give_back(allocation: Allocation, actor: Actor, preempted: bool = False) -> None:
            self.tell("release", actor, pool=_name(allocation.pool), state=actor.pc, units=allocation.units)
            give_back(allocation, actor, preempted)

        def on_end_lease(lease: Lease) -> None:
            self.tell("release", lease.owner, pool=_name(lease.pool), units=lease.units, cause={"by": "lease"})
            end_lease(lease)

        holds.give_back = on_give_back  # type: ignore[method-assign]
        holds.end_lease = on_end_lease  # type: ignore[method-assign]

    # ------------------------------------------------------------------ stages

    def watch_stages(self) -> None:
        machine = self.machine
        run_done = machine.run_done
        for stage in machine.stages:
            self._watch_joins(stage)

        def on_done(job: Job) -> None:
            lasted = machine.span(machine.now - job.joined)
            self.tell(
                "done", job.actor, stage=self._stage_of(job), state=self._run_state(job.actor), cause={"lasted": lasted}
            )
            run_done(job)

        machine.run_done = on_done  # type: ignore[method-assign]

    def _watch_joins(self, stage: StageState) -> None:
        join, join_run = stage.join, getattr(stage, "join_run", None)

        def on_join(actor: Actor | None, work: float) -> Job:
            self._joins(stage, actor, work)
            return join(actor, work)

        def on_join_run(actor: Actor, work: float, *rest: Any) -> Any:
            self._joins(stage, actor, work)
            assert join_run is not None
            return join_run(actor, work, *rest)

        stage.join = on_join  # type: ignore[method-assign]
        if join_run is not None:
            stage.join_run = on_join_run  # type: ignore[attr-defined]

    def _joins(self, stage: StageState, actor: Actor | None, work: float) -> None:
        cause = {"present": stage.present}
        self.tell("run", actor, stage=_name(stage), state=self._run_state(actor), units=work, cause=cause)

    def _run_state(self, actor: Actor | None) -> int | None:
        """The `run` state that a session is in: its counter already stands behind it."""
        return None if actor is None else self.run_states.get(actor.pc)

    @staticmethod
    def _stage_of(job: Job) -> str | None:
        return _name(job.stage) if hasattr(job.stage, "declaration") else None


def _name(member: PoolState | StageState) -> str:
    return member_text(member.declaration)


def _no_room(pool: PoolState, need: float) -> Record:
    return {"pool": _name(pool), "used": pool.used, "outstanding": pool.outstanding(), "cap": pool.cap, "need": need}


def _sizes_of_candidates(pool: PoolState) -> list[tuple[Entry, Actor | None, float]]:
    """The entries one of which an eviction will shrink: under `lru` the first, else any.

    The choice is not asked for: its keys may draw.
    """
    entries = pool.entries.values()
    if pool.evict_keys is None:
        first = next(iter(entries))
        return [(first, first.owner, first.size)]
    return [(entry, entry.owner, entry.size) for entry in entries]
