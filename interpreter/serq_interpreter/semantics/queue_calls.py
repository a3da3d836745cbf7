"""Calls of entries, expanded: what `QUEUE[i].verb (…) from … to …;` and `request GATEWAY;` stand for (02 §14.2).

A call is replaced by the entry's statements.  Arguments are expressions of the caller that stay with the caller's
names; how names read inside is decided by `queue_entries.InsideEntry`.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from serq_interpreter.semantics import constants, expressions, queues, references, text_places, tree
from serq_interpreter.semantics.context import Argument, Elaboration, Read, Scope
from serq_interpreter.semantics.declarations import QueueDecl
from serq_interpreter.semantics.entry_text import EntryKey, EntryText
from serq_interpreter.semantics.nearest import nearest
from serq_interpreter.semantics.queue_declarations import VERBS
from serq_interpreter.semantics.queue_entries import CallSite, InsideEntry, entry_around, member_of
from serq_interpreter.semantics.queue_sources import source_of
from serq_interpreter.semantics.text_walk import nodes_of
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Edit, Fix, Place, Token, place_of

if TYPE_CHECKING:
    from types import ModuleType

Statements = tuple[tree.Stmt, ...]

MAX_STATEMENTS = 100_000
"""Statements that the calls of a program may expand to."""


def call(ctx: Elaboration, node: nodes.CallStmt, scope: Scope) -> Statements:
    """The statements that a call stands for; reports what is wrong with the call itself (SQ0744-0763)."""
    opaque = (tree.Opaque(node.place, place_of(node.queue)),)
    _log_argument_names(ctx, node, scope)
    inside = entry_around(scope)
    entry = _entry(ctx, node, inside)
    if entry is None or (inside is not None and inside.looked_at):
        # An entry that could not be read may leave its arguments unread, and then they may be anything.
        if entry is not None or not ctx.unread(node.queue.text, node.verb.text):
            _resolve_parts(ctx, node, scope)
        return opaque
    own = inside is not None and entry.queue is inside.text.queue
    well_called = own or _index_fits(ctx, node, entry.queue)
    well_called = _arguments_fit(ctx, node, entry) and well_called
    if entry.verb == "transfer":
        if node.source is None or node.target is None or node.units is None:
            ctx.report("SQ0763", node.place)
            well_called = False
    elif node.target is not None:
        last = node.target if node.units is None else node.units
        place = text_places.clause("to", node.target, last, closing=node.units is not None)
        ctx.report("SQ0751", place, fixes=_delete(place, "Delete the clause"))
    if not well_called or _closes_cycle(ctx, node, entry, inside) or _too_many(ctx, entry, node.place, inside):
        _resolve_parts(ctx, node, scope)
        return opaque
    source = None if node.source is None else source_of(ctx, node.source, scope)
    site = CallSite(node, node.queue, scope, member_of(ctx, node.queue, node.index, entry.queue, scope), source)
    body = _expand(ctx, entry, site, node.args)
    if entry.verb != "transfer" or node.target is None or node.units is None or source is None:
        return body
    word_at = place_of(node.queue)
    target = references.as_pool(ctx, node.target, scope, argument=True)
    units = expressions.resolve(ctx, node.units, scope)
    load = tree.Load(node.place, word_at, target, units)
    return (*body, load, tree.Release(node.place, word_at, source.reference(ctx, scope.moment)))


def call_route(ctx: Elaboration, entry: EntryText, node: nodes.RequestStmt, gateway: Token, scope: Scope) -> Statements:
    """The statements of a gateway's route, in place of a `request`."""
    if _too_many(ctx, entry, node.place, entry_around(scope)):
        return (tree.Opaque(node.place, place_of(node.word)),)
    return _expand(ctx, entry, CallSite(node, gateway, scope), ())


def look_at(ctx: Elaboration, entry: EntryText) -> None:
    """Elaborate an entry that nobody calls, for what its text alone shows; its statements join no program."""
    locals_ = {name: Argument(None, None, token) for name, token in entry.parameters.items() if name != "self"}
    scope = Scope(entry.title, entry.queue.order, InsideEntry(entry, None), locals=dict(locals_))
    _statements().elaborate_statements(ctx, entry.declared.body.statements, scope)


def _expand(ctx: Elaboration, entry: EntryText, site: CallSite, args: tuple[nodes.Expr, ...]) -> Statements:
    ctx.called.add(entry.key)
    tokens = entry.declared.parameters or ()
    arguments = zip_longest(tokens, args[: len(tokens)])
    locals_ = {token.text: Argument(node, site.scope, token) for token, node in arguments if token.text != "self"}
    scope = Scope(entry.title, entry.queue.order, InsideEntry(entry, site), locals=dict(locals_))
    found: Statements = _statements().elaborate_statements(ctx, entry.declared.body.statements, scope)
    return found


