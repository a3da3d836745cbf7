"""A rough and cheap idea of what attributes can be, for deciding whether the bounds of a program are worth their time.

It looks at assignments alone, in any order, and leaves out that an attribute is 0 before its first one.  It is no sound
bound: what matters is confirmed by `analysis.bounds`.
"""

from __future__ import annotations

from math import inf

from serq_interpreter.analysis import interval as i
from serq_interpreter.analysis.bounds import start_of
from serq_interpreter.analysis.expression_bounds import Environment, ExpressionBounds
from serq_interpreter.analysis.interval import Interval
from serq_interpreter.ir import program as ir
from serq_interpreter.ir.walk import roots, statements

_ROUNDS = 3


def quick_ranges(program: ir.Program) -> Environment:
    """One interval per attribute; what still grows after a few rounds is unbounded.  Used under `deep_recursion`."""
    expressions = ExpressionBounds(program)
    assignments = [item for root in roots(program)[1:] for item in statements(root) if isinstance(item, ir.Set)]
    ranges = list(start_of(program))
    for slot in (ir.SLOT_CACHED, ir.SLOT_TURN, ir.SLOT_COMPUTED):
        ranges[slot] = i.NOT_NEGATIVE
    if program.trace is not None or isinstance(program.arrival, ir.Sessions):
        for slot in (ir.SLOT_NEW, ir.SLOT_OUT, ir.SLOT_THINK, ir.SLOT_FORCED, ir.SLOT_MORE):
            ranges[slot] = i.ANYTHING
    assigned: dict[int, Interval] = {}
    for _ in range(_ROUNDS):
        before = dict(assigned)
        for item in assignments:
            value = expressions.value(item.value, tuple(ranges))
            known = assigned.get(item.slot)
            assigned[item.slot] = value if known is None else i.join(known, value)
            ranges[item.slot] = assigned[item.slot]
        if assigned == before:
            break
    else:
        for slot, value in assigned.items():
            known = before.get(slot, value)
            lo = -inf if value.lo < known.lo else value.lo
            hi = inf if value.hi > known.hi else value.hi
            ranges[slot] = Interval(lo, hi, value.whole, value.nan)
    for chosen in (item for item in statements(program.session) if isinstance(item, ir.Choose)):
        ranges[chosen.slot] = i.join(ranges[chosen.slot], i.COUNT)
    return tuple(ranges)
