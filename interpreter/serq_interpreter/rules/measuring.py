"""SQ1016 and SQ1017: hints about what a run measures.

What: a program that observes, gauges and claims nothing; an open arrival process without a warm-up.

Why: the report then holds only what pools and stages record by themselves; and a run that starts empty counts its filling
as if it were the steady state.

Wrong: `session { run svc (1); end; }`.  Right: `session { set t = now; run svc (1); observe time = now - t; end; }`.
"""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.rules.survey import Survey
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Finding, place_of

CODES = ("SQ1016", "SQ1017")


def check(survey: Survey) -> Iterator[Finding]:
    """Look for anything that measures, and for the warm-up of an open system."""
    program, source = survey.program, survey.source
    if source is None or program.damaged or program.session is None:
        return
    if not (program.observations or program.gauges or program.claims):
        for item in source.items:
            if isinstance(item, nodes.SessionItem | nodes.WorkloadItem | nodes.ServerItem):
                yield Finding("SQ1016", place_of(item.word), {})
                break
    open_system = program.arrival is not None and program.arrival.form in ("poisson", "renewal")
    runs = [item for item in source.items if isinstance(item, nodes.RunItem)]
    words = {option.word.text for run in runs for option in run.options}
    if runs and open_system and "horizon" in words and not words & {"warmup", "arrivals"} and program.trace is None:
        yield Finding("SQ1017", place_of(runs[0].word), {})
