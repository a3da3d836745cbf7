# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True, annotation_typing=False
"""A run of sessions at simple stages from tables: what `generated/event_source` writes out, for a compiler (05 §1 to §4).

`EventKernel` knows no object of the machine.  `tables` makes its code, `driver` gives it the machine's books as arrays
and answers its questions (`hooks`).  Sessions are rows of arrays; a row is used again when its session has ended.
Times are doubles: of seconds, or whole numbers of ticks (`whole`), `per` of them a second.
"""

from __future__ import annotations

import math
from array import array
from typing import Any

from serq_interpreter.machine.native.loops import opcodes

INF = math.inf
SLACK = 1e-9
LARGEST = 2.0**52
TO_WHOLE = 1.5 * 2.0**52
"""Added to a double below 2^51 and taken away again, it leaves the nearest whole number."""


class Heap:
    """Events, or the tags of a shared stage, the first by (time, number) on top; numbers differ."""

    def __init__(self) -> None:
        self.size = 0
        self.times = array("d", bytes(8 * opcodes.ROWS))
        self.numbers = array("q", bytes(8 * opcodes.ROWS))
        self.kinds = array("q", bytes(8 * opcodes.ROWS))
        self.rows = array("q", bytes(8 * opcodes.ROWS))

    def push(self, time: float, number: int, kind: int, row: int) -> int:
        """Add an entry."""
        at = self.size
        if at == len(self.times):
            self.grow()
        self.size = at + 1
        while at > 0:
            above = (at - 1) >> 1
            if not (time < self.times[above] or (time == self.times[above] and number < self.numbers[above])):
                break
            self.move(above, at)
            at = above
        self.put(at, time, number, kind, row)
        return 0

    def pop(self) -> int:
        """Remove the top, which is there."""
        last = self.size - 1
        self.size = last
        if last == 0:
            return 0
        time, number = self.times[last], self.numbers[last]
        at, below = 0, 1
        while below < last:
            if below + 1 < last and self.before(below + 1, below):
                below += 1
            if not (self.times[below] < time or (self.times[below] == time and self.numbers[below] < number)):
                break
            self.move(below, at)
            at = below
            below = 2 * at + 1
        self.move(last, at)
        return 0

    def before(self, one: int, other: int) -> int:
        """Whether the entry at `one` comes before the one at `other`."""
        if self.times[one] != self.times[other]:
            return self.times[one] < self.times[other]
        return self.numbers[one] < self.numbers[other]

    def move(self, source: int, target: int) -> None:
        """Copy an entry."""
        self.times[target] = self.times[source]
        self.numbers[target] = self.numbers[source]
        self.kinds[target] = self.kinds[source]
        self.rows[target] = self.rows[source]

    def put(self, at: int, time: float, number: int, kind: int, row: int) -> None:
        """Write an entry."""
        self.times[at] = time
        self.numbers[at] = number
        self.kinds[at] = kind
        self.rows[at] = row

    def grow(self) -> int:
        """Room for twice as many."""
        size = 2 * len(self.times)
        self.times = longer_doubles(self.times, size)
        self.numbers = longer_numbers(self.numbers, size)
        self.kinds = longer_numbers(self.kinds, size)
        self.rows = longer_numbers(self.rows, size)
        return 0


def longer_doubles(old: array[float], size: int) -> array[float]:
    """A copy with room for `size` doubles."""
    made = array("d", bytes(8 * size))
    new = made
    for i in range(len(old)):
        new[i] = old[i]
    return made


def longer_numbers(old: array[int], size: int) -> array[int]:
    """A copy with room for `size` whole numbers."""
    made = array("q", bytes(8 * size))
    new = made
    for i in range(len(old)):
        new[i] = old[i]
    return made


