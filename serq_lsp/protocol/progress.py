"""Progress of long work: of a command under the client's token, of a background run under one of ours."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from serq_lsp.protocol.server import SerqServer

logger = logging.getLogger(__name__)

COMMAND_TOKEN: ContextVar[types.ProgressToken | None] = ContextVar("command_token", default=None)
"""`workDoneToken` of the command that is being executed."""

SHOWN_AFTER = 1.0
"""Seconds of work after which a background run is shown as progress."""


class Progress:
    """One piece of long work."""

    def __init__(self, ls: SerqServer, token: types.ProgressToken | None) -> None:
        self.ls = ls
        self.token = token

    def report(self, share: float, message: str = "") -> None:
        """Say how far it is, 0 to 1."""
        if self.token is not None:
            percentage = max(0, min(100, round(100 * share)))
            value = types.WorkDoneProgressReport(percentage=percentage, message=message or None)
            self.ls.work_done_progress.report(self.token, value)


@contextmanager
def progress_of_command(ls: SerqServer, title: str) -> Iterator[Progress]:
    """Progress under the command's token; silent without one."""
    token = COMMAND_TOKEN.get()
    if token is not None:
        ls.work_done_progress.begin(token, types.WorkDoneProgressBegin(title=title, percentage=0, cancellable=True))
    try:
        yield Progress(ls, token)
    finally:
        if token is not None:
            ls.work_done_progress.end(token, types.WorkDoneProgressEnd())
            ls.work_done_progress.tokens.pop(token, None)


class RunProgress:
    """Background runs that take long, shown by clients that offer it; cancelling one stops the run."""

    def __init__(self, ls: SerqServer) -> None:
        self.ls = ls
        self.tokens: dict[str, str] = {}
        """Document → token of the progress that is shown."""
        self._numbers = itertools.count(1)

    def tell(self, uri: str) -> None:
        """The state of a document's run has changed."""
        runs = self.ls.live.runs(uri)
        token = self.tokens.get(uri)
        if runs.job is None:
            if token is not None:
                self._end(uri, token)
            return
        if token is not None:
            Progress(self.ls, token).report(runs.progress, f"{runs.job.wall:.0f} s")
        elif runs.job.wall >= SHOWN_AFTER and self._offered():
            self._begin(uri)

    def _offered(self) -> bool:
        window = self.ls.client_capabilities.window
        return bool(window is not None and window.work_done_progress)

    def _begin(self, uri: str) -> None:
        token = self.tokens[uri] = f"serq-run-{next(self._numbers)}"

        def created(_: object) -> None:
            if self.tokens.get(uri) != token:
                return
            title = f"Simulating {uri.rpartition('/')[2]}"
            begin = types.WorkDoneProgressBegin(title=title, percentage=0, cancellable=True)
            self.ls.work_done_progress.begin(token, begin)

        self.ls.work_done_progress.create(token, created)

    def _end(self, uri: str, token: str) -> None:
        del self.tokens[uri]
        if self.ls.work_done_progress.tokens.pop(token, None) is not None:
            self.ls.work_done_progress.end(token, types.WorkDoneProgressEnd())

    def cancel(self, token: types.ProgressToken) -> None:
        """The person cancelled a progress: its run is stopped."""
        for uri, own in list(self.tokens.items()):
            if own == token:
                self.ls.live.simulations.stop(uri)
