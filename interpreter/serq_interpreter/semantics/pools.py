"""Pools: their options read into the elaborated program (01 §2.2)."""

from __future__ import annotations

from serq_interpreter.semantics import constants, tree
from serq_interpreter.semantics.context import OUTSIDE, Elaboration, Scope
from serq_interpreter.semantics.declarations import PoolDecl, StageDecl
from serq_interpreter.semantics.expressions import resolve, resolve_all
from serq_interpreter.semantics.nearest import nearest
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Place, Token, place_of


def elaborate_pool(ctx: Elaboration, declared: PoolDecl) -> tree.Pool:
    """One pool or family.  An option given again replaces the earlier one, which is then not looked at."""
    scope = Scope(f"pool {declared.name}", declared.order, OUTSIDE, "option")
    options = {} if declared.item is None else {_key(option): option for option in declared.item.options}
    cap, cap_at = _cap(ctx, declared, options.get("cap"))
    admit, admit_at = _admit_via(ctx, declared, options.get("admit"), scope)
    return tree.Pool(
        declared.name,
        declared.size,
        declared.size_known,
        cap,
        cap_at,
        declared.block,
        _keys(ctx, options.get("evict"), scope),
        _preempt(ctx, options.get("preempt"), scope),
        _keys(ctx, options.get("queue"), scope),
        admit,
        admit_at,
        "reserve" in options,
        _spill(ctx, declared, options.get("spill"), scope),
        declared.at,
        declared.name_at,
        declared.owner,
    )


def _key(option: nodes.PoolOption) -> str:
    return option.word.text


def _cap(ctx: Elaboration, declared: PoolDecl, option: nodes.PoolOption | None) -> tuple[float | None, Place | None]:
    if not isinstance(option, nodes.ValueOption):
        return None, None
    return constants.folded(ctx, option.value, f"the cap of pool `{declared.name}`"), option.value.place


def _keys(ctx: Elaboration, option: nodes.PoolOption | None, scope: Scope) -> tuple[tree.Expr, ...] | None:
    if not isinstance(option, nodes.KeysOption) or option.form != "by":
        return None
    return resolve_all(ctx, option.keys, scope)


def _preempt(ctx: Elaboration, option: nodes.PoolOption | None, scope: Scope) -> tree.Preempt | None:
    """`preempt lifo` is `preempt by (-admission)`."""
    if not isinstance(option, nodes.KeysOption) or option.form == "none":
        return None
    if option.form == "lifo":
        at = option.place
        return tree.Preempt((tree.Unary("-", tree.Ctx("admission", at), at),), False)
    start = len(ctx.reads)
    keys = resolve_all(ctx, option.keys, scope)
    ctx.unwatched(start)
    return tree.Preempt(keys, option.tail)


def _admit_via(
    ctx: Elaboration, declared: PoolDecl, option: nodes.PoolOption | None, scope: Scope
) -> tuple[str | None, Place | None]:
    if not isinstance(option, nodes.NameOption):
        return None, None
    return named_stage(ctx, option.name, declared.short_names, scope), place_of(option.name)


def _spill(ctx: Elaboration, declared: PoolDecl, option: nodes.PoolOption | None, scope: Scope) -> tree.Spill | None:
    if not isinstance(option, nodes.SpillOption):
        return None
    target = named_pool(ctx, option.target, declared.short_names, scope)
    via = named_stage(ctx, option.via, declared.short_names, scope)
    work = resolve(ctx, option.work, scope)
    return tree.Spill(target, via, work, resolve(ctx, option.when, scope), option.place)


def named_stage(ctx: Elaboration, token: Token, short_names: dict[str, str], scope: Scope) -> str | None:
    """The stage or array that a bare name in an option means (SQ0203)."""
    name = short_names.get(token.text, token.text)
    declared: StageDecl | None = ctx.declared.stages.get(name)
    if declared is not None:
        ctx.use(token, "stage", name, declared.name_at)
        return name
    _missing(ctx, "SQ0203", token, list(ctx.declared.stages), scope)
    return None


def named_pool(ctx: Elaboration, token: Token, short_names: dict[str, str], scope: Scope) -> str | None:
    """The pool or family that a bare name in an option means (SQ0202)."""
    name = short_names.get(token.text, token.text)
    declared = ctx.declared.pools.get(name)
    if declared is not None:
        ctx.use(token, "pool", name, declared.name_at)
        return name
    _missing(ctx, "SQ0202", token, list(ctx.declared.pools), scope)
    return None


def _missing(ctx: Elaboration, code: str, token: Token, candidates: list[str], scope: Scope) -> None:
    if ctx.may_declare("stage" if code == "SQ0203" else "pool", token.text):
        return
    at = place_of(token)
    fixes = constants.rename(at, nearest(token.text, candidates))
    ctx.report(code, at, key=(token.text, scope.where), name=token.text, fixes=fixes)
