"""A worker as the server sees it: one process, one request at a time, cancelled or killed when asked."""

from __future__ import annotations

import asyncio
import itertools
import logging
import os
import sys
from typing import Any

from serq_lsp.background.messages import BrokenMessage, Message, encode, receive

logger = logging.getLogger(__name__)

SILENCE = 0.05
"""Seconds after a cancellation within which a worker answers or is killed."""

_COMMAND = (sys.executable, "-P", "-m", "serq_lsp.background.worker")


class WorkerGone(Exception):
    """The process ended or was killed; what it held is lost."""


class Cancelled(Exception):
    """The request was cancelled; the worker is ready for the next."""


class Process:
    """One worker process.  Requests are made one after the other by their caller."""

    _numbers = itertools.count(1)

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.number = next(self._numbers)
        self.runs: set[int] = set()
        """Numbers of the runs that it holds."""
        self.busy = False
        self.killed = False
        self._was_cancelled = False
        self._asked = 0
        """The number of the last request."""
        self._killer: asyncio.TimerHandle | None = None

    @classmethod
    async def start(cls) -> Process:
        """Start a process; it imports while we do other things."""
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        process = await asyncio.create_subprocess_exec(
            *_COMMAND,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=environment,
            start_new_session=sys.platform != "win32",
        )
        return cls(process)

    @property
    def cancelling(self) -> bool:
        """Whether it was asked to leave its request and has not answered yet, or was killed for its silence."""
        return self._was_cancelled

    @property
    def alive(self) -> bool:
        return not self.killed and self.process.returncode is None

    async def request(self, kind: str, **fields: Any) -> Message:
        """Ask and wait for the answer.  Raises `WorkerGone` or `Cancelled`."""
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None and stdout is not None
        if not self.alive:
            raise WorkerGone
        self.busy = True
        self._was_cancelled = False
        self._asked += 1
        try:
            stdin.write(encode({"id": self._asked, "kind": kind, **fields}))
            await stdin.drain()
            answer = await receive(stdout)
        except (BrokenMessage, ConnectionError) as error:
            logger.error("worker %d: %s", self.number, error)
            self.kill()
            raise WorkerGone from error
        finally:
            self.busy = False
            self._forget_killer()
        if answer is None:
            self.kill()
            raise WorkerGone
        if answer.get("cancelled"):
            raise Cancelled
        return answer

    def cancel(self, *, drop: bool = False) -> None:
        """Ask the worker to leave the current request; kill it if it stays silent.

        `drop`: the run is not wanted any more, so that it may be left in any state.
        """
        stdin = self.process.stdin
        if not self.busy or not self.alive or stdin is None or self._killer is not None:
            return
        try:
            stdin.write(encode({"kind": "cancel", "of": self._asked, "drop": drop}))
        except ConnectionError:
            self.kill()
            return
        self._was_cancelled = True
        self._killer = asyncio.get_running_loop().call_later(SILENCE, self.kill)

    def kill(self) -> None:
        """End the process now."""
        self._forget_killer()
        if self.killed:
            return
        self.killed = True
        if self.process.stdin is not None:
            self.process.stdin.close()
        if self.process.returncode is None:
            try:
                self.process.kill()
            except ProcessLookupError:
                return  # it has just ended by itself

    def _forget_killer(self) -> None:
        if self._killer is not None:
            self._killer.cancel()
            self._killer = None

    async def ended(self) -> None:
        """Wait until the process is gone."""
        await self.process.wait()
