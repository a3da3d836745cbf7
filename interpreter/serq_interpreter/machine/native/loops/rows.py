# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True, annotation_typing=False
"""The sessions of a run as rows of arrays, and what they draw (06 §10, §11).  A row is used again when its session has ended."""

from __future__ import annotations

import math
from array import array
from typing import Any

from serq_interpreter.machine.native.loops import blocks, heaps, opcodes


class Rows:
    """Who lives, and the uniforms at hand."""

    def __init__(self, tables: Any, books: Any, hooks: Any) -> None:
        """`tables` and `books` have the arrays of the same names; `hooks` answers what only the machine knows."""
        self.hooks = hooks
        self.width = tables.width
        self.seed = tables.seed
        self.start_draws()
        self.start_rows()

    def start_draws(self) -> None:
        """No uniform is at hand."""
        self.gaps = array("d")
        self.gap_at = self.gap_stop = 0
        self.key = array("I", bytes(32))
        self.block = array("d", bytes(8 * opcodes.UNIFORMS))
        self.block_at = self.block_number = self.block_turn = 0
        self.source = opcodes.FROM_OWN

    def start_rows(self) -> None:
        """No session lives."""
        self.n_rows = 0
        self.n_used = 0
        self.free = opcodes.NOBODY
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
        self.link[row] = self.free
        self.free = row

    # ------------------------------------------------------------------ draws

    def arrival_uniform(self) -> float:
        """The next uniform of the arrivals' stream."""
        if self.gap_at == self.gap_stop:
            self.gaps, self.gap_at, self.gap_stop = self.hooks.arrival_uniforms()
        self.gap_at += 1
        return self.gaps[self.gap_at - 1]

    def uniform(self, row: int) -> float:
        """The next uniform of the block that runs, of the session's own stream, or of the arrivals'."""
        if self.source == opcodes.FROM_ARRIVALS:
            return self.arrival_uniform()
        serial = self.serial[row]
        if self.source == opcodes.FROM_BLOCK:
            if self.block_at == opcodes.UNIFORMS:
                blocks.substream_block(
                    self.seed,
                    serial,
                    self.block_turn,
                    opcodes.KIND_WORKLOAD,
                    self.block_number,
                    self.key,
                    self.block,
                    0,
                )
                self.block_number += 1
                self.block_at = 0
            self.block_at += 1
            return self.block[self.block_at - 1]
        drawn = self.drawn[row]
        self.drawn[row] = drawn + 1
        place = drawn & (opcodes.UNIFORMS - 1)
        at = row * opcodes.UNIFORMS
        if place == 0:
            blocks.substream_block(self.seed, serial, 0, opcodes.KIND_SESSION, drawn >> 3, self.key, self.own, at)
        return self.own[at + place]

    def open_block(self, turn: int) -> None:
        """An `init` (turn 0) or `turn` block draws from a stream of its own, made when it draws."""
        self.source = opcodes.FROM_BLOCK
        self.block_turn = turn
        self.block_number = 0
        self.block_at = opcodes.UNIFORMS

    def exponential(self, row: int, mean: float) -> float:
        """`draws.exponential`."""
        return -mean * math.log(1.0 - self.uniform(row))

    def erlang(self, row: int, sample: int, phases: float, mean: float) -> float:
        """`draws.erlang`; the hook decides on unusual numbers of phases, and refuses too many."""
        if 1.0 <= phases <= 1e6:
            n = int(phases)
        else:
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
