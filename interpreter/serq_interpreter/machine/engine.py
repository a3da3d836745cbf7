"""The machine: one agenda, one ordering key, one small step (05 §1 to §3).

Events are ordered by (time, sequence number of scheduling).  `step` takes the next event,
applies it, and lets the instant settle: ready actors run until they block, admission
passes alternate with them, then stages are re-timed and idle engines start an iteration.
"""

from __future__ import annotations

import heapq
from array import array
from collections import deque
from collections.abc import Callable
from math import nan
from time import monotonic
from typing import Any

from serq_interpreter.ir import program as ir
from serq_interpreter.machine.actors import Actor
from serq_interpreter.machine.admission import Admission
from serq_interpreter.machine.aggregates import AGGREGATES
from serq_interpreter.machine.arrivals import GapError, OpenArrivals
from serq_interpreter.machine.automaton import Automaton
from serq_interpreter.machine.backlog import Backlog
from serq_interpreter.machine.caching import Caching
from serq_interpreter.machine.claims import ClaimState
from serq_interpreter.machine.clock import Clock, Time
from serq_interpreter.machine.draws import Draws, Stream
from serq_interpreter.machine.errors import Interrupted, RunError
from serq_interpreter.machine.execute import Execute
from serq_interpreter.machine.expression_text import expression_text
from serq_interpreter.machine.gauges import GaugeSeries
from serq_interpreter.machine.growth import Growth
from serq_interpreter.machine.hold_plan import HoldPlan
from serq_interpreter.machine.holds import Holds
from serq_interpreter.machine.lifecycle import Lifecycle
from serq_interpreter.machine.numbers import number_text
from serq_interpreter.machine.observations import Series
from serq_interpreter.machine.pools import PoolState
from serq_interpreter.machine.quirks import Quirks
from serq_interpreter.machine.settings import Settings
from serq_interpreter.machine.settling import READIES_PER_INSTANT, Settling
from serq_interpreter.machine.stages.base import StageState
from serq_interpreter.machine.stages.flows import Flows
from serq_interpreter.machine.stages.planning import Plan
from serq_interpreter.machine.stages.sharing import PsStage
from serq_interpreter.machine.stages.step import StepStage
from serq_interpreter.machine.trees import Trees

EVENTS_PER_INSTANT = 100_000
"""How many events one instant may have, and a thousand more for each live session; the edition would go on for
ever (05 §13)."""
REPLACEMENTS_PER_INSTANT = 1000
"""How often each place of a closed population may be filled anew while the clock stands."""
MOST_LIVE = 2_000_000
"""Sessions and legs that may be live at once, about 4 GiB: an exploding run stops there instead of filling memory.
The largest batch, a million, with a leg for each fits."""
_CHECK_EVERY = 512
"""Events between two looks at the clock on the wall and the cancellation."""


class Nobody:
    """The subject of expressions that have no session: every attribute is NaN."""

    __slots__ = ("attrs", "root", "stream")

    def __init__(self, n_attributes: int, stream: Stream) -> None:
        self.attrs = [nan] * n_attributes
        self.root = None
        self.stream = stream

    def draw_stream(self) -> Stream:
        return self.stream


