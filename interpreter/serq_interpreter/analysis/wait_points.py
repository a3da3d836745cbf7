"""Wait points: the statements at which an actor that holds units of a finite pool may wait for units of one.

A session that waits with empty hands is in nobody's way.  One that holds something may stand in the way of those it
waits for: a circle of wait points, each wanting what is held at the next, is a deadlock that some run may reach.  A hold
waits for its pools (04 §4); a growth waits where nobody is preempted for it (04 §7.3) and no kept reservation covers it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from math import isfinite

from serq_interpreter.analysis.references import grown_by, members
from serq_interpreter.ir import program as ir
from serq_interpreter.record import record

_MOST_POINTS = 200
"""Programs with more are generated; looking for circles among them would take longer than reading the result."""


@record
class Held:
    """What an actor has of some pools: by which take of which hold."""

    hold: ir.Hold
    take: ir.Take
    pools: frozenset[int]


@record
class WaitPoint:
    """At `statement` the actor has `held` and waits for one of `wanted`; `grows` says that it is a growth.

    `has` are the pools of which the actor may have units.
    """

    statement: ir.Stmt
    held: tuple[Held, ...]
    has: frozenset[int]
    wanted: frozenset[int]
    grows: bool


Covered = Callable[[ir.Hold, ir.Take, int], bool]


def wait_points(program: ir.Program, covered: Covered) -> list[WaitPoint]:
    """The wait points of the session and its legs, in the order of the text.

    `covered` says whether all that a hold grows to on a pool is within what is reserved for it.  Recursive; used under
    `deep_recursion`.
    """
    walk = _Walk(program, covered)
    walk.block(program.session, ())
    return walk.found[:_MOST_POINTS]


class _Walk:
    def __init__(self, program: ir.Program, covered: Covered) -> None:
        self.program = program
        self.covered = covered
        self.found: list[WaitPoint] = []

    def block(self, block: ir.Block, held: tuple[Held, ...]) -> tuple[Held, ...]:
        """What of `held` is surely still there at the end of the block."""
        for statement in block.statements:
            held = self.statement(statement, held)
        return held

    def statement(self, statement: ir.Stmt, held: tuple[Held, ...]) -> tuple[Held, ...]:
        match statement:
            case ir.Hold(body=body):
                own = tuple(self.taken(statement))
                self.point(statement, held, frozenset().union(*(one.pools for one in own)), grows=False)
                left = self.block(body, (*held, *own))
                return tuple(one for one in held if one in left)
            case ir.Branch(then=then, otherwise=otherwise):
                first, second = self.block(then, held), self.block(otherwise, held)
                return tuple(one for one in held if one in first and one in second)
            case ir.Loop(body=body):
                return self.block(body, held)
            case ir.Fork(body=body):
                self.block(body, ())
                return held
            case ir.Release(pool=pool):
                return self.without(held, frozenset(members(pool)))
            case ir.Grow() | ir.Run():
                self.growth(statement, held)
        return held

    def taken(self, hold: ir.Hold) -> Iterator[Held]:
        """The finite pools of a hold, take by take."""
        for take in hold.admission.takes:
            pools = self.finite(take.pool)
            if pools and not (isinstance(take.units, ir.Num) and take.units.value <= 0.0):
                yield Held(hold, take, pools)

    def finite(self, reference: ir.PoolRef) -> frozenset[int]:
        return frozenset(number for number in members(reference) if isfinite(self.program.pools[number].cap))

    def without(self, held: tuple[Held, ...], pools: frozenset[int]) -> tuple[Held, ...]:
        """What is left after the innermost hold of a pool gave it back."""
        for one in reversed(held):
            if one.pools & pools:
                return tuple(other for other in held if other is not one)
        return held

    def growth(self, statement: ir.Grow | ir.Run, held: tuple[Held, ...]) -> None:
        reference = statement.pool if isinstance(statement, ir.Grow) else statement.growing
        if reference is None:
            return
        pools = self.finite(reference)
        own = next((one for one in reversed(held) if one.pools & pools), None)
        if own is None:
            return
        wanted = frozenset(
            number
            for number in pools & own.pools
            if self.program.pools[number].preempt is None
            and grown_by(statement, number) is not None
            and not self.covered(own.hold, own.take, number)
        )
        self.point(statement, held, wanted, grows=True)

    def point(self, statement: ir.Stmt, held: tuple[Held, ...], wanted: frozenset[int], *, grows: bool) -> None:
        if held and wanted:
            has = frozenset().union(*(one.pools for one in held))
            self.found.append(WaitPoint(statement, held, has, wanted, grows))


# --------------------------------------------------------------------------- circles


Circle = tuple[WaitPoint, ...]


def circles(points: list[WaitPoint]) -> list[Circle]:
    """For each wait point the shortest circle that it is part of, each circle once, in the order of the text.

    A growth is a circle of its own wherever two sessions can stand there; where it is also part of one with a hold, that
    one is given, which says more.
    """
    found: dict[frozenset[int], Circle] = {}
    having: dict[int, list[WaitPoint]] = {}
    for point in points:
        for number in point.has:
            having.setdefault(number, []).append(point)
    for point in points:
        circle = _shortest(point, having, alone=not point.grows) or _shortest(point, having, alone=True)
        if circle is not None:
            found.setdefault(frozenset(id(one) for one in circle), circle)
    return list(found.values())


def _shortest(start: WaitPoint, having: dict[int, list[WaitPoint]], *, alone: bool) -> Circle | None:
    """The shortest way from a point over what it waits for back to it; without `alone` holds of other pools are on it."""
    if alone and start.wanted & start.has:
        return (start,)
    pending: deque[Circle] = deque([(start,)])
    seen: set[int] = set()
    while pending:
        way = pending.popleft()
        for point in (point for number in sorted(way[-1].wanted) for point in having.get(number, ())):
            if point is start:
                if len(way) > 1:
                    return way
            elif id(point) not in seen and (alone or not (point.grows or point.wanted & start.wanted)):
                seen.add(id(point))
                pending.append((*way, point))
    return None
