"""Statements (`serq.lark`, section statements)."""

from __future__ import annotations

from typing import Any

from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.building.parts import Context, Listed, Values, declares
from serq_interpreter.syntax.tokens import Edit, Finding, Fix, Token, place_of


def clause(c: Values, context: Context) -> nodes.Clause:
    return nodes.Clause(c[0], c[3], c[2])


def block(c: Values, context: Context) -> nodes.Block:
    return nodes.Block(c[0], c[2], tuple(c[1]))


def simple_statement(c: Values, context: Context) -> nodes.Stmt:
    return nodes.SimpleStmt(c[0], c[1], c[0])


def request_statement(c: Values, context: Context) -> nodes.Stmt:
    return nodes.RequestStmt(c[0], c[2], c[0], c[1])


def set_statement(c: Values, context: Context) -> nodes.Stmt:
    declares(c[1], context)
    return nodes.SetStmt(c[0], c[4], c[1], c[3])


def observe_statement(c: Values, context: Context) -> nodes.Stmt:
    return nodes.ObserveStmt(c[0], c[4], c[1], c[3])


def hold_pool(c: Values, context: Context) -> nodes.HoldPool:
    return nodes.HoldPool(c[0].first, c[7] or c[3], c[0], c[2], c[6])


def lease(c: Values, context: Context) -> nodes.LeaseClause:
    return nodes.LeaseClause(c[0], c[4], c[1], c[3])


def bindings(c: Values, context: Context) -> Listed:
    return Listed(c[0], c[4], tuple(c[3][::2]))


def binding(c: Values, context: Context) -> nodes.Binding:
    declares(c[0], context)
    return nodes.Binding(c[0], c[2].last, c[0], c[2])


def hold_statement(c: Values, context: Context) -> nodes.Stmt:
    last = c[7] or (c[6] or c[5] or c[4]).last
    bound = c[3].parts if c[3] else ()
    return nodes.HoldStmt(c[0], last, c[0], tuple(c[1][::2]), c[2], bound, c[4], c[5], c[6])


def units_statement(c: Values, context: Context) -> nodes.Stmt:
    return nodes.PoolStmt(c[0], c[5], c[0], c[1], c[3])


def pool_statement(c: Values, context: Context) -> nodes.Stmt:
    return nodes.PoolStmt(c[0], c[2], c[0], c[1], None)


def growing(c: Values, context: Context) -> nodes.GrowingClause:
    return nodes.GrowingClause(c[0], c[1].last, c[1])


def run_statement(c: Values, context: Context) -> nodes.Stmt:
    return nodes.RunStmt(c[0], c[7], c[0], tuple(c[1][::2]), c[2], c[4], c[6])


def own_run_statement(c: Values, context: Context) -> nodes.Stmt:
    context.own_run(c[1])
    return nodes.RunStmt(c[0], c[4], c[0], (), None, c[2], None)


def branch_statement(c: Values, context: Context) -> nodes.Stmt:
    last = (c[7] or c[5]).last
    if c[0].text == nodes.DAMAGED:
        return nodes.ErrorStmt(c[0], last, tuple(_assigned(c[5])))
    return nodes.BranchStmt(c[0], last, c[0], c[1] is not None, c[3], c[5], c[7])


def _assigned(body: nodes.Block) -> list[Token]:
    """The names that the statements of a block, and of the blocks in it, assign or observe."""
    found: list[Token] = []
    stack: list[nodes.Block] = [body]
    while stack:
        for statement in stack.pop().statements:
            if isinstance(statement, nodes.SetStmt | nodes.ChooseStmt | nodes.ObserveStmt):
                found.append(statement.name)
            elif isinstance(statement, nodes.ErrorStmt):
                found.extend(statement.assigned)
            elif isinstance(statement, nodes.HoldStmt | nodes.LoopStmt | nodes.ForkStmt | nodes.SpawnStmt):
                stack.append(statement.body)
            elif isinstance(statement, nodes.BranchStmt):
                stack.append(statement.then)
                if statement.otherwise is not None:
                    stack.append(statement.otherwise)
    return found


def loop_statement(c: Values, context: Context) -> nodes.Stmt:
    return nodes.LoopStmt(c[0], c[1].last, c[0], c[1])


def fork_statement(c: Values, context: Context) -> nodes.Stmt:
    return nodes.ForkStmt(c[0], c[1].last, c[0], c[1])


def inherit(c: Values, context: Context) -> nodes.InheritClause:
    return nodes.InheritClause(c[0], c[1].last, c[1])


def spawn_statement(c: Values, context: Context) -> nodes.Stmt:
    return nodes.SpawnStmt(c[0], c[7].last, c[0], c[2], c[5], c[6], c[7])


def join_group_statement(c: Values, context: Context) -> nodes.Stmt:
    return nodes.JoinGroupStmt(c[0], c[2], c[0], c[1])


def choose_statement(c: Values, context: Context) -> nodes.Stmt:
    declares(c[1], context)
    return nodes.ChooseStmt(c[0], c[8], c[0], c[1], c[3], tuple(c[6][::2]))


def mark_statement(c: Values, context: Context) -> nodes.Stmt:
    return nodes.MarkStmt(c[0], c[2], c[1])


def where_index(c: Values, context: Context) -> Listed:
    return Listed(c[0], c[2], value=c[1])


def where_on(c: Values, context: Context) -> Listed:
    return Listed(c[0], c[1][-1].last, tuple(c[1][::2]))


def movement(c: Values, context: Context) -> Listed:
    return Listed(c[0], c[6], (c[1], c[3]), c[5])


def serving_statement(c: Values, context: Context) -> nodes.Stmt:
    index, stages = _where(c[1])
    return nodes.ServingStmt(c[0], c[4], c[0], index, stages, c[2], c[3], None, None, None)


def _where(value: Listed | None) -> tuple[Any, tuple[Any, ...]]:
    return (None, ()) if value is None else (value.value, value.parts)


def transfer_statement(c: Values, context: Context) -> nodes.Stmt:
    index, stages = _where(c[1])
    if c[4] is None:
        if not context.erred_since(c[0]):
            context.report(Finding("SQ0161", place_of(c[0]), {}))
        return nodes.ServingStmt(c[0], c[5], c[0], index, stages, c[2], c[3], None, None, None)
    if c[3] is not None:
        place = c[3].place
        fix = Fix("delete `growing …`", (Edit(place, ""),), safe=True)
        context.report(Finding("SQ0162", place, {"pool": c[3].pool.name.text}, fixes=(fix,)))
    source, target = c[4].parts
    return nodes.ServingStmt(c[0], c[5], c[0], index, stages, c[2], None, source, target, c[4].value)


def source(c: Values, context: Context) -> Listed:
    return Listed(c[0], c[1].last, value=c[1])


def target(c: Values, context: Context) -> Listed:
    return Listed(c[0], c[4], (c[1],), c[3])


def use_statement(c: Values, context: Context) -> nodes.Stmt:
    return nodes.ErrorStmt(c[0], c[-1])


def call_statement(c: Values, context: Context) -> nodes.Stmt:
    index = c[1].value if c[1] else None
    taken = c[7].value if c[7] else None
    filled, units = (c[8].parts[0], c[8].value) if c[8] else (None, None)
    args = tuple(c[5][::2]) if c[5] else ()
    return nodes.CallStmt(c[0], c[9], c[0], index, c[3], args, taken, filled, units)
