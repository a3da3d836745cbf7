"""The function that worker processes run: some tasks on the engine that the options name."""

from __future__ import annotations

from collections.abc import Sequence

from serq_lsp.cli.simulation.replicate import Task
from serq_lsp.cli.simulation.result import Result, RunOptions


def run_batch(tasks: Sequence[Task], options: RunOptions) -> list[Result]:
    """One result per task, in order.  A program is compiled once per process."""
    if options.engine == "pyserq":
        from serq_lsp.cli.simulation.pyserq_engine import run_with_reference

        return [run_with_reference(task.source, task.seed) for task in tasks]
    from serq_lsp.cli.simulation.builtin_engine import run_quietly

    return [run_quietly(task.source, options, task.seed) for task in tasks]
