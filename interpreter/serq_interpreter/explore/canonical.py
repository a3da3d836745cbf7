"""When are two states the same?  A key that says so.

The key has no names and no clock: sessions are numbered by where the walk through agenda, pools and stages meets them
first, times are relative to the next event, orders are ranks, and only attributes that matter are in it (`relevance`).
Equal keys have equal futures, up to the names of sessions and the time of day.

Rates and remainders of shared stages are doubles whose last bits depend on the way that was taken; they are compared
to nine digits.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable
from hashlib import blake2b
from typing import Any

from serq_interpreter.explore.relevance import Relevance
from serq_interpreter.machine.actors import ENDED, NEVER_ADMITTED, Actor
from serq_interpreter.machine.engine import Machine
from serq_interpreter.machine.kinship import Kin
from serq_interpreter.machine.pools import PoolState
from serq_interpreter.machine.stages.base import Job
from serq_interpreter.machine.stages.flows import Flow
from serq_interpreter.machine.stages.sharing import PsStage
from serq_interpreter.machine.stages.simple import DelayStage, FifoStage
from serq_interpreter.machine.stages.step import StepStage

Key = bytes
_NOBODY = -1


class Canonical:
    """Keys of the states of one machine.

    Without `symmetry` sessions are numbered by their arrival: those of two states are the same if they came in the
    same order.
    """

    def __init__(self, machine: Machine, relevance: Relevance, symmetry: bool) -> None:
        self.machine = machine
        self.relevance = relevance
        self.symmetry = symmetry
        self.waits_matter = "Waited" in relevance.context
        self.ages_matter = bool(relevance.context & {"Age", "Last"})
        self.served_matters = "Served" in relevance.context
        self.arrived_matters = "Arrived" in relevance.context

    def key(self, remaining: int | None, may_arrive: bool, agenda: list[Any]) -> tuple[Key, list[Actor]]:
        """The key of the machine's present state, and its sessions and legs in the key's order.

        `remaining` sessions may still come; while one may, the time until the next event decides when.  `agenda` has
        the events that can have an effect, in their order.
        """
        walk = _Walk(self, agenda)
        value = walk.value(remaining, may_arrive)
        return blake2b(marshal.dumps(value, 2), digest_size=16).digest(), walk.order


class _Walk:
    def __init__(self, canonical: Canonical, agenda: list[Any]) -> None:
        self.canonical = canonical
        self.machine = canonical.machine
        self.relevance = canonical.relevance
        self.agenda = agenda
        self.then = agenda[0][0] if agenda else self.machine.now
        """The instant from which times count."""
        self.then_seconds = self.machine.clock.seconds(self.then)
        self.numbers: dict[Actor, int] = {}
        self.order: list[Actor] = []
        self.entries: dict[Any, int] = {}
        if not canonical.symmetry:
            for actor in (*self.machine.sessions, *self.machine.legs):
                self.refer(actor)

    def refer(self, actor: Actor | None) -> int:
        if actor is None:
            return _NOBODY
        number = self.numbers.get(actor)
        if number is None:
            number = self.numbers[actor] = len(self.order)
            self.order.append(actor)
        return number

    def value(self, remaining: int | None, may_arrive: bool) -> tuple[Any, ...]:
        machine = self.machine
        events = [self.event(*event) for event in self._ordered_agenda()]
        pools = [self.pool(pool) for pool in machine.pools]
        stages = [self.stage(stage) for stage in machine.stages]
        flows = [self.flow(flow) for flow in machine.flows.present]
        ready = [self.refer(actor) for actor in machine.ready]
        self._refer_to_the_rest()
        self.ranks = self._ranks()
        actors: list[Any] = []
        while len(actors) < len(self.order):
            actors.append(self.actor(self.order[len(actors)]))
        return (
            remaining,
            self.then - machine.now if may_arrive else None,
            machine.live,
            ready,
            machine.flows.changed,
            events,
            pools,
            stages,
            flows,
            actors,
            list(machine.registers),
            [claim.outside is not None for claim in machine.claims],
            [machine.aggregate(kind, observation) for kind, observation in self.relevance.aggregates],
            self.then_seconds if self.relevance.absolute_time else None,
            float(machine.arrivals) if self.canonical.arrived_matters else None,
        )

    def _refer_to_the_rest(self) -> None:
        """Who stands in no line (a session at a `join`): by what it looks like, then by arrival."""
        rest = [actor for actor in (*self.machine.sessions, *self.machine.legs) if actor not in self.numbers]
        if len(rest) > 1:
            rest.sort(key=self.looks)
        for actor in rest:
            self.refer(actor)

    def looks(self, actor: Actor) -> tuple[Any, ...]:
        """What can be said of an actor without naming another; NaN as text, so that it can be ordered."""
        attrs = actor.attrs
        return (actor.pc, actor.status, *[repr(attrs[slot]) for slot in self.relevance.slots])

    def _ranks(self) -> dict[Actor, int]:
        """The order of admissions among those who are here."""
        here = [actor for actor in (*self.machine.sessions, *self.machine.legs) if actor.admission < NEVER_ADMITTED]
        here.sort(key=lambda actor: actor.admission)
        return {actor: rank for rank, actor in enumerate(here)}

    # ------------------------------------------------------------------ agenda

    def _ordered_agenda(self) -> list[tuple[Any, str, int, Any]]:
        """Events by time; those of one instant by what they are, so that the order of their making is forgotten."""
        found = []
        for time, sequence, handler, argument in self.agenda:
            owner = handler.__self__
            index = getattr(owner, "index", _NOBODY)
            found.append((time, handler.__name__, index, self._argument_looks(argument), sequence, argument))
        found.sort(key=lambda event: event[:5])
        return [(time, name, index, argument) for time, name, index, _, _, argument in found]

    def _argument_looks(self, argument: Any) -> tuple[Any, ...]:
        actor = getattr(_subject(argument), "actor", None)
        return () if actor is None else self.looks(actor)

    def event(self, time: Any, name: str, index: int, argument: Any) -> tuple[Any, ...]:
        subject = _subject(argument)
        actor = getattr(subject, "actor", None) or getattr(subject, "owner", None)
        work = subject.work if isinstance(subject, Job) and subject.actor is None else None
        return (time - self.then, name, index, self.refer(actor), work)

    # ------------------------------------------------------------------ pools

    def pool(self, pool: PoolState) -> tuple[Any, ...]:
        refer = self.refer
        numbers = sorted(waiting.number for waiting in pool.queue)
        return (
            pool.used,
            pool.cached,
            [refer(actor) for actor in pool.places],
            [
                (
                    refer(waiting.actor),
                    waiting.front,
                    waiting.plan.own,
                    numbers.index(waiting.number),
                    self.then - waiting.joined if self.canonical.waits_matter else None,
                )
                for waiting in pool.queue
            ],
            [(refer(grower.actor), grower.units, grower.missing) for grower in pool.growers],
            [self.entry(entry) for entry in pool.entries.values()],
        )

    def entry(self, entry: Any) -> tuple[Any, ...]:
        snapshot = [entry.snapshot[slot] for slot in self.relevance.slots] if entry.snapshot else None
        owner = entry.owner
        if owner is not None and owner.status == ENDED:
            # Whose it was is of no account, only that its pieces in several tiers are one's.
            owner = None
            origin: Any = entry.owner
        else:
            origin = entry.origin
        number = None if origin is None else self.entries.setdefault(origin, len(self.entries))
        age = self.then - entry.last if self.canonical.ages_matter else None
        return (self.refer(owner), entry.size, snapshot, number, age, entry.root is None)

    # ------------------------------------------------------------------ stages

    def stage(self, stage: Any) -> tuple[Any, ...]:
        special = _SPECIAL.get(type(stage))
        found = (stage.present,) if special is None else (stage.present, *special(self, stage))
        if self.machine.estimates_read:
            estimator = stage.estimator
            gap, since = estimator.gap, self.then_seconds - estimator.previous
            completions = min(estimator.completions, 2)
            found += (completions, _near(since), estimator.service, estimator.waiting, gap)
        return found

    def fifo(self, stage: FifoStage) -> tuple[Any, ...]:
        return (
            [(self.refer(job.actor), job.work) for job in stage.line],
            sorted(self.refer(job.actor) for job in stage.in_service),
        )

    def delay(self, stage: DelayStage) -> tuple[Any, ...]:
        return (sorted(self.refer(job.actor) for job in stage.jobs),)

    def shared(self, stage: PsStage) -> tuple[Any, ...]:
        virtual = stage.virtual + stage.rate * (self.then_seconds - stage.last)
        jobs = sorted((tag, number, job) for tag, number, job in stage.heap if not job.gone)
        return (stage.changed, [(self.refer(job.actor), _near(tag - virtual)) for tag, _, job in jobs])

    def engine(self, stage: StepStage) -> tuple[Any, ...]:
        refer = self.refer
        return (
            stage.running,
            [(refer(job.actor), job.remaining, job.decoding, job.stalled) for job in stage.residents],
            [(refer(job.actor), tokens) for job, tokens in stage.batch],
            stage.served if self.canonical.served_matters else None,
        )

    def flow(self, flow: Flow) -> tuple[Any, ...]:
        rest = flow.remaining - flow.rate * (self.then_seconds - self.machine.flows.last)
        return (self.refer(flow.actor), [stage.index for stage in flow.stages], _near(rest))

    # ------------------------------------------------------------------ sessions

    def actor(self, actor: Actor) -> tuple[Any, ...]:
        attrs = actor.attrs
        relevance = self.relevance
        root = None if actor.root is actor else self.refer(actor.root)
        return (
            actor.pc,
            actor.status,
            actor.leg is not None,
            root,
            [attrs[slot] for slot in relevance.slots],
            [_near(self.then_seconds - attrs[slot]) for slot in relevance.clocks],
            [self.frame(frame) for frame in actor.frames],
            [(lease.pool.index, lease.units, lease.position, lease.advanced, lease.expires) for lease in actor.leases],
            actor.next_row,
            [list(row) for row in actor.rows[actor.next_row :]] if actor.rows else None,
            actor.legs_running,
            self.ranks.get(actor, _NOBODY),
            _positions(actor),
            actor.counted_stuck,
            actor.has_old_place,
            None if actor.kin is None else self.kin(actor.kin),
        )

    def kin(self, kin: Kin) -> tuple[Any, ...]:
        groups = [
            (group.number, group.total, [self.refer(child) for child in group.running])
            for group in kin.children.values()
        ]
        inherits = None if kin.inherits is None else kin.inherits.index
        return (self.refer(kin.parent), kin.depth, inherits, kin.joining, groups)

    def frame(self, frame: Any) -> tuple[Any, ...]:
        return (
            frame.plan.own,
            frame.advanced,
            [
                (allocation.pool.index, allocation.units, allocation.need, allocation.position, allocation.held)
                for allocation in frame.allocations
            ],
        )


_SPECIAL: dict[type, Callable[[_Walk, Any], tuple[Any, ...]]] = {
    FifoStage: _Walk.fifo,
    DelayStage: _Walk.delay,
    PsStage: _Walk.shared,
    StepStage: _Walk.engine,
}
"""What is particular to a kind of stage; flows are walked by themselves."""


def _subject(argument: Any) -> Any:
    """The job or the lease that an event is about."""
    return argument[1] if isinstance(argument, tuple) else argument


def _near(value: float) -> float:
    return round(value, 9)


def _positions(actor: Actor) -> list[tuple[int, float]] | None:
    """Where the actor was when it was last preempted, by pool."""
    before = actor.preempted_at
    return None if not before else sorted((pool.index, position) for pool, position in before.items())
