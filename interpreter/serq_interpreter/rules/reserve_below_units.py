"""SQ1019: a `reserve` that is smaller than the units.

What: both are fixed by the text, and the reserve is below the units.

Why: a hold waits until the larger of the two fits; a smaller reserve changes nothing.

Wrong: `hold kv (8) reserve (4) { … }`.  Right: `hold kv (8) reserve (12) { … }`.
"""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.rules.survey import Survey
from serq_interpreter.semantics import tree
from serq_interpreter.semantics.closed import closed_value
from serq_interpreter.syntax.tokens import Finding, Note

CODES = ("SQ1019",)


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
