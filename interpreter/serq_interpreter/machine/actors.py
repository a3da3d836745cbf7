"""Sessions and legs at run time: a counter into the automaton, an attribute vector, what they hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from serq_interpreter.machine.arrivals import Assignments
    from serq_interpreter.machine.draws import Stream
    from serq_interpreter.machine.kinship import Kin
    from serq_interpreter.machine.pools import Allocation, Grower, PoolState, Waiting

READY, QUEUED, IN_STAGE, GROWING, JOINING, ENDED = range(6)
"""What an actor waits for (04 §13.4)."""

NEVER_ADMITTED = float(2**64)


class HoldFrame:
    """A hold in scope: one allocation per pool, in written order (04 §1).

    `advanced` says that `load` or a growing run moved a position, on any pool of the hold (04 §6.2).
    """

    __slots__ = ("advanced", "allocations", "plan")

    def __init__(self, plan: Any, allocations: list[Allocation]) -> None:
        self.plan = plan
        self.allocations = allocations
        self.advanced = False


class Lease:
    """An allocation that outlives its hold (04 §12); `subject` evaluates `cache` when it ends."""

    __slots__ = ("active", "advanced", "cache", "expires", "owner", "pool", "position", "subject", "units")

    def __init__(self, allocation: Allocation, frame: HoldFrame, owner: Actor) -> None:
        self.pool: PoolState = allocation.pool
        self.units = allocation.units
        self.position = allocation.position
        self.advanced = frame.advanced
        self.cache: Callable[[Any], float] | None = frame.plan.cache
        self.owner = owner
        self.subject: Any = owner
        self.active = True
        self.expires = False


class Actor:
    """A session, or a leg of one (`root` is then the session that forked it).

    `pc` is the automaton state it executes next; `admission` the number of its latest
    admission to any pool; `turns` counts turns for the keys of its random streams.
    """

    __slots__ = (
        "admission",
        "attrs",
        "counted_stuck",
        "frames",
        "grower",
        "has_old_place",
        "job",
        "kin",
        "leases",
        "leg",
        "legs_running",
        "make_stream",
        "n_forks",
        "next_row",
        "pc",
        "preempted_at",
        "ready_count",
        "ready_instant",
        "root",
        "rows",
        "serial",
        "status",
        "stream",
        "tokens",
        "turns",
        "waiting",
    )  # fmt: skip

    def __init__(self, serial: int, attrs: list[float], make_stream: Callable[[], Stream]) -> None:
        self.serial = serial
        self.leg: int | None = None
        self.root: Actor = self
        self.attrs = attrs
        self.pc = 0
        self.status = READY
        self.frames: list[HoldFrame] = []
        self.leases: list[Lease] = []
        self.stream: Stream | None = None
        self.make_stream = make_stream
        self.turns = 0
        self.rows: Sequence[Assignments] | None = None
        self.next_row = 0
        self.n_forks = 0
        self.legs_running = 0
        self.admission = NEVER_ADMITTED
        self.waiting: Waiting | None = None
        self.grower: Grower | None = None
        self.job: Any = None
        self.ready_instant: Any = None
        self.ready_count = 0
        self.tokens: Any = None
        self.preempted_at: dict[PoolState, float] | None = None
        self.counted_stuck = False
        self.has_old_place = False
        self.kin: Kin | None = None
        """A session's parent, children and tree, in a program that spawns."""

    def draw_stream(self) -> Stream:
        """The stream of its statements, opened at the first draw."""
        stream = self.stream
        if stream is None:
            stream = self.stream = self.make_stream()
        return stream

    def allocation_on(self, pool: PoolState) -> Allocation | None:
        """The innermost allocation in scope that still holds units of `pool`."""
        for frame in reversed(self.frames):
            for allocation in frame.allocations:
                if allocation.pool is pool and allocation.held:
                    return allocation
        return None

    def units_on(self, pool: PoolState) -> float:
        """Units its holds in scope have of `pool`, leases not counted."""
        total = 0.0
        for frame in self.frames:
            for allocation in frame.allocations:
                if allocation.pool is pool and allocation.held:
                    total += allocation.units
        return total
