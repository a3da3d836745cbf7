"""Intervals of expressions, and what a condition says about the attributes that it reads."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from math import inf, isfinite

from serq_interpreter.analysis import interval as i
from serq_interpreter.analysis.interval import Interval
from serq_interpreter.analysis.linear import form_of
from serq_interpreter.ir import program as ir

Environment = tuple[Interval, ...]
"""One interval per attribute slot."""

_CONTEXT: dict[str, Interval] = {
    "Decoding": i.TRUTH,
    "Now": i.NOT_NEGATIVE,
    "Waited": i.NOT_NEGATIVE,
    "Queued": i.TRUTH,
    **dict.fromkeys(("Nres", "Ndec", "N", "Admitted", "Preempted", "Admission", "Arrived"), i.COUNT),
    **dict.fromkeys(("Ntok", "Npre", "Kvb", "Kvp", "Attn", "Demand", "Served"), i.NOT_NEGATIVE),
}
"""Context variables whose range is known whatever the program does."""
_NUMBERS: dict[str, Callable[[Interval, Interval], Interval]] = {
    "Add": i.add,
    "Sub": i.subtract,
    "Mul": i.multiply,
    "Div": i.divide,
    "Pow": i.power,
}
_SUM_SLACK = 1e-9
"""How far, as a share of the numbers in it, rounding may move a sum of a few attributes; far more than it does."""
_COMPARED = frozenset(["Lt", "Le", "Gt", "Ge", "Eq", "Ne"])
_SWAPPED = {"Lt": "Gt", "Le": "Ge", "Gt": "Lt", "Ge": "Le", "Eq": "Eq", "Ne": "Ne"}
_OPPOSITE = {"Lt": "Ge", "Le": "Gt", "Gt": "Le", "Ge": "Lt", "Eq": "Ne", "Ne": "Eq"}


class ExpressionBounds:
    """Evaluates expressions of one program over intervals; recursive, run under `deep_recursion`.

    `known` says more of some context variables than what they always are.
    """

    def __init__(self, program: ir.Program, known: Mapping[str, Interval] | None = None) -> None:
        self.program = program
        self.context = {**_CONTEXT, **known} if known else _CONTEXT

    def value(self, expression: ir.Expr, environment: Environment) -> Interval:
        """Everything the expression can be when its attributes are as the environment says."""
        match expression:
            case ir.Num(value=value):
                return i.exactly(value)
            case ir.Attr(slot=slot):
                return environment[slot]
            case ir.Ctx(name=name):
                return self.context.get(name, i.ANYTHING)
            case ir.Sample(distribution=distribution, args=args):
                return i.drawn(distribution, [self.value(arg, environment) for arg in args])
            case ir.Unary(op="Neg", operand=operand):
                return i.negate(self.value(operand, environment))
            case ir.Unary(operand=operand):
                return _opposite(_truth(self.value(operand, environment)))
            case ir.Binary():
                return self._binary(expression, environment)
            case ir.Cond():
                return self._condition(expression, environment)
            case ir.Call():
                return self._call(expression, environment)
            case ir.Agg(kind=kind):
                return i.COUNT if kind == "Count" else i.ANYTHING
        return i.NUMBER  # a register holds a finite number

    def _binary(self, expression: ir.Binary, environment: Environment) -> Interval:
        left, right = self.value(expression.left, environment), self.value(expression.right, environment)
        op = expression.op
        if op in _NUMBERS:
            return _NUMBERS[op](left, right)
        if op in _COMPARED:
            return _compared(op, left, right)
        one, other = _truth(left), _truth(right)
        return i.minimum(one, other) if op == "And" else i.maximum(one, other)

    def _condition(self, expression: ir.Cond, environment: Environment) -> Interval:
        test = _truth(self.value(expression.test, environment))
        found: list[Interval] = []
        for truth, part in ((True, expression.then), (False, expression.otherwise)):
            if (test.hi if truth else 1.0 - test.lo) == 0.0:
                continue
            narrowed = self.refined(expression.test, environment, truth)
            if narrowed is not None:
                found.append(self.value(part, narrowed))
        return found[0] if len(found) == 1 else i.join(found[0], found[1]) if found else i.ANYTHING

    def _call(self, call: ir.Call, environment: Environment) -> Interval:
        reference = call.args[0] if call.args else None
        if isinstance(reference, ir.PoolRef):
            return self.of_pool(call.function, reference)
        if isinstance(reference, ir.StageRef):
            return self.of_stage(call.function)
        args = [self.value(arg, environment) for arg in call.args if not isinstance(arg, ir.PoolRef | ir.StageRef)]
        match call.function:
            case "Min":
                return i.minimum(args[0], args[1])
            case "Max":
                return i.maximum(args[0], args[1])
            case "Abs":
                return i.absolute(args[0])
            case "Floor" | "Ceil":
                return i.rounded(args[0], call.function == "Ceil")
            case "Sqrt":
                return i.monotone(_sqrt, args[0], from_=0.0)
            case "Exp":
                return i.monotone(_exp, args[0])
            case "Ln":
                return i.monotone(_ln, args[0], from_=0.0)
            case "Pow":
                return i.power(args[0], args[1])
        return i.ANYTHING

    def of_stage(self, function: str) -> Interval:
        """What a function of a stage can give."""
        return i.COUNT if function in ("Queue", "Busy") else i.ANYTHING

    def of_pool(self, function: str, reference: ir.PoolRef) -> Interval:
        """What a function of a pool can give."""
        if function in ("Holders", "Queued"):
            return i.COUNT
        members = self.program.pools[reference.base : reference.base + reference.count]
        cap = max(pool.cap for pool in members)
        if function == "CachedIn":
            tiers = {pool.spill.to for pool in self.program.pools if pool.spill is not None}
            is_tier = any(reference.base <= tier < reference.base + reference.count for tier in tiers)
            return Interval(0.0, inf if is_tier else cap + 1e-6)  # a tier may stand above its cap (04 §10.3)
        if not isfinite(cap):
            return i.ANYTHING
        if function == "Used":
            return Interval(-1e-6, cap + 1e-6)
        return Interval(-1e-6, cap + 1e-6) if function == "Free" and len(members) == 1 else i.NUMBER

    # ------------------------------------------------------------------ conditions

    def refined(self, test: ir.Expr, environment: Environment, truth: bool) -> Environment | None:
        """The environment where `test` is (or is not) zero; `None` when it cannot be so."""
        match test:
            case ir.Unary(op="Not", operand=operand):
                return self.refined(operand, environment, not truth)
            case ir.Binary(op="And", left=left, right=right) if truth:
                return self._both(left, right, environment, True)
            case ir.Binary(op="Or", left=left, right=right) if not truth:
                return self._both(left, right, environment, False)
            case ir.Binary(op=op, left=left, right=right) if op in _COMPARED:
                found: Environment | None = environment
                if isinstance(left, ir.Attr):
                    found = self._narrow(left.slot, op, right, environment, truth)
                if found is not None and isinstance(right, ir.Attr):
                    found = self._narrow(right.slot, _SWAPPED[op], left, found, truth)
                if found is not None and not (isinstance(left, ir.Attr) and isinstance(right, ir.Attr | ir.Num)):
                    found = self._narrow_sum(left, op if truth else _OPPOSITE[op], right, found)
                return found
        value = _truth(self.value(test, environment))
        return None if (value.hi == 0.0 if truth else value.lo == 1.0) else environment

    def _narrow_sum(self, left: ir.Expr, op: str, right: ir.Expr, environment: Environment) -> Environment | None:
        """What `prompt + max_out <= 4096` says of each attribute in it: the others leave it so much."""
        if op not in ("Lt", "Le", "Gt", "Ge"):
            return environment
        one, other = form_of(left), form_of(right)
        if one is None or other is None:
            return environment
        # The form is at most 0; rounding may have hidden a little of it, so every limit gets some slack.
        form = one.plus(other, -1.0) if op in ("Lt", "Le") else other.plus(one, -1.0)
        if len(form.terms) < 2 or any(environment[slot].nan for slot, _ in form.terms):
            return environment
        least = {slot: c * (environment[slot].lo if c > 0.0 else environment[slot].hi) for slot, c in form.terms}
        size = abs(form.constant) + sum(abs(value) for value in least.values())
        if not isfinite(size):
            return environment
        found = list(environment)
        for slot, coefficient in form.terms:
            rest = form.constant + sum(value for term, value in least.items() if term != slot)
            limit = (-rest + _SUM_SLACK * (1.0 + size)) / coefficient
            narrowed = _cut(found[slot], "Le" if coefficient > 0.0 else "Ge", i.exactly(limit))
            if narrowed is None:
                return None
            if narrowed.whole:
                narrowed = Interval(float(math.ceil(narrowed.lo)), float(math.floor(narrowed.hi)), whole=True)
                if narrowed.lo > narrowed.hi:
                    return None
            found[slot] = narrowed
        return tuple(found)

    def _both(self, left: ir.Expr, right: ir.Expr, environment: Environment, truth: bool) -> Environment | None:
        first = self.refined(left, environment, truth)
        return None if first is None else self.refined(right, first, truth)

    def _narrow(self, slot: int, op: str, bound: ir.Expr, environment: Environment, truth: bool) -> Environment | None:
        limit, known = self.value(bound, environment), environment[slot]
        if not truth and limit.nan:
            return environment
        found = _cut(known, op if truth else _OPPOSITE[op], limit)
        nan = known.nan and (not truth or op == "Ne")
        if truth and op == "Ne" and limit.nan:
            return environment
        if found is None:
            if not nan:
                return None
            found = known
        narrowed = Interval(found.lo, found.hi, found.whole, nan)
        return (*environment[:slot], narrowed, *environment[slot + 1 :])


def _cut(known: Interval, op: str, limit: Interval) -> Interval | None:
    """The part of `known` that can stand in the relation to something within `limit`."""
    lo, hi = known.lo, known.hi
    if op in ("Lt", "Le"):
        top = limit.hi
        if op == "Lt" and known.whole and isfinite(top):
            top = math.ceil(top) - 1.0
        hi = min(hi, top)
    elif op in ("Gt", "Ge"):
        bottom = limit.lo
        if op == "Gt" and known.whole and isfinite(bottom):
            bottom = math.floor(bottom) + 1.0
        lo = max(lo, bottom)
    elif op == "Eq":
        lo, hi = max(lo, limit.lo), min(hi, limit.hi)
    elif limit.constant is not None:
        if known.constant == limit.constant:
            return None
        if known.whole and limit.constant in (lo, hi):
            lo, hi = (lo + 1.0, hi) if limit.constant == lo else (lo, hi - 1.0)
    return Interval(lo, hi, known.whole) if lo <= hi else None


def _truth(value: Interval) -> Interval:
    """Whether a value is not zero; NaN is not."""
    if value.lo > 0.0 or value.hi < 0.0:
        return i.exactly(1.0)
    if value.lo == value.hi == 0.0 and not value.nan:
        return i.exactly(0.0)
    return i.TRUTH


def _opposite(value: Interval) -> Interval:
    return Interval(1.0 - value.hi, 1.0 - value.lo, True)


def _compared(op: str, left: Interval, right: Interval) -> Interval:
    nan = left.nan or right.nan
    match op:
        case "Lt":
            always, never = left.hi < right.lo, left.lo >= right.hi
        case "Le":
            always, never = left.hi <= right.lo, left.lo > right.hi
        case "Gt":
            always, never = left.lo > right.hi, left.hi <= right.lo
        case "Ge":
            always, never = left.lo >= right.hi, left.hi < right.lo
        case "Eq":
            always = left.constant is not None and left.constant == right.constant
            never = left.hi < right.lo or left.lo > right.hi
        case _:
            always = left.hi < right.lo or left.lo > right.hi
            never = left.constant is not None and left.constant == right.constant
            return i.exactly(1.0) if always else i.exactly(0.0) if never and not nan else i.TRUTH
    return i.exactly(1.0) if always and not nan else i.exactly(0.0) if never else i.TRUTH


def _sqrt(x: float) -> float:
    return math.sqrt(x) if x >= 0.0 else 0.0


def _exp(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return inf


def _ln(x: float) -> float:
    return math.log(x) if x > 0.0 else -inf
