"""Workers as processes: answers, cancellation, crashes, fairness, and that none is left behind."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from serq_interpreter.frontend.analysis import analyse
from serq_interpreter.ir.json import write_program
from serq_lsp.background.messages import encode, read_message
from serq_lsp.background.pool import Job, Pool
from serq_lsp.background.process import Cancelled, Process, WorkerGone

LONG = """stage svc : fifo;
workload { arrive poisson(0.5); }
session { set t = now; run svc (~exp(1)); observe response = now - t; end; }
run { horizon 100000000; }
"""
SHORT = LONG.replace("horizon 100000000", "horizon 200")
PATIENCE = 60.0


def order(text: str) -> dict[str, Any]:
    lowered = analyse(text, "program.sq").lowered
    assert lowered is not None
    return {"program": write_program(lowered.program), "events": 10**9}


def run(work: Callable[[], Awaitable[None]]) -> None:
    async def limited() -> None:
        await asyncio.wait_for(work(), PATIENCE)

    asyncio.run(limited())


class Told:
    """What a job tells."""

    def __init__(self, uri: str, text: str, seconds: float = 1000.0) -> None:
        self.reports: list[dict[str, Any]] = []
        self.fault: str | None = None
        self.ended = asyncio.Event()
        self.first = asyncio.Event()
        made = order(text)
        self.job = Job(uri, lambda: made, seconds, self._report, self._end)

    def _report(self, data: dict[str, Any]) -> None:
        self.reports.append(data)
        self.first.set()

    def _end(self, fault: str | None) -> None:
        self.fault = fault
        self.ended.set()


def test_a_worker_ends_with_its_input() -> None:
    command = [sys.executable, "-P", "-m", "serq_lsp.background.worker"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    worker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
    assert worker.stdin is not None and worker.stdout is not None
    worker.stdin.write(encode({"id": 1, "kind": "start", "run": 1, "order": order(LONG)}))
    worker.stdin.flush()
    assert read_message(worker.stdout) == {"id": 1}
    worker.stdin.write(encode({"id": 2, "kind": "advance", "run": 1, "seconds": 1000.0}))
    worker.stdin.close()
    assert worker.wait(PATIENCE) == 0
    worker.stdout.close()


def test_a_request_is_cancelled_and_the_run_goes_on_later() -> None:
    async def work() -> None:
        process = await Process.start()
        await process.request("start", run=1, order=order(LONG))
        first = await process.request("advance", run=1, seconds=0.05)
        asyncio.get_running_loop().call_later(0.2, process.cancel)
        with pytest.raises((Cancelled, WorkerGone)):
            await process.request("advance", run=1, seconds=1000.0)
        if process.alive:  # a busy machine may have been silent for too long
            later = await process.request("advance", run=1, seconds=0.05)
            assert later["report"]["events"] > first["report"]["events"]
        process.kill()
        await process.ended()

    run(work)


def test_an_unwanted_run_is_left_in_the_middle_and_the_process_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever the work is: reading the program, running it, working out what it has measured."""
    monkeypatch.setattr("serq_lsp.background.process.SILENCE", PATIENCE)
    long, short = order(LONG), order(SHORT)

    async def work() -> None:
        process = await Process.start()
        await process.request("drop", run=0)  # it has started
        for delay in (0.0, 0.01, 0.05, 0.2, 0.5):
            asyncio.get_running_loop().call_later(delay, lambda: process.cancel(drop=True))
            with pytest.raises(Cancelled):
                await process.request("once", order=long, seconds=1000.0)
        answer = await process.request("once", order=short, seconds=1000.0)
        assert answer["status"] == "complete"
        process.kill()
        await process.ended()

    run(work)


def test_an_unknown_request_and_a_broken_program_are_faults() -> None:
    async def work() -> None:
        process = await Process.start()
        assert "unknown request" in (await process.request("dance"))["fault"]
        assert "fault" in await process.request("start", run=1, order={"program": "{"})
        assert await process.request("start", run=2, order=order(SHORT)) == {"id": 3}
        process.kill()
        await process.ended()

    run(work)


def test_a_pool_runs_a_job_to_its_end() -> None:
    async def work() -> None:
        pool = Pool(1)
        told = Told("a", SHORT)
        pool.submit(told.job)
        await told.ended.wait()
        assert told.fault is None
        assert told.reports[-1]["final"] and told.reports[-1]["status"] == "complete"
        await pool.close()
        assert all(not process.alive for process in pool.processes())

    run(work)


