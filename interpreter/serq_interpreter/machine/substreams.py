"""The first blocks of the substreams of many sessions, made together and remembered.

Every session has a substream for its `init`, each `turn`, its statements and each leg; most take fewer than the
eight uniforms of one block.  Making blocks for consecutive sessions at once is five (plain Python) to fifty (numpy)
times cheaper than one by one, a hundred and more compiled (`native`), and the blocks depend on (seed, serial, turn, kind) alone, so they are kept for the
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
from serq_interpreter.machine.native.loader import native

UNIT = 2.0**-53
"""A uniform is the top 53 bits of an output times this."""

MEMO_BYTES = 32 * 1024 * 1024
SMALLEST_CHUNK, LARGEST_CHUNK = 32, 2048
"""Sessions whose blocks are made at once, at least and at most; small runs stay small."""

_SPARSE_AFTER = 128
"""Blocks a family makes before it is judged: when few were used (deep turns), it goes on one by one."""
_SPARSE_SHARE = 10
"""One block costs about this many blocks of a chunk in plain Python, and more in numpy."""

_NUMPY_MIN_BLOCKS = 48
"""Fewer blocks are faster in plain Python."""
_NUMPY_AFTER_BLOCKS = 16_384
"""Blocks made in plain Python before numpy is imported for their sake: by then its import has paid off."""


_MOST_CHUNKS = 8
"""Chunks of a turn that are at hand at once."""
_FEW_BLOCKS = 3
"""So few blocks of scattered sessions are made one by one."""
_LANES = 32
_FEW_LANES = 8
"""More are made in a multiple of `_LANES`, or of `_FEW_LANES` if they are fewer than `_LANES`."""


class _Plan:
    """Which execution makes blocks in this process."""

    plain_blocks = 0
    """Blocks made in plain Python so far: decides when numpy is worth its import."""
    wish: bool | None = None


def use_numpy(wish: bool | None) -> None:
    """Always numpy where it is installed, never, or (`None`) where it pays; the bits are the same."""
    _Plan.wish = wish


def numpy_wanted(worth: bool) -> bool:
    """Whether something that may be `worth` the import of numpy is to use it."""
    if _Plan.wish is not None:
        return _Plan.wish and _numpy_installed()
    return "numpy" in sys.modules or (worth and _numpy_installed())


class PackedUniforms(array):  # type: ignore[type-arg]
    """Eight uniforms per block, block after block, of which the first `filled` have been worked out.

    Many programs draw one or two of the eight.  The others wait as packed columns of `chacha`.
    """

    __slots__ = ("columns", "filled")
    columns: list[int]
    filled: int

    def fill(self, number: int) -> None:
        """Work out the first so many uniforms of each block."""
        n = len(self) // OUTPUTS_PER_BLOCK
        for i in range(self.filled, number):
            self[i::OUTPUTS_PER_BLOCK] = array("d", [bits * UNIT for bits in chacha.top_bits(self.columns[i], n)])
            self.columns[i] = 0
        self.filled = max(self.filled, number)


class _Memo:
    """Chunks by (seed, turn, kind, first serial), bounded in bytes."""

    def __init__(self) -> None:
        self.chunks: OrderedDict[tuple[float, ...], array[float]] = OrderedDict()
        self.bytes = 0

    def get(self, key: tuple[float, ...]) -> array[float] | None:
        chunk = self.chunks.get(key)
        if chunk is not None:
            self.chunks.move_to_end(key)
        return chunk

    def put(self, key: tuple[float, ...], chunk: array[float]) -> None:
        self.chunks[key] = chunk
        self.bytes += size_of(chunk)
        while self.bytes > MEMO_BYTES and len(self.chunks) > 1:
            _, oldest = self.chunks.popitem(last=False)
            self.bytes -= size_of(oldest)


def size_of(chunk: array[float]) -> int:
    """Bytes that a chunk takes, at most."""
    return len(chunk) * (16 if isinstance(chunk, PackedUniforms) else 8)


_MEMO = _Memo()


class Family:
    """The substreams of one (seed, turn, kind), by session serial."""

    __slots__ = (
        "_filled",
        "_kind",
        "_latest",
        "_loaded",
        "_made",
        "_seed",
        "_turn",
        "_uniforms",
        "_used",
        "start",
        "stop",
    )

    def __init__(self, seed: int, turn: int, kind: int) -> None:
        self._seed = seed
        self._turn = turn
        self._kind = kind
        self.start = 0
        self.stop = 0
        """The serials of the chunk in use: from `start` up to, not including, `stop`."""
        self._uniforms: array[float] = array("d")
        self._filled = OUTPUTS_PER_BLOCK
        self._loaded: set[int] = set()
        """Where the chunks begin that were in use so far."""
        self._latest = (0, 0)
        """The first serial and the width of the last of them in order."""
        self._made = 0
        self._used = 0

    def block_of(self, serial: int, needed: int = OUTPUTS_PER_BLOCK) -> tuple[array[float], int]:
        """Uniforms, and the index there of the first of the session's `needed`, eight at most; not to be changed."""
        self._used += 1
        if not self.start <= serial < self.stop:
            # The chunk that is the latest in order has just come into use.
            made = self._made - self._latest[1]
            if made >= _SPARSE_AFTER and self._used * _SPARSE_SHARE < made:
                return self._single(serial), 0
            self._load(serial, needed)
        elif needed > self._filled:
            self._fill(needed)
        return self._uniforms, (serial - self.start) * OUTPUTS_PER_BLOCK

    def count_served(self, number: int) -> None:
        """So many sessions took their block from the chunk at hand without asking."""
        self._used += number

    def _load(self, serial: int, needed: int) -> None:
        start, stop = chunk_of(serial)
        key = (self._seed, self._turn, self._kind, start, stop)
        uniforms = _MEMO.get(key)
        if uniforms is None:
            uniforms = _first_blocks(self._seed, start, stop - start, self._turn, self._kind)
            _MEMO.put(key, uniforms)
        self.start, self.stop, self._uniforms = start, stop, uniforms
        if start not in self._loaded:
            self._loaded.add(start)
            self._made += stop - start
            self._latest = max(self._latest, (start, stop - start))
        self._fill(needed)

    def chunk(self, start: int, stop: int, needed: int) -> tuple[Sequence[int], array[float]]:
        """The serials of a chunk that have a block, and the first `needed` uniforms of each."""
        key = (self._seed, self._turn, self._kind, start, stop)
        uniforms = _MEMO.get(key)
        if uniforms is None:
            uniforms = _first_blocks(self._seed, start, stop - start, self._turn, self._kind)
            _MEMO.put(key, uniforms)
        if isinstance(uniforms, PackedUniforms):
            uniforms.fill(needed)
        return range(start, stop), uniforms

    def _fill(self, needed: int) -> None:
        uniforms = self._uniforms
        self._filled = OUTPUTS_PER_BLOCK
        if isinstance(uniforms, PackedUniforms):
            uniforms.fill(needed)
            self._filled = uniforms.filled

    def _single(self, serial: int) -> array[float]:
        key = (self._seed, self._turn, self._kind, serial, serial + 1)
        uniforms = _MEMO.get(key)
        if uniforms is None:
            uniforms = _first_block(self._seed, serial, self._turn, self._kind)
            _MEMO.put(key, uniforms)
        return uniforms


