"""SQ0412 and SQ0413: a hold without `cache` finds nothing to reuse (02 §8.1)."""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.rules import edits
from serq_interpreter.rules.survey import INDEX_PART, Survey
from serq_interpreter.semantics import tree
from serq_interpreter.syntax.tokens import Finding, Fix, Note

CODES = ("SQ0412", "SQ0413")


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
