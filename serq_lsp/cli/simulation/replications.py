"""Replications of one program: fixed in number, or as many as a wanted precision takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import click

from serq_lsp.cli.simulation.confidence import Estimate, estimate
from serq_lsp.cli.simulation.engines import run_batch
from serq_lsp.cli.simulation.metrics import UnknownMetric, all_metrics, headline_metrics, resolve_metric
from serq_lsp.cli.simulation.progress import progress_bar
from serq_lsp.cli.simulation.replicate import Task, run_tasks
from serq_lsp.cli.simulation.result import Result, RunOptions
from serq_lsp.cli.simulation.seeds import replication_seed
from serq_lsp.cli.simulation.source import Source

FIRST_ROUND = 5
"""Replications before a precision is looked at: an interval from fewer says little."""
MOST_WITHOUT_LIMIT = 1000
"""Replications for a wanted precision where `--replications` sets no limit."""


@dataclass(frozen=True, slots=True)
class Plan:
    """`replications` is the number, or with `until_ci` (a share of the mean) the most."""

    replications: int | None
    until_ci: float | None
    metrics: Sequence[str]
    jobs: int
    progress: bool | None


@dataclass(slots=True)
class Outcome:
    """`results` in order of their seeds' list; `closing` is a last line for people."""

    results: list[Result] = field(default_factory=list)
    estimates: dict[str, Estimate] = field(default_factory=dict)
    error: str | None = None
    interrupted: bool = False
    partial: str | None = None
    closing: str | None = None


def replicate(source: Source, options: RunOptions, plan: Plan) -> Outcome:
    """Run until the plan is fulfilled, a run fails, or Ctrl-C.

    Raises `click.UsageError` for a metric that the report does not have.
    """
    most = plan.replications or (MOST_WITHOUT_LIMIT if plan.until_ci else 1)
    outcome = Outcome()
    try:
        with progress_bar(plan.progress, "replications", most) as bar:
            while len(outcome.results) < most and outcome.error is None:
                wanted = most if plan.until_ci is None else _next_round(len(outcome.results), plan.jobs, most)
                _run_round(source, options, plan, outcome, wanted, bar.advance)
                if plan.until_ci is not None and _precise(plan, outcome):
                    break
    except KeyboardInterrupt:
        outcome.interrupted = True
        outcome.partial = f"interrupted after {len(outcome.results)} of at most {most} replications"
    if outcome.results:
        outcome.estimates = _estimates(plan, outcome.results)
    outcome.closing = _closing(plan, outcome, most)
    return outcome


def _next_round(done: int, jobs: int, most: int) -> int:
    """Replications after the next round: the number grows by half, in whole rounds of the processes."""
    more = max(FIRST_ROUND - done, done // 2, 1)
    return min(most, done + -(-more // jobs) * jobs)


def _run_round(
    source: Source, options: RunOptions, plan: Plan, outcome: Outcome, until: int, advance: Callable[[float], None]
) -> None:
    """Add replications up to number `until`; an interrupt keeps those that have ended."""
    done = len(outcome.results)
    first = outcome.results[0].seed if outcome.results else None
    tasks = [Task(i, source, None if first is None else replication_seed(first, i)) for i in range(done, until)]
    if first is None:
        # The program's own seed is known once it has run.
        result = run_batch(tasks[:1], options)[0]
        if not _accept(result, outcome):
            return
        advance(1)
        tasks = [Task(task.index, source, replication_seed(result.seed, task.index)) for task in tasks[1:]]
    finished: dict[int, Result] = {}
    try:
        for task, result in run_tasks(tasks, options, plan.jobs, run_batch):
            finished[task.index] = result
            advance(1)
            if result.error is not None:
                break
    finally:
        for index in sorted(finished):
            _accept(finished[index], outcome)


def _accept(result: Result, outcome: Outcome) -> bool:
    if result.error is not None or result.report is None:
        if outcome.error is None:
            outcome.error = f"{result.error}\n(seed {result.seed})"
        return False
    outcome.results.append(result)
    return True


def _precise(plan: Plan, outcome: Outcome) -> bool:
    if len(outcome.results) < 2 or plan.until_ci is None:
        return False
    return all(e.relative <= plan.until_ci for e in _estimates(plan, outcome.results).values())


def _estimates(plan: Plan, results: Sequence[Result]) -> dict[str, Estimate]:
    """The estimates shown, and under `--until-ci` those that must be precise."""
    report = results[0].report or {}
    try:
        names = [resolve_metric(name, report) for name in plan.metrics] or headline_metrics(report)
    except UnknownMetric as error:
        raise click.UsageError(str(error)) from error
    if plan.until_ci is not None and not plan.metrics:
        # Precision is asked of what the program observes; a gauge or utilisation is shown only where nothing is.
        observed = [name for name in names if name.startswith("observes.")]
        names = observed or names
    tables = [all_metrics(result.report or {}) for result in results]
    return {name: estimate([table[name] for table in tables]) for name in names}


def _closing(plan: Plan, outcome: Outcome, most: int) -> str | None:
    if outcome.partial is not None:
        return f"partial: {outcome.partial}"
    if plan.until_ci is None or not outcome.results:
        return None
    wide = [name for name, e in outcome.estimates.items() if not e.relative <= plan.until_ci]
    wanted = f"{100.0 * plan.until_ci:g}%"
    if wide:
        return f"note: {wanted} was not reached within {most} replications for {', '.join(wide)}"
    return f"note: every interval is within {wanted} of its mean"
