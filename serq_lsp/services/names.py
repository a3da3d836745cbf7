"""What the names of a text mean: one index per snapshot, shared by definition, references, rename, hover and colours."""

from __future__ import annotations

from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from serq_interpreter.catalog.vocabulary import LINEAGE
from serq_interpreter.frontend.analysis import Analysis
from serq_interpreter.semantics.tree import Symbol
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Chunk, Place, Token, place_of
from serq_lsp.services.snapshot import Snapshot
from serq_lsp.services.tokens import At, token_at

Key = tuple[str, str]
"""(kind, full name): two names mean the same thing when their keys are equal."""

LANGUAGE_KINDS = frozenset(("function", "distribution", "context", "builtin", "self"))
"""Kinds that the language itself declares: nothing to rename."""

ATTRIBUTE_KINDS = frozenset(("attribute", "binding"))


@dataclass(slots=True)
class NameIndex:
    """`symbols` maps the place of a name token to its meaning; `places` each key to all places that name it."""

    symbols: dict[tuple[int, int], Symbol] = field(default_factory=dict)
    places: dict[Key, dict[tuple[int, int], Place]] = field(default_factory=dict)
    declarations: dict[Key, Place] = field(default_factory=dict)

    def add(self, place: Place, symbol: Symbol, declares: bool = False) -> None:
        """Record that the name at `place` means `symbol`."""
        where = (id(place.chunk), place.start)
        known = self.symbols.get(where)
        if known is not None and known.kind == "parameter":
            return
        self.symbols[where] = symbol
        key = (symbol.kind, symbol.name)
        places = self.places.get(key)
        if places is None:
            places = self.places[key] = {}
        places[where] = place if place.via is None else Place(place.chunk, place.start, place.end)
        if declares:
            self.declarations.setdefault(key, place)

    def symbol(self, chunk: Chunk, start: int) -> Symbol | None:
        """The meaning of the name token at `start` of `chunk`."""
        return self.symbols.get((id(chunk), start))

    def declaration(self, symbol: Symbol) -> Place | None:
        """Where a symbol is declared (for an attribute: first assigned)."""
        return self.declarations.get((symbol.kind, symbol.name)) or symbol.declared


_INDICES: WeakKeyDictionary[Analysis, NameIndex] = WeakKeyDictionary()


def names_of(analysis: Analysis) -> NameIndex:
    """The index of an analysis, built once."""
    known = _INDICES.get(analysis)
    if known is None:
        known = _INDICES[analysis] = _build(analysis)
    return known


def is_lineage(symbol: Symbol) -> bool:
    """Whether a name means the attribute `parent` or `depth` that edition v4b supplies."""
    return symbol.kind == "attribute" and symbol.name in LINEAGE and symbol.declared is None


def symbol_at(snapshot: Snapshot, offset: int) -> tuple[At, Symbol] | None:
    """The name under the cursor and what it means."""
    found = token_at(snapshot, offset)
    if found is None or found.token.kind != "NAME":
        return None
    symbol = names_of(snapshot.analysis).symbol(found.token.chunk, found.token.start)
    return None if symbol is None else (found, symbol)


def _build(analysis: Analysis) -> NameIndex:
    index = NameIndex()
    _definitions(index, analysis)
    _entries(index, analysis)
    elaborated = analysis.elaborated
    queues = {item.name.text: item.name for item in analysis.document.tree.items if isinstance(item, nodes.QueueItem)}
    bound = {symbol.declared for symbol in elaborated.uses.values() if symbol.kind == "binding"}
    for token, symbol in elaborated.uses.items():
        if symbol.kind == "attribute" and symbol.declared is not None and symbol.declared in bound:
            # A body reads what the header bound as an attribute.
            symbol = Symbol("binding", symbol.name, symbol.declared)
        elif symbol.kind == "stage" and symbol.name in queues and token.text == symbol.name:
            # The engine of a queue is called as the queue is.
            symbol = Symbol("queue", symbol.name, place_of(queues[symbol.name]))
        index.add(place_of(token), symbol)
    for name, place in elaborated.attributes.items():
        index.declarations.setdefault(("attribute", name), place)
    for name, place in elaborated.observations.items():
        index.declarations.setdefault(("observation", name), place)
    for name, place in elaborated.groups.items():
        index.declarations.setdefault(("group", name), place)
    _declared(index, analysis)
    return index


