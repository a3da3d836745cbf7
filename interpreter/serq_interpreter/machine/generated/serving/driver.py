"""Runs a machine by one generated function, where its program qualifies (`subset`)."""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict, deque
from collections.abc import Callable
from heapq import heapify, heappop, heappush
from itertools import accumulate, pairwise
from math import ceil, inf, log, nextafter, ulp
from operator import attrgetter, mul
from time import monotonic
from typing import TYPE_CHECKING, Any, NoReturn

from serq_interpreter.analysis.licence import licences
from serq_interpreter.ir import program as ir
from serq_interpreter.machine import execute
from serq_interpreter.machine.errors import Interrupted, RunError
from serq_interpreter.machine.exact_clock import ExactClock
from serq_interpreter.machine.generated.draw_source import draw, hyperexponential, uniform_between
from serq_interpreter.machine.generated.expression_source import NAMES
from serq_interpreter.machine.generated.kernels import plain_kernel
from serq_interpreter.machine.generated.repeated_sums import added, binade_top
from serq_interpreter.machine.generated.serving.double_ledger import DoubleLedger
from serq_interpreter.machine.generated.serving.shape import Shape
from serq_interpreter.machine.generated.serving.source import CONSTANTS, ServingSource
from serq_interpreter.machine.generated.serving.subset import reason_against
from serq_interpreter.machine.generated.text import compiled
from serq_interpreter.machine.generated.window_cost import WindowCost
from serq_interpreter.machine.pools import Waiting
from serq_interpreter.machine.stages.step import StepStage
from serq_interpreter.machine.stages.token_gaps import surely_within

if TYPE_CHECKING:
    from serq_interpreter.machine.clock import Time
    from serq_interpreter.machine.engine import Machine

_STEPS = 1024
"""Steps between two looks at the clock on the wall and the cancellation, at most."""
_LOOKS = 256
"""How often a run is looked at, at least."""
_NEVER = 2**62
"""The number of an iteration that no run reaches."""


class Leave(Exception):
    """Something came up that the source leaves to the other forms."""


