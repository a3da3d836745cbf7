"""What a session did over time, as segments: waiting, holding, running, preempted.

Made from the records of `serq_lsp.background.tracing`.  Segments of one lane nest and never cross: a hold that gives a
pool back before the holds inside it have ended cuts those in two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

State = Literal["waiting", "holding", "running", "preempted"]

Record = Sequence[Any]
"""`[t, kind, serial, leg, what, index, units, state, preempted]`"""


@dataclass(slots=True)
class Segment:
    """`what` is `pool` or `stage`, `index` its number; `automaton_state` the statement; `lane` 0 is the session."""

    start: float
    end: float
    state: State
    what: str | None
    index: int | None
    amount: float | None
    automaton_state: int | None
    lane: int


@dataclass(slots=True)
class Session:
    """One session; `ended` is `None` for one that is there at the end."""

    serial: int
    arrived: float
    ended: float | None = None
    rejected: bool = False
    segments: list[Segment] = field(default_factory=list)


@dataclass(slots=True)
class _Lane:
    number: int
    waiting: Segment | None = None
    running: Segment | None = None
    holds: list[Segment] = field(default_factory=list)


def sessions_of(records: Sequence[Record], end: float) -> list[Session]:
    """The sessions of the records, in order of serial; what is open at `end` ends there."""
    found: dict[int, _Builder] = {}
    for record in records:
        builder = found.get(record[2])
        if builder is None:
            builder = found[record[2]] = _Builder(Session(record[2], record[0]))
        builder.take(record)
    return [found[serial].finished(end) for serial in sorted(found)]


class _Builder:
    def __init__(self, session: Session) -> None:
        self.session = session
        self.lanes: dict[int, _Lane] = {}

    def lane(self, leg: int | None) -> _Lane:
        number = 0 if leg is None else leg + 1
        return self.lanes.setdefault(number, _Lane(number))

    def take(self, record: Record) -> None:
        time, kind, _, leg, what, index, units, state, preempted = record
        lane = self.lane(leg)
        match kind:
            case "queue" | "stall":
                self._close_running(lane, time)
                self._close_waiting(lane, time)
                name: State = "preempted" if preempted else "waiting"
                lane.waiting = Segment(time, time, name, what, index, units, state, lane.number)
            case "admit":
                self._close_waiting(lane, time)
                lane.holds.append(Segment(time, time, "holding", what, index, units, state, lane.number))
            case "grow":
                self._close_waiting(lane, time)
            case "release":
                self._release(lane, index, time)
            case "run":
                self._close_running(lane, time)
                lane.running = Segment(time, time, "running", what, index, units, state, lane.number)
            case "done":
                self._close_running(lane, time)
            case "end" | "reject":
                if leg is None:
                    self.session.ended = time
                    self.session.rejected = self.session.rejected or kind == "reject"
                    self._close_all(time)
            case _:
                pass

    def _close_waiting(self, lane: _Lane, time: float) -> None:
        segment, lane.waiting = lane.waiting, None
        self._keep(segment, time)

    def _close_running(self, lane: _Lane, time: float) -> None:
        segment, lane.running = lane.running, None
        self._keep(segment, time)

    def _release(self, lane: _Lane, pool: int | None, time: float) -> None:
        """The innermost hold on the pool ends; those inside it are cut."""
        position = next((i for i in reversed(range(len(lane.holds))) if lane.holds[i].index == pool), None)
        if position is None:
            return
        if lane.running is not None:
            running = lane.running
            self._close_running(lane, time)
            lane.running = _again(running, time)
        inner = lane.holds[position + 1 :]
        for segment in reversed(lane.holds[position:]):
            self._keep(segment, time)
        lane.holds[position:] = [_again(segment, time) for segment in inner]

    def _close_all(self, time: float) -> None:
        for lane in self.lanes.values():
            self._close_waiting(lane, time)
            self._close_running(lane, time)
            for segment in reversed(lane.holds):
                self._keep(segment, time)
            lane.holds = []

    def _keep(self, segment: Segment | None, time: float) -> None:
        if segment is not None and time > segment.start:
            segment.end = time
            self.session.segments.append(segment)

    def finished(self, end: float) -> Session:
        self._close_all(max(end, self.session.arrived))
        self.session.segments.sort(key=in_order)
        return self.session


def in_order(segment: Segment) -> tuple[int, float, float, bool]:
    """The order of segments: what contains others comes before them."""
    return (segment.lane, segment.start, -segment.end, segment.state != "holding")


def _again(segment: Segment, time: float) -> Segment:
    return Segment(
        time, time, segment.state, segment.what, segment.index, segment.amount, segment.automaton_state, segment.lane
    )


def merged(segments: list[Segment], most: int) -> list[Segment]:
    """At most `most` segments: the shortest are merged into their neighbours, the state of the longer one stays."""
    while len(segments) > most:
        # Half of them at a time: neighbours of one lane and depth become one.
        merged_now: list[Segment] = []
        surplus = len(segments) - most
        for segment in segments:
            last = merged_now[-1] if merged_now else None
            if surplus and last is not None and last.lane == segment.lane and last.end <= segment.start:
                longer = last if last.end - last.start >= segment.end - segment.start else segment
                merged_now[-1] = Segment(
                    last.start,
                    segment.end,
                    longer.state,
                    longer.what,
                    longer.index,
                    longer.amount,
                    longer.automaton_state,
                    longer.lane,
                )
                surplus -= 1
            else:
                merged_now.append(segment)
        if len(merged_now) == len(segments):
            return segments[:most]
        segments = merged_now
    return segments
