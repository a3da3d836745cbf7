"""`serq-lsp sweep`: run a program over a grid of constants, write a table and a picture."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from serq_lsp.cli import exit_codes
from serq_lsp.cli.options import Assignment, Whole, run_settings
from serq_lsp.cli.simulation.grid import AxisType

if TYPE_CHECKING:
    from serq_lsp.cli.simulation.sweep import SweepOutcome


@click.command()
@click.argument("file", metavar="FILE")
@click.option(
    "--set",
    "axes",
    type=AxisType(),
    multiple=True,
    required=True,
    help="A constant and its values; repeatable (product).",
)
@click.option(
    "--metric", "metrics", multiple=True, help="A number of the report, such as wait.mean.  [default: headlines]"
)
@click.option("--def", "defs", type=Assignment(), multiple=True, help="Replace the body of an expression definition.")
@click.option(
    "--replications", type=Whole(1, 10_000), default=1, show_default=True, help="Runs per point, equal seeds."
)
@click.option("--jobs", type=Whole(1, 1024), help="Processes.  [default: one per CPU]")
@click.option("--scheduler", metavar="ADDRESS", help="Run on this Dask cluster (serq-lsp[cluster]).")
@click.option("--output", metavar="FILE", help="The table: .csv, or .parquet with pyarrow.  [default: CSV on stdout]")
@click.option("--plot", metavar="FILE", help="The picture: .png, .svg or .pdf (serq-lsp[plot]).")
@click.option("--engine", type=click.Choice(["builtin", "pyserq"]), default="builtin", show_default=True)
@click.option("--clock", type=click.Choice(["exact", "f64"]), default="exact", show_default=True)
@click.option("--semantics", type=click.Choice(["edition", "pure"]), default="edition", show_default=True)
@click.option("--progress/--no-progress", default=None, help="Show a progress bar.  [default: on a terminal]")
@run_settings
def command(**given: Any) -> int:
    """Run FILE for every combination of the values given by `--set NAME=a..b:steps` (or NAME=a,b,c).

    The table is tidy: one row per run, with the constants, the replication, the seed, the metrics and, for a run that
    failed, the error.  Every point uses the same seeds, so that points are compared on equal draws.

    Exit codes: 0 done, 1 some run failed, 2 usage or files, 130 interrupted (the table has what was done).
    """
    from serq_lsp.cli.simulation.result import RunOptions
    from serq_lsp.cli.simulation.source import read_source
    from serq_lsp.cli.simulation.sweep import Sweep, run_sweep

    source = read_source(given["file"], given)
    sweep = Sweep(
        source=source,
        options=RunOptions(clock=given["clock"], semantics=given["semantics"], engine=given["engine"]),
        axes=given["axes"],
        metrics=given["metrics"],
        replications=given["replications"],
        jobs=given["jobs"] or os.cpu_count() or 1,
        scheduler=given["scheduler"],
        progress=given["progress"],
    )
    outcome = run_sweep(sweep)
    _write(outcome, given)
    if outcome.interrupted:
        return exit_codes.INTERRUPTED
    return exit_codes.FINDINGS if outcome.errors else exit_codes.OK


def _write(outcome: SweepOutcome, given: dict[str, Any]) -> None:
    from serq_lsp.cli.simulation.table import csv_text, write_table

    different = list(dict.fromkeys(outcome.errors))
    for error in different[:3]:
        click.echo(error, err=True)
    if len(outcome.errors) > 1:
        click.echo(f"{len(outcome.errors)} runs failed; the table's column `error` says why", err=True)
    if outcome.interrupted:
        click.echo(f"interrupted: {len(outcome.table.rows)} of {outcome.n_runs} runs are in the table", err=True)
    if given["output"] is None:
        click.echo(csv_text(outcome.table), nl=False)
    else:
        write_table(outcome.table, given["output"])
    if given["plot"] is not None:
        from serq_lsp.cli.simulation.plot import plot

        plot(outcome.curves(), outcome.x_name, given["file"], given["plot"])
