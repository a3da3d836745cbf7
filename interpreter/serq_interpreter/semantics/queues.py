"""Queues: what the rest of elaboration asks of them.

Declarations are read by `queue_declarations`, an entry's text is judged by `queue_boundary`, calls are expanded by
`queue_calls` with the names of `queue_entries`.  This module is the door to them, and knows what a queue's names mean
outside of the queue (02 §14.4).
"""

from __future__ import annotations

from functools import partial

from serq_interpreter.semantics import (
    constants,
    expressions,
    queue_calls,
    queue_declarations,
    queue_entries,
    queue_sources,
    references,
    text_places,
    tree,
)
from serq_interpreter.semantics.aside import look_aside
from serq_interpreter.semantics.context import Elaboration, Read, Scope
from serq_interpreter.semantics.declarations import QueueDecl
from serq_interpreter.semantics.entry_text import EntryText, read_entry
from serq_interpreter.semantics.nearest import nearest
from serq_interpreter.semantics.queue_boundary import check_entry, hidden_names
from serq_interpreter.semantics.relocation import relocated
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Edit, Finding, Fix, Place, Token, place_of

Statements = tuple[tree.Stmt, ...]

_TEXT_ALONE = frozenset(
    {"SQ0264", "SQ0530", "SQ0531", "SQ0532", "SQ0608", "SQ0609", "SQ0610", "SQ0723", "SQ0741", "SQ0742"}
)
"""What an entry's text shows without a call."""


# --------------------------------------------------------------------------- declarations


def declare_queue(ctx: Elaboration, item: nodes.QueueItem, order: int) -> None:
    """Enter a queue, its pools, stages and entries into the tables (08 §3.3)."""
    queue = queue_declarations.declare_queue(ctx, item, order)
    counts = ctx.declared.queues.get(queue.name) is queue
    for (verb, with_source), declared in queue.entries.items():
        key = (queue.name if counts else f"{queue.name} {order}", verb, with_source)
        ctx.entries[key] = read_entry(queue, declared)


def declare_damaged(ctx: Elaboration, token: Token, order: int) -> None:
    """A queue of which only the head could be read: it may have any role, entry, pool and size."""
    queue = QueueDecl(token.text, token, None, False, order, None, damaged=True)
    ctx.declared.queues.setdefault(token.text, queue)
    ctx.use(token, "queue", token.text, place_of(token))


def check_queues(ctx: Elaboration) -> None:
    """Judge every entry by its text, called or not, once all constants and queues are known (02 §14.3)."""
    hidden = hidden_names(ctx)
    for entry in ctx.entries.values():
        check_entry(ctx, entry, hidden)
    for queue in ctx.declared.queues.values():
        queue_sources.check_leases(ctx, queue)


def look_at_uncalled(ctx: Elaboration) -> None:
    """Entries that no call reaches are looked at for what their text alone shows; the rest depends on a call."""
    for entry in list(ctx.entries.values()):
        if entry.key in ctx.called and ctx.entries.get(entry.key) is entry:
            continue
        findings = look_aside(ctx, partial(queue_calls.look_at, ctx, entry))
        for finding in findings:
            if finding.code in _TEXT_ALONE:
                _report_again(ctx, finding)


def _report_again(ctx: Elaboration, finding: Finding) -> None:
    ctx.report(
        finding.code,
        finding.place,
        notes=finding.notes,
        fixes=finding.fixes,
        help=finding.help,
        key=finding.key,
        **finding.args,
    )


# --------------------------------------------------------------------------- statements


def call(ctx: Elaboration, node: nodes.CallStmt, scope: Scope) -> Statements:
    """The statements that the call of an entry stands for."""
    return queue_calls.call(ctx, node, scope)


def mark(ctx: Elaboration, node: nodes.MarkStmt, scope: Scope) -> Statements:
    """`mark m;` in an entry of `q` is `set q.m = now;` (a mark elsewhere is refused by `sides`)."""
    name = f"{scope.surroundings.queue}.{node.name.text}"
    at = place_of(node.name)
    ctx.use(node.name, "attribute", name, at)
    return (tree.Set(node.place, place_of(node.first), name, tree.Ctx("now", node.place), at),)


def argument_value(ctx: Elaboration, token: Token, argument: nodes.Expr, caller: Scope, scope: Scope) -> tree.Expr:
    """The caller's expression, standing where the entry reads its parameter: a rule about that place names the entry.

    An argument that reads the caller's own parameters is moved once, with all that comes in by them.
    """
    ctx.argument_depth += 1
    value = expressions.resolve(ctx, argument, caller.at(scope.moment))
    ctx.argument_depth -= 1
    surroundings = scope.surroundings
    if ctx.argument_depth == 0 and isinstance(surroundings, queue_entries.InsideEntry):
        return relocated(value, surroundings.inside(place_of(token)))
    return value


def is_from_argument(at: Place, scope: Scope) -> bool:
    """Whether what stands at `at` came in by an argument of the call that `scope` stands in."""
    surroundings = scope.surroundings
    if not isinstance(surroundings, queue_entries.InsideEntry) or surroundings.site is None:
        return False
    return at.via is not None and at.via.use is surroundings.site.queue_token


