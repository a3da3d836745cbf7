"""The way to a finding, made again from the start with everything written down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from serq_interpreter.explore.canonical import Key
from serq_interpreter.explore.findings import Finding
from serq_interpreter.explore.oracle import Drawn
from serq_interpreter.explore.subject import Instance, Move, Subject
from serq_interpreter.machine import automaton as a
from serq_interpreter.machine.actors import GROWING, JOINING, QUEUED, Actor
from serq_interpreter.machine.automaton import Automaton
from serq_interpreter.machine.engine import Machine
from serq_interpreter.machine.errors import RunError
from serq_interpreter.machine.expression_text import member_text
from serq_interpreter.machine.watching import Record, attach


@dataclass(frozen=True, slots=True)
class Step:
    """One move: when it is made (seconds), what it drew and what happened (records of `machine.watching`)."""

    move: Move
    time: float
    drawn: tuple[Drawn, ...]
    happened: tuple[Record, ...]
    again: bool = False
    """Whether it belongs to the circle that goes on for ever."""


@dataclass(frozen=True, slots=True)
class Holding:
    """Units that a session has: of a pool, since a state of the automaton."""

    pool: str
    units: float
    state: int


@dataclass(frozen=True, slots=True)
class Waiter:
    """A session or leg at the end of the way, and what it waits for.

    `what` is `queue`, `grow`, `join`, `engine` or `stage`; `where` the pool or stage; `state` the automaton's state of
    the statement at which it waits.
    """

    session: int
    leg: int | None
    what: str
    where: str | None
    units: float | None
    state: int | None
    holds: tuple[Holding, ...]


@dataclass(frozen=True, slots=True)
class Room:
    """A pool at the end of the way."""

    pool: str
    cap: float
    used: float
    reserved: float


@dataclass(frozen=True, slots=True)
class Trace:
    """A finding with its way; `key` identifies the state at its end (`None` after an error)."""

    finding: Finding
    steps: tuple[Step, ...]
    waiters: tuple[Waiter, ...]
    rooms: tuple[Room, ...]
    automaton: Automaton
    key: Key | None
    error: RunError | None
    seconds: float
    sessions: int
    claim: str | None = None

    @property
    def oddities(self) -> bool:
        """Whether an event of the outside world was needed to let the system settle."""
        return any(step.move.kind == "settle" for step in self.steps)


def trace_of(instance: Instance, finding: Finding) -> Trace:
    """Walk a finding's way once more.  Raises what `Subject` raises."""
    subject = Subject(instance)
    machine = subject.machine
    records: list[Record] = []
    attach(machine, records.append)
    steps: list[Step] = []
    error: RunError | None = None
    end: tuple[tuple[Waiter, ...], tuple[Room, ...], Key | None] | None = None
    moves = [*[(move, False) for move in finding.path], *[(move, True) for move in finding.again]]
    for number, (move, again) in enumerate(moves):
        if number == len(finding.path):
            end = _end(subject)
        records.clear()
        try:
            subject.perform(move)
        except RunError as raised:
            raised.time = machine.seconds
            error = raised
        steps.append(Step(move, machine.seconds, tuple(subject.oracle.drawn), tuple(records), again))
    if end is None:
        end = _end(subject, failed=error is not None)
    waiters, rooms, key = end
    claim = (
        machine.program.claims[finding.subject].name
        if finding.kind == "claim" and isinstance(finding.subject, int)
        else None
    )
    return Trace(
        finding, tuple(steps), waiters, rooms, machine.automaton, key, error, machine.seconds, machine.arrivals, claim
    )


def _end(subject: Subject, failed: bool = False) -> tuple[tuple[Waiter, ...], tuple[Room, ...], Key | None]:
    machine = subject.machine
    waiters = tuple(waiter_of(machine, actor) for actor in subject.waiting())
    return waiters, rooms_of(machine), None if failed else subject.key()[0]


def rooms_of(machine: Machine) -> tuple[Room, ...]:
    """What the pools have now."""
    return tuple(Room(member_text(pool.declaration), pool.cap, pool.used, pool.outstanding()) for pool in machine.pools)


def waiter_of(machine: Machine, actor: Actor) -> Waiter:
    """What a session or leg waits for now."""
    holds = tuple(
        Holding(member_text(allocation.pool.declaration), allocation.units, frame.plan.own)
        for frame in actor.frames
        for allocation in frame.allocations
        if allocation.held
    )
    what, where, units, state = _what(machine, actor)
    return Waiter(actor.serial, actor.leg, what, where, units, state, holds)


