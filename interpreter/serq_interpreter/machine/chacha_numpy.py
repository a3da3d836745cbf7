"""ChaCha12 over many blocks at once in numpy: the same bits as `chacha`, about ten times faster.

Import this module only when numpy is installed (extra `serq-lsp[fast]`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from serq_interpreter.machine.chacha import (
    CONSTANTS,
    GOLDEN_GAMMA,
    MASK_32,
    MASK_64,
    MIX_1,
    MIX_2,
    PCG_INCREMENT,
    PCG_MULTIPLIER,
)

U32 = NDArray[np.uint32]
U64 = NDArray[np.uint64]

_CONSTANT_COLUMN = np.array(CONSTANTS, np.uint32)[:, None]
_DOUBLE_ROUNDS = 6
_BY_16, _BY_12, _BY_8, _BY_7 = ((np.uint32(distance), np.uint32(32 - distance)) for distance in (16, 12, 8, 7))
"""Distances of the rotations to the left, and of the same to the right: numbers that numpy need not convert."""


def blocks_of_stream(key: Sequence[int], counter: int, n_blocks: int) -> U64:
    """Blocks `counter` to `counter + n_blocks - 1` of one stream: an array of (8, n_blocks) outputs."""
    counters = np.arange(n_blocks, dtype=np.uint64) + np.uint64(counter & MASK_64)
    state = np.zeros((16, n_blocks), np.uint32)
    state[0:4] = _CONSTANT_COLUMN
    state[4:12] = np.array(key, np.uint32)[:, None]
    state[12] = counters & np.uint64(MASK_32)
    state[13] = counters >> np.uint64(32)
    return _outputs(state)


def first_blocks(seed: int, serial: int, n_streams: int, turn: int, kind: int) -> U64:
    """Block 0 of the substreams of `n_streams` consecutive sessions: an array of (8, n_streams) outputs."""
    return _first_blocks(np.arange(n_streams, dtype=np.uint64) + np.uint64(seed + serial & MASK_64), turn, kind)


def first_blocks_of(seed: int, serials: Sequence[int], turn: int, kind: int) -> U64:
    """The same of any sessions, in the order of `serials`."""
    return _first_blocks(np.array(serials, np.uint64) + np.uint64(seed & MASK_64), turn, kind)


def _first_blocks(h: U64, turn: int, kind: int) -> U64:
    h = _mix(_mix(_mix(h) + np.uint64(turn)) + np.uint64(kind))
    state = np.zeros((16, len(h)), np.uint32)
    state[0:4] = _CONSTANT_COLUMN
    state[4:12] = _keys(h)
    return _outputs(state)


def uniform_rows(outputs: U64) -> bytes:
    """(8, n) outputs as the bytes of `n` rows of eight uniforms (doubles)."""
    uniforms = (outputs >> np.uint64(11)).astype(np.float64) * 2.0**-53
    return np.ascontiguousarray(uniforms.T).tobytes()


def _mix(x: U64) -> U64:
    x = x + np.uint64(GOLDEN_GAMMA)
    x = (x ^ x >> np.uint64(30)) * np.uint64(MIX_1)
    x = (x ^ x >> np.uint64(27)) * np.uint64(MIX_2)
    return x ^ x >> np.uint64(31)


def _keys(seeds: U64) -> U32:
    words = np.empty((8, len(seeds)), np.uint32)
    state = seeds
    for i in range(8):
        state = state * np.uint64(PCG_MULTIPLIER) + np.uint64(PCG_INCREMENT)
        word = ((state >> np.uint64(18) ^ state) >> np.uint64(27)).astype(np.uint32)
        rotation = (state >> np.uint64(59)).astype(np.uint32)
        words[i] = word >> rotation | word << (np.uint32(32) - rotation & np.uint32(31))
    return words


def _outputs(start: U32) -> U64:
    """Twelve rounds over (16, n) words, the addition of the start, words paired to 64 bits."""
    words = start.copy()
    a, b, c, d = words[0:4], words[4:8], words[8:12], words[12:16]
    spare = np.empty_like(a)
    for _ in range(_DOUBLE_ROUNDS):
        for add, xor in ((_add, _xor), (_add_next, _xor_next)):
            add(a, b)
            xor(d, a)
            _rotate(d, _BY_16, spare)
            add(c, d)
            xor(b, c)
            _rotate(b, _BY_12, spare)
            add(a, b)
            xor(d, a)
            _rotate(d, _BY_8, spare)
            add(c, d)
            xor(b, c)
            _rotate(b, _BY_7, spare)
    words += start
    return words[0::2].astype(np.uint64) | words[1::2].astype(np.uint64) << np.uint64(32)


def _add(row: U32, other: U32) -> None:
    row += other


def _xor(row: U32, other: U32) -> None:
    row ^= other


def _add_next(row: U32, other: U32) -> None:
    """The diagonals: each word and the other row's word of the next column."""
    np.add(row[:3], other[1:], out=row[:3])
    np.add(row[3], other[0], out=row[3])


def _xor_next(row: U32, other: U32) -> None:
    np.bitwise_xor(row[:3], other[1:], out=row[:3])
    np.bitwise_xor(row[3], other[0], out=row[3])


def _rotate(words: U32, distances: tuple[np.uint32, np.uint32], spare: U32) -> None:
    np.left_shift(words, distances[0], out=spare)
    np.right_shift(words, distances[1], out=words)
    np.bitwise_or(words, spare, out=words)
