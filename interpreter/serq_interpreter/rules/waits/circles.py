"""SQ1101 to SQ1104: sessions that hold units of finite pools and may wait for each other for ever.

What: a circle of statements, each waiting for a pool of which the session at the next one holds units.  Two pools taken in
opposite orders (SQ1101), a pool that grows after a wait for another (SQ1102), a pool taken while it is held (SQ1103), a pool
that grows while nobody can be preempted (SQ1104).

Why: every one of them holds what another needs and gives nothing back before it has all: nothing ever moves again.  Nothing
is said where the pools are large enough for everybody who can be there at once, where a kept reservation covers the growth,
or where the program admits by what is used.
"""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.analysis.wait_points import Circle, WaitPoint
from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.ir import program as ir
from serq_interpreter.rules.waits.kernel import Kernel
from serq_interpreter.syntax.tokens import Edit, Finding, Fix, Note, Place

NEEDS = ("Hold",)
ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ1101",
        name="pools-in-opposite-orders",
        severity=Severity.WARNING,
        message="`{wanted}` is taken while `{held}` is held, and elsewhere the other way round: sessions may wait for each "
        "other for ever",
        why="One session holds the first pool and waits for the second, another holds the second and waits for the first. "
        "Neither gives back what it has before it gets what it lacks, so both stay, and with them everybody who comes "
        "later. A hold that takes all its pools at once waits with empty hands; one order for all sessions leaves no "
        "circle.",
        help="take both in one `hold`, or everywhere in the same order",
        wrong="""pool slots { cap 4; }
pool kv { cap 100; }
stage svc : fifo;
workload { arrive poisson(0.1); init { set large = ~bernoulli(0.2); } }
session {
  branch (large) {
    hold kv (60) { hold slots (1) { run svc (1); } }
  } else {
    hold slots (1) { hold kv (50) { run svc (1); } }
                   //^^^^
  }
  observe t = now;
  end;
}
run { horizon 100; warmup 10; }
""",
        right="""pool slots { cap 4; }
pool kv { cap 100; }
stage svc : fifo;
workload { arrive poisson(0.1); init { set large = ~bernoulli(0.2); } }
session {
  branch (large) {
    hold slots (1), kv (60) { run svc (1); }
  } else {
    hold slots (1), kv (50) { run svc (1); }
  }
  observe t = now;
  end;
}
run { horizon 100; warmup 10; }
""",
        spec="seed §7",
    ),
    Entry(
        code="SQ1102",
        name="growth-after-a-wait",
        severity=Severity.WARNING,
        message="`{wanted}` grows here while `{held}` is held, for which others wait with units of `{wanted}` in their hands",
        why="The session took one pool, waited for another, and now wants more of the first. Those who still wait for the "
        "other pool keep their units of the first meanwhile, and nobody is preempted for a growth: when the first is "
        "full, the session waits for them and they wait for the session.",
        help="grow before the second hold, take what the growth will need at once, or let the pool preempt (`preempt lifo`)",
        wrong="""pool kv { cap 100; }
pool link { cap 1; }
stage svc : fifo;
workload { arrive poisson(0.1); }
session {
  hold kv (20) {
    hold link (1) { run svc (1); grow kv (20); run svc (1); }
                                    //^^
  }
  observe t = now;
  end;
}
run { horizon 100; warmup 10; }
""",
        right="""pool kv { cap 100; }
pool link { cap 1; }
stage svc : fifo;
workload { arrive poisson(0.1); }
session {
  hold kv (40), link (1) { run svc (1); run svc (1); }
  observe t = now;
  end;
}
run { horizon 100; warmup 10; }
""",
        spec="04 §7.3",
    ),
    Entry(
        code="SQ1103",
        name="pool-taken-while-held",
        severity=Severity.WARNING,
        message="`{pool}` is taken while `{pool}` is held: sessions that hold a part each may wait for the rest for ever",
        why="Two sessions that have the first part may leave too little for the second part of either. Each keeps what the "
        "other needs, and the pool stays nearly full with nobody at work. The order in which they came changes nothing.",
        help="one `hold` for all that is needed, or a smaller pool around both that lets in no more sessions than fit",
        wrong="""pool kv { cap 100; }
stage svc : fifo;
workload { arrive poisson(0.1); }
session {
  hold kv (30) {
    run svc (1);
    hold kv (30) { run svc (1); }
  //^^^^
  }
  observe t = now;
  end;
}
run { horizon 100; warmup 10; }
""",
        right="""pool kv { cap 100; }
stage svc : fifo;
workload { arrive poisson(0.1); }
session {
  hold kv (60) {
    run svc (1);
    run svc (1);
  }
  observe t = now;
  end;
}
run { horizon 100; warmup 10; }
""",
        spec="seed §7",
    ),
    Entry(
        code="SQ1104",
        name="growth-nobody-makes-room-for",
        severity=Severity.WARNING,
        message="`{pool}` grows here and preempts nobody: when its {cap} units are taken, those who hold them may wait for "
        "each other for ever",
        why="Admission looks at what a session takes first, not at what it grows to. Once the pool is full, everybody inside "
        "needs one more block and nobody gives one back before the end. Nothing is said where the pool has room for all "
        "that can be inside at once, grown.",
        help="keep the room of the growth (`reserve (…)` in the hold, `reserve held` in the pool), or let the growth preempt "
        "(`preempt lifo`)",
        wrong="""pool kv { cap 100; }
stage svc : fifo;
workload { arrive poisson(0.1); }
session {
  hold kv (30) { run svc (1); grow kv (30); run svc (1); }
                                 //^^
  observe t = now;
  end;
}
run { horizon 100; warmup 10; }
""",
        right="""pool kv { cap 100; reserve held; }
stage svc : fifo;
workload { arrive poisson(0.1); }
session {
  hold kv (30) reserve (60) { run svc (1); grow kv (30); run svc (1); }
  observe t = now;
  end;
}
run { horizon 100; warmup 10; }
""",
        spec="04 §7.3",
    ),
)


