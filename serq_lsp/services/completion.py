"""Completion: the words that may come here, and of the names only what may be read at this moment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from serq_interpreter.catalog.vocabulary import (
    ARITHMETIC_FUNCTIONS,
    BUILTIN_ATTRIBUTES,
    CLAUSE,
    CONTEXT_VARIABLES,
    DISTRIBUTIONS,
    ENTRY,
    EXTENSION,
    EXTENSION_WORDS,
    FUNCTIONS,
    LINEAGE,
    ROLE,
    STATEMENT_WORDS,
    WORDS,
    Word,
)
from serq_interpreter.semantics.moments import MOMENTS, TABLE, VIA
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.edition import EXTENDED
from serq_interpreter.syntax.tokens import Token
from serq_lsp.services.cursor import Cursor, cursor_at, moment_of
from serq_lsp.services.snapshot import Snapshot
from serq_lsp.services.snippets import SNIPPETS
from serq_lsp.services.tokens import comment_at
from serq_lsp.services.word_kinds import kinds_of

POOL_WORDS = frozenset(
    ("hold", "grow", "load", "drop", "release", "growing", "lease", "from", "to", "spill", "memory", "inherit")
)
STAGE_WORDS = frozenset(("run", "on", "of", "via"))


@dataclass(frozen=True, slots=True)
class Completion:
    """`kind` is a word of `names.Symbol` kinds, or `keyword`, `snippet`.  `rank` sorts: smaller first."""

    label: str
    kind: str
    detail: str = ""
    documentation: str = ""
    insert: str = ""
    """A snippet in the protocol's syntax; empty: the label."""
    rank: int = 5


def completion(snapshot: Snapshot, offset: int) -> list[Completion]:
    """What may stand at `offset`, in the order to show."""
    if comment_at(snapshot, offset) is not None:
        return []
    cursor = cursor_at(snapshot, offset)
    found: dict[tuple[str, str], Completion] = {}
    for item in _items(snapshot, cursor):
        found.setdefault((item.label, item.kind), item)
    return sorted(found.values(), key=lambda item: (item.rank, item.label))


def _items(snapshot: Snapshot, cursor: Cursor) -> Iterator[Completion]:
    last = cursor.before[-1] if cursor.before else None
    if last is not None and last.kind == ".":
        yield from _members(snapshot, cursor)
        return
    if last is not None and last.kind == "~":
        yield from (_function(word, "distribution") for word in DISTRIBUTIONS.values())
        return
    relation = _relation(snapshot, cursor)
    if relation:
        yield from relation
        return
    extended = snapshot.edition == EXTENDED
    if extended and _in_spawn(cursor):
        yield from (item for item in _words(cursor) if item.label == "set")
        return
    yield from _words(cursor)
    yield from _of_queue(cursor)
    if extended:
        yield from _of_extension(snapshot, cursor)
    argument = _argument(cursor)
    if argument is not None:
        yield from _declared(snapshot, argument)
        if argument in ("pool", "stage", "engine", "observation"):
            return
    if cursor.starts_expression:
        yield from readable(snapshot, moment_of(cursor) or "stmt", cursor)
    elif cursor.takes_name:
        yield from _references(snapshot, cursor)


def _words(cursor: Cursor) -> Iterator[Completion]:
    kinds = kinds_of(cursor)
    for name in cursor.words:
        word = _meaning(name, kinds)
        detail = word.form if word is not None else ""
        doc = word.doc if word is not None else ""
        yield Completion(name, "keyword", detail, doc, SNIPPETS.get((word.kind if word else "", name), ""), 2)


def _of_queue(cursor: Cursor) -> Iterator[Completion]:
    """The roles of a queue, and in its block the entries that they want."""
    opened, before = cursor.open, cursor.before
    if len(opened) < 2 or opened[0].text != "queue":
        return
    roles = [token.text for token in before[: _first(before, "{")] if token.text in _ENTRY_OF_ROLE]
    if before[-1].text in (":", ","):
        for word in WORDS:
            if word.kind == ROLE and word.name not in roles and any(token.kind == ":" for token in before):
                yield Completion(word.name, "keyword", word.form, word.doc, rank=0)
    elif {"serve", "nic"} & cursor.words:
        for name in dict.fromkeys(_ENTRY_OF_ROLE[role] for role in roles):
            insert = "route {\n  $0\n}" if name == "route" else f"{name} (${{1:n}}) {{\n  $0\n}}"
            entry = _meaning(name, (ENTRY,))
            yield Completion(name, "entry", entry.form if entry else "", entry.doc if entry else "", insert, rank=1)


