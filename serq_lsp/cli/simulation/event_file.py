"""`--events FILE.jsonl`: the happenings of a run, one JSON object per line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from serq_interpreter.machine.report import report_json
from serq_interpreter.machine.run import Run
from serq_interpreter.machine.watching import attach

_KINDS = ("session", "pool", "stage", "kind")


@contextmanager
def event_file(run: Run, path: str, selection: Sequence[str]) -> Iterator[None]:
    """Write what happens in `run`, which has not started, while the block runs.

    `selection` has texts such as `session=3`, `pool=kv`, `stage=gpu[1]`, `kind=preempt`: of one kind any value, of
    different kinds each.  Raises `click.UsageError` for another text and `click.ClickException` (exit code 2) when
    the file cannot be written.
    """
    wanted = _wanted(selection)
    try:
        with Path(path).open("w", encoding="utf-8", newline="") as file:

            def write(record: dict[str, Any]) -> None:
                if all(_matches(record.get(key), values) for key, values in wanted.items()):
                    file.write(f"{report_json(record)}\n")

            attach(run.machine, write)
            yield
    except OSError as error:
        raise click.ClickException(f"{path}: cannot be written: {error.strerror or error}") from error


def _wanted(selection: Sequence[str]) -> dict[str, set[str]]:
    wanted: dict[str, set[str]] = {}
    for text in selection:
        key, equals, value = text.partition("=")
        if key not in _KINDS or not equals or not value:
            raise click.UsageError(f"--events-of {text!r} is not of the form {'=…, '.join(_KINDS)}=…")
        wanted.setdefault(key, set()).add(value)
    return wanted


def _matches(value: Any, wanted: set[str]) -> bool:
    """A family's name selects all its members."""
    return str(value) in wanted or str(value).partition("[")[0] in wanted
