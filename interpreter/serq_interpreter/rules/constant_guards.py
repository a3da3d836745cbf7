"""SQ0519: a guard that is a bare number is 0 or 1 (02 §8.1)."""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.rules import edits
from serq_interpreter.rules.survey import Survey
from serq_interpreter.semantics import tree
from serq_interpreter.syntax.tokens import Finding, Fix

NEEDS = ("Branch",)
ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0519",
        name="guard-is-no-truth-value",
        severity=Severity.ERROR,
        message="`branch ({name})`: a guard is 0 or 1, and this is {value}",
        why="A guard asks yes or no. A number between 0 and 1 looks like a probability, and `branch` does not draw "
        "unless it says `with`; other numbers are most often an unfinished comparison.",
        help="compare (`x > 0`), or write `branch with (p)` for a probability",
        wrong="""stage svc : fifo;
session { branch (0.3) { run svc (1); } end; }
                //^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { branch with (0.3) { run svc (1); } end; }
run { horizon 10; }
""",
        spec="02 §8.1",
    ),
)


def check(survey: Survey) -> Iterator[Finding]:
    """Look at the guards of the session's branches."""
    for visit in survey.of(tree.Branch):
        branch = visit.stmt
        assert isinstance(branch, tree.Branch)
        guard = branch.guard
        if isinstance(guard, tree.Num) and guard.bare and guard.value not in (0.0, 1.0):
            args: dict[str, object] = {"name": edits.text_of(guard.at), "value": f"{guard.value:.15g}"}
            yield Finding("SQ0519", guard.at, args, fixes=_with(branch, guard.value))


def _with(branch: tree.Branch, value: float) -> tuple[Fix, ...]:
    """A number between 0 and 1 was meant as a probability."""
    if not 0.0 < value < 1.0:
        return ()
    return edits.append("branch with that probability", branch.word_at, " with", safe=True)