# --------------------------------------------------------------------------- names from outside


def dotted_value(ctx: Elaboration, ref: nodes.Reference, scope: Scope) -> tree.Expr:
    """`Q.NAME` as a value: what a called entry of `Q` marks or sets (SQ0741, SQ0742)."""
    member = ref.member
    if member is None or scope.surroundings.side == "entry" or not is_dotted_name(ctx, ref, member):
        return tree.Unknown(ref.place)  # inside an entry the boundary has refused it
    full = references.full_name(ref)
    ctx.bound_reads.add(len(ctx.reads))  # also what a binding in the entry has set may be read from outside
    ctx.reads.append(Read(full, member, scope, True))
    return tree.Attr(full, ref.place)


def is_dotted_name(ctx: Elaboration, ref: nodes.Reference, member: Token) -> bool:
    """Whether `Q.NAME` is something that the text of `Q` has; reports what is wrong with it."""
    queue = ctx.declared.queues.get(ref.name.text)
    if queue is not None:
        ctx.use(ref.name, "queue", queue.name, place_of(queue.token))
    if ref.index is not None:
        if not ctx.unread(ref.name.text, member.text):
            place = text_places.bracketed(ref.index)
            fixes = () if place.via is not None else (Fix("Delete the index", (Edit(place, ""),), safe=True),)
            ctx.report("SQ0741", place, name=references.full_name(ref), fixes=fixes)
        return False
    if queue is None or (member.text not in queue.pools and member.text not in _attributes_of(ctx, queue)):
        _no_such_name(ctx, ref, member, queue)
        return False
    return True


def _attributes_of(ctx: Elaboration, queue: QueueDecl) -> dict[str, Token]:
    """What the entries of a queue mark and set, by short name: a route's sets are the session's own."""
    found: dict[str, Token] = {}
    for entry in queue_sources.entries_of(ctx, queue):
        found |= entry.marks if entry.is_route else {**entry.sets, **entry.marks}
    return found


def _no_such_name(ctx: Elaboration, ref: nodes.Reference, member: Token, queue: QueueDecl | None) -> None:
    name = ref.name.text
    if ctx.unread(name, member.text) or (queue is not None and queue.damaged):
        return
    at = place_of(member)
    if not ctx.declared.queues:
        full = references.full_name(ref)
        ctx.report(
            "SQ0201", ref.place, name=full, help="a dotted name is what a queue marks or sets; there is no queue"
        )
        return
    if queue is None:
        candidate = nearest(name, ctx.declared.queues)
        help = f"`{name}` is no queue of this program"
        ctx.report(
            "SQ0742", at, queue=name, name=member.text, help=help, fixes=constants.rename(place_of(ref.name), candidate)
        )
        return
    known = _attributes_of(ctx, queue)
    help = ""
    routes = [entry for entry in queue_sources.entries_of(ctx, queue) if entry.is_route]
    if any(member.text in route.sets for route in routes):
        help = f"what a route sets is the session's own: write `{member.text}`"
    elif known:
        help = f"its entries mark or set {', '.join(f'`{queue.name}.{short}`' for short in known)}"
    fixes = constants.rename(at, nearest(member.text, [*known, *queue.pools]))
    ctx.report("SQ0742", at, queue=queue.name, name=member.text, help=help, fixes=fixes)


def refuses_reference(
    ctx: Elaboration, ref: nodes.Reference, scope: Scope, kind: str, *, argument: bool = False
) -> bool:
    """Whether a dotted reference means nothing here; reports why.

    A statement outside the queue does not take a queue's pool (SQ0740), and a member reaches pools only (SQ0743).
    """
    member = ref.member
    if member is None:
        return False
    name, inside = ref.name.text, scope.surroundings
    queue = ctx.declared.queues.get(name)
    if ctx.unread(name) and queue is None:
        return False
    if kind == "pool" and not argument and inside.queue != name:
        if queue is None or not queue.damaged or member.text in queue.pools:
            full = references.full_name(ref)
            ctx.report("SQ0740", ref.place, key=(full, scope.where), name=full, queue=name)
        return True
    if ref.index is not None and queue is not None and member.text not in queue.pools:
        if not queue.damaged and not ctx.unread(member.text):
            fixes = constants.rename(place_of(member), nearest(member.text, queue.pools))
            ctx.report("SQ0743", ref.place, name=references.full_name(ref), queue=name, fixes=fixes)
        return True
    return False


def missing_member(ctx: Elaboration, ref: nodes.Reference, scope: Scope, kind: str) -> bool:
    """Whether a reference that names nothing is of a queue whose text could not be read, or its stage."""
    queue = ctx.declared.queues.get(ref.name.text)
    return queue is not None and queue.damaged


def entry_of(ctx: Elaboration, queue: QueueDecl, verb: str) -> EntryText | None:
    """The entry of a queue without `from`."""
    return ctx.entries.get((queue.name, verb, False))
