"""Names that mean two things (02 §2): checked when every declaration and every attribute is known."""

from __future__ import annotations

from serq_interpreter.semantics.context import Elaboration
from serq_interpreter.semantics.vocabulary import BUILTIN_ATTRIBUTES, SUPPLIED_NAMES
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Edit, Fix, Note, Place, Token, place_of


def check_collisions(ctx: Elaboration) -> None:
    """Report names shared by what may not share one (SQ0214-0218, 0220)."""
    _constants(ctx)
    _attributes(ctx)
    _registers(ctx)
    _indices(ctx)
    for name, token in ctx.declared.gauges.items():
        observed = ctx.out.observations.get(name)
        if observed is not None:
            ctx.report("SQ0214", place_of(token), name=name, notes=(Note(observed, f"`{name}` is observed here"),))


def _constants(ctx: Elaboration) -> None:
    for name, token in ctx.declared.constant_tokens.items():
        at = place_of(token)
        if name in SUPPLIED_NAMES:
            ctx.report("SQ0216", at, name=name)
        elif name in BUILTIN_ATTRIBUTES:
            ctx.report("SQ0215", at, name=name, help=f"`{name}` is an attribute of every session")
        elif name in ctx.assignments:
            places = ctx.assigned_at.get(name, [])
            notes = tuple(Note(place, f"`{name}` is assigned here") for place in places)
            ctx.report("SQ0215", at, name=name, notes=notes)


def _attributes(ctx: Elaboration) -> None:
    for name, at in ctx.assignments.items():
        if name in SUPPLIED_NAMES:
            ctx.report("SQ0217", at, name=name)


def _registers(ctx: Elaboration) -> None:
    for name, register in ctx.declared.registers.items():
        other = _other_than_register(ctx, name)
        if other is None:
            continue
        what, place = other
        notes = () if place is None else (Note(place, f"`{name}` is {what} here"),)
        ctx.report("SQ0218", place_of(register.option.name), name=name, other=what, notes=notes)


def _other_than_register(ctx: Elaboration, name: str) -> tuple[str, Place | None] | None:
    if name in SUPPLIED_NAMES:
        return "a name that the language supplies", None
    if name in BUILTIN_ATTRIBUTES:
        return "an attribute of every session", None
    declared = _declared(ctx, name)
    if declared is not None:
        return declared
    if name in ctx.out.attributes:
        return "an attribute", ctx.out.attributes[name]
    return None


def _declared(ctx: Elaboration, name: str) -> tuple[str, Place | None] | None:
    if name in ctx.declared.constants:
        return "a constant", place_of(ctx.declared.constant_tokens[name])
    if name in ctx.declared.pools:
        return "a pool", ctx.declared.pools[name].name_at
    if name in ctx.declared.stages:
        return "a stage", ctx.declared.stages[name].name_at
    return None


# --------------------------------------------------------------------------- indices of aggregates


def _indices(ctx: Elaboration) -> None:
    for node in ctx.aggregates:
        name = node.index.text
        other = _declared(ctx, name)
        if other is None and name in SUPPLIED_NAMES:
            other = "a name that the language supplies", None
        if other is None and name in BUILTIN_ATTRIBUTES:
            other = "an attribute of every session", None
        if other is None and name in ctx.out.attributes:
            other = "an attribute", ctx.out.attributes[name]
        if other is not None:
            what, place = other
            notes = () if place is None else (Note(place, f"`{name}` is {what} here"),)
            ctx.report("SQ0220", place_of(node.index), name=name, other=what, notes=notes, fixes=_rename(ctx, node))


def _rename(ctx: Elaboration, node: nodes.Aggregate) -> tuple[Fix, ...]:
    """A fresh name for the index and all its uses in the body."""
    name = node.index.text
    fresh = f"{name}_"
    while _declared(ctx, fresh) is not None or fresh in ctx.out.attributes or fresh in SUPPLIED_NAMES:
        fresh += "_"
    tokens = [node.index, *_uses(node.body, name)]
    if any(token.via is not None for token in tokens):
        return ()
    edits = tuple(Edit(place_of(token), fresh) for token in tokens)
    return (Fix(f"Rename the index to `{fresh}`", edits, safe=True),)


def _uses(body: nodes.Expr, name: str) -> list[Token]:
    """Where the body of an aggregate reads its index; an inner aggregate of the same name has its own."""
    found: list[Token] = []
    stack: list[nodes.Expr] = [body]
    while stack:
        part = stack.pop()
        match part:
            case nodes.Reference(name=token, index=index, member=member):
                if index is not None:
                    stack.append(index)
                elif member is None and token.text == name:
                    found.append(token)
            case nodes.Aggregate(index=index_token, count=count, body=inner):
                stack.append(count)
                if index_token.text != name:
                    stack.append(inner)
            case nodes.Paren(inner=inner):
                stack.append(inner)
            case nodes.UnaryOp(operand=operand):
                stack.append(operand)
            case nodes.BinaryOp(left=left, right=right):
                stack += (left, right)
            case nodes.Conditional(test=test, then=then, otherwise=otherwise):
                stack += (test, then, otherwise)
            case nodes.Apply(args=args) | nodes.Draw(args=args):
                stack += args
            case _:
                pass
    return found
