# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True, annotation_typing=False
"""A run of sessions at simple stages from tables: what `generated/event_source` writes out, for a compiler (05 §1 to §4).

`EventKernel` knows no object of the machine.  `tables` makes its code, `driver` gives it the machine's books as arrays
and answers its questions (`hooks`).  Its parts: `rows` are the sessions and their draws, `stages` the jobs and the clock,
`sessions` the statements.
"""

from __future__ import annotations

import math
from typing import Any

from serq_interpreter.machine.native.loops import opcodes, sessions

INF = math.inf


class EventKernel(sessions.Sessions):
    """One run, or as much of it as has been asked for."""

    def __init__(self, tables: Any, books: Any, hooks: Any) -> None:
        super().__init__(tables, books, hooks)
        self.entry = tables.entry
        self.serial_place = tables.serial_place
        self.wanted = tables.wanted
        self.rate: float = tables.rate
        self.gap_entry = tables.gap_entry
        self.start_agenda()

    def start_agenda(self) -> None:
        """The driver writes what the machine has instead."""
        self.limit = self.stop = self.warmup = INF
        self.arrival_time = self.next_time = INF
        self.arrival_number = self.same = self.arrivals = self.events = self.most_events = 0
        self.measured_from = 0.0
        self.next_kind = opcodes.ARRIVAL
        self.next_row = opcodes.NOBODY

    def run(self, granted: int) -> bool:
        """Process so many events at most; whether the run is complete."""
        for _ in range(granted):
            if not self.find_event():
                return True
            self.process()
        # A run whose budget ends with its last event is complete.
        self.earliest()
        return (self.next_time > self.stop and self.stop == self.limit) or self.drained()

    def drained(self) -> bool:
        """A finite run is over: all have arrived and nobody is live."""
        return self.wanted >= 0 and self.live == 0 and self.arrivals >= self.wanted

    def earliest(self) -> None:
        """The next event, the first by (time, number): of the arrivals, of the stages with at most one, of the heap."""
        time, number, kind = self.arrival_time, self.arrival_number, opcodes.ARRIVAL
        for i in range(self.n_stages):
            if self.due[i] < time or (self.due[i] == time and self.due_number[i] < number):
                time, number, kind = self.due[i], self.due_number[i], i
        row = opcodes.NOBODY
        heap = self.heap
        if heap.size > 0:
            if heap.times[0] < time or (heap.times[0] == time and heap.numbers[0] < number):
                time, kind, row = heap.times[0], heap.kinds[0], heap.rows[0]
        self.next_time, self.next_kind, self.next_row = time, kind, row

    def find_event(self) -> bool:
        """The event that is processed next, if there is one up to the end."""
        self.earliest()
        # Where nothing is to come the time is infinite.
        if self.next_time > self.stop:
            # The end of the warm-up was scheduled before everything else: it comes first at its instant.
            if self.stop == self.limit:
                return False
            self.next_time, self.next_kind = self.warmup, opcodes.WARMUP
        return not self.drained()

    def process(self) -> int:
        """The event, and whatever its instant lets go on."""
        self.advance()
        kind = self.next_kind
        row = opcodes.NOBODY
        if kind == opcodes.ARRIVAL:
            row = self.arrive()
        elif kind >= 0:
            row = self.finish(kind, self.next_row)
            self.make_ready(row)
        elif kind == opcodes.WARMUP:
            self.end_warmup()
        else:
            self.heap.pop()
        if row >= 0:
            self.go(row, self.counter[row])
        while self.first_ready >= 0:
            row = self.first_ready
            self.first_ready = self.link[row]
            self.go(row, self.counter[row])
        if self.any_shared:
            for i in range(self.n_stages):
                if self.changed[i]:
                    self.retime(i)
        return 0

    def advance(self) -> int:
        """The clock moves to the next event's instant."""
        time = self.next_time
        if time != self.now:
            self.same = 0
            if self.measuring:
                self.integrate(time - self.now)
            self.now = time
            self.seconds = time / self.per
        else:
            self.same += 1
            if self.same > self.most_events + self.most_readies * self.live:
                raise self.hooks.unsettled(self.now, self.same)
        self.events += 1
        return 0

    def end_warmup(self) -> int:
        """Measuring begins."""
        self.stop = self.limit
        self.measuring = True
        self.measured_from = self.live_since = self.now
        self.live_area = 0.0
        self.start_areas()
        return 0

    def next_gap(self) -> float:
        """The gap to the next arrival, in seconds."""
        if self.gap_entry < 0:
            return -math.log(1.0 - self.arrival_uniform()) / self.rate
        self.source = opcodes.FROM_ARRIVALS
        self.go(0, self.gap_entry)
        self.source = opcodes.FROM_OWN
        if not 0.0 < self.gap < INF:
            raise self.hooks.bad_gap(self.gap)
        return self.gap

    def arrive(self) -> int:
        """A session arrives; its row, at the start of its code."""
        if self.wanted < 0 or self.arrivals + 1 < self.wanted:
            self.arrival_time = self.later(self.next_gap())
            self.sequence += 1
            self.arrival_number = self.sequence
        else:
            self.arrival_time = INF
        row = self.new_row(self.arrivals, self.now)
        if self.serial_place >= 0:
            self.vector[row * self.width + self.serial_place] = self.arrivals
        self.counter[row] = self.entry
        self.arrivals += 1
        self.change_live(1)
        return row
