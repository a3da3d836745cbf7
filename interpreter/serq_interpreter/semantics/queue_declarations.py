"""What a queue declares: its pools, its stages and its entries, in the order of spec 08 §3.3.

The rules are those of 02 §14.1 (SQ0701-0722).  A queue that breaks one of them exists all the same, with whatever could
be read of it, so that the rest of the program is judged as if the slip were corrected.
"""

from __future__ import annotations

from typing import NamedTuple

from serq_interpreter.record import struct
from serq_interpreter.semantics import collect, constants, text_places
from serq_interpreter.semantics.context import Elaboration, Terms
from serq_interpreter.semantics.declarations import PoolDecl, QueueDecl, StageDecl
from serq_interpreter.semantics.nearest import nearest
from serq_interpreter.semantics.vocabulary import ROLE_WORDS, SERVING_WORDS
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Edit, Fix, Place, Token, place_of


class _Verb(NamedTuple):
    """What the language says of a verb: the role it belongs to, its parameters, whether it has a form with `from`."""

    role: str
    parameters: int
    takes_source: bool
    example: str


VERBS = {
    "route": _Verb("gateway", 0, False, "route { }"),
    "prefill": _Verb("prefill", 1, False, "prefill (n) { }"),
    "decode": _Verb("decode", 1, True, "decode (n) { }"),
    "transfer": _Verb("link", 1, False, "transfer (n) { }"),
}
"""The verbs that entries have, by name."""


@struct
class _Reading:
    """One queue while its parts are read.  `counts` is false for a second queue of a name, whose parts declare nothing."""

    ctx: Elaboration
    queue: QueueDecl
    item: nodes.QueueItem
    counts: bool
    role_tokens: dict[str, Token]
    role_unknown: bool = False
    serve_seen: Token | None = None
    nic_seen: Token | None = None
    entry_seen: Token | None = None


def declare_queue(ctx: Elaboration, item: nodes.QueueItem, order: int) -> QueueDecl:
    """Enter a queue and what it declares into the tables; report what is wrong with its declarations."""
    name = item.name.text
    size, size_known = constants.fold_size(ctx, item.size, f"the family `{name}`")
    queue = QueueDecl(name, item.name, size, size_known, order, item, damaged=item.damaged)
    first = ctx.declared.queues.get(name)
    reading = _Reading(ctx, queue, item, first is None, {})
    if first is None:
        ctx.declared.queues[name] = queue
    else:
        note = (ctx.note(first.token, f"`{name}` is declared here first"),)
        ctx.report("SQ0701", place_of(item.name), name=name, notes=note)
    if name in SERVING_WORDS:
        ctx.report("SQ0702", place_of(item.name), name=name)
    _roles(reading)
    for part in item.parts:
        match part:
            case nodes.PoolItem():
                _pool(reading, part)
            case nodes.ServeDecl():
                (_serve if part.word.text == "serve" else _nic)(reading, part)
            case nodes.EntryDecl():
                _entry(reading, part)
    if queue.latency is not None:
        _enter(reading, queue.latency)
    ctx.use(item.name, "queue", name, place_of(item.name))
    _whole(reading)
    return queue


# --------------------------------------------------------------------------- roles


def _roles(reading: _Reading) -> None:
    ctx = reading.ctx
    known: list[str] = []
    for token in reading.item.roles:
        role = token.text
        if role not in ROLE_WORDS:
            reading.role_unknown = True
            fixes = constants.rename(place_of(token), nearest(role, ROLE_WORDS))
            ctx.report("SQ0703", place_of(token), name=role, fixes=fixes)
        elif role in known:
            ctx.report("SQ0704", place_of(token), name=role, fixes=_delete_with_comma(token))
        else:
            known.append(role)
            reading.role_tokens[role] = token
    reading.queue.roles = tuple(known)
    if "gateway" in known and reading.item.size is not None:
        place = text_places.bracketed(reading.item.size)
        ctx.report("SQ0712", place, name=reading.queue.name, fixes=_delete(place, "Delete the size"))


