"""SQ1108: a lease that never ends in a session that goes on to ask for memory.

What: the time of a lease is infinite, or longer than the run, no `release` ends it, the session comes to another hold of a
finite pool afterwards (or to the same one, in a loop), and the pool has no room for all that can be leased then.

Why: a lease ends by its time, by `release` or with its session (04 §12).  One that cannot end before the session does keeps
its units while the session waits for more, and with every turn it keeps some more.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

from serq_interpreter.analysis.references import members
from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.ir import program as ir
from serq_interpreter.ir.walk import blocks_of, statements
from serq_interpreter.rules.waits.kernel import Kernel
from serq_interpreter.syntax.tokens import Finding

NEEDS = ("Lease",)
ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ1108",
        name="lease-without-exit",
        severity=Severity.WARNING,
        message="this lease of `{pool}` does not end before the run, nothing releases it, and the session asks for more",
        why="A lease ends by its time, by a `release` outside the holds, or with its session. Units under one that cannot end "
        "are no victim and no cache: the session waits for memory while it keeps some for nothing, and a loop keeps more "
        "with every turn.",
        help="a time after which the units are given up, or `release {pool};` where they are no longer needed",
        wrong="""pool kv { cap 100; }
stage svc : delay;
workload { arrive closed(2); }
session {
  loop {
    hold kv (10) { run svc (1); } lease kv (inf)
                                //^^^^^^^^^^^^^^
    observe t = now;
    run svc (5);
  }
}
run { horizon 100; warmup 10; }
""",
        right="""pool kv { cap 100; }
stage svc : delay;
workload { arrive closed(2); }
session {
  loop {
    hold kv (10) { run svc (1); } lease kv (3)
    observe t = now;
    run svc (5);
  }
}
run { horizon 100; warmup 10; }
""",
        spec="04 §12",
    ),
)


def check(kernel: Kernel) -> Iterator[Finding]:
    """Look at each lease of a finite pool."""
    for hold in kernel.holds:
        lease = hold.lease
        if lease is None:
            continue
        number = members(lease.pool)[0]
        if not isfinite(kernel.program.pools[number].cap) or _released(kernel, hold, number):
            continue
        time = kernel.bounds.value(lease.time, hold)
        if time is None or time.nan or time.lo < kernel.program.horizon:
            continue
        place, after = kernel.place(lease), _asked_after(kernel, hold)
        if place is not None and after is not None and not _room_for_all(kernel, hold, after, number):
            where = (
                kernel.note(after, "the session asks for memory here while the lease lasts")
                if after is not hold
                else ()
            )
            args: dict[str, object] = {"pool": kernel.pool_name(number)}
            yield Finding("SQ1108", place, args, (*where, *kernel.cap_note(number)))


def _released(kernel: Kernel, leasing: ir.Hold, number: int) -> bool:
    """Whether some `release` can end the lease: any that is not about the leasing hold itself."""
    own = set(statements(leasing.body))
    return any(
        isinstance(item, ir.Release) and number in members(item.pool) and item not in own
        for item in statements(kernel.program.session)
    )


def _asked_after(kernel: Kernel, leasing: ir.Hold) -> ir.Hold | None:
    """The first hold of a finite pool that a session may come to after its lease began."""
    for statement in _after(kernel.program, leasing):
        for item in statements(ir.Block((statement,))):
            if isinstance(item, ir.Hold) and kernel.bounds.at(item) is not None:
                if any(
                    isfinite(kernel.program.pools[n].cap) for take in item.admission.takes for n in members(take.pool)
                ):
                    return item
    return None


def _after(program: ir.Program, statement: ir.Stmt) -> Iterator[ir.Stmt]:
    """The statements that may run after one, in its own block and those around it; a loop begins anew."""
    around: dict[ir.Stmt, tuple[ir.Block, ir.Stmt | None]] = {}
    stack: list[tuple[ir.Block, ir.Stmt | None]] = [(program.session, None)]
    while stack:
        block, owner = stack.pop()
        for item in block.statements:
            around[item] = (block, owner)
            stack += [(inner, item) for inner in blocks_of(item)]
    current: ir.Stmt | None = statement
    while current is not None:
        block, owner = around[current]
        for item in block.statements[block.statements.index(current) + 1 :]:
            if isinstance(item, ir.End):
                return
            yield item
        if isinstance(owner, ir.Loop):
            yield owner
            return
        if isinstance(owner, ir.Fork):
            return
        current = owner


def _room_for_all(kernel: Kernel, leasing: ir.Hold, after: ir.Hold, number: int) -> bool:
    """Whether the pool holds every lease that there can be, and the largest amount that is asked for besides."""
    if after is leasing:
        return False  # every turn leases some more
    takes = [take for take in leasing.admission.takes if number in members(take.pool)]
    leased = sum(kernel.facts.most(take.units, leasing) for take in takes)
    wanted = kernel.crowding.wanted(after, number)
    visitors = kernel.crowding.visitors(leasing)
    return visitors * leased + max(visitors, 1.0) * wanted <= kernel.program.pools[number].cap
