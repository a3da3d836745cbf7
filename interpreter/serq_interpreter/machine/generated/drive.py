"""Running a machine with windows where the licence allows them."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, nextafter
from time import monotonic
from typing import TYPE_CHECKING, Any

from serq_interpreter.analysis.licence import licences
from serq_interpreter.ir import program as ir
from serq_interpreter.machine.errors import Interrupted
from serq_interpreter.machine.exact_clock import ExactClock
from serq_interpreter.machine.generated.expression_source import PORTABLE
from serq_interpreter.machine.generated.iteration_cost import quick_cost
from serq_interpreter.machine.generated.joint import take_together
from serq_interpreter.machine.generated.joint_double import take_together_double
from serq_interpreter.machine.generated.waiting import Waiting
from serq_interpreter.machine.generated.windows import EngineWindows
from serq_interpreter.machine.stages.decoders import Decoders
from serq_interpreter.machine.stages.step import StepStage
from serq_interpreter.machine.static_facts import nodes

if TYPE_CHECKING:
    from serq_interpreter.machine.clock import Time
    from serq_interpreter.machine.engine import Machine

_CHECK_EVERY = 256
"""Steps between two looks at the clock on the wall and the cancellation."""


class Coalescing:
    """Drives a machine as `Machine.run_until` does, taking windows on the way."""

    def __init__(self, machine: Machine, windows: list[EngineWindows]) -> None:
        self.machine = machine
        self.windows = windows
        self._exact = isinstance(machine.clock, ExactClock) and not any(window.watches for window in windows)
        self._by_handler: dict[Callable[[Any], None], EngineWindows] = {
            window.engine.finish: window for window in windows
        }

    def run_until(
        self, limit: Time, max_events: int | None, deadline: float | None, cancelled: Callable[[], bool] | None
    ) -> bool:
        """As `Machine.run_until`; a window counts as the events it stands for."""
        machine = self.machine
        agenda = machine.agenda
        budget: Any = inf if max_events is None else max_events
        beyond = limit + 1 if isinstance(limit, int) else nextafter(limit, inf)
        countdown = _CHECK_EVERY
        by_handler = self._by_handler
        together = len(self.windows) > 1 and not any(window.watches for window in self.windows)
        together = together and all(window.licensed for window in self.windows)
        finite = machine.settings.arrivals is not None
        while agenda and agenda[0][0] <= limit and not (finite and machine.drained()):
            if budget <= 0:
                raise Interrupted("the budget of events is used up")
            countdown -= 1
            if countdown == 0:
                countdown = _CHECK_EVERY
                if deadline is not None and monotonic() >= deadline:
                    raise Interrupted("the budget of time is used up")
                if cancelled is not None and cancelled():
                    raise Interrupted("cancelled")
            end, _, handler, _ = agenda[0]
            window = by_handler.get(handler)
            if window is not None and together and machine.now < end:
                taken = self._together(beyond, int(min(budget, 1e15)) // len(self.windows))
                if taken:
                    budget -= taken
                    continue
            elif window is not None and machine.now < end:
                stop = beyond
                for entry in agenda[1:3]:
                    if entry[0] < stop:
                        stop = entry[0]
                if end < stop:
                    taken = window.take(end, stop, int(min(budget, 1e15)))
                    if taken:
                        budget -= taken
                        continue
            budget -= 1
            machine.step()
        return True

    def _together(self, beyond: Any, most: int) -> int:
        """A window of every engine whose iteration runs, up to the first event of another kind."""
        running = []
        stop = beyond
        for time, _, handler, _ in self.machine.agenda:
            window = self._by_handler.get(handler)
            if window is not None:
                running.append((time, window))
            elif time < stop:
                stop = time
        if most <= 0:
            return 0
        if self._exact:
            return take_together(self.machine, running, stop, most)
        if len(running) == 1:
            ((end, window),) = running
            return window.take(end, stop, most) if end < stop else 0
        return take_together_double(self.machine, running, stop, most)


def coalescing(machine: Machine) -> Coalescing | None:
    """The driver of a machine that has not started; `None` if no engine may be coalesced.

    Windows leave no trace between their ends: not for a machine that is watched or checked after every event, nor
    under pure semantics, whose instants settle otherwise.
    """
    if not PORTABLE or not machine.quirks.settles_once or machine.invariants is not None or machine.watched:
        return None
    granted = {
        licence.stage: licence.granted
        for licence in licences(machine.program)
        if licence.granted or {refusal.rule for refusal in licence.refusals} == {"cost-clock"}
    }
    waiting = Waiting(machine)
    windows = [
        EngineWindows(machine, stage, waiting, granted[stage.index])
        for stage in machine.timed
        if isinstance(stage, StepStage) and stage.index in granted
    ]
    windows = [window for window in windows if window.cost.readable]
    return Coalescing(machine, windows) if windows else None


def keep_cohorts(machine: Machine) -> None:
    """Let every engine that may keep its decodes as one cohort, and read costs by generated source.

    Licence or not; under the conditions of windows.
    """
    if not PORTABLE or not machine.quirks.settles_once or machine.invariants is not None or machine.watched:
        return
    for stage in machine.timed:
        if isinstance(stage, StepStage):
            stage.code.quick_cost = quick_cost(machine, stage)
            if may_have_cohort(stage):
                stage.decoders = Decoders(stage)


def may_have_cohort(engine: StepStage) -> bool:
    """Whether the engine may keep its decodes as one cohort: whole blocks, and an order that cannot mix it up."""
    kind = engine.declaration.kind
    assert isinstance(kind, ir.Step)
    if kind.iteration is not None or kind.serve is None:
        return False
    for node in nodes(kind.serve):
        if not (isinstance(node, ir.Ctx) and node.name == "Decoding") and not isinstance(node, _PLAIN):
            return False
    memory = engine.memory
    return memory is None or (memory.block is not None and memory.block.is_integer())


_PLAIN = (ir.Num, ir.Unary, ir.Binary, ir.Cond)
