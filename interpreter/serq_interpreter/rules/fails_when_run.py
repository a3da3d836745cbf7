"""SQ1015: a value that the text fixes, and that the run refuses.

What: a guard or test of an iteration that is always something else than 0 or 1, a `reserve` that is always negative,
a count of `choose` that is never a whole number from 0 on, a cost that is never above 0.
"""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.rules.survey import Survey
from serq_interpreter.semantics import tree
from serq_interpreter.semantics.closed import closed_value
from serq_interpreter.syntax.tokens import Finding

NEEDS = ("Branch", "Choose", "Engine", "Hold")
ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ1015",
        name="fails-when-run",
        severity=Severity.WARNING,
        message="{part} is always {value}, and must be {wanted}: the run fails here ({code})",
        why="Before a run the language judges bare numbers only; an expression is judged when it is read. This one has "
        "the same value each time, so the first session that comes by fails the run.",
        help="correct the expression; for a probability write `branch with (p)`",
        wrong="""stage svc : fifo;
session { branch (1 / 2) { run svc (1); } observe t = now; end; }
                //^^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { branch with (1 / 2) { run svc (1); } observe t = now; end; }
run { horizon 10; }
""",
        spec="02 §17",
    ),
)


def check(survey: Survey) -> Iterator[Finding]:
    """Evaluate what is closed among the values that a run judges."""
    for visit in survey.visits:
        match visit.stmt:
            case tree.Branch() if not _bare(visit.stmt.guard):
                yield from _test(visit.stmt.guard, "a guard")
            case tree.Hold():
                for take in visit.stmt.takes:
                    yield from _reserve(take.reserve)
            case tree.Choose():
                yield from _count(visit.stmt.count)
            case _:
                pass
    if "Engine" in survey.kinds:
        for stage in survey.program.stages.values():
            if stage.engine is not None:
                yield from _cost(stage.engine.cost, f"the `cost` of engine `{stage.name}`")
        for site in survey.sites:
            if site.moment == "iter" and ("guard" in site.part or "while" in site.part):
                yield from _test(site.expr, site.part)


def _bare(expr: tree.Expr) -> bool:
    return isinstance(expr, tree.Num) and expr.bare


def _test(expr: tree.Expr, part: str) -> Iterator[Finding]:
    value = closed_value(expr)
    if value is not None and value not in (0.0, 1.0):
        yield _finding(expr, part, value, "0 or 1", "SQ0901")


def _reserve(expr: tree.Expr | None) -> Iterator[Finding]:
    value = None if expr is None else closed_value(expr)
    if expr is not None and value is not None and not value >= 0.0:
        yield _finding(expr, "`reserve`", value, "not negative", "SQ0902")


def _count(expr: tree.Expr) -> Iterator[Finding]:
    value = closed_value(expr)
    if value is not None and not (value >= 0.0 and value == value // 1):
        yield _finding(expr, "the count of `choose`", value, "a whole number from 0 on", "SQ0907")


def _cost(expr: tree.Expr, part: str) -> Iterator[Finding]:
    value = closed_value(expr)
    if value is not None and not value > 0.0:
        yield _finding(expr, part, value, "above 0", "SQ0911")


def _finding(expr: tree.Expr, part: str, value: float, wanted: str, code: str) -> Finding:
    text = "NaN" if value != value else f"{value:.15g}"
    return Finding("SQ1015", expr.at, {"part": part, "value": text, "wanted": wanted, "code": code})
