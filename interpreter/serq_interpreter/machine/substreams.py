"""The first blocks of the substreams of many sessions, made together and remembered.

Every session has a substream for its `init`, each `turn`, its statements and each leg; most take fewer than the
eight uniforms of one block.  Making blocks for consecutive sessions at once is five (plain Python) to fifty (numpy)
times cheaper than one by one, and the blocks depend on (seed, serial, turn, kind) alone, so they are kept for the
life of the process, the least recently used first to go when `MEMO_BYTES` are reached.
"""

from __future__ import annotations

import sys
from array import array
from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from types import ModuleType

from serq_interpreter.machine import chacha
from serq_interpreter.machine.chacha import OUTPUTS_PER_BLOCK, block, key_words, substream_seed

UNIT = 2.0**-53
"""A uniform is the top 53 bits of an output times this."""

MEMO_BYTES = 32 * 1024 * 1024
LARGEST_CHUNK = 2048
"""Sessions whose blocks are made at once; chunks grow from 8 so that small runs stay small."""

_SPARSE_AFTER = 512
"""Blocks a family makes before it is judged: when few were used (deep turns), it goes on one by one."""
_SPARSE_SHARE = 10
"""One block costs about this many blocks of a chunk in plain Python, and more in numpy."""

_NUMPY_MIN_BLOCKS = 48
"""Fewer blocks are faster in plain Python."""
_NUMPY_AFTER_BLOCKS = 16_384
"""Blocks made in plain Python before numpy is imported for their sake: by then its import has paid off."""


class _Plan:
    """How many blocks plain Python has made in this process; decides when numpy is worth its import."""

    plain_blocks = 0


class _Memo:
    """Chunks by (seed, turn, kind, first serial), bounded in bytes."""

    def __init__(self) -> None:
        self.chunks: OrderedDict[tuple[int, int, int, int, int], array[float]] = OrderedDict()
        self.bytes = 0

    def get(self, key: tuple[int, int, int, int, int]) -> array[float] | None:
        chunk = self.chunks.get(key)
        if chunk is not None:
            self.chunks.move_to_end(key)
        return chunk

    def put(self, key: tuple[int, int, int, int, int], chunk: array[float]) -> None:
        self.chunks[key] = chunk
        self.bytes += len(chunk) * 8
        while self.bytes > MEMO_BYTES and len(self.chunks) > 1:
            _, oldest = self.chunks.popitem(last=False)
            self.bytes -= len(oldest) * 8


_MEMO = _Memo()


class _Family:
    """The chunk in use of one (turn, kind), and how many of its blocks were wanted."""

    __slots__ = ("made", "start", "stop", "uniforms", "used")

    def __init__(self) -> None:
        self.start = 0
        self.stop = 0
        self.uniforms: array[float] = array("d")
        self.made = 0
        self.used = 0


class Substreams:
    """The substreams of one seed."""

    __slots__ = ("_families", "_seed")

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._families: dict[tuple[int, int], _Family] = {}

    def first_uniforms(self, serial: int, turn: int, kind: int) -> list[float]:
        """The eight uniforms of the substream's first block, the first one last; the list is the caller's."""
        family = self._families.get((turn, kind))
        if family is None:
            family = self._families[turn, kind] = _Family()
        family.used += 1
        if not family.start <= serial < family.stop:
            if family.made >= _SPARSE_AFTER and family.used * _SPARSE_SHARE < family.made:
                return self._single(serial, turn, kind)
            self._load(family, serial, turn, kind)
        at = (serial - family.start) * OUTPUTS_PER_BLOCK
        return family.uniforms[at : at + OUTPUTS_PER_BLOCK].tolist()

    def column(self, serial: int, turn: int, kind: int, position: int) -> tuple[int, list[float]]:
        """Uniform number `position` (from 0) of every session in `serial`'s chunk, and the chunk's first serial.

        For generated code that knows how many uniforms a block takes.
        """
        family = self._families.setdefault((turn, kind), _Family())
        if not family.start <= serial < family.stop:
            self._load(family, serial, turn, kind)
        family.used += family.stop - family.start
        return family.start, family.uniforms[OUTPUTS_PER_BLOCK - 1 - position :: OUTPUTS_PER_BLOCK].tolist()

    def _load(self, family: _Family, serial: int, turn: int, kind: int) -> None:
        start, stop = chunk_of(serial)
        key = (self._seed, turn, kind, start, stop)
        uniforms = _MEMO.get(key)
        if uniforms is None:
            uniforms = _first_blocks(self._seed, start, stop - start, turn, kind)
            _MEMO.put(key, uniforms)
        family.start, family.stop, family.uniforms = start, stop, uniforms
        family.made += stop - start

    def _single(self, serial: int, turn: int, kind: int) -> list[float]:
        key = (self._seed, turn, kind, serial, serial + 1)
        uniforms = _MEMO.get(key)
        if uniforms is None:
            outputs = block(key_words(substream_seed(self._seed, serial, turn, kind)), 0)
            uniforms = array("d", [(output >> 11) * UNIT for output in reversed(outputs)])
            _MEMO.put(key, uniforms)
        return uniforms.tolist()


