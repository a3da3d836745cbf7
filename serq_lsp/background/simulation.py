"""The simulations of open documents: when a run starts, which results are shown, and whether they are still true.

An edit that changes the meaning makes what is shown stale at once and ends its run; after a pause a new one starts.
Results replace older ones as a whole.  An edit of names, comments or layout changes nothing here.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from serq_lsp.background.messages import Message
from serq_lsp.background.pool import Job, Pool
from serq_lsp.background.request import Names, Wanted
from serq_lsp.background.store import Store

logger = logging.getLogger(__name__)


def has_measured(data: Message) -> bool:
    """Whether a run that has not failed has got beyond its warm-up."""
    report = data.get("report") or {}
    return not report or bool(report["end"] > report["warmup"])


State = Literal["idle", "running", "stale", "failed"]

LOOK = 0.01
"""Seconds after an edit when its meaning is looked at; the keystroke's own requests come first."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a run has come to so far.  `data` is `measuring.measure`'s; `fault` says why there is none."""

    generation: int
    key: str
    data: dict[str, Any]
    wanted: Wanted
    final: bool
    stopped: bool = False
    fault: str | None = None

    @property
    def names(self) -> Names:
        """What things were called then."""
        return self.wanted.names

    @property
    def failed(self) -> bool:
        return self.fault is not None or self.data.get("status") == "failed"

    @property
    def comparable(self) -> bool:
        """Whether others can be compared with it: it has ended, and is no shorter run."""
        return self.final and not self.failed and "instead_of" not in self.data


@dataclass(eq=False)
class Runs:
    """The simulation of one document."""

    uri: str
    generation: int = 0
    key: str | None = None
    """The meaning of the text when last looked at; `None` when it has errors."""
    shown: Outcome | None = None
    baseline: Outcome | None = None
    pinned: bool = False
    job: Job | None = None
    looked: bool = False
    timers: list[asyncio.TimerHandle] = field(default_factory=list)
    waiters: list[asyncio.Future[None]] = field(default_factory=list)
    told: object = None
    progress: float = 0.0
    """How far the run under way is, 0 to 1."""

    @property
    def stale(self) -> bool:
        """Whether the text means something else than what is shown."""
        return self.shown is not None and self.looked and self.shown.key != self.key

    @property
    def state(self) -> State:
        if self.job is not None:
            return "running"
        if self.stale:
            return "stale"
        if self.shown is not None and self.shown.failed:
            return "failed"
        return "idle"


class Simulations:
    """The simulations of all open documents.  `wanted` gives what a document means now, `None` with errors."""

    def __init__(self, wanted: Callable[[str], Wanted | None], automatic: Callable[[str], bool], pool: Pool) -> None:
        self.wanted = wanted
        self.automatic = automatic
        """Whether runs of a document start without being asked for."""
        self.pool = pool
        self.store = Store()
        self.documents: dict[str, Runs] = {}
        self.on_status: list[Callable[[str], None]] = []
        self.on_results: list[Callable[[str, int, bool], None]] = []
        self.on_fault: list[Callable[[str, str], None]] = []

    def runs(self, uri: str) -> Runs:
        """The simulation of a document."""
        return self.documents.setdefault(uri, Runs(uri))

    # ------------------------------------------------------------------ what happens to documents

    def changed(self, uri: str, pause: float) -> None:
        """The text or what it depends on changed: look at its meaning, and run it after `pause` seconds."""
        runs = self.runs(uri)
        self.pool.use(uri)
        self._forget_timers(runs)
        loop = asyncio.get_running_loop()
        runs.timers = [loop.call_later(LOOK, self._look_ahead, uri)]
        if pause >= 0.0:
            runs.timers.append(loop.call_later(max(pause, LOOK), self._start_if_new, uri))

    def look(self, uri: str) -> Wanted | None:
        """Compare the text's meaning with what is shown and what runs."""
        runs = self.runs(uri)
        wanted = self.wanted(uri)
        key = None if wanted is None else wanted.key
        if runs.looked and key == runs.key:
            return wanted
        runs.looked = True
        runs.key = key
        if runs.job is not None:
            self._cancel(runs)
        shown = runs.shown
        if shown is not None and shown.key != key and shown.comparable and not runs.pinned:
            runs.baseline = shown
        self._tell_status(runs, force=True)
        return wanted

    def _look_ahead(self, uri: str) -> None:
        """Look at the meaning; where it will be run after the pause, a worker gets ready during the pause."""
        wanted = self.look(uri)
        runs = self.runs(uri)
        if wanted is not None and self.automatic(uri) and (runs.shown is None or runs.shown.key != wanted.key):
            self.pool.prepare()

    def closed(self, uri: str) -> None:
        """The document was closed: its run ends, its results are forgotten."""
        runs = self.documents.pop(uri, None)
        if runs is None:
            return
        self._forget_timers(runs)
        self._cancel(runs)
        if uri in self.pool.recent:
            self.pool.recent.remove(uri)

    def _start_if_new(self, uri: str) -> None:
        """The pause is over."""
        if uri not in self.documents:
            return
        wanted = self.look(uri)
        runs = self.runs(uri)
        if wanted is None or not self.automatic(uri):
            return
        if runs.job is None and (runs.shown is None or runs.shown.key != wanted.key):
            self._start(runs, wanted, fresh=False)

    # ------------------------------------------------------------------ commands

    def run(self, uri: str, *, fresh: bool) -> int | None:
        """Start a run now; the generation it will have.  `None` when the program has errors."""
        wanted = self.look(uri)
        if wanted is None:
            return None
        runs = self.runs(uri)
        self.pool.use(uri)
        self._forget_timers(runs)
        if runs.job is not None and not fresh:
            return runs.generation
        self._cancel(runs)
        current = runs.shown
        if not fresh and current is not None and current.key == wanted.key and current.final and not current.stopped:
            return current.generation
        self._start(runs, wanted, fresh=fresh)
        return runs.generation

    async def finished(self, uri: str) -> None:
        """Wait until the document's run has ended."""
        runs = self.runs(uri)
        if runs.job is not None:
            waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            runs.waiters.append(waiter)
            await waiter

    def stop(self, uri: str) -> bool:
        """End the document's run; what it has found stays."""
        runs = self.runs(uri)
        self._forget_timers(runs)
        if runs.job is None:
            return False
        self._cancel(runs)
        shown = runs.shown
        if shown is not None and shown.generation == runs.generation and not shown.final:
            stopped = Outcome(shown.generation, shown.key, shown.data, shown.wanted, final=True, stopped=True)
            self._show(runs, stopped)
        self._tell_status(runs, force=True)
        return True

    def pin(self, uri: str, unpin: bool) -> Outcome | None:
        """Make what is shown the baseline until it is unpinned."""
        runs = self.runs(uri)
        if unpin:
            runs.pinned = False
        elif runs.shown is not None and runs.shown.comparable:
            runs.pinned, runs.baseline = True, runs.shown
        return runs.baseline

    # ------------------------------------------------------------------ runs

    def _start(self, runs: Runs, wanted: Wanted, *, fresh: bool) -> None:
        runs.generation += 1
        runs.progress = 0.0
        generation = runs.generation
        known = None if fresh else self.store.get(wanted.key)
        if known is not None:
            self._show(runs, Outcome(generation, wanted.key, known, wanted, final=True))
            self._tell_status(runs)
            return

        def report(data: Message) -> None:
            if runs.job is job:
                runs.progress = data.get("progress", 0.0)
                if not data["final"] and not has_measured(data):
                    self._tell_status(runs, force=True)  # older numbers are worth more than none
                    return
                if data["final"] and data["status"] != "failed":
                    self.store.put(wanted.key, data)
                self._show(runs, Outcome(generation, wanted.key, data, wanted, final=data["final"]))

        def ended(fault: str | None) -> None:
            if runs.job is not job:
                return
            runs.job = None
            if fault is not None:
                self._show(runs, Outcome(generation, wanted.key, {}, wanted, final=True, fault=fault))
                for listener in self.on_fault:
                    listener(runs.uri, fault)
            self._wake(runs)
            self._tell_status(runs)

        def order() -> dict[str, Any]:
            return wanted.order() | {"shorter": wanted.settings["simulation.shorterRuns"]}

        job = Job(runs.uri, order, wanted.seconds, report, ended)
        runs.job = job
        self.pool.submit(job)
        self._tell_status(runs)

    def _cancel(self, runs: Runs) -> None:
        job, runs.job = runs.job, None
        if job is not None:
            self.pool.cancel(job)
            self._wake(runs)

    def _show(self, runs: Runs, outcome: Outcome) -> None:
        runs.shown = outcome
        for listener in self.on_results:
            listener(runs.uri, outcome.generation, outcome.final)
        self._tell_status(runs)

    def _wake(self, runs: Runs) -> None:
        waiters, runs.waiters = runs.waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    def _forget_timers(self, runs: Runs) -> None:
        for timer in runs.timers:
            timer.cancel()
        runs.timers = []

    def _tell_status(self, runs: Runs, force: bool = False) -> None:
        shown = runs.shown
        now = (runs.state, runs.generation, shown)
        if force or now != runs.told:
            runs.told = now
            for listener in self.on_status:
                listener(runs.uri)
