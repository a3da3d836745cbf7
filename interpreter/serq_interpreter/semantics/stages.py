"""Stages and step engines: their options read into the elaborated program (01 §2.3)."""

from __future__ import annotations

from typing import assert_never

from serq_interpreter.semantics import constants, tree
from serq_interpreter.semantics.context import OUTSIDE, Elaboration, Scope
from serq_interpreter.semantics.declarations import StageDecl
from serq_interpreter.semantics.expressions import resolve, resolve_all, resolve_optional
from serq_interpreter.semantics.pools import named_pool
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Edit, Fix, Place, place_of

MAX_SERVERS = 2**64 - 1
"""More servers of a fifo than this are this many: the IR's counts have 64 bits."""


def elaborate_stage(ctx: Elaboration, declared: StageDecl) -> tree.Stage:
    """One stage or array."""
    scope = Scope(f"stage {declared.name}", declared.order, OUTSIDE, "option")
    node = declared.node
    argument = None if node is None else node.argument
    return tree.Stage(
        declared.name,
        declared.size,
        declared.size_known,
        declared.kind,
        _servers(ctx, declared, argument) if declared.kind == "fifo" else None,
        resolve_optional(ctx, argument, scope) if declared.kind == "ps" else None,
        _engine(ctx, declared, node, scope) if declared.kind == "step" and node is not None else None,
        declared.at,
        declared.name_at,
        declared.owner,
    )


def _servers(ctx: Elaboration, declared: StageDecl, node: nodes.Expr | None) -> int | None:
    """The servers of a fifo: a whole number from 1 (SQ0503)."""
    if node is None:
        return 1
    value = constants.folded(ctx, node, f"the number of servers of stage `{declared.name}`")
    if value is None:
        return None
    if constants.is_whole(value):
        return min(int(value), MAX_SERVERS)
    ctx.report("SQ0503", node.place, name=declared.name, value=constants.show(value))
    return None


def elaborate_registers(ctx: Elaboration) -> None:
    """The registers with their first values, in the order of stages and options (SQ0515)."""
    for register in ctx.declared.registers.values():
        option = register.option
        value = constants.folded(ctx, option.value, f"the first value of register `{register.name}`")
        if value is not None and abs(value) == float("inf"):
            ctx.report("SQ0515", option.value.place, name=register.name, value=constants.show(value))
            value = None
        ctx.out.registers[register.engine, register.name] = tree.Register(
            register.name, register.engine, value, option.place, place_of(option.name)
        )


# --------------------------------------------------------------------------- step engines


def _engine(ctx: Elaboration, declared: StageDecl, node: nodes.StageKind, scope: Scope) -> tree.Engine:
    options = {option.word.text: option for option in node.options}
    cost = _value(ctx, options.get("cost"), scope)
    budget = _value(ctx, options.get("budget"), scope)
    chunk = _value(ctx, options.get("chunk"), scope)
    granule, granule_at = _granule(ctx, declared, options.get("granule"))
    memory, memory_at = _memory(ctx, declared, options.get("memory"), scope)
    serve = options.get("serve")
    keys: tuple[tree.Expr, ...] | None = ()
    only = None
    if isinstance(serve, nodes.ServeOption):
        keys = _order(ctx, serve.order, scope)
        only = resolve_optional(ctx, serve.only, scope)
    body = options.get("iteration")
    iteration = iteration_at = None
    if isinstance(body, nodes.IterationOption):
        start = len(ctx.reads)
        iteration, iteration_at = _iteration(ctx, declared, body.body, scope), body.place
        ctx.unwatched(start)
    elif only is not None:
        iteration = _serve_only_body(only, serve.place if serve is not None else declared.at)
    return tree.Engine(
        cost=tree.Unknown(declared.at) if cost is None else cost,
        budget=budget,
        chunk=chunk,
        granule=granule,
        granule_at=granule_at,
        chunk_at=_value_place(options.get("chunk")),
        serve=keys,
        serve_only=only,
        serve_at=None if serve is None else serve.place,
        memory=memory,
        memory_at=memory_at,
        iteration=iteration,
        iteration_at=iteration_at,
        damaged=node.damaged,
    )


def _value(ctx: Elaboration, option: nodes.StepOption | None, scope: Scope) -> tree.Expr | None:
    return resolve(ctx, option.value, scope) if isinstance(option, nodes.ValueOption) else None