class _Foreseen:
    """A chunk of scattered sessions: their serials, their uniforms, and where these are."""

    __slots__ = ("places", "serials", "uniforms")

    def __init__(self, serials: list[int], uniforms: array[float]) -> None:
        self.serials = serials
        self.uniforms = uniforms
        self.places = dict(zip(serials, range(0, OUTPUTS_PER_BLOCK * len(serials), OUTPUTS_PER_BLOCK), strict=True))


class ForeseenFamily(Family):
    """The substreams of a turn that only some sessions take: those of whom the turn before says that they go on.

    Whoever has a uniform below `share` at `place` in the block of the turn `before` is foreseen; a chunk has the blocks of
    the foreseen among its serials.  Anybody else's block is made when it is asked for.
    """

    __slots__ = ("_before", "_chunks", "_latest_found", "place", "share")

    def __init__(self, seed: int, turn: int, kind: int, before: Family, place: int, share: float) -> None:
        super().__init__(seed, turn, kind)
        self._before = before
        self.place = place
        self.share = share
        self._chunks: OrderedDict[int, _Foreseen] = OrderedDict()
        """The chunks in use, by their first serial: sessions of several take their turns at the same time."""
        self._latest_found = _Foreseen([], array("d"))
        """The one of `start` to `stop`."""

    def block_of(self, serial: int, needed: int = OUTPUTS_PER_BLOCK) -> tuple[array[float], int]:
        found = self._latest_found
        if not self.start <= serial < self.stop:
            self.start, self.stop = chunk_of(serial)
            found = self._chunks.get(self.start) or self._add(self.start, self.stop)
            self._latest_found = found
        at = found.places.get(serial)
        if at is None:
            return self._single(serial), 0
        uniforms = found.uniforms
        if isinstance(uniforms, PackedUniforms) and needed > uniforms.filled:
            uniforms.fill(needed)
        return uniforms, at

    def chunk(self, start: int, stop: int, needed: int) -> tuple[Sequence[int], array[float]]:
        found = self._chunks.get(start) or self._add(start, stop)
        if isinstance(found.uniforms, PackedUniforms):
            found.uniforms.fill(needed)
        return found.serials, found.uniforms

    def _add(self, start: int, stop: int) -> _Foreseen:
        serials = self._foreseen(start, stop)
        key = (self._seed, self._turn, self._kind, start, stop, self.place, self.share)
        uniforms = _MEMO.get(key)
        if uniforms is None:
            uniforms = _blocks_of(self._seed, serials, self._turn, self._kind)
            _MEMO.put(key, uniforms)
        found = self._chunks[start] = _Foreseen(serials, uniforms)
        if len(self._chunks) > _MOST_CHUNKS:
            self._chunks.popitem(last=False)
        return found

    def _foreseen(self, start: int, stop: int) -> list[int]:
        serials, uniforms = self._before.chunk(start, stop, self.place + 1)
        share = self.share
        chosen = uniforms[self.place :: OUTPUTS_PER_BLOCK]
        return [serial for serial, uniform in zip(serials, chosen, strict=False) if uniform < share]