def _relation(snapshot: Snapshot, cursor: Cursor) -> list[Completion]:
    """`QUEUE pull QUEUE`: the verb behind a queue's name that begins an item, and the queues behind the verb."""
    queues = [item.name.text for item in snapshot.document.tree.items if isinstance(item, nodes.QueueItem)]
    before = [token.text for token in cursor.before]
    if not before or before[0] not in queues:
        return []
    if len(before) == 1:
        words = (_meaning(name, (CLAUSE,)) for name in ("pull", "push"))
        return [Completion(word.name, "keyword", word.form, word.doc, rank=0) for word in words if word is not None]
    if len(before) == 2 and before[1] in ("pull", "push"):
        return [Completion(name, "queue", "queue", rank=0) for name in queues]
    return []


_ENTRY_OF_ROLE = {"gateway": "route", "prefill": "prefill", "decode": "decode", "link": "transfer"}


def _first(found: tuple[Token, ...], kind: str) -> int:
    return next((number for number, token in enumerate(found) if token.kind == kind), len(found))


def _in_spawn(cursor: Cursor) -> bool:
    """Whether a statement of the block of a `spawn` may begin here: an assignment."""
    opened = [token.text for token in cursor.open]
    return "hold" in cursor.words and "into" in opened[-3:] and opened[-1] == "{"


def _of_extension(snapshot: Snapshot, cursor: Cursor) -> Iterator[Completion]:
    """`spawn`, `join NAME` and the names of groups (edition v4b)."""
    last = cursor.before[-1].text if cursor.before else ""
    groups = snapshot.analysis.elaborated.groups
    if "hold" in cursor.words and cursor.before and cursor.before[0].text != "server":
        word = EXTENSION["spawn"]
        yield Completion("spawn", "keyword", word.form, word.doc, SNIPPETS[word.kind, "spawn"], 2)
        for name in groups:
            yield Completion(f"join {name}", "keyword", "join NAME;", EXTENSION["join"].doc, f"join {name};", 2)
    elif last in ("join", "into"):
        yield from (Completion(name, "group", "group of children", rank=0) for name in groups)


def _meaning(name: str, kinds: tuple[str, ...]) -> Word | None:
    meanings = [word for word in (*WORDS, *EXTENSION_WORDS) if word.name == name]
    for kind in kinds:
        for word in meanings:
            if word.kind == kind:
                return word
    return meanings[0] if meanings else None


def readable(snapshot: Snapshot, moment: str, cursor: Cursor) -> Iterator[Completion]:
    """Names and functions that may be read at `moment` (a column of the moment table)."""
    allowed = {read for read, row in TABLE.items() if row[moment] in ("", VIA)}
    elaborated = snapshot.analysis.elaborated
    hidden = {item.name for item in elaborated.hidden}
    title = MOMENTS[moment].title
    for name, word in CONTEXT_VARIABLES.items():
        if name in allowed:
            yield Completion(name, "context", _unit(word), f"{word.doc}\n\nRead here in {title}.", rank=1)
    for name in BUILTIN_ATTRIBUTES:
        if name in allowed and ("hidden" in allowed or name not in hidden):
            word_ = _meaning(name, ("built-in attribute",))
            yield Completion(name, "builtin", "built-in attribute", word_.doc if word_ else "", rank=4)
    if "attribute" in allowed and elaborated.extended:
        for name in LINEAGE:
            yield Completion(name, "builtin", "attribute of edition v4b", EXTENSION[name].doc, rank=4)
    if "attribute" in allowed:
        for name in elaborated.attributes:
            if _is_name(name) and ("hidden" in allowed or name not in hidden):
                note = "hidden from the scheduler" if name in hidden else "attribute of the session"
                yield Completion(name, "attribute", note, rank=0)
    if "constant" in allowed:
        for name, value in elaborated.constants.items():
            yield Completion(name, "constant", "" if value is None else f"= {value:.15g}", rank=0)
        yield Completion("inf", "constant", "infinity", rank=6)
    for (engine, name), _ in elaborated.registers.items():
        if "register_own" in allowed or "register_other" in allowed:
            yield Completion(name, "register", f"register of `{engine}`", rank=1)
    yield from _callable(snapshot, allowed)
    yield from _locals(cursor)
    if "draw" in allowed:
        yield Completion("~", "snippet", "a draw", "A random value: `~exp(mean)`, `~uniform(lo, hi)`, …", "~", rank=6)


