"""SQ1016 and SQ1017: hints about what a run measures.

What: a program that observes, gauges and claims nothing; an open arrival process without a warm-up.
"""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.rules.survey import Survey
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Finding, place_of

NEEDS = ("Source",)
ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ1016",
        name="nothing-measured",
        severity=Severity.HINT,
        message="the program observes, gauges and claims nothing",
        why="The report of such a run has what pools and stages record by themselves, and not a word about the time a "
        "session took.",
        help="`observe NAME = EXPR;` in the session, such as `observe latency = now - started;`",
        wrong="""stage svc : fifo;
  session { run svc (1); end; }
//^^^^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
  session { set started = now; run svc (1); observe latency = now - started; end; }
run { horizon 10; }
""",
        spec="07",
    ),
    Entry(
        code="SQ1017",
        name="no-warmup",
        severity=Severity.HINT,
        message="an open system is measured from its empty start: there is no `warmup`",
        why="Sessions that arrive in an empty system are served at once. Without a warm-up they count like the others, "
        "and means of waiting times come out too small.",
        help="add `warmup T;` with a time after which the system looks as it will",
        wrong="""stage svc : fifo;
workload { arrive poisson(1); }
session { run svc (~exp(0.5)); observe t = now; end; }
  run { horizon 1000; }
//^^^
""",
        right="""stage svc : fifo;
workload { arrive poisson(1); }
session { run svc (~exp(0.5)); observe t = now; end; }
  run { horizon 1000; warmup 100; }
""",
        spec="07",
    ),
)


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
