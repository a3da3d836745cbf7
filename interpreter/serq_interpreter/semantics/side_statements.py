"""Which statement may stand on which side: the table of 02 §12."""

from __future__ import annotations

from serq_interpreter.semantics import text_walk
from serq_interpreter.semantics.context import Elaboration, Scope
from serq_interpreter.semantics.entry_text import assigned_by
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Edit, Fix, Place, Token, place_of

_DEPLOYMENT = frozenset({"server", "entry", "route"})

_WHERE = {
    "init": "the workload's `init`",
    "turn": "the workload's `turn`",
    "session": "a session at top level",
    "workload session": "the workload's session",
    "server": "the server",
    "entry": "an entry of a queue",
    "route": "a gateway's route",
}


def refuses(ctx: Elaboration, node: nodes.Stmt, scope: Scope) -> bool:
    """Whether the statement may not stand on the side of `scope`; reports why (SQ0606-0610, SQ0728).

    Nothing else is reported about such a statement; what it assigns counts as assigned.
    """
    side = scope.surroundings.side
    if not _refused(ctx, node, side):
        return False
    for inner in _itself_and_inside(node):
        ctx.possible_attributes.update(token.text for token in assigned_by(inner))
    return True


def _itself_and_inside(node: nodes.Stmt) -> list[nodes.Stmt]:
    inside = [inner for block in text_walk.blocks_of(node) for inner in text_walk.statements_of(block)]
    return [node, *inside]


def _refused(ctx: Elaboration, node: nodes.Stmt, side: str) -> bool:
    match node:
        case nodes.SetStmt() | nodes.ObserveStmt() | nodes.ErrorStmt() | nodes.BranchStmt(guard=nodes.ErrorExpr()):
            return False  # a branch on nothing stands for what could not be read
        case nodes.MarkStmt():
            return side not in ("entry", "route") and _mark(ctx, node)
        case nodes.RequestStmt():
            return side != "workload session" and _request(ctx, node, side)
        case _:
            pass
    if side in ("init", "turn"):
        ctx.report("SQ0606", node.place, block=side, statement=f"{_named(node)}")
        return True
    if isinstance(node, nodes.SpawnStmt | nodes.JoinGroupStmt) and side in _DEPLOYMENT:
        ctx.report("SQ0003", place_of(node.word), word=node.word.text, where=_WHERE[side])
        return True
    if isinstance(node, nodes.SimpleStmt) and side in _DEPLOYMENT and node.word.text in ("end", "turn"):
        _end_or_turn(ctx, node, side)
        return True
    return False


def _mark(ctx: Elaboration, node: nodes.MarkStmt) -> bool:
    fixes: tuple[Fix, ...] = ()
    if node.first.via is None and node.name.via is None:
        whole = Place(node.first.chunk, node.first.start, node.name.end)
        fixes = (Fix(f"Write `set {node.name.text} = now`", (Edit(whole, f"set {node.name.text} = now"),), safe=True),)
    ctx.report("SQ0728", node.place, name=node.name.text, fixes=fixes)
    return True


def _request(ctx: Elaboration, node: nodes.RequestStmt, side: str) -> bool:
    code = "SQ0608" if side in _DEPLOYMENT else "SQ0607"
    ctx.report(code, node.place, where=_WHERE[side])
    return True


def _end_or_turn(ctx: Elaboration, node: nodes.SimpleStmt, side: str) -> None:
    if node.word.text == "turn":
        ctx.report("SQ0610", node.place, where=_WHERE[side])
        return
    fixes: tuple[Fix, ...] = ()
    if node.first.via is None and _is_last(node.last):
        fixes = (Fix("Delete it", (Edit(node.place, ""),), safe=True),)
    ctx.report("SQ0609", node.place, where=_WHERE[side], fixes=fixes)


def _is_last(semicolon: Token) -> bool:
    """Whether nothing but the closing brace follows in the block."""
    return semicolon.chunk.text[semicolon.end :].lstrip().startswith("}")


def _named(node: nodes.Stmt) -> str:
    """A statement as the message calls it."""
    match node:
        case nodes.SimpleStmt(word=word):
            return f"`{word.text}`"
        case nodes.CallStmt(queue=queue, verb=verb):
            return f"the call `{queue.text}.{verb.text}`"
        case _:
            return f"`{node.first.text}`"
