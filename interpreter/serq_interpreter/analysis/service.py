"""The hypotheses of the progress theorem that concern everything but memory: loops, work, engines, legality."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import isfinite
from typing import TYPE_CHECKING

from serq_interpreter.analysis import interval as i
from serq_interpreter.analysis.bounds import Bounds
from serq_interpreter.analysis.interval import Interval
from serq_interpreter.ir import program as ir
from serq_interpreter.ir.walk import Part, expressions, parts_of, roots, statements

if TYPE_CHECKING:
    from serq_interpreter.analysis.progress import Finding

_ADDITIVE = frozenset(["Ntok", "Npre", "Ndec", "Nres", "Kvb", "Kvp", "Attn"])
"""Context variables that are sums over the requests of an iteration."""


LeastOf = Callable[[ir.Expr, ir.Stmt], float]


def service_findings(program: ir.Program, bounds: Bounds, least_of: LeastOf) -> Iterator[Finding]:
    """What can be said of loops, work, engines, batches and legality.

    `least_of` gives a number that an expression of a statement is never below.
    """
    from serq_interpreter.analysis.progress import Finding

    for hypothesis, found, shown in (
        ("loops", _loops(program, bounds), "there is no loop, or each ends at a declared number of turns"),
        ("work", _work(program, bounds, least_of), "all work is finite and not negative"),
        ("engines", _engines(program, bounds), "budgets and costs are positive and add up"),
        ("batches", _batches(program), "every engine serves and admits everybody"),
        ("legal", _legal(program, bounds), "no statement can fail"),
    ):
        complaints = list(found)
        if not complaints:
            yield Finding(hypothesis, True, shown)
        for text, node in complaints[:1]:
            yield Finding(hypothesis, None, text, node)


Complaints = Iterator[tuple[str, object]]


def _loops(program: ir.Program, bounds: Bounds) -> Complaints:
    n_turns = sum(1 for item in statements(program.session) if isinstance(item, ir.Turn))
    for statement in statements(program.session):
        if isinstance(statement, ir.Loop) and not _ends(statement, program, bounds, n_turns):
            yield "a loop that does not begin with `turn` and end at `turn_no == …`, a whole number of turns", statement


def _ends(loop: ir.Loop, program: ir.Program, bounds: Bounds, n_turns: int) -> bool:
    body = loop.body.statements
    takes_time = any(_lasts(item, bounds) for item in body)
    if n_turns != 1 or not takes_time or not any(isinstance(item, ir.Turn) for item in body):
        return False
    assigned = {
        item.slot for root in roots(program)[1:] for item in statements(root) if isinstance(item, ir.Set | ir.Choose)
    }
    if ir.SLOT_TURN in assigned:
        return False
    behind = body[next(number for number, item in enumerate(body) if isinstance(item, ir.Turn)) :]
    for statement in behind:
        match statement:
            case ir.Branch(guard=ir.Binary(op="Eq" | "Ge", left=ir.Attr(slot=ir.SLOT_TURN), right=limit), then=then):
                if isinstance(limit, ir.Attr) and limit.slot in assigned | {*range(9)}:
                    return False
                value = bounds.value(limit, statement) if isinstance(limit, ir.Attr | ir.Num) else None
                fine = value is not None and value.finite and value.whole and value.lo >= 1.0
                return fine and any(isinstance(item, ir.End) for item in then.statements)
            case _:
                continue
    return False


def _lasts(statement: ir.Stmt, bounds: Bounds) -> bool:
    """Whether time surely passes in a statement (a thousand turns at one instant are an error, 05 §12)."""
    if isinstance(statement, ir.Hold):
        return any(_lasts(item, bounds) for item in statement.body.statements)
    if not isinstance(statement, ir.Run):
        return False
    value = bounds.value(statement.work, statement)
    return value is not None and value.lo > 0.0


def _work(program: ir.Program, bounds: Bounds, least_of: LeastOf) -> Complaints:
    for root in roots(program):
        for statement in statements(root):
            for part in parts_of(statement):
                if any(isinstance(item, ir.Num) and not isfinite(item.value) for item in expressions(part)):
                    if not isinstance(statement, ir.Hold):
                        yield "an infinite number", statement
    for statement in statements(program.session):
        if isinstance(statement, ir.Run):
            value = bounds.value(statement.work, statement)
            if value is not None and (value.nan or least_of(statement.work, statement) < 0.0):
                yield f"work that may be {value}", statement
            yield from _served(program, statement)
    for stage in program.stages:
        if isinstance(stage.kind, ir.Ps):
            capacity = stage.kind.capacity
            if not isinstance(capacity, ir.Num) or not capacity.value > 0.0:
                yield f"the rate of `{stage.name}` is no positive number", stage


def _served(program: ir.Program, run: ir.Run) -> Complaints:
    """A run with a mode stands at an engine, one without does not."""
    for reference in (run.stage, *run.also):
        for stage in program.stages[reference.base : reference.base + reference.count]:
            if isinstance(stage.kind, ir.Step) != (run.mode is not ir.RunMode.PLAIN):
                yield f"a run at `{stage.name}` of another kind", run


def _engines(program: ir.Program, bounds: Bounds) -> Complaints:
    nobody = _nobody(program)
    memories = [stage.kind.memory for stage in program.stages if isinstance(stage.kind, ir.Step)]
    for stage in program.stages:
        if not isinstance(stage.kind, ir.Step):
            continue
        budget = bounds.expressions.value(stage.kind.budget, nobody)
        if (
            budget.nan
            or not budget.lo > 0.0
            or any(isinstance(p, ir.Ctx | ir.Call) for p in expressions(stage.kind.budget))
        ):
            yield f"the budget of `{stage.name}` is not surely positive", stage
        cost = bounds.expressions.value(stage.kind.cost, nobody)
        if cost.nan or not cost.lo > 0.0 or not _adds_up(stage.kind.cost):
            yield f"the cost of `{stage.name}` is not a positive number and parts for each token and request", stage
        if stage.kind.granule is not None:
            yield f"`{stage.name}` has a granule", stage
        if stage.kind.memory is not None and memories.count(stage.kind.memory) > 1:
            yield f"`{stage.name}` shares its memory", stage


def _nobody(program: ir.Program) -> tuple[Interval, ...]:
    """Engines have no session: its attributes are not numbers."""
    return (i.ANYTHING,) * len(program.attrs)


def _adds_up(cost: ir.Expr) -> bool:
    """Whether a cost is a sum of non-negative parts that are proportional to sums over requests; recursive."""
    match cost:
        case ir.Num(value=value):
            return 0.0 <= value < float("inf")
        case ir.Ctx(name=name):
            return name in _ADDITIVE
        case ir.Binary(op="Add", left=left, right=right):
            return _adds_up(left) and _adds_up(right)
        case ir.Binary(op="Mul", left=left, right=right):
            return _adds_up(left) and _adds_up(right) and (isinstance(left, ir.Num) or isinstance(right, ir.Num))
        case ir.Binary(op="Div", left=left, right=ir.Num(value=value)):
            return value > 0.0 and _adds_up(left)
    return False


def _batches(program: ir.Program) -> Complaints:
    for pool in program.pools:
        if pool.admit_via is not None and not isinstance(program.stages[pool.admit_via].kind, ir.Step):
            yield f"`{pool.name}` is admitted by `{program.stages[pool.admit_via].name}`, which is no engine", pool
    for stage in program.stages:
        if isinstance(stage.kind, ir.Step):
            if stage.kind.serve is None:
                yield f"`{stage.name}` serves prefills exclusively", stage
            if stage.kind.iteration is not None and not _includes_everybody(stage.kind.iteration):
                yield f"the iteration of `{stage.name}` may leave somebody out", stage


def _includes_everybody(body: tuple[ir.IterStmt, ...]) -> bool:
    """Whether a body surely reaches a `serve` without `only` and an `admit` without `only` or gate."""
    serves = any(isinstance(item, ir.IterServe) and item.only is None for item in body)
    admits = any(isinstance(item, ir.IterAdmit) and item.only is None and _open(item.gate) for item in body)
    plain = all(isinstance(item, ir.IterServe | ir.IterAdmit) and item.only is None for item in body)
    return serves and admits and plain


def _open(gate: ir.Expr | None) -> bool:
    """No gate, or `!preempted`: nothing is preempted where the theorem holds."""
    return gate is None or (isinstance(gate, ir.Unary) and gate.op == "Not" and _is_preempted(gate.operand))


def _is_preempted(part: Part) -> bool:
    return isinstance(part, ir.Ctx) and part.name == "Preempted"


def _legal(program: ir.Program, bounds: Bounds) -> Complaints:
    for statement in statements(program.session):
        if bounds.at(statement) is None:
            continue
        match statement:
            case ir.Branch(guard=guard):
                value = bounds.value(guard, statement)
                if value is None or value.nan or value.lo < 0.0 or value.hi > 1.0 or not value.whole:
                    yield "a guard that may be neither 0 nor 1", statement
            case ir.Hold(admission=admission):
                for take in admission.takes:
                    for amount in (take.units, take.reserve):
                        value = None if amount is None else bounds.value(amount, statement)
                        if value is not None and (value.nan or value.lo < 0.0):
                            yield f"an amount that may be {value}", statement
            case ir.Grow(units=units):
                value = bounds.value(units, statement)
                if value is None or value.nan or value.lo < 0.0:
                    yield "an amount that may be negative", statement
            case ir.Choose(count=count):
                value = bounds.value(count, statement)
                if value is None or not value.finite or not value.whole or value.lo < 0.0:
                    yield "a count that may be no whole number", statement
            case _:
                pass
        yield from _indices(statement, bounds)
    if any(isinstance(item, ir.Fork | ir.Join) for item in statements(program.session)):
        yield "legs, which must have been joined when a session ends", program.session
    if program.spawning is not None:
        yield "child sessions, whose number and whose waits the argument does not count", program.session
    for claim in program.claims:
        if claim.given is not None:
            yield f"claim `{claim.name}` supposes something of every session", claim
    for root in roots(program):
        for statement in statements(root):
            for part in parts_of(statement):
                if any(isinstance(item, ir.Sample) and item.distribution == "Erlang" for item in expressions(part)):
                    yield "a draw of many phases", statement
    if isinstance(program.arrival, ir.Renewal):
        yield "gaps between arrivals that may not be positive", program.arrival.gap


def _indices(statement: ir.Stmt, bounds: Bounds) -> Complaints:
    for part in parts_of(statement):
        for item in expressions(part):
            if isinstance(item, ir.PoolRef | ir.StageRef) and item.index is not None:
                value = bounds.value(item.index, statement)
                if value is None or value.nan or not value.whole or value.lo < 0.0 or value.hi > item.count - 1:
                    yield "an index that may name no member", statement