def _statements() -> ModuleType:
    """The module of statements, which itself expands calls; imported at the first call for that reason."""
    from serq_interpreter.semantics import statements

    return statements


def _resolve_parts(ctx: Elaboration, node: nodes.CallStmt, scope: Scope) -> None:
    """Look at the names of a call that is not expanded."""
    expressions.resolve_all(ctx, node.args, scope)
    expressions.resolve_optional(ctx, node.index, scope)
    expressions.resolve_optional(ctx, node.units, scope)


def _log_argument_names(ctx: Elaboration, node: nodes.CallStmt, scope: Scope) -> None:
    """Names of arguments and indices count also where the entry never reads what they stand for.

    For `at admission` they are reads (01 §4.3), and a dotted name must be one of its queue.
    """
    outside = scope.surroundings.side != "entry"
    indices = (node.index, None if node.source is None else node.source.index)
    for argument in (*node.args, *(index for index in indices if index is not None)):
        of_functions: set[int] = set()
        for part in nodes_of(argument):
            if isinstance(part, nodes.Apply):
                of_functions.update(id(inner) for inner in part.args)
            elif isinstance(part, nodes.Reference):
                if part.member is None and part.index is None:
                    ctx.reads.append(Read(part.name.text, part.name, scope, False))
                    if part.name.text == "self" and "self" not in scope.locals:
                        expressions.resolve(ctx, part, scope)
                elif part.member is not None and outside and id(part) not in of_functions:
                    queues.is_dotted_name(ctx, part, part.member)


# --------------------------------------------------------------------------- the entry


def _entry(ctx: Elaboration, node: nodes.CallStmt, inside: InsideEntry | None) -> EntryText | None:
    """The entry that is called; `None` when there is none (SQ0744, SQ0745).

    Inside an entry a pool of its queue, or its source, hides a queue of the same name.
    """
    name = node.queue.text
    queue = ctx.declared.queues.get(name)
    at = place_of(node.queue)
    hidden = None if inside is None else inside.pool_named(name)
    if hidden is not None:
        ctx.report("SQ0744", at, name=hidden[0], notes=(ctx.note(hidden[1], f"in this entry `{name}` is a pool"),))
        return None
    if queue is None:
        if not ctx.unread(name):
            ctx.report("SQ0744", at, name=name, fixes=constants.rename(at, nearest(name, ctx.declared.queues)))
        return None
    ctx.use(node.queue, "queue", name, place_of(queue.token))
    verb = node.verb.text
    with_source = node.source is not None and verb != "transfer"
    entry = ctx.entries.get((name, verb, with_source))
    if entry is not None:
        ctx.use(node.verb, "entry", entry.title, place_of(entry.declared.verb))
        return entry
    if not queue.damaged and not ctx.unread(verb) and queue.item is not None:
        _no_entry(ctx, node, queue, with_source)
    return None


def _no_entry(ctx: Elaboration, node: nodes.CallStmt, queue: QueueDecl, with_source: bool) -> None:
    verb = node.verb.text
    form = f"{verb} … from" if with_source else verb
    other = ctx.entries.get((queue.name, verb, not with_source))
    help = ""
    fixes: tuple[Fix, ...] = ()
    if other is not None:
        help = f"its `{verb}` takes no `from`" if with_source else f"its `{verb}` is called with `from QUEUE`"
    elif verb == "transfer" and queue.serve is not None:
        help = f"a link without an entry is used as `transfer on {queue.name} …`"
    else:
        fixes = constants.rename(place_of(node.verb), nearest(verb, [word for word, _ in queue.entries]))
    notes = () if other is None else (ctx.note(other.declared.verb, "the entry it has"),)
    ctx.report("SQ0745", place_of(node.verb), queue=queue.name, entry=form, help=help, fixes=fixes, notes=notes)


def _index_fits(ctx: Elaboration, node: nodes.CallStmt, queue: QueueDecl) -> bool:
    """A family is called with an index, a single queue without (SQ0747, SQ0748)."""
    if not queue.size_known:
        return True
    note = (ctx.note(queue.token, f"`{queue.name}` is declared here"),)
    if queue.size is not None and node.index is None:
        at = place_of(node.queue)
        fixes = (
            ()
            if at.via is not None
            else (Fix("Name the first member", (Edit(Place(at.chunk, at.end, at.end), "[0]"),)),)
        )
        ctx.report("SQ0747", at, name=queue.name, size=queue.size, notes=note, fixes=fixes)
        return False
    if queue.size is None and node.index is not None:
        place = text_places.bracketed(node.index)
        ctx.report("SQ0748", place, name=queue.name, notes=note, fixes=_delete(place, "Delete the index"))
    return True


