"""Go to definition, declaration, references, highlights and rename."""

from __future__ import annotations

import os
from dataclasses import dataclass

from serq_interpreter.catalog.vocabulary import (
    BUILTIN_ATTRIBUTES,
    LANGUAGE_WORDS,
    RETIRED_WORDS,
    SERVING_FORMS,
    SUPPLIED_NAMES,
)
from serq_interpreter.semantics.tree import Symbol
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.parser import GROUP_NAMES_EXCLUDED
from serq_interpreter.syntax.tokens import place_of
from serq_lsp.services.locations import Span, span_of
from serq_lsp.services.names import LANGUAGE_KINDS, is_lineage, names_of, symbol_at
from serq_lsp.services.snapshot import Snapshot
from serq_lsp.services.tokens import tokens


def definition(snapshot: Snapshot, offset: int) -> list[Span]:
    """Where the name under the cursor is declared; of a `use`, the library."""
    library = _library(snapshot, offset)
    if library is not None:
        return [library]
    found = symbol_at(snapshot, offset)
    if found is None:
        return []
    place = names_of(snapshot.analysis).declaration(found[1])
    span = span_of(snapshot, place) if place is not None else None
    return [span] if span is not None else []


def references(snapshot: Snapshot, offset: int, include_declaration: bool = True) -> list[Span]:
    """Every place that names what the cursor stands on, in order of file and place."""
    found = symbol_at(snapshot, offset)
    return [] if found is None else references_of(snapshot, found[1], include_declaration)


def references_of(snapshot: Snapshot, symbol: Symbol, include_declaration: bool = True) -> list[Span]:
    """Every place that names `symbol`."""
    index = names_of(snapshot.analysis)
    spans = [span_of(snapshot, place) for place in index.places.get((symbol.kind, symbol.name), {}).values()]
    declared = index.declaration(symbol)
    own = span_of(snapshot, declared) if declared is not None else None
    found = {span for span in spans if span is not None}
    if own is not None:
        found = found | {own} if include_declaration else found - {own}
    return sorted(found)


def shared(snapshot: Snapshot, offset: int) -> tuple[str, str] | None:
    """The definition under the cursor that other programs may use, too: the file of its own and its name."""
    found = symbol_at(snapshot, offset)
    if found is None or found[1].kind != "definition":
        return None
    home = home_of(snapshot, found[1].name)
    return None if home is None else (home, found[1].name)


def home_of(snapshot: Snapshot, name: str) -> str | None:
    """The file that a definition of a program stands in."""
    place = names_of(snapshot.analysis).declaration(Symbol("definition", name, None))
    span = span_of(snapshot, place) if place is not None else None
    return None if span is None else span.file


@dataclass(frozen=True, slots=True)
class Highlight:
    """`writes` says that the place declares or assigns."""

    span: Span
    writes: bool


def highlights(snapshot: Snapshot, offset: int) -> list[Highlight]:
    """The places of this file that name what the cursor stands on."""
    found = symbol_at(snapshot, offset)
    if found is None:
        return []
    symbol = found[1]
    writes = _writes(snapshot, symbol)
    return [
        Highlight(span, span.start in writes) for span in references_of(snapshot, symbol) if span.file == snapshot.file
    ]


def _writes(snapshot: Snapshot, symbol: Symbol) -> set[int]:
    """Offsets of the names that are declared, set, chosen, bound, observed or marked."""
    words = {"set", "choose", "observe", "mark", "let", "pool", "stage", "queue", "gauge", "claim", "state", "def"}
    found: set[int] = set()
    for base, piece in snapshot.document.sources[0].pieces:
        for before, token in zip(piece.tokens, piece.tokens[1:], strict=False):
            if before.text in words and token.kind == "NAME":
                found.add(base + token.start)
    declared = names_of(snapshot.analysis).declaration(symbol)
    span = span_of(snapshot, declared) if declared is not None else None
    if span is not None and span.file == snapshot.file:
        found.add(span.start)
    return found


def is_implied(text: str, symbol: Symbol) -> bool:
    """Whether a word of the language stands where a stage or a pool is meant: `prefill` for the engine that does it."""
    named = symbol.name.rpartition(".")[2]
    return (
        symbol.kind in ("stage", "pool") and text in LANGUAGE_WORDS and (named != text or named in ("latency", "nic"))
    )


class RenameProblem(Exception):
    """Why a rename is not possible, for the user."""


