"""References: which pool or stage a name in a statement or in a function's argument means (spec 02 §5).

A reference that names nothing has `name=None`, and everything about it is skipped.  An index that is closed becomes its
number, so that `kv[N - 1]` and `kv[2]` are the same reference; any other index is compared as written.
"""

from __future__ import annotations

from serq_interpreter.semantics import constants, expressions, queues, tree, walk
from serq_interpreter.semantics.closed import closed_value, constant_value
from serq_interpreter.semantics.context import Elaboration, Read, Scope
from serq_interpreter.semantics.declarations import PoolDecl, StageDecl
from serq_interpreter.semantics.nearest import nearest
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Edit, Fix, Place, place_of

_AFTER_STATEMENTS = frozenset(("gauge", "given", "claim", "end"))
"""Moments of expressions that are elaborated when every `observe` is known."""


def as_pool(ctx: Elaboration, ref: nodes.Reference, scope: Scope, *, argument: bool = False) -> tree.PoolRef:
    """The pool that `ref` names; reports SQ0202, 0225, 0226.

    `argument`: the reference is an argument of a function.
    """
    own = scope.surroundings.pool(ctx, ref, scope, argument=argument)
    if own is not None:
        return own
    if queues.refuses_reference(ctx, ref, scope, "pool", argument=argument):
        index = expressions.resolve_optional(ctx, ref.index, scope)
        return tree.PoolRef(None, index, (full_name(ref),), ref.place, name_place(ref))
    if argument:
        _log_argument(ctx, ref, scope)
    name = full_name(ref)
    declared = ctx.declared.pools.get(name)
    if declared is None:
        index = expressions.resolve_optional(ctx, ref.index, scope)
        _no_pool(ctx, ref, name, scope)
        return tree.PoolRef(None, index, (name,), ref.place, name_place(ref))
    use_reference(ctx, ref, "pool", declared)
    index = member_index(ctx, ref, declared, scope, "pool")
    return tree.PoolRef(declared.name, index, spelling(declared.name, index), ref.place, name_place(ref))


def as_stage(ctx: Elaboration, ref: nodes.Reference, scope: Scope, *, argument: bool = False) -> tree.StageRef:
    """The stage that `ref` names; reports SQ0203, 0225, 0226."""
    own = scope.surroundings.stage(ctx, ref, scope, argument=argument)
    if own is not None:
        return own
    if queues.refuses_reference(ctx, ref, scope, "stage", argument=argument):
        index = expressions.resolve_optional(ctx, ref.index, scope)
        return tree.StageRef(None, index, (full_name(ref),), ref.place, name_place(ref))
    if argument:
        _log_argument(ctx, ref, scope)
    name = full_name(ref)
    declared = ctx.declared.stages.get(name)
    if declared is None:
        index = expressions.resolve_optional(ctx, ref.index, scope)
        _no_stage(ctx, ref, name, scope)
        return tree.StageRef(None, index, (name,), ref.place, name_place(ref))
    use_reference(ctx, ref, "stage", declared)
    index = member_index(ctx, ref, declared, scope, "stage")
    return tree.StageRef(declared.name, index, spelling(declared.name, index), ref.place, name_place(ref))


def as_observation(ctx: Elaboration, ref: nodes.Reference, scope: Scope) -> str | None:
    """The observation that an aggregate names, `None` when there is none (SQ0207).

    Options of pools and stages come before every `observe`, and a statement sees the ones before it.
    """
    _log_argument(ctx, ref, scope)
    if scope.moment not in _AFTER_STATEMENTS:
        ctx.n_earlier_reads += 1
    name = full_name(ref)
    if name in ctx.observed and scope.moment != "option":
        ctx.use(ref.name, "observation", name, ctx.observed[name])
        return name
    if ctx.may_declare("observation", name) or name in ctx.possible_attributes:
        return name
    if ctx.source.damaged and name in ctx.assignments:
        return name
    help = "" if scope.moment == "end" else "only a claim `at end` reads observations"
    fixes = constants.rename(ref.place, nearest(name, ctx.observed))
    ctx.report("SQ0207", ref.place, name=name, help=help, fixes=fixes)
    return None


def full_name(ref: nodes.Reference) -> str:
    """`kv`, or `q.kv` for a queue's."""
    return ref.name.text if ref.member is None else f"{ref.name.text}.{ref.member.text}"


def name_place(ref: nodes.Reference) -> Place:
    """The name of a reference: with its member when no index stands between them."""
    if ref.member is None or ref.index is not None:
        return place_of(ref.name)
    return place_of(ref.name, ref.member)


