"""Windows of several engines at once on the clock of doubles.

Averages over time are sums of doubles in the order of the events, and the end of any engine's iteration is one: the
engines go on together, one iteration after the other, with only what is measured of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from serq_interpreter.machine.generated.joint import apart, reschedule
from serq_interpreter.machine.generated.ledger import Lane, lanes_of
from serq_interpreter.machine.stages.decoders import added_times

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine
    from serq_interpreter.machine.generated.cohort import Cohort, Segment
    from serq_interpreter.machine.generated.windows import EngineWindows


class _Course:
    """One engine on its way: the iteration that runs until `end`, and those that are foreseen."""

    __slots__ = (
        "began", "bucket", "cached", "cohort", "cost", "end", "foreseen", "left", "next_cached", "next_used", "place",
        "started", "used", "windows",
    )  # fmt: skip

    def __init__(self, windows: EngineWindows, cohort: Cohort, foreseen: Iterator[Segment], end: float) -> None:
        self.windows = windows
        self.cohort = cohort
        self.foreseen = foreseen
        self.end = end
        self.began = end
        self.started = 0
        self.left = 0
        self.cost = self.used = self.cached = self.next_used = self.next_cached = 0.0
        self.bucket: list[float] = [0, 1.0, -1.0]
        self.place = -1

    def may_go_on(self) -> bool:
        """Whether an iteration is foreseen after the one that runs."""
        if not self.left:
            segment = next(self.foreseen, None)
            if segment is None:
                return False
            self.left, self.cost, self.next_used, self.next_cached = segment
        return True

    def start(self) -> bool:
        """The running iteration ends and the next one begins; whether the units changed."""
        self.left -= 1
        self.started += 1
        self.began = self.end
        self.end = self.began + self.cost
        changed = self.started == 1 or self.used != self.next_used or self.cached != self.next_cached
        self.used, self.cached = self.next_used, self.next_cached
        return changed


def take_together_double(machine: Machine, running: list[tuple[float, EngineWindows]], stop: float, most: int) -> int:
    """Let the engines go on while iterations start before `stop`; how many were started, at most `most` of each.

    0 leaves everything as it is.
    """
    ready = []
    for end, windows in running:
        found = windows.prepare(most) if end < stop else None
        if found is None:
            stop = min(stop, end)
        else:
            ready.append((end, windows, found))
    ready = [item for item in ready if item[0] < stop]
    if not ready or not apart(found.cohort.pool for _, _, found in ready):
        return 0
    courses = [_Course(windows, found.cohort, windows.foreseen(found, end), end) for end, windows, found in ready]
    books = _Books(machine, courses)
    now = machine.now
    while True:
        at = min([course.end for course in courses])
        # Nobody begins at an instant at which somebody has to stop.
        due = [course for course in courses if course.end == at]
        if not at < stop or not all(course.may_go_on() for course in due):
            break
        if machine.measuring:
            books.pass_to(at - now)
        now = at
        for course in due:
            if machine.measuring:
                books.token(course)
            if course.start():
                books.units(course)
    settled = [course for course in courses if course.started]
    if settled:
        books.close()
        _enter(machine, settled, now)
    return sum(course.started for course in settled)


class _Books:
    """What is added up from event to event: areas of everything there is, tokens and steps of the engines."""

    def __init__(self, machine: Machine, courses: list[_Course]) -> None:
        self._machine = machine
        pools = [course.cohort.pool for course in courses if course.cohort.pool is not None]
        self._lanes: list[Lane] = lanes_of(machine, *pools)
        for course in courses:
            pool = course.cohort.pool
            if pool is not None:
                course.place = len(self._lanes)
                self._lanes += [(pool, "area_used", pool.used), (pool, "area_cached", pool.cached)]
        self._areas: list[Any] = [getattr(owner, field) for owner, field, _ in self._lanes]
        self._values: list[Any] = [value for _, _, value in self._lanes]

    def pass_to(self, elapsed: float) -> None:
        """Time passes, while everything stands as it does."""
        if elapsed:
            self._areas = [
                area + value * elapsed if value else area for area, value in zip(self._areas, self._values, strict=True)
            ]

    def token(self, course: _Course) -> None:
        """The tokens of the iteration that ends now, and the next one among the decoding steps."""
        engine, cohort = course.windows.engine, course.cohort
        if course.started:
            elapsed, gaps, n = course.end - course.began, engine.gaps, cohort.n
            bucket = course.bucket
            if not bucket[1] <= elapsed <= bucket[2]:
                bucket = course.bucket = gaps.bucket_of(elapsed)
            bucket[0] += n
            gaps.count += n
            gaps.total = added_times(gaps.total, elapsed, n)
        else:
            cohort.first_gaps(engine, course.end)
        engine.decode_steps.add(cohort.n, course.cost, course.cost)

    def units(self, course: _Course) -> None:
        """The engine's pool holds what the iteration that begins holds."""
        if course.place >= 0:
            self._values[course.place : course.place + 2] = (course.used, course.cached)

    def close(self) -> None:
        """Write the areas back."""
        if self._machine.measuring:
            for (owner, field, _), area in zip(self._lanes, self._areas, strict=True):
                setattr(owner, field, area)


def _enter(machine: Machine, settled: list[_Course], now: float) -> None:
    """The machine as when the latest of the iterations has begun."""
    machine.now = now
    machine.seconds = machine.clock.seconds(now)
    machine.same_instant = 0
    for course in settled:
        machine.events += course.started
        course.windows.leave(course.cohort, course.started, course.began, course.used, course.cached)
    reschedule(machine, [(course.windows, course.began, course.end, course.started) for course in settled])