def _delete(place: Place, title: str) -> tuple[Fix, ...]:
    return () if place.via is not None else (Fix(title, (Edit(place, ""),), safe=True),)


def _arguments_fit(ctx: Elaboration, node: nodes.CallStmt, entry: EntryText) -> bool:
    """One argument per parameter (SQ0746), and none draws (SQ0750)."""
    fits = True
    wanted, given = len(entry.declared.parameters or ()), len(node.args)
    declared_well = wanted == VERBS[entry.verb].parameters  # else SQ0710 has said what is wrong
    if wanted != given and declared_well:
        place = text_places.parenthesised(node.verb, node.args[-1].last if node.args else None)
        expected = {0: "no argument", 1: "one argument"}.get(wanted, f"{wanted} arguments")
        note = (ctx.note(entry.declared.verb, "the entry"),)
        ctx.report("SQ0746", place, entry=entry.title, expected=expected, count=given, notes=note)
        fits = False
    for argument in node.args:
        for part in nodes_of(argument):
            if isinstance(part, nodes.Draw):
                ctx.report("SQ0750", part.place, fixes=_draw_before(ctx, node, part))
                fits = False
    return fits


def _draw_before(ctx: Elaboration, node: nodes.CallStmt, draw: nodes.Draw) -> tuple[Fix, ...]:
    """The fix `set v = DRAW;` above the call, with `v` in the draw's place."""
    chunk = node.first.chunk
    tokens = (node.first, draw.first, draw.last)
    if any(token.via is not None or token.chunk is not chunk for token in tokens):
        return ()
    number, taken = 1, set(chunk.text.replace("(", " ").replace(")", " ").replace(";", " ").split())
    while f"drawn{number}" in taken or f"drawn{number}" in ctx.declared.constants:
        number += 1
    name = f"drawn{number}"
    start = node.first.start
    line = chunk.text.rfind("\n", 0, start) + 1
    indent = chunk.text[line:start]
    gap = " " if indent.strip() else "\n" + indent
    text = chunk.text[draw.first.start : draw.last.end]
    edits = (
        Edit(Place(chunk, start, start), f"set {name} = {text};{gap}"),
        Edit(Place(chunk, draw.first.start, draw.last.end), name),
    )
    return (Fix("Draw once, before the call", edits, safe=True),)


# --------------------------------------------------------------------------- cycles and size


def _closes_cycle(ctx: Elaboration, node: nodes.CallStmt, entry: EntryText, inside: InsideEntry | None) -> bool:
    """Whether the call leads back to an entry that it stands in (SQ0752), told once per cycle."""
    if inside is None or entry not in inside.active:
        return False
    cycle = [entry]
    outer: InsideEntry | None = inside
    while outer is not None:
        cycle.append(outer.text)
        if outer.text is entry:
            break
        outer = outer.outer
    path = " → ".join(text.title for text in cycle[::-1])
    ctx.report("SQ0752", node.place, path=path, key=frozenset(text.key for text in cycle))
    return True


def _too_many(ctx: Elaboration, entry: EntryText, at: Place, inside: InsideEntry | None) -> bool:
    """Whether the calls of the program expand too far (SQ0753); counted, and told, at calls outside of entries."""
    if inside is not None:
        return False
    ctx.n_expanded += 1 + expanded_size(ctx, entry)
    if ctx.n_expanded <= MAX_STATEMENTS:
        return False
    ctx.report("SQ0753", at, key="calls", limit=MAX_STATEMENTS)
    return True


def expanded_size(ctx: Elaboration, entry: EntryText) -> int:
    """Statements that one call of `entry` expands to, each call in it counted as one and its expansion.

    Walks the calls depth first with a stack, each entry once; a call that closes a cycle counts as one statement.
    """
    path = [entry]
    while path:
        current = path[-1]
        callees = [callee for callee in map(ctx.entries.get, _called_keys(current)) if callee is not None]
        unknown = (callee for callee in callees if callee.expanded_size is None and callee not in path)
        below = next(unknown, None)
        if below is not None:
            path.append(below)
            continue
        current.expanded_size = current.n_statements + sum(callee.expanded_size or 0 for callee in callees)
        path.pop()
    return entry.expanded_size or 0


def _called_keys(entry: EntryText) -> list[EntryKey]:
    return [
        (node.queue.text, node.verb.text, node.source is not None and node.verb.text != "transfer")
        for node in entry.calls
    ]
