"""What an expression means: names, functions, draws and aggregates resolved (spec 02 §2, §5, 01 §2.7).

`resolve` answers an elaborated expression; what an error has made meaningless is `tree.Unknown`.  Which reads are
allowed at which moment is not decided here but by the rules on the elaborated program.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from serq_interpreter.semantics import constants, names, tree, walk
from serq_interpreter.semantics.context import Elaboration, IndexValue, Scope
from serq_interpreter.semantics.nearest import nearest
from serq_interpreter.semantics.references import as_observation, as_pool, as_stage
from serq_interpreter.semantics.vocabulary import (
    ARITHMETIC_FUNCTIONS,
    DISTRIBUTIONS,
    FUNCTIONS,
    OBSERVATION_FUNCTIONS,
)
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import place_of

_ARITHMETIC = frozenset(ARITHMETIC_FUNCTIONS)
_AGGREGATES = frozenset(OBSERVATION_FUNCTIONS)


def resolve(ctx: Elaboration, node: nodes.Expr, scope: Scope) -> tree.Expr:
    """The elaborated expression of `node` as it reads in `scope`."""
    return _RESOLVE[type(node)](ctx, node, scope)


def resolve_optional(ctx: Elaboration, node: nodes.Expr | None, scope: Scope) -> tree.Expr | None:
    """`resolve`, for a part that may be absent."""
    return None if node is None else _RESOLVE[type(node)](ctx, node, scope)


def resolve_all(ctx: Elaboration, parts: tuple[nodes.Expr, ...], scope: Scope) -> tuple[tree.Expr, ...]:
    """`resolve` of each."""
    return tuple([_RESOLVE[type(part)](ctx, part, scope) for part in parts])


def index_values(scope: Scope) -> dict[str, float | None]:
    """The aggregate indices in force, as constant positions read them."""
    return {name: value.value for name, value in scope.locals.items() if isinstance(value, IndexValue)}


# --------------------------------------------------------------------------- one function per kind of node


def _number(ctx: Elaboration, node: nodes.Number, scope: Scope) -> tree.Expr:
    if node.value != node.value:
        return tree.Unknown(node.place)
    return tree.Num(node.value, node.place)


def _reference(ctx: Elaboration, node: nodes.Reference, scope: Scope) -> tree.Expr:
    return names.value_of(ctx, node, scope)


def _paren(ctx: Elaboration, node: nodes.Paren, scope: Scope) -> tree.Expr:
    inner = node.inner
    return _RESOLVE[type(inner)](ctx, inner, scope)


def _error(ctx: Elaboration, node: nodes.ErrorExpr, scope: Scope) -> tree.Expr:
    return tree.Unknown(node.place)


def _unary(ctx: Elaboration, node: nodes.UnaryOp, scope: Scope) -> tree.Expr:
    operand = node.operand
    return tree.Unary(node.op, _RESOLVE[type(operand)](ctx, operand, scope), node.place)


def _binary(ctx: Elaboration, node: nodes.BinaryOp, scope: Scope) -> tree.Expr:
    left, right = node.left, node.right
    a = _RESOLVE[type(left)](ctx, left, scope)
    return tree.Binary(node.op, a, _RESOLVE[type(right)](ctx, right, scope), node.place)


def _conditional(ctx: Elaboration, node: nodes.Conditional, scope: Scope) -> tree.Expr:
    test = resolve(ctx, node.test, scope)
    then = resolve(ctx, node.then, scope)
    return tree.Cond(test, then, resolve(ctx, node.otherwise, scope), node.place)


def _draw(ctx: Elaboration, node: nodes.Draw, scope: Scope) -> tree.Expr:
    word = DISTRIBUTIONS.get(node.name.text)
    args = resolve_all(ctx, node.args, scope)
    if word is None:
        ctx.report(
            "SQ0206",
            place_of(node.name),
            name=node.name.text,
            fixes=constants.rename(place_of(node.name), nearest(node.name.text, DISTRIBUTIONS)),
        )
        return tree.Unknown(node.place)
    ctx.use(node.name, "distribution", word.name)
    if len(args) != len(word.parameters):
        ctx.report("SQ0222", place_of(node.name), name=word.name, count=len(word.parameters), given=len(args))
        return tree.Unknown(node.place)
    return tree.Draw(word.name, args, node.place)


def _apply(ctx: Elaboration, node: nodes.Apply, scope: Scope) -> tree.Expr:
    name = node.name.text
    word = FUNCTIONS.get(name)
    if word is None:
        return _unknown_function(ctx, node, scope)
    ctx.use(node.name, "function", name)
    if name == "blocksize":
        return _blocksize(ctx, node, scope)
    if name in _AGGREGATES:
        return _observation_aggregate(ctx, node, scope)
    name_at = place_of(node.name)
    if len(node.args) != len(word.parameters):
        if name in _ARITHMETIC:
            _resolve_loosely(ctx, node.args, scope)
        ctx.report("SQ0221", name_at, name=name, count=len(word.parameters), given=len(node.args))
        return tree.Unknown(node.place)
    args: tuple[tree.Expr | tree.PoolRef | tree.StageRef, ...]
    if name in _ARITHMETIC:
        args = resolve_all(ctx, node.args, scope)
    else:
        found = [
            _argument(ctx, node, argument, p.kind, scope)
            for argument, p in zip(node.args, word.parameters, strict=True)
        ]
        known = [argument for argument in found if argument is not None]
        if len(known) != len(found):
            return tree.Unknown(node.place)
        args = tuple(known)
    return tree.Call(name, args, node.place, name_at)


def _argument(
    ctx: Elaboration, call: nodes.Apply, node: nodes.Expr, kind: str, scope: Scope
) -> tree.Expr | tree.PoolRef | tree.StageRef | None:
    """One argument as its parameter wants it; `None` where no pool or stage is named (SQ0223)."""
    if kind == "expression":
        return resolve(ctx, node, scope)
    if isinstance(node, nodes.Reference):
        return as_pool(ctx, node, scope, argument=True) if kind == "pool" else as_stage(ctx, node, scope, argument=True)
    if not isinstance(node, nodes.ErrorExpr):
        what = "pool" if kind == "pool" else "stage"
        _resolve_loosely(ctx, (node,), scope)
        ctx.report("SQ0223", node.place, name=call.name.text, what=what)
    return None


def _resolve_loosely(ctx: Elaboration, args: tuple[nodes.Expr, ...], scope: Scope) -> None:
    """Look at the arguments of a call that means nothing: errors inside count, a pool or stage may be named."""
    for argument in args:
        inner = argument
        while isinstance(inner, nodes.Paren):
            inner = inner.inner
        if not isinstance(inner, nodes.Reference) or _is_value(ctx, inner, scope):
            resolve(ctx, inner, scope)


def _is_value(ctx: Elaboration, ref: nodes.Reference, scope: Scope) -> bool:
    name = ref.name.text
    if ref.index is not None or ref.member is not None or scope.surroundings.queue is not None:
        return False
    return not (name in ctx.declared.pools or name in ctx.declared.stages or name in ctx.observed)


def _unknown_function(ctx: Elaboration, node: nodes.Apply, scope: Scope) -> tree.Expr:
    name = node.name.text
    _resolve_loosely(ctx, node.args, scope)
    if ctx.may_declare("function", name):
        return tree.Unknown(node.place)
    place = place_of(node.name)
    below = next((d.item.name for d in ctx.source.definitions if d.name == name), None)
    if below is not None:
        note = (ctx.note(below, f"`{name}` is defined here; only uses below it expand"),)
        ctx.report("SQ0204", place, key=(name, scope.where), name=name, notes=note)
    elif name == "sum" and len(node.args) == 2:
        ctx.report(
            "SQ0204", place, key=(name, scope.where), name=name, help="write `a + b`, or `sum j in N (…)` over an index"
        )
    else:
        candidate = nearest(name, [*FUNCTIONS, *(d.name for d in ctx.source.definitions if d.item.is_expression)])
        ctx.report("SQ0204", place, key=(name, scope.where), name=name, fixes=constants.rename(place, candidate))
    return tree.Unknown(node.place)


def _blocksize(ctx: Elaboration, node: nodes.Apply, scope: Scope) -> tree.Expr:
    """`blocksize(p)` is the number of the pool's `block`; an index is dropped and must not draw (SQ0224)."""
    place = node.place
    if len(node.args) != 1 or not isinstance(node.args[0], nodes.Reference):
        if not any(isinstance(argument, nodes.ErrorExpr) for argument in node.args):
            _resolve_loosely(ctx, node.args, scope)
            at = node.args[0].place if len(node.args) == 1 else place
            ctx.report("SQ0224", at, problem="it takes the name of one pool")
        return tree.Unknown(place)
    argument = node.args[0]
    pool = as_pool(ctx, argument, scope, argument=True)
    if pool.name is None:
        return tree.Unknown(place)
    if pool.index is not None and any(isinstance(part, tree.Draw) for part in walk.parts(pool.index)):
        ctx.report("SQ0224", argument.place, problem="an index here is dropped, so it may not draw")
        return tree.Unknown(place)
    declared = ctx.declared.pools[pool.name]
    if declared.block is not None:
        return tree.Num(declared.block, place, measured=True)
    if declared.block_known and not ctx.source.damaged:
        note = (ctx.note(declared.token, f"`{pool.name}` is declared without `block`"),)
        ctx.report("SQ0224", argument.place, problem=f"pool `{pool.name}` has no `block`", notes=note)
    return tree.Unknown(place)


