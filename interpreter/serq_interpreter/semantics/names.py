"""What a name read as a value means (spec 02 §2).

The order of the search: local names (parameter, aggregate index, binding of a header), what the surroundings supply
(an entry's own names), names the language supplies, constants, registers, attributes.  That a name is an attribute is
known only when every block has been elaborated: such reads are collected in `ctx.reads` and judged by
`check_attributes`.
"""

from __future__ import annotations

from typing import assert_never

from serq_interpreter.semantics import arithmetic, constants, expressions, queues, tree, walk
from serq_interpreter.semantics.context import Argument, BindingValue, Elaboration, IndexValue, Read, Scope
from serq_interpreter.semantics.nearest import nearest
from serq_interpreter.semantics.vocabulary import BUILTIN_ATTRIBUTES, CONTEXT_VARIABLES, LINEAGE, RENAMED_CONTEXT
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Edit, Fix, Place, Token, place_of

_BUILTIN = frozenset(BUILTIN_ATTRIBUTES)

MAX_PARTS = 100_000
"""Parts of one binding's expression with the bindings before it written out: our own limit."""


def value_of(ctx: Elaboration, ref: nodes.Reference, scope: Scope) -> tree.Expr:
    """The meaning of a name, dotted or not, read as a value."""
    if ref.member is not None:
        return queues.dotted_value(ctx, ref, scope)
    token = ref.name
    if token.text == "self" and scope.surroundings.queue is None:
        ctx.report("SQ0726", place_of(token))
        return tree.Unknown(place_of(token))
    local = scope.locals.get(token.text)
    if local is not None:
        return _local(ctx, token, local, scope)
    own = scope.surroundings.value(ctx, ref, scope)
    if own is not None:
        return own
    return program_name(ctx, token, scope)


def _local(ctx: Elaboration, token: Token, local: IndexValue | Argument | BindingValue, scope: Scope) -> tree.Expr:
    name, at = token.text, place_of(token)
    match local:
        case IndexValue(value=number, token=declared):
            ctx.use(token, "index", name, place_of(declared))
            return tree.Unknown(at) if number is None else tree.Num(number, at)
        case Argument(node=node, scope=caller, token=declared):
            ctx.use(token, "parameter", name, place_of(declared))
            if node is None or caller is None:
                return tree.Unknown(at)
            return queues.argument_value(ctx, token, node, caller, scope)
        case BindingValue():
            ctx.use(token, "binding", name, place_of(local.binding.name))
            return binding_value(ctx, local, scope.moment)
        case _:
            assert_never(local)


def binding_value(ctx: Elaboration, local: BindingValue, moment: str) -> tree.Expr:
    """The expression of a binding at a moment, resolved once; the terms of its aggregates count at each read."""
    known = local.resolved.get(moment)
    if known is not None:
        ctx.terms.count += local.terms
        return known
    before = ctx.terms.count
    value = expressions.resolve(ctx, local.binding.value, local.scope.at(moment))
    ctx.kept.append(value)
    if walk.expanded_size(value, ctx.sizes) > MAX_PARTS:
        ctx.report("SQ0192", local.binding.value.place, key="parts", limit=MAX_PARTS)
        value = tree.Unknown(local.binding.value.place)
    local.resolved[moment] = value
    local.terms = ctx.terms.count - before
    return value


def program_name(ctx: Elaboration, token: Token, scope: Scope) -> tree.Expr:
    """A name that is not local: of the language, a constant, a register or an attribute."""
    name, at = token.text, place_of(token)
    declared = ctx.declared
    if name in declared.constants and name != "self":
        ctx.reads.append(Read(name, token, scope, False))
        ctx.use(token, "constant", name, place_of(declared.constant_tokens[name]))
        value = declared.constants[name]
        return tree.Unknown(at) if value is None else tree.Num(value, at)
    if name in CONTEXT_VARIABLES:
        ctx.reads.append(Read(name, token, scope, False))
        ctx.use(token, "context", name)
        return tree.Ctx(name, at)
    if name == "inf":
        ctx.reads.append(Read(name, token, scope, False))
        ctx.use(token, "builtin", name)
        return tree.Num(arithmetic.INF, at)
    register = declared.registers.get(name)
    if register is not None:
        ctx.reads.append(Read(name, token, scope, False))
        ctx.use(token, "register", name, place_of(register.option.name))
        return tree.Reg(name, register.engine, at)
    damage = ctx.damage
    if name in damage.constants or name in damage.redeclared or "let" in damage.nameless:
        return tree.Unknown(at)
    return attribute(ctx, token, name, scope)


def attribute(ctx: Elaboration, token: Token, full_name: str, scope: Scope) -> tree.Expr:
    """The read of an attribute by its full name; whether there is one is checked when all are known."""
    ctx.reads.append(Read(full_name, token, scope, True))
    return tree.Attr(full_name, place_of(token))


# --------------------------------------------------------------------------- once every block is elaborated


def check_attributes(ctx: Elaboration, reads: list[Read]) -> None:
    """Record what the attribute reads mean; report names that nothing declares (SQ0201, SQ0205)."""
    attributes = ctx.out.attributes
    for read in reads:
        if not read.attribute or read.token in ctx.judged:
            continue
        if read.name in attributes:
            ctx.use(read.token, "attribute", read.name, attributes[read.name])
        elif read.name in _BUILTIN:
            ctx.use(read.token, "attribute", read.name)
        elif read.name in LINEAGE and ctx.lineage_known:
            ctx.use(read.token, "attribute", read.name)
            ctx.out.lineage.setdefault(read.name)
        else:
            unknown_name(ctx, read.token, read.name, read.scope)


def unknown_name(ctx: Elaboration, token: Token, name: str, scope: Scope) -> None:
    """Report a name that is no attribute, constant, register or context variable."""
    at = place_of(token)
    if ctx.may_declare("attribute", *name.split(".")) or name in ctx.possible_attributes or _of_damaged(ctx, name):
        return
    if name in RENAMED_CONTEXT:
        today = RENAMED_CONTEXT[name]
        rewrite = (Fix(f"Write `{today}`", (Edit(at, today),), safe=True),)
        ctx.report("SQ0205", at, name=name, now=today, fixes=rewrite if at.via is None else ())
        return
    help, fixes = _suggest(ctx, name, at)
    ctx.report("SQ0201", at, key=(name, scope.where), name=name, help=help, fixes=fixes)


def _of_damaged(ctx: Elaboration, name: str) -> bool:
    """Whether the name belongs to a queue that could not be read as a whole: an entry that sets it may be lost."""
    queue = ctx.declared.queues.get(name.split(".")[0])
    return queue is not None and queue.damaged and "." in name


def _suggest(ctx: Elaboration, name: str, at: Place) -> tuple[str, tuple[Fix, ...]]:
    if name in ctx.declared.pools:
        return f"`{name}` is a pool: read `used({name})` or `free({name})`", ()
    if name in ctx.declared.stages:
        return f"`{name}` is a stage: read `queue({name})` or `busy({name})`", ()
    if name in ctx.out.observations:
        return f"`{name}` is an observation: only a claim `at end` reads it, as `total({name})` and the like", ()
    candidate = nearest(
        name,
        [
            *ctx.out.attributes,
            *ctx.declared.constants,
            *ctx.declared.registers,
            *BUILTIN_ATTRIBUTES,
            *(LINEAGE if ctx.lineage_known else ()),
            *CONTEXT_VARIABLES,
        ],
    )
    return "", constants.rename(at, candidate)