class Serving:
    """Drives a machine as `Machine.run_until` does; raises `Leave` where the run has to start over in another form."""

    def __init__(self, machine: Machine, shape: Shape) -> None:
        self.machine = machine
        self._books = _Books(machine, shape)
        record = any(series.times is not None for series in machine.series)
        text, samples = _text(machine, shape, record)
        names = _NAMES | samples | {"PER": 1, "ZERO": machine.clock.zero, "LEAST": ulp(machine.settings.horizon)}
        # Whoever counts refusals or lost preemptions wraps what the machine does of them.
        names["TOLD"] = "_refuse" in vars(machine.admission) or "_count_stuck" in vars(machine.growth)
        if isinstance(machine.clock, ExactClock):
            names["PER"] = machine.clock.unit.denominator
        exec(compiled(text), names)
        self._go, self._sync, self._first, self._counted = names["build"](machine, self._books, shape.limits())
        self._begun = False
        end = machine.horizon
        self._pace = end / _LOOKS if isinstance(end, float) else max(1, end // _LOOKS)
        self._bound = self._pace
        """Up to when a run goes that is watched, before it is looked at."""
        self.engines = self._books.engines

    def run_until(
        self, limit: Time, max_events: int | None, deadline: float | None, cancelled: Callable[[], bool] | None
    ) -> bool:
        """As `Machine.run_until`.  `limit` is the same at every call."""
        machine = self.machine
        if not self._begun:
            self._begun = True
            self._first([(time, number, act == machine._arrive) for time, number, act, _ in sorted(machine.agenda)])
        most: float = inf if max_events is None else machine.events + max_events
        watched = deadline is not None or cancelled is not None
        try:
            while True:
                bound = min(limit, self._bound) if watched else limit
                reached = self._go(bound, _STEPS if watched else _NEVER, most)
                if reached and bound == limit:
                    break
                if self._counted() >= most and not reached:
                    raise Interrupted("the budget of events is used up")
                if watched:
                    # Whoever looks now finds the books as of now.
                    self._sync(bound if reached else None)
                    _look(deadline, cancelled)
                if reached:
                    self._bound = bound + self._pace
        except Interrupted:
            self._sync(None)
            raise
        except (RunError, ArithmeticError) as error:
            # The others say where the run stands when it fails, and answer where doubles overflow.
            raise Leave(str(error)) from error
        self._sync(limit)
        return True

    def iterations_per_step(self, stage: StepStage) -> float:
        """Iterations of the run so far over the steps that stood for them."""
        return stage.iterations / max(1, self._books.steps[self.engines.index(stage)])


def serving(machine: Machine) -> Serving | None:
    """The driver of a machine that has not started; `None` if its program does not qualify."""
    if reason_against(machine) is not None:
        return None
    shape = Shape(machine)
    if not shape.same_cost() or not shape.whole_cost():
        return None
    if not all(shape.asks_at_home(state) for state in shape.holds.values()):
        return None
    if not all(licence.granted for licence in licences(machine.program)):
        return None
    return Serving(machine, shape)


_Text = tuple[str, dict[str, Any]]
_TEXTS: OrderedDict[tuple[Any, ...], tuple[ir.Program, _Text]] = OrderedDict()
"""The sources of the programs that ran last, which are often run again."""
_MOST_TEXTS = 8


def _text(machine: Machine, shape: Shape, record: bool) -> _Text:
    """The source, and the draws that it refers to by name."""
    program = machine.program
    unit = machine.clock.unit if isinstance(machine.clock, ExactClock) else None
    key = (id(program), unit, record, machine.settings.arrivals is None)
    known = _TEXTS.get(key)
    if known is None:
        source = ServingSource(machine, shape, record)
        known = _TEXTS[key] = (program, (source.text(), dict(source.samples)))
        if len(_TEXTS) > _MOST_TEXTS:
            _TEXTS.popitem(last=False)
    return known[1]


class _Take:
    """As much of a waiting hold's demand as the report reads: it is known already."""

    reserve = None

    def __init__(self, units: float) -> None:
        self.units = lambda _actor: units


class _Plan:
    def __init__(self, units: float) -> None:
        self.takes = (_Take(units),)


class _Books:
    """What the source asks of the machine, and where it writes what it measured."""

    def __init__(self, machine: Machine, shape: Shape) -> None:
        self._machine = machine
        self.stages = machine.stages
        self.engines: list[StepStage] = []
        for index in shape.engines:
            stage = machine.stages[index]
            assert isinstance(stage, StepStage)
            self.engines.append(stage)
        self.steps = [0] * len(self.engines)
        clock = machine.clock
        self.ticks = clock.ticks if isinstance(clock, ExactClock) else None
        self._cost: WindowCost | None = None
        self.ledgers = [] if shape.exact else [DoubleLedger(machine, engine) for engine in self.engines]

    def record(self, index: int) -> Callable[..., None]:
        """What takes a sample: the value alone where nothing else is kept."""
        series = self._machine.series[index]
        return series.values.append if series.times is None else series.record

    def next_gap(self) -> float:
        arrivals = self._machine.open_arrivals
        assert arrivals is not None
        return self._machine._gap(arrivals.next_gap)

    def line(self, n: int) -> tuple[int, int] | tuple[()]:
        """Constant and slope in the units of the cost of `n` decodes, in ticks; nothing if it is no rising line."""
        if self._cost is None:
            # The engines have one cost.
            self._cost = WindowCost(self._machine, self.engines[0])
        return self._cost.line(n) or ()

    def ticks_within(self, seconds: float) -> int:
        """The most ticks that last at most so long."""
        clock = self._machine.clock
        assert isinstance(clock, ExactClock)
        ticks = clock.ticks(seconds)
        return ticks if clock.seconds(ticks) <= seconds else ticks - 1

    def waits(self, engine: int, number: int, units: float, holders: int) -> None:
        """So many wait in an engine's queue, the first of them for `units`, and so many hold its memory."""
        pool = self.engines[engine].memory
        assert pool is not None
        nobody: Any = self._machine.nobody
        pool.queue = deque([Waiting(nobody, _Plan(units), [pool], [], self._machine.now)] * number)
        pool.places = [nobody] * holders


def _look(deadline: float | None, cancelled: Callable[[], bool] | None) -> None:
    if deadline is not None and monotonic() >= deadline:
        raise Interrupted("the budget of time is used up")
    if cancelled is not None and cancelled():
        raise Interrupted("cancelled")


def _leave(why: str) -> NoReturn:
    raise Leave(why)


_NAMES: dict[str, Any] = (
    NAMES
    | CONSTANTS
    | {
        "accumulate": accumulate,
        "added": added,
        "before": execute.before,
        "binade_top": binade_top,
        "bisect_right": bisect_right,
        "by_admission": attrgetter("adm"),
        "ceil": ceil,
        "deque": deque,
        "draw": draw,
        "heapify": heapify,
        "heappop": heappop,
        "heappush": heappush,
        "hyperexponential": hyperexponential,
        "inf": inf,
        "leave": _leave,
        "log": log,
        "mul": mul,
        "nextafter": nextafter,
        "NEVER": _NEVER,
        "pairwise": pairwise,
        "plain_kernel": plain_kernel,
        "surely_within": surely_within,
        "uniform_between": uniform_between,
    }
)
