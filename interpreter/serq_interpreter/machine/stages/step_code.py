"""The expressions of a step engine, compiled at their moments (05 §6.8)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, assert_never

from serq_interpreter.ir import program as ir
from serq_interpreter.machine.errors import RunError
from serq_interpreter.machine.evaluate import Closure, Evaluator, Moment
from serq_interpreter.machine.exact_clock import ExactClock
from serq_interpreter.machine.exact_costs import polynomial
from serq_interpreter.machine.expression_text import member_text
from serq_interpreter.machine.numbers import number_text
from serq_interpreter.machine.static_facts import stable_while_planning

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine
    from serq_interpreter.machine.generated.iteration_cost import QuickCost
    from serq_interpreter.machine.stages.planning import Plan
    from serq_interpreter.machine.stages.step import StepJob, StepStage


@dataclass(frozen=True, slots=True)
class Order:
    """Serve keys; `stable` if nothing that happens while an iteration is planned changes them."""

    keys: tuple[Closure, ...]
    stable: bool


@dataclass(frozen=True, slots=True)
class ServeCode:
    only: Closure | None
    order: Order

    def run(self, plan: Plan) -> None:
        plan.serve_statement(self)


@dataclass(frozen=True, slots=True)
class AdmitCode:
    only: Closure | None
    gate: Closure | None

    def run(self, plan: Plan) -> None:
        plan.admit_statement(self)


@dataclass(frozen=True, slots=True)
class BranchCode:
    node: ir.IterBranch
    guard: Closure
    then: tuple[BodyStatement, ...]
    otherwise: tuple[BodyStatement, ...]

    def run(self, plan: Plan) -> None:
        value = self.guard(plan.stage.machine.nobody)
        if value not in (0.0, 1.0):
            name = member_text(plan.stage.declaration)
            message = f"engine `{name}`: a `branch` of the iteration came out as {number_text(value)}, neither true (1) nor false (0)"
            raise RunError("SQ0908", message, self.node.guard)
        for statement in self.then if value == 1.0 else self.otherwise:
            statement.run(plan)


@dataclass(frozen=True, slots=True)
class SetCode:
    node: ir.IterSet
    value: Closure

    def run(self, plan: Plan) -> None:
        machine = plan.stage.machine
        value = self.value(machine.nobody)
        if not -inf < value < inf:
            name, register = member_text(plan.stage.declaration), machine.program.registers[self.node.register].name
            message = f"engine `{name}`: `set {register}` gives {number_text(value)}, which no register can keep: it must be finite"
            raise RunError("SQ0909", message, self.node)
        machine.registers[self.node.register] = value


BodyStatement = ServeCode | AdmitCode | BranchCode | SetCode


class BatchShape:
    """What a cost and a claim over iterations read of the iteration that starts."""

    def __init__(self, stage: StepStage) -> None:
        self.stage = stage
        self.plan: Plan
        self.n_decodes = 0

    def measure(self, plan: Plan) -> None:
        self.plan = plan
        self.n_decodes = plan.together + sum(1 for job, _ in plan.batch if job.decoding)

    def units(self, decoding: bool) -> float:
        memory = self.stage.memory
        if memory is None:
            return 0.0
        total = _units(memory, [job for job, _ in self.plan.batch if job.decoding == decoding])
        return total + self.stage._decoders.units if decoding and self.plan.together else total

    def attention(self) -> float:
        """Σ n (K + n/2) over the batch's prefills, K the position before the chunk."""
        total = -0.0
        for job, tokens in self.plan.batch:
            if not job.decoding:
                position = 0.0 if job.allocation is None else job.allocation.position
                total += tokens * (position + tokens / 2.0)
        return total

    def demand(self) -> float:
        total = -0.0
        chunk = self.plan.chunk
        if self.stage.decoders is not None:
            self.stage.decoders.sync()
        for job in self.stage.residents:
            if job.decoding:
                total += min(1.0, job.remaining)
            else:
                total += min(job.remaining, chunk) if chunk > 0.0 else job.remaining
        return total


def _units(memory: Any, jobs: list[StepJob]) -> float:
    total = 0.0
    for job in jobs:
        assert job.actor is not None
        total += job.actor.units_on(memory)
    return total


