"""The bindings of `at admission` (01 §4.3, 02 §8.2): expressions in the header, attributes in the body.

The header, `cache` and `lease` read a binding's expression.  A body that reads its name reads an attribute, which a
`set` at the top of the body gives the expression's value.  Whether the body reads it is what elaborating the body has
logged in `ctx.reads`: statements spliced in from another side do not count, they have names of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from serq_interpreter.semantics import queues, tree, walk
from serq_interpreter.semantics.context import BindingValue, BodyBinding, Elaboration, Read, Scope
from serq_interpreter.semantics.expressions import resolve
from serq_interpreter.semantics.text_walk import names_read, nodes_of, statements_of
from serq_interpreter.semantics.vocabulary import BUILTIN_ATTRIBUTES, OBSERVABLES, RETIRED_WORDS, SUPPLIED_NAMES
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Edit, Fix, Note, Place, Token, place_of


def header_scope(ctx: Elaboration, node: nodes.HoldStmt, scope: Scope) -> Scope:
    """The scope of a hold's header, `cache` and `lease`: each binding sees the ones before it."""
    if not node.bindings:
        return scope
    _check_clause(ctx, node)
    for binding in node.bindings:
        scope = scope.with_local(binding.name.text, BindingValue(binding, scope))
        ctx.use(binding.name, "binding", binding.name.text, place_of(binding.name))
    return scope


def with_body_values(ctx: Elaboration, node: nodes.HoldStmt, body: tree.Block, header: Scope, start: int) -> tree.Block:
    """`body` with a `set` at its top for each binding that it reads; `start` is where its reads begin in the log."""
    if not node.bindings:
        return body
    readers = _reads_of(ctx, node, header, start)
    sets: list[tree.Stmt] = []
    done: set[str] = set()
    for binding in node.bindings:
        name = binding.name.text
        if name not in readers or name in done:
            continue
        done.add(name)
        local = header.locals.get(name)
        if not isinstance(local, BindingValue):
            continue
        before = len(ctx.reads)
        value = resolve(ctx, binding.value, local.scope.at("statement"))
        full = header.surroundings.attribute(ctx, binding.name, header)
        at, name_at = binding.place, place_of(binding.name)
        sets.append(tree.Set(at, name_at, full, value, name_at, from_binding=True))
        ctx.body_bindings.append(BodyBinding(full, binding.name, node, value, tuple(readers[name])))
        _check_body_value(ctx, binding, value, readers[name], ctx.reads[before:], local.scope)
    return tree.Block((*sets, *body.statements), body.at) if sets else body


def _reads_of(ctx: Elaboration, node: nodes.HoldStmt, header: Scope, start: int) -> dict[str, list[Token]]:
    """The body's reads of the bound names, in order; they are marked as standing inside a hold that binds them."""
    bound = {binding.name.text: header.surroundings.attribute(ctx, binding.name, header) for binding in node.bindings}
    written = {full: name for name, full in bound.items()} | {name: name for name in bound}
    found: dict[str, list[Token]] = {}
    for number in range(start, len(ctx.reads)):
        read = ctx.reads[number]
        name = written.get(read.name)
        if name is not None and read.scope.surroundings is header.surroundings:
            found.setdefault(name, []).append(read.token)
            ctx.bound_reads.add(number)
    return found


# --------------------------------------------------------------------------- checks of one clause


def _check_clause(ctx: Elaboration, node: nodes.HoldStmt) -> None:
    """A name twice (SQ0260), a later name read (SQ0261), a draw (SQ0262); also in bindings that nothing reads."""
    names = [binding.name.text for binding in node.bindings]
    for position, binding in enumerate(node.bindings):
        name = binding.name.text
        if name in names[:position]:
            first = node.bindings[names.index(name)].name
            ctx.report("SQ0260", place_of(binding.name), name=name, notes=(ctx.note(first, "bound here first"),))
        later = set(names[position + 1 :]) - set(names[: position + 1])
        for part in nodes_of(binding.value):
            if isinstance(part, nodes.Draw):
                ctx.report("SQ0262", part.place, name=name, fixes=_draw_above(ctx, node, part))
            elif _names_one_of(part, later):
                ctx.judged.add(part.first)
                ctx.report("SQ0261", place_of(part.first), name=name, later=part.first.text)


