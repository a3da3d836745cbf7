"""SQ1010: an attribute that is read where nothing can have set it yet.

What: every way to the read passes no `set`, `choose` or binding of the name, so it reads 0.
"""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.catalog.vocabulary import BUILTIN_ATTRIBUTES, LINEAGE
from serq_interpreter.rules.survey import Site, Survey
from serq_interpreter.semantics import tree
from serq_interpreter.syntax.tokens import Finding, Note

NEEDS = ("Choose", "Set", "Turn")
ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ1010",
        name="read-before-set",
        severity=Severity.WARNING,
        message="`{name}` is read before anything can have set it, so it is 0 here",
        why="An attribute exists as soon as a `set` anywhere in the program names it, and it is 0 until that has been "
        "executed. No way to this read passes one. An attribute of the `turn` block is set by `turn;`, not by the "
        "session's arrival.",
        help="move the `set` above the read, into `init`, or begin the turn before",
        wrong="""stage svc : fifo;
session { run svc (w); set w = 3; run svc (w); observe t = now; end; }
                 //^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { set w = 3; run svc (w); run svc (w); observe t = now; end; }
run { horizon 10; }
""",
        spec="02 §3",
    ),
)

_REPEATED = (tree.Loop, tree.Hold, tree.Fork)
"""Statements whose body may run again, or beside what follows: all that it sets may be set when it is read."""


def check(survey: Survey) -> Iterator[Finding]:
    """Follow the session in the order of the text; what an earlier arm or an earlier pass may have set counts as set."""
    if survey.program.session is None or "Opaque" in survey.kinds or survey.program.damaged:
        return
    unset, fine = _reads(survey)
    reported: set[str] = set()
    for key, attr in unset.items():
        first = survey.program.attributes.get(attr.name)
        if key in fine or attr.name in reported or first is None:
            continue
        reported.add(attr.name)
        yield Finding("SQ1010", attr.at, {"name": attr.name}, (Note(first, f"`{attr.name}` is set here"),))


Key = tuple[int, int, int]


def _reads(survey: Survey) -> tuple[dict[Key, tree.Attr], set[Key]]:
    """Reads that nothing precedes, and places that are read once with and once without (spliced twice)."""
    turned = {visit.stmt.name for visit in survey.visits if visit.block == "turn" and isinstance(visit.stmt, tree.Set)}
    known = {visit.stmt.name for visit in survey.visits if visit.block == "init" and isinstance(visit.stmt, tree.Set)}
    known.update(BUILTIN_ATTRIBUTES)
    known.update(LINEAGE)
    for visit in survey.of(tree.Spawn):  # a child begins with what the block gave it
        known.update(stmt.name for stmt in visit.stmt.body.statements if isinstance(stmt, tree.Set))  # type: ignore[union-attr]
    sites: dict[int, list[Site]] = {}
    for site in survey.statement_sites:
        sites.setdefault(id(site.owner), []).append(site)
    unset: dict[Key, tree.Attr] = {}
    fine: set[Key] = set()
    doubtful: set[str] = set()
    covered: set[int] = set()
    for visit in survey.visits:
        stmt = visit.stmt
        if visit.block != "session" or visit.leg is not None:
            continue
        if isinstance(stmt, _REPEATED) and id(stmt) not in covered:
            known.update(_assigned_inside(stmt, covered, turned))
        if isinstance(stmt, tree.Choose):
            known.add(stmt.name)
        for site in sites.get(id(stmt), ()):
            for attr in survey.reads(site.expr).attrs:
                if attr.name in known:
                    if attr.name in doubtful:
                        fine.add(_key(attr))
                else:
                    unset.setdefault(_key(attr), attr)
                    doubtful.add(attr.name)
        if isinstance(stmt, tree.Set):
            known.add(stmt.name)
        elif isinstance(stmt, tree.Turn):
            known.update(turned)
    return unset, fine


def _key(attr: tree.Attr) -> Key:
    return id(attr.at.chunk), attr.at.start, attr.at.end


def _assigned_inside(stmt: tree.Loop | tree.Hold | tree.Fork, covered: set[int], turned: set[str]) -> Iterator[str]:
    stack: list[tree.Stmt] = [stmt]
    while stack:
        item = stack.pop()
        covered.add(id(item))
        match item:
            case tree.Set() | tree.Choose():
                yield item.name
            case tree.Turn():
                yield from turned
            case tree.Loop() | tree.Hold() | tree.Fork():
                stack.extend(item.body.statements)
            case tree.Branch():
                stack.extend(item.then.statements)
                stack.extend(() if item.otherwise is None else item.otherwise.statements)
            case _:
                pass
