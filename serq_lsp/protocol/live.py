"""Background runs of open documents and what they found, as the protocol's handlers see them."""

from __future__ import annotations

import asyncio
import atexit
import logging
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from serq_interpreter.frontend.analysis import Analysis
from serq_lsp.background.pool import Pool
from serq_lsp.background.request import Names, Wanted, wanted_of
from serq_lsp.background.simulation import Outcome, Runs, Simulations
from serq_lsp.protocol.documents import file_of
from serq_lsp.services.results.sites import Sites, sites_of
from serq_lsp.services.results.view import Past, RunView

if TYPE_CHECKING:
    from serq_interpreter.frontend.diagnostic import Diagnostic
    from serq_lsp.protocol.server import SerqServer
    from serq_lsp.services.run_hints import Hint
    from serq_lsp.services.settings import Settings
    from serq_lsp.services.snapshot import Snapshot

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Seen:
    """What the protocol remembers of a document beside its runs."""

    text: str = ""
    typed: tuple[int, int] | None = None
    """The offsets of the line that was edited last, until results of a run come in."""
    sites: Sites | None = None
    """Where things stood in the last text that meant what is shown."""
    hints: list[Hint] | None = None
    """The hints of the last answer."""
    sweeps: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Constant → the meaning of the text that was swept, and what came out in a line."""
    past: tuple[Outcome, Past] | None = None
    """The baseline as it is compared with."""
    explored: tuple[str, list[Diagnostic]] | None = None
    """The text that was explored, and what was found in it."""
    log: tuple[tuple[Any, ...], dict[str, Any]] | None = None
    """The last log of sessions, and of which run and sessions it is."""


class LiveResults:
    """One per server."""

    def __init__(self, server: SerqServer) -> None:
        self.server = server
        self.pool = Pool()
        self.simulations = Simulations(self._wanted, self._automatic, self.pool)
        self.seen: dict[str, Seen] = {}
        self._known: WeakKeyDictionary[Analysis, tuple[Settings, Wanted]] = WeakKeyDictionary()
        atexit.register(self.pool.kill_all)

    def runs(self, uri: str) -> Runs:
        """The simulation of an open document."""
        return self.simulations.runs(uri)

    def of(self, uri: str) -> Seen:
        """What is remembered of an open document."""
        return self.seen.setdefault(uri, Seen())

    # ------------------------------------------------------------------ what is shown

    def view(self, snapshot: Snapshot | None) -> RunView | None:
        """The results shown for a snapshot; `None` when nothing has run."""
        if snapshot is None or snapshot.uri not in self.simulations.documents:
            return None
        runs = self.runs(snapshot.uri)
        outcome = runs.shown
        if outcome is None:
            return None
        wanted = self.wanted_of(snapshot)
        stale = wanted is None or wanted.key != outcome.key
        seen = self.of(snapshot.uri)
        if not stale:
            seen.sites = sites_of(snapshot.analysis)
        if seen.sites is None:
            return None
        return RunView(
            snapshot=snapshot,
            sites=seen.sites,
            generation=outcome.generation,
            data=outcome.data,
            final=outcome.final,
            stale=stale,
            stopped=outcome.stopped,
            fault=outcome.fault,
            baseline=self.past(runs),
            instance=outcome.wanted.instance,
        )

    def past(self, runs: Runs) -> Past | None:
        """The baseline of a document, when it is another run than the one shown."""
        baseline, shown = runs.baseline, runs.shown
        if baseline is None or (shown is not None and baseline.key == shown.key and not runs.pinned):
            return None
        seen = self.of(runs.uri)
        if seen.past is None or seen.past[0] is not baseline or seen.past[1].pinned != runs.pinned:
            seen.past = (baseline, past_of(baseline, runs.pinned))
        return seen.past[1]

    def sweeps(self, snapshot: Snapshot) -> dict[str, str]:
        """Constant → the line of its last sweep, as far as the text means the same."""
        wanted = self.wanted_of(snapshot)
        known = self.of(snapshot.uri).sweeps
        return {name: text for name, (key, text) in known.items() if wanted is not None and key == wanted.key}

    # ------------------------------------------------------------------ what is to be run

    def wanted_of(self, snapshot: Snapshot) -> Wanted | None:
        """What a snapshot means; `None` with errors."""
        analysis = snapshot.analysis
        known = self._known.get(analysis)
        if known is not None and known[0] is snapshot.settings:
            return known[1]
        lowered = analysis.lowered
        if lowered is None:
            return None
        directory, label = self.directory(snapshot.uri), snapshot.instance.label
        wanted = wanted_of(lowered.program, directory, snapshot.settings.values, label)
        self._known[analysis] = (snapshot.settings, wanted)
        return wanted

    def directory(self, uri: str) -> str | None:
        """Where a relative trace of the program is looked up."""
        return os.path.dirname(file_of(uri)) if uri.startswith("file:") else None

    def _wanted(self, uri: str) -> Wanted | None:
        snapshot = self.server.snapshot(uri)
        return None if snapshot is None else self.wanted_of(snapshot)

    def _automatic(self, uri: str) -> bool:
        trigger = self.server.documents.settings_of(uri)["simulation.trigger"]
        return self.server.trusted and trigger != "manual"

    # ------------------------------------------------------------------ the end

    async def close(self) -> None:
        """End every process."""
        for uri in list(self.simulations.documents):
            self.simulations.closed(uri)
        try:
            await asyncio.wait_for(self.pool.close(), timeout=2.0)
        except TimeoutError:
            logger.error("a worker does not end")


def past_of(outcome: Outcome, pinned: bool) -> Past:
    """A run as something to compare with."""
    return Past(outcome.generation, pinned, outcome.data, _by_part(outcome.names))


def _by_part(names: Names) -> dict[str, tuple[str, ...]]:
    return {part: getattr(names, part) for part in ("observations", "gauges", "claims", "pools", "stages")}
