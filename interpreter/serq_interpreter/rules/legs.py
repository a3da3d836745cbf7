"""SQ0540 to SQ0542: what a leg may not do, and that forks and joins belong together (02 §10)."""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.rules import edits
from serq_interpreter.rules.survey import Survey
from serq_interpreter.semantics import tree
from serq_interpreter.syntax.tokens import Finding, Note

CODES = ("SQ0540", "SQ0541", "SQ0542")

_WORDS: dict[type, str] = {tree.Turn: "turn", tree.End: "end", tree.Fork: "fork", tree.Join: "join"}


def check(survey: Survey) -> Iterator[Finding]:
    """Look into each leg, then compare the program's forks with its joins."""
    forking: set[int] = set()
    for visit in survey.of(*_WORDS):
        if visit.leg is not None:
            if isinstance(visit.stmt, tree.Fork):
                forking.add(id(visit.leg))
            elif isinstance(visit.stmt, tree.Join) and id(visit.leg) in forking:
                continue  # it joins what the leg should not have forked
            args: dict[str, object] = {"word": _WORDS[type(visit.stmt)]}
            whole = visit.stmt.word_at if isinstance(visit.stmt, tree.Fork) else visit.stmt.at
            yield Finding("SQ0540", whole, args, (Note(visit.leg.word_at, "the leg begins here"),))
    if survey.program.damaged or "Opaque" in survey.kinds:
        return
    forks, joins = survey.of(tree.Fork), survey.of(tree.Join)
    if forks and not joins:
        fork = forks[0].stmt
        fixes = edits.insert_after("append `join;`", fork.at, "join;", safe=True)
        yield Finding("SQ0541", fork.word_at, {}, fixes=fixes)
    if not forks:
        for visit in joins:
            fixes = edits.delete("delete the `join`", visit.stmt.at, safe=True)
            yield Finding("SQ0542", visit.stmt.at, {}, fixes=fixes)
