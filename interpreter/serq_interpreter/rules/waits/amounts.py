"""SQ1105 and SQ1106: amounts that no pool of the program can satisfy.

What: the least that a session can ask for is more than the pool has (SQ1105); or the most is, and the amount reads the
state, so that it is tried again and again instead of being refused (SQ1106).

Why: a request above the cap is refused at once if its amount reads attributes only; if it reads the state it waits at the
head of the queue, and everybody waits behind it.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

from serq_interpreter.analysis import interval as i
from serq_interpreter.analysis.expression_bounds import ExpressionBounds
from serq_interpreter.analysis.interval import Interval
from serq_interpreter.analysis.references import members
from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.ir import program as ir
from serq_interpreter.ir.walk import expressions
from serq_interpreter.rules.waits.kernel import Kernel
from serq_interpreter.syntax.tokens import Finding

NEEDS = ("Hold",)
ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ1105",
        name="nobody-is-ever-admitted",
        severity=Severity.WARNING,
        message="every session asks for at least {least} units here, and `{pool}` has {cap}",
        why="The bounds of the program leave no value with which the amount fits. If it reads attributes only, each session "
        "is refused at this statement; if it reads the state, the first one waits at the head of the queue and everybody "
        "behind it.",
        help="a larger `cap`, or a smaller amount",
        wrong="""pool kv { cap 4096; }
stage svc : fifo;
workload { arrive poisson(0.1); init { set prompt = ceil(~uniform(1, 500)); } }
session {
  hold kv (5000 + prompt) { run svc (1); }
         //^^^^^^^^^^^^^
  observe t = now;
  end;
}
run { horizon 100; warmup 10; }
""",
        right="""pool kv { cap 8192; }
stage svc : fifo;
workload { arrive poisson(0.1); init { set prompt = ceil(~uniform(1, 500)); } }
session {
  hold kv (5000 + prompt) { run svc (1); }
  observe t = now;
  end;
}
run { horizon 100; warmup 10; }
""",
        spec="04 §4.1",
    ),
    Entry(
        code="SQ1106",
        name="head-that-may-never-fit",
        severity=Severity.WARNING,
        message="a session may ask for {most} of the {cap} units of `{pool}` here, and is not refused: it waits at the head "
        "of the queue, and all others behind it",
        why="Only an amount made of attributes is compared with the cap when the session comes. This one reads the state, so "
        "it is tried again at every event, and a queue serves its head first: one request above the pool's size stops "
        "everybody, with the pool empty.",
        help="turn the request away before the hold (`branch (prompt > …) {{ end; }}`), or make the pool large enough",
        wrong="""pool kv { cap 4096; }
stage svc : fifo;
workload { arrive poisson(0.1); init { set prompt = ceil(~uniform(1, 5000)); } }
session {
  hold kv (prompt - cachedin(kv)) { run svc (1); }
         //^^^^^^^^^^^^^^^^^^^^^
  observe t = now;
  end;
}
run { horizon 100; warmup 10; }
""",
        right="""pool kv { cap 4096; }
stage svc : fifo;
workload { arrive poisson(0.1); init { set prompt = ceil(~uniform(1, 5000)); } }
session {
  branch (prompt > 4096) { end; }
  hold kv (prompt - cachedin(kv)) { run svc (1); }
  observe t = now;
  end;
}
run { horizon 100; warmup 10; }
""",
        spec="04 §4.1",
    ),
)


def check(kernel: Kernel) -> Iterator[Finding]:
    """Look at the units and the reserve of each take."""
    rough = ExpressionBounds(kernel.program)
    for hold in kernel.holds:
        for take in hold.admission.takes:
            cap = max(kernel.program.pools[number].cap for number in members(take.pool))
            if not isfinite(cap):
                continue
            for amount in (take.units, take.reserve):
                if (
                    amount is None
                    or isinstance(amount, ir.Num)
                    or not _worth_it(rough.value(amount, kernel.quick), cap)
                ):
                    continue
                yield from _amount(kernel, hold, take, amount, cap)


def _worth_it(rough: Interval, cap: float) -> bool:
    return rough.lo > cap or (cap < rough.hi and isfinite(rough.hi))


class _WhenEmpty(ExpressionBounds):
    """Values of expressions while nothing is taken, waits or is cached: the best that an amount can hope for."""

    def of_pool(self, function: str, reference: ir.PoolRef) -> Interval:
        caps = [self.program.pools[number].cap for number in members(reference)]
        return Interval(min(caps), max(caps)) if function == "Free" else i.exactly(0.0)


def _amount(kernel: Kernel, hold: ir.Hold, take: ir.Take, amount: ir.Expr, cap: float) -> Iterator[Finding]:
    state, place = kernel.bounds.at(hold), kernel.place(amount) or kernel.place(take)
    if state is None or place is None:
        return
    number = members(take.pool)[0]
    args: dict[str, object] = {"pool": kernel.pool_name(number), "cap": f"{cap:.10g}"}
    notes = kernel.cap_note(number)
    value = kernel.bounds.expressions.value(amount, state)
    if value.lo > cap and not value.nan:
        yield Finding("SQ1105", place, args | {"least": f"{value.lo:.10g}"}, notes)
    elif _judged_by_own_state(amount, take):
        best = _WhenEmpty(kernel.program).value(amount, state)
        if cap < best.hi and best.finite:
            yield Finding("SQ1106", place, args | {"most": f"{best.hi:.10g}"}, notes)


def _judged_by_own_state(amount: ir.Expr, take: ir.Take) -> bool:
    """Whether an amount is judged at every try (04 §4.1), by nothing that others or the clock may change meanwhile."""
    parts = list(expressions(amount))
    if any(isinstance(item, ir.Ctx | ir.Reg | ir.StageRef) for item in parts):
        return False
    calls = [item for item in parts if isinstance(item, ir.Call) and item.args and isinstance(item.args[0], ir.PoolRef)]
    return bool(calls) and all(
        call.function == "CachedIn" or set(members(call.args[0])) <= set(members(take.pool))  # type: ignore[arg-type]
        for call in calls
    )
