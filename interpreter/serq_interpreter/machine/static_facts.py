"""What an expression can read, decided without running it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from serq_interpreter.ir import program as ir

Node = ir.Expr | ir.PoolRef | ir.StageRef


def nodes(expressions: Iterable[Node | None]) -> Iterator[Node]:
    """Every expression and reference inside the given ones, in no particular order; iterative."""
    pending: list[Node | None] = list(expressions)
    while pending:
        node = pending.pop()
        if node is None:
            continue
        yield node
        match node:
            case ir.Unary():
                pending.append(node.operand)
            case ir.Binary():
                pending += (node.left, node.right)
            case ir.Cond():
                pending += (node.test, node.then, node.otherwise)
            case ir.Sample() | ir.Call():
                pending += node.args
            case ir.PoolRef() | ir.StageRef():
                pending.append(node.index)


def attributes_read(expressions: Iterable[Node | None]) -> set[int]:
    """The slots the expressions read."""
    return {node.slot for node in nodes(expressions) if isinstance(node, ir.Attr)}


def draws(expressions: Iterable[Node | None]) -> bool:
    """Whether evaluating may take a draw."""
    return any(isinstance(node, ir.Sample) for node in nodes(expressions))


def reads_only_attributes(expression: ir.Expr) -> bool:
    """Numbers, attributes and arithmetic only: the same value until the session runs again (04 §4.1)."""
    return not any(
        isinstance(node, ir.Sample | ir.Ctx | ir.Reg | ir.Agg | ir.PoolRef | ir.StageRef)
        for node in nodes((expression,))
    )


def calls_any(expressions: Iterable[Node | None], functions: frozenset[str]) -> bool:
    """Whether some function of the set is called."""
    return any(isinstance(node, ir.Call) and node.function in functions for node in nodes(expressions))


_PLAN_VARIABLES = frozenset(("Decoding", "Admission", "Remaining", "Now"))


def stable_while_planning(expressions: Iterable[Node | None]) -> bool:
    """Whether a resident's keys keep their value while one iteration is planned: they read only what neither a
    growth, a preemption nor an admission changes.  Attributes of a resident do not change while it runs."""
    for node in nodes(expressions):
        if isinstance(node, ir.Sample | ir.Reg | ir.Agg | ir.PoolRef | ir.StageRef):
            return False
        if isinstance(node, ir.Ctx) and node.name not in _PLAN_VARIABLES:
            return False
    return True


# --------------------------------------------------------------------------- all of a program


def every_statement(program: ir.Program) -> list[ir.Stmt]:
    """All statements of the three blocks, in no particular order."""
    found: list[ir.Stmt] = []
    pending = [program.init, program.turn, program.session]
    while pending:
        for statement in pending.pop().statements:
            found.append(statement)
            match statement:
                case ir.Hold() | ir.Loop() | ir.Fork() | ir.Spawn():
                    pending.append(statement.body)
                case ir.Branch():
                    pending += (statement.then, statement.otherwise)
    return found


def every_expression(program: ir.Program) -> list[ir.Expr | ir.PoolRef | ir.StageRef | None]:
    """The roots of all expressions that may be evaluated in a run."""
    roots: list[ir.Expr | ir.PoolRef | ir.StageRef | None] = []
    for statement in every_statement(program):
        roots += _statement_expressions(statement)
    for pool in program.pools:
        roots += pool.evict_keys or ()
        roots += pool.queue_keys or ()
        roots += pool.preempt.keys if pool.preempt else ()
        if pool.spill is not None:
            roots += (pool.spill.work, pool.spill.when)
    for stage in program.stages:
        match stage.kind:
            case ir.Ps():
                roots.append(stage.kind.capacity)
            case ir.Step():
                roots += (stage.kind.budget, stage.kind.cost, stage.kind.chunk, *(stage.kind.serve or ()))
                roots += _iteration_expressions(stage.kind.iteration or ())
    roots += [gauge.value for gauge in program.gauges]
    for claim in program.claims:
        roots += (claim.given, claim.condition)
    return roots


def _iteration_expressions(statements: tuple[ir.IterStmt, ...]) -> list[ir.Expr | None]:
    roots: list[ir.Expr | None] = []
    pending = list(statements)
    while pending:
        match pending.pop():
            case ir.IterServe(only=only, by=by):
                roots += (only, *(by or ()))
            case ir.IterAdmit(only=only, gate=gate):
                roots += (only, gate)
            case ir.IterBranch(guard=guard, then=then, otherwise=otherwise):
                roots.append(guard)
                pending += (*then, *otherwise)
            case ir.IterSet(value=value):
                roots.append(value)
    return roots


def _statement_expressions(statement: ir.Stmt) -> list[ir.Expr | ir.PoolRef | ir.StageRef | None]:
    match statement:
        case ir.Set() | ir.Observe():
            return [statement.value]
        case ir.Hold():
            roots: list[ir.Expr | ir.PoolRef | ir.StageRef | None] = [statement.cache, statement.admission.reuse]
            for take in statement.admission.takes:
                roots += (take.pool, take.units, take.reserve)
            if statement.lease is not None:
                roots.append(statement.lease.time)
            return roots
        case ir.Grow() | ir.Load():
            return [statement.pool, statement.units]
        case ir.Drop() | ir.Release():
            return [statement.pool]
        case ir.Run():
            return [statement.stage, *statement.also, statement.work, statement.growing]
        case ir.Branch():
            return [statement.guard]
        case ir.Choose():
            return [statement.count, *statement.keys]
        case ir.Spawn():
            return [statement.count, statement.inherit]
        case ir.Turn() | ir.End() | ir.Join() | ir.Loop() | ir.Fork() | ir.JoinGroup():
            return []
        case _:
            assert_never(statement)
