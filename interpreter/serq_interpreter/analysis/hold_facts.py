"""What holds need and grow to: numbers that a program's amounts never go below or above.

Everything here is about one take of one hold on one pool, in units of that pool.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from serq_interpreter.analysis.bounds import Bounds, bounds_of
from serq_interpreter.analysis.expression_bounds import Environment
from serq_interpreter.analysis.growth_bounds import growth_of
from serq_interpreter.analysis.linear import Ceilings, Form, form_of, least, most
from serq_interpreter.analysis.references import grown_by, member_name
from serq_interpreter.ir import program as ir
from serq_interpreter.ir.walk import Part, expressions, statements


class HoldFacts:
    """Facts of one program, of a run up to its first preemption; used under `deep_recursion`."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.bounds: Bounds = bounds_of(program, preemptions=False)
        self.ceilings = Ceilings(program, self.bounds.everywhere)
        self.around = _holds_around(program)
        self.holds = [item for item in statements(program.session) if isinstance(item, ir.Hold)]

    def ceilings_in(self, hold: ir.Hold | None) -> Callable[[int], tuple[Form, ...]]:
        """What attributes never exceed inside a hold: `cached` is at most what `reuse` allowed (04 §5.1)."""
        reuse = None if hold is None or hold.admission.reuse is None else form_of(hold.admission.reuse)
        environment = None if hold is None else self.bounds.at(hold)
        if hold is None or reuse is None or environment is None:
            return self.ceilings.of
        assigned = {item.slot for item in statements(hold.body) if isinstance(item, ir.Set | ir.Choose)}
        if any(slot in assigned or slot == ir.SLOT_CACHED for slot, _ in reuse.terms):
            return self.ceilings.of
        if least(reuse, environment, self.ceilings.of) < 0.0:
            return self.ceilings.of
        return lambda slot: (reuse,) if slot == ir.SLOT_CACHED else self.ceilings.of(slot)

    def least_of(self, expression: ir.Expr, statement: ir.Stmt) -> float:
        """A number that an expression of a statement is never below."""
        value, environment = self.bounds.value(expression, statement), self.bounds.at(statement)
        if value is None or environment is None or value.nan:
            return -inf
        form = form_of(expression)
        if form is None:
            return value.lo
        return max(value.lo, least(form, environment, self.ceilings_in(self.around.get(statement))))

    def most(self, expression: ir.Expr, hold: ir.Hold) -> float:
        """A number that an amount in a hold's header never exceeds; `inf` when none can be shown."""
        environment = self.bounds.at(hold)
        value = self.bounds.value(expression, hold)
        if environment is None or value is None or value.nan:
            return inf
        form = form_of(expression)
        return value.hi if form is None else min(value.hi, most(form, environment, self.ceilings.of))

    def spare(self, number: int, hold: ir.Hold, take: ir.Take, room: ir.Expr) -> float | str:
        """The least that `room` leaves of what the allocation of a pool grows to; a text says why that is not known.

        Negative: the growth may go so far beyond the room; `-inf`: without a bound.
        """
        form = self.spare_form(number, hold, take, room)
        return form if isinstance(form, str) else least(form, self.inside(hold), self.ceilings_in(hold))

    def spare_form(self, number: int, hold: ir.Hold, take: ir.Take, room: ir.Expr) -> Form | str:
        """`room` less what the allocation of a pool grows to, or why that is no sum."""
        pool = self.program.pools[number]
        total = growth_of(hold, take, number, pool.block, self.program)
        if isinstance(total, str):
            return f"what the hold of `{member_name(pool)}` grows to is not a sum of amounts: {total}"
        form = form_of(room)
        if form is None or any(slot == ir.SLOT_CACHED for slot, _ in form.terms):  # it reads the last admission's
            return f"the reserve of `{member_name(pool)}` is not a sum of attributes"
        return form.plus(total, -1.0)

    def attained(self, form: Form | None, environment: Environment) -> bool:
        """Whether the ends of a sum are values that it takes, as far as can be told.

        One attribute takes the ends of its range; several take theirs together when each is drawn for itself.
        """
        if form is None:
            return False
        moving = [slot for slot, _ in form.terms if environment[slot].constant is None]
        if any(slot in (ir.SLOT_CACHED, ir.SLOT_COMPUTED) for slot in moving):
            return False
        return len(moving) <= 1 or all(self._drawn_alone(slot, environment) for slot in moving)

    def _drawn_alone(self, slot: int, environment: Environment) -> bool:
        """Whether an attribute is assigned once, from numbers and draws alone, and its range is still that of the draw."""
        places = self.ceilings.places.get(slot, [])
        if len(places) != 1 or slot in self.ceilings.moving:
            return False
        value = places[0][2].value
        if any(isinstance(part, ir.Attr | ir.Ctx | ir.Call) and not _rounding(part) for part in expressions(value)):
            return False
        return self.bounds.expressions.value(value, environment) == environment[slot]

    def grown(self, number: int, hold: ir.Hold, take: ir.Take) -> float:
        """The most that the allocation of a pool can be with nothing in the cache, `inf` when no bound can be shown."""
        total = growth_of(hold, take, number, self.program.pools[number].block, self.program)
        if isinstance(total, str):
            return self._grown_by_intervals(number, hold, take)
        return most(total.without(ir.SLOT_CACHED), self.inside(hold), self.ceilings_in(hold))

    def _grown_by_intervals(self, number: int, hold: ir.Hold, take: ir.Take) -> float:
        """The same where the sum has no form: every amount at its largest, all branches together."""
        runs = grows = 0.0
        repeated = {
            inner for loop in statements(hold.body) if isinstance(loop, ir.Loop) for inner in statements(loop.body)
        }
        for statement in statements(hold.body):
            amount = grown_by(statement, number)
            value = None if amount is None else self.bounds.value(amount, statement)
            if value is None:
                continue
            if statement in repeated or value.nan:
                return inf
            if isinstance(statement, ir.Grow):
                grows += value.hi + (self.program.pools[number].block or 0.0)
            else:
                runs += value.hi
        return max(runs, self.most(take.units, hold)) + grows

    def inside(self, hold: ir.Hold) -> Environment:
        """The ranges right after the admission, where `cached` is what was found."""
        first = hold.body.statements[0] if hold.body.statements else None
        found = self.bounds.ends.get(hold) if first is None else self.bounds.at(first)
        assert found is not None
        return found


def _rounding(part: Part) -> bool:
    return isinstance(part, ir.Call) and part.function in ("Ceil", "Floor", "Min", "Max", "Abs")


def _holds_around(program: ir.Program) -> dict[ir.Stmt, ir.Hold]:
    """Each statement inside holds → the innermost of them."""
    found: dict[ir.Stmt, ir.Hold] = {}
    for hold in statements(program.session):
        if isinstance(hold, ir.Hold):
            found.update(dict.fromkeys(statements(hold.body), hold))
    return found
