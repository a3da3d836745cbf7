"""SQ0406 to SQ0408: an index means the same member at admission, inside the hold and after a preemption (02 §8)."""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.rules import edits
from serq_interpreter.rules.expressions import Reads, moves
from serq_interpreter.rules.scopes import holds_around, preempting_pool, take_of
from serq_interpreter.rules.survey import Scope, Survey, Visit
from serq_interpreter.semantics import tree
from serq_interpreter.syntax.tokens import Edit, Finding, Fix, Note, Place

NEEDS = ("Hold",)
ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0406",
        name="index-moves-inside-the-hold",
        severity=Severity.ERROR,
        message="`{name}` reads `{what}` again inside the hold, where it may mean another member",
        why="The hold evaluated the index when it was admitted, and the statement evaluates it once more. The clock, "
        "the state and a draw are different by then, so the two could name different members of the family.",
        help="put the index in an attribute above the hold and use that in both places",
        wrong="""pool kv[2] { cap 100; }
stage svc : fifo;
session { hold kv[queue(svc) > 0] (3) { grow kv[queue(svc) > 0] (1); run svc (1); } end; }
                                              //^^^^^^^^^^^^^^
run { horizon 10; }
""",
        right="""pool kv[2] { cap 100; }
stage svc : fifo;
session { set i = queue(svc) > 0; hold kv[i] (3) { grow kv[i] (1); run svc (1); } end; }
run { horizon 10; }
""",
        spec="02 §8",
    ),
    Entry(
        code="SQ0407",
        name="index-changed-inside-the-hold",
        severity=Severity.ERROR,
        message="this changes `{name}`, which the index of `{pool}` reads, inside the hold",
        why="The member is named anew by each statement inside the hold, and again if the hold is preempted and "
        "admitted once more. They all mean one member only while the attributes of the index keep their values.",
        help="copy the index to another attribute above the hold and use the copy",
        wrong="""pool kv[2] { cap 100; }
stage svc : fifo;
session { set i = 0; hold kv[i] (3) { run svc (1); set i = 1; } end; }
                                                     //^
run { horizon 10; }
""",
        right="""pool kv[2] { cap 100; }
stage svc : fifo;
session { set i = 0; set mine = i; hold kv[mine] (3) { run svc (1); set i = 1; } end; }
run { horizon 10; }
""",
        spec="02 §8",
    ),
    Entry(
        code="SQ0408",
        name="index-of-a-preemptible-hold",
        severity=Severity.ERROR,
        message="`{name}` reads `{what}`, and `{pool}` may preempt the hold: a second admission would read it again",
        why="A preempted hold goes back to the queue and its header is evaluated once more. The state and the clock "
        "have moved on, and admission and preemption themselves set `cached` and `computed`, so the second "
        "reading could name another member.",
        help="put the index in an attribute above the hold",
        wrong="""stage e : step { cost 1; }
pool kv[2] { cap 100; preempt lifo; }
session { hold kv[queue(e) > 0] (3) { run e decode (2); } end; }
                //^^^^^^^^^^^^
run { horizon 10; }
""",
        right="""stage e : step { cost 1; }
pool kv[2] { cap 100; preempt lifo; }
session { set i = queue(e) > 0; hold kv[i] (3) { run e decode (2); } end; }
run { horizon 10; }
""",
        spec="02 §8",
    ),
)


def check(survey: Survey) -> Iterator[Finding]:
    """Look at every hold whose pools have an index."""
    holds = [visit for visit in survey.of(tree.Hold) if _indexed(visit.stmt)]
    if not holds:
        return
    for visit in holds:
        yield from _preemptible(survey, visit)
    indexed = {id(visit.stmt) for visit in holds}
    fixes: dict[int, tuple[Fix, ...]] = {}
    for visit in survey.visits:
        if visit.scope is not None:
            yield from _moving(survey, visit, fixes)
            yield from _changing(survey, visit, indexed)


def _indexed(stmt: tree.Stmt) -> bool:
    return isinstance(stmt, tree.Hold) and any(take.pool.index is not None for take in stmt.takes)


def _moving(survey: Survey, visit: Visit, fixes: dict[int, tuple[Fix, ...]]) -> Iterator[Finding]:
    """SQ0406: a statement inside reads an index again that has moved since the admission.

    `fixes` remembers the fix of each hold's reference, which is the same for all statements inside.
    """
    match visit.stmt:
        case tree.Grow() | tree.Load() | tree.Release():
            ref: tree.PoolRef | None = visit.stmt.pool
        case tree.Run():
            ref = visit.stmt.growing
        case _:
            ref = None
    if ref is None or ref.index is None or isinstance(ref.index, tree.Num):
        return
    found = take_of(visit.scope, ref)
    culprit = moves(survey.reads(ref.index))
    if found is None or culprit is None:
        return
    hold, take = found
    what = edits.text_of(culprit.at)
    args: dict[str, object] = {"name": edits.text_of(ref.at), "what": what}
    note = Note(take.pool.at, "the hold reads the index here, at its admission")
    if id(take) not in fixes:
        same = [other for other in _references(survey, hold, take) if other.index is not None]
        fixes[id(take)] = _named_index(survey, hold, same, take.pool.index)
    yield Finding("SQ0406", ref.index.at, args, (note,), fixes[id(take)])