class EventKernel:
    """One run, or as much of it as has been asked for."""

    def __init__(self, tables: Any, books: Any, hooks: Any) -> None:
        """`tables` and `books` have the arrays of the same names; `hooks` answers what only the machine knows."""
        self.hooks = hooks
        self.code = tables.code
        self.constants = tables.constants
        self.entry = tables.entry
        self.width = tables.width
        self.serial_place = tables.serial_place
        self.turn_place = tables.turn_place
        self.stage_of = tables.stage_of
        self.after: array[int] = tables.after
        self.other: array[int] = tables.other
        self.functions = tables.functions
        self.kinds = tables.kinds
        self.servers = tables.servers
        self.capacity = tables.capacity
        self.n_stages = len(tables.kinds)
        self.rate: float = tables.rate
        self.wanted = tables.wanted
        self.any_shared = tables.any_shared
        self.present = books.present
        self.completed = books.completed
        self.mean_wait = books.mean_wait
        self.mean_service = books.mean_service
        self.area = books.area
        self.time_used = books.time_used
        self.samples = books.samples
        self.places = books.places
        self.sample_times = books.sample_times
        self.sample_serials = books.sample_serials
        self.sample_turns = books.sample_turns
        self.filled = books.filled
        self.stack = array("d", bytes(8 * 256))
        self.start_clock()
        self.start_counts()
        self.start_draws()
        self.start_stages()
        self.start_rows()

    def start_clock(self) -> None:
        """The driver writes what the machine has instead."""
        self.whole = False
        self.per = 1.0
        self.tick_rate = 0.0
        self.surely = -1.0
        self.now = self.seconds = 0.0
        self.limit = self.stop = self.warmup = INF
        self.arrival_time = INF
        self.arrival_number = 0
        self.next_time = INF
        self.next_kind = opcodes.ARRIVAL
        self.next_row = opcodes.NOBODY

    def start_counts(self) -> None:
        """The same of what is counted."""
        self.measuring = False
        self.sequence = self.same = self.live = self.arrivals = self.ended = self.turns = self.events = 0
        self.live_area = self.live_since = self.measured_from = self.last_end = 0.0
        self.backlog_limit = INF
        self.most_live = self.most_events = self.most_readies = 0

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

    def start_stages(self) -> None:
        """Nobody is at any stage."""
        n = self.n_stages
        self.heap = Heap()
        self.tags = [Heap() for _ in range(n)]
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
        self.first_ready = self.last_ready = opcodes.NOBODY

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
        self.vector = longer_doubles(self.vector, size * self.width)
        self.own = longer_doubles(self.own, size * opcodes.UNIFORMS)
        self.joined = longer_doubles(self.joined, size)
        self.work = longer_doubles(self.work, size)
        self.started = longer_doubles(self.started, size)
        self.instant = longer_doubles(self.instant, size)
        self.counter = longer_numbers(self.counter, size)
        self.serial = longer_numbers(self.serial, size)
        self.turn = longer_numbers(self.turn, size)
        self.ready_count = longer_numbers(self.ready_count, size)
        self.link = longer_numbers(self.link, size)
        self.drawn = longer_numbers(self.drawn, size)
        self.streams += [None] * (size - self.n_rows)
        self.n_rows = size
        return 0

    # ------------------------------------------------------------------ the loop

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
            self.go(row)
        while self.first_ready >= 0:
            row = self.first_ready
            self.first_ready = self.link[row]
            self.go(row)
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

    def end_warmup(self) -> int:
        """Measuring begins."""
        self.stop = self.limit
        self.measuring = True
        self.measured_from = self.live_since = self.now
        self.live_area = 0.0
        for i in range(self.n_stages):
            self.area[i] = self.time_used[i] = 0.0
        self.hooks.forget_carried()
        return 0

    def change_live(self, step: int) -> int:
        """A session arrives or ends (07 §2)."""
        if self.measuring:
            self.live_area += self.live * (self.now - self.live_since)
            self.live_since = self.now
            if self.seconds > self.backlog_limit:
                self.backlog_limit = self.hooks.pass_backlog(self.seconds, self.live_area, self.live)
        self.live += step
        if step > 0 and self.live > self.most_live:
            raise self.hooks.crowded(self.now)
        return 0

    def make_ready(self, row: int) -> int:
        """Count how often the session becomes ready at this instant (05 §12)."""
        if self.instant[row] == self.now:
            self.ready_count[row] += 1
            if self.ready_count[row] > self.most_readies:
                raise self.hooks.spinning(self.now, self.serial[row], self.counter[row])
        else:
            self.instant[row] = self.now
            self.ready_count[row] = 1
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

    # ------------------------------------------------------------------ arrivals

    def arrive(self) -> int:
        """A session arrives; its row, at the start of its code."""
        if self.wanted < 0 or self.arrivals + 1 < self.wanted:
            self.arrival_time = self.later(self.next_gap())
            self.sequence += 1
            self.arrival_number = self.sequence
        else:
            self.arrival_time = INF
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
        if self.serial_place >= 0:
            self.vector[row * self.width + self.serial_place] = self.arrivals
        self.serial[row] = self.arrivals
        self.turn[row] = self.drawn[row] = 0
        self.instant[row] = self.now
        self.ready_count[row] = 1
        self.counter[row] = self.entry
        self.arrivals += 1
        self.change_live(1)
        return row

    def next_gap(self) -> float:
        """The gap to the next arrival, in seconds."""
        if self.rate <= 0.0:
            return float(self.hooks.next_gap())
        if self.gap_at == self.gap_stop:
            self.gaps, self.gap_at, self.gap_stop = self.hooks.more_gaps(self.gap_stop)
        self.gap_at += 1
        return -math.log(1.0 - self.gaps[self.gap_at - 1]) / self.rate

    # ------------------------------------------------------------------ stages

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
        heap: Heap = self.tags[i]
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
            heap: Heap = self.tags[i]
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
        heap: Heap = self.tags[i]
        wait = heap.times[0] - self.virtual[i]
        wait = (wait if wait > 0.0 else 0.0) / self.share[i]
        if wait < INF:
            self.due[i] = self.later_up(wait)
            self.sequence += 1
            self.due_number[i] = self.sequence
        return 0

    # ------------------------------------------------------------------ draws

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

    # ------------------------------------------------------------------ statements

    def observe(self, row: int, i: int, value: float) -> int:
        """A sample, with its place where that is kept."""
        if not self.measuring:
            return 0
        n = self.filled[i]
        at = i * opcodes.SAMPLES + n
        self.samples[at] = value
        if self.places:
            self.sample_times[at] = self.seconds
            self.sample_serials[at] = self.serial[row]
            self.sample_turns[at] = self.vector[row * self.width + self.turn_place]
        self.filled[i] = n + 1
        if n + 1 == opcodes.SAMPLES:
            self.hooks.hand_over(i)
        return 0

    def begin_work(self, row: int, state: int, work: float) -> int:
        """A run: at its stage, or to the back of those who are ready when there is nothing to do (05 §2)."""
        self.counter[row] = self.after[state]
        if work > 0.0:
            self.join(self.stage_of[state], row, work)
            return 0
        if not work >= -SLACK:
            raise self.hooks.bad_work(self.now, self.serial[row], state, work)
        self.make_ready(row)
        self.link[row] = opcodes.NOBODY
        if self.first_ready >= 0:
            self.link[self.last_ready] = row
        else:
            self.first_ready = row
        self.last_ready = row
        return 0

    def end(self, row: int) -> int:
        """The session is over: its row is free."""
        self.last_end = self.now
        if self.measuring:
            self.ended += 1
        self.change_live(-1)
        self.streams[row] = None
        self.link[row] = self.free
        self.free = row
        return 0

    def begin_turn(self, row: int, draws: int) -> int:
        """A turn begins; its block draws or not."""
        self.turn[row] += 1
        if self.measuring:
            self.turns += 1
        if self.turn_place >= 0:
            self.vector[row * self.width + self.turn_place] += 1.0
        if draws:
            self.open_block(row, self.turn[row])
        return 0

    def branch(self, row: int, state: int, value: float, at: int) -> int:
        """Where the code goes on after a guard."""
        if value == 1.0:
            return at
        if value == 0.0:
            return self.other[state]
        raise self.hooks.bad_guard(self.now, self.serial[row], state, value)

    def go(self, row: int) -> int:
        """Execute the code of a session until it blocks or ends."""
        code, stack = self.code, self.stack
        at = self.counter[row]
        base = row * self.width
        top = 0
        while True:
            op, argument = code[at], code[at + 1]
            at += 2
            if op == opcodes.CONST:
                stack[top] = self.constants[argument]
                top += 1
            elif op == opcodes.ATTR:
                stack[top] = self.vector[base + argument]
                top += 1
            elif op == opcodes.NOW:
                stack[top] = self.seconds
                top += 1
            elif op <= opcodes.CALL_2:
                top = self.operate(op, argument, top)
            elif op == opcodes.STORE:
                top -= 1
                self.vector[base + argument] = stack[top]
            elif op == opcodes.DROP:
                top -= 1
            elif op == opcodes.OBSERVE:
                top -= 1
                self.observe(row, argument, stack[top])
            elif op == opcodes.RUN:
                self.begin_work(row, argument, stack[top - 1])
                return 0
            elif op == opcodes.END:
                self.end(row)
                return 0
            elif op == opcodes.DRAW_EXP:
                stack[top - 1] = self.exponential(row, stack[top - 1])
            elif op == opcodes.JUMP:
                at = argument
            elif op == opcodes.JUMP_FALSE:
                top -= 1
                if stack[top] == 0.0:
                    at = argument
            elif op == opcodes.BRANCH:
                top -= 1
                at = self.branch(row, argument, stack[top], at)
            elif op == opcodes.INIT:
                self.open_block(row, 0)
            elif op == opcodes.TURN:
                self.begin_turn(row, argument)
            elif op == opcodes.OWN:
                self.source = opcodes.FROM_OWN
            else:
                top = self.draw(op, argument, row, top)

    def draw(self, op: int, argument: int, row: int, top: int) -> int:
        """The other distributions; the height of the stack afterwards."""
        stack = self.stack
        x = stack[top - 1]
        if op == opcodes.DRAW_BERNOULLI:
            stack[top - 1] = 1.0 if self.uniform(row) < x else 0.0
            return top
        first = stack[top - 2]
        if op == opcodes.DRAW_UNIFORM:
            stack[top - 2] = first + (x - first) * self.uniform(row)
        elif op == opcodes.DRAW_H2:
            stack[top - 2] = self.hyperexponential(row, first, x)
        else:
            stack[top - 2] = self.erlang(row, argument, first, x)
        return top - 1

    def operate(self, op: int, argument: int, top: int) -> int:
        """An operator on the top of the stack; the height of the stack afterwards."""
        stack = self.stack
        x = stack[top - 1]
        if op == opcodes.NEG:
            stack[top - 1] = -x
            return top
        if op == opcodes.NOT:
            stack[top - 1] = 1.0 if x == 0.0 else 0.0
            return top
        if op == opcodes.ABS:
            stack[top - 1] = math.fabs(x)
            return top
        if op == opcodes.CALL_1:
            stack[top - 1] = self.functions[argument](x)
            return top
        first = stack[top - 2]
        if op == opcodes.ADD:
            x = first + x
        elif op == opcodes.SUB:
            x = first - x
        elif op == opcodes.MUL:
            x = first * x
        elif op == opcodes.DIV:
            x = first / x if x != 0.0 else self.hooks.divide(first, x)
        elif op == opcodes.LT:
            x = 1.0 if first < x else 0.0
        elif op == opcodes.LE:
            x = 1.0 if first <= x else 0.0
        elif op == opcodes.GT:
            x = 1.0 if first > x else 0.0
        elif op == opcodes.GE:
            x = 1.0 if first >= x else 0.0
        elif op == opcodes.EQ:
            x = 1.0 if first == x else 0.0
        elif op == opcodes.NE:
            x = 1.0 if first != x else 0.0
        elif op == opcodes.MIN:
            x = first if first < x or x != x else x
        elif op == opcodes.MAX:
            x = first if first > x or x != x else x
        else:
            x = self.functions[argument](first, x)
        stack[top - 2] = x
        return top - 1
