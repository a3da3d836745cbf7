"""Hover: what a word is, its unit, the moment at which it is read here, and whether the scheduler may see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from serq_interpreter.catalog.vocabulary import (
    ATTRIBUTE,
    BUILTIN_ATTRIBUTES,
    CONTEXT,
    DISTRIBUTION,
    EXTENSION,
    FUNCTION,
    OBSERVABLES,
    RENAMED_CONTEXT,
    Word,
    meanings,
)
from serq_interpreter.semantics import tree, walk
from serq_interpreter.semantics.moments import MOMENTS, TABLE, moments_of, verdict
from serq_interpreter.semantics.tree import Symbol
from serq_interpreter.syntax.edition import EXTENDED
from serq_interpreter.syntax.tokens import Token
from serq_lsp.services.cursor import cursor_at, moment_of
from serq_lsp.services.definition import is_implied
from serq_lsp.services.locations import span_of
from serq_lsp.services.names import is_lineage, names_of
from serq_lsp.services.snapshot import Snapshot
from serq_lsp.services.tokens import At, token_at, tokens
from serq_lsp.services.word_examples import EXAMPLES
from serq_lsp.services.word_kinds import kinds_of


@dataclass(frozen=True, slots=True)
class Hover:
    """Markdown for the range `start` to `end`."""

    text: str
    start: int
    end: int


def hover(snapshot: Snapshot, offset: int) -> Hover | None:
    """What the word at `offset` means here; `None` where there is nothing to say."""
    at = token_at(snapshot, offset)
    if at is None or at.token.kind != "NAME":
        return None
    symbol = names_of(snapshot.analysis).symbol(at.token.chunk, at.token.start)
    if symbol is None:
        parts = _of_word(snapshot, at)
    elif is_implied(at.token.text, symbol):
        # A word of the language that means a stage without naming it: both are worth a word.
        parts = [
            *_of_word(snapshot, at),
            f"Here: the {symbol.kind} `{symbol.name}`.",
            *_of_symbol(snapshot, at, symbol),
        ]
    else:
        parts = _of_symbol(snapshot, at, symbol)
    return Hover("\n\n".join(part for part in parts if part), at.start, at.end) if parts else None


def _of_word(snapshot: Snapshot, at: At) -> list[str]:
    """A word of the language in its place: the construct in a few lines."""
    name = at.token.text
    if name in RENAMED_CONTEXT:
        return [f"**{name}**: a context variable of an older edition; today it is `{RENAMED_CONTEXT[name]}`."]
    found = meanings(name)
    child = _of_extension(snapshot, at)
    if child is not None:
        return [_code(child.form), f"*{child.kind} of edition v4b*", child.doc]
    if not found:
        return []
    word = _best(found, kinds_of(cursor_at(snapshot, at.start)))
    parts = [_code(word.form), f"*{word.kind}*", word.doc]
    example = EXAMPLES.get((word.kind, word.name))
    return parts if example is None or example == word.form else [*parts, f"For example:\n{_code(example)}"]


def _of_extension(snapshot: Snapshot, at: At) -> Word | None:
    """The meaning of a word of the edition v4b; `join` is one where a group follows."""
    if at.token.text == "join":
        after = next((other for other in tokens(snapshot) if other.start >= at.end), None)
        return EXTENSION["join"] if after is not None and after.token.kind == "NAME" else None
    return EXTENSION.get(at.token.text) if snapshot.edition == EXTENDED else None


def _best(found: tuple[Word, ...], kinds: tuple[str, ...]) -> Word:
    for kind in kinds:
        for word in found:
            if word.kind == kind:
                return word
    return found[0]


def _of_symbol(snapshot: Snapshot, at: At, symbol: Symbol) -> list[str]:
    match symbol.kind:
        case "context":
            return _supplied(snapshot, at, symbol, CONTEXT)
        case "builtin" if symbol.name not in BUILTIN_ATTRIBUTES:
            return _of_word(snapshot, at)
        case "builtin":
            return _supplied(snapshot, at, symbol, ATTRIBUTE)
        case "function":
            return _supplied(snapshot, at, symbol, FUNCTION)
        case "distribution":
            return _supplied(snapshot, at, symbol, DISTRIBUTION)
        case "attribute" if is_lineage(symbol):
            word = EXTENSION[symbol.name]
            return [_code(word.form), f"*{word.kind} of edition v4b*", word.doc]
        case "group":
            return _group(snapshot, symbol)
        case "attribute" if symbol.name in BUILTIN_ATTRIBUTES:
            return _supplied(snapshot, at, symbol, ATTRIBUTE)
        case "attribute" | "binding":
            return _attribute(snapshot, at, symbol)
        case "constant":
            value = snapshot.analysis.elaborated.constants.get(symbol.name)
            shown = "unknown" if value is None else f"{value:.15g}"
            said = f"constant, value **{shown}**"
            if symbol.name in snapshot.instance.sets:
                said += f", given by `serq.values` as `{snapshot.instance.sets[symbol.name]}`"
            return [_code(f"let {symbol.name} = {_declared_text(snapshot, symbol)}"), said]
        case "pool":
            return _pool(snapshot, symbol)
        case "stage":
            return _stage(snapshot, symbol)
        case "definition":
            return [_code(_line_of(snapshot, symbol)), "definition: each use is replaced by its body"]
        case "register":
            return [_code(_line_of(snapshot, symbol)), "register: an engine's memory from one iteration to the next"]
        case "observation":
            return [f"**{symbol.name}**: an observation; its statistics are in the report"]
        case "gauge" | "claim":
            return [_code(_line_of(snapshot, symbol)), symbol.kind]
        case "queue" | "entry":
            return [_code(_line_of(snapshot, symbol)), symbol.kind]
        case "parameter":
            owner = symbol.name.partition("(")[0]
            if "." in owner:
                return [f"**{at.token.text}**: a parameter of the entry `{owner}`; what the caller hands over"]
            return [f"**{at.token.text}**: a parameter; stands for the argument of each use"]
        case "self":
            return _of_word(snapshot, at)
        case _:
            return [f"**{symbol.name}**: {symbol.kind}"]


def _supplied(snapshot: Snapshot, at: At, symbol: Symbol, kind: str) -> list[str]:
    word = next((item for item in meanings(symbol.name) if item.kind == kind), None)
    if word is None:
        return [f"**{symbol.name}**: {symbol.kind}"]
    unit = f", in {word.unit}" if word.unit else ""
    parts = [_code(word.form), f"*{word.kind}{unit}*", word.doc]
    read = "budget_other" if symbol.name == "budget_left" else symbol.name
    if read in TABLE and (kind in (CONTEXT, ATTRIBUTE) or symbol.name in OBSERVABLES):
        parts.append(_moment(snapshot, at, read))
    return [*parts, *_ranges(snapshot, at, symbol.name)] if kind == ATTRIBUTE else parts


def _moment(snapshot: Snapshot, at: At, read: str) -> str:
    """When it is read here, and whether it may be."""
    moment = moment_of(cursor_at(snapshot, at.start))
    where = ", ".join(item.title for item in moments_of(read)[:5])
    if moment is None:
        return f"Legal in: {where}." if where else ""
    here = MOMENTS[moment]
    said = f"Read here in **{here.title}**. {here.decides}"
    code = verdict(read, moment, via=True)
    if code:
        said += f"\n\n**Not legal here** ({code}). Legal in: {where}." if where else f"\n\n**Not legal here** ({code})."
    return said


def _attribute(snapshot: Snapshot, at: At, symbol: Symbol) -> list[str]:
    elaborated = snapshot.analysis.elaborated
    name = symbol.name
    hidden = next((item for item in elaborated.hidden if item.name == name), None)
    kind = "binding of `at admission`" if symbol.kind == "binding" else "attribute of the session"
    parts = [f"**{name}**: {kind}"]
    declared = _declared_line(snapshot, symbol)
    if declared:
        parts.append(f"First assigned: `{declared}`")
    assigns = token_before(snapshot, at) in ("set", "choose", "hidden", "mark")
    moment = moment_of(cursor_at(snapshot, at.start))
    if hidden is not None:
        parts.append(
            "Hidden from the scheduler: legal at statements and in `given`, refused in headers, keys, budgets and costs."
        )
    if moment is not None and not assigns:
        parts.append(_snapshot_note(moment))
        code = verdict("hidden" if hidden is not None else "attribute", moment, via=True)
        if code:
            parts.append(f"**Not legal here** ({code}).")
    return [*parts, *_ranges(snapshot, at, symbol.name)]


def _ranges(snapshot: Snapshot, at: At, name: str) -> list[str]:
    """What the attribute can be here."""
    from serq_lsp.services.value_ranges import range_hover

    return range_hover(snapshot.analysis, at.token, name)


def _snapshot_note(moment: str) -> str:
    here = MOMENTS[moment]
    if moment in ("stmt", "e.body"):
        return "Read here when the session reaches the statement."
    if moment in ("head", "e.head"):
        return (
            "Read here at the admission: the value is a **snapshot** of what the session had set when it reached "
            "the hold."
        )
    return f"Read here in **{here.title}**, with the value the session set last. {here.decides}"


def token_before(snapshot: Snapshot, at: At) -> str:
    """The text of the token before `at` in its item."""
    from serq_lsp.services.tokens import tokens_before

    before = tokens_before(snapshot, at.start, 1)
    return before[0].token.text if before else ""


def _pool(snapshot: Snapshot, symbol: Symbol) -> list[str]:
    pool = snapshot.analysis.elaborated.pools.get(symbol.name)
    if pool is None:
        return [f"**{symbol.name}**: pool"]
    facts = [f"cap {_number(pool.cap)}"]
    if pool.block is not None:
        facts.append(f"in blocks of {_number(pool.block)}")
    facts.append("evicts least recently used" if pool.evict is None else "evicts by key")
    facts.append("preempts nobody" if pool.preempt is None else "preempts by key")
    facts.append("queue first in, first out" if pool.queue is None else "queue by key")
    if pool.admit_via:
        facts.append(f"admits via engine `{pool.admit_via}`")
    family = f"[{pool.size}]" if pool.size is not None else ""
    from serq_lsp.services.guarantee import guarantee_hover

    return [_code(f"pool {pool.name}{family}"), "; ".join(facts), *guarantee_hover(snapshot.analysis, pool.name)]


def _stage(snapshot: Snapshot, symbol: Symbol) -> list[str]:
    stage = snapshot.analysis.elaborated.stages.get(symbol.name)
    if stage is None:
        return [f"**{symbol.name}**: stage"]
    family = f"[{stage.size}]" if stage.size is not None else ""
    kinds = {
        "fifo": f"{_servers(stage.servers or 1)}, first come, first served",
        "ps": "processor sharing",
        "delay": "a delay: nobody waits",
        "step": "a step engine: serves its residents in iterations",
        "unknown": "of unknown kind",
    }
    parts = [_code(f"stage {stage.name}{family} : {stage.kind}"), kinds[stage.kind], _engine(snapshot, stage)]
    if stage.engine is not None:
        from serq_lsp.services.coalescing import licence_hover

        parts.append(licence_hover(snapshot, stage.name))
    return parts


def _group(snapshot: Snapshot, symbol: Symbol) -> list[str]:
    """A group of children: where it is spawned into, and what of its parent's cache it reads."""
    spawns = [
        statement
        for statement in walk.statements(snapshot.analysis.elaborated.session)
        if isinstance(statement, tree.Spawn) and statement.group == symbol.name
    ]
    pools = dict.fromkeys(f"`{spawn.inherit.name}`" for spawn in spawns if spawn.inherit is not None)
    facts = f"spawned at {len(spawns)} places" if len(spawns) != 1 else "spawned at one place"
    if pools:
        facts += f", reads the parent's prefix on {', '.join(pools)}"
    return [f"**{symbol.name}**: a group of child sessions", facts, f"`join {symbol.name};` waits for all of them."]