def _references(survey: Survey, hold: tree.Hold, take: tree.Take) -> list[tree.PoolRef]:
    """The hold's reference and those inside that mean it."""
    found = [take.pool]
    for visit in survey.visits:
        if not any(outer is hold for outer in holds_around(visit.scope)):
            continue
        match visit.stmt:
            case tree.Grow() | tree.Load() | tree.Release():
                found.append(visit.stmt.pool)
            case tree.Run() if visit.stmt.growing is not None:
                found.append(visit.stmt.growing)
            case _:
                pass
    if hold.lease is not None:
        found.append(hold.lease.pool)
    return [ref for ref in found if ref.name == take.pool.name and ref.spelling == take.pool.spelling]


def _named_index(survey: Survey, hold: tree.Hold, refs: list[tree.PoolRef], index: tree.Expr | None) -> tuple[Fix, ...]:
    """`set i = INDEX;` above the hold, and `i` in its place everywhere."""
    if index is None or hold.at.via is not None or any(ref.at.chunk is not hold.at.chunk for ref in refs):
        return ()
    name = edits.fresh_name(survey.program, hold.at.chunk.text, "member")
    first = edits.statement_before(hold.at, f"set {name} = {edits.text_of(index.at)};")
    places = dict.fromkeys(ref.index.at for ref in refs if ref.index is not None)
    changes = (first, *(Edit(place, name) for place in places))
    return edits.together(f"name the member in `{name}` above the hold", changes, safe=True)


_BY_ADMISSION = frozenset({"cached", "computed"})
"""What an admission sets, that of an inner hold included."""


def _changing(survey: Survey, visit: Visit, indexed: set[int]) -> Iterator[Finding]:
    """SQ0407: a statement inside assigns an attribute that the index of a hold around it reads.

    A `turn;` counts as assigning every attribute.
    """
    assigned: frozenset[str] | None
    match visit.stmt:
        case tree.Set() | tree.Choose():
            assigned = frozenset((visit.stmt.name,))
            place: Place = visit.stmt.name_at
        case tree.Hold():
            assigned, place = _BY_ADMISSION, visit.stmt.word_at
        case tree.Turn():
            assigned, place = None, visit.stmt.at
        case _:
            return
    for hold in holds_around(visit.scope):
        for take in hold.takes if id(hold) in indexed else ():
            read = survey.reads(take.pool.index).attributes
            names = read if assigned is None else assigned & read
            if take.pool.index is None or not names:
                continue
            name = min(names)
            args: dict[str, object] = {"name": name, "pool": edits.text_of(take.pool.at)}
            yield Finding("SQ0407", place, args, (Note(take.pool.index.at, f"the hold's index reads `{name}`"),))
            return


def _preemptible(survey: Survey, visit: Visit) -> Iterator[Finding]:
    """SQ0408: the hold may be admitted again, and its index must then name the same member."""
    hold = visit.stmt
    assert isinstance(hold, tree.Hold)
    pool = _preempting(survey, Scope(hold, visit.scope))
    if pool is None:
        return
    for take in hold.takes:
        index = take.pool.index
        culprit = None if index is None else _unstable(survey.reads(index))
        if index is None or culprit is None:
            continue
        args: dict[str, object] = {
            "name": edits.text_of(take.pool.at),
            "what": edits.text_of(culprit),
            "pool": pool.name,
        }
        note = Note(pool.name_at, f"pool `{pool.name}` may preempt the hold")
        fixes = _named_index(survey, hold, _references(survey, hold, take), index)
        yield Finding("SQ0408", index.at, args, (note,), fixes)


def _preempting(survey: Survey, scope: Scope) -> tree.Pool | None:
    for hold in holds_around(scope):
        pool = preempting_pool(survey.program, hold)
        if pool is not None:
            return pool
    return None


def _unstable(facts: Reads) -> Place | None:
    """The part of an index that an admission after a preemption may read differently."""
    culprit = moves(facts)
    if culprit is not None:
        return culprit.at
    for attr in facts.attrs:
        if attr.name in ("cached", "computed"):
            return attr.at
    return None
