"""A worker process: runs programs for the server, one message at a time.

    python -P -m serq_lsp.background.worker

It reads requests from standard input and answers on standard output (`messages`).  A second thread reads, so that a
cancellation is seen while a run goes on and the end of the input ends the process at once: no worker outlives its
server.

| request | answer |
|---|---|
| `start` `run`, order | `{}`: the run is held under its number |
| `advance` `run`, `seconds` | what is known then (`measuring`), or `cancelled: true` |
| `drop` `run` | `{}` |
| `once` order, `seconds` | a run that is not held, advanced once |
| `trace` order | what sessions did (`tracing`) |
| `events` order | what happened and why (`event_log`) |
| `explore` order | what a search found (`exploring`) |
| `cancel` `of`, `drop` | none of its own: the request being worked on is answered `cancelled: true` |

A cancellation is seen at the machine's next look (every thousand events, and between the parts of a measurement), after
which the run can be advanced again.  With `drop` nobody wants the run any more, and the work is left wherever it is: in
the middle of a report or of a compilation, too.  The process and its memoised draws stay.
"""

from __future__ import annotations

import _thread
import gc
import os
import queue
import signal
import sys
import threading
from types import FrameType
from typing import Any, BinaryIO

from serq_interpreter.ir.deep import deep_recursion
from serq_interpreter.machine import substreams
from serq_lsp.background.event_log import LogOrder, event_log
from serq_lsp.background.messages import BrokenMessage, Message, encode, read_message
from serq_lsp.background.running import Order, OutOfMemory, Running, Table
from serq_lsp.background.tracing import TraceOrder, trace

HARD_LIMIT = 2 * 1024 * 1024 * 1024
"""Address space of a worker, bytes: beyond it Python raises `MemoryError`, which is answered."""
SOFT_LIMIT = 110 * 1024 * 1024
"""Resident bytes at which a run ends with what it has."""


EXPLORATION_LIMIT = 512 * 1024 * 1024
"""Resident bytes at which a search stops: its states are what it is for."""


class Cancelled(BaseException):
    """The server asked to stop the work on the current request; no handler of errors on the way takes it."""


class Worker:
    """The state of one worker process."""

    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        self.source = source
        self.sink = sink
        self.table = Table()
        self.requests: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self.current = 0
        """The number of the request being worked on; numbers count up."""
        self.cancelled = 0
        """The last request that is to be left: it may not even have been taken up yet."""
        self.interruptible = False
        """Whether the work may be left wherever it is."""
        self.page = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096

    def serve(self) -> None:
        """Answer requests until the input ends."""
        signal.signal(signal.SIGINT, self._interrupted)
        threading.Thread(target=self._read, daemon=True).start()
        while True:
            request = self.requests.get()
            self.current = int(request.get("id", 0))
            try:
                answer = self._answered(request)
            except Cancelled:  # it came while an earlier answer was being made
                answer = {"cancelled": True}
            answer["id"] = request.get("id")
            self.sink.write(encode(answer))
            self.sink.flush()

    def _read(self) -> None:
        while True:
            try:
                request = read_message(self.source)
            except (BrokenMessage, OSError):
                request = None
            if request is None:
                os._exit(0)
            if request.get("kind") == "cancel":
                self.cancelled = int(request.get("of", 0))
                if request.get("drop"):
                    _thread.interrupt_main(signal.SIGINT)
            else:
                self.requests.put(request)

    def _answered(self, request: Message) -> Message:
        try:
            with deep_recursion():
                self.interruptible = True
                self._leave_if_cancelled()
                answer = self._answer(request)
                self._leave_if_cancelled()
                self.interruptible = False
                return answer
        except Cancelled:
            self.interruptible = False
            return {"cancelled": True}
        except (OutOfMemory, MemoryError):
            self.interruptible = False
            self.table.drop(int(request.get("run", 0)))
            gc.collect()
            return {"fault": f"the run needs more than {SOFT_LIMIT // (1024 * 1024)} MiB of memory"}
        except Exception as error:  # noqa: BLE001 - a fault of ours is told to the server, which reports it once
            self.interruptible = False
            return {"fault": f"{type(error).__name__}: {error}"}

    def _answer(self, request: Message) -> Message:
        kind = request["kind"]
        if kind == "start":
            self.table.start(request["run"], Order(**request["order"]))
            return {}
        if kind == "advance":
            return self.table.runs[request["run"]].advance(request["seconds"], self._look)
        if kind == "drop":
            self.table.drop(request["run"])
            return {}
        if kind == "once":
            return Running(Order(**request["order"])).advance(request["seconds"], self._look)
        if kind == "trace":
            return trace(TraceOrder(**request["order"]), self._look)
        if kind == "events":
            return event_log(LogOrder(**request["order"]), self._look)
        if kind == "explore":
            return self._explore(request["order"])
        raise ValueError(f"unknown request {kind!r}")

    def _explore(self, order: Message) -> Message:
        from serq_lsp.background.exploring import ExploreOrder, explored

        def stop() -> bool:
            self._leave_if_cancelled()
            return self._resident() > EXPLORATION_LIMIT

        return explored(ExploreOrder(**order), stop)

    def _interrupted(self, number: int, frame: FrameType | None) -> None:
        """A cancellation that need not wait: leave the work, unless a half-done import would be left behind."""
        del number
        if self.interruptible and self.cancelled >= self.current and not _is_delicate(frame):
            self.interruptible = False
            raise Cancelled

    def _leave_if_cancelled(self) -> None:
        if self.cancelled >= self.current:
            raise Cancelled

    def _look(self) -> bool:
        """Polled by the machine: raises where the work must end, so that nothing more is computed."""
        self._leave_if_cancelled()
        if self._resident() > SOFT_LIMIT:
            substreams.forget()  # the draws kept for later runs are what can be missed most easily
            if self._resident() > SOFT_LIMIT:
                raise OutOfMemory
        return False

    def _resident(self) -> int:
        try:
            with open("/proc/self/statm", "rb") as file:
                return int(file.read().split()[1]) * self.page
        except OSError:
            return 0  # no such file on this system: the hard limit remains


DELICATE = ("importlib", "threading", "serq_interpreter.deep")
"""Modules whose work is not left in the middle: what they change is shared by all runs."""


def _is_delicate(frame: FrameType | None) -> bool:
    while frame is not None:
        if str(frame.f_globals.get("__name__", "")).startswith(DELICATE):
            return True
        frame = frame.f_back
    return False


def limit_memory() -> None:
    """Set the hard limit, where the system has one."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (HARD_LIMIT, HARD_LIMIT))
    except (ImportError, ValueError, OSError) as error:
        print(f"serq-lsp worker: memory is not limited on this system ({error})", file=sys.stderr)


def main() -> None:
    """Serve on standard input and output; whatever else prints goes to standard error."""
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    limit_memory()
    Worker(source, sink).serve()


EVENTS_BETWEEN_LOOKS = 1000
"""A few milliseconds of the quickest runs: a cancellation is seen that soon."""


def warm_up() -> Any:
    """Import what a run needs before the first request comes."""
    from serq_interpreter.machine import run, watching
    from serq_interpreter.machine.generated import events

    events._CHUNK = EVENTS_BETWEEN_LOOKS
    gc.collect()
    gc.freeze()
    return run, watching


if __name__ == "__main__":
    warm_up()
    main()
