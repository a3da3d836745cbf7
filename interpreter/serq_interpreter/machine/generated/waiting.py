"""Whether what waits now goes on waiting while a window lasts (05 §11.1, condition 6)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from serq_interpreter.ir import program as ir
from serq_interpreter.machine.generated.expression_source import ARITHMETIC
from serq_interpreter.machine.numbers import SLACK
from serq_interpreter.machine.stages.sharing import PsStage
from serq_interpreter.machine.stages.step import StepStage
from serq_interpreter.machine.stages.step_code import AdmitCode, ServeCode
from serq_interpreter.machine.static_facts import nodes

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine
    from serq_interpreter.machine.hold_plan import HoldPlan
    from serq_interpreter.machine.pools import PoolState

_STILL = ARITHMETIC | {
    "Holders",
    "Queued",
    "Queue",
    "BudgetLeft",
    "CachedIn",
    "EstLambda",
    "EstRho",
    "EstWait",
    "Price",
}


@dataclass(frozen=True, slots=True)
class _Demand:
    """Of a hold: whether its amounts stand still, and whether they read a cached prefix, which may be evicted."""

    still: bool
    reads_cached: bool


@dataclass(frozen=True, slots=True)
class Standstill:
    """The answer: `evictions` says whether cached units may go meanwhile without anybody noticing."""

    evictions: bool


def _admits_first(engine: StepStage) -> bool:
    """Whether the iteration's body admits before it serves: then the whole budget is left."""
    for statement in engine.code.body or ():
        if isinstance(statement, AdmitCode):
            return True
        if isinstance(statement, ServeCode):
            return False
    return False


class Waiting:
    """Looks at every queue, line and stage before a window."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._demands: dict[HoldPlan, _Demand] = {}
        self._fixed_order = {
            pool: pool.queue_keys is None or _reads_attributes_only(pool.declaration.queue_keys or ())
            for pool in machine.pools
        }
        self._bystanders: dict[StepStage, list[StepStage]] = {}
        self._shared = [stage for stage in machine.timed if isinstance(stage, PsStage)]
        engines = [stage for stage in machine.timed if isinstance(stage, StepStage)]
        for engine in engines:
            self._bystanders[engine] = [other for other in engines if other is not engine]

    def standstill(self, engine: StepStage, left: float) -> Standstill | None:
        """`None` if something might move; `left` is what the decodes leave of the engine's budget."""
        machine = self._machine
        if machine.ready or machine.flows.changed:
            return None
        for stage in self._shared:
            if stage.changed:
                return None
        for other in self._bystanders[engine]:
            if not other.running and (other.present or other.has_waiting()):
                return None
        evictions = True
        served = False
        for pool in machine.pools:
            if pool.growers and machine.growth.fits(pool.growers[0].allocation, pool.growers[0].units):
                return None
            if not pool.queue:
                continue
            if pool.admit_via is not None:
                if pool.admit_via is not engine or served:
                    continue
                served = True
            for budget in self._budgets(pool, engine, left):
                answer = self._stays_out(pool, engine, budget)
                if answer is None:
                    return None
                evictions = evictions and answer.evictions
        return _FREE if evictions else _FULL

    def _budgets(self, pool: PoolState, engine: StepStage, left: float) -> tuple[float, ...]:
        """What is left of the budget each time the queue's head is tried in an iteration."""
        if pool.admit_via is not engine:
            return (left,)
        after = (left,) if left > 0.0 else ()
        if _admits_first(engine):
            return (engine.code.budget(self._machine.nobody), *after)
        return after

    def _stays_out(self, pool: PoolState, engine: StepStage, left: float) -> Standstill | None:
        """The head of a queue is refused now, for a reason that lasts."""
        if len(pool.queue) > 1 and not self._fixed_order[pool]:
            return None
        waiting = pool.head()
        plan, actor = waiting.plan, waiting.actor
        demand = self._demands.get(plan)
        if demand is None:
            demand = self._demands[plan] = _demand(plan)
        if not demand.still:
            return None
        if pool.admit_via is engine:
            engine.reading_header_with = (
                engine.code.budget(self._machine.nobody) if engine.code.exclusive_prefill else left
            )
        refused = self._refused(plan, waiting.pools, actor)
        engine.reading_header_with = None
        if not refused:
            return None
        borrows = demand.reads_cached and any(actor.root in member.live for member in self._machine.pools)
        return _FULL if borrows else _FREE

    def _refused(self, plan: HoldPlan, pools: list[PoolState], actor: Any) -> bool:
        refused = False
        for take, pool in zip(plan.takes, pools, strict=True):
            units = take.units(actor)
            reserve = units if take.reserve is None else take.reserve(actor)
            if not units >= -SLACK or not reserve >= -SLACK:
                return False
            need = pool.up(max(units, reserve, 0.0))
            if not pool.used + pool.outstanding() + need <= pool.cap + SLACK:
                refused = True
        return refused


_FREE = Standstill(True)
_FULL = Standstill(False)


def _demand(plan: HoldPlan) -> _Demand:
    amounts = [amount for take in plan.takes for amount in (take.node.units, take.node.reserve)]
    still = True
    reads_cached = False
    for node in nodes(amounts):
        match node:
            case ir.Ctx() | ir.Sample() | ir.Agg() | ir.Reg():
                still = False
            case ir.Call(function=function):
                still = still and function in _STILL
                reads_cached = reads_cached or function == "CachedIn"
            case _:
                continue
    return _Demand(still, reads_cached)


def _reads_attributes_only(keys: Iterable[ir.Expr]) -> bool:
    return not any(
        isinstance(node, ir.Ctx | ir.Sample | ir.Agg | ir.Reg | ir.PoolRef | ir.StageRef) for node in nodes(keys)
    )
