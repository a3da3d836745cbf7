"""The generator of every draw: ChaCha with 12 rounds, for one stream or many at once (06 §10.1).

A *block* is eight 64-bit outputs.  Four executions give the same bits:

* `block` makes one block of one stream, its 4x4 state packed in four integers of four lanes;
* `blocks_of_streams` and `blocks_of_stream` make many blocks, each state word one big integer with a lane per block;
* `chacha_numpy` does the same in numpy, when it is installed;
* `native/loops/blocks` does it one by one, where it has been compiled.

Keys are expanded from 64-bit seeds by a PCG32 output function, and seeds are mixed from
(seed, serial, turn, kind) by SplitMix64; both run on lanes as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from struct import pack, unpack

MASK_32 = 0xFFFFFFFF
MASK_53 = (1 << 53) - 1
MASK_64 = 0xFFFFFFFFFFFFFFFF
OUTPUTS_PER_BLOCK = 8
"""64-bit outputs in one block."""

PCG_MULTIPLIER = 6364136223846793005
PCG_INCREMENT = 11634580027462260723
CONSTANTS = (0x61707865, 0x3320646E, 0x79622D32, 0x6B206574)
"""The ASCII text `expand 32-byte k`, the first row of the state."""

GOLDEN_GAMMA = 0x9E3779B97F4A7C15
MIX_1 = 0xBF58476D1CE4E5B9
MIX_2 = 0x94D049BB133111EB

_DOUBLE_ROUNDS = 6
_LANE = 64
"""Bits per lane: a 32-bit word plus room for the carry and for the largest rotation."""


# --------------------------------------------------------------------------- seeds


def mix(x: int) -> int:
    """SplitMix64's output function after one step of its counter, modulo 2^64."""
    x = (x + GOLDEN_GAMMA) & MASK_64
    x = ((x ^ (x >> 30)) * MIX_1) & MASK_64
    x = ((x ^ (x >> 27)) * MIX_2) & MASK_64
    return x ^ (x >> 31)


def substream_seed(seed: int, serial: int, turn: int, kind: int) -> int:
    """The generator seed of one substream (06 §10.2): three mixes, each after a plain sum."""
    return mix(mix(mix(seed + serial) + turn) + kind)


def key_words(seed: int) -> tuple[int, ...]:
    """Eight 32-bit key words expanded from a 64-bit seed."""
    words = []
    state = seed & MASK_64
    for _ in range(8):
        state = (state * PCG_MULTIPLIER + PCG_INCREMENT) & MASK_64
        word = (((state >> 18) ^ state) >> 27) & MASK_32
        rotation = state >> 59
        words.append((word >> rotation | word << (32 - rotation)) & MASK_32)
    return tuple(words)


# --------------------------------------------------------------------------- one block


_ROW_MASK = MASK_32 | MASK_32 << 64 | MASK_32 << 128 | MASK_32 << 192
_CONSTANT_ROW = CONSTANTS[0] | CONSTANTS[1] << 64 | CONSTANTS[2] << 128 | CONSTANTS[3] << 192
_ROW_LOW_1 = (1 << 64) - 1
_ROW_LOW_2 = (1 << 128) - 1
_ROW_LOW_3 = (1 << 192) - 1


def block(key: Sequence[int], counter: int) -> tuple[int, ...]:
    """The eight 64-bit outputs of block `counter` (a 64-bit count) of the stream with this key."""
    first_b = key[0] | key[1] << 64 | key[2] << 128 | key[3] << 192
    first_c = key[4] | key[5] << 64 | key[6] << 128 | key[7] << 192
    first_d = counter & MASK_32 | (counter >> 32 & MASK_32) << 64
    a, b, c, d = _CONSTANT_ROW, first_b, first_c, first_d
    mask, low_1, low_2, low_3 = _ROW_MASK, _ROW_LOW_1, _ROW_LOW_2, _ROW_LOW_3
    for _ in range(_DOUBLE_ROUNDS):
        a = a + b & mask
        d ^= a
        d = (d << 16 | d >> 16) & mask
        c = c + d & mask
        b ^= c
        b = (b << 12 | b >> 20) & mask
        a = a + b & mask
        d ^= a
        d = (d << 8 | d >> 24) & mask
        c = c + d & mask
        b ^= c
        b = (b << 7 | b >> 25) & mask
        # Diagonals: rows move left by one, two and three columns, and back afterwards.
        b = b >> 64 | (b & low_1) << 192
        c = c >> 128 | (c & low_2) << 128
        d = d >> 192 | (d & low_3) << 64
        a = a + b & mask
        d ^= a
        d = (d << 16 | d >> 16) & mask
        c = c + d & mask
        b ^= c
        b = (b << 12 | b >> 20) & mask
        a = a + b & mask
        d ^= a
        d = (d << 8 | d >> 24) & mask
        c = c + d & mask
        b ^= c
        b = (b << 7 | b >> 25) & mask
        b = b >> 192 | (b & low_3) << 64
        c = c >> 128 | (c & low_2) << 128
        d = d >> 64 | (d & low_1) << 192
    words: list[int] = []
    for row, first in ((a, _CONSTANT_ROW), (b, first_b), (c, first_c), (d, first_d)):
        w0, w1, w2, w3 = unpack("<4Q", (row + first & mask).to_bytes(32, "little"))
        words += (w0 | w1 << 32, w2 | w3 << 32)
    return tuple(words)


