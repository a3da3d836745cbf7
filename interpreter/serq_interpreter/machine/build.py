"""An automaton and settings to a machine ready to start."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import assert_never

from serq_interpreter.ir import program as ir
from serq_interpreter.machine import moments
from serq_interpreter.machine.arrivals import OpenArrivals, TurnScripts, is_open
from serq_interpreter.machine.automaton import Automaton
from serq_interpreter.machine.claims import ClaimState
from serq_interpreter.machine.clock import Clock
from serq_interpreter.machine.draws import Draws
from serq_interpreter.machine.engine import Machine
from serq_interpreter.machine.errors import RunError
from serq_interpreter.machine.evaluate import Draw, Evaluator, Moment, distribution_of
from serq_interpreter.machine.execute import StateCompiler
from serq_interpreter.machine.foresight import going_on
from serq_interpreter.machine.gauges import GaugeSeries
from serq_interpreter.machine.lifecycle import Lifecycle, Line
from serq_interpreter.machine.observations import Series
from serq_interpreter.machine.pools import PoolState
from serq_interpreter.machine.quirks import Quirks
from serq_interpreter.machine.settings import Settings
from serq_interpreter.machine.spawning import Children
from serq_interpreter.machine.stages.base import StageState
from serq_interpreter.machine.stages.flows import SharedStage
from serq_interpreter.machine.stages.sharing import PsStage
from serq_interpreter.machine.stages.simple import DelayStage, FifoStage
from serq_interpreter.machine.stages.step import StepStage
from serq_interpreter.machine.stages.step_code import StepCode
from serq_interpreter.machine.static_facts import calls_any, draws, every_expression, every_statement, nodes
from serq_interpreter.machine.trace_file import Trace

_ESTIMATES = frozenset(("EstLambda", "EstRho", "EstWait", "Price"))


def build_machine(
    automaton: Automaton,
    settings: Settings,
    clock: Clock,
    quirks: Quirks,
    trace: Trace | None,
    *,
    record: bool,
    draw_of: Callable[[ir.Sample], Draw] = distribution_of,
) -> Machine:
    """A machine at time 0 (nothing has happened yet); run under `deep_recursion`.

    `draw_of` says how each draw of the program is taken; an exploration decides them itself.
    """
    program = automaton.program
    machine = Machine(automaton, settings, clock, Draws(settings.seed), quirks)
    evaluator = Evaluator(machine, draw_of)
    statement = moments.statement_moment(machine)
    machine.pools = [PoolState(pool, index) for index, pool in enumerate(program.pools)]
    shared = _shared_stages(program)
    machine.stages = [_stage(machine, index, stage, index in shared) for index, stage in enumerate(program.stages)]
    machine.estimates_read = calls_any(every_expression(program), _ESTIMATES)
    _bind_stages(machine, evaluator)
    _bind_pools(machine, evaluator)
    machine.lifecycle = _lifecycle(machine, evaluator, statement, trace)
    foreseen = going_on(automaton)
    if foreseen is not None:
        machine.draws.foresee(*foreseen)
    states = StateCompiler(machine, evaluator, statement, statement)
    machine.code, machine.plans = states.compile(automaton), states.plans
    _bind_measurements(machine, evaluator, statement, record)
    if isinstance(program.arrival, ir.Poisson | ir.Renewal):
        assert is_open(program.arrival)
        machine.open_arrivals = _open_arrivals(machine, evaluator, program.arrival)
    return machine


# --------------------------------------------------------------------------- stages


def _shared_stages(program: ir.Program) -> set[int]:
    """Every stage family named in some run over several stages is shared (05 §8)."""
    shared: set[int] = set()
    for run in _runs(program):
        if run.also:
            for stage in (run.stage, *run.also):
                shared.update(range(stage.base, stage.base + stage.count))
    return shared


def _runs(program: ir.Program) -> list[ir.Run]:
    return [statement for statement in every_statement(program) if isinstance(statement, ir.Run)]


def _stage(machine: Machine, index: int, declaration: ir.Stage, shared: bool) -> StageState:
    kind = declaration.kind
    match kind:
        case ir.Fifo():
            return FifoStage(machine, declaration, index, kind.servers)
        case ir.Delay():
            return DelayStage(machine, declaration, index)
        case ir.Ps():
            if shared and isinstance(kind.capacity, ir.Num):
                return SharedStage(machine, declaration, index, kind.capacity.value)
            return PsStage(machine, declaration, index)
        case ir.Step():
            return StepStage(machine, declaration, index)
        case _:
            assert_never(kind)


def _bind_stages(machine: Machine, evaluator: Evaluator) -> None:
    for stage in machine.stages:
        kind = stage.declaration.kind
        if isinstance(stage, PsStage) and isinstance(kind, ir.Ps):
            stage.capacity = evaluator.closure(kind.capacity, moments.capacity_moment(machine, stage))
            machine.timed.append(stage)
        elif isinstance(stage, StepStage) and isinstance(kind, ir.Step):
            if kind.memory is not None:
                stage.memory = machine.pools[kind.memory]
                stage.memory.engines.append(stage)
            stage.code = StepCode(machine, stage, evaluator)
            machine.timed.append(stage)
        elif isinstance(stage, SharedStage):
            stage.flows = machine.flows
            machine.flows.stages.append(stage)


# --------------------------------------------------------------------------- pools and measurements


def _bind_pools(machine: Machine, evaluator: Evaluator) -> None:
    queue, evict = moments.queue_moment(machine), moments.evict_moment(machine)
    for pool in machine.pools:
        declaration = pool.declaration
        if declaration.queue_keys is not None:
            pool.queue_keys = evaluator.many(declaration.queue_keys, queue)
        if declaration.evict_keys is not None:
            pool.evict_keys = evaluator.many(declaration.evict_keys, evict)
            machine.caching.snapshots_needed = True
        if declaration.preempt is not None:
            pool.preempt_keys = evaluator.many(declaration.preempt.keys, moments.preempt_moment(machine, pool))
            pool.requeue_tail = declaration.preempt.requeue_tail
        if declaration.admit_via is not None:
            pool.admit_via = machine.stages[declaration.admit_via]
            if isinstance(pool.admit_via, StepStage):
                pool.admit_via.queues.append(pool)
        if declaration.spill is not None:
            pool.spill_to = machine.pools[declaration.spill.to]
            pool.spill_via = machine.stages[declaration.spill.via]
            _check_spill(pool, declaration.spill)
            pool.spill_when = evaluator.closure(declaration.spill.when, evict)
            pool.spill_work = evaluator.closure(declaration.spill.work, evict)
            machine.caching.snapshots_needed = True


def _check_spill(pool: PoolState, spill: ir.Spill) -> None:
    """Spills that would never end, or break the engine, in the edition (04 §10)."""
    name = pool.declaration.name
    if pool.spill_to is pool:
        raise RunError("SQ0910", f"pool `{name}` spills to itself: an eviction would never end", spill)
    if pool.spill_via.is_step:
        stage = pool.spill_via.declaration.name
        message = f"pool `{name}` spills via the step engine `{stage}`, which runs prefills and decodes only"
        raise RunError("SQ0501", message, spill)


def _bind_measurements(machine: Machine, evaluator: Evaluator, statement: Moment, record: bool) -> None:
    program, settings = machine.program, machine.settings
    machine.series = [Series(name, places=record) for name in program.observes]
    finite = settings.arrivals is not None
    conditions = nodes(claim.condition for claim in program.claims)
    machine.before_warmup = {node.observation: array("d") for node in conditions if isinstance(node, ir.Agg)}
    for gauge in program.gauges:
        series = GaugeSeries(gauge.name, settings.warmup, settings.horizon, points=record, finite=finite)
        machine.gauges.append((series, evaluator.closure(gauge.value, statement)))
    for claim in program.claims:
        moment = statement
        stage = None if claim.stage is None else machine.stages[claim.stage]
        if isinstance(stage, StepStage):
            moment = stage.code.batch_moment
        condition = evaluator.closure(claim.condition, moment)
        state = ClaimState(machine, claim, condition, evaluator.optional(claim.given, statement))
        machine.claims.append(state)
        if isinstance(stage, StepStage):
            stage.claims.append(state)


# --------------------------------------------------------------------------- workload


def _lifecycle(machine: Machine, evaluator: Evaluator, statement: Moment, trace: Trace | None) -> Lifecycle:
    program = machine.program
    scripts = TurnScripts(program.arrival, trace, program.trace_ordered, machine.draws)
    init = _lines(machine.automaton.init, evaluator, statement)
    turn = _lines(machine.automaton.turn, evaluator, statement)
    lifecycle = Lifecycle(machine, scripts, init, turn)
    lifecycle.init_draws = draws(line.value for line in machine.automaton.init)
    lifecycle.turn_draws = draws(line.value for line in machine.automaton.turn)
    lifecycle.closed = isinstance(program.arrival, ir.Closed)
    if program.spawning is not None:
        lifecycle.children = Children(machine, program.spawning)
    if isinstance(program.arrival, ir.Sessions):
        lifecycle.presets = program.arrival.sessions
    return lifecycle


def _lines(statements: tuple[ir.Set | ir.Observe, ...], evaluator: Evaluator, statement: Moment) -> list[Line]:
    lines: list[Line] = []
    for line in statements:
        value = evaluator.closure(line.value, statement)
        if isinstance(line, ir.Observe):
            lines.append((True, line.observation, value))
        else:
            lines.append((False, line.slot, value))
    return lines


def _open_arrivals(machine: Machine, evaluator: Evaluator, arrival: ir.Poisson | ir.Renewal) -> OpenArrivals:
    gap = None
    if isinstance(arrival, ir.Renewal):
        closure = evaluator.closure(arrival.gap, Moment({}, machine.draws.arrival))
        nobody = machine.nobody
        gap = lambda: closure(nobody)  # noqa: E731
    return OpenArrivals(arrival, machine.draws, gap)
