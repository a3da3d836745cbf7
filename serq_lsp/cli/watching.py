"""`check --watch`: again whenever a file below the checked paths changes."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from serq_lsp.cli import exit_codes
from serq_lsp.cli.discovery import discover

if TYPE_CHECKING:
    from serq_lsp.cli.checking import Options

POLL_SECONDS = 0.3


def watch(options: Options, once: Callable[[], int], rounds: int | None = None) -> int:
    """Check, wait for a change, check again; until interrupted (exit code 130) or `rounds` are done."""
    seen: dict[Path, tuple[int, int]] | None = None
    done = 0
    try:
        while rounds is None or done < rounds:
            now = _state(options)
            if now == seen:
                time.sleep(POLL_SECONDS)
                continue
            seen = now
            click.echo(f"--- {time.strftime('%H:%M:%S')} ---", err=True)
            once()
            done += 1
    except KeyboardInterrupt:
        return exit_codes.INTERRUPTED
    return exit_codes.OK


def _state(options: Options) -> dict[Path, tuple[int, int]]:
    """Modification time and size of the checked files and of every program and library beside them."""
    watched: set[Path] = set()
    for path in discover([item for item in options.paths if item != "-"]):
        watched.add(path)
        watched.update(path.parent.glob("*.sq"))
        watched.update(path.parent.glob("serq.toml"))
    state: dict[Path, tuple[int, int]] = {}
    for path in watched:
        try:
            facts = path.stat()
        except FileNotFoundError:
            continue
        state[path] = (facts.st_mtime_ns, facts.st_size)
    return state
