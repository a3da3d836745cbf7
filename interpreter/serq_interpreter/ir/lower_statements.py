"""Statements of the elaborated program as kernel nodes (08 §5.2)."""

from __future__ import annotations

from functools import partial
from typing import assert_never

from serq_interpreter.ir import program as ir
from serq_interpreter.ir.lower_expressions import lower_all, lower_expression, lower_optional, lower_pool, lower_stage
from serq_interpreter.ir.names import Names
from serq_interpreter.semantics import tree

_MODES = {None: ir.RunMode.PLAIN, "prefill": ir.RunMode.PREFILL, "decode": ir.RunMode.DECODE}


def lower_block(names: Names, block: tree.Block) -> ir.Block:
    """A block with its statements in order."""
    node = ir.Block(tuple([_recorded(names, statement) for statement in block.statements]))
    names.origins.record(node, block.at)
    return node


def lower_root(names: Names, block: tree.Block) -> ir.Block:
    """A block of the program itself, whose statements are kept for the next version."""
    node = ir.Block(tuple([names.once(item, 0, partial(_recorded, names, item)) for item in block.statements]))
    names.origins.record(node, block.at)
    return node


def _recorded(names: Names, statement: tree.Stmt) -> ir.Stmt:
    node = _statement(names, statement)
    names.origins.record(node, statement.at)
    return node


def _statement(names: Names, statement: tree.Stmt) -> ir.Stmt:
    match statement:
        case tree.Set():
            return ir.Set(names.slots[statement.name], lower_expression(names, statement.value))
        case tree.Run():
            return _run(names, statement)
        case tree.Hold():
            return _hold(names, statement)
        case tree.Observe():
            return ir.Observe(names.observations[statement.name], lower_expression(names, statement.value))
        case tree.Branch():
            guard, then = lower_expression(names, statement.guard), lower_block(names, statement.then)
            otherwise = statement.otherwise
            return ir.Branch(guard, then, ir.Block() if otherwise is None else lower_block(names, otherwise))
        case tree.Loop():
            return ir.Loop(lower_block(names, statement.body))
        case tree.Fork():
            return ir.Fork(lower_block(names, statement.body))
        case tree.Spawn():
            inherit = None if statement.inherit is None else lower_pool(names, statement.inherit)
            count = lower_expression(names, statement.count)
            return ir.Spawn(count, names.groups[statement.group], inherit, lower_block(names, statement.body))
        case tree.JoinGroup():
            return ir.JoinGroup(names.groups[statement.group])
        case tree.Grow():
            return ir.Grow(lower_pool(names, statement.pool), lower_expression(names, statement.units))
        case tree.Load():
            return ir.Load(lower_pool(names, statement.pool), lower_expression(names, statement.units))
        case tree.Drop():
            return ir.Drop(lower_pool(names, statement.pool))
        case tree.Release():
            return ir.Release(lower_pool(names, statement.pool))
        case tree.Choose():
            count = lower_expression(names, statement.count)
            return ir.Choose(names.slots[statement.name], count, lower_all(names, statement.keys))
        case tree.Turn():
            return ir.Turn()
        case tree.End():
            return ir.End()
        case tree.Join():
            return ir.Join()
        case tree.Opaque():
            raise ValueError("a statement that an error made unknown cannot be lowered")
        case _:
            assert_never(statement)


def _run(names: Names, run: tree.Run) -> ir.Stmt:
    stage = lower_stage(names, run.stage)
    work = lower_expression(names, run.work)
    growing = None if run.growing is None else lower_pool(names, run.growing)
    return ir.Run(stage, _MODES[run.mode], work, growing, tuple([lower_stage(names, other) for other in run.also]))


def _hold(names: Names, hold: tree.Hold) -> ir.Stmt:
    takes = tuple([_take(names, take) for take in hold.takes])
    admission = ir.Admission(takes, lower_optional(names, hold.reuse))
    names.origins.record(admission, hold.word_at)
    body = lower_block(names, hold.body)
    cache = lower_optional(names, hold.cache)
    return ir.Hold(admission, body, cache, None if hold.lease is None else _lease(names, hold.lease))


def _take(names: Names, take: tree.Take) -> ir.Take:
    node = ir.Take(
        lower_pool(names, take.pool), lower_expression(names, take.units), lower_optional(names, take.reserve)
    )
    names.origins.record(node, take.at)
    return node


def _lease(names: Names, lease: tree.Lease) -> ir.Lease:
    node = ir.Lease(lower_pool(names, lease.pool), lower_expression(names, lease.time))
    names.origins.record(node, lease.at)
    return node