def chunk_of(serial: int) -> tuple[int, int]:
    """The fixed range of serials made together with this one: few at first, then up to half of what lies before.

    Ranges grow no further than to `LARGEST_CHUNK`.
    """
    width = min(max(SMALLEST_CHUNK, 1 << max(serial.bit_length() - 2, 0)), LARGEST_CHUNK)
    start = serial - serial % width
    return start, start + width


def forget() -> None:
    """Drop every remembered block (for measurements)."""
    _MEMO.chunks.clear()
    _MEMO.bytes = 0


def block_uniforms(key: Sequence[int], counter: int, n_blocks: int) -> array[float]:
    """The uniforms of `n_blocks` consecutive blocks of one stream, in order."""
    compiled = native("blocks")
    if compiled is not None:
        made: array[float] = compiled.stream_uniforms(array("I", key), counter, n_blocks)
        return made
    if n_blocks == 1:
        return array("d", [(output >> 11) * UNIT for output in block(key, counter)])
    vector = _numpy_kernel(n_blocks)
    if vector is None:
        return _interleave(chacha.blocks_of_stream(key, counter, n_blocks), n_blocks)
    return _from_bytes(vector.uniform_rows(vector.blocks_of_stream(key, counter, n_blocks)))


def _first_blocks(seed: int, serial: int, n: int, turn: int, kind: int) -> array[float]:
    """The first blocks of sessions `serial` to `serial + n - 1`; in plain Python they are still to be filled."""
    compiled = native("blocks")
    if compiled is not None:
        made: array[float] = compiled.first_uniforms(seed, serial, n, turn, kind)
        return made
    vector = _numpy_kernel(n)
    if vector is None:
        packed = PackedUniforms("d", bytes(8 * OUTPUTS_PER_BLOCK * n))
        packed.columns = chacha.packed_first_blocks(seed, serial, n, turn, kind)
        packed.filled = 0
        return packed
    return _from_bytes(vector.uniform_rows(vector.first_blocks(seed, serial, n, turn, kind)))


def _blocks_of(seed: int, serials: Sequence[int], turn: int, kind: int) -> array[float]:
    """As `_first_blocks`, of any sessions in the order of `serials`; blocks of nobody may follow."""
    compiled = native("blocks")
    if compiled is not None:
        made = array("d")
        for serial in serials:
            made += compiled.first_uniforms(seed, serial, 1, turn, kind)
        return made
    if len(serials) <= _FEW_BLOCKS:
        made = array("d")
        for serial in serials:
            made += _first_block(seed, serial, turn, kind)
        return made
    # Few sizes, so that the constants of the lanes are used again.
    lanes = _FEW_LANES if len(serials) < _LANES else _LANES
    padded = [*serials, *[serials[-1]] * (-len(serials) % lanes)]
    vector = _numpy_kernel(len(padded))
    if vector is None:
        packed = PackedUniforms("d", bytes(8 * OUTPUTS_PER_BLOCK * len(padded)))
        packed.columns = chacha.packed_first_blocks_of(seed, padded, turn, kind)
        packed.filled = 0
        return packed
    return _from_bytes(vector.uniform_rows(vector.first_blocks_of(seed, padded, turn, kind)))


def _first_block(seed: int, serial: int, turn: int, kind: int) -> array[float]:
    compiled = native("blocks")
    if compiled is not None:
        made: array[float] = compiled.first_uniforms(seed, serial, 1, turn, kind)
        return made
    return block_uniforms(key_words(substream_seed(seed, serial, turn, kind)), 0, 1)


def _interleave(columns: Sequence[Sequence[int]], n: int) -> array[float]:
    """Eight uniforms per block, block after block."""
    uniforms = array("d", bytes(8 * OUTPUTS_PER_BLOCK * n))
    for i, column in enumerate(columns):
        uniforms[i::OUTPUTS_PER_BLOCK] = array("d", [(output >> 11) * UNIT for output in column])
    return uniforms


def _from_bytes(doubles: bytes) -> array[float]:
    uniforms = array("d")
    uniforms.frombytes(doubles)
    return uniforms


def _numpy_kernel(n_blocks: int) -> ModuleType | None:
    """The numpy execution if it is installed and pays for `n_blocks` blocks, else `None`."""
    if n_blocks < _NUMPY_MIN_BLOCKS or _Plan.wish is False:
        return None
    if _Plan.wish:
        return _chacha_numpy()
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
