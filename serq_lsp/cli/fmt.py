"""`serq-lsp fmt`: canonical text, every comment kept, the meaning never changed."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from serq_lsp.cli import exit_codes

STDIN = "-"


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATHS…]")
@click.option("--check", is_flag=True, help="Change nothing; exit 1 and list the files that would change.")
@click.option("--diff", "show_diff", is_flag=True, help="Change nothing; show the changes.")
@click.option("--stdin-filename", metavar="FILE", default="<stdin>", help="Name of the text read from `-`.")
def command(paths: tuple[str, ...], check: bool, show_diff: bool, stdin_filename: str) -> int:
    """Format programs and libraries in place, folders recursively; `-` formats standard input to standard output.

    A text with syntax errors stays as it is and is reported (exit code 1).
    """
    from serq_lsp.cli.discovery import discover

    found: list[Path | None] = list(discover([path for path in paths if path != STDIN] or ([] if paths else ["."])))
    if STDIN in paths:
        found.insert(0, None)
    status = exit_codes.OK
    changed = 0
    for path in found:
        outcome = _one(path, check, show_diff, stdin_filename)
        changed += outcome is True
        if outcome is None:
            status = exit_codes.FINDINGS
    if changed and (check or show_diff):
        status = exit_codes.FINDINGS
    if STDIN not in paths:
        verb = "would be" if check or show_diff else "were"
        click.echo(f"{changed} of {len(found)} file(s) {verb} reformatted.", err=True)
    return status


def _one(path: Path | None, check: bool, show_diff: bool, stdin_filename: str) -> bool | None:
    """Whether the text changes; `None` when it cannot be formatted."""
    from serq_interpreter.files import FileError, decode, read_file
    from serq_interpreter.syntax.printer import format_text

    name = stdin_filename if path is None else str(path)
    try:
        read = decode(sys.stdin.buffer.read()) if path is None else read_file(name)
    except FileError as error:
        raise click.ClickException(f"{name}: {error.reason}") from error
    after = format_text(read.text) if read.exact else None
    if after is None:
        click.echo(f"{name}: not formatted: it has syntax errors (`serq-lsp check {name}` shows them)", err=True)
        if path is None and not (check or show_diff):
            click.echo(read.text, nl=False)
        return None
    if show_diff:
        from serq_lsp.cli.fixing import diff

        click.echo(diff(name, read.text, after), nl=False)
    elif check:
        if after != read.text:
            click.echo(name)
    elif path is None:
        click.echo(after, nl=False)
    elif after != read.text:
        _write(path, after)
    return after != read.text


def _write(path: Path, text: str) -> None:
    try:
        with path.open("w", encoding="utf-8", newline="") as handle:
            handle.write(text)
    except OSError as error:
        raise click.ClickException(f"{path}: cannot be written: {error.strerror}") from error
