"""Garbage is collected between keystrokes: many messages leave no more than a few."""

from __future__ import annotations

import asyncio
import gc

import pytest

from serq_lsp.protocol.tidying import AFTER, EVERYTHING_EVERY, Tidying


class Ring:
    """Garbage that only the collector finds."""

    alive = 0

    def __init__(self) -> None:
        self.own = self
        Ring.alive += 1

    def __del__(self) -> None:
        Ring.alive -= 1


def test_messages_of_a_moment_are_tidied_once() -> None:
    async def work() -> int:
        tidying = Tidying()
        tidying.worked()
        assert not tidying.looks
        tidying.start()
        for _ in range(100):
            Ring()
            tidying.worked()
        assert Ring.alive == 100
        await asyncio.sleep(3 * AFTER)
        return tidying.looks

    try:
        assert asyncio.run(work()) == 1
        assert Ring.alive == 0
    finally:
        gc.enable()
        gc.unfreeze()


@pytest.mark.parametrize("looks", [EVERYTHING_EVERY - 1])
def test_old_garbage_is_found_in_time(looks: int) -> None:
    ring = Ring()
    gc.collect()
    del ring
    assert Ring.alive == 1
    tidying = Tidying()
    tidying.looks = looks
    tidying._look()
    assert Ring.alive == 0
