"""Samples summed by blocks of session serials, so that two runs on common random numbers can be compared in pairs.

Session `s` of two runs with one seed arrives with the same draws.  The difference of two means is therefore estimated
from the differences of blocks of sessions, which are far less noisy than the runs themselves.  A block's size is a
power of two, so that the coarser of two tables can be made from the finer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

MOST_BLOCKS = 512


def blocks_of(sessions: Sequence[int], values: Sequence[float]) -> dict[str, Any]:
    """`size` of a block in sessions; for each block the `sums` of its values and their `counts`."""
    last = max(sessions, default=0)
    shift = 0
    while last >> shift >= MOST_BLOCKS:
        shift += 1
    n_blocks = (last >> shift) + 1
    sums, counts = [0.0] * n_blocks, [0] * n_blocks
    for serial, value in zip(sessions, values, strict=True):
        sums[serial >> shift] += value
        counts[serial >> shift] += 1
    return {"size": 1 << shift, "sums": sums, "counts": counts}
