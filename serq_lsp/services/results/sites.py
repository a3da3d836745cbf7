"""Where the things that a run has numbers for stand in the text, by their index in the kernel.

Places belong to chunks of the text: one that an edit elsewhere moves is still found, one whose own text was edited is
not (`own_span` is then `None`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from serq_interpreter.frontend.analysis import Analysis
from serq_interpreter.ir import program as ir
from serq_interpreter.ir.deep import deep_recursion
from serq_interpreter.ir.lower import Lowered
from serq_interpreter.ir.walk import roots, statements
from serq_interpreter.semantics import tree
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Chunk, Place, place_of
from serq_lsp.services.locations import Span
from serq_lsp.services.snapshot import Snapshot

if TYPE_CHECKING:
    from serq_interpreter.machine.automaton import Automaton


@dataclass(frozen=True, slots=True)
class Site:
    """A declared thing; `label` is `kv[1]` for a member of a family, `at` the whole declaration."""

    label: str
    name: str
    index: int | None
    name_at: Place
    at: Place
    others: tuple[Place, ...] = field(default=())
    """An observation's further statements."""


@dataclass(frozen=True, eq=False)
class Sites:
    """The sites of a program without errors."""

    analysis: Analysis
    lowered: Lowered
    observations: tuple[Site, ...]
    gauges: tuple[Site, ...]
    claims: tuple[Site, ...]
    pools: tuple[Site, ...]
    stages: tuple[Site, ...]
    run: Place | None
    """The word `run`, or `workload` where there is no `run`."""
    arrival: Place | None

    @property
    def program(self) -> ir.Program:
        return self.lowered.program

    @cached_property
    def automaton(self) -> Automaton:
        """The automaton, whose states workers name by number."""
        from serq_interpreter.machine.compile_automaton import compile_automaton  # not before something has run

        with deep_recursion():
            return compile_automaton(self.program)

    def state(self, number: int | None) -> Place | None:
        """The statement of a state."""
        node = self.state_node(number)
        return None if node is None else self.lowered.origins.get(node)

    def state_node(self, number: int | None) -> Any:
        """The kernel statement of a state."""
        if number is None or not 0 <= number < len(self.automaton.states):
            return None
        return self.automaton.states[number].node

    def hold_word(self, number: int | None, pool: int | None = None) -> Place | None:
        """Where a hold asks for a pool, or its word where it does not say."""
        node = self.state_node(number)
        if not isinstance(node, ir.Hold):
            return None if node is None else self.lowered.origins.get(node)
        origins = self.lowered.origins
        for take in node.admission.takes:
            if pool is not None and take.pool.base <= pool < take.pool.base + take.pool.count:
                return origins.get(take) or origins.get(node.admission)
        return origins.get(node.admission) or origins.get(node)

    def cap(self, pool: int) -> Place:
        """Where a pool's cap is written, else its name."""
        declared = self.analysis.elaborated.pools.get(self.pools[pool].name)
        return declared.cap_at if declared is not None and declared.cap_at is not None else self.pools[pool].name_at


_KNOWN: WeakKeyDictionary[Analysis, Sites] = WeakKeyDictionary()


def sites_of(analysis: Analysis) -> Sites | None:
    """The sites of an analysis, built once; `None` for a text with errors."""
    known = _KNOWN.get(analysis)
    if known is None and analysis.lowered is not None:
        known = _KNOWN[analysis] = _build(analysis, analysis.lowered)
    return known


def own_span(snapshot: Snapshot, place: Place | None) -> Span | None:
    """Where a place stands in the document itself: for what a library's definition wrote, where it was used.

    A place of an earlier version is found where its item still has the same text.
    """
    while place is not None:
        base = _offset_of(snapshot, place.chunk)
        if base is not None:
            return Span(snapshot.file, base + place.start, base + place.end)
        place = None if place.via is None else place_of(place.via.use)
    return None


_BY_TEXT: WeakKeyDictionary[Analysis, dict[str, int]] = WeakKeyDictionary()


def _offset_of(snapshot: Snapshot, chunk: Chunk) -> int | None:
    offsets = snapshot.document.sources[0].layout.offsets
    if chunk in offsets:
        return offsets[chunk]
    if chunk.file != snapshot.file:
        return None
    by_text = _BY_TEXT.get(snapshot.analysis)
    if by_text is None:
        by_text = _BY_TEXT[snapshot.analysis] = {one.text: offset for one, offset in offsets.items()}
    return by_text.get(chunk.text)


def named_now(snapshot: Snapshot, part: str, name: str) -> Place | None:
    """Where a thing of that name stands in today's text, which need not be free of errors."""
    elaborated = snapshot.analysis.elaborated
    match part:
        case "observations":
            return elaborated.observations.get(name)
        case "pools":
            pool = elaborated.pools.get(name)
            return None if pool is None else pool.name_at
        case "stages":
            stage = elaborated.stages.get(name)
            return None if stage is None else stage.name_at
        case "gauges":
            return next((item.at for item in elaborated.gauges if item.name == name), None)
        case "claims":
            return next((item.at for item in elaborated.claims if item.name == name), None)
        case _:
            return run_word(snapshot.analysis)


def _build(analysis: Analysis, lowered: Lowered) -> Sites:
    elaborated = analysis.elaborated
    arrival = elaborated.arrival
    return Sites(
        analysis,
        lowered,
        observations=tuple(_observations(elaborated, lowered)),
        gauges=tuple(_named(elaborated.gauges)),
        claims=tuple(_named(elaborated.claims)),
        pools=tuple(_families(elaborated.pools)),
        stages=tuple(_families(elaborated.stages)),
        run=run_word(analysis),
        arrival=None if arrival is None else arrival.at,
    )


def _observations(elaborated: tree.Elaborated, lowered: Lowered) -> Iterator[Site]:
    places: dict[int, list[Place]] = {}
    for root in roots(lowered.program):
        for statement in statements(root):
            if isinstance(statement, ir.Observe):
                place = lowered.origins.get(statement)
                if place is not None:
                    places.setdefault(statement.observation, []).append(place)
    for index, (name, first) in enumerate(elaborated.observations.items()):
        found = places.get(index, [first])
        yield Site(name, name, None, first, found[0], tuple(found[1:]))


def _named(declared: list[tree.Gauge] | list[tree.Claim]) -> Iterator[Site]:
    for item in declared:
        yield Site(item.name, item.name, None, item.name_at, item.at)


def _families(declared: dict[str, tree.Pool] | dict[str, tree.Stage]) -> Iterator[Site]:
    for item in declared.values():
        if item.size is None:
            yield Site(item.name, item.name, None, item.name_at, item.at)
        else:
            for member in range(item.size):
                yield Site(f"{item.name}[{member}]", item.name, member, item.name_at, item.at)


def run_word(analysis: Analysis) -> Place | None:
    """The word `run`, or `workload` where there is no `run`."""
    workload = None
    for item in analysis.document.tree.items:
        if isinstance(item, nodes.RunItem):
            return place_of(item.word)
        if isinstance(item, nodes.WorkloadItem):
            workload = place_of(item.word)
    return workload
