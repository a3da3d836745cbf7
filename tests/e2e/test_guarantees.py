"""What is guaranteed of a pool is worked out beside the protocol: hovers do not wait for it, lenses do."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from serq_interpreter.ir import program as ir
from serq_lsp.protocol import guarantees as protocol
from serq_lsp.protocol.guarantees import Guarantees
from serq_lsp.services import guarantee
from serq_lsp.services.guarantee import NOT_YET, answers_of, guarantee_hover
from serq_lsp.services.snapshot import Snapshot
from tests.support.simulated import snapshot_of

PROGRAM = """pool kv { cap 10; reserve held; preempt lifo; }
stage svc : fifo;
workload { arrive poisson(0.5); }
session { hold kv (2) { run svc (~exp(1)); } end; }
run { horizon 100; }
"""
ANSWER = "**Progress**: guaranteed: every admitted session completes"
URI = "file:///w/program.sq"


class Server:
    """What is asked of the server."""

    def __init__(self, snapshot: Snapshot | None) -> None:
        self.snapshot_now = snapshot

    def snapshot(self, uri: str) -> Snapshot | None:
        return self.snapshot_now


def answers(snapshot: Snapshot) -> Guarantees:
    guarantee._BY_IR.clear()
    server: Any = Server(snapshot)
    return Guarantees(server)


def test_a_hover_says_so_while_the_answer_is_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot, go_on = snapshot_of(PROGRAM), threading.Event()

    def slow(program: ir.Program) -> Any:
        go_on.wait(60.0)
        return answers_of(program)

    monkeypatch.setattr(protocol, "answers_of", slow)
    monkeypatch.setattr(protocol, "HOVER_WAITS", 0.0)

    async def work() -> None:
        found = answers(snapshot)
        await found.begun(snapshot)
        assert guarantee_hover(snapshot.analysis, "kv") == [NOT_YET]
        go_on.set()
        await found.ready(snapshot)
        assert guarantee_hover(snapshot.analysis, "kv") == [ANSWER]

    asyncio.run(work())


def test_of_a_long_text_nothing_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "LONG_TEXT", 10)
    monkeypatch.setattr(protocol, "HOVER_WAITS", 60.0)
    monkeypatch.setattr(protocol, "AFTER", 0.001)
    snapshot = snapshot_of(PROGRAM)

    async def work() -> None:
        found = answers(snapshot)
        await found.begun(snapshot)
        assert guarantee_hover(snapshot.analysis, "kv") == [NOT_YET]
        await found.ready(snapshot)
        assert guarantee_hover(snapshot.analysis, "kv") == [ANSWER]

    asyncio.run(work())


def test_a_hover_that_nobody_has_prepared_works_it_out() -> None:
    guarantee._BY_IR.clear()
    assert guarantee_hover(snapshot_of(PROGRAM).analysis, "kv") == [ANSWER]


def test_the_pause_after_an_edit_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "AFTER", 0.0)
    asked: list[object] = []

    def counted(program: ir.Program) -> Any:
        asked.append(program)
        return answers_of(program)

    monkeypatch.setattr(protocol, "answers_of", counted)

    async def work() -> None:
        snapshot = snapshot_of(PROGRAM)
        found = answers(snapshot)
        for _ in range(3):
            found.changed(URI)
        found.changed("file:///w/closed.sq")
        found.closed("file:///w/closed.sq")
        while not asked:
            await asyncio.sleep(0.001)
        await found.ready(snapshot)
        assert len(asked) == 1, "three edits in one pause, and a text that was closed"

    asyncio.run(work())


@pytest.mark.parametrize("text", [PROGRAM.replace(" preempt lifo;", ""), PROGRAM.replace("fifo;", "fifo")])
def test_where_there_is_nothing_to_say_nothing_is_worked_out(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(protocol, "answers_of", lambda program: pytest.fail("it was asked"))
    snapshot = snapshot_of(text)
    asyncio.run(answers(snapshot).ready(snapshot))
    assert guarantee_hover(snapshot.analysis, "kv") == []


def test_work_that_fails_is_left_to_who_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(program: ir.Program) -> Any:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(protocol, "answers_of", failing)

    async def work() -> None:
        snapshot = snapshot_of(PROGRAM)
        await answers(snapshot).ready(snapshot)
        assert guarantee_hover(snapshot.analysis, "kv") == [ANSWER]

    asyncio.run(work())
