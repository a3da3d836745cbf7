"""SQ0506, SQ0543, SQ0544: what is asked of step engines only (02 §11, §15)."""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.rules import edits
from serq_interpreter.rules.survey import Survey
from serq_interpreter.semantics import tree
from serq_interpreter.syntax.tokens import Finding, Note

CODES = ("SQ0506", "SQ0543", "SQ0544")


def check(survey: Survey) -> Iterator[Finding]:
    """Look at the engine of each claim over iterations and at the argument of each `budget_left`."""
    for claim in survey.program.claims:
        if claim.stage is not None:
            yield from _claim(survey, claim, claim.stage)
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
