"""`serq-lsp fmt`: canonical text, every comment kept, the meaning never changed."""

from __future__ import annotations

import sys
from enum import Enum
from pathlib import Path

import click

from serq_lsp.cli import exit_codes

STDIN = "-"


class _Outcome(Enum):
    """What became of a file; the value is the exit code that it asks for."""

    KEPT = (exit_codes.OK, "kept")
    CHANGED = (exit_codes.OK, "changed")
    BROKEN = (exit_codes.FINDINGS, "broken")
    UNREAD = (exit_codes.USAGE, "unread")


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATHS…]")
@click.option("--check", is_flag=True, help="Change nothing; exit 1 and list the files that would change.")
@click.option("--diff", "show_diff", is_flag=True, help="Change nothing; show the changes.")
@click.option("--stdin-filename", metavar="FILE", default="<stdin>", help="Name of the text read from `-`.")
def command(paths: tuple[str, ...], check: bool, show_diff: bool, stdin_filename: str) -> int:
    """Format programs and libraries in place, folders recursively; `-` formats standard input to standard output.

    A text with syntax errors stays as it is and is reported (exit code 1), like a file that cannot be read (2).
    """
    from serq_lsp.cli.discovery import discover

    found: list[Path | None] = list(discover([path for path in paths if path != STDIN] or ([] if paths else ["."])))
    if STDIN in paths:
        found.insert(0, None)
    outcomes = [_one(path, check, show_diff, stdin_filename) for path in found]
    status = max((outcome.value[0] for outcome in outcomes), default=exit_codes.OK)
    changed = outcomes.count(_Outcome.CHANGED)
    if changed and (check or show_diff):
        status = max(status, exit_codes.FINDINGS)
    if STDIN not in paths:
        verb = "would be" if check or show_diff else "were"
        click.echo(f"{changed} of {len(found)} file(s) {verb} reformatted.", err=True)
    return status


def _one(path: Path | None, check: bool, show_diff: bool, stdin_filename: str) -> _Outcome:
    """Format one file, or standard input; what cannot be formatted is told on standard error."""
    from serq_interpreter.files import FileError, decode, read_file
    from serq_interpreter.syntax.printer import format_text

    name = stdin_filename if path is None else str(path)
    try:
        before = decode(sys.stdin.buffer.read()) if path is None else read_file(name)
    except FileError as error:
        click.echo(f"{name}: not formatted: {error.reason}", err=True)
        return _Outcome.UNREAD
    after = format_text(before)
    if after is None:
        click.echo(f"{name}: not formatted: it has syntax errors (`serq-lsp check {name}` shows them)", err=True)
        if path is None and not (check or show_diff):
            click.echo(before, nl=False)
        return _Outcome.BROKEN
    if show_diff:
        from serq_lsp.cli.fixing import diff

        click.echo(diff(name, before, after), nl=False)
    elif check:
        if after != before:
            click.echo(name)
    elif path is None:
        click.echo(after, nl=False)
    elif after != before:
        _write(path, after)
    return _Outcome.KEPT if after == before else _Outcome.CHANGED


def _write(path: Path, text: str) -> None:
    try:
        with path.open("w", encoding="utf-8", newline="") as handle:
            handle.write(text)
    except OSError as error:
        raise click.ClickException(f"{path}: cannot be written: {error.strerror}") from error