def test_a_cancelled_job_is_forgotten_and_the_next_runs() -> None:
    async def work() -> None:
        pool = Pool(1)
        long, short = Told("a", LONG), Told("a", SHORT)
        pool.submit(long.job)
        await long.first.wait()
        pool.cancel(long.job)
        pool.submit(short.job)
        await short.ended.wait()
        assert not long.ended.is_set() and short.reports[-1]["status"] == "complete"
        await pool.close()

    run(work)


def test_a_job_that_is_cancelled_while_its_order_is_written_starts_nothing() -> None:
    async def work() -> None:
        pool = Pool(1)
        writing, go_on = threading.Event(), threading.Event()
        never, short = Told("a", LONG), Told("a", SHORT)

        def slow() -> dict[str, Any]:
            writing.set()
            go_on.wait(PATIENCE)
            return order(LONG)

        never.job.order = slow
        pool.submit(never.job)
        while not writing.is_set():
            await asyncio.sleep(0.01)
        pool.cancel(never.job)
        pool.submit(short.job)
        go_on.set()
        await short.ended.wait()
        assert short.reports[-1]["status"] == "complete"
        assert never.reports == [] and not never.ended.is_set()
        await pool.close()

    run(work)


def test_a_job_whose_order_cannot_be_written_is_told_and_the_next_runs() -> None:
    async def work() -> None:
        pool = Pool(1)
        broken, short = Told("a", SHORT), Told("b", SHORT)

        def failing() -> dict[str, Any]:
            raise ValueError("a fault of ours")

        broken.job.order = failing
        pool.submit(broken.job)
        await broken.ended.wait()
        assert broken.fault == "ValueError: a fault of ours"
        pool.submit(short.job)
        await short.ended.wait()
        assert short.fault is None
        await pool.close()

    run(work)


def test_files_share_a_worker() -> None:
    async def work() -> None:
        pool = Pool(1)
        jobs = [Told(uri, LONG) for uri in ("a", "b", "c")]
        for told in jobs:
            pool.use(told.job.uri)
            pool.submit(told.job)
        for told in jobs:
            await told.first.wait()
        assert not any(told.ended.is_set() for told in jobs)
        await pool.close()

    run(work)


def test_the_budget_of_time_ends_a_job() -> None:
    async def work() -> None:
        pool = Pool(1)
        told = Told("a", LONG, seconds=0.3)
        pool.submit(told.job)
        await told.ended.wait()
        assert told.fault is None and told.reports[-1]["status"] == "partial" and told.reports[-1]["final"]
        await pool.close()

    run(work)


def test_a_worker_that_dies_is_reported_once_and_replaced() -> None:
    async def work() -> None:
        pool = Pool(1)
        told = Told("a", LONG)
        pool.submit(told.job)
        await told.first.wait()
        victim = told.job.process
        assert victim is not None
        os.kill(victim.process.pid, signal.SIGKILL)
        await told.ended.wait()
        assert told.fault is not None
        again = Told("a", SHORT)
        pool.submit(again.job)
        await again.ended.wait()
        assert again.fault is None
        await pool.close()

    run(work)


def test_a_call_is_answered_beside_the_jobs() -> None:
    async def work() -> None:
        pool = Pool(1)
        told = Told("a", LONG)
        pool.submit(told.job)
        trace = {"first": 3, "limit": 2, "until": None, "events": 10_000, "seconds": 10.0, "seed": None}
        fields = order(SHORT)
        log = await pool.call("trace", order=trace | {"program": fields["program"], "horizon": None, "directory": None})
        assert {record[2] for record in log["records"]} == {3, 4}
        await pool.close()

    run(work)


def test_a_prepared_worker_is_the_one_that_runs() -> None:
    async def work() -> None:
        pool = Pool(1)
        pool.prepare()
        pool.prepare()
        while pool.spare is None:
            await asyncio.sleep(0.01)
        ready = pool.spare
        told = Told("a", SHORT)
        pool.submit(told.job)
        await told.ended.wait()
        assert told.job.process is ready
        while pool.spare is None:
            await asyncio.sleep(0.01)
        assert pool.spare is not ready, "the next to stand by"
        await pool.spare.request("drop", run=0)
        await pool.close()

    run(work)


def test_a_cancelled_call_leaves_no_process() -> None:
    async def work() -> None:
        pool = Pool(1)
        task = asyncio.create_task(pool.call("once", order=order(LONG), seconds=1000.0))
        while not pool.callers:
            await asyncio.sleep(0.01)
        process = next(iter(pool.callers))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await process.ended()
        await pool.close()

    run(work)
