# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True, annotation_typing=False
"""The sessions of a run as rows of arrays, and what they draw (06 §10, §11).  A row is used again when its session has ended."""

from __future__ import annotations

import math
from array import array
from typing import Any

from serq_interpreter.machine.native.loops import heaps, opcodes


class Rows:
    """Who lives, and the uniforms at hand."""

    def __init__(self, tables: Any, books: Any, hooks: Any) -> None:
        """`tables` and `books` have the arrays of the same names; `hooks` answers what only the machine knows."""
        self.hooks = hooks
        self.width = tables.width
        self.rate: float = tables.rate
        self.start_draws()
        self.start_rows()

    def start_draws(self) -> None:
        """No uniform is at hand."""
        nothing = array("d")
        self.gaps = nothing
        self.gap_at = self.gap_stop = 0
        self.initial = nothing
        self.initial_at = self.initial_stop = 0
        self.block = nothing
        self.block_at = self.block_stop = 0
        self.own_chunk = nothing
        self.own_start = self.own_stop = 0
        self.source = opcodes.FROM_OWN
        self.block_turn = 0
        self.stream: Any = None

    def start_rows(self) -> None:
        """No session lives."""
        self.n_rows = 0
        self.n_used = 0
        self.free = opcodes.NOBODY
        self.streams: list[Any] = []
        nothing = array("q")
        self.vector, self.joined, self.work, self.started, self.own = (array("d") for _ in range(5))
        self.instant = array("d")
        self.counter = self.serial = self.turn = self.ready_count = self.link = self.drawn = nothing
        self.more_rows()

    def more_rows(self) -> int:
        """Room for twice as many sessions."""
        size = max(opcodes.ROWS, 2 * self.n_rows)
        self.vector = heaps.longer_doubles(self.vector, size * self.width)
        self.own = heaps.longer_doubles(self.own, size * opcodes.UNIFORMS)
        self.joined = heaps.longer_doubles(self.joined, size)
        self.work = heaps.longer_doubles(self.work, size)
        self.started = heaps.longer_doubles(self.started, size)
        self.instant = heaps.longer_doubles(self.instant, size)
        self.counter = heaps.longer_numbers(self.counter, size)
        self.serial = heaps.longer_numbers(self.serial, size)
        self.turn = heaps.longer_numbers(self.turn, size)
        self.ready_count = heaps.longer_numbers(self.ready_count, size)
        self.link = heaps.longer_numbers(self.link, size)
        self.drawn = heaps.longer_numbers(self.drawn, size)
        self.streams += [None] * (size - self.n_rows)
        self.n_rows = size
        return 0

    def new_row(self, serial: int, now: float) -> int:
        """The row of a session that arrives; its attributes are 0."""
        row = self.free
        if row >= 0:
            self.free = self.link[row]
        else:
            if self.n_used == self.n_rows:
                self.more_rows()
            row = self.n_used
            self.n_used = row + 1
        for i in range(self.width):
            self.vector[row * self.width + i] = 0.0
        self.serial[row] = serial
        self.turn[row] = self.drawn[row] = 0
        self.instant[row] = now
        self.ready_count[row] = 1
        return row

    def release(self, row: int) -> None:
        """The session is over."""
        self.streams[row] = None
        self.link[row] = self.free
        self.free = row

    # ------------------------------------------------------------------ draws

    def next_gap(self) -> float:
        """The gap to the next arrival, in seconds."""
        if self.rate <= 0.0:
            return float(self.hooks.next_gap())
        if self.gap_at == self.gap_stop:
            self.gaps, self.gap_at, self.gap_stop = self.hooks.more_gaps(self.gap_stop)
        self.gap_at += 1
        return -math.log(1.0 - self.gaps[self.gap_at - 1]) / self.rate

    def uniform(self, row: int) -> float:
        """The next uniform of the block that runs, or of the session's own stream."""
        if self.source == opcodes.FROM_BLOCK:
            if self.block_at < self.block_stop:
                self.block_at += 1
                return self.block[self.block_at - 1]
            if self.stream is None:
                self.stream = self.hooks.rest_of_block(self.serial[row], self.block_turn)
            return float(self.stream.uniform())
        drawn = self.drawn[row]
        if drawn == 0:
            self.load_own(row)
        if drawn < opcodes.UNIFORMS:
            self.drawn[row] = drawn + 1
            return self.own[row * opcodes.UNIFORMS + drawn]
        if self.streams[row] is None:
            self.streams[row] = self.hooks.rest_of_own(self.serial[row])
        return float(self.streams[row].uniform())

    def load_own(self, row: int) -> int:
        """The first uniforms of the session's own stream."""
        serial = self.serial[row]
        at = 0
        if self.own_start <= serial < self.own_stop:
            at = (serial - self.own_start) * opcodes.UNIFORMS
        else:
            self.own_chunk, at, self.own_start, self.own_stop = self.hooks.own_uniforms(serial)
        for i in range(opcodes.UNIFORMS):
            self.own[row * opcodes.UNIFORMS + i] = self.own_chunk[at + i]
        return 0

    def open_block(self, row: int, turn: int) -> int:
        """An `init` (turn 0) or `turn` block draws from the first uniforms of its stream."""
        self.source = opcodes.FROM_BLOCK
        self.block_turn = turn
        self.stream = None
        if turn == 0:
            # Sessions arrive in the order of their serials: the next one's uniforms are the next eight of the chunk.
            if not self.initial_at < self.initial_stop:
                self.initial, self.initial_at, self.initial_stop = self.hooks.initial_uniforms(self.serial[row])
            self.block = self.initial
            self.block_at = self.initial_at
            self.initial_at += opcodes.UNIFORMS
        else:
            self.block, self.block_at = self.hooks.turn_uniforms(self.serial[row], turn)
        self.block_stop = self.block_at + opcodes.UNIFORMS
        return 0

    def exponential(self, row: int, mean: float) -> float:
        """`draws.exponential`."""
        return -mean * math.log(1.0 - self.uniform(row))

    def erlang(self, row: int, sample: int, phases: float, mean: float) -> float:
        """`draws.erlang`; the hook refuses too many phases."""
        n = self.hooks.phases(sample, phases)
        result = 0.0
        for _ in range(n):
            result += self.exponential(row, mean / n)
        return result

    def hyperexponential(self, row: int, mean: float, cv2: float) -> float:
        """`draws.hyperexponential`."""
        v = cv2 if cv2 > 1.0 else 1.0
        p = (1.0 + math.sqrt((v - 1.0) / (v + 1.0))) / 2.0
        share = p if self.uniform(row) < p else 1.0 - p
        return self.exponential(row, mean / (2.0 * share))