# --------------------------------------------------------------------------- many blocks


def blocks_of_stream(key: Sequence[int], counter: int, n_blocks: int) -> list[tuple[int, ...]]:
    """Blocks `counter` to `counter + n_blocks - 1` of one stream, as eight columns.

    Column `i` holds output `i` of every block: `zip(*columns)` gives the blocks in order.
    """
    ones = _ones(n_blocks)
    counters = range(counter, counter + n_blocks)
    low = _join_lanes([c & MASK_32 for c in counters])
    high = _join_lanes([c >> 32 & MASK_32 for c in counters])
    packed = _blocks([word * ones for word in key], low, high, n_blocks)
    return [_split_lanes(column, n_blocks) for column in packed]


def first_blocks(seed: int, serial: int, n_streams: int, turn: int, kind: int) -> list[tuple[int, ...]]:
    """Block 0 of the substreams of sessions `serial` to `serial + n_streams - 1`, as eight columns."""
    return [_split_lanes(column, n_streams) for column in packed_first_blocks(seed, serial, n_streams, turn, kind)]


def packed_first_blocks(seed: int, serial: int, n_streams: int, turn: int, kind: int) -> list[int]:
    """The same, each column one integer with a lane of 64 bits per session (`top_bits` reads it)."""
    return _blocks(_keys_of_substreams(seed, serial, n_streams, turn, kind), 0, 0, n_streams)


def packed_first_blocks_of(seed: int, serials: Sequence[int], turn: int, kind: int) -> list[int]:
    """The same of any sessions, in the order of `serials`."""
    n = len(serials)
    lanes = _join_wide(serials) + (seed & MASK_64) * _wide_lanes(n).ones & _wide_lanes(n).mask
    return _blocks(_keys_on_lanes(lanes, n, turn, kind), 0, 0, n)


def top_bits(column: int, n: int) -> tuple[int, ...]:
    """The top 53 bits of each of `n` outputs of a packed column."""
    return _split_lanes(column >> 11 & _ones(n) * MASK_53, n)


def _blocks(key: Sequence[int], low: int, high: int, n: int) -> list[int]:
    ones = _ones(n)
    start = [*(c * ones for c in CONSTANTS), *key, low, high, 0, 0]
    end = _permute(start, ones * MASK_32)
    mask = ones * MASK_32
    columns = []
    for even in range(0, 16, 2):
        first = end[even] + start[even] & mask
        second = end[even + 1] + start[even + 1] & mask
        columns.append(first | second << 32)
    return columns


_QUARTERS = (
    (0, 4, 8, 12),
    (1, 5, 9, 13),
    (2, 6, 10, 14),
    (3, 7, 11, 15),
    (0, 5, 10, 15),
    (1, 6, 11, 12),
    (2, 7, 8, 13),
    (3, 4, 9, 14),
)


def _permute(start: Sequence[int], mask: int) -> list[int]:
    """Twelve rounds over sixteen words, each an integer of lanes; `mask` keeps 32 bits of each lane."""
    x = list(start)
    for _ in range(_DOUBLE_ROUNDS):
        for i, j, k, m in _QUARTERS:
            a, b, c, d = x[i], x[j], x[k], x[m]
            a = a + b & mask
            d ^= a
            d = (d << 16 | d >> 16) & mask
            c = c + d & mask
            b ^= c
            b = (b << 12 | b >> 20) & mask
            a = a + b & mask
            d ^= a
            d = (d << 8 | d >> 24) & mask
            c = c + d & mask
            b ^= c
            b = (b << 7 | b >> 25) & mask
            x[i], x[j], x[k], x[m] = a, b, c, d
    return x


