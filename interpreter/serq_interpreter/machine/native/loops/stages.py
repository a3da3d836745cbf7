# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True, annotation_typing=False
"""Stages and their clock: how jobs join, wait, end and are re-timed (05 §4)."""

from __future__ import annotations

import math
from array import array
from typing import Any

from serq_interpreter.machine.native.loops import heaps, opcodes, rows

INF = math.inf
LARGEST = 2.0**52
TO_WHOLE = 1.5 * 2.0**52
"""Added to a double below 2^51 and taken away again, it leaves the nearest whole number."""


class Stages(rows.Rows):
    """Who is where, and when a job ends.

    Times are doubles: of seconds, or whole numbers of ticks (`whole`), `per` of them a second.
    """

    def __init__(self, tables: Any, books: Any, hooks: Any) -> None:
        super().__init__(tables, books, hooks)
        self.kinds = tables.kinds
        self.servers = tables.servers
        self.capacity = tables.capacity
        self.n_stages = len(tables.kinds)
        self.any_shared = tables.any_shared
        self.present = books.present
        self.completed = books.completed
        self.mean_wait = books.mean_wait
        self.mean_service = books.mean_service
        self.area = books.area
        self.time_used = books.time_used
        self.start_clock()
        self.start_stages()

    def start_clock(self) -> None:
        """The driver writes what the machine has instead."""
        self.whole = self.measuring = False
        self.per = 1.0
        self.tick_rate = 0.0
        self.surely = -1.0
        self.now = self.seconds = 0.0
        self.sequence = 0

    def start_stages(self) -> None:
        """Nobody is at any stage."""
        n = self.n_stages
        self.heap = heaps.Heap()
        self.tags = [heaps.Heap() for _ in range(n)]
        self.due = array("d", [INF] * n)
        self.due_number = array("q", bytes(8 * n))
        self.serving = array("q", [opcodes.NOBODY] * n)
        self.since = array("d", bytes(8 * n))
        self.busy = array("q", bytes(8 * n))
        self.first = array("q", [opcodes.NOBODY] * n)
        self.last = array("q", [opcodes.NOBODY] * n)
        self.virtual = array("d", bytes(8 * n))
        self.share = array("d", bytes(8 * n))
        self.touched = array("d", bytes(8 * n))
        self.started_count = array("q", bytes(8 * n))
        self.changed = array("q", bytes(8 * n))

    def integrate(self, elapsed: float) -> int:
        """Add to the time averages of the stages."""
        for i in range(self.n_stages):
            if self.present[i]:
                self.time_used[i] += elapsed
                area = self.area[i] + self.present[i] * elapsed
                if self.whole and not area < LARGEST:
                    self.hooks.carry(i, self.area[i], self.present[i], elapsed)
                    area = 0.0
                self.area[i] = area
        return 0

    def start_areas(self) -> int:
        """Time averages begin anew."""
        for i in range(self.n_stages):
            self.area[i] = self.time_used[i] = 0.0
        self.hooks.forget_carried()
        return 0

    def later(self, duration: float) -> float:
        """The instant a finite `duration`, 0 or more, after now."""
        if not self.whole:
            return self.now + duration
        if duration <= self.surely:
            # As `ExactClock.ticks`, whose comment says why a product of doubles decides away from a half.
            product = duration * self.tick_rate
            nearest = product + TO_WHOLE - TO_WHOLE
            product -= nearest
            if -0.49 < product < 0.49:
                return self.now + nearest
        return self.now + float(self.hooks.late(duration))

    def later_up(self, duration: float) -> float:
        """The same, rounded up to a tick."""
        if not self.whole:
            return self.now + duration
        if duration <= self.surely:
            product = duration * self.tick_rate
            nearest = product + TO_WHOLE - TO_WHOLE
            product -= nearest
            if product > 0.01:
                return self.now + (nearest + 1.0)
            if product < -0.01:
                return self.now + nearest
        return self.now + float(self.hooks.late_up(duration))

    # ------------------------------------------------------------------ jobs

    def finish(self, i: int, row: int) -> int:
        """The event of a job's end at stage `i`: the session that goes on."""
        kind = self.kinds[i]
        if kind == opcodes.ONE_SERVER:
            row = self.serving[i]
            begun = self.since[i]
            # The successor's end is scheduled before the finisher continues (05 §3).
            self.due[i] = INF
            if self.first[i] >= 0:
                self.serve_alone(i, self.next_in_line(i))
        elif kind == opcodes.SERVERS:
            begun = self.started[row]
            self.heap.pop()
            if self.first[i] >= 0:
                self.serve(i, self.next_in_line(i))
            else:
                self.busy[i] -= 1
        elif kind == opcodes.UNLIMITED:
            begun = self.joined[row]
            self.heap.pop()
        else:
            row = self.finish_shared(i)
            begun = self.joined[row]
        self.present[i] -= 1
        if self.measuring:
            self.completed[i] += 1
            # Where service begins at once the mean wait stays 0.
            self.mean_wait[i] += ((begun - self.joined[row]) / self.per - self.mean_wait[i]) / self.completed[i]
            self.mean_service[i] += ((self.now - begun) / self.per - self.mean_service[i]) / self.completed[i]
        return row

    def finish_shared(self, i: int) -> int:
        """The job with the least tag is done."""
        self.touch(i)
        self.due[i] = INF
        heap: heaps.Heap = self.tags[i]
        tag = heap.times[0]
        row = heap.rows[0]
        heap.pop()
        if tag > self.virtual[i]:
            self.virtual[i] = tag
        self.changed[i] = 1
        return row

    def join(self, i: int, row: int, work: float) -> int:
        """A session joins stage `i` with work above 0."""
        kind = self.kinds[i]
        self.joined[row] = self.now
        self.work[row] = work
        self.present[i] += 1
        if kind == opcodes.ONE_SERVER:
            if self.present[i] == 1:
                self.serve_alone(i, row)
            else:
                self.wait_in_line(i, row)
        elif kind == opcodes.SERVERS:
            if self.busy[i] < self.servers[i]:
                self.busy[i] += 1
                self.serve(i, row)
            else:
                self.wait_in_line(i, row)
        elif kind == opcodes.UNLIMITED:
            self.serve(i, row)
        else:
            self.touch(i)
            self.started_count[i] += 1
            heap: heaps.Heap = self.tags[i]
            heap.push(self.virtual[i] + work, self.started_count[i], i, row)
            self.changed[i] = 1
        return 0

    def serve_alone(self, i: int, row: int) -> int:
        """The only server of `i` begins with a session."""
        self.serving[i] = row
        self.since[i] = self.now
        if self.work[row] < INF:
            self.due[i] = self.later(self.work[row])
            self.sequence += 1
            self.due_number[i] = self.sequence
        return 0

    def serve(self, i: int, row: int) -> int:
        """One of several servers begins with a session."""
        self.started[row] = self.now
        if self.work[row] < INF:
            time = self.later(self.work[row])
            self.sequence += 1
            self.heap.push(time, self.sequence, i, row)
        return 0

    def wait_in_line(self, i: int, row: int) -> None:
        """To the end of the line of `i`."""
        self.link[row] = opcodes.NOBODY
        if self.first[i] >= 0:
            self.link[self.last[i]] = row
        else:
            self.first[i] = row
        self.last[i] = row

    def next_in_line(self, i: int) -> int:
        """The first of the line, who leaves it."""
        row = self.first[i]
        self.first[i] = self.link[row]
        return row

    def touch(self, i: int) -> None:
        """What everybody at a shared stage has received by now."""
        self.virtual[i] = self.virtual[i] + self.share[i] * (self.seconds - self.touched[i])
        self.touched[i] = self.seconds

    def retime(self, i: int) -> int:
        """A shared stage whose population changed: its next end moves, and the event that was due is void."""
        # Whatever changed it touched it at this instant: `virtual` is up to date.
        self.changed[i] = 0
        if self.due[i] < INF:
            self.heap.push(self.due[i], self.due_number[i], opcodes.VOID, opcodes.NOBODY)
            self.due[i] = INF
        if self.present[i] == 0:
            self.share[i] = 0.0
            return 0
        self.share[i] = self.capacity[i] / self.present[i]
        heap: heaps.Heap = self.tags[i]
        wait = heap.times[0] - self.virtual[i]
        wait = (wait if wait > 0.0 else 0.0) / self.share[i]
        if wait < INF:
            self.due[i] = self.later_up(wait)
            self.sequence += 1
            self.due_number[i] = self.sequence
        return 0