def _delete_with_comma(token: Token) -> tuple[Fix, ...]:
    """Delete a name of a list together with the comma before it."""
    text = token.chunk.text
    comma = text.rfind(",", 0, token.start)
    if token.via is not None or comma < 0 or text[comma + 1 : token.start].strip():
        return ()
    return (Fix(f"Delete `{token.text}`", (Edit(Place(token.chunk, comma, token.end), ""),), safe=True),)


def _delete(place: Place, title: str) -> tuple[Fix, ...]:
    return () if place.via is not None else (Fix(title, (Edit(place, ""),), safe=True),)


# --------------------------------------------------------------------------- pools and stages


def _pool(reading: _Reading, part: nodes.PoolItem) -> None:
    ctx, queue = reading.ctx, reading.queue
    short = part.name.text
    first = queue.pools.get(short)
    if first is not None:
        note = (ctx.note(first.token, f"`{short}` is declared here first"),)
        ctx.report("SQ0714", place_of(part.name), name=short, queue=queue.name, notes=note)
    if reading.serve_seen is not None or reading.entry_seen is not None:
        ctx.report("SQ0715", place_of(part.word), fixes=_move_up(reading, part))
    size, _ = constants.fold_size(ctx, part.size, f"pool `{short}`")
    if part.size is not None and size is not None and size > 1:
        place = text_places.bracketed(part.size)
        ctx.report("SQ0713", place, name=f"{queue.name}.{short}", fixes=_delete(place, "Delete the size"))
    if first is not None:
        return
    full = f"{queue.name}.{short}"
    declared = PoolDecl(
        full,
        part.name,
        queue.size,
        queue.size_known,
        queue.order,
        part.place,
        place_of(part.name),
        item=part,
        owner=queue.name,
        damaged=part.damaged,
    )
    queue.pools[short] = declared
    if reading.counts:
        collect.enter_pool(ctx, declared)
    else:
        ctx.declared.repeated.append(declared)


def _serve(reading: _Reading, part: nodes.ServeDecl) -> None:
    ctx, queue = reading.ctx, reading.queue
    if reading.entry_seen is not None:
        ctx.report("SQ0716", place_of(part.word), fixes=_move_up(reading, part))
    elif reading.serve_seen is not None:
        note = (ctx.note(reading.serve_seen, "the first serve"),)
        ctx.report("SQ0718", place_of(part.word), queue=queue.name, notes=note)
    latency = _link_latency(reading, part)
    if reading.serve_seen is not None:
        return
    reading.serve_seen = part.word
    queue.serve = _stage(reading, part, queue.name, "serve")
    _enter(reading, queue.serve)
    queue.latency = latency


def _nic(reading: _Reading, part: nodes.ServeDecl) -> None:
    ctx, queue = reading.ctx, reading.queue
    if reading.entry_seen is not None:
        ctx.report("SQ0717", place_of(part.word), fixes=_move_up(reading, part))
    elif reading.nic_seen is not None:
        note = (ctx.note(reading.nic_seen, "the first NIC"),)
        ctx.report("SQ0719", place_of(part.word), queue=queue.name, notes=note)
    if part.latency is not None:
        place = part.latency.place
        ctx.report(
            "SQ0720",
            place,
            what="a NIC has no latency; the relation that copies over it has",
            fixes=_delete(place, "Delete the latency"),
        )
    if reading.nic_seen is not None:
        return
    reading.nic_seen = part.word
    queue.nic = _stage(reading, part, f"{queue.name}.nic", "nic")
    _enter(reading, queue.nic)