def _declared(index: NameIndex, analysis: Analysis) -> None:
    """Declarations themselves name what they declare, also where nothing uses it."""
    elaborated = analysis.elaborated
    for kind, found in (
        ("pool", elaborated.pools.values()),
        ("stage", elaborated.stages.values()),
        ("gauge", elaborated.gauges),
        ("claim", elaborated.claims),
        ("register", elaborated.registers.values()),
    ):
        for declared in found:
            where = (id(declared.name_at.chunk), declared.name_at.start)
            known = index.symbols.get(where)
            symbol = known if known is not None else Symbol(kind, declared.name, declared.name_at)
            index.add(declared.name_at, symbol, declares=True)
    for item in analysis.document.tree.items:
        match item:
            case nodes.LetItem():
                _declare(index, "constant", item.name)
            case nodes.QueueItem():
                _declare(index, "queue", item.name)
                for part in item.parts:
                    if isinstance(part, nodes.EntryDecl):
                        entry = Symbol("entry", f"{item.name.text}.{part.verb.text}", place_of(part.verb))
                        index.add(place_of(part.verb), entry, declares=True)
            case _:
                pass


def _entries(index: NameIndex, analysis: Analysis) -> None:
    """The parameters of queues' entries, inside the entries."""
    for item in analysis.document.tree.items:
        if not isinstance(item, nodes.QueueItem):
            continue
        for part in item.parts:
            if isinstance(part, nodes.EntryDecl):
                _entry_parameters(index, analysis, f"{item.name.text}.{part.verb.text}", part)


def _entry_parameters(index: NameIndex, analysis: Analysis, entry: str, part: nodes.EntryDecl) -> None:
    """What a call hands to an entry: the names of its list, and its source."""
    names = [*(part.parameters or ()), *([part.source] if part.source is not None else [])]
    if not names:
        return
    called = entry if part.source is None else f"{entry} from"
    parameters = {name.text: Symbol("parameter", f"{called}({name.text})", place_of(name)) for name in names}
    for name in names:
        index.add(place_of(name), parameters[name.text], declares=True)
    for source in analysis.document.sources:
        for _, piece in source.pieces:
            if not piece.tokens or piece.tokens[0].chunk is not part.verb.chunk:
                continue
            for before, token in zip(piece.tokens, piece.tokens[1:], strict=False):
                inside = part.place.start <= token.start and token.end <= part.place.end
                if inside and token.text in parameters and before.kind != ".":
                    index.add(place_of(token), parameters[token.text])


def _declare(index: NameIndex, kind: str, name: Token) -> None:
    index.add(place_of(name), Symbol(kind, name.text, place_of(name)), declares=True)


def _definitions(index: NameIndex, analysis: Analysis) -> None:
    """Definitions, their parameters inside their bodies, and every use by name."""
    known: dict[str, Symbol] = {}
    for definition in analysis.document.tree.definitions:
        item = definition.item
        symbol = known.setdefault(item.name.text, Symbol("definition", item.name.text, place_of(item.name)))
        index.add(place_of(item.name), symbol, declares=True)
        parameters = {
            name.text: Symbol("parameter", f"{item.name.text}({name.text})", place_of(name)) for name in item.parameters
        }
        for name in item.parameters:
            index.add(place_of(name), parameters[name.text], declares=True)
        for token in item.tokens or ():
            if token.kind == "NAME" and token.text in parameters:
                index.add(place_of(token), parameters[token.text])
    if not known:
        return
    for source in analysis.document.sources:
        for _, piece in source.pieces:
            for token, after in zip(piece.tokens, piece.tokens[1:], strict=False):
                if after.kind == "(" and token.kind == "NAME" and token.text in known:
                    index.add(place_of(token), known[token.text])