def _what(machine: Machine, actor: Actor) -> tuple[str, str | None, float | None, int | None]:
    automaton = machine.automaton
    if actor.status == QUEUED and actor.waiting is not None:
        pool, units = _short_of(machine, actor)
        return "queue", pool, units, actor.waiting.plan.own
    if actor.grower is not None:
        grower = actor.grower
        return (
            "grow",
            member_text(grower.allocation.pool.declaration),
            grower.units,
            statement_before(automaton, actor.pc),
        )
    if actor.status == GROWING:
        return "grow", None, None, statement_before(automaton, actor.pc)
    if actor.status == JOINING:
        return "join", None, None, statement_before(automaton, actor.pc, (a.JoinState, a.JoinGroupState))
    job = actor.job
    if job is None:
        return "stage", None, None, actor.pc
    stage = job.stage
    kind = "engine" if stage.is_step else "stage"
    name = member_text(stage.declaration) if hasattr(stage, "declaration") else None
    return kind, name, None, statement_before(automaton, actor.pc, (a.RunState,))


def _short_of(machine: Machine, actor: Actor) -> tuple[str, float]:
    """The first pool of a waiting hold that has no room for it, and what is asked of it there."""
    assert actor.waiting is not None
    waiting = actor.waiting
    allocations = machine.admission._demand(actor, waiting.plan, waiting.pools)
    for allocation in allocations:
        pool = allocation.pool
        if pool.used + pool.outstanding() + allocation.need > pool.cap:
            return member_text(pool.declaration), allocation.need
    return member_text(waiting.pools[0].declaration), allocations[0].need


def statement_before(
    automaton: Automaton, pc: int, kinds: tuple[type[a.State], ...] = (a.GrowState, a.RunState)
) -> int:
    """The state whose successor a session's counter names: of a session that runs, grows or joins the counter stands
    behind the statement already."""
    for number, state in enumerate(automaton.states):
        if state.next == pc and isinstance(state, kinds):
            return number
    return pc


def happened(record: Record) -> str | None:
    """One happening in words; `None` for one that says nothing new."""
    rule = _WORDS.get(record["kind"])
    return None if rule is None else rule(record)


def _who(record: Record) -> str:
    if "session" not in record:
        return "a spill"
    leg = f", leg {record['leg']}" if "leg" in record else ""
    return f"session {record['session']}{leg}"


def _number(value: Any) -> str:
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def _wait(record: Record) -> str:
    cause = record["cause"]
    reserved = f" and {_number(cause['outstanding'])} reserved" if cause["outstanding"] else ""
    room = f"{_number(cause['used'])} of {_number(cause['cap'])} taken{reserved}"
    return f"{_who(record)} waits: `{cause['pool']}` has no room for {_number(cause['need'])} ({room})"


def _preempt(record: Record) -> str:
    return f"{_who(record)} is preempted on `{record['pool']}` at position {_number(record['position'])}, to make room for session {record['cause']['for']}"


_WORDS: dict[str, Any] = {
    "arrive": lambda record: f"{_who(record)} arrives",
    "turn": lambda record: f"{_who(record)} begins turn {record['turn']}",
    "end": lambda record: f"{_who(record)} ends",
    "wait": _wait,
    "stall": _wait,
    "admit": lambda record: f"{_who(record)} takes {_number(record['units'])} of `{record['pool']}`",
    "reject": lambda record: (
        f"{_who(record)} is refused: it asks for more than `{record['pool']}` has ({_number(record['cause']['cap'])})"
    ),
    "grow": lambda record: f"{_who(record)} grows by {_number(record['units'])} on `{record['pool']}`",
    "release": lambda record: f"{_who(record)} gives back {_number(record['units'])} of `{record['pool']}`",
    "keep": lambda record: f"{_who(record)} keeps {_number(record['units'])} cached in `{record['pool']}`",
    "evict": lambda record: f"{_number(record['units'])} cached units of `{record['pool']}` are evicted",
    "preempt": _preempt,
    "run": lambda record: f"{_who(record)} enters `{record['stage']}` with {_number(record['units'])}",
    "done": lambda record: f"{_who(record)} is done at `{record['stage']}`",
}