def _callable(snapshot: Snapshot, allowed: set[str]) -> Iterator[Completion]:
    for name, word in FUNCTIONS.items():
        row = "arithmetic" if name in ARITHMETIC_FUNCTIONS else name
        if name == "budget_left":
            row = "budget_own" if "budget_own" in allowed else "budget_other"
        if row in allowed:
            yield _function(word, "function")
    if "aggregate" in allowed:
        for name in ("max", "min", "sum"):
            insert = f"{name} ${{1:j}} in ${{2:n}} ($3)"
            yield Completion(f"{name} … in", "snippet", f"{name} j in n (expression)", "", insert, rank=7)
    for definition in snapshot.document.tree.definitions:
        if definition.item.is_expression:
            parameters = ", ".join(token.text for token in definition.item.parameters)
            yield Completion(definition.name, "definition", f"({parameters})", rank=1)


def _function(word: Word, kind: str) -> Completion:
    arguments = ", ".join(f"${{{number}:{part.name}}}" for number, part in enumerate(word.parameters, 1))
    return Completion(word.name, kind, word.form, word.doc, f"{word.name}({arguments})", rank=3)


def _locals(cursor: Cursor) -> Iterator[Completion]:
    """Parameters of an entry, `self`, indices of aggregates around the cursor."""
    opened = cursor.open
    for before, token in zip(opened, opened[1:], strict=False):
        if before.kind == "NAME" and before.text in ("max", "min", "sum") and token.kind == "NAME":
            yield Completion(token.text, "index", "index of the aggregate", rank=0)
    if opened and opened[0].text == "queue":
        tokens = cursor.before
        depth = 0
        for position, token in enumerate(tokens):
            depth += {"{": 1, "}": -1}.get(token.kind, 0)
            if depth == 1 and token.kind == "(" and tokens[position - 1].text in ("prefill", "decode", "transfer"):
                for name in tokens[position + 1 :]:
                    if name.kind == ")":
                        break
                    if name.kind == "NAME":
                        yield Completion(name.text, "parameter", "parameter of the entry", rank=0)
        yield Completion("self", "self", "number of the member", rank=4)


def _argument(cursor: Cursor) -> str | None:
    """The kind of argument that a function at the cursor takes: pool, stage, engine, observation, expression."""
    opened = cursor.open
    if len(opened) < 2 or opened[-1].kind != "(" or opened[-2].kind != "NAME":
        return None
    word = FUNCTIONS.get(opened[-2].text)
    if word is None or not word.parameters or not cursor.before or cursor.before[-1] is not opened[-1]:
        return None
    return word.parameters[0].kind


def _declared(snapshot: Snapshot, kind: str) -> Iterator[Completion]:
    elaborated = snapshot.analysis.elaborated
    if kind == "pool":
        for pool in elaborated.pools.values():
            cap = "" if pool.cap is None else f"cap {pool.cap:.15g}"
            yield Completion(pool.name, "pool", cap, insert=_member(pool.name, pool.size), rank=0)
    elif kind in ("stage", "engine"):
        for stage in elaborated.stages.values():
            if kind == "stage" or stage.kind in ("step", "unknown"):
                yield Completion(stage.name, "stage", stage.kind, insert=_member(stage.name, stage.size), rank=0)
    elif kind == "observation":
        for name in filter(_is_name, elaborated.observations):
            yield Completion(name, "observation", "observation", rank=0)


