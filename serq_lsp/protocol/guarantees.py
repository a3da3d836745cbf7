"""What the progress theorem says, worked out beside the protocol: no request waits for long.

A long program takes the theorem tens of milliseconds.  A thread works it out in the pause after an edit, or when somebody
points at a pool before that; other requests are answered meanwhile.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from serq_lsp.services.guarantee import answers_of, given_up, is_open, keep, under_way

if TYPE_CHECKING:
    from serq_interpreter.frontend.analysis import Analysis
    from serq_lsp.protocol.server import SerqServer
    from serq_lsp.services.snapshot import Snapshot

AFTER = 0.15
"""Seconds after an edit: the requests that come with it are answered, and the run has not started yet."""
HOVER_WAITS = 0.008
"""Seconds that a hover of a short text waits for what makes it complete."""
LONG_TEXT = 30_000
"""Characters from which on that would not be enough."""


class Guarantees:
    """One per server."""

    def __init__(self, ls: SerqServer) -> None:
        self.ls = ls
        self._tasks: WeakKeyDictionary[Analysis, asyncio.Task[None]] = WeakKeyDictionary()
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def changed(self, uri: str) -> None:
        """A text has changed: ask the theorem in the pause that follows."""
        self.closed(uri)
        self._timers[uri] = asyncio.get_running_loop().call_later(AFTER, self._after_pause, uri)

    def closed(self, uri: str) -> None:
        """Nobody will look at this text."""
        timer = self._timers.pop(uri, None)
        if timer is not None:
            timer.cancel()

    def _after_pause(self, uri: str) -> None:
        self._timers.pop(uri, None)
        snapshot = self.ls.snapshot(uri)
        if snapshot is not None:
            self._start(snapshot)

    async def ready(self, snapshot: Snapshot) -> None:
        """Wait until the answers of a text are there."""
        task = self._start(snapshot)
        if task is not None:
            await asyncio.wait([task])

    async def begun(self, snapshot: Snapshot) -> None:
        """See that the answers of a text are worked out; wait a moment where a moment may be enough."""
        task = self._start(snapshot)
        if task is not None and len(snapshot.text) < LONG_TEXT:
            await asyncio.wait([task], timeout=HOVER_WAITS)

    def _start(self, snapshot: Snapshot) -> asyncio.Task[None] | None:
        """The work on a text's answers, started if need be; `None` where there is none to do."""
        analysis = snapshot.analysis
        if is_open(analysis):
            under_way(analysis)
            # The request that asks is answered first: the thread would take half of the processor from it.
            delay = 0.0 if len(snapshot.text) < LONG_TEXT else AFTER
            self._tasks[analysis] = asyncio.get_running_loop().create_task(_work_out(analysis, delay))
        task = self._tasks.get(analysis)
        return None if task is None or task.done() else task


async def _work_out(analysis: Analysis, delay: float) -> None:
    assert analysis.lowered is not None
    try:
        await asyncio.sleep(delay)
        key, answers = await asyncio.to_thread(answers_of, analysis.lowered.program)
    except BaseException:
        given_up(analysis)
        raise
    keep(analysis, key, answers)