class StepCode:
    """A step engine's compiled options."""

    def __init__(self, machine: Machine, stage: StepStage, evaluator: Evaluator) -> None:
        kind = stage.declaration.kind
        assert isinstance(kind, ir.Step)
        self.shape = BatchShape(stage)
        self._evaluator = evaluator
        self._nodes: dict[Closure, ir.Expr] = {}
        now: dict[str, Closure] = {"Now": lambda _: machine.seconds}
        totals = _resident_totals(stage)
        of_job = _job_variables()
        stream = machine.draws.machine
        self.budget = evaluator.closure(kind.budget, Moment(now | totals, stream))
        self.chunk = evaluator.closure(kind.chunk, Moment(now | totals, stream))
        self.batch_moment = Moment(now | self._batch_variables(machine, stage), stream)
        self.cost = evaluator.closure(kind.cost, self.batch_moment)
        self.quick_cost: QuickCost | None = None
        """The cost of a plan as generated source, where a fast form installed it."""
        self.cost_in_ticks = self._cost_in_ticks(machine, kind.cost)
        self._key_moment = Moment(now | totals | of_job)
        self._body_moment = Moment(totals | _plan_variables(stage))
        self.granule = kind.granule
        self.exclusive_prefill = kind.serve is None
        self.order = self._order(kind.serve or ())
        self.body = None if kind.iteration is None else self._body(kind.iteration)
        self.registers = [
            number for number, register in enumerate(machine.program.registers) if register.stage == stage.index
        ]
        self.sets_registers = bool(self.registers)

    def _cost_in_ticks(self, machine: Machine, cost: ir.Expr) -> Callable[[Any], int | None] | None:
        """On the exact clock, a polynomial cost in integers (`exact_costs`); the double is rounded otherwise."""
        if not isinstance(machine.clock, ExactClock):
            return None
        exact = polynomial(cost)
        if exact is None:
            return None
        return machine.clock.exact_cost(exact).evaluator(lambda node: self._evaluator.closure(node, self.batch_moment))

    def closure_of(self, node: ir.Expr) -> Closure:
        """A part of the cost, at the moment when the cost is read."""
        return self._evaluator.closure(node, self.batch_moment)

    def node_of(self, closure: Closure) -> ir.Expr | None:
        """The expression a gate was compiled from."""
        return self._nodes.get(closure)

    def _order(self, keys: tuple[ir.Expr, ...]) -> Order:
        return Order(self._evaluator.many(keys, self._key_moment), stable_while_planning(keys))

    def _body(self, statements: tuple[ir.IterStmt, ...]) -> tuple[BodyStatement, ...]:
        return tuple([self._statement(statement) for statement in statements])

    def _statement(self, statement: ir.IterStmt) -> BodyStatement:
        closure, optional = self._evaluator.closure, self._evaluator.optional
        match statement:
            case ir.IterServe():
                order = self.order if statement.by is None else self._order(statement.by)
                return ServeCode(optional(statement.only, self._key_moment), order)
            case ir.IterAdmit():
                gate = optional(statement.gate, self._body_moment)
                if gate is not None and statement.gate is not None:
                    self._nodes[gate] = statement.gate
                return AdmitCode(optional(statement.only, self._key_moment), gate)
            case ir.IterBranch():
                guard = closure(statement.guard, self._body_moment)
                return BranchCode(statement, guard, self._body(statement.then), self._body(statement.otherwise))
            case ir.IterSet():
                return SetCode(statement, closure(statement.value, self._body_moment))
            case _:
                assert_never(statement)

    def _batch_variables(self, machine: Machine, stage: StepStage) -> dict[str, Closure]:
        shape = self.shape
        return {
            "Ntok": lambda _: shape.plan.tokens(),
            "Npre": lambda _: shape.plan.prefilled(),
            "Nres": lambda _: float(stage.present),
            "Ndec": lambda _: float(shape.n_decodes),
            "Kvb": lambda _: shape.units(True),
            "Kvp": lambda _: shape.units(False),
            "Attn": lambda _: shape.attention(),
            "Demand": lambda _: shape.demand(),
            "Served": lambda _: stage.served,
            "Arrived": lambda _: float(machine.arrivals),
        }


def _resident_totals(stage: StepStage) -> dict[str, Closure]:
    def decoders(_subject: Any) -> float:
        members = 0 if stage.decoders is None else len(stage.decoders.members)
        return float(members + sum(1 for job in stage.others if job.decoding))

    def units(decoding: bool) -> Callable[[Any], float]:
        def total(_subject: Any) -> float:
            memory = stage.memory
            if memory is None:
                return 0.0
            total = _units(memory, [job for job in stage.others if job.decoding == decoding])
            return total + stage.decoders.units if decoding and stage.decoders is not None else total

        return total

    return {"Nres": lambda _: float(stage.present), "Ndec": decoders, "Kvb": units(True), "Kvp": units(False)}


def _job_variables() -> dict[str, Closure]:
    return {
        "Decoding": lambda actor: 1.0 if actor.job.decoding else 0.0,
        "Admission": lambda actor: actor.admission,
        "Remaining": lambda actor: actor.job.remaining,
    }


def _plan_variables(stage: StepStage) -> dict[str, Closure]:
    def plan() -> Plan:
        assert stage.plan is not None
        return stage.plan

    return {
        "Ntok": lambda _: plan().tokens(),
        "Npre": lambda _: plan().prefilled(),
        "Admitted": lambda _: float(plan().admitted),
        "Preempted": lambda _: float(plan().preempted),
    }
