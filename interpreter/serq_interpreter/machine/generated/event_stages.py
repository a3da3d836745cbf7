"""Stages as source, for a run in local names: how jobs join, end and are re-timed (05 §4), a class per kind.

A stage that has at most one event to come, a line with one server or a shared stage, keeps its time and number in
`t{i}` and `q{i}`; the others use the heap.  `a` is the session concerned, `w` its work; both exist when `join` begins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from serq_interpreter.ir import program as ir

if TYPE_CHECKING:
    from serq_interpreter.machine.generated.event_source import Source


class StageSource:
    """What every kind has.  `i` is the stage's number, as the suffix of its names."""

    has_slot = False

    def __init__(self, source: Source, i: int) -> None:
        self.source = source
        self.i = i

    def load(self) -> list[str]:
        """Its names at the start of a run."""
        return []

    def ended(self) -> None:
        """The event of a job's end: `a` is the session that goes on, `None` for an event without effect."""
        raise NotImplementedError

    def join(self) -> None:
        """Session `a` joins with work `w`, above 0."""
        raise NotImplementedError

    def retime(self) -> None:
        """After every event."""

    def _push(self) -> None:
        """The end of the service of `a`, which begins now."""
        source = self.source
        with source.block("if w < inf:"):
            source.schedule("time", "w", "seq")
            source.put(f"push(heap, (time, seq, {self.i}, a))")

    def _record(self, started: str | None) -> None:
        """Statistics of a completed job; `started` is when its service began, `None` if at once (05 §10)."""
        source, i = self.source, self.i
        source.put(f"n{i} -= 1")
        scale = source.scale
        joined = source.field("J")
        with source.block("if measuring:"):
            source.put(f"c{i} += 1")
            # Where service begins at once the mean wait stays 0.
            if started is not None:
                source.put(f"mw{i} += (({started} - {joined}){scale} - mw{i}) / c{i}")
            source.put(f"ms{i} += ((now - {started or joined}){scale} - ms{i}) / c{i}")


class OneServer(StageSource):
    """`fifo(1)`: `serving{i}` is who is served since `since{i}`."""

    has_slot = True

    def load(self) -> list[str]:
        i = self.i
        return [f"line{i} = deque()", f"serving{i} = None", f"since{i} = now", f"t{i} = inf", f"q{i} = 0"]

    def ended(self) -> None:
        source, i = self.source, self.i
        source.put(f"a = serving{i}", f"begun = since{i}")
        with source.block(f"if line{i}:"):
            # The successor's end is scheduled before the finisher continues (05 §3).
            source.put(f"serving{i} = b = line{i}.popleft()", f"since{i} = now", f"w = {source.field('W', 'b')}")
            with source.block("if w < inf:"):
                source.schedule(f"t{i}", "w", f"q{i}")
            source.put(f"else: t{i} = inf")
        source.put(f"else: t{i} = inf")
        self._record("begun")

    def join(self) -> None:
        source, i = self.source, self.i
        source.put(f"{source.field('J')} = now", f"n{i} += 1")
        with source.block(f"if n{i} == 1:"):
            source.put(f"serving{i} = a", f"since{i} = now")
            with source.block("if w < inf:"):
                source.schedule(f"t{i}", "w", f"q{i}")
        source.put(f"else: {source.field('W')} = w; line{i}.append(a)")


class Servers(StageSource):
    """`fifo(c)`: `k{i}` of them serve."""

    def load(self) -> list[str]:
        return [f"line{self.i} = deque()", f"k{self.i} = 0"]

    def ended(self) -> None:
        source, i = self.source, self.i
        with source.block(f"if line{i}:"):
            source.put(f"b = line{i}.popleft()", f"{source.field('S', 'b')} = now", f"w = {source.field('W', 'b')}")
            with source.block("if w < inf:"):
                source.schedule("time", "w", "seq")
                source.put(f"replace(heap, (time, seq, {i}, b))")
            source.put("else: pop(heap)")
        source.put(f"else: k{i} -= 1; pop(heap)")
        self._record(source.field("S"))

    def join(self) -> None:
        source, i = self.source, self.i
        kind = source.kinds[i]
        assert isinstance(kind, ir.Fifo)
        source.put(f"{source.field('J')} = now", f"n{i} += 1")
        with source.block(f"if k{i} < {kind.servers}:"):
            source.put(f"k{i} += 1", f"{source.field('S')} = now")
            self._push()
        source.put(f"else: {source.field('W')} = w; line{i}.append(a)")


class Unlimited(StageSource):
    """`delay`."""

    def ended(self) -> None:
        self.source.put("pop(heap)")
        self._record(None)

    def join(self) -> None:
        source, i = self.source, self.i
        source.put(f"{source.field('J')} = now", f"n{i} += 1")
        self._push()


class Shared(StageSource):
    """`ps`: `v{i}` is the service everybody has received, at rate `r{i}` since `l{i}`; `h{i}` a heap of tags.

    An event that a re-timing makes void stays an event of the run: it moves to the heap.
    """

    has_slot = True

    def load(self) -> list[str]:
        i = self.i
        return [
            f"h{i} = []",
            f"v{i} = r{i} = l{i} = 0.0",
            f"changed{i} = False",
            f"started{i} = 0",
            f"t{i} = inf",
            f"q{i} = 0",
        ]

    def _touch(self) -> None:
        source, i = self.source, self.i
        source.put(f"v{i} = v{i} + r{i} * ({source.seconds} - l{i})", f"l{i} = {source.seconds}")

    def ended(self) -> None:
        source, i = self.source, self.i
        self._touch()
        source.put(f"t{i} = inf", f"tag, _, a = pop(h{i})", f"if tag > v{i}: v{i} = tag", f"changed{i} = True")
        self._record(None)

    def join(self) -> None:
        source, i = self.source, self.i
        source.put(f"{source.field('J')} = now")
        self._touch()
        source.put(f"n{i} += 1", f"started{i} += 1", f"push(h{i}, (v{i} + w, started{i}, a))", f"changed{i} = True")

    def retime(self) -> None:
        source, i = self.source, self.i
        kind = source.kinds[i]
        assert isinstance(kind, ir.Ps) and isinstance(kind.capacity, ir.Num)
        with source.block(f"if changed{i}:"):
            # Whatever changed it touched it at this instant: `v` is up to date.
            source.put(f"changed{i} = False")
            source.put(f"if t{i} < inf: push(heap, (t{i}, q{i}, {VOID}, None)); t{i} = inf")
            with source.block(f"if n{i}:"):
                source.put(f"r{i} = {kind.capacity.value!r} / n{i}", f"wait = h{i}[0][0] - v{i}")
                source.put(f"wait = (wait if wait > 0.0 else 0.0) / r{i}")
                with source.block("if wait < inf:"):
                    source.clock.schedule_up(source, f"t{i}", "wait")
                    source.put(f"seq += 1; q{i} = seq")
            source.put(f"else: r{i} = 0.0")


ARRIVAL, WARMUP, VOID = -1, -2, -3
"""The kinds of events that are not of a stage."""


def stage_source(source: Source, i: int) -> StageSource:
    """The source of the `i`-th stage."""
    kind = source.kinds[i]
    if isinstance(kind, ir.Ps):
        return Shared(source, i)
    if isinstance(kind, ir.Delay):
        return Unlimited(source, i)
    assert isinstance(kind, ir.Fifo)
    return OneServer(source, i) if kind.servers == 1 else Servers(source, i)
