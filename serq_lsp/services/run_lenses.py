"""Code lenses: run, stop, compare, explain, sweep and explore, where they belong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import place_of
from serq_lsp.services.results.sites import named_now, own_span, run_word
from serq_lsp.services.results.verdict import verdict_of
from serq_lsp.services.results.view import RunView
from serq_lsp.services.snapshot import Snapshot

MOST_SWEEPS = 40


@dataclass(frozen=True, slots=True)
class Lens:
    """`command` with its arguments after the document's URI; an empty command is a text only.

    Of a lens with a `pool` the title is found when it is resolved (`services.guarantee`).
    """

    start: int
    end: int
    title: str
    command: str
    arguments: list[Any] = field(default_factory=list)
    pool: str = ""


def run_lenses(
    snapshot: Snapshot,
    view: RunView | None,
    *,
    running: bool,
    client: frozenset[str] = frozenset(),
    explores: bool = False,
    sweeps: Mapping[str, str] | None = None,
) -> list[Lens]:
    """The lenses of a document.  `client` are the commands that the client offers, `sweeps` what sweeps of constants
    came to."""
    word = own_span(snapshot, run_word(snapshot.analysis))
    if word is None or snapshot.analysis.is_library:
        return []
    found = [Lens(word.start, word.end, *item) for item in _of_run(view, running, client, explores)]
    found.extend(_of_observations(snapshot, view))
    found.extend(_of_constants(snapshot, sweeps or {}))
    found.extend(_of_pools(snapshot))
    return sorted(found, key=lambda lens: lens.start)


def _of_run(
    view: RunView | None, running: bool, client: frozenset[str], explores: bool
) -> Iterator[tuple[str, str, list[Any]]]:
    yield ("■ stop", "serq.stop", []) if running else ("▶ run", "serq.run", [])
    if view is not None and view.measured:
        yield verdict_of(view).message, "", []
        if view.final:
            yield "pin as baseline", "serq.pinBaseline", []
            yield "open events", "serq.events", []
        if view.baseline is not None:
            yield "compare with baseline", "serq.compare", []
        if "serq.openResults" in client:
            yield "open results", "serq.openResults", []
    if explores:
        yield "explore", "serq.explore", []


def _of_observations(snapshot: Snapshot, view: RunView | None) -> Iterator[Lens]:
    """Explain the slowest at each observation that has samples."""
    if view is None or not view.measured:
        return
    for site, row in zip(view.sites.observations, view.observations(), strict=False):
        place = site.at if own_span(snapshot, site.at) is not None else named_now(snapshot, "observations", site.name)
        span = own_span(snapshot, place)
        if span is not None and row["count"]:
            title = f"explain the slowest {site.name}"
            yield Lens(span.start, span.end, title, "serq.explainSlowest", [{"observation": site.name}])


def _of_pools(snapshot: Snapshot) -> Iterator[Lens]:
    """What is guaranteed of each pool that can preempt, in a program without errors."""
    if snapshot.analysis.has_errors:
        return
    for pool in snapshot.analysis.elaborated.pools.values():
        span = own_span(snapshot, pool.name_at)
        if pool.preempt is not None and span is not None:
            yield Lens(span.start, span.end, "", "", pool=pool.name)


def _of_constants(snapshot: Snapshot, sweeps: Mapping[str, str]) -> Iterator[Lens]:
    """Sweep each constant of the document that is a number other than 0."""
    constants = snapshot.analysis.elaborated.constants
    count = 0
    for item in snapshot.document.tree.items:
        if not isinstance(item, nodes.LetItem) or not constants.get(item.name.text) or count >= MOST_SWEEPS:
            continue
        span = own_span(snapshot, place_of(item.name))
        if span is not None and item.name.chunk in snapshot.document.sources[0].layout.offsets:
            count += 1
            name = item.name.text
            title = sweeps.get(name, f"sweep {name}")
            yield Lens(span.start, span.end, title, "serq.sweep", [{"constant": name}])
