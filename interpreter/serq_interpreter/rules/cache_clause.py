"""SQ0412 and SQ0413: a hold without `cache` finds nothing to reuse (02 §8.1)."""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.rules import edits
from serq_interpreter.rules.survey import INDEX_PART, Survey
from serq_interpreter.semantics import tree
from serq_interpreter.syntax.tokens import Finding, Fix, Note

NEEDS = ("Hold",)
ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0412",
        name="cached-without-cache",
        severity=Severity.ERROR,
        message="`cached` is always 0 here: the hold around it has no `cache` clause",
        why="`cached` is what the admission found left over from an earlier hold of the session. Only a hold with a "
        "`cache` clause looks for and leaves such entries; in the body of any other the name can only mislead.",
        help="append `cache (0)` to look for entries without leaving one, or `cache (units)` to leave one",
        wrong="""pool kv { cap 100; }
stage svc : fifo;
session { hold kv (8) { run svc (8 - cached); } end; }
                                   //^^^^^^
run { horizon 10; }
""",
        right="""pool kv { cap 100; }
stage svc : fifo;
session { hold kv (8) { run svc (8 - cached); } cache (0) end; }
run { horizon 10; }
""",
        spec="02 §8.1",
    ),
    Entry(
        code="SQ0413",
        name="reuse-without-cache",
        severity=Severity.ERROR,
        message="`reuse` on a hold without `cache`: it never looks for cached units",
        why="`reuse` bounds how many cached units an admission may take over. A hold without `cache` takes over none, "
        "so the bound has no effect and something is missing.",
        help="append `cache (0)`, or delete the clause",
        wrong="""pool kv { cap 100; }
stage svc : fifo;
session { hold kv (8) reuse (4) { run svc (1); } end; }
                    //^^^^^^^^^
run { horizon 10; }
""",
        right="""pool kv { cap 100; }
stage svc : fifo;
session { hold kv (8) reuse (4) { run svc (1); } cache (0) end; }
run { horizon 10; }
""",
        spec="02 §8.1",
    ),
)


def check(survey: Survey) -> Iterator[Finding]:
    """Look at the holds without a `cache` clause and at what their bodies read."""
    for visit in survey.of(tree.Hold):
        hold = visit.stmt
        if isinstance(hold, tree.Hold) and hold.cache is None and hold.reuse is not None:
            yield Finding("SQ0413", hold.reuse_at or hold.word_at, {}, fixes=_add_cache(hold))
    reported: set[int] = set()
    for site in survey.statement_sites:
        scope = site.scope
        if scope is None or scope.hold.cache is not None or site.part == INDEX_PART or id(scope.hold) in reported:
            continue
        facts = survey.reads(site.expr)
        if "cached" not in facts.attributes:
            continue
        reported.add(id(scope.hold))
        read = next(attr for attr in facts.attrs if attr.name == "cached")
        note = Note(scope.hold.word_at, "this hold has no `cache` clause")
        yield Finding("SQ0412", read.at, {}, (note,), _add_cache(scope.hold), key=id(scope.hold))


def _add_cache(hold: tree.Hold) -> tuple[Fix, ...]:
    return edits.append("append `cache (0)`", hold.body.at, " cache (0)", safe=True)