def prepare_rename(snapshot: Snapshot, offset: int) -> tuple[Span, str]:
    """The range and the name that a rename would change; raises `RenameProblem`."""
    found = symbol_at(snapshot, offset)
    if found is None:
        raise RenameProblem("there is no name here that can be renamed")
    at, symbol = found
    of_language = symbol.kind == "attribute" and symbol.name in BUILTIN_ATTRIBUTES
    if symbol.kind in LANGUAGE_KINDS or of_language or is_lineage(symbol):
        raise RenameProblem(f"`{at.token.text}` belongs to the language")
    if is_implied(at.token.text, symbol):
        raise RenameProblem(f"`{at.token.text}` is a word of the language; the {symbol.kind} meant is `{symbol.name}`")
    if symbol.kind == "stage" and symbol.name in SERVING_FORMS and _is_verb(snapshot, symbol):
        raise RenameProblem(f"`{symbol.name}` is also written as a statement: there it is a word of the language")
    if symbol.kind == "entry":
        raise RenameProblem(f"`{at.token.text}` is the name of a role's entry: the role fixes it")
    return Span(snapshot.file, at.start, at.end), at.token.text


def _is_verb(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether a stage named as a serving form (`tool`) is also used by the statement of that name."""
    own = {span.start for span in references_of(snapshot, symbol) if span.file == snapshot.file}
    before = ""
    for at in tokens(snapshot):
        if at.start in own and before in ("{", "}", ";"):
            return True
        before = at.token.text
    return False


def rename(snapshot: Snapshot, offset: int, new_name: str) -> dict[str, list[Span]]:
    """The places to write `new_name` at, by file; raises `RenameProblem` where it would not mean the same."""
    prepare_rename(snapshot, offset)
    found = symbol_at(snapshot, offset)
    assert found is not None
    at, symbol = found
    _check_name(snapshot, symbol, new_name)
    places: dict[str, list[Span]] = {}
    old = at.token.text
    texts = snapshot.analysis.texts
    for span in references_of(snapshot, symbol):
        if texts[span.file][span.start : span.end] == old:
            places.setdefault(span.file, []).append(span)
    return places


def _check_name(snapshot: Snapshot, symbol: Symbol, name: str) -> None:
    if not (name.isidentifier() or name.replace("²", "x").isidentifier()):
        raise RenameProblem(f"`{name}` is not a name: a name is a letter or `_`, then letters, digits and `_`")
    if symbol.kind in ("definition", "parameter") and name in LANGUAGE_WORDS:
        raise RenameProblem(f"`{name}` is a word of the language, so it cannot name a {symbol.kind}")
    if symbol.kind in ("constant", "attribute", "register", "binding") and name in SUPPLIED_NAMES:
        raise RenameProblem(f"`{name}` is supplied by the language, so it cannot name a {symbol.kind}")
    if (
        symbol.kind in ("constant", "attribute", "binding", "claim", "definition", "parameter")
        and name in RETIRED_WORDS
    ):
        raise RenameProblem(f"`{name}` is a word of an older edition, so it cannot name a {symbol.kind}")
    if symbol.kind == "group" and name in GROUP_NAMES_EXCLUDED:
        raise RenameProblem(f"`join {name};` would be read as two statements, so it cannot name a group")
    clash = _CLASHES.get(symbol.kind, (symbol.kind,))
    places = names_of(snapshot.analysis).places
    for kind in clash:
        if (kind, name) in places:
            raise RenameProblem(f"there is a {kind} `{name}` already")


_CLASHES = {
    "constant": ("constant", "attribute", "register", "definition"),
    "attribute": ("constant", "attribute", "register", "binding"),
    "binding": ("constant", "attribute", "register", "binding"),
    "register": ("constant", "attribute", "register", "pool", "stage", "definition"),
    "pool": ("pool", "register", "definition"),
    "stage": ("stage", "register", "definition", "queue"),
    "queue": ("queue", "stage"),
    "observation": ("observation", "gauge"),
    "gauge": ("gauge", "observation"),
    "definition": ("definition", "pool", "stage", "constant"),
}


def _library(snapshot: Snapshot, offset: int) -> Span | None:
    for start, end, file in linked_files(snapshot):
        if start <= offset <= end:
            return Span(file, 0, 0)
    return None


def linked_files(snapshot: Snapshot) -> list[tuple[int, int, str]]:
    """The strings of `use` and `trace`: start and end without the quotes, and the file they mean."""
    found = []
    for item in snapshot.document.tree.items:
        paths = []
        if isinstance(item, nodes.UseItem):
            paths.append(item.path)
        elif isinstance(item, nodes.WorkloadItem):
            paths.extend(clause.path for clause in item.clauses if isinstance(clause, nodes.TraceClause))
        for path in paths:
            span = span_of(snapshot, place_of(path))
            if span is not None and span.file == snapshot.file and path.text:
                file = os.path.normpath(os.path.join(os.path.dirname(snapshot.file), path.text.strip('"')))
                found.append((span.start + 1, max(span.start + 1, span.end - 1), file))
    return found