def _servers(count: float) -> str:
    return "1 server" if count == 1 else f"{_number(count)} servers"


def _engine(snapshot: Snapshot, stage: tree.Stage) -> str:
    if stage.engine is None:
        return ""
    admits = [pool.name for pool in snapshot.analysis.elaborated.pools.values() if pool.admit_via == stage.name]
    memory = f"memory `{stage.engine.memory}`" if stage.engine.memory else "no memory"
    admission = f"admits `{'`, `'.join(admits)}`" if admits else "admits no pool"
    return f"{memory}; {admission}"


def _number(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.15g}"


def _declared_line(snapshot: Snapshot, symbol: Symbol) -> str:
    """The statement, or the part of a list, that declares a name, without what stands around it."""
    place = names_of(snapshot.analysis).declaration(symbol)
    span = span_of(snapshot, place) if place is not None else None
    if place is None or span is None:
        return ""
    source = next(one for one in snapshot.document.sources if one.file == span.file)
    for base, piece in source.pieces:
        for number, token in enumerate(piece.tokens):
            if token.chunk is place.chunk and token.start == place.start:
                first, last = _extent(piece.tokens, number)
                text = source.text[base + piece.tokens[first].start : base + piece.tokens[last].end]
                return " ".join(text.split()).replace("`", "'")
    return ""


def _extent(found: Sequence[Token], number: int) -> tuple[int, int]:
    """The first and the last token of the statement or list element that the token belongs to."""
    first = last = number
    while first > 0 and found[first - 1].kind not in ("{", "}", ";", "(", ","):
        first -= 1
    depth = 0
    while last + 1 < len(found):
        kind = found[last + 1].kind
        if depth == 0 and kind in (";", ",", ")", "{", "}"):
            break
        depth += (kind in ("(", "[")) - (kind in (")", "]"))
        last += 1
    return first, last


def _line_of(snapshot: Snapshot, symbol: Symbol) -> str:
    place = names_of(snapshot.analysis).declaration(symbol)
    span = span_of(snapshot, place) if place is not None else None
    if span is None:
        return symbol.name
    text = snapshot.analysis.texts[span.file]
    start = text.rfind("\n", 0, span.start) + 1
    end = text.find("\n", span.end)
    return text[start : end if end >= 0 else len(text)].strip().removesuffix("{").strip()


def _declared_text(snapshot: Snapshot, symbol: Symbol) -> str:
    line = _declared_line(snapshot, symbol)
    return line.partition("=")[2].strip() or symbol.name


def _code(text: str) -> str:
    return f"```serq\n{text}\n```"