def check(kernel: Kernel) -> Iterator[Finding]:
    """Each circle once, at its last statement in the text or at its growth."""
    for circle in kernel.circles:
        finding = _alone(kernel, circle[0]) if len(circle) == 1 else _together(kernel, circle)
        if finding is not None:
            yield finding


def _alone(kernel: Kernel, point: WaitPoint) -> Finding | None:
    """Sessions at one and the same statement, each holding what the others wait for."""
    number = min(point.wanted & point.has)
    pool = kernel.pool_name(number)
    place = _place(kernel, point)
    if place is None:
        return None
    args: dict[str, object] = {"pool": pool, "cap": f"{kernel.program.pools[number].cap:.10g}"}
    notes = (*_held(kernel, point, number), *kernel.cap_note(number))
    if point.grows:
        return Finding("SQ1104", place, args, notes, _preempting(kernel, pool))
    return Finding("SQ1103", place, args, notes)


def _together(kernel: Kernel, circle: Circle) -> Finding | None:
    """Sessions at different statements, each holding what the one before waits for."""
    chosen = next((point for point in circle if point.grows), circle[-1])
    place = _place(kernel, chosen)
    if place is None:
        return None
    at = circle.index(chosen)
    ordered = (*circle[at:], *circle[:at])
    notes: list[Note] = []
    for point, following in zip(ordered, (*ordered[1:], chosen), strict=True):
        number = min(point.wanted & following.has)
        name = kernel.pool_name(number)
        notes.extend(_held(kernel, following, number))
        if following is not chosen:
            where, other = _place(kernel, following), kernel.pool_name(min(following.wanted))
            if where is not None:
                notes.append(Note(where, f"and while `{name}` is held, `{other}` is waited for here"))
    wanted = min(chosen.wanted & ordered[1].has)
    before = min(ordered[-1].wanted & chosen.has)
    args: dict[str, object] = {"wanted": kernel.pool_name(wanted), "held": kernel.pool_name(before)}
    return Finding("SQ1102" if chosen.grows else "SQ1101", place, args, tuple(notes))


def _place(kernel: Kernel, point: WaitPoint) -> Place | None:
    """The word of a hold, the pool that grows."""
    match point.statement:
        case ir.Run(growing=growing) if growing is not None:
            return kernel.place(growing)
        case ir.Grow(pool=pool):
            return kernel.place(pool)
    return kernel.place(point.statement)


def _held(kernel: Kernel, point: WaitPoint, number: int) -> tuple[Note, ...]:
    """Notes at the takes by which an actor at a point holds units of a pool."""
    found: tuple[Note, ...] = ()
    for one in point.held:
        if number in one.pools:
            found += kernel.note(one.take, f"units of `{kernel.pool_name(number)}` are held from here on")
    return found


def _preempting(kernel: Kernel, pool: str) -> tuple[Fix, ...]:
    """The repair that keeps everybody moving, at the price of work done twice: it needs a look."""
    declared = kernel.elaborated.pools.get(pool)
    cap = None if declared is None or declared.owner is not None else declared.cap_at
    if cap is None or cap.via is not None:
        return ()
    end = cap.chunk.text.find(";", cap.end) + 1
    if not end:
        return ()
    edit = Edit(Place(cap.chunk, end, end), " preempt lifo;")
    return (Fix(f"let the growth preempt: `preempt lifo` on `{pool}`", (edit,), safe=False),)
