"""`spawn` and `join NAME` of the edition v4b: names, the block that initialises a child, the edition itself.

Where the edition does not have them they are refused once for the whole program, with a fix, and read as meant all the
same: one fault gives one report.
"""

from __future__ import annotations

from serq_interpreter.semantics import constants, tree, walk
from serq_interpreter.semantics.context import Elaboration, Scope
from serq_interpreter.semantics.expressions import resolve
from serq_interpreter.semantics.nearest import nearest
from serq_interpreter.semantics.references import as_pool
from serq_interpreter.semantics.vocabulary import LINEAGE
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.edition import LINE
from serq_interpreter.syntax.parser import GROUP_NAMES_EXCLUDED
from serq_interpreter.syntax.tokens import Edit, Fix, Note, Place, Token, place_of

Statements = tuple[tree.Stmt, ...]


def spawn(ctx: Elaboration, node: nodes.SpawnStmt, scope: Scope) -> Statements:
    """`spawn (k) into NAME inherit POOL { … }`."""
    _check_edition(ctx, node.word, node.word)
    group_at = place_of(node.group)
    ctx.use(node.group, "group", node.group.text, group_at)
    ctx.out.groups.setdefault(node.group.text, group_at)
    if node.group.text in GROUP_NAMES_EXCLUDED:
        ctx.report("SQ0014", group_at, name=node.group.text)
    count = resolve(ctx, node.count, scope)
    inherit = None if node.inherit is None else as_pool(ctx, node.inherit.pool, scope)
    body = _body(ctx, node.body, scope)
    return (tree.Spawn(node.place, place_of(node.word), count, node.group.text, group_at, inherit, body),)


def _body(ctx: Elaboration, block: nodes.Block, scope: Scope) -> tree.Block:
    """The assignments of the block; anything else is refused (SQ0004), what it assigns counts as assigned."""
    from serq_interpreter.semantics.statements import elaborate_statements

    kept = []
    for statement in block.statements:
        if isinstance(statement, nodes.SetStmt | nodes.ErrorStmt):
            kept.append(statement)
        elif not ctx.out.damaged:  # else the block may end elsewhere than it seems to
            ctx.report("SQ0004", statement.place, word=statement.first.text)
    found = elaborate_statements(ctx, tuple(kept), scope)
    return tree.Block(tuple(one for one in found if isinstance(one, tree.Set)), block.place)


def join_group(ctx: Elaboration, node: nodes.JoinGroupStmt, scope: Scope) -> Statements:
    """`join NAME;`: which group it names is checked when all are known."""
    _check_edition(ctx, node.word, node.group)
    ctx.use(node.group, "group", node.group.text)
    return (tree.JoinGroup(node.place, place_of(node.word), node.group.text, place_of(node.group)),)


def _check_edition(ctx: Elaboration, word: Token, at: Token) -> None:
    ctx.lineage_known = True
    if ctx.request.extended:
        return
    item = ctx.source.items[0] if ctx.source.items else None
    fixes: tuple[Fix, ...] = ()
    if item is not None and item.first.chunk.file == ctx.source.file:
        fixes = (Fix(f"Begin the file with `{LINE}`", (Edit(_start_of(item.first), f"{LINE}\n"),), safe=True),)
    ctx.report("SQ0001", place_of(at), key="edition", word=word.text, fixes=fixes)


def _start_of(first: Token) -> Place:
    """The start of the text: its first item's chunk has the comments above the item."""
    return Place(first.chunk, 0, 0)


# --------------------------------------------------------------------------- once every block is elaborated


def check_groups(ctx: Elaboration) -> None:
    """`join` names a group that some `spawn` makes (SQ0007); `parent` and `depth` are not assigned (SQ0006)."""
    groups = ctx.out.groups
    for statement in walk.statements(ctx.out.session):
        if isinstance(statement, tree.JoinGroup) and statement.group not in groups:
            if ctx.request.extended and not ctx.out.damaged and not ctx.unread(statement.group):
                fixes = _suggest(statement, tuple(groups))
                ctx.report("SQ0007", statement.group_at, name=statement.group, fixes=fixes)
            groups[statement.group] = statement.group_at
    if not ctx.request.extended:
        return
    for name in LINEAGE:
        for number, at in enumerate(ctx.assigned_at.get(name, ())):
            notes = () if number == 0 else (Note(ctx.assigned_at[name][0], "assigned here, too"),)
            ctx.report("SQ0006", at, name=name, notes=notes)


def _suggest(statement: tree.JoinGroup, groups: tuple[str, ...]) -> tuple[Fix, ...]:
    candidate = nearest(statement.group, list(groups))
    return constants.rename(statement.group_at, candidate)
