"""When runs start and end, and what is shown meanwhile, with a pool that only writes down what it is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from serq_interpreter.frontend.analysis import analyse
from serq_lsp.background.pool import Job, Pool
from serq_lsp.background.request import Wanted, wanted_of
from serq_lsp.background.simulation import LOOK, Simulations

PROGRAM = """stage svc : fifo;
workload { arrive poisson(0.5); }
session { set t = now; run svc (~exp(1)); observe response = now - t; end; }
run { horizon 100; }
"""
FASTER = PROGRAM.replace("0.5", "0.6")
BROKEN = PROGRAM.replace("fifo;", "fifo")
SETTINGS = {
    "simulation.seed": None,
    "simulation.horizon": None,
    "simulation.replications": 1,
    "simulation.precision": 0.05,
    "simulation.shorterRuns": True,
    "simulation.budget.events": 1000,
    "simulation.budget.seconds": 1.0,
}
URI = "file:///a.sq"
PAUSE = 2 * LOOK


class Recorder(Pool):
    """A pool without processes."""

    def __init__(self) -> None:
        super().__init__(1)
        self.submitted: list[Job] = []
        self.stopped: list[Job] = []
        self.prepared = 0

    def prepare(self) -> None:
        self.prepared += 1

    def submit(self, job: Job) -> None:
        self.submitted.append(job)

    def cancel(self, job: Job) -> None:
        self.stopped.append(job)


class Fixture:
    def __init__(self) -> None:
        self.text = PROGRAM
        self.pool = Recorder()
        self.automatic = True
        self.simulations = Simulations(self._wanted, lambda uri: self.automatic, self.pool)
        self.states: list[str] = []
        self.simulations.on_status.append(lambda uri: self.states.append(self.runs.state))

    @property
    def runs(self) -> Any:
        return self.simulations.runs(URI)

    def _wanted(self, uri: str) -> Wanted | None:
        lowered = analyse(self.text, uri).lowered
        return None if lowered is None else wanted_of(lowered.program, None, SETTINGS)

    async def edit(self, text: str) -> None:
        self.text = text
        self.simulations.changed(URI, PAUSE)
        await asyncio.sleep(3 * PAUSE)

    def answer(self, final: bool = True, status: str = "complete") -> None:
        """The newest job tells something."""
        job = self.pool.submitted[-1]
        job.report({"final": final, "status": status, "report": {}})
        if final:
            job.ended(None)


def run(work: Callable[[Fixture], Awaitable[None]]) -> None:
    async def inside() -> None:
        await work(Fixture())

    asyncio.run(inside())


def test_an_edit_that_changes_nothing_starts_nothing() -> None:
    async def work(f: Fixture) -> None:
        await f.edit(PROGRAM)
        f.answer()
        await f.edit(PROGRAM.replace("svc", "s").replace("\n", " // why\n"))
        assert len(f.pool.submitted) == 1 and not f.runs.stale and f.runs.state == "idle"

    run(work)


def test_an_edit_of_the_meaning_ends_the_run_and_starts_another() -> None:
    async def work(f: Fixture) -> None:
        await f.edit(PROGRAM)
        f.answer(final=False)
        await f.edit(FASTER)
        assert len(f.pool.submitted) == 2 and f.pool.stopped == f.pool.submitted[:1]
        assert f.runs.stale and f.runs.state == "running"
        f.pool.submitted[0].report({"final": True, "status": "complete", "report": {}})
        assert f.runs.shown.generation == 1 and not f.runs.shown.final, "a cancelled run has nothing to say any more"
        f.answer()
        assert (f.runs.state, f.runs.shown.generation, f.runs.stale) == ("idle", 2, False)

    run(work)


def test_many_edits_in_one_pause_start_one_run() -> None:
    async def work(f: Fixture) -> None:
        for number in range(20):
            f.text = PROGRAM.replace("0.5", f"0.{number + 1}")
            f.simulations.changed(URI, PAUSE)
        await asyncio.sleep(3 * PAUSE)
        assert len(f.pool.submitted) == 1

    run(work)


def test_a_text_with_errors_is_stale_and_ends_the_run() -> None:
    async def work(f: Fixture) -> None:
        await f.edit(PROGRAM)
        f.answer()
        await f.edit(BROKEN)
        assert f.runs.state == "stale" and len(f.pool.submitted) == 1
        await f.edit(PROGRAM)
        assert f.runs.state == "idle" and len(f.pool.submitted) == 1

    run(work)


def test_a_meaning_that_was_run_before_is_not_run_again() -> None:
    async def work(f: Fixture) -> None:
        await f.edit(PROGRAM)
        f.answer()
        await f.edit(FASTER)
        f.answer()
        await f.edit(PROGRAM)
        assert len(f.pool.submitted) == 2 and f.runs.shown.generation == 3
        assert f.simulations.run(URI, fresh=True) == 4
        assert len(f.pool.submitted) == 3

    run(work)


def test_the_run_before_the_edit_is_the_baseline_unless_one_is_pinned() -> None:
    async def work(f: Fixture) -> None:
        await f.edit(PROGRAM)
        f.answer()
        await f.edit(FASTER)
        f.answer()
        assert f.runs.baseline.generation == 1
        f.simulations.pin(URI, unpin=False)
        await f.edit(PROGRAM.replace("0.5", "0.4"))
        f.answer()
        assert (f.runs.baseline.generation, f.runs.pinned) == (2, True)
        f.simulations.pin(URI, unpin=True)
        await f.edit(PROGRAM.replace("0.5", "0.3"))
        assert f.runs.baseline.generation == 3

    run(work)


def test_nothing_starts_by_itself_where_that_is_not_wanted() -> None:
    async def work(f: Fixture) -> None:
        f.automatic = False
        await f.edit(PROGRAM)
        assert not f.pool.submitted
        assert f.simulations.run(URI, fresh=False) == 1
        assert len(f.pool.submitted) == 1

    run(work)


def test_a_worker_gets_ready_in_the_pause_before_a_run() -> None:
    async def work(f: Fixture) -> None:
        f.simulations.changed(URI, PAUSE)
        while not f.pool.prepared:
            assert not f.pool.submitted
            await asyncio.sleep(LOOK / 4)
        await asyncio.sleep(3 * PAUSE)
        f.answer()
        await f.edit(PROGRAM + "// why\n")
        await f.edit(BROKEN)
        f.automatic = False
        await f.edit(FASTER)
        assert f.pool.prepared == 1, "only where something new will be run by itself"

    run(work)


def test_a_stopped_run_keeps_what_it_found() -> None:
    async def work(f: Fixture) -> None:
        await f.edit(PROGRAM)
        f.answer(final=False)
        assert f.simulations.stop(URI) and not f.simulations.stop(URI)
        assert f.runs.shown.final and f.runs.shown.stopped and f.runs.state == "idle"
        assert f.simulations.run(URI, fresh=False) == 2, "what was stopped is run again when asked for"

    run(work)


def test_a_fault_is_told_once_and_a_failed_run_is_no_baseline() -> None:
    async def work(f: Fixture) -> None:
        faults: list[str] = []
        f.simulations.on_fault.append(lambda uri, text: faults.append(text))
        await f.edit(PROGRAM)
        f.pool.submitted[-1].ended("out of memory")
        assert faults == ["out of memory"] and f.runs.state == "failed"
        await f.edit(FASTER)
        f.answer(status="failed")
        await f.edit(PROGRAM)
        assert f.runs.baseline is None

    run(work)


def test_closing_a_document_ends_everything_of_it() -> None:
    async def work(f: Fixture) -> None:
        await f.edit(PROGRAM)
        f.simulations.closed(URI)
        assert f.pool.stopped == f.pool.submitted and URI not in f.simulations.documents
        f.simulations.closed(URI)

    run(work)
