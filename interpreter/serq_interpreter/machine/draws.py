"""Every random number of a run: streams, substreams and distributions (06 §10, §11).

All randomness is a function of the 64-bit seed.  `Draws` hands out the streams of one run:

    draws = Draws(seed=3)
    draws.arrival                 arrival gaps                  draws.evict     eviction keys, spills
    draws.machine                 budget, chunk, cost, capacity draws.picks     corpus sessions of a trace
    draws.workload(serial, turn)  the `init` (turn 0) or `turn` block; valid until the next call
    draws.session(serial)         the session's other statements; one stream for its life
    draws.leg(serial, leg)        the statements of a forked leg; one stream for its life

and `DISTRIBUTIONS[name](stream, *arguments)` takes a draw.  Arguments are evaluated by the caller first,
left to right, on the same stream.  Creating a substream costs its share of a block, so a caller makes one
only for a block that draws.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from math import floor, isnan, log, sqrt
from typing import Protocol

from serq_interpreter.machine.chacha import MASK_32, MASK_64, OUTPUTS_PER_BLOCK, block, key_words, substream_seed
from serq_interpreter.machine.substreams import Family, ForeseenFamily, block_uniforms

TRACE_XOR = 0x6A09E667F3BCC908
EVICT_XOR = 0x2545F4914F6CDD1D
MACHINE_XOR = 0x5851F42D4C957F2D

KIND_WORKLOAD = 1
KIND_SESSION = 2
KIND_LEG = 3

_LARGEST_REFILL = 1024
"""Blocks made at once by a long stream; the number doubles from one."""

_MOST_FORESEEN = 64
"""Turns after which sessions are not foreseen any more."""

MOST_ERLANG_PHASES = 10_000_000
"""A draw of more phases is refused: the edition would sum them for minutes, or for ever when infinite."""


class DrawError(ValueError):
    """A draw that would not end; the text says which."""


class Stream:
    """The uniforms of one generator, in order.

    `block` holds the ones at hand and `at` the index of the next; from `stop` on there are none.
    """

    __slots__ = ("_counter", "_key", "_refill_blocks", "_seed", "at", "block", "stop")

    def __init__(self, seed: int) -> None:
        self.block: array[float] = _NOTHING
        self.at = 0
        self.stop = 0
        self._seed = seed & MASK_64
        self._key: tuple[int, ...] | None = None
        self._counter = 0
        self._refill_blocks = 1

    def uniform(self) -> float:
        """The next uniform in [0, 1): the top 53 bits of a 64-bit output times 2^-53."""
        at = self.at
        if at == self.stop:
            self._refill()
            at = 0
        self.at = at + 1
        return self.block[at]

    def _refill(self) -> None:
        if self._key is None:
            self._key = key_words(self._generator_seed())
        self.block = block_uniforms(self._key, self._counter, self._refill_blocks)
        self.stop = len(self.block)
        self._counter += self._refill_blocks
        self._refill_blocks = min(2 * self._refill_blocks, _LARGEST_REFILL)

    def _generator_seed(self) -> int:
        return self._seed


_NOTHING: array[float] = array("d")


class Substream(Stream):
    """A stream whose first block was made together with those of neighbouring sessions."""

    __slots__ = ("_kind", "_serial", "_turn")

    def __init__(self, family: Family, seed: int, serial: int, turn: int, kind: int) -> None:
        self._kind = kind
        self._seed = seed
        self.restart(family, serial, turn)

    def restart(self, family: Family, serial: int, turn: int) -> None:
        """Become the substream of another session and turn, at its first uniform."""
        self.block, at = family.block_of(serial)
        self.at = at
        self.stop = at + OUTPUTS_PER_BLOCK
        self._serial = serial
        self._turn = turn
        self._key = None
        self._counter = 1
        self._refill_blocks = 1

    def _generator_seed(self) -> int:
        return substream_seed(self._seed, self._serial, self._turn, self._kind)


class PicksBelow(Protocol):
    """Where the picks of an unordered trace come from."""

    def below(self, n: int) -> int: ...


class Picks:
    """Whole numbers below a bound, from 32-bit words (06 §10.5)."""

    __slots__ = ("_counter", "_key", "_words")

    def __init__(self, seed: int) -> None:
        self._key = key_words(seed)
        self._counter = 0
        self._words: list[int] = []

    def below(self, n: int) -> int:
        """Uniform in 0 … n-1 for 1 <= n < 2^32; one word, rarely two."""
        product = self._word() * n
        result, low = product >> 32, product & MASK_32
        if low > 2**32 - n and low + (self._word() * n >> 32) > MASK_32:
            result += 1
        return result

    def _word(self) -> int:
        if not self._words:
            for output in reversed(block(self._key, self._counter)):
                self._words += (output >> 32, output & MASK_32)
            self._counter += 1
        return self._words.pop()


class Draws:
    """The streams of one run.

    Runs of one seed in one process share the blocks of their sessions, so a changed deployment draws
    nothing anew (`substreams`).
    """

    __slots__ = ("_block_stream", "_families", "_going_on", "arrival", "evict", "machine", "picks", "seed")

    def __init__(self, seed: int) -> None:
        self.seed = seed & MASK_64
        self.arrival = Stream(self.seed)
        self.evict = Stream(self.seed ^ EVICT_XOR)
        self.machine = Stream(self.seed ^ MACHINE_XOR)
        self.picks = Picks(self.seed ^ TRACE_XOR)
        self._families: dict[tuple[int, int], Family] = {}
        self._block_stream: Substream | None = None
        self._going_on: tuple[int, float] | None = None

    def foresee(self, place: int, share: float) -> None:
        """A session takes a further turn where the uniform at `place` of its latest turn's block is below `share`.

        To be said before anything is drawn; what is drawn does not depend on it, only what is made beforehand.
        """
        self._going_on = (place, share)

    def workload(self, serial: int, turn: int) -> Stream:
        """The stream of the session's `turn`-th `turn` block; turn 0 is its `init` block.

        Such a block runs without interruption, so one object serves all of them: it is valid until the next call.
        """
        stream = self._block_stream
        if stream is not None:
            stream.restart(self._family(turn, KIND_WORKLOAD), serial, turn)
            return stream
        family = self._family(turn, KIND_WORKLOAD)
        self._block_stream = Substream(family, self.seed, serial, turn, KIND_WORKLOAD)
        return self._block_stream

    def session(self, serial: int) -> Stream:
        """The stream of the session's own statements, kept for its life, preemptions included."""
        return Substream(self._family(0, KIND_SESSION), self.seed, serial, 0, KIND_SESSION)

    def leg(self, serial: int, leg: int) -> Stream:
        """The stream of the session's `leg`-th forked leg, counted from 0 in fork order."""
        return Substream(self._family(leg, KIND_LEG), self.seed, serial, leg, KIND_LEG)

    def first_uniforms(
        self, serial: int, turn: int, kind: int, served: int = 0, needed: int = OUTPUTS_PER_BLOCK
    ) -> tuple[array[float], int, int, int]:
        """The chunk of uniforms that holds a session's, its offset there, and the chunk's first and last serial + 1.

        For generated code that knows how many uniforms a block takes, eight at most: session `i` of the chunk has
        `chunk[8 * (i - first)]` onwards.  `served` is how many sessions took theirs from the chunk before without asking;
        `needed` how many uniforms of each block are read.
        """
        family = self._families.get((turn, kind)) or self._family(turn, kind)
        if served:
            family.count_served(served)
        chunk, at = family.block_of(serial, needed)
        return chunk, at, family.start, family.stop

    def _family(self, turn: int, kind: int) -> Family:
        family = self._families.get((turn, kind))
        if family is None:
            family = self._families[turn, kind] = self._new_family(turn, kind)
        return family

    def _new_family(self, turn: int, kind: int) -> Family:
        if self._going_on is None or kind != KIND_WORKLOAD or not 1 < turn <= _MOST_FORESEEN:
            return Family(self.seed, turn, kind)
        return ForeseenFamily(self.seed, turn, kind, self._family(turn - 1, kind), *self._going_on)


