"""The state of a pool and the elementary moves of its units (04 §1, §5; seed §2).

Every unit is allocated (to a hold or a lease), cached, or free; units change sides only
here and in `memory`.  `excess` counts the units by which a named quirk let
`allocated + cached` stand above the cap.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from typing import TYPE_CHECKING, Any

from serq_interpreter.ir import program as ir
from serq_interpreter.machine.kinship import inherited_from
from serq_interpreter.machine.numbers import round_down, round_up, total_order

if TYPE_CHECKING:
    from serq_interpreter.machine.actors import Actor, HoldFrame
    from serq_interpreter.machine.evaluate import Closure
    from serq_interpreter.machine.quirks import Quirks
    from serq_interpreter.machine.stages.step import StepStage


class Allocation:
    """Units a hold has of one pool; `need` is the room it asked for when admitted, `position` how far it is
    computed (a consumed prefix, `load` and growing runs)."""

    __slots__ = ("actor", "frame", "held", "need", "pool", "position", "units")

    def __init__(self, pool: PoolState, actor: Actor, units: float, need: float) -> None:
        self.pool = pool
        self.actor = actor
        self.frame: HoldFrame
        self.units = units
        self.need = need
        self.position = 0.0
        self.held = True


class Entry:
    """A cached prefix.  It is the subject of eviction keys and spills.

    `attrs` is the owner's own vector while the owner lives, else a snapshot; `root` is the
    owner while it lives and the entry is not dead.  `number` is its release number.
    `origin` identifies a dead entry across tiers.
    """

    __slots__ = ("attrs", "last", "number", "origin", "owner", "root", "size", "snapshot")

    def __init__(self, owner: Actor | None, size: float, last: Any, number: int) -> None:
        self.owner = owner
        self.root: Actor | None = owner
        self.attrs: list[float] = []
        self.snapshot: list[float] = []
        self.size = size
        self.last = last
        self.number = number
        self.origin: object | None = None


class Piece:
    """Units just taken from an entry, as its spill reads them."""

    __slots__ = ("attrs", "last", "owner", "root", "size")

    def __init__(self, entry: Entry, size: float) -> None:
        self.owner = entry.owner
        self.root = entry.root
        self.attrs = entry.attrs
        self.size = size
        self.last = entry.last


class Waiting:
    """A hold in a queue.  `front` marks a re-entry ahead of every key (04 §4.3)."""

    __slots__ = ("actor", "front", "joined", "number", "plan", "pools", "units_at_join")

    def __init__(self, actor: Actor, plan: Any, pools: list[PoolState], units: list[float], joined: Any) -> None:
        self.actor = actor
        self.plan = plan
        self.pools = pools
        self.units_at_join = units
        self.joined = joined
        self.number = 0
        self.front = False


class Grower:
    """A growth that waits for room.  `missing` is by how much a growing run's position advances at the grant
    (04 §17 Q4); `job` is that run, `None` for a `grow` statement."""

    __slots__ = ("actor", "allocation", "job", "missing", "units")

    def __init__(self, actor: Actor, allocation: Allocation, units: float, missing: float, job: Any) -> None:
        self.actor = actor
        self.allocation = allocation
        self.units = units
        self.missing = missing
        self.job = job


class PoolState:
    """One pool member while a run goes on."""

    __slots__ = (
        "admissions",
        "admit_via",
        "allocations",
        "area_cached",
        "area_holders",
        "area_queue",
        "area_used",
        "block",
        "cached",
        "cap",
        "declaration",
        "engines",
        "entries",
        "evict_keys",
        "evicted_entries",
        "evicted_units",
        "excess",
        "growers",
        "index",
        "live",
        "mean_wait",
        "n_waits",
        "over_cap",
        "places",
        "preempt_keys",
        "preemptions",
        "queue",
        "queue_keys",
        "rejected",
        "requeue_tail",
        "reserve_held",
        "spill_to",
        "spill_via",
        "spill_when",
        "spill_work",
        "spills",
        "stuck",
        "used",
    )  # fmt: skip

    def __init__(self, declaration: ir.Pool, index: int) -> None:
        self.declaration = declaration
        self.index = index
        self.cap = declaration.cap
        self.block = declaration.block
        self.reserve_held = declaration.reserve_held
        self.used = 0.0
        self.cached = 0.0
        self.excess = 0.0
        self.entries: OrderedDict[int, Entry] = OrderedDict()
        self.live: dict[Actor, Entry] = {}
        self.places: list[Actor] = []
        self.queue: deque[Waiting] = deque()
        self.growers: deque[Grower] = deque()
        self.allocations: dict[Allocation, None] = {}
        self.admit_via: Any = None
        self.queue_keys: tuple[Closure, ...] | None = None
        self.evict_keys: tuple[Closure, ...] | None = None
        self.preempt_keys: tuple[Closure, ...] | None = None
        self.requeue_tail = False
        self.spill_to: PoolState | None = None
        self.spill_via: Any = None
        self.spill_when: Closure | None = None
        self.spill_work: Closure | None = None
        self.engines: list[StepStage] = []
        # Whole zeros: on a clock that counts, the areas of whole units stay whole.
        self.area_used: Any = 0
        self.area_cached: Any = 0
        self.area_queue: Any = 0
        self.area_holders: Any = 0
        self.n_waits = 0
        self.mean_wait = 0.0
        self.admissions = 0
        self.evicted_entries = 0
        self.evicted_units = 0.0
        self.preemptions = 0
        self.spills = 0
        self.rejected = 0
        self.stuck = 0
        self.over_cap: tuple[PoolState, float] | None = None

    # ------------------------------------------------------------------ questions

    def up(self, units: float) -> float:
        return round_up(units, self.block)

    def down(self, units: float) -> float:
        return round_down(units, self.block)

    def free(self) -> float:
        """`cap - used`: cached units and reservations do not lower it."""
        return self.cap - self.used

    def cached_for(self, root: Actor | None) -> float:
        """The size of the prefix a session can read, 0 if there is none (or there is no session)."""
        entry = None if root is None else self.prefix_of(root)
        return 0.0 if entry is None else entry.size

    def prefix_of(self, root: Actor) -> Entry | None:
        """The live entry a session reads: its own, else its parent's where it inherits that (extension v4b)."""
        entry = self.live.get(root)
        if entry is None and root.kin is not None:
            parent = inherited_from(root, self)
            return None if parent is None else self.live.get(parent)
        return entry

    def outstanding(self, growing: Allocation | None = None, growth: float = 0.0) -> float:
        """`O` of 04 §4.2: reserved room not yet allocated; with `growing`, as after its growth (04 §7.2)."""
        if not self.reserve_held:
            return 0.0
        total = 0.0
        for allocation in self.allocations:
            missing = allocation.need - allocation.units
            if allocation is growing:
                missing -= growth
            if missing > 0.0:
                total += missing
        return total

    def head(self) -> Waiting:
        """The selected head of a non-empty queue (04 §4.3)."""
        queue = self.queue
        keys = self.queue_keys
        if keys is None or queue[0].front:
            return queue[0]
        best: Waiting | None = None
        best_key: Any = None
        for waiting in queue:
            if waiting.front:
                return waiting
            key = (*[total_order(key(waiting.actor)) for key in keys], waiting.number)
            if best is None or key < best_key:
                best, best_key = waiting, key
        assert best is not None
        return best

    # ------------------------------------------------------------------ moves

    def forget_place(self, actor: Actor, quirks: Quirks) -> None:
        """Remove the actor's latest place; in the edition every place it has (04 §17 Q1)."""
        places = self.places
        n_places = places.count(actor)
        if n_places == 1:
            places.remove(actor)
        elif n_places > 1 and quirks.places_lost:
            quirks.hit("places_lost")
            self.places = [place for place in places if place is not actor]
        elif n_places > 1:
            del places[len(places) - 1 - places[::-1].index(actor)]

    def choose_entry(self) -> Entry:
        """The entry evicted next: keys, then release number (04 §5.2)."""
        if self.evict_keys is None:
            return next(iter(self.entries.values()))
        keys = self.evict_keys
        best: Entry | None = None
        best_key: Any = None
        for entry in self.entries.values():
            key = (*[total_order(key(entry)) for key in keys], entry.number)
            if best is None or key < best_key:
                best, best_key = entry, key
        assert best is not None
        return best

    def remove_entry(self, entry: Entry) -> None:
        """Take an entry out of the pool's books; its units are the caller's business."""
        del self.entries[entry.number]
        if entry.owner is not None and self.live.get(entry.owner) is entry:
            del self.live[entry.owner]
