"""`from`: the pool that a call takes from, and what the entries of a queue lease for it (02 §14.2)."""

from __future__ import annotations

from serq_interpreter.semantics import references, text_places
from serq_interpreter.semantics.context import Elaboration, Scope
from serq_interpreter.semantics.declarations import QueueDecl
from serq_interpreter.semantics.entry_text import EntryText, always_leases, leases
from serq_interpreter.semantics.queue_entries import Source, entry_around, member_of
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Edit, Fix, Place, place_of


def source_of(ctx: Elaboration, ref: nodes.Reference, scope: Scope) -> Source | None:
    """What `from REF` names: a queue's leased pool, or a pool outright; `None` after an error (SQ0754-0758)."""
    queue = ctx.declared.queues.get(ref.name.text)
    if ref.member is not None:
        if not ctx.unread(ref.name.text):
            ctx.report("SQ0756", ref.place, name=references.full_name(ref), fixes=_without_member(ref))
        return None
    inside = entry_around(scope)
    if queue is None or (inside is not None and inside.pool_named(ref.name.text)):
        return Source(ref, scope)  # looked up as a pool where the entry reads its source
    ctx.use(ref.name, "queue", queue.name, place_of(queue.token))
    own = scope.surroundings.queue == queue.name
    if not own and not _index_fits(ctx, ref, queue):
        return None
    member = member_of(ctx, ref.name, ref.index, queue, scope)
    pool_name = _leased_pool(ctx, ref, queue)
    if pool_name is None:
        return None
    return Source(ref, scope, queue, pool_name, member)


def _without_member(ref: nodes.Reference) -> tuple[Fix, ...]:
    member = ref.member
    end = ref.name.end if ref.index is None else text_places.bracketed(ref.index).end
    if member is None or member.via is not None or member.chunk is not ref.name.chunk:
        return ()
    return (Fix("Name the queue alone", (Edit(Place(member.chunk, end, member.end), ""),)),)


def _index_fits(ctx: Elaboration, ref: nodes.Reference, queue: QueueDecl) -> bool:
    if not queue.size_known:
        return True
    note = (ctx.note(queue.token, f"`{queue.name}` is declared here"),)
    at = place_of(ref.name)
    if queue.size is not None and ref.index is None:
        fixes = (
            ()
            if at.via is not None
            else (Fix("Name the first member", (Edit(Place(at.chunk, at.end, at.end), "[0]"),)),)
        )
        ctx.report("SQ0754", at, name=queue.name, size=queue.size, notes=note, fixes=fixes)
        return False
    if queue.size is None and ref.index is not None:
        place = text_places.bracketed(ref.index)
        fixes = () if place.via is not None else (Fix("Delete the index", (Edit(place, ""),), safe=True),)
        ctx.report("SQ0755", place, name=queue.name, notes=note, fixes=fixes)
        return False
    return True


def _leased_pool(ctx: Elaboration, ref: nodes.Reference, queue: QueueDecl) -> str | None:
    """The full name of the pool that every entry of `queue` leases on every way through (SQ0757, SQ0758)."""
    if queue.item is None:
        return None
    entries = entries_of(ctx, queue)
    first = next((clause for entry in entries for clause in leases(entry)), None)
    at = place_of(ref.name)
    if _different_leases(ctx, queue) is not None:
        return None
    if first is None:
        if not queue.damaged:
            ctx.report("SQ0757", at, name=queue.name)
        return None
    for entry in entries:
        if not always_leases(entry.declared.body):
            if queue.damaged:  # an arm of a branch may be lost
                return None
            note = (ctx.note(entry.declared.verb, "this entry leases on some ways only, or not at all"),)
            ctx.report("SQ0758", at, name=queue.name, notes=note)
            return None
    declared = queue.pools.get(first.pool.name.text)
    return None if declared is None or first.pool.member is not None else declared.name


def entries_of(ctx: Elaboration, queue: QueueDecl) -> list[EntryText]:
    """The entries of a queue in the order of its text."""
    return [entry for entry in ctx.entries.values() if entry.queue is queue]


def check_leases(ctx: Elaboration, queue: QueueDecl) -> None:
    """The entries of a queue lease one and the same pool, so that `from` can mean it (SQ0759)."""
    found = _different_leases(ctx, queue)
    if found is None:
        return
    first, second = found
    note = (ctx.note(first.pool.name, "the first lease"),)
    args = {"queue": queue.name, "first": first.pool.name.text}
    ctx.report("SQ0759", second.pool.place, notes=note, **args)


def _different_leases(ctx: Elaboration, queue: QueueDecl) -> tuple[nodes.LeaseClause, nodes.LeaseClause] | None:
    """The first lease of a queue and one of another entry that leases another pool.

    The first entry that leases fixes the pool by its first lease; what it leases beside that is its own affair.
    """
    first: nodes.LeaseClause | None = None
    for entry in entries_of(ctx, queue):
        found = leases(entry)
        if first is None:
            first = found[0] if found else None
            continue
        for clause in found:
            if clause.pool.name.text != first.pool.name.text:
                return first, clause
    return None
