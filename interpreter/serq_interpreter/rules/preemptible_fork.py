"""SQ0415: no leg starts inside a hold that a pool may preempt (02 §8)."""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.rules.scopes import holds_around, preempting_pool
from serq_interpreter.rules.survey import Survey
from serq_interpreter.semantics import tree
from serq_interpreter.syntax.tokens import Finding, Note

CODES = ("SQ0415",)


def check(survey: Survey) -> Iterator[Finding]:
    """Look for a preempting pool among the holds around each `fork`."""
    for visit in survey.of(tree.Fork):
        for hold in holds_around(visit.scope):
            pool = preempting_pool(survey.program, hold)
            if pool is not None:
                note = Note(hold.word_at, f"this hold takes `{pool.name}`, whose `preempt` may throw it out")
                yield Finding("SQ0415", visit.stmt.word_at, {"pool": pool.name}, (note,))
                break
