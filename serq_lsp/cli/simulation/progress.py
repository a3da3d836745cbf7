"""A progress bar on a terminal, and nothing anywhere else."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bar:
    """`advance(n)` adds to what is done; `reach(x)` sets it."""

    advance: Callable[[float], None]
    reach: Callable[[float], None]


@contextmanager
def progress_bar(wish: bool | None, what: str, total: float) -> Iterator[Bar]:
    """A bar on standard error while the block runs; `wish` `None` asks whether that is a terminal."""
    if not (sys.stderr.isatty() if wish is None else wish):
        yield Bar(lambda _n: None, lambda _x: None)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=total)
        yield Bar(
            lambda n: progress.advance(task, n),
            lambda x: progress.update(task, completed=x),
        )
