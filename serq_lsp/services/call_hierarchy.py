"""Call hierarchy over definitions and the entries of queues."""

from __future__ import annotations

from dataclasses import dataclass

from serq_interpreter.semantics.tree import Symbol
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Place, place_of
from serq_lsp.services.definition import references_of
from serq_lsp.services.locations import Span, span_of
from serq_lsp.services.names import names_of, symbol_at
from serq_lsp.services.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Callable:
    """A definition, an entry, or a block that calls (`kind` is definition, entry or block)."""

    name: str
    kind: str
    whole: Span
    own: Span


@dataclass(frozen=True, slots=True)
class Call:
    """Who calls or is called, and where the calls stand."""

    other: Callable
    at: tuple[Span, ...]


def prepare(snapshot: Snapshot, offset: int) -> Callable | None:
    """The definition or entry under the cursor."""
    found = symbol_at(snapshot, offset)
    if found is None or found[1].kind not in ("definition", "entry"):
        return None
    return _callables(snapshot).get((found[1].kind, found[1].name))


def incoming(snapshot: Snapshot, kind: str, name: str) -> list[Call]:
    """Who uses the definition or calls the entry."""
    everything = _callables(snapshot)
    target = everything.get((kind, name))
    if target is None:
        return []
    calls: dict[tuple[str, str], list[Span]] = {}
    for span in references_of(snapshot, Symbol(kind, name, None), include_declaration=False):
        around = _around(everything, span)
        if around is not None and around != (kind, name):
            calls.setdefault(around, []).append(span)
    return [Call(everything[key], tuple(spans)) for key, spans in calls.items()]


def outgoing(snapshot: Snapshot, kind: str, name: str) -> list[Call]:
    """What the definition or entry uses or calls."""
    everything = _callables(snapshot)
    source = everything.get((kind, name))
    if source is None:
        return []
    calls: list[Call] = []
    for key, other in everything.items():
        if key[0] == "block" or key == (kind, name):
            continue
        spans = references_of(snapshot, Symbol(*key, None), include_declaration=False)
        inside = tuple(span for span in spans if _contains(source.whole, span))
        if inside:
            calls.append(Call(other, inside))
    return calls


def _callables(snapshot: Snapshot) -> dict[tuple[str, str], Callable]:
    found: dict[tuple[str, str], Callable] = {}
    names_of(snapshot.analysis)
    for definition in snapshot.document.tree.definitions:
        item = definition.item
        _add(snapshot, found, "definition", definition.name, item, place_of(item.name))
    for program_item in snapshot.document.tree.items:
        match program_item:
            case nodes.QueueItem():
                for part in program_item.parts:
                    if isinstance(part, nodes.EntryDecl):
                        name = f"{program_item.name.text}.{part.verb.text}"
                        _add(snapshot, found, "entry", name, part, place_of(part.verb))
            case nodes.SessionItem() | nodes.ServerItem() | nodes.WorkloadItem():
                word = program_item.word
                _add(snapshot, found, "block", word.text, program_item, place_of(word))
            case _:
                pass
    return found


def _add(
    snapshot: Snapshot,
    found: dict[tuple[str, str], Callable],
    kind: str,
    name: str,
    node: nodes.Node,
    own: Place,
) -> None:
    whole, name_span = span_of(snapshot, node.place), span_of(snapshot, own)
    if whole is not None and name_span is not None:
        found.setdefault((kind, name), Callable(name, kind, whole, name_span))


def _around(everything: dict[tuple[str, str], Callable], span: Span) -> tuple[str, str] | None:
    best: tuple[str, str] | None = None
    for key, item in everything.items():
        if _contains(item.whole, span) and (best is None or _contains(everything[best].whole, item.whole)):
            best = key
    return best


def _contains(outer: Span, inner: Span) -> bool:
    return outer.file == inner.file and outer.start <= inner.start and inner.end <= outer.end