def _draw_above(ctx: Elaboration, node: nodes.HoldStmt, draw: nodes.Draw) -> tuple[Fix, ...]:
    """The fix that draws once, by a `set` of a fresh attribute above the hold."""
    at = draw.place
    if at.via is not None or node.first.via is not None or draw.last.chunk is not draw.first.chunk:
        return ()
    texts = {item.first.chunk: item.first.chunk.text for item in ctx.source.items}.values()
    fresh = "v"
    while any(re.search(rf"\b{fresh}\b", text) for text in texts):
        fresh += "_"
    above = Place(node.first.chunk, node.first.start, node.first.start)
    drawn = f"set {fresh} = {at.chunk.text[at.start : at.end]}; "
    return (Fix(f"Draw above the hold: `{drawn.strip()}`", (Edit(above, drawn), Edit(at, fresh)), safe=True),)


def _names_one_of(part: nodes.Expr, names: set[str]) -> bool:
    if not isinstance(part, nodes.Reference):
        return False
    return part.member is None and part.index is None and part.name.text in names


# --------------------------------------------------------------------------- checks of a binding that its body reads


def _check_body_value(
    ctx: Elaboration,
    binding: nodes.Binding,
    value: tree.Expr,
    readers: list[Token],
    reads: list[Read],
    scope: Scope,
) -> None:
    """The body sees a binding of attributes other than `cached` and constants (SQ0264), not of its name (SQ0266)."""
    name = binding.name.text
    own = next((read.token for read in reads if read.attribute and read.token.text == name), None)
    if own is not None:
        ctx.own_readers.append((binding.name, own))
    moving = _moving_part(binding, value, scope)
    if moving is not None:
        note = (ctx.note(binding.name, f"`{name}` is bound here, and reads {moving}"),)
        help = (
            "in the body read `cached`" if moving == "`cached`" else "in the body, `set` the value where it is needed"
        )
        ctx.report("SQ0264", place_of(readers[0]), name=name, read=moving, notes=note, help=help)


def _moving_part(binding: nodes.Binding, value: tree.Expr, scope: Scope) -> str | None:
    for part in walk.parts(value):
        if queues.is_from_argument(part.at, scope):
            continue  # what a call passes is the caller's to know
        match part:
            case tree.Ctx(name=name):
                return f"`{name}`"
            case tree.Attr(name="cached"):
                return "`cached`"
            case tree.Call(function=function) if function in OBSERVABLES:
                return f"`{function}(…)`"
            case tree.Agg(kind=kind):
                return f"`{kind}(…)`"
            case _:
                pass
    return "`blocksize(…)`" if _reads_blocksize(binding.value, scope, set()) else None


def _reads_blocksize(expr: nodes.Expr, scope: Scope, seen: set[int]) -> bool:
    """Whether an expression, or a binding that it reads, has a `blocksize`."""
    if id(expr) in seen:
        return False
    seen.add(id(expr))
    for part in nodes_of(expr):
        if isinstance(part, nodes.Apply) and part.name.text == "blocksize":
            return True
        if isinstance(part, nodes.Reference) and part.member is None:
            local = scope.locals.get(part.name.text)
            if isinstance(local, BindingValue) and _reads_blocksize(local.binding.value, local.scope, seen):
                return True
    return False


# --------------------------------------------------------------------------- once every name is known


def check_bindings(ctx: Elaboration) -> None:
    """Bindings that bodies read share their names with nothing else (SQ0263) and are read nowhere else (SQ0265)."""
    clashing: set[str] = set()
    uncalled = list(_uncalled(ctx))
    assigned = _assigned_in_the_text(ctx) if ctx.body_bindings or uncalled else {}
    for binding in ctx.body_bindings:
        if _clashes(ctx, binding.token, assigned.get(binding.token.text), _rename(ctx, binding)):
            clashing.add(binding.name)
    for token in uncalled:
        _clashes(ctx, token, assigned.get(token.text), ())
    for bound, own in ctx.own_readers:
        if bound.text not in clashing:
            ctx.report("SQ0266", place_of(own), name=bound.text, notes=(ctx.note(bound, "the binding"),))
    _check_outside_reads(ctx, clashing)


def _clashes(ctx: Elaboration, token: Token, assigned: Place | None, fixes: tuple[Fix, ...]) -> bool:
    """Whether the binding `token`, read by its body, means something else too (SQ0263)."""
    other = None if token.text in RETIRED_WORDS else _other_meaning(ctx, token.text, assigned)
    if other is None:
        return False
    what, declared = other
    notes = () if declared is None else (Note(declared, f"`{token.text}` is {what} here"),)
    ctx.report("SQ0263", place_of(token), name=token.text, other=what, notes=notes, fixes=fixes)
    return True