def _observation_aggregate(ctx: Elaboration, node: nodes.Apply, scope: Scope) -> tree.Expr:
    name = node.name.text
    if len(node.args) != 1 or not (isinstance(node.args[0], nodes.Reference) and node.args[0].index is None):
        if not any(isinstance(argument, nodes.ErrorExpr) for argument in node.args):
            _resolve_loosely(ctx, node.args, scope)
            ctx.report("SQ0227", node.place, name=name)
        return tree.Unknown(node.place)
    observation = as_observation(ctx, node.args[0], scope)
    return tree.Unknown(node.place) if observation is None else tree.Agg(name, observation, node.place)


def _aggregate(ctx: Elaboration, node: nodes.Aggregate, scope: Scope) -> tree.Expr:
    """The terms written out, folded to the left; one term is the term itself."""
    index = node.index
    ctx.aggregates.append(node)
    ctx.use(index, "index", index.text, place_of(index))
    allowed = scope.surroundings.accepts_index(ctx, index)
    count = constants.aggregate_count(ctx, node, index_values(scope), ctx.terms)
    if not allowed or not constants.add_terms(ctx, node, count, ctx.terms) or count is None:
        resolve(ctx, node.body, scope.with_local(index.text, IndexValue(None, index)))
        return tree.Unknown(node.place)
    total: tree.Expr | None = None
    place, op_at, op = node.place, place_of(node.op), node.op.text
    for position in range(int(count)):
        term = resolve(ctx, node.body, scope.with_local(index.text, IndexValue(float(position), index)))
        if total is None:
            total = term
        elif op == "sum":
            total = tree.Binary("+", total, term, place)
        else:
            total = tree.Call(op, (total, term), place, op_at)
    assert total is not None
    return total


_RESOLVE: dict[type, Callable[[Elaboration, Any, Scope], tree.Expr]] = {
    nodes.Number: _number,
    nodes.Paren: _paren,
    nodes.ErrorExpr: _error,
    nodes.Reference: _reference,
    nodes.Apply: _apply,
    nodes.Draw: _draw,
    nodes.UnaryOp: _unary,
    nodes.BinaryOp: _binary,
    nodes.Conditional: _conditional,
    nodes.Aggregate: _aggregate,
}