def _value_place(option: nodes.StepOption | None) -> Place | None:
    return option.value.place if isinstance(option, nodes.ValueOption) else None


def _granule(
    ctx: Elaboration, declared: StageDecl, option: nodes.StepOption | None
) -> tuple[float | None, Place | None]:
    if not isinstance(option, nodes.ValueOption):
        return None, None
    return constants.folded(ctx, option.value, f"the granule of stage `{declared.name}`"), option.value.place


def _memory(
    ctx: Elaboration, declared: StageDecl, option: nodes.StepOption | None, scope: Scope
) -> tuple[str | None, Place | None]:
    if not isinstance(option, nodes.NameOption):
        return None, None
    return named_pool(ctx, option.name, declared.short_names, scope), place_of(option.name)


def _order(ctx: Elaboration, order: nodes.Order | None, scope: Scope) -> tuple[tree.Expr, ...] | None:
    """The keys of an order: none for admission, `None` for `exclusive prefill`."""
    if order is None or order.form == "admission":
        return ()
    if order.form == "decode first":
        at = order.place
        return (tree.Cond(tree.Ctx("decoding", at), tree.Num(0.0, at), tree.Num(1.0, at), at),)
    if order.form == "exclusive prefill":
        return None
    return resolve_all(ctx, order.keys, scope)


def _serve_only_body(only: tree.Expr, at: Place) -> tuple[tree.IterStmt, ...]:
    """`serve only (p)` as an option is the body `serve only (p); admit only (p) while (!preempted);` (01 §2.3)."""
    gate = tree.Unary("!", tree.Ctx("preempted", at), at)
    return (tree.IterServe(only, None, at), tree.IterAdmit(only, gate, at))


# --------------------------------------------------------------------------- iteration bodies


def _iteration(
    ctx: Elaboration, declared: StageDecl, body: tuple[nodes.IterStmt, ...], scope: Scope
) -> tuple[tree.IterStmt, ...]:
    return tuple([_iteration_statement(ctx, declared, node, scope) for node in body])


def _iteration_statement(ctx: Elaboration, declared: StageDecl, node: nodes.IterStmt, scope: Scope) -> tree.IterStmt:
    match node:
        case nodes.IterServe(only=only, order=order):
            predicate = resolve_optional(ctx, only, scope)
            by = None if order is None else _order(ctx, order, scope)
            return tree.IterServe(predicate, by, node.place)
        case nodes.IterAdmit(only=only, gate=gate):
            predicate = resolve_optional(ctx, only, scope)
            return tree.IterAdmit(predicate, resolve_optional(ctx, gate, scope), node.place)
        case nodes.IterBranch(guard=guard, then=then, otherwise=otherwise):
            test = resolve(ctx, guard, scope)
            first = _iteration(ctx, declared, then, scope)
            return tree.IterBranch(test, first, _iteration(ctx, declared, otherwise or (), scope), node.place)
        case nodes.IterSet():
            return _register_set(ctx, declared, node, scope)
        case _:
            assert_never(node)


def _register_set(ctx: Elaboration, declared: StageDecl, node: nodes.IterSet, scope: Scope) -> tree.IterStmt:
    """A body sets registers of its own engine (SQ0516; another engine's is SQ0517, a rule of its own)."""
    name, name_at = node.name.text, place_of(node.name)
    value = resolve(ctx, node.value, scope)
    register = ctx.declared.registers.get(name)
    engine = None if register is None else register.engine
    own = declared.node is not None and any(
        isinstance(option, nodes.StateOption) and option.name.text == name for option in declared.node.options
    )
    if own:
        engine = declared.name
    if register is not None:
        ctx.use(node.name, "register", name, place_of(register.option.name))
    elif not ctx.may_declare("register", name):
        ctx.report("SQ0516", name_at, name=name, stage=declared.name, fixes=_declare_register(declared, node))
    return tree.IterSet(name, engine, value, node.place, name_at)


def _declare_register(declared: StageDecl, node: nodes.IterSet) -> tuple[Fix, ...]:
    """The fix that declares the register above the engine's body."""
    options = () if declared.node is None else declared.node.options
    body = next((option for option in options if isinstance(option, nodes.IterationOption)), None)
    if body is None or body.first.via is not None or node.name.via is not None:
        return ()
    at = Place(body.first.chunk, body.first.start, body.first.start)
    text = f"state {node.name.text} = 0; "
    return (Fix(f"Declare it: `{text.strip()}`", (Edit(at, text),), safe=True),)
