"""How many holds can be open at once, and whether a pool can be short of units for sessions that wait.

Few programs bound their sessions, many bound them by a pool: `hold slots (1) { … }` lets in as many as there are slots.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import floor, inf, isfinite

from serq_interpreter.analysis.growth_bounds import grows_on
from serq_interpreter.analysis.hold_facts import HoldFacts
from serq_interpreter.analysis.references import members
from serq_interpreter.analysis.wait_points import Held, WaitPoint
from serq_interpreter.ir import program as ir
from serq_interpreter.ir.walk import statements


class Crowding:
    """Facts about one program; used under `deep_recursion`."""

    def __init__(self, facts: HoldFacts) -> None:
        self.facts = facts
        self.program = facts.program
        self.released = {
            number
            for statement in statements(self.program.session)
            if isinstance(statement, ir.Release)
            for number in members(statement.pool)
        }
        self.in_legs = {
            inner
            for statement in statements(self.program.session)
            if isinstance(statement, ir.Fork)
            for inner in statements(statement.body)
        }

    def short(self, number: int, points: list[WaitPoint]) -> bool:
        """Whether those who wait at the points, and hold some of a pool meanwhile, may leave too little of it.

        Whoever is not at one of the points goes on and gives back.  If all that can be held at the points leaves room for
        the largest amount that one of them wants, somebody there goes on as well.
        """
        cap = self.program.pools[number].cap
        points = [point for point in points if number in point.has or number in point.wanted]
        having = [point for point in points if number in point.has]
        held: dict[int, Held] = {}
        most_held = most_involved = wanted = 0.0
        for point in points:
            own = [one for one in point.held if number in one.pools]
            held.update({id(one.take): one for one in own})
            amount = sum(self.amount(one, number) for one in own)
            asked = self.wanted(point.statement, number) if number in point.wanted else 0.0
            wanted = max(wanted, asked)
            most_held = max(most_held, amount)
            # What a growth asks for is in what its hold grows to.
            most_involved = max(most_involved, amount + (0.0 if point.grows else asked))
        waiting = {key: self.amount(one, number) - self._lacking(one, number, points) for key, one in held.items()}
        everybody = sum(_times(self.at_once(one.hold), waiting[key]) for key, one in held.items())
        n_sessions = inf if self.in_legs & {one.hold for one in held.values()} else sessions(self.program)
        n_involved = min([n_sessions, *self._gates(points)])
        n_having = min([n_sessions, *self._gates(having)])
        return (
            everybody + wanted > cap
            and _times(n_having, most_held) + wanted > cap
            and _times(n_involved, most_involved) > cap
        )

    def _gates(self, points: list[WaitPoint]) -> Iterator[float]:
        """For each pool of which everybody at the points holds units: how many can do so at once."""
        common = frozenset[int]() if not points else frozenset.intersection(*(point.has for point in points))
        for number in common - self.released:
            takes = {id(one.take): one for point in points for one in point.held if number in one.pools}.values()
            yield max(self._room(one.hold, one.take) for one in takes)

    def _lacking(self, held: Held, number: int, points: list[WaitPoint]) -> float:
        """What a hold surely lacks of its full growth while it waits at one of the points."""
        found = [
            self.facts.bounds.value(point.statement.units, point.statement)
            for point in points
            if isinstance(point.statement, ir.Grow) and number in point.wanted and point.held[-1] is held
        ]
        elsewhere = any(
            any(one.take is held.take for one in point.held)
            and not (isinstance(point.statement, ir.Grow) and number in point.wanted and point.held[-1] is held)
            for point in points
        )
        known = [value.lo for value in found if value is not None and not value.nan]
        return min(known) if known and not elsewhere and len(known) == len(found) else 0.0

    def amount(self, held: Held, number: int) -> float:
        """The most units that a hold may have of a pool, grown and with what is kept for it; `inf` without a bound.

        Of a hold that is open once at most, growth without a bound is left out: alone it is in nobody's way.
        """
        pool = self.program.pools[number]
        parts = [held.take.units]
        if held.take.reserve is not None and pool.reserve_held:
            parts.append(held.take.reserve)
        known = max(self.facts.most(part, held.hold) for part in parts)
        grown = self.facts.grown(number, held.hold, held.take) if grows_on(held.hold, number) else 0.0
        if not isfinite(grown) and self.at_once(held.hold) <= 1.0:
            grown = 0.0
        return _blocks(max(known, grown), pool.block)

    def wanted(self, statement: ir.Stmt, number: int) -> float:
        """The most units that a hold asks of a pool, or that a `grow` adds; a growing run asks for what its growth says."""
        block = self.program.pools[number].block
        if isinstance(statement, ir.Grow):
            value = self.facts.bounds.value(statement.units, statement)
            return inf if value is None or value.nan else _blocks(value.hi, block)
        if not isinstance(statement, ir.Hold):
            return 0.0
        found = 0.0
        for take in statement.admission.takes:
            if number in members(take.pool):
                parts = [take.units] if take.reserve is None else [take.units, take.reserve]
                found += max(self.facts.most(part, statement) for part in parts)
        return _blocks(found, block)

    def at_once(self, hold: ir.Hold) -> float:
        """How many instances of a hold can be open at once, as far as sessions and pools bound them."""
        bound = inf if hold in self.in_legs else self.visitors(hold)
        outer: ir.Hold | None = hold
        while outer is not None:
            if (outer in self.in_legs) == (hold in self.in_legs):
                bound = min([bound, *(self._room(outer, take) for take in outer.admission.takes)])
            outer = self.facts.around.get(outer)
        return bound

    def visitors(self, hold: ir.Hold) -> float:
        """How many sessions can come to a hold: a `branch (serial == 0)` lets in one."""
        bound = sessions(self.program)
        state = self.facts.bounds.at(hold)
        serials = None if state is None else state[ir.SLOT_SERIAL]
        if serials is None or isinstance(self.program.arrival, ir.Closed) or not serials.finite:
            return bound
        return min(bound, serials.hi - serials.lo + 1.0)

    def _room(self, hold: ir.Hold, take: ir.Take) -> float:
        """How often the least amount of a take fits in its pools."""
        pools = [self.program.pools[number] for number in members(take.pool)]
        value = self.facts.bounds.value(take.units, hold)
        if value is None or value.nan or not value.lo > 0.0 or self.released & set(members(take.pool)):
            return inf
        caps = [floor(pool.cap / _blocks(value.lo, pool.block)) if isfinite(pool.cap) else inf for pool in pools]
        return float(sum(caps))


def sessions(program: ir.Program) -> float:
    """How many sessions there can be at once, `inf` when arrivals do not bound them or children are created."""
    if program.spawning is not None:
        return inf
    match program.arrival:
        case ir.Closed(sessions=count) | ir.Batch(sessions=count):
            return float(count)
        case ir.Sessions(sessions=given):
            return float(len(given))
        case ir.NoArrival():
            return 0.0
    return inf if program.arrivals is None else float(program.arrivals)


def _times(count: float, amount: float) -> float:
    return 0.0 if amount == 0.0 or count == 0.0 else count * amount


def _blocks(amount: float, block: float | None) -> float:
    return amount if block is None or not isfinite(amount) else -(-amount // block) * block
