"""Which files a command line names: files, and the programs in folders that are not ignored."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pathspec import GitIgnoreSpec

SKIPPED = {".git", ".hg", ".venv", "venv", "node_modules", "__pycache__"}


def discover(paths: Sequence[str], exclude: Sequence[str] = ()) -> list[Path]:
    """The files to read, each once, in the order named and sorted within folders.

    A file is taken whatever its name; a folder gives its `*.sq` files, `.gitignore` respected.  Raises
    `click.ClickException` for a path that does not exist.
    """
    found: dict[Path, None] = {}
    for text in paths:
        path = Path(text)
        if path.is_dir():
            for item in _programs(path, exclude):
                found.setdefault(item)
        elif path.exists() or path.is_symlink():
            found.setdefault(path)
        else:
            raise click.ClickException(f"{text}: no such file or folder")
    return list(found)


def bad_pattern(patterns: Sequence[str]) -> str | None:
    """The first of some patterns that is none, such as a lone `!`."""
    from pathspec import GitIgnoreSpec

    for pattern in patterns:
        try:
            GitIgnoreSpec.from_lines([pattern])
        except (ValueError, re.error):
            return pattern
    return None


def _programs(root: Path, exclude: Sequence[str]) -> Iterator[Path]:
    yield from _walk(root, _outer_rules(root), _spec([*exclude], root) if exclude else None)


def _walk(
    folder: Path, rules: list[tuple[Path, GitIgnoreSpec]], excluded: tuple[Path, GitIgnoreSpec] | None
) -> Iterator[Path]:
    own = folder / ".gitignore"
    if own.is_file():
        rules = [*rules, _rules(own)]
    every = rules if excluded is None else [*rules, excluded]
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise click.ClickException(f"{folder}: cannot be listed: {error.strerror}") from error
    for entry in entries:
        is_folder = entry.is_dir() and not entry.is_symlink()
        if entry.name in SKIPPED or _ignored(entry, is_folder, every):
            continue
        if is_folder:
            yield from _walk(entry, rules, excluded)
        elif entry.suffix == ".sq" and entry.is_file():
            yield entry


def _outer_rules(root: Path) -> list[tuple[Path, GitIgnoreSpec]]:
    """Rules of the folders above `root`, up to the repository's top."""
    top = root.resolve()
    above: list[Path] = []
    for parent in (top, *top.parents):
        if parent != top:
            above.append(parent)
        if (parent / ".git").exists():
            break
    else:
        return []
    rules = []
    for folder in reversed(above):
        own = folder / ".gitignore"
        if own.is_file():
            rules.append(_rules(own))
    return rules


def _rules(ignore: Path) -> tuple[Path, GitIgnoreSpec]:
    """The rules of a `.gitignore`; a line that is no pattern ignores nothing, as in git."""
    try:
        lines = ignore.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise click.ClickException(f"{ignore}: cannot be read: {error.strerror}") from error
    return _spec([line for line in lines if bad_pattern([line]) is None], ignore.parent)


def _spec(lines: list[str], folder: Path) -> tuple[Path, GitIgnoreSpec]:
    from pathspec import GitIgnoreSpec

    return folder.resolve(), GitIgnoreSpec.from_lines(lines)


def _ignored(path: Path, is_folder: bool, rules: list[tuple[Path, GitIgnoreSpec]]) -> bool:
    full = path.parent.resolve() / path.name
    for base, spec in rules:
        relative = full.relative_to(base).as_posix() + ("/" if is_folder else "")
        if spec.match_file(relative):
            return True
    return False