# --------------------------------------------------------------------------- seeds and keys on lanes


class _WideLanes:
    """The constants of `n` lanes of 128 bits, which products of 64 bits need."""

    def __init__(self, n: int) -> None:
        ones = self.ones = _ones(2 * n, wide=True)
        self.order = _join_wide(range(n))
        self.mask = ones * MASK_64
        self.gamma = ones * GOLDEN_GAMMA
        self.low_34, self.low_37, self.low_33 = (ones * (MASK_64 >> distance) for distance in (30, 27, 31))
        self.increment = ones * PCG_INCREMENT
        halves = self.halves = _ones(2 * n)
        """The number 1 in both halves of each lane."""
        self.low_32, self.low_46 = halves * MASK_32, halves * (MASK_64 >> 18)

    def mixed(self, x: int) -> int:
        """`mix` on every lane."""
        mask = self.mask
        x = x + self.gamma & mask
        x = (x ^ x >> 30 & self.low_34) * MIX_1 & mask
        x = (x ^ x >> 27 & self.low_37) * MIX_2 & mask
        return x ^ x >> 31 & self.low_33


def _keys_of_substreams(seed: int, serial: int, n: int, turn: int, kind: int) -> list[int]:
    """Eight key words, each with one 64-bit lane per session."""
    wide = _wide_lanes(n)
    return _keys_on_lanes(wide.order + (seed + serial & MASK_64) * wide.ones & wide.mask, n, turn, kind)


def _keys_on_lanes(lanes: int, n: int, turn: int, kind: int) -> list[int]:
    """The same from seed plus serial on `n` wide lanes.

    Two words at a time: the states from which they come fill the halves of lanes twice as wide.
    """
    wide = _wide_lanes(n)
    ones, mask, halves = wide.ones, wide.mask, wide.halves
    h = wide.mixed(lanes)
    h = wide.mixed(h + turn * ones & mask)
    state = wide.mixed(h + kind * ones & mask)
    words: list[int] = []
    for _ in range(4):
        first = state * PCG_MULTIPLIER + wide.increment & mask
        state = first * PCG_MULTIPLIER + wide.increment & mask
        both = first | state << 64
        word = (both >> 18 & wide.low_46 ^ both) >> 27 & wide.low_32
        # Rotating right a word that stands there twice is shifting it: a stage for each bit of the distance, which is
        # the state's top five bits.  What comes in from the neighbouring half never gets down to the low 32 bits.
        word |= word << 32
        for bit in range(5):
            chosen = both >> 59 + bit & halves
            word ^= (word ^ word >> (1 << bit)) & (chosen << 64) - chosen
        words += _apart(word & wide.low_32, n)
    return words


@lru_cache(maxsize=16)
def _wide_lanes(n: int) -> _WideLanes:
    return _WideLanes(n)


@lru_cache(maxsize=64)
def _ones(n: int, wide: bool = False) -> int:
    """The number 1 in each of `n` 64-bit lanes; with `wide`, in every second one."""
    if wide:
        return int.from_bytes(b"\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0" * (n // 2), "little")
    return int.from_bytes(b"\1\0\0\0\0\0\0\0" * n, "little")


def _join_lanes(values: Sequence[int]) -> int:
    return int.from_bytes(pack(f"<{len(values)}Q", *values), "little")


def _join_wide(values: Sequence[int]) -> int:
    spaced = [0] * (2 * len(values))
    spaced[::2] = values
    return _join_lanes(spaced)


def _split_lanes(x: int, n: int) -> tuple[int, ...]:
    return unpack(f"<{n}Q", x.to_bytes(8 * n, "little"))


def _apart(x: int, n: int) -> tuple[int, int]:
    """From one value in each half of `n` wide lanes to one in each of `n` lanes, twice."""
    halves = memoryview(x.to_bytes(16 * n, "little")).cast("Q")
    return int.from_bytes(halves[::2].tobytes(), "little"), int.from_bytes(halves[1::2].tobytes(), "little")
