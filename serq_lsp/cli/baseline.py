"""Baselines: findings that a project accepts for now.

A baseline counts findings per file, code and message, so that moving lines does not
bring them back.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import click

from serq_interpreter.frontend.diagnostic import Diagnostic

Key = tuple[str, str, str]


def apply_baseline(path: Path, found: Iterable[Diagnostic]) -> tuple[list[Diagnostic], int]:
    """The findings that are not in the baseline, and how many are.

    Writes the baseline, accepting everything, when the file does not exist.  Raises
    `click.ClickException` when it cannot be read or written.
    """
    diagnostics = list(found)
    if not path.exists():
        _write(path, diagnostics)
        return [], len(diagnostics)
    left = _read(path)
    fresh: list[Diagnostic] = []
    for item in diagnostics:
        key = _key(item)
        if left[key] > 0:
            left[key] -= 1
        else:
            fresh.append(item)
    return fresh, len(diagnostics) - len(fresh)


def _key(item: Diagnostic) -> Key:
    return (Path(item.file).as_posix(), item.code, item.message)


def _write(path: Path, diagnostics: list[Diagnostic]) -> None:
    counts = Counter(_key(item) for item in diagnostics)
    rows = [
        {"file": file, "code": code, "message": message, "count": count}
        for (file, code, message), count in sorted(counts.items())
    ]
    text = json.dumps({"version": 1, "accepted": rows}, ensure_ascii=False, indent=2) + "\n"
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{path}: the baseline cannot be written: {error.strerror}") from error


def _read(path: Path) -> Counter[Key]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        rows = value["accepted"]
        return Counter({(row["file"], row["code"], row["message"]): int(row["count"]) for row in rows})
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise click.ClickException(f"{path}: not a baseline: {error}") from error
