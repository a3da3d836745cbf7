"""SQ1019: a `reserve` that is smaller than the units.

What: both are fixed by the text, and the reserve is below the units.
"""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.rules.survey import Survey
from serq_interpreter.semantics import tree
from serq_interpreter.semantics.closed import closed_value
from serq_interpreter.syntax.tokens import Finding, Note

NEEDS = ("Hold",)
ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ1019",
        name="reserve-below-the-units",
        severity=Severity.WARNING,
        message="a `reserve` of {reserve} has no effect: the hold takes {units}",
        why="A hold waits until the larger of its units and its reserve fits. A reserve is there to wait for more than "
        "is taken at first, so one that is smaller never decides anything.",
        help="reserve more than the units, or delete the clause",
        wrong="""pool kv { cap 100; }
stage svc : fifo;
session { hold kv (8) reserve (4) { run svc (1); } observe t = now; end; }
                             //^
run { horizon 10; }
""",
        right="""pool kv { cap 100; }
stage svc : fifo;
session { hold kv (8) reserve (12) { run svc (1); } observe t = now; end; }
run { horizon 10; }
""",
        spec="04 §4",
    ),
)


def check(survey: Survey) -> Iterator[Finding]:
    """Compare the closed amounts of each take."""
    for visit in survey.visits:
        if not isinstance(visit.stmt, tree.Hold):
            continue
        for take in visit.stmt.takes:
            if take.reserve is None:
                continue
            units, reserve = closed_value(take.units), closed_value(take.reserve)
            if units is not None and reserve is not None and 0.0 <= reserve < units:
                args: dict[str, object] = {"reserve": f"{reserve:.15g}", "units": f"{units:.15g}"}
                yield Finding("SQ1019", take.reserve.at, args, (Note(take.units.at, "the units"),))
