"""Breadth first through the states of an instance: what is found first is found on a shortest way."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from serq_interpreter.explore.circles import find_circles
from serq_interpreter.explore.findings import Finding, Kind, Seen, Watch
from serq_interpreter.explore.graph import PREEMPTED, PROGRESSED, Edge, Graph, Waits
from serq_interpreter.explore.independence import Private
from serq_interpreter.explore.snapshot import Snapshot
from serq_interpreter.explore.subject import START, Instance, Move, Subject, due_together
from serq_interpreter.machine.actors import QUEUED, Actor
from serq_interpreter.machine.errors import RunError


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search stops: so many states, moves deep, seconds of real time."""

    states: int = 200_000
    depth: int | None = None
    seconds: float | None = None


@dataclass(slots=True)
class Exploration:
    """What a search came to.

    `complete` says that every state of the instance was seen; otherwise `stopped` says what stopped it.
    """

    instance: Instance
    states: int = 0
    moves: int = 0
    depth: int = 0
    seconds: float = 0.0
    complete: bool = False
    stopped: str | None = None
    findings: list[Finding] = field(default_factory=list)
    witnesses: dict[int, tuple[Move, ...]] = field(default_factory=dict)
    """`some iteration` claims that were witnessed, with the way to the first witness."""


ALL_KINDS = frozenset(Kind)


def explore(
    instance: Instance,
    limits: Limits | None = None,
    *,
    kinds: frozenset[Kind] = ALL_KINDS,
    every: bool = False,
    cancel: Callable[[], bool] | None = None,
) -> Exploration:
    """Search an instance for findings of these kinds.

    The search ends at the first finding unless `every` kind of finding is wanted; each is then told once.
    Raises `RunError` if the program's trace cannot be read.
    """
    return _Search(instance, limits or Limits(), kinds, every, cancel).go()


@dataclass(frozen=True, slots=True)
class _Open:
    """A state whose moves have not been made yet."""

    number: int
    snapshot: Snapshot
    order: list[Actor]
    moves: list[Move]
    private: int | None
    """The move that can be made before the others (`independence`)."""


