"""How an instant comes to rest: ready actors, admission passes, re-timings, iteration starts (05 §2).

The part of the machine that runs after each event.  The order is the edition's, which settles
once, or that of the pure semantics, which settles until nothing is left to do.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from serq_interpreter.machine.actors import READY, Actor
from serq_interpreter.machine.errors import RunError
from serq_interpreter.machine.execute import BLOCK, Execute
from serq_interpreter.machine.numbers import number_text
from serq_interpreter.machine.stages.sharing import PsStage
from serq_interpreter.machine.stages.step import StepStage

if TYPE_CHECKING:
    from serq_interpreter.ir import program as ir
    from serq_interpreter.machine.admission import Admission
    from serq_interpreter.machine.automaton import Automaton
    from serq_interpreter.machine.clock import Time
    from serq_interpreter.machine.growth import Growth
    from serq_interpreter.machine.pools import PoolState
    from serq_interpreter.machine.quirks import Quirks
    from serq_interpreter.machine.stages.flows import Flows

READIES_PER_INSTANT = 1000
"""How often a session may become ready while the clock stands (05 §12)."""
STATEMENTS_WITHOUT_BLOCKING = 1_000_000
"""How many statements a session may execute without blocking (05 §12)."""


class Settling:
    """The ready line and the settling of a machine; `Machine` owns the state."""

    now: Time
    seconds: float
    program: ir.Program
    automaton: Automaton
    quirks: Quirks
    agenda: list[Any]
    ready: deque[Actor]
    code: list[Execute]
    pools: list[PoolState]
    timed: list[PsStage | StepStage]
    flows: Flows
    admission: Admission
    growth: Growth

    def settle(self) -> None:
        """Let the instant come to rest (05 §2)."""
        self._rest()
        if not self.quirks.settles_once:
            self._settle_fully()
            return
        self.settle_stages(self._pending_now())
        if self.flows.changed:
            self.flows.retime()

    def settle_stages(self, pending_now: bool) -> None:
        """Re-time shared stages and let idle engines start, in the order of declaration; the latter not while an event
        is due at this instant."""
        for stage in self.timed:
            if isinstance(stage, PsStage):
                if stage.changed:
                    stage.retime()
            elif not stage.running and not pending_now and (stage.present or stage.has_waiting()):
                self._attempt(stage)

    def _rest(self) -> None:
        """Run ready actors and admission passes until neither does anything."""
        while True:
            self.run_ready()
            if not self.admission.sweep() and not self.ready:
                break

    def _pending_now(self) -> bool:
        return bool(self.agenda) and self.agenda[0][0] == self.now

    def _attempt(self, engine: StepStage) -> None:
        """An attempt in the edition, and which oddities it may have left behind (05 §13)."""
        admission, growth = self.admission, self.growth
        admitted, joined, fallen = admission.n_admitted, admission.n_joined, growth.n_preempted
        engine.attempt()
        if admission.n_admitted != admitted or growth.n_preempted != fallen:
            self.note_left_behind(engine, joined, fallen)

    def note_left_behind(self, engine: StepStage, joined: int, fallen: int) -> None:
        """What an attempt that admitted or preempted somebody left to the next event; the counts are those before it."""
        admission, growth = self.admission, self.growth
        passed = self.timed[: self.timed.index(engine)]
        if self.ready or any(isinstance(stage, PsStage) and stage.changed for stage in passed):
            self.quirks.hit("settles_once")
        if any(pool.queue and pool.admit_via is None for pool in self.pools):
            if admission.n_joined > joined:
                self.quirks.hit("settles_once")
            if growth.n_preempted > fallen:
                self.quirks.hit("no_pass_after_preemption")

    def _settle_fully(self) -> None:
        """Pure semantics: repeat until nothing is left to do at this instant; engines start last."""
        progress = True
        while progress:
            self._rest()
            engines = []
            for stage in self.timed:
                if isinstance(stage, StepStage):
                    engines.append(stage)
                elif stage.changed:
                    stage.retime()
            if self.flows.changed:
                self.flows.retime()
            if self._pending_now():
                return
            progress = False
            for engine in engines:
                if not engine.running and (engine.present or engine.has_waiting()):
                    progress = engine.attempt() or progress

    def run_ready(self) -> None:
        """Run ready actors, first come first served, until none is ready."""
        ready = self.ready
        while ready:
            actor = ready.popleft()
            if actor.status == READY:
                self._run(actor)

    def _run(self, actor: Actor, executed: int = 0) -> None:
        """Execute statements of one actor until it blocks or ends; so many it has executed without blocking already."""
        code = self.code
        pc = actor.pc
        try:
            for _ in range(STATEMENTS_WITHOUT_BLOCKING - executed):
                actor.pc = pc
                pc = code[pc](actor)
                if pc == BLOCK:
                    return
        except RunError as error:
            self.blame(error, actor, pc)
            raise
        message = (
            f"session {actor.serial} has executed {STATEMENTS_WITHOUT_BLOCKING} statements at t = "
            f"{number_text(self.seconds)}, and none of them let time pass or ended it"
        )
        raise RunError("SQ0910", message, self.automaton.states[pc].node, actor.serial)

    def blame(self, error: RunError, actor: Actor, pc: int) -> None:
        """Say whose error it is and where it stands, if that is not known yet."""
        if error.session is None:
            error.session = actor.serial
        if error.node is None:
            error.node = self.automaton.states[pc].node

    def make_ready(self, actor: Actor) -> None:
        """The actor goes to the back of the ready line."""
        actor.status = READY
        if actor.has_old_place:
            actor.has_old_place = False
            if actor in self.ready:
                self.quirks.hit("first_place_in_ready_line")
        if actor.ready_instant == self.now:
            actor.ready_count += 1
            if actor.ready_count > READIES_PER_INSTANT:
                raise self._spinning(actor)
        else:
            actor.ready_instant = self.now
            actor.ready_count = 1
        self.ready.append(actor)

    def _spinning(self, actor: Actor) -> RunError:
        time = number_text(self.seconds)
        message = (
            f"time stands still at t = {time}: session {actor.serial} has gone on {READIES_PER_INSTANT + 1} times, by "
            "runs of zero work or by holds that are admitted at once"
        )
        return RunError("SQ0910", message, self.automaton.states[actor.pc].node, actor.serial)

    def _unsettled(self, why: str) -> RunError:
        return RunError("SQ0910", f"time stands still at t = {number_text(self.seconds)}: {why}", self.program)

    def run_done(self, job: Any) -> None:
        """A run is complete; its session continues."""
        actor = job.actor
        if actor is not None:
            actor.job = None
            self.make_ready(actor)
