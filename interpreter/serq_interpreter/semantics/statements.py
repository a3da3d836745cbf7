"""Statements: one function per kind, each answering the kernel statements that it stands for.

Definitions are expanded before (by the parser); `request`, calls of entries and serving forms are replaced here, so one
statement of the text may become several or none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from serq_interpreter.semantics import bindings, queues, serving, sides, spawning, tree
from serq_interpreter.semantics.context import Elaboration, Scope
from serq_interpreter.semantics.expressions import resolve, resolve_all, resolve_optional
from serq_interpreter.semantics.references import as_pool, as_stage
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import place_of

Statements = tuple[tree.Stmt, ...]


def elaborate_block(ctx: Elaboration, block: nodes.Block, scope: Scope) -> tree.Block:
    """A block of the text as a block of the program."""
    return tree.Block(elaborate_statements(ctx, block.statements, scope), block.place)


def elaborate_statements(ctx: Elaboration, statements: tuple[nodes.Stmt, ...], scope: Scope) -> Statements:
    """The statements in order, with what side `scope` stands in deciding which are allowed (spec 02 §12)."""
    out: list[tree.Stmt] = []
    for node in statements:
        if sides.refuses(ctx, node, scope):
            out.append(tree.Opaque(node.place, place_of(node.first)))
        else:
            out += _ELABORATE[type(node)](ctx, node, scope)
    return tuple(out)


def _simple(ctx: Elaboration, node: nodes.SimpleStmt, scope: Scope) -> Statements:
    place, word_at = node.place, place_of(node.word)
    if node.word.text == "turn":
        return (tree.Turn(place, word_at),)
    if node.word.text == "end":
        return (tree.End(place, word_at),)
    return (tree.Join(place, word_at),)


def _request(ctx: Elaboration, node: nodes.RequestStmt, scope: Scope) -> Statements:
    return sides.request(ctx, node, scope)


def _set(ctx: Elaboration, node: nodes.SetStmt, scope: Scope) -> Statements:
    value = resolve(ctx, node.value, scope)
    name = scope.surroundings.attribute(ctx, node.name, scope)
    ctx.use(node.name, "attribute", name)
    return (tree.Set(node.place, place_of(node.first), name, value, place_of(node.name)),)


def _observe(ctx: Elaboration, node: nodes.ObserveStmt, scope: Scope) -> Statements:
    name_at = place_of(node.name)
    ctx.use(node.name, "observation", node.name.text, name_at)
    value = resolve(ctx, node.value, scope)
    ctx.observed.setdefault(node.name.text, name_at)
    return (tree.Observe(node.place, place_of(node.first), node.name.text, value, name_at),)


def _hold(ctx: Elaboration, node: nodes.HoldStmt, scope: Scope) -> Statements:
    outside = scope.without_bindings()
    header = bindings.header_scope(ctx, node, outside)
    head = header.at("header")
    takes = []
    for part in node.pools:
        pool = as_pool(ctx, part.pool, outside)
        units = resolve(ctx, part.units, head)
        takes.append(tree.Take(pool, units, resolve_optional(ctx, part.reserve, head), part.place))
    reuse = None if node.reuse is None else resolve(ctx, node.reuse.value, head)
    start = len(ctx.reads)
    body = elaborate_block(ctx, node.body, outside)
    body = bindings.with_body_values(ctx, node, body, header, start)
    cache = None if node.cache is None else resolve(ctx, node.cache.value, header)
    lease = None
    if node.lease is not None:
        time = resolve(ctx, node.lease.time, header)
        lease = tree.Lease(as_pool(ctx, node.lease.pool, outside), time, node.lease.place)
    reuse_at = None if node.reuse is None else node.reuse.place
    word_at = place_of(node.word)
    return (tree.Hold(node.place, word_at, tuple(takes), reuse, reuse_at, body, cache, lease),)


def _pool_statement(ctx: Elaboration, node: nodes.PoolStmt, scope: Scope) -> Statements:
    pool = as_pool(ctx, node.pool, scope)
    place, word_at, word = node.place, place_of(node.word), node.word.text
    if word == "drop":
        return (tree.Drop(place, word_at, pool),)
    if word == "release":
        return (tree.Release(place, word_at, pool),)
    units = tree.Unknown(place) if node.units is None else resolve(ctx, node.units, scope)
    return ((tree.Grow if word == "grow" else tree.Load)(place, word_at, pool, units),)


def _run(ctx: Elaboration, node: nodes.RunStmt, scope: Scope) -> Statements:
    if node.stages:
        first, *also = [as_stage(ctx, stage, scope) for stage in node.stages]
    else:
        own = scope.surroundings.own_stage(ctx, node, scope)
        if own is None:
            resolve(ctx, node.work, scope)
            return (tree.Opaque(node.place, place_of(node.word)),)
        first, also = own, []
    work = resolve(ctx, node.work, scope)
    growing = None if node.growing is None else as_pool(ctx, node.growing.pool, scope)
    return (
        tree.Run(
            node.place,
            place_of(node.word),
            first,
            None if node.mode is None else node.mode.text,
            None if node.mode is None else place_of(node.mode),
            work,
            growing,
            None if node.growing is None else node.growing.place,
            tuple(also),
        ),
    )


def _branch(ctx: Elaboration, node: nodes.BranchStmt, scope: Scope) -> Statements:
    guard = resolve(ctx, node.guard, scope)
    if node.probability:
        guard = tree.Draw("bernoulli", (guard,), node.guard.place)
    then = elaborate_block(ctx, node.then, scope)
    otherwise = None if node.otherwise is None else elaborate_block(ctx, node.otherwise, scope)
    return (tree.Branch(node.place, place_of(node.word), guard, then, otherwise),)


def _loop(ctx: Elaboration, node: nodes.LoopStmt, scope: Scope) -> Statements:
    return (tree.Loop(node.place, place_of(node.word), elaborate_block(ctx, node.body, scope)),)


def _fork(ctx: Elaboration, node: nodes.ForkStmt, scope: Scope) -> Statements:
    return (tree.Fork(node.place, place_of(node.word), elaborate_block(ctx, node.body, scope)),)


def _spawn(ctx: Elaboration, node: nodes.SpawnStmt, scope: Scope) -> Statements:
    return spawning.spawn(ctx, node, scope)


def _join_group(ctx: Elaboration, node: nodes.JoinGroupStmt, scope: Scope) -> Statements:
    return spawning.join_group(ctx, node, scope)


def _choose(ctx: Elaboration, node: nodes.ChooseStmt, scope: Scope) -> Statements:
    count = resolve(ctx, node.count, scope)
    name = scope.surroundings.attribute(ctx, node.name, scope)
    ctx.use(node.name, "attribute", name)
    keys = resolve_all(ctx, node.keys, scope)
    return (tree.Choose(node.place, place_of(node.word), name, count, keys, place_of(node.name)),)


def _mark(ctx: Elaboration, node: nodes.MarkStmt, scope: Scope) -> Statements:
    return queues.mark(ctx, node, scope)


def _serving(ctx: Elaboration, node: nodes.ServingStmt, scope: Scope) -> Statements:
    return serving.elaborate_form(ctx, node, scope)


def _call(ctx: Elaboration, node: nodes.CallStmt, scope: Scope) -> Statements:
    return queues.call(ctx, node, scope)


def _error(ctx: Elaboration, node: nodes.ErrorStmt, scope: Scope) -> Statements:
    ctx.possible_attributes.update(token.text for token in node.assigned)
    for definition in ctx.source.definitions:
        if definition.name == node.first.text and definition.item.tokens is not None:
            ctx.possible_attributes.update(token.text for token in definition.item.tokens if token.kind == "NAME")
    return (tree.Opaque(node.place, place_of(node.first)),)


_ELABORATE: dict[type, Callable[[Elaboration, Any, Scope], Statements]] = {
    nodes.SimpleStmt: _simple,
    nodes.RequestStmt: _request,
    nodes.SetStmt: _set,
    nodes.ObserveStmt: _observe,
    nodes.HoldStmt: _hold,
    nodes.PoolStmt: _pool_statement,
    nodes.RunStmt: _run,
    nodes.BranchStmt: _branch,
    nodes.LoopStmt: _loop,
    nodes.ForkStmt: _fork,
    nodes.SpawnStmt: _spawn,
    nodes.JoinGroupStmt: _join_group,
    nodes.ChooseStmt: _choose,
    nodes.MarkStmt: _mark,
    nodes.ServingStmt: _serving,
    nodes.CallStmt: _call,
    nodes.ErrorStmt: _error,
}
