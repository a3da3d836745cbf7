"""The event loop as source: arrivals, the settling of an instant and one event, written for the members a program has.

`step()` does what `engine.Machine.step` does, `run(limit, budget, deadline, cancelled)` what `run_until` does, with the
time averages, admission passes and re-timings of just these pools and stages in line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from serq_interpreter.ir import program as ir
from serq_interpreter.machine import automaton as a
from serq_interpreter.machine.actors import ENDED, READY
from serq_interpreter.machine.arrivals import no_rows
from serq_interpreter.machine.exact_clock import ExactClock
from serq_interpreter.machine.generated.burst_source import Bursts
from serq_interpreter.machine.generated.expression_source import DEEPEST, depth
from serq_interpreter.machine.generated.statement_source import Observe, block_lines
from serq_interpreter.machine.generated.text import Text
from serq_interpreter.machine.stages.flows import SharedStage
from serq_interpreter.machine.stages.sharing import PsStage
from serq_interpreter.machine.stages.simple import DelayStage, FifoStage
from serq_interpreter.machine.stages.step import StepStage

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine
    from serq_interpreter.machine.generated.subject_source import SubjectSource
    from serq_interpreter.machine.pools import PoolState
    from serq_interpreter.machine.stages.base import StageState

_MOST_AT_ONCE = 4096
"""Iterations between two looks at the clock on the wall."""
_MOST_IN_LINE = 12
"""With more members than this a loop over them is shorter, and as fast."""


class Loop:
    """Writes the functions of the loop."""

    def __init__(self, machine: Machine, text: Text, subject: SubjectSource, observe: Observe) -> None:
        self._machine = machine
        self._text = text
        self._subject = subject
        self._observe = observe
        self._exact = isinstance(machine.clock, ExactClock)
        states = machine.automaton.states
        self._grows = any(
            isinstance(state, a.GrowState) or (isinstance(state, a.RunState) and state.growing is not None)
            for state in states
        )
        self._caches = any(isinstance(state.node, ir.Hold) and state.node.cache is not None for state in states)
        self._forks = any(isinstance(state, a.ForkState) for state in states)

    def write(self, stepwise: bool) -> None:
        """Add the functions: a loop over events, or one event at a time for a driver that does more between them."""
        self._write_tables()
        self._write_sweep()
        self._write_sessions()
        text = self._text
        if stepwise:
            with text.block("def step():"):
                text.put("time, _, handler, argument = pop(agenda)")
                self._event()
            return
        bursts = Bursts(self._machine, text, self._subject.names)
        bursts.write()
        with text.block("def run(limit, budget, deadline, cancelled):"):
            text.put("countdown = 512")
            drained = " and not m.drained()" if self._machine.settings.arrivals is not None else ""
            with text.block(f"while agenda and agenda[0][0] <= limit{drained}:"):
                text.put('if budget == 0: raise Interrupted("the budget of events is used up")')
                for engine in bursts.engines:
                    self._burst(engine)
                text.put("budget -= 1", "countdown -= 1")
                text.put("if countdown == 0: countdown = 512; look(deadline, cancelled)")
                text.put("time, _, handler, argument = pop(agenda)")
                self._event()

    def _burst(self, engine: StepStage) -> None:
        """Iterations of an engine one after the other, where the instants between them need no settling."""
        machine, text, s = self._machine, self._text, f"s{engine.index}"
        # An instant of the edition may end before all that are ready have gone on (04 §17): they do at the next event.
        stirring = ["ready"]
        if (waits := self._waits()) is not None:
            stirring.append(waits)
        stirring += [f"p{pool.index}.queue" for pool in engine.queues]
        for stage in machine.timed:
            other = f"s{stage.index}"
            if isinstance(stage, PsStage):
                stirring.append(f"{other}.changed")
            elif stage is not engine:
                waiting = "".join(f" or p{pool.index}.queue" for pool in stage.queues)
                stirring.append(f"not {other}.running and ({other}.present{waiting})")
        if machine.flows.stages:
            stirring.append("flows.changed")
        quiet = "".join(f" and not ({condition})" for condition in stirring)
        with text.block(f"if {s}.together and agenda[0][2] == finish_{engine.index}{quiet}:"):
            text.put(f"done = burst_{engine.index}(budget if 0 < budget < {_MOST_AT_ONCE} else {_MOST_AT_ONCE}, limit)")
            with text.block("if done:"):
                text.put("budget -= done", "look(deadline, cancelled)", "continue")

    # ------------------------------------------------------------------ passes

    def _write_tables(self) -> None:
        """Entries for those who do not know the hold; ready actors run first come first served."""
        text = self._text
        with text.block("def join(actor, plan, front=False):"):
            text.put("joins[plan.own](actor, front)")
        with text.block("def admit(waiting):"):
            text.put("return admits[waiting.plan.own](waiting)")
        with text.block("def run_ready():"), text.block("while ready:"):
            text.put("actor = take()", f"if actor.status == {READY}: go_on(actor)")

    def _write_sweep(self) -> None:
        """One admission pass over the plain pools (04 §3.2)."""
        text, pools = self._text, self._machine.pools
        with text.block("def sweep():"):
            text.put("changed = False")
            if len(pools) > _MOST_IN_LINE:
                with text.block("for pool in pools:"):
                    self._pass("pool", "pool.head()", "pool.admit_via is None")
            else:
                for pool in pools:
                    head = f"p{pool.index}.queue[0]" if pool.queue_keys is None else f"p{pool.index}.head()"
                    self._pass(f"p{pool.index}", head, None if pool.admit_via is None else "False")
            text.put("return changed")

    def _pass(self, pool: str, head: str, plain: str | None) -> None:
        text = self._text
        if self._grows:
            text.put(f"if {pool}.growers and grant({pool}): changed = True")
        if plain != "False":
            also = "" if plain is None else f" and {plain}"
            text.put(f"while {pool}.queue{also} and admit({head}): changed = True")

    def _waits(self) -> str | None:
        """Whether a pass could do anything, as a condition; `None` where there is nothing to pass over."""
        pools = self._machine.pools
        if len(pools) > _MOST_IN_LINE:
            return "True"
        parts = []
        for pool in pools:
            if self._grows:
                parts.append(f"p{pool.index}.growers")
            if pool.admit_via is None:
                parts.append(f"p{pool.index}.queue")
        return " or ".join(parts) or None

    # ------------------------------------------------------------------ sessions

    def _write_sessions(self) -> None:
        machine, text = self._machine, self._text
        if not any(depth(line.value) > DEEPEST for line in machine.automaton.init):
            self._write_birth()
        with text.block("def end(actor, node):"):
            # Whoever has legs, holds or leases left ends as the reference has it.
            legs = " or actor.leg is not None or actor.legs_running" if self._forks else ""
            with text.block(f"if actor.frames or actor.leases{legs}:"):
                text.put("lifecycle.end(actor, node)", "return")
            text.put(f"actor.status = {ENDED}")
            if machine.caching.snapshots_needed:
                text.put("caching.owner_ended(actor)")
            text.put("del sessions[actor]", "if m.measuring: m.ended += 1", "change_live(-1)")
            if machine.lifecycle.closed:
                text.put("m.count_replacement()", "lifecycle.create_session()")

    def _write_birth(self) -> None:
        """A session arrives now: attributes, `init`, presets; it is ready (06 §5)."""
        machine, text = self._machine, self._text
        lifecycle = machine.lifecycle
        with text.block("def create_session():"):
            text.put("serial = m.arrivals", "m.arrivals = serial + 1")
            text.put(f"a = [0.0] * {machine.automaton.n_slots}", f"a[{ir.SLOT_SERIAL}] = float(serial)")
            text.put("actor = Actor(serial, a, lambda: draws.session(serial))")
            text.put(f"actor.pc = {machine.automaton.entry}")
            if lifecycle.scripts.for_session is not no_rows:
                text.put("actor.rows = lifecycle.scripts.for_session(serial)")
            text.put("sessions[actor] = None", "change_live(1)")
            block_lines(text, self._subject, self._observe, machine.automaton.init, "0", "serial")
            if lifecycle.presets:
                text.put("for slot, value in lifecycle.presets[serial].attrs: a[slot] = value")
            if machine.claims:
                text.put("for claim in claims: claim.check_given(actor)")
            text.put("actor.ready_instant = m.now", "actor.ready_count = 1", "ready.append(actor)")
            text.put("return actor")

    # ------------------------------------------------------------------ one event

    def _event(self) -> None:
        """`time`, `handler` and `argument` are the next event's; it has left the agenda."""
        text, machine = self._text, self._machine
        text.put("now = m.now")
        with text.block("if time != now:"):
            text.put("m.same_instant = 0")
            with text.block("if m.measuring:"):
                text.put("e = time - now")
                self._integrate()
            text.put("m.now = time", "m.seconds = seconds(time)" if self._exact else "m.seconds = time")
        with text.block("else:"):
            text.put("m.same_instant += 1", "if m.same_instant > EVENTS_PER_INSTANT: unsettled()")
        text.put("m.events += 1", "handler(argument)")
        self._settle()
        if machine.gauges:
            text.put("if not (agenda and agenda[0][0] == m.now): m.read_gauges()")

    def _settle(self) -> None:
        text, machine = self._text, self._machine
        if not machine.quirks.settles_once:
            text.put("m._settle_fully()")
            return
        self._rest()
        engines = [stage for stage in machine.timed if isinstance(stage, StepStage)]
        if engines:
            text.put("pending = bool(agenda) and agenda[0][0] == m.now")
        if len(machine.timed) > _MOST_IN_LINE:
            text.put("retime_all(pending)" if engines else "retime_all(False)")
        else:
            for stage in machine.timed:
                if isinstance(stage, PsStage):
                    text.put(f"if s{stage.index}.changed: s{stage.index}.retime()")
                else:
                    self._attempt(stage)
        if machine.flows.stages:
            text.put("if flows.changed: flows.retime()")

    def _rest(self) -> None:
        """Ready actors and admission passes until neither does anything."""
        text, waits = self._text, self._waits()
        if waits is None:
            text.put("if ready: run_ready()")
            return
        with text.block("while True:"):
            text.put("if ready: run_ready()")
            text.put(f"if not ({waits}) or (not sweep() and not ready): break")

    def _attempt(self, stage: StepStage) -> None:
        text, engine = self._text, f"s{stage.index}"
        waiting = "".join(f" or p{pool.index}.queue" for pool in stage.queues)
        with text.block(f"if not pending and not {engine}.running and ({engine}.present{waiting}):"):
            text.put("admitted = admission.n_admitted", "joined = admission.n_joined", "fallen = growth.n_preempted")
            text.put(f"{engine}.attempt()")
            with text.block("if admission.n_admitted != admitted or growth.n_preempted != fallen:"):
                text.put(f"m.note_left_behind({engine}, joined, fallen)")

    # ------------------------------------------------------------------ averages

    def _integrate(self) -> None:
        machine, text = self._machine, self._text
        if "_integrate" in vars(machine) or len(machine.pools) + len(machine.stages) > _MOST_IN_LINE:
            text.put("m._integrate(e)")
            return
        for pool in machine.pools:
            self._integrate_pool(pool)
        for stage in machine.stages:
            self._integrate_stage(stage)

    def _integrate_pool(self, pool: PoolState) -> None:
        text, p = self._text, f"p{pool.index}"
        for place, kept in (("used", True), ("cached", self._caches)):
            if kept:
                text.put(f"x = {p}.{place}")
                area = "(int(x) if x.is_integer() else x) * e" if self._exact else "x * e"
                text.put(f"if x: {p}.area_{place} += {area}")
        text.put(f"if {p}.queue: {p}.area_queue += len({p}.queue) * e")
        text.put(f"if {p}.places: {p}.area_holders += len({p}.places) * e")

    def _integrate_stage(self, stage: StageState) -> None:
        s = f"s{stage.index}"
        if isinstance(stage, FifoStage | DelayStage | PsStage) and not isinstance(stage, SharedStage):
            self._text.put(f"x = {s}.present", f"if x: {s}.area_number += x * e; {s}.time_used += e")
        else:
            self._text.put(f"{s}.integrate(e)")
