# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True, annotation_typing=False
"""The uniforms of ChaCha12 blocks, one stream after the other (06 §10): `chacha` for a compiler.

A double is the top 53 bits of a 64-bit output times 2^-53; eight of them are a block.
"""

from __future__ import annotations

from array import array

from serq_interpreter.machine.native.loops import words

UNIT = 2.0**-53


def mixed(x: int) -> int:
    """SplitMix64's output function after one step of its counter, modulo 2^64."""
    x = (x + words.GOLDEN_GAMMA) & words.MASK_64
    x = ((x ^ (x >> 30)) * words.MIX_1) & words.MASK_64
    x = ((x ^ (x >> 27)) * words.MIX_2) & words.MASK_64
    return x ^ (x >> 31)


def first_uniforms(seed: int, serial: int, n: int, turn: int, kind: int) -> array[float]:
    """Block 0 of the substreams of sessions `serial` to `serial + n - 1`, session after session."""
    made = array("d", bytes(64 * n))
    uniforms = made
    key = array("I", bytes(32))
    for i in range(n):
        substream_block(seed, serial + i, turn, kind, 0, key, uniforms, 8 * i)
    return made


def substream_block(
    seed: int, serial: int, turn: int, kind: int, counter: int, key: array[int], uniforms: array[float], at: int
) -> None:
    """Block `counter` of the substream (06 §10.2), into `uniforms` from index `at` on; `key` has room for eight words."""
    expand(mixed(mixed(mixed((seed + serial) & words.MASK_64) + turn) + kind), key)
    block(key, counter, uniforms, at)


def stream_uniforms(words: array[int], counter: int, n: int) -> array[float]:
    """Blocks `counter` to `counter + n - 1` of the stream with these eight key words."""
    made = array("d", bytes(64 * n))
    uniforms = made
    for i in range(n):
        block(words, counter + i, uniforms, 8 * i)
    return made


def expand(state: int, key: array[int]) -> None:
    """Eight 32-bit key words of a 64-bit seed, into `key`."""
    for i in range(8):
        state = (state * words.PCG_MULTIPLIER + words.PCG_INCREMENT) & words.MASK_64
        word = (((state >> 18) ^ state) >> 27) & words.MASK_32
        rotation = state >> 59
        key[i] = (word >> rotation | word << (32 - rotation & 31)) & words.MASK_32


def added(x: int, y: int) -> int:
    """The sum modulo 2^32."""
    return (x + y) & words.MASK_32


def rotated(x: int, distance: int) -> int:
    """32 bits turned left."""
    return (x << distance | x >> (32 - distance)) & words.MASK_32


def keep(low: int, first_low: int, high: int, first_high: int, uniforms: array[float], at: int) -> None:
    """Two words of the state, each added to what it began with, become a uniform."""
    output = added(high, first_high)
    output = output << 32 | added(low, first_low)
    uniforms[at] = (output >> 11) * UNIT


def block(key: array[int], counter: int, uniforms: array[float], at: int) -> None:
    """The eight uniforms of block `counter`, into `uniforms` from index `at` on."""
    a0, a1, a2, a3 = 0x61707865, 0x3320646E, 0x79622D32, 0x6B206574
    b0, b1, b2, b3 = key[0], key[1], key[2], key[3]
    c0, c1, c2, c3 = key[4], key[5], key[6], key[7]
    d0, d1, d2, d3 = counter & words.MASK_32, counter >> 32 & words.MASK_32, 0, 0
    for _ in range(6):
        # Columns.
        a0 = added(a0, b0)
        d0 = rotated(d0 ^ a0, 16)
        c0 = added(c0, d0)
        b0 = rotated(b0 ^ c0, 12)
        a0 = added(a0, b0)
        d0 = rotated(d0 ^ a0, 8)
        c0 = added(c0, d0)
        b0 = rotated(b0 ^ c0, 7)
        a1 = added(a1, b1)
        d1 = rotated(d1 ^ a1, 16)
        c1 = added(c1, d1)
        b1 = rotated(b1 ^ c1, 12)
        a1 = added(a1, b1)
        d1 = rotated(d1 ^ a1, 8)
        c1 = added(c1, d1)
        b1 = rotated(b1 ^ c1, 7)
        a2 = added(a2, b2)
        d2 = rotated(d2 ^ a2, 16)
        c2 = added(c2, d2)
        b2 = rotated(b2 ^ c2, 12)
        a2 = added(a2, b2)
        d2 = rotated(d2 ^ a2, 8)
        c2 = added(c2, d2)
        b2 = rotated(b2 ^ c2, 7)
        a3 = added(a3, b3)
        d3 = rotated(d3 ^ a3, 16)
        c3 = added(c3, d3)
        b3 = rotated(b3 ^ c3, 12)
        a3 = added(a3, b3)
        d3 = rotated(d3 ^ a3, 8)
        c3 = added(c3, d3)
        b3 = rotated(b3 ^ c3, 7)
        # Diagonals.
        a0 = added(a0, b1)
        d3 = rotated(d3 ^ a0, 16)
        c2 = added(c2, d3)
        b1 = rotated(b1 ^ c2, 12)
        a0 = added(a0, b1)
        d3 = rotated(d3 ^ a0, 8)
        c2 = added(c2, d3)
        b1 = rotated(b1 ^ c2, 7)
        a1 = added(a1, b2)
        d0 = rotated(d0 ^ a1, 16)
        c3 = added(c3, d0)
        b2 = rotated(b2 ^ c3, 12)
        a1 = added(a1, b2)
        d0 = rotated(d0 ^ a1, 8)
        c3 = added(c3, d0)
        b2 = rotated(b2 ^ c3, 7)
        a2 = added(a2, b3)
        d1 = rotated(d1 ^ a2, 16)
        c0 = added(c0, d1)
        b3 = rotated(b3 ^ c0, 12)
        a2 = added(a2, b3)
        d1 = rotated(d1 ^ a2, 8)
        c0 = added(c0, d1)
        b3 = rotated(b3 ^ c0, 7)
        a3 = added(a3, b0)
        d2 = rotated(d2 ^ a3, 16)
        c1 = added(c1, d2)
        b0 = rotated(b0 ^ c1, 12)
        a3 = added(a3, b0)
        d2 = rotated(d2 ^ a3, 8)
        c1 = added(c1, d2)
        b0 = rotated(b0 ^ c1, 7)
    keep(a0, 0x61707865, a1, 0x3320646E, uniforms, at)
    keep(a2, 0x79622D32, a3, 0x6B206574, uniforms, at + 1)
    keep(b0, key[0], b1, key[1], uniforms, at + 2)
    keep(b2, key[2], b3, key[3], uniforms, at + 3)
    keep(c0, key[4], c1, key[5], uniforms, at + 4)
    keep(c2, key[6], c3, key[7], uniforms, at + 5)
    keep(d0, counter & words.MASK_32, d1, counter >> 32 & words.MASK_32, uniforms, at + 6)
    keep(d2, 0, d3, 0, uniforms, at + 7)
