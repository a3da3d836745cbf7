"""Relations between queues, and how the program shares its flows (01 §4.5, 02 §14.5).

`READER pull SOURCE` and `SOURCE push READER` let the entries of the reader copy from the pool of the source that a call
names, over the NICs of both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from serq_interpreter.semantics import collect, constants, expressions, queue_declarations, references, tree
from serq_interpreter.semantics.context import Elaboration, Scope
from serq_interpreter.semantics.declarations import QueueDecl, RelationDecl, StageDecl
from serq_interpreter.semantics.nearest import nearest
from serq_interpreter.semantics.vocabulary import SHARE_POLICIES
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Edit, Fix, Note, Place, Token, place_of

if TYPE_CHECKING:
    from serq_interpreter.semantics.queue_entries import InsideEntry


# --------------------------------------------------------------------------- declarations


def declare_relation(ctx: Elaboration, item: nodes.RelationItem, order: int) -> None:
    """Enter a relation and the delay stage of its latency (SQ0770-0775)."""
    pull = item.verb.text == "pull"
    reader_token, source_token = (item.left, item.right) if pull else (item.right, item.left)
    queues: dict[str, QueueDecl | None] = {}
    for token in (item.left, item.right):
        told = any(queue is None for queue in queues.values())
        queues[token.text] = _queue(ctx, token, told=told)
    if item.left.text == item.right.text:
        ctx.report("SQ0771", place_of(item.right), name=item.right.text)
    reader, source = reader_token.text, source_token.text
    known = all(queues.values()) and reader != source
    known = _nics(ctx, queues, [item.left, item.right]) and known
    first = ctx.declared.relations.get(reader)
    if first is not None and reader != source:
        note = (Note(first.item.place, "its first relation"),)
        ctx.report("SQ0773", place_of(reader_token), name=reader, notes=note)
    wait = _latency(ctx, item, queues.get(reader if pull else source), order)
    if first is None:
        ctx.declared.relations[reader] = RelationDecl(reader, source if known else None, item, wait)


def _queue(ctx: Elaboration, token: Token, *, told: bool) -> QueueDecl | None:
    """A queue that a relation names: declared above (SQ0770, once a relation)."""
    name, at = token.text, place_of(token)
    queue = ctx.declared.queues.get(name)
    if queue is not None:
        ctx.use(token, "queue", name, place_of(queue.token))
        return queue
    if told or ctx.unread(name):
        return None
    items = [other for other in ctx.source.items if isinstance(other, nodes.QueueItem)]
    below = next((other.name for other in items if other.name.text == name), None)
    if below is not None:
        note = (ctx.note(below, f"`{name}` is declared here, below the relation"),)
        ctx.report("SQ0770", at, what=f"the queue `{name}` is declared below this relation", notes=note)
    else:
        fixes = constants.rename(at, nearest(name, ctx.declared.queues))
        ctx.report("SQ0770", at, what=f"`{name}` is no queue declared above this relation", fixes=fixes)
    return None


def _nics(ctx: Elaboration, queues: dict[str, QueueDecl | None], tokens: list[Token]) -> bool:
    """Both queues have a NIC (SQ0772)."""
    fits = True
    for token in tokens:
        queue = queues[token.text]
        if queue is None or queue.nic is not None:
            continue
        fits = False
        if not queue.damaged:
            note = (ctx.note(queue.token, f"`{queue.name}` is declared without `nic`"),)
            ctx.report("SQ0772", place_of(token), name=queue.name, notes=note)
    return fits


def _latency(ctx: Elaboration, item: nodes.RelationItem, poster: QueueDecl | None, order: int) -> StageDecl | None:
    """The delay stage of the posting queue, one per queue (SQ0774, SQ0775)."""
    clause = item.latency
    if clause is None:
        return None
    posting = poster.name if poster is not None else ""
    value = queue_declarations.fold_latency(ctx, clause, "SQ0775", f"the latency of `{posting}`")
    if poster is None:
        return None
    name = f"{poster.name}.nic.latency"
    first = ctx.declared.stages.get(name)
    if first is not None:
        note = (Note(first.at, "its first latency"),)
        ctx.report("SQ0774", clause.place, name=poster.name, notes=note)
        return None
    stage = StageDecl(
        name,
        item.verb,
        poster.size,
        poster.size_known,
        order,
        clause.place,
        clause.place,
        "delay",
        owner=poster.name,
        part="relation",
        latency=value,
    )
    collect.enter_stage(ctx, stage)
    return stage


# --------------------------------------------------------------------------- shares


def elaborate_shares(ctx: Elaboration) -> None:
    """The one policy of the program, from its `share` items and relations (SQ0522, SQ0776)."""
    out = ctx.out
    first: nodes.ShareItem | nodes.RelationItem | None = None
    for item in ctx.source.items:
        if not isinstance(item, nodes.ShareItem | nodes.RelationItem) or item.policy.text not in SHARE_POLICIES:
            continue
        out.share_places.append(item.place)
        if first is None:
            first = item
            out.share = item.policy.text
            out.share_at = item.place
        else:
            _second_share(ctx, first, item)


def _second_share(
    ctx: Elaboration,
    first: nodes.ShareItem | nodes.RelationItem,
    second: nodes.ShareItem | nodes.RelationItem,
) -> None:
    """A relation beside a relation or share may repeat its policy; a `share` may not stand beside either.

    A relation that differs in its policy is told about that, whatever else stands there.
    """
    differs = first.policy.text != second.policy.text
    relation = isinstance(second, nodes.RelationItem)
    if relation and differs:
        place = place_of(second.policy)
        note = (ctx.note(first.policy, f"`{first.policy.text}` here"),)
        alone = isinstance(first, nodes.RelationItem)  # beside a `share`, the same policy is one too many still
        fix = Fix(f"Write `{first.policy.text}`", (Edit(place, first.policy.text),), safe=alone)
        fixes = () if place.via is not None else (fix,)
        ctx.report("SQ0776", place, first=first.policy.text, name=second.policy.text, notes=note, fixes=fixes)
    elif not (relation and isinstance(first, nodes.RelationItem)):
        place = second.place
        what = "a `share`" if isinstance(first, nodes.ShareItem) else "a relation"
        note = (Note(first.place, "the first one"),)
        ctx.report("SQ0522", place, first=what, notes=note, fixes=_delete(second))


def _delete(item: nodes.ShareItem | nodes.RelationItem) -> tuple[Fix, ...]:
    """Delete a second share; a relation does more than share, so it stays."""
    if isinstance(item, nodes.RelationItem):
        return ()
    return (Fix("Delete it", (Edit(item.place, ""),), safe=True),)


# --------------------------------------------------------------------------- transfers


def transfer(ctx: Elaboration, node: nodes.ServingStmt, scope: Scope, inside: InsideEntry) -> tuple[tree.Stmt, ...]:
    """A transfer over the relation of the entry's queue: a wait, the flow over both NICs, the copy booked.

    Without a relation it has no way to go (SQ0764); called from another queue than the relation's it is SQ0777.
    """
    reader = inside.text.queue
    relation = ctx.declared.relations.get(reader.name)
    word_at = place_of(node.role)
    work = expressions.resolve(ctx, node.work, scope)
    opaque = (tree.Opaque(node.place, word_at),)
    if node.target is None or node.source is None or node.units is None:
        return opaque
    target = references.as_pool(ctx, node.target, scope)
    units = expressions.resolve(ctx, node.units, scope)
    site = inside.site
    if site is None:
        return opaque
    if relation is None:
        if all(name in ctx.declared.queues for name in ctx.declared.relations):
            _no_relation(ctx, node, reader)  # else a relation of an unknown reader may be meant to be this one
        return opaque
    called_from = site.source
    if relation.source is None or called_from is None or id(node.source.name) in inside.text.refused:
        return opaque
    source = called_from.queue
    if source is None or source.name != relation.source:
        note = (Note(relation.item.place, "the relation"),)
        name = called_from.ref.name.text
        args = {"reader": reader.name, "source": relation.source, "name": name}
        ctx.report("SQ0777", called_from.ref.place, notes=note, **args)
        return opaque
    pool = called_from.reference(ctx, scope.moment)
    runs = _runs(ctx, node, scope, inside, relation, source, pool.index, work)
    load = tree.Load(node.place, word_at, target, units)
    return (*runs, load, tree.Release(node.place, word_at, pool))


def _no_relation(ctx: Elaboration, node: nodes.ServingStmt, reader: QueueDecl) -> None:
    if ctx.source.damaged:
        return
    item = reader.item
    fixes: tuple[Fix, ...] = ()
    if item is not None and item.last.via is None:
        after = Place(item.last.chunk, item.last.end, item.last.end)
        fixes = (Fix("Declare a relation", (Edit(after, f"\n{reader.name} pull SOURCE share maxmin;"),)),)
    ctx.report("SQ0764", place_of(node.role), queue=reader.name, fixes=fixes)


def _runs(
    ctx: Elaboration,
    node: nodes.ServingStmt,
    scope: Scope,
    inside: InsideEntry,
    relation: RelationDecl,
    source: QueueDecl,
    source_index: tree.Expr | None,
    work: tree.Expr,
) -> list[tree.Stmt]:
    """The wait, where the relation has a latency, and the flow from the source's NIC to the reader's."""
    reader, at = inside.text.queue, place_of(node.role)
    assert source.nic is not None and reader.nic is not None  # a known relation has both NICs
    near = inside.own_stage_of(ctx, reader.nic, scope, at)
    far = tree.StageRef(source.nic.name, source_index, references.spelling(source.nic.name, source_index), at, at)
    runs: list[tree.Stmt] = []
    wait = relation.wait
    if wait is not None:
        posting = near if wait.owner == reader.name else far
        stage = tree.StageRef(wait.name, posting.index, references.spelling(wait.name, posting.index), at, at)
        runs.append(tree.Run(node.place, at, stage, None, None, _wait(wait, inside, at), None, None))
    runs.append(tree.Run(node.place, at, far, None, None, work, None, None, (near,)))
    return runs


def _wait(wait: StageDecl, inside: InsideEntry, at: Place) -> tree.Expr:
    """The latency as the work of a run; what is wrong with the number is told at the call that uses it."""
    place = at if inside.site is None else inside.site.node.place
    return tree.Unknown(place) if wait.latency is None else tree.Num(wait.latency, place)