class Machine(Settling):
    """A run in progress.  `build.build_machine` makes one; `run_until` and `finish` drive it.

    `now` is the clock's native instant and `seconds` the same as expressions read it.
    """

    def __init__(self, automaton: Automaton, settings: Settings, clock: Clock, draws: Draws, quirks: Quirks) -> None:
        self.automaton = automaton
        self.program: ir.Program = automaton.program
        self.settings = settings
        self.clock = clock
        self.draws = draws
        self.quirks = quirks
        self.nobody = Nobody(len(self.program.attrs), draws.machine)
        self.now: Time = clock.zero
        self.seconds = 0.0
        self.span: Callable[[Time], float] = clock.seconds
        self.one = float(clock.seconds(1))
        """A clock unit in seconds."""
        self.horizon: Time = clock.at(settings.horizon)
        self.measuring = settings.warmup <= 0.0
        self.measured_from: Time = clock.zero
        self.end_time: Time | None = None

        self.agenda: list[tuple[Time, int, Callable[[Any], None], Any]] = []
        self.n_scheduled = 0
        self.events = 0
        self.last_event: Time = clock.zero
        self.ready: deque[Actor] = deque()
        self.same_instant = 0

        self.pools: list[PoolState] = []
        self.stages: list[StageState] = []
        self.timed: list[PsStage | StepStage] = []
        self.flows = Flows(self, self.program.share)
        self.registers: list[float] = [register.initial for register in self.program.registers]
        self.claims: list[ClaimState] = []
        self.plan: Plan | None = None
        """The iteration being planned, if one is."""
        self.series: list[Series] = []
        self.before_warmup: dict[int, array[float]] = {}
        """Samples of the warm-up, of observations that a claim adds up."""
        self.gauges: list[tuple[GaugeSeries, Callable[[Any], float]]] = []
        self.backlog = Backlog(settings.warmup, settings.horizon)
        self.code: list[Execute] = []
        self.plans: dict[int, HoldPlan] = {}
        """The holds of the program, by the automaton state that acquires."""
        self.estimates_read = False

        self.growth = Growth(self)
        self.caching = Caching(self)
        self.holds = Holds(self)
        self.admission = Admission(self)
        self.lifecycle: Lifecycle
        self.open_arrivals: OpenArrivals | None = None

        self.sessions: dict[Actor, None] = {}
        self.legs: dict[Actor, None] = {}
        self.live = 0
        self.live_since: Time = clock.zero
        self.live_area = 0.0
        self.arrivals = 0
        self.ended = 0
        self.turns = 0
        self.last_end: Time = clock.zero
        self.replaced_at: Time | None = None
        self.n_replaced = 0
        self.gauges_were_read = False
        self.trees: Trees | None = None
        """The statistics of session trees, in a program that spawns."""
        self.invariants: Callable[[], None] | None = None
        self.watched = False
        """Whether a log is told of every happening."""

    # ------------------------------------------------------------------ agenda

    def schedule(self, time: Time, handler: Callable[[Any], None], argument: Any) -> None:
        """Put an event on the agenda; of equal times the one scheduled first comes first."""
        self.n_scheduled += 1
        heapq.heappush(self.agenda, (time, self.n_scheduled, handler, argument))

    def replace_next(self, time: Time, n_events: int) -> None:
        """`n_events` of the next event's kind have come, one scheduling the other; the last one is at `time`."""
        self.n_scheduled += n_events
        _, _, handler, argument = self.agenda[0]
        heapq.heapreplace(self.agenda, (time, self.n_scheduled, handler, argument))

    def start(self, n_initial: int) -> None:
        """Everything at time 0 up to the first settling."""
        if self.settings.warmup > 0.0:
            self.schedule(self.clock.at(self.settings.warmup), self._end_warmup, None)
        if self.open_arrivals is not None:
            self.schedule(self.clock.after(self.now, self._gap(self.open_arrivals.first_gap)), self._arrive, None)
        for _ in range(n_initial):
            self.lifecycle.create_session()
        self.settle()
        self._after_instant()

    def run_until(
        self, limit: Time, max_events: int | None, deadline: float | None, cancelled: Callable[[], bool] | None
    ) -> bool:
        """Process events up to `limit` (inclusive) or until a finite run has drained.

        Returns whether it came to that; raises `Interrupted` when `max_events`, the wall-clock
        `deadline` (of `time.monotonic`) or `cancelled` stopped it before.  It can be called again.
        """
        agenda = self.agenda
        budget = max_events if max_events is not None else -1
        countdown = _CHECK_EVERY
        while agenda and agenda[0][0] <= limit and not self.drained():
            if budget == 0:
                raise Interrupted("the budget of events is used up")
            budget -= 1
            countdown -= 1
            if countdown == 0:
                countdown = _CHECK_EVERY
                if deadline is not None and monotonic() >= deadline:
                    raise Interrupted("the budget of time is used up")
                if cancelled is not None and cancelled():
                    raise Interrupted("cancelled")
            self.step()
        return True

    def step(self) -> None:
        """Take the next event, apply it, settle the instant."""
        time, _, handler, argument = heapq.heappop(self.agenda)
        if time != self.now:
            self.same_instant = 0
            if self.measuring:
                self._integrate(time - self.now)
            self.now = time
            self.seconds = self.clock.seconds(time)
        else:
            self.same_instant += 1
            if self.same_instant > EVENTS_PER_INSTANT + READIES_PER_INSTANT * self.live:
                raise self._unsettled(f"{self.same_instant} events without time passing")
        self.events += 1
        handler(argument)
        self.settle()
        self._after_instant()

    def sync_decoders(self) -> None:
        """Every resident's own numbers are written; cohorts go on."""
        for stage in self.timed:
            if isinstance(stage, StepStage) and stage.decoders is not None:
                stage.decoders.sync()

    def drained(self) -> bool:
        """A finite run is over: all have arrived and nobody is live."""
        wanted = self.settings.arrivals
        return wanted is not None and self.live == 0 and self.n_arrived >= wanted

    def _integrate(self, elapsed: Time) -> None:
        area = self.clock.area
        for pool in self.pools:
            if pool.used:
                pool.area_used += area(pool.used, elapsed)
            if pool.cached:
                pool.area_cached += area(pool.cached, elapsed)
            if pool.queue:
                pool.area_queue += len(pool.queue) * elapsed
            if pool.places:
                pool.area_holders += len(pool.places) * elapsed
        for stage in self.stages:
            stage.integrate(elapsed)

    def _end_warmup(self, _argument: None) -> None:
        self.measuring = True
        self.measured_from = self.now
        self.live_since = self.now
        self.live_area = 0.0
        for stage in self.stages:
            stage.start_measuring()

    def _after_instant(self) -> None:
        # Of several events of one instant only the last one's value counts (05 §9).
        if self.gauges and not (self.agenda and self.agenda[0][0] == self.now):
            self.read_gauges()
        if self.invariants is not None:
            self.invariants()

    def read_gauges(self) -> None:
        """The gauges' values now."""
        self.gauges_were_read = True
        for series, value in self.gauges:
            series.record(self.seconds, value(self.nobody))

    def close(self, end: Time) -> None:
        """The run ends at `end`: a last contribution to every average."""
        self.read_gauges()
        if end != self.now:
            if self.measuring:
                self._integrate(end - self.now)
            self.now = end
            self.seconds = self.clock.seconds(end)

    # ------------------------------------------------------------------ sessions

    def _arrive(self, _argument: None) -> None:
        wanted = self.settings.arrivals
        if wanted is None or self.n_arrived + 1 < wanted:
            assert self.open_arrivals is not None
            gap = self._gap(self.open_arrivals.next_gap)
            self.schedule(self.clock.after(self.now, gap), self._arrive, None)
        self.lifecycle.create_session()

    def _gap(self, gap: Callable[[], float]) -> float:
        try:
            return gap()
        except GapError as error:
            raise self.bad_gap(error) from error

    def bad_gap(self, error: GapError) -> RunError:
        """A renewal law's gap is not positive and finite."""
        arrival = self.program.arrival
        assert isinstance(arrival, ir.Renewal)
        text, value = expression_text(self.program, arrival.gap), number_text(error.gap)
        message = f"`arrive renewal({text})`: the gap to the next arrival came out as {value}: it must be above 0"
        return RunError("SQ0912", message, arrival.gap)

    def detach(self, actor: Actor) -> None:
        """Take an actor out of wherever it waits."""
        self.lifecycle.detach(actor)

    def change_live(self, step: int, cause: ir.Stmt | ir.Arrival | None = None) -> None:
        """A session arrives, because of `cause` (the arrival law when not said), or ends (07 §2)."""
        now = self.now
        if self.measuring:
            self.live_area += self.live * (now - self.live_since)
            self.live_since = now
            if self.seconds > self.backlog.limit:
                self.backlog.pass_to(self.seconds, self.live_area * self.one, self.live)
        self.live += step
        if step > 0:
            self.check_crowd(self.program.arrival if cause is None else cause)
        if step < 0:
            self.last_end = now

    def reach_backlog(self) -> None:
        """The backlog's books are as of now."""
        area = self.live_area + self.live * (self.now - self.live_since) if self.measuring else 0.0
        self.backlog.reach(self.seconds, area * self.one, self.live)

    def check_crowd(self, node: ir.Stmt | ir.Arrival | None) -> None:
        """Raise `RunError` at what brings them when more sessions and legs are live than a run may have."""
        if self.live + len(self.legs) > MOST_LIVE:
            raise self.crowded(node)

    def crowded(self, node: ir.Stmt | ir.Arrival | None) -> RunError:
        time = number_text(self.seconds)
        message = f"more than {MOST_LIVE:,} sessions and legs are live at t = {time}: more of them come than end"
        return RunError("SQ0990", message, node)

    def count_replacement(self) -> None:
        """A session of a closed population ended and is replaced at this instant."""
        if self.replaced_at != self.now:
            self.replaced_at = self.now
            self.n_replaced = 0
        self.n_replaced += 1
        if self.n_replaced > REPLACEMENTS_PER_INSTANT * (self.live + 1):
            unsettled = self._unsettled(f"{self.n_replaced} sessions end and are replaced without time passing")
            unsettled.node = self.program.arrival
            raise unsettled

    def observe(self, index: int, value: float, actor: Actor) -> None:
        """Record a sample, after the warm-up."""
        if self.measuring:
            self.series[index].record(value, self.seconds, actor.serial, actor.attrs[ir.SLOT_TURN])
            if self.trees is not None:
                self.trees.observe(index, value, actor)
        elif index in self.before_warmup:
            self.before_warmup[index].append(value)

    # ------------------------------------------------------------------ questions

    @property
    def n_arrived(self) -> int:
        """Sessions that came from the workload; `arrivals` counts the spawned ones, too."""
        return self.arrivals - self.lifecycle.n_spawned

    def aggregate(self, kind: str, observation: int) -> float:
        """`total(o)` and its kin over all samples of the run, warm-up included (07 §6)."""
        return AGGREGATES[kind](self.before_warmup[observation] + self.series[observation].values)

    def note_excess(self, pool: PoolState, quirk: str) -> None:
        """A named quirk let the pool stand above its cap."""
        pool.excess = max(pool.excess, pool.used + pool.cached - pool.cap)
        self.quirks.hit(quirk)