def _stage(reading: _Reading, part: nodes.ServeDecl, name: str, role: str) -> StageDecl:
    """The stage of a serve or a NIC.  A serve's `memory` means the queue's own pools first, a NIC's does not."""
    queue = reading.queue
    token = reading.item.name if role == "serve" else part.word
    short_names = {short: pool.name for short, pool in queue.pools.items()} if role == "serve" else {}
    return StageDecl(
        name,
        token,
        queue.size,
        queue.size_known,
        queue.order,
        part.place,
        place_of(token),
        part.kind.word if part.kind.word in ("fifo", "ps", "delay", "step") else "unknown",
        node=part.kind,
        owner=queue.name,
        part=role,
        short_names=short_names,
    )


def _link_latency(reading: _Reading, part: nodes.ServeDecl) -> StageDecl | None:
    """The delay stage of a link's latency, `None` without one (SQ0720, SQ0721)."""
    if part.latency is None:
        return None
    ctx, queue, clause = reading.ctx, reading.queue, part.latency
    if "link" not in queue.roles and not part.apart:
        if not reading.role_unknown:
            ctx.report(
                "SQ0720",
                clause.place,
                what=f"`{queue.name}` is no link, so its serve has no latency",
                fixes=_delete(clause.place, "Delete the latency"),
            )
        return None
    value = fold_latency(ctx, clause, "SQ0721", f"the latency of `{queue.name}`")
    return StageDecl(
        f"{queue.name}.latency",
        part.word,
        queue.size,
        queue.size_known,
        queue.order,
        clause.place,
        clause.place,
        "delay",
        owner=queue.name,
        part="latency",
        latency=value,
    )


def fold_latency(ctx: Elaboration, clause: nodes.Clause, code: str, what: str) -> float | None:
    """The number of a latency in time units; `code` when it does not fold here, SQ0805 when it is NaN."""
    since = len(ctx.sink.findings)
    value = constants.fold(ctx, clause.value, None, Terms())
    if value is None:
        if len(ctx.sink.findings) > since:
            ctx.sink.take_back(since)
            ctx.report(code, clause.value.place)
        return None
    if value != value:
        ctx.report("SQ0805", clause.value.place, what=what)
        return None
    return value


def _enter(reading: _Reading, stage: StageDecl) -> None:
    """Stages enter the table in the order of the text, the latency of a link after the queue's serve and NIC."""
    if reading.counts:
        collect.enter_stage(reading.ctx, stage)
    else:
        reading.ctx.declared.repeated.append(stage)


def _move_up(reading: _Reading, part: nodes.Node) -> tuple[Fix, ...]:
    """Move a part above the parts that must stand below it: above the serve for a pool, above the entries else."""
    chunk = part.first.chunk
    later = reading.entry_seen
    if isinstance(part, nodes.PoolItem) and reading.serve_seen is not None:
        later = reading.serve_seen
    if later is None or any(
        token.via is not None or token.chunk is not chunk for token in (part.first, part.last, later)
    ):
        return ()
    text = chunk.text
    start, end = part.first.start, part.last.end
    moved = text[start:end]
    line = text.rfind("\n", 0, start) + 1
    if not text[line:start].strip():
        start = line - 1 if line else 0
    above = text.rfind("\n", 0, later.start) + 1
    indent = text[above : later.start]
    gap = "\n" + indent if not indent.strip() else " "
    edits = (Edit(Place(chunk, later.start, later.start), moved + gap), Edit(Place(chunk, start, end), ""))
    return (Fix("Move it up", edits, safe=True),)


# --------------------------------------------------------------------------- entries


