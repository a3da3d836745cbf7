"""From a syntax tree to an elaborated program: names resolved, sugar gone, every fault of the program's meaning found.

The order of the work: what the program declares; the blocks of the session with everything spliced in; then, when all
attributes and observations are known, the options, gauges and claims that read them.
"""

from __future__ import annotations

from functools import partial

from serq_interpreter.deep import deep_recursion
from serq_interpreter.semantics import (
    bindings,
    collisions,
    measures,
    overrides,
    relations,
    settings,
    sides,
    spawning,
    stages,
    tree,
    walk,
    workload,
)
from serq_interpreter.semantics.collect import collect
from serq_interpreter.semantics.context import Elaboration, Request
from serq_interpreter.semantics.declarations import PoolDecl, StageDecl
from serq_interpreter.semantics.keeping import Keeping
from serq_interpreter.semantics.names import check_attributes
from serq_interpreter.semantics.pools import elaborate_pool
from serq_interpreter.semantics.vocabulary import BUILTIN_ATTRIBUTES
from serq_interpreter.syntax import nodes


def elaborate(
    source: nodes.Tree, request: Request | None = None, before: tree.Elaborated | None = None
) -> tree.Elaborated:
    """The meaning of a program, with everything that is wrong with it in `findings`.  Never raises for a program.

    `before` is that of an earlier version of the text, from which is taken what is sure to be the same.
    """
    with deep_recursion():
        ctx = Elaboration(source, request or Request())
        collect(ctx)
        overrides.check_overrides(ctx)
        relations.elaborate_shares(ctx)
        keeping = Keeping(ctx, None if before is None else before.kept)
        sides.elaborate_sides(ctx, keeping)
        _assignments(ctx)
        read = len(ctx.reads)
        check_attributes(ctx, ctx.reads)
        spawning.check_groups(ctx)
        _declarations(ctx, keeping)
        bindings.check_bindings(ctx)
        workload.elaborate_workload(ctx)
        workload.elaborate_hidden(ctx)
        measures.elaborate_measures(ctx, keeping)
        check_attributes(ctx, ctx.reads[read:])
        settings.elaborate_settings(ctx)
        collisions.check_collisions(ctx)
        ctx.out.constants = ctx.declared.constants
        ctx.out.findings = ctx.sink.findings
        ctx.out.kept = keeping.kept()
        return ctx.out


def _assignments(ctx: Elaboration) -> None:
    """Attributes and observations of the linked program, in the canonical order (08 §3)."""
    out = ctx.out
    for block in (out.init, out.turn, out.session):
        for statement in walk.statements(block):
            match statement:
                case tree.Set(name=name, name_at=at, from_binding=from_binding):
                    if not from_binding:
                        ctx.assignments.setdefault(name, at)
                        ctx.assigned_at.setdefault(name, []).append(at)
                    if name not in BUILTIN_ATTRIBUTES:
                        out.attributes.setdefault(name, at)
                case tree.Choose(name=name, name_at=at):
                    ctx.assignments.setdefault(name, at)
                    ctx.assigned_at.setdefault(name, []).append(at)
                    if name not in BUILTIN_ATTRIBUTES:
                        out.attributes.setdefault(name, at)
                case tree.Observe(name=name, name_at=at):
                    out.observations.setdefault(name, at)
                case _:
                    pass


def _declarations(ctx: Elaboration, keeping: Keeping) -> None:
    """Pools and stages in the order of declaration; second ones of a name are checked and left out."""
    stages.elaborate_registers(ctx)
    for pool in ctx.declared.pools.values():
        made = partial(elaborate_pool, ctx, pool)
        ctx.out.pools[pool.name] = keeping.part(pool.item, pool.order, made)
    for stage in ctx.declared.stages.values():
        ctx.out.stages[stage.name] = keeping.part(stage.node, stage.order, partial(stages.elaborate_stage, ctx, stage))
    for second in ctx.declared.repeated:
        match second:
            case PoolDecl():
                elaborate_pool(ctx, second)
            case StageDecl():
                stages.elaborate_stage(ctx, second)
