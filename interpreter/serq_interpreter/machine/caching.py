"""Cached prefixes: keeping, borrowing back, evicting, spilling (04 §5, §6.2, §10)."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from serq_interpreter.machine.actors import ENDED, Actor
from serq_interpreter.machine.errors import RunError
from serq_interpreter.machine.numbers import SLACK
from serq_interpreter.machine.pools import Entry, Piece, PoolState

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine


DEEPEST_SPILL = 1000
"""How many evictions may cause one another through spills."""


class Caching:
    """Moves units between a pool's cache and the rest."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.n_releases = 0
        self.spill_depth = 0
        self.snapshots_needed = False
        """Whether some eviction key or spill may read an entry's attributes."""

    # ------------------------------------------------------------------ own prefix

    def keep(self, pool: PoolState, actor: Actor, units: float) -> None:
        """`units` become the root's live entry; an older one vanishes (04 §6.2)."""
        root = actor.root
        old = pool.live.get(root)
        if old is not None:
            pool.cached -= old.size
            pool.remove_entry(old)
        self._add(pool, root, actor.attrs, units)

    def _add(self, pool: PoolState, owner: Actor | None, attrs: list[float], units: float) -> Entry:
        self.n_releases += 1
        entry = Entry(owner, units, self.machine.now, self.n_releases)
        self._set_attributes(entry, attrs)
        pool.entries[entry.number] = entry
        if owner is not None:
            pool.live[owner] = entry
        pool.cached += units
        return entry

    def _set_attributes(self, entry: Entry, attrs: list[float]) -> None:
        """A live session's entry reads its current attributes, any other the snapshot (04 §5.2)."""
        if not self.snapshots_needed:
            return
        entry.snapshot = attrs.copy()
        owner = entry.owner
        if owner is not None and owner.status != ENDED:
            entry.attrs = owner.attrs
        else:
            entry.attrs = entry.snapshot
            entry.root = None

    def consume(self, pool: PoolState, actor: Actor, bound: float) -> float:
        """Borrow back at most `bound` of the root's live entry; the remainder is dead.  Returns the units.

        An inherited prefix is read and stays where it is: the hold takes units of its own for all of it.
        """
        entry = pool.prefix_of(actor.root)
        if entry is None:
            return 0.0
        limit = pool.down(bound)
        if not limit > 0.0:
            limit = 0.0
        units = min(entry.size, limit)
        if entry.owner is not actor.root:
            return units
        pool.cached -= units
        rest = entry.size - units
        if rest > 0.0:
            del pool.live[actor.root]
            entry.size = rest
            entry.owner = entry.root = None
            entry.origin = entry
            if self.snapshots_needed:
                entry.attrs = entry.snapshot = actor.attrs.copy()
        else:
            pool.remove_entry(entry)
        return units

    def drop(self, pool: PoolState, actor: Actor) -> None:
        """Remove the root's live entry; no eviction (04 §5.2)."""
        entry = pool.live.get(actor.root)
        if entry is not None:
            pool.cached -= entry.size
            pool.remove_entry(entry)

    def owner_ended(self, actor: Actor) -> None:
        """From now on the session's entries have the attributes of their release."""
        if not self.snapshots_needed:
            return
        for pool in self.machine.pools:
            entry = pool.live.get(actor)
            if entry is not None:
                entry.attrs = entry.snapshot
                entry.root = None

    # ------------------------------------------------------------------ eviction

    def evict_excess(self, pool: PoolState) -> None:
        """Evict while allocated and cached units exceed the cap (04 §5.2)."""
        if pool.evict_keys is None and pool.spill_to is None and not self.machine.watched:
            self._evict_oldest(pool)
        while pool.used + pool.cached > pool.cap + SLACK and pool.entries:
            self._evict_piece(pool)

    def _evict_oldest(self, pool: PoolState) -> None:
        """Whole blocks of the oldest entries at once, where the sizes are whole: the same as piece by piece."""
        block, room = pool.block, pool.cap + SLACK
        if block is None or not block.is_integer():
            return
        entries = pool.entries
        while (excess := pool.used + pool.cached - room) > 0.0 and entries:
            entry = next(iter(entries.values()))
            if entry.size % block or not pool.cached.is_integer():
                return
            size = min(ceil(excess / block) * block, entry.size)
            entry.size -= size
            pool.cached -= size
            pool.evicted_units += size
            if not entry.size > 0.0:
                pool.remove_entry(entry)
                pool.evicted_entries += 1

    def _evict_piece(self, pool: PoolState) -> None:
        entry = pool.choose_entry()
        size = entry.size if pool.block is None else min(pool.block, entry.size)
        piece = Piece(entry, size)
        entry.size -= size
        pool.cached -= size
        pool.evicted_units += size
        if not entry.size > SLACK:  # what blocks such as 0.1 leave of it is nothing
            pool.remove_entry(entry)
            pool.evicted_entries += 1
        if pool.spill_to is not None:
            self._spill(pool, entry, piece)

    # ------------------------------------------------------------------ spill

    def _spill(self, pool: PoolState, entry: Entry, piece: Piece) -> None:
        """04 §10: the piece goes to the tier if `when` says so, its transfer to the stage."""
        if self.spill_depth > DEEPEST_SPILL:
            name = pool.declaration.name
            raise RunError("SQ0910", f"evictions from `{name}` spill in a circle without end", pool.declaration.spill)
        self.spill_depth += 1
        self._spill_piece(pool, entry, piece)
        self.spill_depth -= 1

    def _spill_piece(self, pool: PoolState, entry: Entry, piece: Piece) -> None:
        tier, via = pool.spill_to, pool.spill_via
        assert tier is not None and pool.spill_when is not None and pool.spill_work is not None
        if pool.spill_when(piece) == 0.0:
            return
        work = pool.spill_work(piece)
        if self.machine.quirks.tier_over_cap:
            self.evict_excess(tier)
        elif not self._make_room(tier, piece.size):
            return
        pool.spills += 1
        self._add_to_tier(tier, entry, piece)
        if work > 0.0:
            via.join(None, work)

    def _make_room(self, tier: PoolState, units: float) -> bool:
        """Evict from a tier until a piece fits; whether it does."""
        while tier.used + tier.cached + units > tier.cap + SLACK:
            if not tier.entries:
                return False
            self._evict_piece(tier)
        return True

    def _add_to_tier(self, tier: PoolState, entry: Entry, piece: Piece) -> None:
        there = self._entry_in_tier(tier, entry, piece)
        if there is None:
            there = self._add(tier, piece.owner, piece.attrs, piece.size)
            there.origin = entry.origin
        else:
            del tier.entries[there.number]
            self.n_releases += 1
            there.number = self.n_releases
            there.last = self.machine.now
            there.size += piece.size
            tier.cached += piece.size
            tier.entries[there.number] = there
            self._set_attributes(there, piece.attrs)
        if tier.used + tier.cached > tier.cap + SLACK:
            self.machine.note_excess(tier, "tier_over_cap")

    def _entry_in_tier(self, tier: PoolState, entry: Entry, piece: Piece) -> Entry | None:
        if piece.owner is not None:
            return tier.live.get(piece.owner)
        for there in tier.entries.values():
            if there.origin is not None and there.origin is entry.origin:
                return there
        return None