def _is_name(name: str) -> bool:
    """Whether a name is worth offering: where a line is half typed, the next word of the language looks like one."""
    return "." not in name and name not in STATEMENT_WORDS


def _member(name: str, size: int | None) -> str:
    return name if size is None else f"{name}[${{1:0}}]"


def _references(snapshot: Snapshot, cursor: Cursor) -> Iterator[Completion]:
    """Names of pools, stages, gateways and attributes where a statement or an option wants one."""
    words = [token.text for token in cursor.open if token.kind == "NAME"]
    last = cursor.before[-1] if cursor.before else None
    governing = last.text if last is not None and last.kind == "NAME" else _governing(words)
    if governing == "request":
        for item in snapshot.document.tree.items:
            if type(item).__name__ == "QueueItem" and any(role.text == "gateway" for role in item.roles):  # type: ignore[union-attr]
                yield Completion(item.name.text, "queue", "gateway", rank=0)  # type: ignore[union-attr]
    elif governing == "hidden" or governing in ("set", "choose"):
        for name in filter(_is_name, snapshot.analysis.elaborated.attributes):
            yield Completion(name, "attribute", "attribute of the session", rank=0)
    elif governing == "observe":
        yield from _declared(snapshot, "observation")
    elif governing in POOL_WORDS:
        yield from _declared(snapshot, "pool")
    elif governing in STAGE_WORDS:
        admits = governing == "via" and "admit" in words
        yield from _declared(snapshot, "engine" if governing == "of" or admits else "stage")
    elif "hold" in cursor.words:
        yield from _statement_names(snapshot)


def _governing(words: list[str]) -> str:
    return words[-1] if words else ""


def _statement_names(snapshot: Snapshot) -> Iterator[Completion]:
    for definition in snapshot.document.tree.definitions:
        if not definition.item.is_expression:
            parameters = ", ".join(token.text for token in definition.item.parameters)
            yield Completion(definition.name, "definition", f"({parameters})", insert=f"{definition.name}($1);", rank=1)
    for item in snapshot.document.tree.items:
        if type(item).__name__ == "QueueItem":
            yield Completion(item.name.text, "queue", "queue", rank=1)  # type: ignore[union-attr]


def _members(snapshot: Snapshot, cursor: Cursor) -> Iterator[Completion]:
    """What stands behind the dot of a queue: its pools, its NIC, its entries, its marks and sets."""
    queue = _queue_name(cursor.before[:-1])
    if queue is None:
        return
    elaborated = snapshot.analysis.elaborated
    for pool in elaborated.pools.values():
        if pool.owner == queue:
            yield Completion(pool.name.partition(".")[2], "pool", "pool of the queue", rank=0)
    for stage in elaborated.stages.values():
        if stage.owner == queue and "." in stage.name:
            yield Completion(stage.name.partition(".")[2], "stage", stage.kind, rank=0)
    for name in elaborated.attributes:
        if name.startswith(f"{queue}."):
            yield Completion(name.partition(".")[2], "attribute", "set in the queue's entries", rank=0)
    for item in snapshot.document.tree.items:
        if type(item).__name__ == "QueueItem" and item.name.text == queue:  # type: ignore[union-attr]
            for part in item.parts:  # type: ignore[union-attr]
                if type(part).__name__ == "EntryDecl" and part.verb.text != "route":  # type: ignore[union-attr]
                    parameters = ", ".join(token.text for token in part.parameters or ())  # type: ignore[union-attr]
                    label = part.verb.text  # type: ignore[union-attr]
                    yield Completion(label, "entry", f"({parameters})", insert=f"{label} ($1);", rank=0)


def _queue_name(before: tuple[Token, ...]) -> str | None:
    if not before:
        return None
    if before[-1].kind == "NAME":
        return before[-1].text
    if before[-1].kind == "]":
        depth = 0
        for position in range(len(before) - 1, -1, -1):
            depth += {"]": 1, "[": -1}.get(before[position].kind, 0)
            if depth == 0:
                return before[position - 1].text if position else None
    return None


def _unit(word: Word) -> str:
    return f"context variable, {word.unit}" if word.unit else "context variable"
