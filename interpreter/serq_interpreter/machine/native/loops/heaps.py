# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True, annotation_typing=False
"""Events in order of time, for the kernel; and arrays that grow."""

from __future__ import annotations

from array import array

from serq_interpreter.machine.native.loops import opcodes


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
