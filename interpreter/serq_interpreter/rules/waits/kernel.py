"""What the rules about waiting share: the kernel, the places of its nodes, and facts that are computed when asked for.

The bounds of a whole program cost about as much as reading it, so a rule first looks whether the program has what it is
about, and asks for facts only then.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from serq_interpreter.analysis.wait_points import Circle, WaitPoint, circles, wait_points
from serq_interpreter.ir import program as ir
from serq_interpreter.ir.lower import Lowered
from serq_interpreter.ir.walk import Part, expressions, statements
from serq_interpreter.semantics import tree
from serq_interpreter.syntax.tokens import Note, Place

if TYPE_CHECKING:
    from serq_interpreter.analysis.bounds import Bounds
    from serq_interpreter.analysis.crowding import Crowding
    from serq_interpreter.analysis.expression_bounds import Environment
    from serq_interpreter.analysis.hold_facts import HoldFacts

_STATE = frozenset(["Used", "Free", "Holders", "Queued", "Queue", "Busy"])
"""Functions with which a program decides itself who may enter."""


class Kernel:
    """One program without errors; used under `deep_recursion`."""

    def __init__(self, lowered: Lowered, elaborated: tree.Elaborated) -> None:
        self.program = lowered.program
        self.origins = lowered.origins
        self.elaborated = elaborated
        self.holds = [item for item in statements(self.program.session) if isinstance(item, ir.Hold)]

    @property
    def kinds(self) -> frozenset[str]:
        """What a rule may be about and occurs here: `Hold`, `Lease`, `QueueKey`, `Iteration`."""
        engines = [stage.engine for stage in self.elaborated.stages.values()]
        occurs = {
            "Hold": self.holds,
            "Lease": any(hold.lease is not None for hold in self.holds),
            "QueueKey": any(pool.queue_keys for pool in self.program.pools),
            "Iteration": any(engine is not None and engine.iteration for engine in engines),
        }
        return frozenset(kind for kind, found in occurs.items() if found)

    # ------------------------------------------------------------------ facts

    @cached_property
    def quick(self) -> Environment:
        """Roughly the ranges of what is assigned, cheaply: good for telling where a closer look is worth its time."""
        from serq_interpreter.analysis.quick_ranges import quick_ranges

        return quick_ranges(self.program)

    @cached_property
    def bounds(self) -> Bounds:
        from serq_interpreter.analysis.bounds import bounds_of

        return bounds_of(self.program)

    @cached_property
    def facts(self) -> HoldFacts:
        from serq_interpreter.analysis.hold_facts import HoldFacts

        return HoldFacts(self.program)

    @cached_property
    def crowding(self) -> Crowding:
        from serq_interpreter.analysis.crowding import Crowding

        return Crowding(self.facts)

    @cached_property
    def circles(self) -> list[Circle]:
        """Circles of wait points that nothing in the program is seen to prevent."""
        points = wait_points(self.program, lambda _hold, _take, _number: False)
        if not circles(points):  # most programs: nobody waits with something in hand
            return []
        points = [
            point
            for point in wait_points(self.program, self._covered)
            if self.facts.bounds.at(point.statement) is not None
        ]
        while True:
            found = circles(points)
            part = {id(point): point for circle in found for point in circle}
            short = {number for number in self._wanted(part.values()) if self._can_be_short(number, [*part.values()])}
            kept = [
                WaitPoint(point.statement, point.held, point.has, point.wanted & short, point.grows)
                for point in part.values()
                if point.wanted & short
            ]
            if len(kept) == len(points) and self._wanted(kept) == self._wanted(points):
                return found
            points = kept

    @staticmethod
    def _wanted(points: Iterable[WaitPoint]) -> frozenset[int]:
        return frozenset().union(*(point.wanted for point in points))

    def _can_be_short(self, number: int, points: list[WaitPoint]) -> bool:
        return not self._decides_itself(number) and self.crowding.short(number, points)

    def _covered(self, hold: ir.Hold, take: ir.Take, number: int) -> bool:
        """Whether a growth stays within what was taken or is kept; what cannot be judged of a kept reserve counts."""
        if self.facts.bounds.at(hold) is None:
            return True
        kept = self.program.pools[number].reserve_held
        rooms = [take.units] if take.reserve is None or not kept else [take.units, take.reserve]
        spares = [self.facts.spare(number, hold, take, room) for room in rooms]
        if any(spare >= 0.0 if not isinstance(spare, str) else kept for spare in spares):
            return True
        taken = self.facts.bounds.value(take.units, hold)
        return taken is not None and self.facts.grown(number, hold, take) <= taken.lo

    def _decides_itself(self, number: int) -> bool:
        """Whether the program admits to a pool by what is used, held or queued: then it may know what it does."""
        pool = self.program.pools[number]
        for hold in self.holds:
            for take in hold.admission.takes:
                if take.pool.base <= number < take.pool.base + take.pool.count:
                    parts = [take.units] if take.reserve is None else [take.units, take.reserve]
                    if any(_reads_state(part) for part in parts):
                        return True
        if pool.admit_via is None:
            return False
        kind = self.program.stages[pool.admit_via].kind
        return isinstance(kind, ir.Step) and (_reads_state(kind.budget) or _gated(kind.iteration or ()))

    # ------------------------------------------------------------------ places

    def place(self, node: object) -> Place | None:
        """Where a node stands: the word of a hold, else all of it; `None` for what came from no text."""
        return self.origins.get(node.admission if isinstance(node, ir.Hold) else node)

    def note(self, node: object, message: str) -> tuple[Note, ...]:
        place = self.place(node)
        return () if place is None else (Note(place, message),)

    def pool_name(self, number: int) -> str:
        """The name of a pool as written, without the index of a member."""
        return self.program.pools[number].name

    def cap_note(self, number: int) -> tuple[Note, ...]:
        """A note at the cap of a pool."""
        pool = self.program.pools[number]
        declared = self.elaborated.pools.get(pool.name)
        if declared is None:
            return ()
        return (Note(declared.cap_at or declared.name_at, f"`{pool.name}` has {pool.cap:.10g} units"),)


def _reads_state(part: Part) -> bool:
    return any(
        (isinstance(item, ir.Call) and item.function in _STATE) or isinstance(item, ir.Ctx | ir.Reg)
        for item in expressions(part)
    )


def _gated(body: tuple[ir.IterStmt, ...]) -> bool:
    """Whether a body admits under a condition of its own; `!preempted` is everybody's."""
    stack = list(body)
    while stack:
        item = stack.pop()
        if isinstance(item, ir.IterBranch):
            stack += (*item.then, *item.otherwise)
        elif isinstance(item, ir.IterAdmit) and (item.only is not None or not _usual(item.gate)):
            return True
    return False


def _usual(gate: ir.Expr | None) -> bool:
    if gate is None:
        return True
    operand = gate.operand if isinstance(gate, ir.Unary) and gate.op == "Not" else None
    return isinstance(operand, ir.Ctx) and operand.name == "Preempted"