def _other_meaning(ctx: Elaboration, name: str, assigned: Place | None) -> tuple[str, Place | None] | None:
    declared = ctx.declared
    if name in SUPPLIED_NAMES:
        return "a name that the language supplies", None
    if name in BUILTIN_ATTRIBUTES:
        return "an attribute of every session", None
    if name in declared.constants:
        return "a constant", place_of(declared.constant_tokens[name])
    if name in declared.pools:
        return "a pool", place_of(declared.pools[name].token)
    if name in declared.stages:
        return "a stage", place_of(declared.stages[name].token)
    return None if assigned is None else ("an attribute that the program sets", assigned)


def _uncalled(ctx: Elaboration) -> Iterator[Token]:
    """The bindings that bodies read in entries that nothing calls: their names are looked at all the same.

    One named like a constant above the queue is left out: that is told of the entry (SQ0215).
    """
    orders = ctx.declared.constant_orders
    for key, entry in ctx.entries.items():
        if key in ctx.called:
            continue
        for statement in statements_of(entry.declared.body):
            if isinstance(statement, nodes.HoldStmt) and statement.bindings:
                read = set(names_read(statement.body))
                for binding in statement.bindings:
                    name = binding.name.text
                    if name in read and not orders.get(name, entry.queue.order) < entry.queue.order:
                        yield binding.name


def _assigned_in_the_text(ctx: Elaboration) -> dict[str, Place]:
    """Names as written after `set` and `choose` anywhere, whichever queue's attributes they are, with the first place."""
    found: dict[str, Place] = {}
    for block in _blocks(ctx.source):
        for statement in statements_of(block):
            if isinstance(statement, nodes.SetStmt | nodes.ChooseStmt):
                found.setdefault(statement.name.text, place_of(statement.name))
    return found


def _blocks(source: nodes.Tree) -> Iterator[nodes.Block]:
    for item in source.items:
        match item:
            case nodes.SessionItem() | nodes.ServerItem():
                yield item.body
            case nodes.WorkloadItem(clauses=clauses):
                yield from (clause.body for clause in clauses if isinstance(clause, nodes.BlockClause))
            case nodes.QueueItem(parts=parts):
                yield from (part.body for part in parts if isinstance(part, nodes.EntryDecl))
            case _:
                pass


def _check_outside_reads(ctx: Elaboration, clashing: set[str]) -> None:
    names = {binding.name: binding.token for binding in ctx.body_bindings if binding.name not in clashing}
    if not names:
        return
    own = {id(token) for _, token in ctx.own_readers}
    for number, read in enumerate(ctx.reads):
        if not read.attribute or number in ctx.bound_reads or id(read.token) in own:
            continue
        bound = names.get(read.name)
        if bound is not None and read.scope.moment in ("statement", "header", "option"):
            note = (ctx.note(bound, f"`{read.name}` is bound here, for this hold only"),)
            ctx.report("SQ0265", place_of(read.token), name=read.name, notes=note)


def _rename(ctx: Elaboration, binding: BodyBinding) -> tuple[Fix, ...]:
    """The fix that renames a binding and its reads within its hold, unless some stand in an expansion."""
    tokens = [binding.token, *binding.reads, *_header_reads(binding)]
    if any(token.via is not None for token in tokens):
        return ()
    taken = {*ctx.declared.constants, *ctx.declared.pools, *ctx.declared.stages, *ctx.out.attributes, *SUPPLIED_NAMES}
    fresh = f"{binding.token.text}_"
    while fresh in taken:
        fresh += "_"
    edits = {(id(token.chunk), token.start): Edit(place_of(token), fresh) for token in tokens}
    return (Fix(f"Rename the binding to `{fresh}`", tuple(edits.values()), safe=True),)


def _header_reads(binding: BodyBinding) -> Iterator[Token]:
    """The reads of a binding in its own header, `cache` and `lease`."""
    hold, name = binding.hold, binding.token.text
    later = [other.value for other in hold.bindings if other.name is not binding.token]
    amounts = [amount for part in hold.pools for amount in (part.units, part.reserve)]
    clauses = [None if clause is None else clause.value for clause in (hold.reuse, hold.cache)]
    lease = None if hold.lease is None else hold.lease.time
    for expr in (*later, *amounts, *clauses, lease):
        for part in () if expr is None else nodes_of(expr):
            if isinstance(part, nodes.Reference) and part.member is None and part.name.text == name:
                yield part.name
