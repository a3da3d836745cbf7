"""A grid of runs: points times replications, gathered into a table and curves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from math import nan
from typing import Any

import click

from serq_lsp.cli.simulation.confidence import estimate
from serq_lsp.cli.simulation.engines import run_batch
from serq_lsp.cli.simulation.grid import Axis, points
from serq_lsp.cli.simulation.metrics import UnknownMetric, all_metrics, headline_metrics, resolve_metric
from serq_lsp.cli.simulation.plot import Curve
from serq_lsp.cli.simulation.progress import progress_bar
from serq_lsp.cli.simulation.replicate import Task, run_tasks
from serq_lsp.cli.simulation.result import Result, RunOptions
from serq_lsp.cli.simulation.seeds import replication_seed
from serq_lsp.cli.simulation.source import Source
from serq_lsp.cli.simulation.table import Table


@dataclass(frozen=True, slots=True)
class Sweep:
    """What to run.  `scheduler` is a Dask address, `None` for processes of this machine."""

    source: Source
    options: RunOptions
    axes: Sequence[Axis]
    metrics: Sequence[str]
    replications: int
    jobs: int
    scheduler: str | None
    progress: bool | None


@dataclass(frozen=True, slots=True)
class Row:
    """One run: its point's values, its replication and seed, and its metrics by full name."""

    point: tuple[str, ...]
    replication: int
    seed: int
    values: dict[str, float]
    error: str | None


@dataclass(slots=True)
class SweepOutcome:
    """`rows` in order of the grid; `metrics` maps a column's name, as it was asked for, to the full name."""

    axes: Sequence[Axis]
    n_runs: int
    rows: list[Row] = field(default_factory=list)
    metrics: dict[str, str] = field(default_factory=dict)
    interrupted: bool = False

    @property
    def errors(self) -> list[str]:
        return [row.error for row in self.rows if row.error is not None]

    @property
    def x_name(self) -> str:
        return self.axes[0].name

    @property
    def table(self) -> Table:
        """Columns: the constants, `replication`, `seed`, the metrics, `error`."""
        names = tuple(axis.name for axis in self.axes)
        columns = (*names, "replication", "seed", *self.metrics, "error")
        rows = tuple(
            (
                *map(_cell, row.point),
                row.replication,
                row.seed,
                *(row.values.get(full, nan) for full in self.metrics.values()),
                None if row.error is None else _first_line(row.error),
            )
            for row in self.rows
        )
        return Table(columns, rows)

    def curves(self) -> list[Curve]:
        """For each metric one curve per combination of the axes after the first, over the first."""
        rows = [row for row in self.rows if row.error is None]
        rows.sort(key=lambda row: [_position(axis, text) for axis, text in zip(self.axes, row.point, strict=True)][1:])
        found = []
        for others, group in groupby(rows, key=lambda row: row.point[1:]):
            label = ", ".join(f"{axis.name} = {value}" for axis, value in zip(self.axes[1:], others, strict=True))
            found.append((label, list(group)))
        return [self._curve(metric, label, group) for metric in self.metrics for label, group in found]

    def _curve(self, metric: str, label: str, rows: Sequence[Row]) -> Curve:
        by_x: dict[str, list[float]] = {}
        for row in rows:
            by_x.setdefault(row.point[0], []).append(row.values.get(self.metrics[metric], nan))
        positions = [_x_position(self.axes[0], text) for text in by_x]
        return Curve(metric, label, tuple(positions), tuple(estimate(values) for values in by_x.values()))


def run_sweep(sweep: Sweep) -> SweepOutcome:
    """Run the grid.  Raises `click.ClickException` for a grid, metric or scheduler that makes no sense."""
    grid = points(sweep.axes)
    outcome = SweepOutcome(sweep.axes, len(grid) * sweep.replications)
    first_seed = _own_seed(sweep)
    tasks = [
        Task(index, sweep.source.with_sets(point), replication_seed(first_seed, replication))
        for index, (point, replication) in enumerate((p, r) for p in grid for r in range(sweep.replications))
    ]
    finished: dict[int, Row] = {}
    try:
        with progress_bar(sweep.progress, "runs", len(tasks)) as bar:
            for task, result in _execute(sweep, tasks):
                if not outcome.metrics and result.error is None and result.report is not None:
                    outcome.metrics = _metric_names(sweep.metrics, result.report)
                point, replication = divmod(task.index, sweep.replications)
                finished[task.index] = _row(tuple(grid[point].values()), replication, result)
                bar.advance(1)
    except KeyboardInterrupt:
        outcome.interrupted = True
    outcome.rows = [finished[index] for index in sorted(finished)]
    return outcome


def _execute(sweep: Sweep, tasks: Sequence[Task]) -> Iterator[tuple[Task, Result]]:
    if sweep.scheduler is None:
        return run_tasks(tasks, sweep.options, sweep.jobs, run_batch)
    from serq_lsp.cli.simulation.cluster import run_on_cluster

    return run_on_cluster(tasks, sweep.options, sweep.scheduler, run_batch)


def _own_seed(sweep: Sweep) -> int:
    """The program's own seed, unless one is given; a program with errors is found out by its first run."""
    if sweep.source.seed is not None:
        return sweep.source.seed
    from serq_lsp.cli.simulation.builtin_engine import compiled

    first = {axis.name: axis.values[0] for axis in sweep.axes}
    program = compiled(sweep.source.with_sets(first)).program
    return 1 if program is None else program.seed


def _metric_names(wanted: Sequence[str], report: dict[str, Any]) -> dict[str, str]:
    try:
        return {name: resolve_metric(name, report) for name in wanted or headline_metrics(report)}
    except UnknownMetric as error:
        raise click.UsageError(str(error)) from error


def _row(point: tuple[str, ...], replication: int, result: Result) -> Row:
    values = {} if result.report is None or result.error is not None else all_metrics(result.report)
    return Row(point, replication, result.seed, values, result.error)


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "")


def _cell(text: str) -> float | str:
    """A value of a constant as a number where it is one."""
    try:
        return float(text)
    except ValueError:
        return text


def _position(axis: Axis, text: str) -> int:
    return axis.values.index(text)


def _x_position(axis: Axis, text: str) -> float:
    """Where a value stands on the x axis: at its number, or in order of the grid."""
    number = _cell(text)
    return number if isinstance(number, float) else float(_position(axis, text))
