"""The machine as a transition system: its states at rest, and the moves that lead from one to the next.

A *move* is the start of the run, an arrival, or the next event of the agenda; where several events are due at one
instant, each of them may come first.  The draws inside a move are decided by an `Oracle`, so a move with its decisions
has one outcome.  The transitions are those of the machine's reference execution: nothing of the language is
implemented a second time.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Any, Literal

from serq_interpreter.explore.canonical import Canonical, Key
from serq_interpreter.explore.oracle import DecidedPicks, DecidedStreams, Oracle, decided_draws
from serq_interpreter.explore.relevance import everything, relevance_of
from serq_interpreter.explore.snapshot import Snapshot, Snapshots
from serq_interpreter.explore.supports import supports_of
from serq_interpreter.ir import program as ir
from serq_interpreter.ir.deep import deep_recursion
from serq_interpreter.machine.actors import JOINING, Actor
from serq_interpreter.machine.arrivals import n_initial_sessions
from serq_interpreter.machine.build import build_machine
from serq_interpreter.machine.compile_automaton import compile_automaton
from serq_interpreter.machine.engine import Machine
from serq_interpreter.machine.kinship import is_spawned
from serq_interpreter.machine.pools import Waiting
from serq_interpreter.machine.quirks import Quirks
from serq_interpreter.machine.run import load_trace, make_clock
from serq_interpreter.machine.settings import Settings
from serq_interpreter.machine.stages.sharing import PsStage
from serq_interpreter.machine.stages.step import StepStage

Arrivals = Literal["law", "any"]


@dataclass(frozen=True, slots=True)
class Reduction:
    """What makes states equal that need not be told apart, and orders that need not be tried.  Verdicts are the same."""

    symmetry: bool = True
    slicing: bool = True
    partial_order: bool = True

    @classmethod
    def none(cls) -> Reduction:
        return cls(symmetry=False, slicing=False, partial_order=False)


@dataclass(frozen=True, slots=True)
class Instance:
    """A small instance of a program.

    `sessions` of them come: under `any` each at any time (the default of an open law), under `law` all at time 0.
    With `replace` so many are live at once, and whoever ends may be followed by another.  `values` represent a
    continuous draw, `support` outcomes at most a finite one.
    """

    program: ir.Program
    sessions: int = 2
    arrivals: Arrivals = "any"
    replace: bool = False
    values: int = 2
    support: int = 4
    semantics: Literal["edition", "pure"] = "edition"
    directory: Path | None = None
    reduction: Reduction = field(default_factory=Reduction)


def natural_arrivals(program: ir.Program) -> Arrivals:
    """How sessions come if nobody says: an open law's at any time, others' as the law has it."""
    return "any" if isinstance(program.arrival, ir.Poisson | ir.Renewal) else "law"


@dataclass(frozen=True, slots=True)
class Move:
    """`event` takes the `index`-th of the events that are due together; `decisions` are its draws'.

    `arrive` lets one session come, or `index` more at the same instant: an engine that stands still starts with all of
    them, but at once with a single one.
    `settle` is an event of the outside world that concerns nobody here.  In the edition a system may be left
    unsettled until the next event (05 §13); where sessions keep arriving there always is one.
    """

    kind: Literal["start", "arrive", "event", "settle"]
    index: int = 0
    decisions: tuple[int, ...] = ()


START = Move("start")


class Counters:
    """What happened in a move, for the questions that are asked of edges."""

    __slots__ = ("admitted", "closed", "turns")

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """A move begins."""
        self.closed = 0
        self.turns = 0
        self.admitted: set[int] = set()
        """Pools from whose queues somebody was admitted."""


class _NoBacklog:
    """Stands where a run counts its live sessions."""

    def change(self, time: float, level: float) -> None:
        """Nothing is counted."""


class Subject:
    """A machine that can be put into any state reached before.

    Raises `RunError` if the program's trace cannot be read or its settings make no run.
    """

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.oracle = Oracle()
        self.counters = Counters()
        with deep_recursion():
            self.machine = self._build()
            relevance = relevance_of if instance.reduction.slicing else everything
            self.relevance = relevance(instance.program)
        self._quieten()
        self.snapshots = Snapshots(self.machine)
        self.canonical = Canonical(self.machine, self.relevance, instance.reduction.symmetry)
        self.open = instance.arrivals == "any"

    def _build(self) -> Machine:
        instance = self.instance
        program = instance.program
        settings = Settings(program.seed, program.horizon, 0.0, None)
        corpus = load_trace(program, None, instance.directory)
        clock, _ = make_clock("exact", program, settings)
        supports = supports_of(program, instance.values, instance.support)
        machine = build_machine(
            compile_automaton(program),
            settings,
            clock,
            Quirks(instance.semantics == "edition"),
            corpus,
            record=False,
            draw_of=decided_draws(self.oracle, supports),
        )
        machine.lifecycle.scripts.decide_picks(DecidedPicks(self.oracle))
        return machine

    def _quieten(self) -> None:
        """Switch off what is only measured, and count what edges are asked for."""
        machine, counters = self.machine, self.counters
        machine.measuring = False
        machine.gauges = []
        machine.open_arrivals = None
        machine.draws = DecidedStreams()  # type: ignore[assignment]
        machine.backlog = _NoBacklog()  # type: ignore[assignment]
        close_scope, turn = machine.holds.close_scope, machine.lifecycle.turn
        leave_queue = machine.admission._leave_queue

        def count_scope(actor: Actor) -> None:
            counters.closed += 1
            close_scope(actor)

        def count_turn(actor: Actor) -> None:
            counters.turns += 1
            turn(actor)

        def note_admission(waiting: Waiting) -> None:
            counters.admitted.add(waiting.pools[0].index)
            leave_queue(waiting)

        machine.admission._leave_queue = note_admission  # type: ignore[method-assign]
        machine.holds.close_scope = count_scope  # type: ignore[method-assign]
        machine.lifecycle.turn = count_turn  # type: ignore[method-assign]

    # ------------------------------------------------------------------ states

    def capture(self) -> Snapshot:
        """The present state, handed over (see `snapshot`)."""
        return self.snapshots.capture()

    def restore(self, snapshot: Snapshot) -> dict[Any, Any]:
        """Go back to a state; returns what became of its objects."""
        return self.snapshots.restore(snapshot)

    def key(self, agenda: list[Any] | None = None) -> tuple[Key, list[Actor]]:
        """The key of the present state and its sessions in the key's order; `agenda` is `pending()`."""
        return self.canonical.key(self.remaining(), self.may_arrive(), self.pending() if agenda is None else agenda)

    def remaining(self) -> int | None:
        """How many sessions may still come; `None` if whoever ends may be followed."""
        if not self.open:
            return 0
        return None if self.instance.replace else self.instance.sessions - self.machine.n_arrived

    def may_arrive(self) -> bool:
        if not self.open:
            return False
        machine = self.machine
        if self.instance.replace:
            return self._n_roots() < self.instance.sessions
        return machine.n_arrived < self.instance.sessions

    def pending(self) -> list[Any]:
        """The events that can have an effect, in the machine's order.

        An event whose job has left does nothing but let the system settle once more, which changes nothing either
        where everything has come to rest.
        """
        machine = self.machine
        if self._at_rest():
            agenda = [event for event in machine.agenda if not is_stale(machine, event)]
        else:
            agenda = list(machine.agenda)
        agenda.sort(key=_time_and_sequence)
        return agenda

    def can_settle(self) -> bool:
        """Whether an event of the outside world would let the system settle: an oddity of the edition left it undone."""
        return self.open and not self._is_settled()

    def _is_settled(self) -> bool:
        """Whether nothing was left undone at this instant: nobody is ready, every shared stage is re-timed."""
        machine = self.machine
        if machine.ready or machine.flows.changed:
            return False
        return not any(stage.changed for stage in machine.timed if isinstance(stage, PsStage))

    def _at_rest(self) -> bool:
        """Whether another event would change nothing but what it is about."""
        if not self._is_settled():
            return False
        for stage in self.machine.timed:
            if isinstance(stage, PsStage):
                continue
            if not stage.running and (stage.present or stage.has_waiting()):
                return False
        return True

    # ------------------------------------------------------------------ moves

    def moves(self, agenda: list[Any]) -> list[Move]:
        """The moves of the present state, the machine's own order first; decisions are left open.

        `agenda` is `pending()`.
        """
        found = [Move("event", index) for index in range(len(due_together(agenda)))]
        if self.may_arrive() and self._moment_of_arrival(agenda) is not None:
            found += [Move("arrive", more) for more in range(self._most_together())]
        if not agenda and self.can_settle():
            found.append(Move("settle"))
        return found

    def _most_together(self) -> int:
        """How many sessions may come at one instant where that differs from coming one after the other."""
        machine = self.machine
        if not any(isinstance(stage, StepStage) and not stage.running for stage in machine.timed):
            return 1
        return self.instance.sessions - (self._n_roots() if self.instance.replace else machine.n_arrived)

    def _n_roots(self) -> int:
        """Live sessions that the workload brought."""
        return sum(1 for session in self.machine.sessions if not is_spawned(session))

    def _moment_of_arrival(self, agenda: list[Any]) -> Any:
        """When the next session comes if it comes before the next event: half-way; `None` if there is no time left.

        So an order of arrivals and events is an order in time, which a run can repeat.
        """
        machine = self.machine
        if machine.arrivals == 0:
            return machine.now
        if not agenda:
            return machine.clock.after(machine.now, 1.0)
        left = agenda[0][0] - machine.now
        return machine.now + left // 2 if left >= 2 else None

    def perform(self, move: Move) -> None:
        """Make a move; what it drew is in `oracle`.  Raises `RunError` where the machine does."""
        machine = self.machine
        self.oracle.begin(move.decisions)
        self.counters.clear()
        with deep_recursion():
            match move.kind:
                case "start":
                    machine.start(0 if self.open else n_initial_sessions(self.instance.program.arrival))
                case "arrive":
                    self._let_arrive(1 + move.index)
                case "settle":
                    machine.schedule(machine.now, _nothing, None)
                    machine.step()
                case "event":
                    self._put_first(self.pending(), move.index)
                    machine.step()

    def _let_arrive(self, n: int) -> None:
        """Sessions come at one instant, each an event of its own."""
        machine = self.machine
        moment = self._moment_of_arrival(self.pending())
        for _ in range(n):
            machine.schedule(moment, self._create, None)
        for _ in range(n):
            machine.step()

    def _create(self, _argument: None) -> None:
        self.machine.lifecycle.create_session()

    def _put_first(self, agenda: list[Any], index: int) -> None:
        """The agenda without events of no effect, the chosen one at its head."""
        time, _, handler, argument = agenda.pop(index)
        agenda.append((time, 0, handler, argument))
        heapq.heapify(agenda)
        self.machine.agenda = agenda

    # ------------------------------------------------------------------ questions

    def waiting(self) -> list[Actor]:
        """Sessions and legs that nothing on the agenda will move: all who wait, where nothing is pending.

        Whoever is in a stage with infinite work is there on purpose, and so is who joins such a leg.
        """
        machine = self.machine
        meant = {leg.root for leg in machine.legs if _works_for_ever(leg)}
        return [
            actor
            for actor in (*machine.sessions, *machine.legs)
            if not _works_for_ever(actor) and not (actor.status == JOINING and actor in meant)
        ]


def due_together(agenda: list[Any]) -> list[Any]:
    """The events of the next instant, of an agenda in order."""
    return [event for event in agenda if event[0] == agenda[0][0]]


def _nothing(_argument: None) -> None:
    """An event that concerns nobody here."""


def _works_for_ever(actor: Actor) -> bool:
    """Whether the actor is in a stage on purpose: its work is infinite."""
    job = actor.job
    return job is not None and not job.stage.is_step and job.work == inf


def _time_and_sequence(event: Any) -> tuple[Any, int]:
    return event[0], event[1]


def is_stale(machine: Machine, event: Any) -> bool:
    """Whether an event of the agenda has lost its object."""
    _, _, handler, argument = event
    if isinstance(argument, tuple):
        version, job = argument
        return bool(version != handler.__self__.version or job.gone)
    if handler.__self__ is machine.flows:
        due = machine.flows.due
        return argument != machine.flows.version or due is None or due.gone
    if hasattr(argument, "gone"):
        return bool(argument.gone)
    if hasattr(argument, "active"):
        return not argument.active
    return False
