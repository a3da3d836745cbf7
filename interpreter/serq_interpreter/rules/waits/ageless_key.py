"""SQ1107: a queue key in which no age helps: a class of sessions can be postponed for ever.

What: the sessions are not limited in number, and the key that decides reads neither the waiting time nor a time stamp nor
the session's number, or reads them so that it prefers whoever came last.

Why: whoever has a better key overtakes, however long the others have waited; as long as such sessions keep coming the others
stay.  On average the system may look splendid.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

from serq_interpreter.analysis.ageing import BETTER, WORSE, Ageing
from serq_interpreter.analysis.expression_bounds import ExpressionBounds
from serq_interpreter.analysis.references import members
from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.ir import program as ir
from serq_interpreter.ir.walk import statements
from serq_interpreter.rules.waits.kernel import Kernel
from serq_interpreter.syntax.tokens import Edit, Finding, Fix, Place

NEEDS = ("QueueKey",)
ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ1107",
        name="queue-key-without-age",
        severity=Severity.HINT,
        message="this key of `{pool}`'s queue {problem}: who has a worse one can be overtaken for ever",
        why="A queue by a key serves the best one that is there, and there is always a next arrival. A class of sessions "
        "whose key is worse than the others' waits for as long as the others keep coming, while mean values look fine. An "
        "age term bounds how often one can be overtaken.",
        help="the least key goes first: subtract what grows with the waiting time, `queue by (key - weight * waited)`",
        wrong="""pool slots { cap 1; queue by (length); }
                            //^^^^^^
stage svc : fifo;
workload { arrive poisson(0.5); init { set length = ceil(~uniform(1, 100)); } }
session {
  hold slots (1) { run svc (0.01 * length); }
  observe t = now;
  end;
}
run { horizon 100; warmup 10; }
""",
        right="""pool slots { cap 1; queue by (length - 10 * waited); }
stage svc : fifo;
workload { arrive poisson(0.5); init { set length = ceil(~uniform(1, 100)); } }
session {
  hold slots (1) { run svc (0.01 * length); }
  observe t = now;
  end;
}
run { horizon 100; warmup 10; }
""",
        spec="04 §4.3",
    ),
)


def check(kernel: Kernel) -> Iterator[Finding]:
    """Look at the first key of each queue that is not the same for everybody."""
    program = kernel.program
    keyed = [number for number, pool in enumerate(program.pools) if pool.queue_keys and isfinite(pool.cap)]
    if not keyed or not _endless(program):
        return
    ageing = Ageing(program)
    first_pools = {number for hold in kernel.holds for number in members(hold.admission.takes[0].pool)}
    seen: set[str] = set()
    for number in keyed:
        pool = program.pools[number]
        if number not in first_pools or pool.name in seen:
            continue
        key = _deciding(kernel, ageing, pool.queue_keys or ())
        if key is None:
            continue
        seen.add(pool.name)
        place = kernel.place(key)
        if place is None or BETTER in ageing.of(key):
            continue
        problem = "prefers whoever came last" if WORSE in ageing.of(key) else "knows no age"
        yield Finding("SQ1107", place, {"pool": pool.name, "problem": problem}, fixes=_aged(place))


def _deciding(kernel: Kernel, ageing: Ageing, keys: tuple[ir.Expr, ...]) -> ir.Expr | None:
    """The first key that is not the same for everybody; ranges are asked for only where the key itself does not say."""
    for key in keys:
        if isinstance(key, ir.Num):
            continue
        if ageing.of(key) or ExpressionBounds(kernel.program).value(key, kernel.quick).constant is None:
            return key
    return None


def _endless(program: ir.Program) -> bool:
    """Whether there can always be another session to overtake the one that waits."""
    match program.arrival:
        case ir.Poisson() | ir.Renewal():
            return True  # `arrivals` ends a run, not the system that it looks at
        case ir.Closed(sessions=count):
            return count > 1 and any(isinstance(item, ir.Loop) for item in statements(program.session))
    return False


def _aged(place: Place) -> tuple[Fix, ...]:
    """How much a second of waiting is worth is for the author to say."""
    if place.via is not None:
        return ()
    edit = Edit(Place(place.chunk, place.end, place.end), " - waited")
    return (Fix("count the waiting time in the key", (edit,), safe=False),)