# --------------------------------------------------------------------------- distributions
#
# Each operation is one double operation, in the order of 06 §11; no argument is checked.


def exponential(stream: Stream, mean: float) -> float:
    """`~exp(mean)`: one uniform."""
    return -mean * log(1.0 - stream.uniform())


def deterministic(_stream: Stream, value: float) -> float:
    """`~det(value)`: no uniform."""
    return value


def uniform(stream: Stream, low: float, high: float) -> float:
    """`~uniform(low, high)`: one uniform, also when both are equal."""
    return low + (high - low) * stream.uniform()


def erlang(stream: Stream, phases: float, mean: float) -> float:
    """`~erlang(phases, mean)`: one uniform for each of max(1, ⌊phases⌋) phases; NaN phases are one.

    Raises `DrawError` above `MOST_ERLANG_PHASES`.
    """
    n = erlang_phases(phases)
    total = 0.0
    for _ in range(n):
        total += exponential(stream, mean / n)
    return total


def erlang_phases(phases: float) -> int:
    """How many phases are drawn.  Raises `DrawError`."""
    if phases > MOST_ERLANG_PHASES:
        raise DrawError(f"`~erlang({phases:g}, …)` has more than {MOST_ERLANG_PHASES} phases")
    return 1 if isnan(phases) or phases < 1.0 else floor(phases)


def hyperexponential(stream: Stream, mean: float, cv2: float) -> float:
    """`~h2(mean, cv2)`, balanced: one uniform picks the phase, one draws it; a cv2 below 1 or NaN is 1."""
    v = cv2 if cv2 > 1.0 else 1.0
    p = (1.0 + sqrt((v - 1.0) / (v + 1.0))) / 2.0
    if stream.uniform() < p:
        return exponential(stream, mean / (2.0 * p))
    return exponential(stream, mean / (2.0 * (1.0 - p)))


def bernoulli(stream: Stream, p: float) -> float:
    """`~bernoulli(p)`: 1 if a uniform is below p, else 0."""
    return 1.0 if stream.uniform() < p else 0.0


DISTRIBUTIONS: dict[str, Callable[..., float]] = {
    "Exp": exponential,
    "Det": deterministic,
    "Uniform": uniform,
    "Erlang": erlang,
    "H2": hyperexponential,
    "Bernoulli": bernoulli,
}
"""By the IR's name; called with the stream and the evaluated arguments."""