def use_reference(ctx: Elaboration, ref: nodes.Reference, kind: str, declared: PoolDecl | StageDecl) -> None:
    """Record what the tokens of a reference mean."""
    if ref.member is None:
        ctx.use(ref.name, kind, declared.name, declared.name_at)
        return
    queue = ctx.declared.queues.get(ref.name.text)
    if queue is not None:
        ctx.use(ref.name, "queue", queue.name, place_of(queue.token))
    ctx.use(ref.member, kind, declared.name, declared.name_at)


def member_index(
    ctx: Elaboration,
    ref: nodes.Reference,
    declared: PoolDecl | StageDecl,
    scope: Scope,
    what: str,
) -> tree.Expr | None:
    """The index of a reference: present where a family needs one (SQ0225), in range when closed (SQ0226)."""
    if ref.index is None:
        if declared.size is not None and declared.size > 1:
            fixes: tuple[Fix, ...] = ()
            if ref.last.via is None:
                end = Place(ref.last.chunk, ref.last.end, ref.last.end)
                fixes = (Fix("Name the first member", (Edit(end, "[0]"),)),)
            note = (ctx.note(declared.token, f"`{declared.name}` is declared with {declared.size} members"),)
            ctx.report("SQ0225", ref.place, name=declared.name, what=what, fixes=fixes, notes=note)
        return None
    return closed_index(ctx, expressions.resolve(ctx, ref.index, scope), ref.index.place, declared, what)


def closed_index(
    ctx: Elaboration,
    index: tree.Expr,
    at: Place,
    declared: PoolDecl | StageDecl,
    what: str,
) -> tree.Expr:
    """`index` as its number when it is constant; when it is closed, reports one that names no member (SQ0226)."""
    value = closed_value(index)
    if value is None:
        return index
    members = 1 if declared.size is None else declared.size
    if declared.size_known and not (constants.is_whole(value, 0.0, members - 1.0)):
        note = (ctx.note(declared.token, f"`{declared.name}` has {members} member{'s' if members > 1 else ''}"),)
        ctx.report(
            "SQ0226", at, name=declared.name, what=what, value=constants.show(value), members=members, notes=note
        )
        return tree.Unknown(at)
    return index if constant_value(index) is None else tree.Num(value, at, bare=isinstance(index, tree.Num))


def spelling(name: str, index: tree.Expr | None) -> tuple[object, ...]:
    """What makes two references the same: the name, and the index by value or as written (spec 02 §8).

    A reference inside the index contributes its own spelling, so that nested ones are walked once each.
    """
    if index is None:
        return (name,)
    return (name, *[_atom(part) for part in walk.parts(index, inside_references=False)])


def _atom(part: walk.Part) -> object:
    match part:
        case tree.Num(value=value):
            return value
        case tree.Attr(name=name) | tree.Ctx(name=name) | tree.Reg(name=name):
            return name
        case tree.Unary(op=op):
            return ("unary", op)
        case tree.Binary(op=op):
            return op
        case tree.Cond():
            return "?"
        case tree.Call(function=function, args=args):
            return (function, len(args))
        case tree.Draw(distribution=distribution, args=args):
            return ("~", distribution, len(args))
        case tree.Agg(kind=kind, observation=observation):
            return (kind, observation)
        case tree.PoolRef() | tree.StageRef():
            return part.spelling
        case tree.Unknown():
            return part


# --------------------------------------------------------------------------- names that nothing declares


def _log_argument(ctx: Elaboration, ref: nodes.Reference, scope: Scope) -> None:
    if ref.index is None and ref.member is None:
        ctx.reads.append(Read(ref.name.text, ref.name, scope, False))


def _no_pool(ctx: Elaboration, ref: nodes.Reference, name: str, scope: Scope) -> None:
    if ref.member is not None and queues.missing_member(ctx, ref, scope, "pool"):
        return
    if _silent(ctx, ref, "pool"):
        return
    help = f"`{name}` is a stage" if name in ctx.declared.stages else ""
    fixes = constants.rename(name_place(ref), nearest(name, ctx.declared.pools))
    ctx.report("SQ0202", name_place(ref), key=(name, scope.where), name=name, help=help, fixes=fixes)


def _no_stage(ctx: Elaboration, ref: nodes.Reference, name: str, scope: Scope) -> None:
    if queues.missing_member(ctx, ref, scope, "stage"):
        return
    if _silent(ctx, ref, "stage"):
        return
    help = f"`{name}` is a pool" if name in ctx.declared.pools else ""
    fixes = constants.rename(name_place(ref), nearest(name, ctx.declared.stages))
    ctx.report("SQ0203", name_place(ref), key=(name, scope.where), name=name, help=help, fixes=fixes)


def _silent(ctx: Elaboration, ref: nodes.Reference, kind: str) -> bool:
    """Whether the declaration may stand in a region that could not be read."""
    return ctx.may_declare(kind, ref.name.text, *(() if ref.member is None else (ref.member.text,)))
