"""Whether the descendants of every session are finite in number: fewer than one child on average from some depth on.

The tree of a session is a branching process whose mean may differ from level to level (extension v4b).  It is finite,
with a finite mean, when each level is finite and the mean stays below one from some level on.  Sessions of a level begin
with what the bounds say of all sessions, except that `depth` is that level; how many children they have on average is
bounded over the structure of the session: a branch by the range of its probability, a loop by the chance to leave it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from serq_interpreter.analysis.bounds import Bounds, bounds_of, session_bounds
from serq_interpreter.analysis.interval import Interval
from serq_interpreter.analysis.means import Means
from serq_interpreter.ir import program as ir
from serq_interpreter.ir.deep import deep_recursion
from serq_interpreter.ir.walk import statements

DEEP = 2.0**20
"""The level from which on the mean must be below one: deeper than any bound that a program writes."""


@dataclass(frozen=True, slots=True, eq=False)
class Offspring:
    """The verdict; where it is not `finite`, `mean` bounds the children of a deep session, and `statement` is the
    `spawn` that has most of them."""

    finite: bool
    mean: float
    statement: ir.Spawn | None

    @property
    def mean_text(self) -> str:
        """The mean as a message says it."""
        return "any number of" if self.mean == inf else f"up to {self.mean:.4g}"


def offspring(program: ir.Program) -> Offspring:
    """The verdict on a closed program: whether fewer than one child on average can be shown."""
    spawns = [statement for statement in statements(program.session) if isinstance(statement, ir.Spawn)]
    if not spawns:
        return Offspring(True, 0.0, None)
    with deep_recursion():
        counted = _Counted(program, session_bounds(program, _deep(program)))
        mean = counted.block(program.session).mean
    most = max(spawns, key=lambda spawn: counted.means_of.get(spawn, 0.0))
    return Offspring(mean < 1.0, mean, most)


def _deep(program: ir.Program) -> tuple[Interval, ...]:
    """What sessions below level `DEEP` begin with."""
    start = bounds_of(program).entry
    slot = None if program.spawning is None else program.spawning.depth
    if slot is None:
        return start
    return (*start[:slot], Interval(DEEP, inf, whole=True), *start[slot + 1 :])


@dataclass(frozen=True, slots=True)
class _Count:
    """Upper bounds for a block that is entered once: children on average, and the chance to come out at its end."""

    mean: float
    through: float


_NOTHING = _Count(0.0, 1.0)


class _Counted:
    def __init__(self, program: ir.Program, bounds: Bounds) -> None:
        self.bounds = bounds
        self.means = Means(bounds.expressions)
        self.means_of: dict[ir.Spawn, float] = {}

    def block(self, block: ir.Block) -> _Count:
        """A block; recursive."""
        mean, through = 0.0, 1.0
        for statement in block.statements:
            if through == 0.0:
                break
            one = self.statement(statement)
            mean += _times(through, one.mean)
            through *= one.through
        return _Count(mean, through)

    def statement(self, statement: ir.Stmt) -> _Count:
        environment = self.bounds.at(statement)
        if environment is None:
            return _Count(0.0, 0.0)
        match statement:
            case ir.Spawn(count=count):
                mean = self.means_of[statement] = max(self.means.upper(count, environment), 0.0)
                return _Count(mean, 1.0)
            case ir.Branch(guard=guard, then=then, otherwise=otherwise):
                lowest, highest = self.means.chance(guard, environment)
                return _either(self.block(then), self.block(otherwise), lowest, highest)
            case ir.Loop(body=body):
                return self.loop(self.block(body))
            case ir.Hold(body=body):
                return self.block(body)
            case ir.End():
                return _Count(0.0, 0.0)
            case _:
                return _NOTHING

    @staticmethod
    def loop(body: _Count) -> _Count:
        """A loop is left by `end` only: so often does it come round that the chance to go on allows."""
        if body.mean == 0.0:
            return _Count(0.0, 0.0)
        return _Count(body.mean / (1.0 - body.through) if body.through < 1.0 else inf, 0.0)


def _either(then: _Count, otherwise: _Count, lowest: float, highest: float) -> _Count:
    """A branch whose test is true with a probability in this range: linear in it, so the ends decide."""
    ends = [
        (
            _times(chance, then.mean) + _times(1.0 - chance, otherwise.mean),
            chance * then.through + (1.0 - chance) * otherwise.through,
        )
        for chance in (lowest, highest)
    ]
    return _Count(max(mean for mean, _ in ends), max(through for _, through in ends))


def _times(chance: float, mean: float) -> float:
    return 0.0 if chance == 0.0 or mean == 0.0 else chance * mean
