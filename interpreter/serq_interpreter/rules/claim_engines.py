"""SQ0506, SQ0543, SQ0544: what is asked of step engines only (02 §11, §15)."""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.rules import edits
from serq_interpreter.rules.survey import Survey
from serq_interpreter.semantics import tree
from serq_interpreter.syntax.tokens import Finding, Note

NEEDS = ("Claim", "Engine", "Stage")
ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0506",
        name="budget-left-of-no-engine",
        severity=Severity.ERROR,
        message="`budget_left({name})`: `{name}` is a {kind} stage, and only a step engine has a token budget",
        why="`budget_left` plans the next iteration and says how many tokens it would not use. Stages of other kinds "
        "have no iterations.",
        help="read `queue({name})` or `busy({name})`",
        wrong="""stage svc : fifo;
session { set x = budget_left(svc); run svc (1 + x); end; }
                            //^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { set x = queue(svc); run svc (1 + x); end; }
run { horizon 10; }
""",
        spec="02 §11",
    ),
    Entry(
        code="SQ0543",
        name="claim-over-no-engine",
        severity=Severity.ERROR,
        message="claim `{name}`: `{stage}` is a {kind} stage, and only a step engine has iterations",
        why="`every iteration of S` and `some iteration of S` look at each batch of an engine. Other stages serve jobs "
        "one by one or all at once, and have no batches.",
        help="claim it of an engine, or of observations `at end`",
        wrong="""stage svc : fifo;
session { run svc (1); end; }
claim c : every iteration of svc (now >= 0);
                           //^^^
run { horizon 10; }
""",
        right="""stage svc : step { cost 1; }
session { run svc decode (1); end; }
claim c : every iteration of svc (now >= 0);
run { horizon 10; }
""",
        spec="02 §15",
    ),
    Entry(
        code="SQ0544",
        name="claim-over-an-open-member",
        severity=Severity.ERROR,
        message="claim `{name}` names a member of `{stage}` by an index that is not constant",
        why="A claim watches one engine from the start to the end of the run, so the engine is fixed by the text.",
        help="name the member by a number, one claim for each",
        wrong="""stage e[2] : step { cost 1; }
session { set i = 1; run e[i] decode (1); end; }
claim c : every iteration of e[i] (tokens < 9);
                             //^
run { horizon 10; }
""",
        right="""stage e[2] : step { cost 1; }
session { set i = 1; run e[i] decode (1); end; }
claim c : every iteration of e[1] (tokens < 9);
run { horizon 10; }
""",
        spec="02 §15",
    ),
)


def check(survey: Survey) -> Iterator[Finding]:
    """Look at the engine of each claim over iterations and at the argument of each `budget_left`."""
    for claim in survey.program.claims:
        if claim.stage is not None:
            yield from _claim(survey, claim, claim.stage)
    if ("function", "budget_left") not in survey.program.symbols:
        return
    for site in survey.sites:
        for call in survey.reads(site.expr).live:
            if call.function == "budget_left":
                yield from _budget(survey, call)


def _claim(survey: Survey, claim: tree.Claim, ref: tree.StageRef) -> Iterator[Finding]:
    stage = survey.program.stages.get(ref.name or "")
    if ref.name is not None and ref.index is not None and not isinstance(ref.index, tree.Num):
        if not survey.reads(ref.index).unknown:
            yield Finding("SQ0544", ref.index.at, {"name": claim.name, "stage": ref.name or ""})
            return
    if stage is not None and stage.kind not in ("step", "unknown"):
        note = Note(stage.name_at, f"`{stage.name}` is a {stage.kind} stage")
        yield Finding("SQ0543", ref.at, {"name": claim.name, "stage": stage.name, "kind": stage.kind}, (note,))


def _budget(survey: Survey, call: tree.Call) -> Iterator[Finding]:
    for ref in call.args:
        stage = survey.program.stages.get(ref.name or "") if isinstance(ref, tree.StageRef) else None
        if isinstance(ref, tree.StageRef) and stage is not None and stage.kind not in ("step", "unknown"):
            note = Note(stage.name_at, f"`{stage.name}` is a {stage.kind} stage")
            yield Finding("SQ0506", ref.at, {"name": edits.text_of(ref.at), "kind": stage.kind}, (note,))
