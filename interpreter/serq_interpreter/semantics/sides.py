"""The sides of a program: which session it runs, what `request` stands for, which statement may stand where (02 §12).

A program is a session at top level, or a client (the session inside the workload) and a deployment (the server, the
gateways) that `request` joins.  The result is one session with everything spliced in (01 §4.4).
"""

from __future__ import annotations

from dataclasses import field
from functools import partial

from serq_interpreter.record import struct
from serq_interpreter.semantics import constants, queue_calls, queues, statements, text_walk, tree
from serq_interpreter.semantics.context import Elaboration, Scope, Surroundings
from serq_interpreter.semantics.entry_text import assigned_by
from serq_interpreter.semantics.keeping import Keeping
from serq_interpreter.semantics.nearest import nearest
from serq_interpreter.semantics.side_statements import refuses
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Edit, Fix, Place, Token, place_of

__all__ = ["elaborate_sides", "refuses", "request"]

Statements = tuple[tree.Stmt, ...]


@struct
class _Text:
    """A block of the program with the word that opens it and the number of its item."""

    word: Token
    body: nodes.Block
    order: int


@struct
class _Sides:
    """The blocks that count, and those that are only looked at because another one counts."""

    init: _Text | None = None
    turn: _Text | None = None
    client: _Text | None = None
    """The session inside the workload."""
    session: _Text | None = None
    """The session at top level."""
    server: _Text | None = None
    workload: nodes.WorkloadItem | None = None
    extra: list[tuple[str, _Text]] = field(default_factory=list)
    """Second ones, by side."""
    replaced: list[_Text] = field(default_factory=list)
    """Blocks `init` and `turn` that a later one replaces."""


def elaborate_sides(ctx: Elaboration, keeping: Keeping) -> None:
    """Elaborate the blocks of the program into `ctx.out`; report what does not fit together (SQ0601-0616)."""
    queues.check_queues(ctx)
    sides = _find(ctx)
    out = ctx.out
    out.init = _kept_block(ctx, keeping, "init", sides.init)
    out.turn = _kept_block(ctx, keeping, "turn", sides.turn)
    if sides.client is not None:
        out.session = _kept_block(ctx, keeping, "workload session", sides.client)
    else:
        out.session = _kept_block(ctx, keeping, "session", sides.session)
    _check_form(ctx, sides)
    _look_at_the_rest(ctx, sides)
    queues.look_at_uncalled(ctx)


# --------------------------------------------------------------------------- finding the blocks


def _find(ctx: Elaboration) -> _Sides:
    sides = _Sides()
    first_workload: nodes.WorkloadItem | None = None
    for order, item in enumerate(ctx.source.items):
        match item:
            case nodes.WorkloadItem(word=word):
                if first_workload is None:
                    first_workload = sides.workload = item
                else:
                    _second(ctx, "SQ0601", word, first_workload.word, "workload")
                _workload(ctx, sides, item, order, counts=item is first_workload)
            case nodes.SessionItem(word=word, body=body):
                _session(ctx, sides, _Text(word, body, order))
            case nodes.ServerItem(word=word, body=body):
                text = _Text(word, body, order)
                if sides.server is None:
                    sides.server = text
                else:
                    _second(ctx, "SQ0603", word, sides.server.word, "server")
                    sides.extra.append(("server", text))
            case _:
                pass
    return sides


def _second(ctx: Elaboration, code: str, word: Token, first: Token, what: str) -> None:
    ctx.report(code, place_of(word), notes=(ctx.note(first, f"the first {what}"),))


def _session(ctx: Elaboration, sides: _Sides, text: _Text) -> None:
    """A second session is one too many, unless what stands before it is empty (the language does not notice that)."""
    if sides.session is None or not sides.session.body.statements:
        sides.session = text
        return
    _second(ctx, "SQ0602", text.word, sides.session.word, "session")
    sides.extra.append(("session", text))


def _workload(ctx: Elaboration, sides: _Sides, item: nodes.WorkloadItem, order: int, *, counts: bool) -> None:
    """The blocks of a workload: the last `init` and `turn` count, a second session is refused."""
    blocks: dict[str, _Text] = {}
    for clause in item.clauses:
        if not isinstance(clause, nodes.BlockClause):
            continue
        word = clause.word.text
        text = _Text(clause.word, clause.body, order)
        if word == "session" and word in blocks:
            _second(ctx, "SQ0604", clause.word, blocks[word].word, "session of the workload")
            sides.extra.append(("workload session", text))
            continue
        if word in blocks:
            sides.replaced.append(blocks[word])
        blocks[word] = text
    if counts:
        sides.init, sides.turn, sides.client = blocks.get("init"), blocks.get("turn"), blocks.get("session")
    else:
        names = {"session": "workload session"}
        sides.extra += [(names.get(word, word), text) for word, text in blocks.items()]


# --------------------------------------------------------------------------- elaborating them


def _kept_block(ctx: Elaboration, keeping: Keeping, side: str, text: _Text | None) -> tree.Block | None:
    """A block that counts, statement by statement."""
    if text is None:
        return None
    scope = _scope(side, text)
    made: list[tree.Stmt] = []
    for node in text.body.statements:
        made += keeping.part(node, text.order, partial(statements.elaborate_statements, ctx, (node,), scope))
    return tree.Block(tuple(made), text.body.place)


def _block(ctx: Elaboration, side: str, text: _Text | None) -> tree.Block | None:
    if text is None:
        return None
    return statements.elaborate_block(ctx, text.body, _scope(side, text))


def _scope(side: str, text: _Text) -> Scope:
    return Scope("session" if side == "workload session" else side, text.order, Surroundings(side))


