"""States of the automaton to functions of an actor.

`execute(actor)` does what the state says and returns the next state, or `BLOCK` when the
actor cannot go on; it has then set `actor.pc` to the state where it will.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING, Any

from serq_interpreter.ir import program as ir
from serq_interpreter.machine import automaton as a
from serq_interpreter.machine.actors import IN_STAGE, JOINING, Actor
from serq_interpreter.machine.admission import bad_amount
from serq_interpreter.machine.errors import RunError
from serq_interpreter.machine.evaluate import Evaluator, Moment
from serq_interpreter.machine.expression_text import expression_text
from serq_interpreter.machine.growth import FITS
from serq_interpreter.machine.hold_plan import HoldPlan
from serq_interpreter.machine.numbers import SLACK, number_text
from serq_interpreter.machine.spawning import Birth, Children

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine
    from serq_interpreter.machine.pools import Allocation, PoolState

BLOCK = -1

Execute = Callable[[Actor], int]


class StateCompiler:
    """Binds the states of an automaton to a machine."""

    def __init__(self, machine: Machine, evaluator: Evaluator, session: Moment, header: Moment) -> None:
        self.machine = machine
        self.program = machine.program
        self.evaluator = evaluator
        self.session = session
        self.header = header
        self.plans: dict[int, HoldPlan] = {}
        """The holds by their state."""

    def compile(self, automaton: a.Automaton) -> list[Execute]:
        """One function per state; run under `deep_recursion`."""
        self.moves = {state.closes: state.moves for state in automaton.states if isinstance(state, a.ExitState)}
        return [self._state(number, state) for number, state in enumerate(automaton.states)]

    def _state(self, number: int, state: a.State) -> Execute:
        match state:
            case a.TurnState():
                return self._turn(state)
            case a.SetState():
                return self._set(state)
            case a.ObserveState():
                return self._observe(state)
            case a.AcquireState():
                return self._acquire(number, state)
            case a.ExitState():
                return self._exit(state)
            case a.RunState():
                return self._run(state)
            case a.GrowState():
                return self._grow(state)
            case a.LoadState():
                return self._load(state)
            case a.DropState():
                return self._drop(state)
            case a.ReleaseState():
                return self._release(state)
            case a.BranchState():
                return self._branch(state)
            case a.ChooseState():
                return self._choose(state)
            case a.ForkState():
                return self._fork(state)
            case a.SpawnState():
                return self._spawn(state)
            case a.JoinGroupState():
                return self._join_group(state)
            case a.JoinState():
                return self._join(state)
            case a.GotoState():
                following = state.next
                return lambda _: following
            case a.EndState():
                return self._end(state)
        raise TypeError(f"unknown state {type(state).__name__}")

    # ------------------------------------------------------------------ attributes and flow

    def _turn(self, state: a.TurnState) -> Execute:
        lifecycle, following = self.machine.lifecycle, state.next

        def turn(actor: Actor) -> int:
            lifecycle.turn(actor)
            return following

        return turn

    def _set(self, state: a.SetState) -> Execute:
        value, slot, following = self.evaluator.closure(state.value, self.session), state.slot, state.next

        def set_attribute(actor: Actor) -> int:
            actor.attrs[slot] = value(actor)
            return following

        return set_attribute

    def _observe(self, state: a.ObserveState) -> Execute:
        value, index, following = self.evaluator.closure(state.value, self.session), state.observation, state.next
        machine = self.machine

        def observe(actor: Actor) -> int:
            machine.observe(index, value(actor), actor)
            return following

        return observe

    def _branch(self, state: a.BranchState) -> Execute:
        guard, then, otherwise = self.evaluator.closure(state.guard, self.session), state.next, state.otherwise
        program, node = self.program, state.guard

        def branch(actor: Actor) -> int:
            value = guard(actor)
            if value == 1.0:
                return then
            if value == 0.0:
                return otherwise
            raise bad_guard(program, node, value)

        return branch

    def _choose(self, state: a.ChooseState) -> Execute:
        count_of = self.evaluator.closure(state.count, self.session)
        keys = self.evaluator.many(state.keys, self.session)
        slot, following, program, node = state.slot, state.next, self.program, state.count

        def choose(actor: Actor) -> int:
            count = count_of(actor)
            if not 0.0 <= count < inf or count != int(count):
                raise bad_count(program, node, count)
            attrs = actor.attrs
            best = 0
            best_keys: list[float] = []
            for candidate in range(int(count)):
                attrs[slot] = float(candidate)
                values = [key(actor) for key in keys]
                if candidate == 0 or before(values, best_keys):
                    best, best_keys = candidate, values
            attrs[slot] = float(best)
            return following

        return choose

    def _fork(self, state: a.ForkState) -> Execute:
        lifecycle, leg, following = self.machine.lifecycle, state.leg, state.next

        def fork(actor: Actor) -> int:
            lifecycle.fork(actor, leg)
            return following

        return fork

    def _join(self, state: a.JoinState) -> Execute:
        following = state.next

        def join(actor: Actor) -> int:
            if actor.legs_running == 0:
                return following
            actor.status = JOINING
            actor.pc = following
            return BLOCK

        return join

    def _spawn(self, state: a.SpawnState) -> Execute:
        children, following = self._children(), state.next
        assert isinstance(state.node, ir.Spawn)
        sets = [(line.slot, self.evaluator.closure(line.value, self.session)) for line in state.sets]
        pool = None if state.inherit is None else self.evaluator.pool(state.inherit, self.session)[1]
        birth = Birth(state.node, self.evaluator.closure(state.count, self.session), sets, pool)

        def spawn(actor: Actor) -> int:
            children.spawn(actor, birth)
            return following

        return spawn

    def _join_group(self, state: a.JoinGroupState) -> Execute:
        children, group, following = self._children(), state.group, state.next

        def join(actor: Actor) -> int:
            if children.join(actor, group):
                return following
            actor.pc = following
            return BLOCK

        return join

    def _children(self) -> Children:
        children = self.machine.lifecycle.children
        assert children is not None, "a program that spawns says so"
        return children

    def _end(self, state: a.EndState) -> Execute:
        lifecycle, node = self.machine.lifecycle, state.node

        def end(actor: Actor) -> int:
            lifecycle.end(actor, node)
            return BLOCK

        return end

    # ------------------------------------------------------------------ memory

    def _acquire(self, number: int, state: a.AcquireState) -> Execute:
        header = self.header
        plan = HoldPlan(number, state, self.moves[state.opens], self.evaluator, self.session, header)
        self.plans[number] = plan
        admission = self.machine.admission

        def acquire(actor: Actor) -> int:
            admission.join(actor, plan)
            return BLOCK

        return acquire

    def _exit(self, state: a.ExitState) -> Execute:
        holds, following = self.machine.holds, state.next

        def leave_scope(actor: Actor) -> int:
            holds.close_scope(actor)
            return following

        return leave_scope

    def _grow(self, state: a.GrowState) -> Execute:
        member = self.evaluator.pool(state.pool, self.session)[1]
        amount = self.evaluator.closure(state.units, self.session)
        growth, following, program = self.machine.growth, state.next, self.program

        def grow(actor: Actor) -> int:
            pool: PoolState = member(actor)
            units = amount(actor)
            allocation = growing_allocation(program, state, actor, pool, units)
            actor.pc = following
            return following if growth.grow_statement(actor, allocation, pool.up(max(units, 0.0))) == FITS else BLOCK

        return grow

    def _load(self, state: a.LoadState) -> Execute:
        member = self.evaluator.pool(state.pool, self.session)[1]
        amount = self.evaluator.closure(state.units, self.session)
        following, program = state.next, self.program

        def load(actor: Actor) -> int:
            load_units(program, state, actor, member(actor), amount(actor))
            return following

        return load

    def _drop(self, state: a.DropState) -> Execute:
        member, following, caching = self.evaluator.pool(state.pool, self.session)[1], state.next, self.machine.caching

        def drop(actor: Actor) -> int:
            caching.drop(member(actor), actor)
            return following

        return drop

    def _release(self, state: a.ReleaseState) -> Execute:
        member, following, holds = self.evaluator.pool(state.pool, self.session)[1], state.next, self.machine.holds

        def release(actor: Actor) -> int:
            holds.release(actor, member(actor))
            return following

        return release

    # ------------------------------------------------------------------ runs

    def _run(self, state: a.RunState) -> Execute:
        machine, following, program = self.machine, state.next, self.program
        stages = [self.evaluator.stage(stage, self.session)[1] for stage in (state.stage, *state.also)]
        work_of = self.evaluator.closure(state.work, self.session)
        growing = None if state.growing is None else self.evaluator.pool(state.growing, self.session)[1]
        first = stages[0]

        def start(actor: Actor, work: float, stage: Any) -> Any:
            if len(stages) > 1:
                return machine.flows.start(actor, [stage, *[member(actor) for member in stages[1:]]], work)
            if not stage.is_step:
                return stage.join(actor, work)
            pool = None if growing is None else growing(actor)
            return stage.join_run(actor, work, pool, state)

        def run(actor: Actor) -> int:
            stage = first(actor)
            work = work_of(actor)
            if not work >= -SLACK:
                raise bad_work(program, state, work)
            actor.pc = following
            if work <= 0.0:
                # A run of zero work is a no-op that lets the others ready go first (05 §2).
                machine.make_ready(actor)
                return BLOCK
            actor.status = IN_STAGE
            actor.job = start(actor, work, stage)
            return BLOCK

        return run


def growing_allocation(
    program: ir.Program, state: a.GrowState, actor: Actor, pool: PoolState, units: float
) -> Allocation:
    """The allocation that a `grow` of `units` enlarges.  Raises `RunError`."""
    name = program.pools[state.pool.base].name
    if not units >= -SLACK:
        raise bad_amount(f"grow {name} ({expression_text(program, state.units)})", units, state.units)
    allocation = actor.allocation_on(pool)
    if allocation is None:
        raise RunError("SQ0905", f"`grow {name}`: the session holds nothing of `{name}` here", state.node)
    return allocation


def load_units(program: ir.Program, state: a.LoadState, actor: Actor, pool: PoolState, units: float) -> None:
    """`load`: units of the allocation count as computed.  Raises `RunError`."""
    name = program.pools[state.pool.base].name
    if not units >= -SLACK:
        raise bad_amount(f"load {name} ({expression_text(program, state.units)})", units, state.units)
    allocation = actor.allocation_on(pool)
    if allocation is None:
        raise RunError("SQ0905", f"`load {name}`: the session holds nothing of `{name}` here", state.node)
    units = max(units, 0.0)
    if not allocation.position + units <= allocation.units + SLACK:
        allocated, computed = number_text(allocation.units), number_text(allocation.position)
        message = (
            f"`load {name} ({number_text(units)})`: of the {allocated} units held {computed} are computed already, so "
            "that fewer are left to load into"
        )
        raise RunError("SQ0906", message, state.node)
    allocation.position += units
    allocation.frame.advanced = True


def bad_guard(program: ir.Program, guard: ir.Expr, value: float) -> RunError:
    """SQ0901: a guard read `value`."""
    message = (
        f"`branch ({expression_text(program, guard)})`: the test came out as {number_text(value)}, which is neither true "
        "(1) nor false (0)"
    )
    return RunError("SQ0901", message, guard)


def bad_work(program: ir.Program, state: a.RunState, work: float) -> RunError:
    """SQ0902: the work of a run came out as `work`."""
    mode = "" if state.mode is ir.RunMode.PLAIN else f" {state.mode.value.lower()}"
    name = program.stages[state.stage.base].name
    return bad_amount(f"run {name}{mode} ({expression_text(program, state.work)})", work, state.work)


def bad_count(program: ir.Program, node: ir.Expr, count: float) -> RunError:
    """SQ0907: a `choose` is to choose among `count`."""
    text = expression_text(program, node)
    message = f"`choose … in ({text})`: {number_text(count)} is no number of candidates: it is whole and not negative"
    return RunError("SQ0907", message, node)


def before(values: list[float], best: list[float]) -> bool:
    """Lexicographic `<`; a NaN neither wins nor loses: the current best stays (04 §16)."""
    for value, other in zip(values, best, strict=True):
        if value < other:
            return True
        if value != other:
            return False
    return False
