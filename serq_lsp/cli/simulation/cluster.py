"""Tasks on a Dask cluster, in batches worth a message (extra `serq-lsp[cluster]`)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from math import ceil
from typing import Any

import click

from serq_lsp.cli.simulation.replicate import Task, batch_size
from serq_lsp.cli.simulation.result import Result, RunOptions

_MOST_PARTS_PER_WORKER = 64
"""Batches on their way per worker: the scheduler needs about a millisecond for each."""


def run_on_cluster(
    tasks: Sequence[Task],
    options: RunOptions,
    address: str,
    run: Callable[[Sequence[Task], RunOptions], list[Result]],
) -> Iterator[tuple[Task, Result]]:
    """Run every task on the cluster at `address`, where serq-lsp must be installed, and yield each as it ends.

    The first task runs here and tells how many make at least 50 ms of work.  Raises `click.ClickException` (exit code
    2) when Dask is missing or the scheduler does not answer.
    """
    client, as_completed = _connect(address)
    try:
        began = time.perf_counter()
        yield tasks[0], run(tasks[:1], options)[0]
        elapsed = time.perf_counter() - began
        rest = tasks[1:]
        if not rest:
            return
        n_workers = max(len(client.scheduler_info()["workers"]), 1)
        size = batch_size(elapsed, len(rest), n_workers)
        # Thousands of long runs still make few messages.
        size = max(size, ceil(len(rest) / (n_workers * _MOST_PARTS_PER_WORKER)))
        batches = [rest[at : at + size] for at in range(0, len(rest), size)]
        futures = {client.submit(run, batch, options, pure=False): batch for batch in batches}
        for future in as_completed(list(futures), loop=client.loop):
            yield from zip(futures[future], future.result(), strict=True)
    finally:
        client.close()


def _connect(address: str) -> tuple[Any, Any]:
    try:
        from distributed import Client, as_completed
    except ImportError as error:
        raise click.ClickException("`--scheduler` needs Dask: pip install 'serq-lsp[cluster]'") from error
    try:
        return Client(address, timeout="10s", set_as_default=False), as_completed
    except (OSError, ValueError, TimeoutError) as error:
        raise click.ClickException(f"the scheduler at {address} does not answer: {error}") from error