def _entry(reading: _Reading, part: nodes.EntryDecl) -> None:
    ctx, queue = reading.ctx, reading.queue
    word = part.verb.text
    if reading.entry_seen is None:
        reading.entry_seen = part.verb
    verb = VERBS.get(word)
    if verb is None:
        fixes = constants.rename(place_of(part.verb), nearest(word, VERBS))
        ctx.report("SQ0708", place_of(part.verb), what=f"no role has an entry `{word}`", fixes=fixes)
        return
    if part.source is not None and not verb.takes_source:
        ctx.report("SQ0708", place_of(part.verb), what=f"`{word}` has no form with `from`; only `decode` has")
        return
    if verb.role not in queue.roles and not reading.role_unknown:
        ctx.report(
            "SQ0707",
            place_of(part.verb),
            verb=word,
            role=verb.role,
            queue=queue.name,
            fixes=_add_role(reading, verb.role),
        )
    first = queue.entries.get((word, part.source is not None))
    if first is not None:
        note = (ctx.note(first.verb, "the first one"),)
        ctx.report("SQ0709", place_of(part.verb), verb=word, queue=queue.name, notes=note)
    else:
        queue.entries[word, part.source is not None] = part
        if reading.counts:
            ctx.use(part.verb, "entry", f"{queue.name}.{word}", place_of(part.verb))
    _parameters(reading, part, verb)


def _parameters(reading: _Reading, part: nodes.EntryDecl, verb: _Verb) -> None:
    ctx = reading.ctx
    given = part.parameters or ()
    if part.parameters is None and part.source is None and text_places.after(part.verb) != "{":
        return  # the list is what could not be read
    if len(given) != verb.parameters:
        place = place_of(part.verb)
        if part.parameters is not None:
            place = text_places.parenthesised(part.verb, given[-1] if given else None)
        repeated = len({token.text for token in given}) < len(given)
        if not repeated or len({token.text for token in given}) != verb.parameters:
            expected = "no parameters" if verb.parameters == 0 else "one parameter"
            ctx.report("SQ0710", place, verb=part.verb.text, expected=expected, count=len(given))
            return
    seen: dict[str, Token] = {}
    for token in given:
        if token.text in seen:
            note = (ctx.note(seen[token.text], "the first one"),)
            ctx.report("SQ0711", place_of(token), name=token.text, notes=note)
        seen.setdefault(token.text, token)


def _add_role(reading: _Reading, role: str) -> tuple[Fix, ...]:
    item = reading.item
    if item.roles:
        after, text = item.roles[-1], f", {role}"
    else:
        after, text = (item.name if item.size is None else item.size.last), f" : {role}"
    if after.via is not None:
        return ()
    at = after.end if item.roles or item.size is None else text_places.bracketed(item.size).end
    return (Fix(f"Add the role `{role}`", (Edit(Place(after.chunk, at, at), text),), safe=True),)


# --------------------------------------------------------------------------- the whole queue


def _whole(reading: _Reading) -> None:
    """What a role promises: its entry (SQ0705), and a cost for a link (SQ0706, SQ0722)."""
    ctx, queue = reading.ctx, reading.queue
    for role, token in reading.role_tokens.items():
        if role == "link":
            _link(reading)
            continue
        verb, rule = next((word, rule) for word, rule in VERBS.items() if rule.role == role)
        if (verb, False) in queue.entries or queue.damaged or ctx.unread(verb):
            continue
        form = verb if role == "gateway" else f"{verb} (n)"
        ctx.report(
            "SQ0705", place_of(token), role=role, entry=form, queue=queue.name, fixes=_add_entry(reading, rule.example)
        )


def _link(reading: _Reading) -> None:
    ctx, queue = reading.ctx, reading.queue
    called = ("transfer", False) in queue.entries
    if queue.serve is None and not called and not queue.damaged and not ctx.unread("transfer"):
        ctx.report("SQ0706", place_of(queue.token), name=queue.name)
    if called and queue.latency is not None:
        ctx.report("SQ0722", queue.latency.at, name=queue.name)


def _add_entry(reading: _Reading, text: str) -> tuple[Fix, ...]:
    brace = reading.item.last
    if brace.via is not None or brace.text != "}":
        return ()
    return (Fix(f"Add `{text}`", (Edit(Place(brace.chunk, brace.start, brace.start), f"{text} "),)),)
