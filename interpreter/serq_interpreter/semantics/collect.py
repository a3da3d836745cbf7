"""The first pass over the items: every name that the program declares, sizes and constants folded in order.

A size and a latency read the constants above them, so this pass keeps the text's order; everything else is looked at
when all names are known.
"""

from __future__ import annotations

from serq_interpreter.semantics import constants, queues, relations
from serq_interpreter.semantics.context import Elaboration
from serq_interpreter.semantics.declarations import PoolDecl, RegisterDecl, StageDecl
from serq_interpreter.semantics.overrides import overridden
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Token, place_of

KINDS = frozenset({"fifo", "ps", "delay", "step"})


def collect(ctx: Elaboration) -> None:
    """Fill `ctx.declared`; reports what is wrong with the declarations' names and sizes."""
    for order, item in enumerate(ctx.source.items):
        match item:
            case nodes.LetItem():
                _let(ctx, item, order)
            case nodes.PoolItem():
                _pool(ctx, item, order)
            case nodes.StageItem():
                _stage(ctx, item, order)
            case nodes.QueueItem():
                queues.declare_queue(ctx, item, order)
            case nodes.RelationItem():
                relations.declare_relation(ctx, item, order)
            case nodes.GaugeItem(name=name):
                _once(ctx, ctx.declared.gauges, name, "SQ0212", "gauge")
            case nodes.ClaimItem(name=name):
                _once(ctx, ctx.declared.claims, name, "SQ0213", "claim")
            case nodes.ErrorItem():
                _damaged(ctx, item, order)
            case _:
                pass
    _registers(ctx)
    _blocks(ctx)


def _let(ctx: Elaboration, item: nodes.LetItem, order: int) -> None:
    name = item.name.text
    value = overridden(ctx, name)
    if value is None:
        value = constants.folded(ctx, item.value, f"the constant `{name}`")
    ctx.declared.constants[name] = value
    ctx.declared.constant_tokens[name] = item.name
    ctx.declared.constant_orders.setdefault(name, order)
    ctx.use(item.name, "constant", name, place_of(item.name))


def _pool(ctx: Elaboration, item: nodes.PoolItem, order: int) -> None:
    name = item.name.text
    size, known = constants.fold_size(ctx, item.size, f"pool `{name}`")
    at, name_at = item.place, place_of(item.name)
    enter_pool(ctx, PoolDecl(name, item.name, size, known, order, at, name_at, item, damaged=item.damaged))


def _stage(ctx: Elaboration, item: nodes.StageItem, order: int) -> None:
    name = item.name.text
    size, known = constants.fold_size(ctx, item.size, f"stage `{name}`")
    kind = item.kind.word if item.kind.word in KINDS else "unknown"
    at, name_at = item.place, place_of(item.name)
    enter_stage(ctx, StageDecl(name, item.name, size, known, order, at, name_at, kind, item.kind))


def enter_pool(ctx: Elaboration, declared: PoolDecl) -> None:
    """Declare a pool; a second one of a name is SQ0210 and leaves the first."""
    ctx.use(declared.token, "pool", declared.name, declared.name_at)
    first = ctx.declared.pools.setdefault(declared.name, declared)
    if first is not declared:
        ctx.declared.repeated.append(declared)
        note = (ctx.note(first.token, f"`{declared.name}` is declared here first"),)
        ctx.report("SQ0210", declared.name_at, name=declared.name, notes=note)


def enter_stage(ctx: Elaboration, declared: StageDecl) -> None:
    """Declare a stage; a second one of a name is SQ0211 and leaves the first."""
    ctx.use(declared.token, "stage", declared.name, declared.name_at)
    first = ctx.declared.stages.setdefault(declared.name, declared)
    if first is not declared:
        ctx.declared.repeated.append(declared)
        note = (ctx.note(first.token, f"`{declared.name}` is declared here first"),)
        ctx.report("SQ0211", declared.name_at, name=declared.name, notes=note)


def _once(ctx: Elaboration, table: dict[str, Token], name: Token, code: str, kind: str) -> None:
    ctx.use(name, kind, name.text, place_of(name))
    first = table.setdefault(name.text, name)
    if first is not name:
        note = (ctx.note(first, f"`{name.text}` is declared here first"),)
        ctx.report(code, place_of(name), name=name.text, notes=note)


def _damaged(ctx: Elaboration, item: nodes.ErrorItem, order: int) -> None:
    """What the head of an unreadable item declares exists, and everything else about it is unknown."""
    for kind, token in item.declared:
        name, at = token.text, place_of(token)
        if kind == "let":
            ctx.declared.constants[name] = None
            ctx.declared.constant_tokens[name] = token
        elif kind == "pool":
            enter_pool(ctx, PoolDecl(name, token, None, False, order, item.place, at, block_known=False, damaged=True))
        elif kind == "stage":
            enter_stage(ctx, StageDecl(name, token, None, False, order, item.place, at, "unknown"))
        elif kind == "queue":
            queues.declare_damaged(ctx, token, order)
        elif kind == "gauge":
            ctx.declared.gauges.setdefault(name, token)
        elif kind == "claim":
            ctx.declared.claims.setdefault(name, token)


def _registers(ctx: Elaboration) -> None:
    for stage in ctx.declared.stages.values():
        if stage.node is None or stage.kind != "step":
            continue
        for option in stage.node.options:
            if not isinstance(option, nodes.StateOption):
                continue
            name = option.name.text
            register = RegisterDecl(name, stage.name, option, stage.order)
            ctx.use(option.name, "register", name, place_of(option.name))
            first = ctx.declared.registers.setdefault(name, register)
            if first is not register:
                note = (ctx.note(first.option.name, f"`{name}` is declared here first"),)
                ctx.report("SQ0218", place_of(option.name), name=name, other="a register", notes=note)
            if stage.size is not None and stage.size > 1:
                ctx.report("SQ0219", option.place, name=name, stage=stage.name, size=stage.size)


def _blocks(ctx: Elaboration) -> None:
    """`block` is folded before any expression is resolved: `blocksize` reads it (SQ0414)."""
    pools = [*ctx.declared.pools.values(), *(d for d in ctx.declared.repeated if isinstance(d, PoolDecl))]
    for pool in pools:
        options = () if pool.item is None else pool.item.options
        option = next((o for o in options[::-1] if isinstance(o, nodes.ValueOption) and o.word.text == "block"), None)
        if option is None:
            pool.block_known = pool.block_known and not pool.damaged
            continue
        value = constants.folded(ctx, option.value, f"the block of pool `{pool.name}`")
        if value is not None and value <= 0.0:
            ctx.report("SQ0414", option.value.place, name=pool.name, value=constants.show(value))
            value = None
        pool.block = value
        pool.block_known = value is not None
