"""SQ0402 to SQ0404: `grow`, `load`, `growing` and `release` act on a hold around them, written the same (02 §8)."""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.rules import edits
from serq_interpreter.rules.scopes import take_of, take_of_other_spelling, unclear
from serq_interpreter.rules.survey import Survey, Visit
from serq_interpreter.semantics import tree
from serq_interpreter.syntax.tokens import Finding, Note

NEEDS = ("Grow", "Load", "Release", "Run")
ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0402",
        name="growth-outside-the-hold",
        severity=Severity.ERROR,
        message="`{word} {name}` outside a hold of `{name}`",
        why="`grow`, `load` and `growing` change the allocation of a hold that is around them in the same leg. Without "
        "such a hold there is nothing to change. A leg of a `fork` runs beside the session's holds, not inside them.",
        help="move the statement into the body of the hold, or take the pool in a hold around it",
        wrong="""pool kv { cap 100; }
stage svc : fifo;
session { hold kv (3) { run svc (1); } grow kv (2); end; }
                                          //^^
run { horizon 10; }
""",
        right="""pool kv { cap 100; }
stage svc : fifo;
session { hold kv (3) { run svc (1); grow kv (2); } end; }
run { horizon 10; }
""",
        spec="02 §8",
    ),
    Entry(
        code="SQ0403",
        name="held-under-another-spelling",
        severity=Severity.ERROR,
        message="`{word} {name}`: it is held or leased as `{held}`",
        why="Which member of a family a statement means is decided by its text, not by running it: an index is the same "
        "when it is the same number, or the same words. `i` and `i + 0` are different spellings, and so are `kv` and "
        "`kv[0]`.",
        help="write the reference as it is written there",
        wrong="""pool kv[2] { cap 100; }
stage svc : fifo;
session { set i = 1; hold kv[i] (3) { run svc (1); grow kv[i + 0] (2); } end; }
                                                      //^^^^^^^^^
run { horizon 10; }
""",
        right="""pool kv[2] { cap 100; }
stage svc : fifo;
session { set i = 1; hold kv[i] (3) { run svc (1); grow kv[i] (2); } end; }
run { horizon 10; }
""",
        spec="02 §8",
    ),
    Entry(
        code="SQ0404",
        name="release-of-what-is-not-held",
        severity=Severity.ERROR,
        message="`release {name}`: no hold around it takes `{name}`, and no hold of the program leases it",
        why="`release` gives an allocation back before its hold ends, or ends a lease that an earlier hold left behind. "
        "A lease may come from any block, so the whole program is searched for one.",
        help="release inside the hold, or give the hold a `lease {name} (time)`",
        wrong="""pool kv { cap 100; }
stage svc : fifo;
session { hold kv (3) { run svc (1); } release kv; end; }
                                             //^^
run { horizon 10; }
""",
        right="""pool kv { cap 100; }
stage svc : fifo;
session { hold kv (3) { run svc (1); } lease kv (5) release kv; end; }
run { horizon 10; }
""",
        spec="02 §8",
    ),
)


def check(survey: Survey) -> Iterator[Finding]:
    """Find for each statement the hold or lease that it acts on."""
    leases = _leases(survey)
    for visit in survey.visits:
        match visit.stmt:
            case tree.Grow():
                yield from _held(visit, visit.stmt.pool, "grow")
            case tree.Load():
                yield from _held(visit, visit.stmt.pool, "load")
            case tree.Run() if visit.stmt.growing is not None:
                yield from _held(visit, visit.stmt.growing, "growing")
            case tree.Release():
                yield from _held_or_leased(survey, visit, visit.stmt.pool, leases)
            case _:
                pass


def _leases(survey: Survey) -> list[tree.PoolRef]:
    return [
        visit.stmt.lease.pool
        for visit in survey.visits
        if isinstance(visit.stmt, tree.Hold) and visit.stmt.lease is not None
    ]


def _held(visit: Visit, ref: tree.PoolRef, word: str) -> Iterator[Finding]:
    if unclear(visit.scope, ref) or take_of(visit.scope, ref) is not None:
        return
    other = take_of_other_spelling(visit.scope, ref)
    if other is not None:
        yield _spelled_otherwise(ref, other.pool, word)
        return
    args: dict[str, object] = {"name": edits.text_of(ref.at), "word": word}
    leg = visit.leg
    notes = () if leg is None else (Note(leg.word_at, "a leg runs beside the session's holds, not inside them"),)
    yield Finding("SQ0402", ref.at, args, notes)


def _held_or_leased(survey: Survey, visit: Visit, ref: tree.PoolRef, leases: list[tree.PoolRef]) -> Iterator[Finding]:
    if unclear(visit.scope, ref) or take_of(visit.scope, ref) is not None:
        return
    if any(lease.name is None or isinstance(lease.index, tree.Unknown) for lease in leases):
        return
    if any(lease.name == ref.name and lease.spelling == ref.spelling for lease in leases):
        return
    if survey.program.damaged and ref.name in survey.program.unparsed:
        return
    held = take_of_other_spelling(visit.scope, ref)
    other = held.pool if held is not None else next((lease for lease in leases if lease.name == ref.name), None)
    if other is not None:
        yield _spelled_otherwise(ref, other, "release")
        return
    yield Finding("SQ0404", ref.at, {"name": edits.text_of(ref.at)})


def _spelled_otherwise(ref: tree.PoolRef, other: tree.PoolRef, word: str) -> Finding:
    """The pool or family is held or leased, with another index as written."""
    spelling = edits.text_of(other.at)
    args: dict[str, object] = {"name": edits.text_of(ref.at), "word": word, "held": spelling}
    fixes = (
        () if other.at.via is not None else edits.replace(f"write `{spelling}` as there", ref.at, spelling, safe=True)
    )
    return Finding("SQ0403", ref.at, args, (Note(other.at, f"it is `{spelling}` here"),), fixes)
