"""The picture of a sweep: one panel per metric, the mean over replications with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from serq_lsp.cli.simulation.confidence import Estimate


@dataclass(frozen=True, slots=True)
class Curve:
    """One line of one panel: x positions, the estimate at each, and what tells it from the other lines."""

    metric: str
    label: str
    x: tuple[float, ...]
    estimates: tuple[Estimate, ...]


def plot(curves: Sequence[Curve], x_name: str, title: str, path: str) -> None:
    """Draw the curves into `path`; its ending chooses the format (png, svg, pdf).

    Raises `click.ClickException` (exit code 2) when matplotlib is missing or the file cannot be written.
    """
    try:
        import matplotlib
    except ImportError as error:
        raise click.ClickException("`--plot` needs matplotlib: pip install 'serq-lsp[plot]'") from error
    matplotlib.use("Agg")
    from matplotlib.figure import Figure

    metrics = list(dict.fromkeys(curve.metric for curve in curves))
    figure = Figure(figsize=(7.0, 1.0 + 3.2 * len(metrics)), layout="constrained")
    for row, metric in enumerate(metrics, 1):
        axes = figure.add_subplot(len(metrics), 1, row)
        for curve in (curve for curve in curves if curve.metric == metric):
            bars = [e.ci if e.ci < float("inf") else 0.0 for e in curve.estimates]
            means = [e.mean for e in curve.estimates]
            axes.errorbar(curve.x, means, yerr=bars, marker="o", markersize=3, capsize=2, label=curve.label or None)
        axes.set_xlabel(x_name)
        axes.set_ylabel(metric)
        if sum(curve.metric == metric for curve in curves) > 1:
            axes.legend()
    figure.suptitle(title)
    try:
        figure.savefig(Path(path))
    except (OSError, ValueError) as error:
        raise click.ClickException(f"{path}: the plot cannot be written: {error}") from error