def request(ctx: Elaboration, node: nodes.RequestStmt, scope: Scope) -> Statements:
    """The statements of the server, or of the gateway's route, in place of a request (SQ0611, SQ0615, SQ0616)."""
    opaque = (tree.Opaque(node.place, place_of(node.word)),)
    if node.gateway is None:
        server = next((item for item in ctx.source.items if isinstance(item, nodes.ServerItem)), None)
        if server is None:
            _no_server(ctx, node)
            return opaque
        order = ctx.source.items.index(server)
        inside = Scope("server", order, Surroundings("server"))
        return statements.elaborate_statements(ctx, server.body.statements, inside)
    name, at = node.gateway.text, place_of(node.gateway)
    queue = ctx.declared.queues.get(name)
    if queue is None:
        if not ctx.unread(name):
            candidate = nearest(
                name, [other.name for other in ctx.declared.queues.values() if "gateway" in other.roles]
            )
            ctx.report("SQ0615", at, name=name, fixes=constants.rename(at, candidate))
        return opaque
    ctx.use(node.gateway, "queue", name, place_of(queue.token))
    entry = queues.entry_of(ctx, queue, "route")
    if entry is None or "gateway" not in queue.roles:
        if not queue.damaged and "gateway" not in queue.roles:
            note = (ctx.note(queue.token, f"`{name}` is declared here"),)
            ctx.report("SQ0616", at, name=name, notes=note)
        return opaque
    return queue_calls.call_route(ctx, entry, node, node.gateway, scope)


def _no_server(ctx: Elaboration, node: nodes.RequestStmt) -> None:
    if ctx.source.damaged:
        return
    gateways = [queue.name for queue in ctx.declared.queues.values() if "gateway" in queue.roles]
    fixes: tuple[Fix, ...] = ()
    if len(gateways) == 1 and node.word.via is None:
        after = Place(node.word.chunk, node.word.end, node.word.end)
        fixes = (Fix(f"Request `{gateways[0]}`", (Edit(after, f" {gateways[0]}"),), safe=True),)
    ctx.report("SQ0611", node.place, fixes=fixes)


# --------------------------------------------------------------------------- how the sides fit together


def _check_form(ctx: Elaboration, sides: _Sides) -> None:
    client, session, server = sides.client, sides.session, sides.server
    if client is not None and session is not None and session.body.statements:
        note = (ctx.note(client.word, "the session of the workload"),)
        ctx.report("SQ0605", place_of(session.word), notes=note)
    if ctx.source.damaged:
        return
    requests = [] if client is None else _requests(client.body)
    if server is not None and client is None:
        ctx.report("SQ0613", place_of(server.word), fixes=_add_client(sides))
    elif server is not None and not any(node.gateway is None for node in requests):
        ctx.report("SQ0612", place_of(server.word), fixes=_add_request(client))
    elif server is None and client is not None and not requests:
        ctx.report("SQ0614", place_of(client.word), fixes=_move_out(sides, client))


def _requests(block: nodes.Block) -> list[nodes.RequestStmt]:
    return [node for node in text_walk.statements_of(block) if isinstance(node, nodes.RequestStmt)]


def _add_client(sides: _Sides) -> tuple[Fix, ...]:
    item = sides.workload
    if item is None or sides.session is not None or item.last.via is not None or item.last.text != "}":
        return ()
    brace = item.last
    edit = Edit(Place(brace.chunk, brace.start, brace.start), "session { request; end; } ")
    return (Fix("Add a session that requests it", (edit,), safe=True),)


def _add_request(client: _Text | None) -> tuple[Fix, ...]:
    if client is None or client.body.first.via is not None:
        return ()
    brace = client.body.first
    return (Fix("Insert `request;`", (Edit(Place(brace.chunk, brace.end, brace.end), " request;"),)),)


def _move_out(sides: _Sides, client: _Text) -> tuple[Fix, ...]:
    """Move the session out of the workload, to top level below it."""
    item, chunk = sides.workload, client.word.chunk
    if item is None or sides.session is not None:
        return ()
    tokens = (client.word, client.body.last, item.last)
    if any(token.via is not None or token.chunk is not chunk for token in tokens):
        return ()
    start, end = client.word.start, client.body.last.end
    moved = chunk.text[start:end]
    below = Place(chunk, item.last.end, item.last.end)
    edits = (Edit(Place(chunk, start, end), ""), Edit(below, f"\n{moved}"))
    return (Fix("Move it to top level", edits, safe=True),)


# --------------------------------------------------------------------------- what joins no program


def _look_at_the_rest(ctx: Elaboration, sides: _Sides) -> None:
    """Blocks that do not count are looked at for their own faults; what they set is nobody's missing name."""
    rest = list(sides.extra)
    if sides.client is not None and sides.session is not None:
        rest.append(("session", sides.session))
    if sides.server is not None and not (sides.client and any(n.gateway is None for n in _requests(sides.client.body))):
        rest.append(("server", sides.server))
    for side, text in rest:
        _block(ctx, side, text)
        for statement in text_walk.statements_of(text.body):
            ctx.possible_attributes.update(token.text for token in assigned_by(statement))
    for text in sides.replaced:
        scope = Scope(text.word.text, text.order, Surroundings(text.word.text))
        for statement in text_walk.statements_of(text.body):
            if isinstance(statement, nodes.RequestStmt | nodes.MarkStmt):
                refuses(ctx, statement, scope)
            for expr in text_walk.expressions_of(statement):
                for part in text_walk.nodes_of(expr):
                    if isinstance(part, nodes.Reference) and part.member is None and part.name.text == "self":
                        ctx.report("SQ0726", place_of(part.name))
