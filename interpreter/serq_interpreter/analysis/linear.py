"""Linear forms of amounts, and what the assignments of a program say about one attribute's place below another.

`prompt - cached + o` is a form over attributes.  To show that a reserve covers a growth the difference of two forms is
bounded from below: an attribute that is subtracted is replaced by something that it cannot exceed, such as `max_out`
for `set o = min(max_out, ceil(~exp(200)))`, or by the end of its interval.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, isfinite
from typing import TYPE_CHECKING

from serq_interpreter.analysis.interval import Interval
from serq_interpreter.ir import program as ir
from serq_interpreter.ir.walk import roots, statements
from serq_interpreter.record import fact

if TYPE_CHECKING:
    from serq_interpreter.analysis.expression_bounds import Environment

_MOST_TRIALS = 64


@fact
class Form:
    """`constant` + Σ coefficient × attribute; attributes by slot, ascending."""

    constant: float
    terms: tuple[tuple[int, float], ...] = ()

    def plus(self, other: Form, factor: float = 1.0) -> Form:
        """This form and `factor` times another."""
        found = dict(self.terms)
        for slot, coefficient in other.terms:
            found[slot] = found.get(slot, 0.0) + factor * coefficient
        kept = tuple(sorted((slot, coefficient) for slot, coefficient in found.items() if coefficient != 0.0))
        return Form(self.constant + factor * other.constant, kept)

    def without(self, slot: int) -> Form:
        """The form with the attribute's term left out."""
        return Form(self.constant, tuple(term for term in self.terms if term[0] != slot))


ZERO = Form(0.0)


def form_of(expression: ir.Expr) -> Form | None:
    """The linear form of an expression, `None` when it has none; recursive."""
    match expression:
        case ir.Num(value=value):
            return Form(value) if isfinite(value) else None
        case ir.Attr(slot=slot):
            return Form(0.0, ((slot, 1.0),))
        case ir.Unary(op="Neg", operand=operand):
            inner = form_of(operand)
            return None if inner is None else ZERO.plus(inner, -1.0)
        case ir.Binary(op=op, left=left, right=right) if op in ("Add", "Sub", "Mul"):
            one, other = form_of(left), form_of(right)
            if one is None or other is None:
                return None
            if op != "Mul":
                return one.plus(other, 1.0 if op == "Add" else -1.0)
            if not one.terms:
                return ZERO.plus(other, one.constant)
            return None if other.terms else ZERO.plus(one, other.constant)
    return None


# --------------------------------------------------------------------------- what is never exceeded


class Ceilings:
    """For an attribute that is set once: forms that it never exceeds."""

    def __init__(self, program: ir.Program, everywhere: Environment) -> None:
        self.everywhere = everywhere
        self.places: dict[int, list[tuple[ir.Block, int, ir.Set]]] = {}
        for root in (program.init, program.turn):
            for number, statement in enumerate(root.statements):
                if isinstance(statement, ir.Set):
                    self.places.setdefault(statement.slot, []).append((root, number, statement))
        self.moving = {
            statement.slot
            for root in roots(program)[2:]
            for statement in statements(root)
            if isinstance(statement, ir.Set | ir.Choose)
        }
        if isinstance(program.arrival, ir.Sessions):
            for session in program.arrival.sessions:
                self.moving.update(slot for slot, _ in session.attrs)
                self.moving.update(slot for turn in session.turns or () for slot, _ in turn)
        if program.trace is not None:
            self.moving.update((ir.SLOT_NEW, ir.SLOT_OUT, ir.SLOT_THINK, ir.SLOT_FORCED, ir.SLOT_MORE))
        self.turn = program.turn

    def of(self, slot: int) -> tuple[Form, ...]:
        """Forms over other attributes that bound an attribute from above whenever both can be read."""
        places = self.places.get(slot, [])
        if len(places) != 1 or slot in self.moving:
            return ()
        block, number, statement = places[0]
        found = _ceilings(statement.value, self.everywhere)
        return tuple(
            form
            for form in found
            if all(self._steady(term, block, number) for term, _ in form.terms)
            # Before its assignment the attribute is 0: the form must not be below that.
            and _by_intervals(form, self.everywhere) >= 0.0
        )

    def _steady(self, slot: int, block: ir.Block, number: int) -> bool:
        """Whether an attribute that an assignment reads keeps that value as long as the assignment's own."""
        if slot in self.moving or (slot < len(self.everywhere) and slot <= ir.SLOT_COMPUTED and slot != ir.SLOT_SERIAL):
            return False
        places = self.places.get(slot, [])
        if not places:
            return True
        return all(
            (other is block and at < number) or (other is not block and other is not self.turn)
            for other, at, _ in places
        )


def _ceilings(expression: ir.Expr, everywhere: Environment) -> list[Form]:
    """Forms that an expression's value never exceeds; recursive."""
    match expression:
        case ir.Call(function="Min", args=args):
            return [
                form
                for arg in args
                if not isinstance(arg, ir.PoolRef | ir.StageRef)
                for form in _ceilings(arg, everywhere)
            ]
        case ir.Call(function="Floor", args=(operand,)) if not isinstance(operand, ir.PoolRef | ir.StageRef):
            return _ceilings(operand, everywhere)
        case ir.Call(function="Ceil", args=(operand,)) if not isinstance(operand, ir.PoolRef | ir.StageRef):
            return [form for form in _ceilings(operand, everywhere) if _whole(form, everywhere)]
        case ir.Sample(distribution="Uniform", args=(_, high)):
            form = form_of(high)
            return [] if form is None or not _never_swapped(expression, everywhere) else [form]
        case ir.Sample(distribution="Det", args=(value,)):
            return _ceilings(value, everywhere)
    form = form_of(expression)
    return [] if form is None else [form]


def _whole(form: Form, everywhere: Environment) -> bool:
    whole = all(everywhere[slot].whole and coefficient.is_integer() for slot, coefficient in form.terms)
    return whole and form.constant.is_integer()


def _never_swapped(sample: ir.Sample, everywhere: Environment) -> bool:
    """Whether `uniform(a, b)` has 0 <= a <= b: then it never exceeds b."""
    low, high = form_of(sample.args[0]), form_of(sample.args[1])
    if low is None or high is None:
        return False
    return least(low, everywhere, _no_ceilings) >= 0.0 and least(high.plus(low, -1.0), everywhere, _no_ceilings) >= 0.0


def _no_ceilings(_slot: int) -> tuple[Form, ...]:
    return ()


def least(form: Form, environment: Environment, ceilings: Callable[[int], tuple[Form, ...]]) -> float:
    """A number that the form is never below; `-inf` when none can be shown."""
    best = -inf
    pending, n_trials = [form], 0
    while pending and n_trials < _MOST_TRIALS:
        n_trials += 1
        current = pending.pop()
        best = max(best, _by_intervals(current, environment))
        for slot, coefficient in current.terms:
            if coefficient < 0.0:
                pending.extend(current.without(slot).plus(one, coefficient) for one in ceilings(slot))
    return best


def most(form: Form, environment: Environment, ceilings: Callable[[int], tuple[Form, ...]]) -> float:
    """A number that the form never exceeds; `inf` when none can be shown."""
    return -least(ZERO.plus(form, -1.0), environment, ceilings)


def _by_intervals(form: Form, environment: Environment) -> float:
    total = form.constant
    for slot, coefficient in form.terms:
        known: Interval = environment[slot]
        if known.nan:
            return -inf
        total += coefficient * (known.lo if coefficient > 0.0 else known.hi)
    return total if total == total else -inf