class _Search:
    def __init__(
        self,
        instance: Instance,
        limits: Limits,
        kinds: frozenset[Kind],
        every: bool,
        cancel: Callable[[], bool] | None,
    ) -> None:
        self.limits = limits
        self.kinds = kinds
        self.every = every
        self.cancel = cancel
        self.subject = Subject(instance)
        self.machine = self.subject.machine
        self.watch = Watch(self.subject)
        self.private = Private(self.machine) if instance.reduction.partial_order else None
        self.graph = Graph()
        self.frontier: deque[_Open] = deque()
        self.result = Exploration(instance)
        self.known: set[Any] = set()
        self.started = monotonic()

    def go(self) -> Exploration:
        result, graph = self.result, self.graph
        graph.add(b"", -1, None)
        self.frontier.append(_Open(0, self.subject.capture(), [], [START], None))
        while self.frontier and not self._enough() and not self._stopped():
            self._expand(self.frontier.popleft())
        result.complete = not self.frontier and result.stopped is None and not self._enough()
        if not self._enough():
            for finding in find_circles(graph, result.complete):
                self._tell(finding)
        result.states = len(graph.parent)
        result.depth = max(graph.depth)
        result.seconds = monotonic() - self.started
        return result

    def _enough(self) -> bool:
        return bool(self.result.findings) and not self.every

    def _stopped(self) -> bool:
        limits, result = self.limits, self.result
        if result.stopped is not None:
            return True
        if len(self.graph.parent) >= limits.states:
            result.stopped = f"{limits.states} states"
        elif limits.seconds is not None and monotonic() - self.started >= limits.seconds:
            result.stopped = f"{limits.seconds:g} seconds"
        elif self.cancel is not None and self.cancel():
            result.stopped = "cancelled"
        return result.stopped is not None

    # ------------------------------------------------------------------ moves

    def _expand(self, here: _Open) -> None:
        if self.limits.depth is not None and self.graph.depth[here.number] >= self.limits.depth:
            self.result.stopped = f"{self.limits.depth} moves deep"
            return
        if here.private is not None and self._try(here, here.moves[here.private]):
            return
        for number, move in enumerate(here.moves):
            if number != here.private:
                self._try(here, move)

    def _try(self, here: _Open, move: Move) -> bool:
        """Make a move in every way its draws can be decided; whether all led to states that were not known."""
        subject, oracle = self.subject, self.subject.oracle
        all_new = True
        decisions: tuple[int, ...] | None = ()
        while decisions is not None and not self._enough() and not self._stopped():
            copies = subject.restore(here.snapshot)
            attempt = Move(move.kind, move.index, decisions)
            all_new = self._make(here, attempt, copies) and all_new
            decisions = oracle.following()
        return all_new

    def _make(self, here: _Open, attempt: Move, copies: dict[Any, Any]) -> bool:
        subject, machine = self.subject, self.machine
        waiting = _waiting(copies, here.order)
        before = machine.growth.n_preempted, machine.arrivals, machine.live
        self.watch.before()
        self.result.moves += 1
        try:
            subject.perform(attempt)
        except RunError as error:
            error.time = machine.seconds
            self._see(self.watch.failed(error), here.number, subject.oracle.decisions(), attempt)
            return True
        decided = Move(attempt.kind, attempt.index, subject.oracle.decisions())
        agenda = subject.pending()
        self._see(self.watch.after(agenda), here.number, decided.decisions, decided)
        self._note_witnesses(here.number, decided)
        key, order = subject.key(agenda)
        target = self.graph.numbers.get(key)
        is_new = target is None
        if target is None:
            target = self.graph.add(key, here.number, decided)
            self._open(target, order, agenda)
        self.graph.edges[here.number].append(self._edge(target, decided, before, waiting, order))
        return is_new

    def _open(self, number: int, order: list[Actor], agenda: list[Any]) -> None:
        moves = self.subject.moves(agenda)
        if not moves:
            return
        private = None
        if self.private is not None and len(moves) > 1 and moves[-1].kind == "event":
            private = self.private.first_private(due_together(agenda))
        self.frontier.append(_Open(number, self.subject.capture(), order, moves, private))

    def _edge(
        self,
        target: int,
        move: Move,
        before: tuple[int, int, int],
        waiting: list[tuple[int, Actor, int]],
        order: list[Actor],
    ) -> Edge:
        machine, counters = self.machine, self.subject.counters
        did = PREEMPTED if machine.growth.n_preempted > before[0] else 0
        if counters.closed or counters.turns or (machine.arrivals, machine.live) != before[1:]:
            did |= PROGRESSED
        return Edge(target, move, did, _still_waiting(waiting, order), frozenset(counters.admitted))

    # ------------------------------------------------------------------ findings

    def _see(self, seen: list[Seen], state: int, decisions: tuple[int, ...], move: Move) -> None:
        last = Move(move.kind, move.index, decisions)
        for item in seen:
            self._tell(Finding(item.kind, (*self.graph.path(state), last), (), item.subject, item.error))

    def _tell(self, finding: Finding) -> None:
        if finding.kind in self.kinds and finding.identity not in self.known and not self._enough():
            self.known.add(finding.identity)
            self.result.findings.append(finding)

    def _note_witnesses(self, state: int, move: Move) -> None:
        for claim in self.watch.witnessed():
            if claim not in self.result.witnesses:
                self.result.witnesses[claim] = (*self.graph.path(state), move)


def _waiting(copies: dict[Any, Any], order: list[Actor]) -> list[tuple[int, Actor, int]]:
    """Who waits in a queue: number in the state's key, the actor, and the number of the wait."""
    found = []
    for number, captured in enumerate(order):
        actor: Actor | None = copies.get(captured)
        if actor is not None and actor.status == QUEUED and actor.waiting is not None:
            found.append((number, actor, actor.waiting.number))
    return found


def _still_waiting(waiting: list[tuple[int, Actor, int]], order: list[Actor]) -> Waits:
    """Those who wait as before, with their numbers in the key of the next state."""
    return tuple(
        (number, order.index(actor), actor.waiting.pools[0].index)
        for number, actor, wait in waiting
        if actor.waiting is not None and actor.waiting.number == wait
    )
