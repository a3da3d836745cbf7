"""The pool of workers: which job each advances next.

A job is one run of one document.  Workers advance jobs in slices, so that several open files share them: the file used
last comes first, of the others the one that has had least time.  A job stays with the worker that started it.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import os
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from serq_lsp.background.messages import Message
from serq_lsp.background.process import Cancelled, Process, WorkerGone

logger = logging.getLogger(__name__)

SLICES = (0.12, 0.3, 0.6, 1.2, 2.5, 5.0)
"""Seconds of work of a job's slices: the first gives a coarse result soon; the last is repeated.  They grow as the
samples do, whose statistics are worked out after each."""
MOST_RUNS = 4
"""Runs that one worker holds at a time."""
MOST_RESTARTS = 2


@dataclass(eq=False)
class Job:
    """One run.  `report` is told each result, `ended` is told once when nothing more will come."""

    uri: str
    order: Callable[[], dict[str, Any]]
    """Makes the order; it is called in a thread, since the text of a long program takes a while to write."""
    seconds: float
    report: Callable[[Message], None]
    ended: Callable[[str | None], None]
    """With the fault that ended it, `None` for a normal end."""
    number: int = field(default_factory=itertools.count(1).__next__)
    wall: float = 0.0
    slices: int = 0
    process: Process | None = None
    cancelled: bool = False
    restarts: int = 0

    @property
    def slice_seconds(self) -> float:
        """The length of the next slice, seconds."""
        wanted = SLICES[min(self.slices, len(SLICES) - 1)]
        return max(min(wanted, self.seconds - self.wall), 0.01)


class Pool:
    """At most `size` working processes and one warmed spare.  Everything runs on one event loop."""

    def __init__(self, size: int | None = None) -> None:
        self.size = size or max(1, min(4, (os.cpu_count() or 2) - 1))
        self.jobs: list[Job] = []
        self.recent: list[str] = []
        """URIs, the most recently used last."""
        self.workers: dict[Process, asyncio.Task[None]] = {}
        self.callers: set[Process] = set()
        """Processes that answer a call."""
        self.spare: Process | None = None
        self.closed = False
        self.started = 0
        """Runs started since the beginning."""
        self._current: dict[Process, Job] = {}
        self._wakers: dict[Process, asyncio.Event] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._starting = 0
        self._warming = False
        self._turn = False

    # ------------------------------------------------------------------ what documents ask for

    def use(self, uri: str) -> None:
        """A document is looked at: it comes first from now on."""
        if uri in self.recent:
            self.recent.remove(uri)
        self.recent.append(uri)

    def prepare(self) -> None:
        """A run will be asked for soon: a worker starts now, so that it has imported what it needs by then."""
        if self.spare is None and not self.closed:
            self._later(self.warm())

    def submit(self, job: Job) -> None:
        """Add a job.  Where all workers are busy, a slice of a file that matters less is interrupted for it."""
        self.jobs.append(job)
        self.started += 1
        if len(self.workers) + self._starting < self.size:
            self._starting += 1
            self._later(self._hire())
        elif all(worker in self._current for worker in self.workers):
            self._interrupt_for(job)
        self._notify()

    def cancel(self, job: Job) -> None:
        """Stop a job: its worker leaves the slice at once, and forgets the run."""
        if job.cancelled or job not in self.jobs:
            return
        job.cancelled = True
        self.jobs.remove(job)
        process = job.process
        if process is not None and self._current.get(process) is job:
            process.cancel(drop=True)
        self._notify()

    async def call(self, kind: str, **fields: Any) -> Message:
        """A request beside the jobs (a timeline), answered by the spare.  Raises `WorkerGone`."""
        process, self.spare = self.spare, None
        if process is None or not process.alive:
            process = await Process.start()
        self.callers.add(process)
        answered = False
        try:
            answer = await process.request(kind, **fields)
            answered = True
            return answer
        except Cancelled as error:
            raise WorkerGone from error
        finally:
            # A caller that is cancelled leaves a process that still works: it is ended.
            self.callers.discard(process)
            if answered and process.alive and self.spare is None and not self.closed:
                self.spare = process
            else:
                process.kill()

    async def close(self) -> None:
        """End every process and wait until they are gone."""
        self.closed = True
        processes = self.processes()
        for process in processes:
            process.kill()
        for task in [*self.workers.values(), *self._tasks]:
            task.cancel()
        for process in processes:
            await process.ended()

    def processes(self) -> list[Process]:
        """Every process there is."""
        return [*self.workers, *self.callers, *([self.spare] if self.spare is not None else [])]

    def kill_all(self) -> None:
        """End every process without waiting (the program itself ends)."""
        self.closed = True
        for process in self.processes():
            process.kill()

    # ------------------------------------------------------------------ workers

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _notify(self) -> None:
        for waker in self._wakers.values():
            waker.set()

    async def _hire(self) -> None:
        """One more worker: the spare, if there is one; and a new spare."""
        try:
            process, self.spare = self.spare, None
            if process is None or not process.alive:
                process = await Process.start()
            if self.closed:
                process.kill()
                return
            self._wakers[process] = asyncio.Event()
            self.workers[process] = asyncio.get_running_loop().create_task(self._work(process))
        except OSError as error:
            logger.error("no worker could be started: %s", error)
            for job in list(self.jobs):
                self._finish(job, f"no process can be started: {error.strerror or error}")
        finally:
            self._starting -= 1
        await self.warm()

    async def warm(self) -> None:
        """See to it that a warmed worker stands by."""
        if self.spare is not None or self.closed or self._warming:
            return
        self._warming = True
        try:
            process = await Process.start()
        except OSError as error:
            logger.warning("no worker could be started to stand by: %s", error)
            return
        finally:
            self._warming = False
        if self.closed or self.spare is not None:
            process.kill()
        else:
            self.spare = process

    async def _work(self, process: Process) -> None:
        """The life of a worker."""
        try:
            while process.alive and not self.closed:
                await self._forget_ended(process)
                job = self._next(process)
                if job is None:
                    waker = self._wakers[process]
                    waker.clear()
                    await waker.wait()
                    continue
                await self._advance(process, job)
        except WorkerGone:
            logger.debug("worker %d is gone", process.number)
        finally:
            process.kill()
            self.workers.pop(process, None)
            self._wakers.pop(process, None)
            self._lost(process)

    def _lost(self, process: Process) -> None:
        """A worker is gone: its runs start anew on another, a few times at most."""
        for job in [job for job in self.jobs if job.process is process]:
            job.process, job.slices = None, 0
            job.restarts += 1
            if job.restarts > MOST_RESTARTS:
                self._finish(job, "its worker ended again and again")
        if self.jobs and not self.closed and len(self.workers) + self._starting < self.size:
            self._starting += 1
            self._later(self._hire())

    async def _forget_ended(self, process: Process) -> None:
        wanted = {job.number for job in self.jobs if job.process is process}
        for number in process.runs - wanted:
            process.runs.discard(number)
            await self._ask(process, "drop", run=number)

    async def _ask(self, process: Process, kind: str, **fields: Any) -> Message:
        """A short request: a late cancellation of the one before does not count."""
        try:
            return await process.request(kind, **fields)
        except Cancelled:
            return {}

    async def _advance(self, process: Process, job: Job) -> None:
        """One slice of a job."""
        self._current[process] = job
        try:
            if job.process is None:
                job.process = process
                process.runs.add(job.number)
                try:
                    order = await asyncio.to_thread(job.order)
                except Exception as error:  # noqa: BLE001 - a fault of ours is told; the worker goes on with other runs
                    self._finish(job, f"{type(error).__name__}: {error}")
                    return
                if job.cancelled:
                    return
                answer = await process.request("start", run=job.number, order=order)
                if "fault" in answer:
                    self._finish(job, answer["fault"])
                if "fault" in answer or job.cancelled:
                    return
            answer = await process.request("advance", run=job.number, seconds=job.slice_seconds)
        except Cancelled:
            return
        except WorkerGone:
            if not job.cancelled and not process.cancelling:
                self._finish(job, "its worker ended unexpectedly (out of memory?)")
            raise
        finally:
            self._current.pop(process, None)
        if not job.cancelled:
            self._take(job, answer)

    def _take(self, job: Job, answer: Message) -> None:
        """A slice's answer: tell the document, and end the job when it is final or its time is over."""
        if "fault" in answer:
            self._finish(job, answer["fault"])
            return
        job.slices += 1
        job.wall = answer["wall"]
        over = answer["final"] or job.wall >= job.seconds
        answer["final"] = over
        job.report(answer)
        if over:
            self._finish(job, None)

    def _finish(self, job: Job, fault: str | None) -> None:
        if job in self.jobs:
            self.jobs.remove(job)
            job.ended(fault)

    # ------------------------------------------------------------------ whose turn it is

    def _rank(self, job: Job) -> tuple[int, int, float]:
        """Who comes first: first results before refinements, then the file used last, then who had least time."""
        last = bool(self.recent) and self.recent[-1] == job.uri
        return (0 if last else 1, min(job.slices, 1), job.wall)

    def _next(self, process: Process) -> Job | None:
        busy = set(self._current.values())
        full = len(process.runs) >= MOST_RUNS
        mine = [
            job
            for job in self.jobs
            if job not in busy and (job.process is process or (job.process is None and not full))
        ]
        # The file used last has every second slice; the others share the rest.
        return min(mine, key=self._rank if self._prefers_recent() else lambda job: job.wall, default=None)

    def _prefers_recent(self) -> bool:
        self._turn = not self._turn
        return self._turn

    def _interrupt_for(self, job: Job) -> None:
        rank = self._rank(job)
        for worker, running in self._current.items():
            if running.uri != job.uri and self._rank(running) > rank:
                worker.cancel()
                return
