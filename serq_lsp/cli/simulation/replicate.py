"""Many runs of one program with different seeds, in this process or in several."""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from math import ceil

from serq_lsp.cli.simulation.result import Result, RunOptions
from serq_lsp.cli.simulation.source import Source

SECONDS_PER_TASK = 0.05
"""Work per message to another process: handing a task over costs about a tenth of a millisecond."""
MOST_REPLICATIONS = 10_000


@dataclass(frozen=True, slots=True)
class Task:
    """One run: an index that orders the results, a program and a seed."""

    index: int
    source: Source
    seed: int | None


def run_tasks(
    tasks: Sequence[Task], options: RunOptions, jobs: int, run: Callable[[Sequence[Task], RunOptions], list[Result]]
) -> Iterator[tuple[Task, Result]]:
    """Run every task and yield each as it ends; with one job, in order and in this process.

    The first task runs here and tells how many make a message worth sending.  `run` must be importable by name.
    Closing the iterator ends the processes.
    """
    if not tasks:
        return
    began = time.perf_counter()
    yield tasks[0], run(tasks[:1], options)[0]
    elapsed = time.perf_counter() - began
    rest = tasks[1:]
    if jobs <= 1 or len(rest) < 2:
        for task in rest:
            yield task, run([task], options)[0]
        return
    size = batch_size(elapsed, len(rest), jobs)
    yield from _in_processes([rest[at : at + size] for at in range(0, len(rest), size)], options, jobs, run)


def batch_size(seconds_each: float, n_tasks: int, jobs: int) -> int:
    """Tasks per message: at least `SECONDS_PER_TASK` of work, but some for every process."""
    enough = ceil(SECONDS_PER_TASK / max(seconds_each, 1e-6))
    return max(1, min(enough, ceil(n_tasks / jobs)))


def _in_processes(
    batches: Sequence[Sequence[Task]],
    options: RunOptions,
    jobs: int,
    run: Callable[[Sequence[Task], RunOptions], list[Result]],
) -> Iterator[tuple[Task, Result]]:
    executor = ProcessPoolExecutor(
        min(jobs, len(batches)), mp_context=multiprocessing.get_context(_start_method()), initializer=_ignore_interrupt
    )
    try:
        waiting: dict[Future[list[Result]], Sequence[Task]] = {}
        remaining = iter(batches)
        # A few batches per process are on their way; the others wait here, where they can be forgotten.
        for batch in remaining:
            waiting[executor.submit(run, batch, options)] = batch
            if len(waiting) >= 2 * jobs:
                yield from _finished(waiting)
        while waiting:
            yield from _finished(waiting)
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
        for process in list((getattr(executor, "_processes", None) or {}).values()):
            process.terminate()


def _finished(waiting: dict[Future[list[Result]], Sequence[Task]]) -> Iterator[tuple[Task, Result]]:
    done, _ = wait(waiting, return_when=FIRST_COMPLETED)
    for future in done:
        yield from zip(waiting.pop(future), future.result(), strict=True)


def _start_method() -> str:
    """Never plain fork: the parent may have threads."""
    return "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"


def _ignore_interrupt() -> None:
    """Ctrl-C is the parent's affair: it says what was measured and ends the processes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