def chunk_of(serial: int) -> tuple[int, int]:
    """The fixed range of serials made together with this one: 0…7, then doubling, then `LARGEST_CHUNK` wide."""
    if serial >= LARGEST_CHUNK:
        start = serial - serial % LARGEST_CHUNK
        return start, start + LARGEST_CHUNK
    if serial < 8:
        return 0, 8
    start = 1 << (serial.bit_length() - 1)
    return start, 2 * start


def forget() -> None:
    """Drop every remembered block (for measurements)."""
    _MEMO.chunks.clear()
    _MEMO.bytes = 0


def block_uniforms(key: Sequence[int], counter: int, n_blocks: int) -> list[float]:
    """The uniforms of `n_blocks` consecutive blocks of one stream, the first one last."""
    if n_blocks == 1:
        return [(output >> 11) * UNIT for output in reversed(block(key, counter))]
    vector = _numpy_kernel(n_blocks)
    if vector is None:
        columns = chacha.blocks_of_stream(key, counter, n_blocks)
        uniforms = _interleave_columns(columns, n_blocks)
    else:
        uniforms = _interleave_array(vector.blocks_of_stream(key, counter, n_blocks))
    # Within a block the order is already reversed; put the last block first.
    rows = [uniforms[at : at + OUTPUTS_PER_BLOCK] for at in range(0, len(uniforms), OUTPUTS_PER_BLOCK)]
    return [u for row in reversed(rows) for u in row]


def _first_blocks(seed: int, serial: int, n: int, turn: int, kind: int) -> array[float]:
    vector = _numpy_kernel(n)
    if vector is None:
        return _interleave_columns(chacha.first_blocks(seed, serial, n, turn, kind), n)
    return _interleave_array(vector.first_blocks(seed, serial, n, turn, kind))


def _interleave_columns(columns: Sequence[Sequence[int]], n: int) -> array[float]:
    """One row of eight uniforms per block, reversed within the row."""
    uniforms = array("d", bytes(8 * OUTPUTS_PER_BLOCK * n))
    for i, column in enumerate(columns):
        uniforms[OUTPUTS_PER_BLOCK - 1 - i :: OUTPUTS_PER_BLOCK] = array("d", [(u >> 11) * UNIT for u in column])
    return uniforms


def _interleave_array(outputs: object) -> array[float]:
    from serq_interpreter.machine.chacha_numpy import uniform_rows

    uniforms = array("d")
    uniforms.frombytes(uniform_rows(outputs))  # type: ignore[arg-type]
    return uniforms


def _numpy_kernel(n_blocks: int) -> ModuleType | None:
    """The numpy execution if it is installed and pays for `n_blocks` blocks, else `None`."""
    if n_blocks < _NUMPY_MIN_BLOCKS:
        return None
    if "numpy" not in sys.modules and (_Plan.plain_blocks < _NUMPY_AFTER_BLOCKS or not _numpy_installed()):
        _Plan.plain_blocks += n_blocks
        return None
    return _chacha_numpy()


@lru_cache(maxsize=1)
def _numpy_installed() -> bool:
    return find_spec("numpy") is not None


@lru_cache(maxsize=1)
def _chacha_numpy() -> ModuleType | None:
    try:
        from serq_interpreter.machine import chacha_numpy
    except ImportError:  # an installation that cannot be loaded is as good as none
        return None
    return chacha_numpy
