"""`serq-lsp check`: every fault of programs and libraries, in the format asked for."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from serq_lsp.cli import exit_codes
from serq_lsp.cli.formats import FORMATS, renderer
from serq_lsp.cli.options import overrides, run_settings

if TYPE_CHECKING:
    from serq_lsp.cli.checking import Options


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATHS…]")
@click.option("--format", "form", type=click.Choice(list(FORMATS)), default="full", show_default=True)
@click.option("--output", type=click.Path(dir_okay=False), help="Write there instead of to standard output.")
@click.option("--stdin-filename", metavar="FILE", default="<stdin>", help="Name of the text read from `-`.")
@click.option("--select", metavar="CODES", multiple=True, help="Report only these codes (prefixes, names).")
@click.option("--ignore", metavar="CODES", multiple=True, help="Do not report these warnings (prefixes, names).")
@click.option("--strict/--no-strict", default=None, help="Hold-and-wait warnings are errors.")
@click.option(
    "--run",
    "run_mode",
    type=click.Choice(["off", "quick", "full"]),
    help="Run each program, too: for a moment, or to its end; fail on what its run shows.  [default: as set, else off]",
)
@click.option(
    "--guarantees", is_flag=True, help="Say of each pool that can preempt whether every admitted session completes."
)
@click.option(
    "--explain-coalescing",
    is_flag=True,
    help="Say of each step engine whether its iterations are taken together, or what forbids it.",
)
@click.option("--fix", is_flag=True, help="Apply the safe fixes.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: also fixes that need a look.")
@click.option("--diff", "show_diff", is_flag=True, help="Show what --fix would change; change nothing.")
@click.option(
    "--baseline", type=click.Path(dir_okay=False), help="Accept the findings of this file; made when missing."
)
@click.option("--error-on-warning", is_flag=True, default=None, help="Warnings make the exit code 1, too.")
@click.option("--watch", is_flag=True, help="Check again whenever a file changes.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", show_default=True)
@overrides
@run_settings
def command(**given: Any) -> int:
    """Report every fault of programs (`.sq`, IR `.json`), folders of programs, or standard input (`-`).

    Exit codes: 0 nothing found at or above the threshold, 1 findings, 2 usage, unreadable input or unwritable output,
    3 internal error.
    """
    from serq_lsp.cli.checking import Options

    options = Options.of(given, colored=_colored(given["color"], given["output"]))
    if given["watch"]:
        from serq_lsp.cli.watching import watch

        return watch(options, lambda: once(options))
    return once(options)


_MOST_ROUNDS = 10
"""A fix can bring a fault to light that another repairs; two fixes that undo each other end here."""


def once(options: Options) -> int:
    """Check everything once and print it; the exit code."""
    from serq_lsp.cli.checking import check_everything, repaired, write_files

    known: dict[str, str] = {}
    if options.diff:
        changes = _changes(options, known)
        write_output(changes, options.output)
        return exit_codes.FINDINGS if changes else exit_codes.OK
    result = check_everything(options, known)
    for _ in range(_MOST_ROUNDS if options.fix else 0):
        fixed = {file: text for file, text in repaired(result, options).items() if file not in result.stdin}
        if not fixed:
            break
        write_files(fixed)
        result = check_everything(options, known)
    write_output(renderer(options.form)(result.outcome), options.output)
    if options.guarantees:
        click.echo("\n".join(result.guarantees), nl=False)
    if options.explain_coalescing:
        click.echo("\n".join(result.coalescing), nl=False)
    return result.exit_code(options)


def _changes(options: Options, known: dict[str, str]) -> str:
    """What `--fix` would change, all rounds taken together, as a unified diff; no file is written."""
    from serq_lsp.cli.checking import check_everything, repaired
    from serq_lsp.cli.fixing import diff

    before: dict[str, str] = {}
    for _ in range(_MOST_ROUNDS):
        result = check_everything(options, known)
        fixed = repaired(result, options)
        if not fixed:
            break
        for file in fixed:
            before.setdefault(file, result.outcome.texts[file])
        known.update(fixed)
    return "".join(diff(file, text, known[file]) for file, text in before.items())


def write_output(text: str, output: str | None) -> None:
    """Print `text`, or write it to a file; raises `click.ClickException` when that fails."""
    if text and not text.endswith("\n"):
        text += "\n"
    if output is None:
        click.echo(text, nl=False)
        return
    try:
        Path(output).write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{output}: cannot be written: {error.strerror}") from error


def _colored(wish: str, output: str | None) -> bool:
    import os

    if wish != "auto":
        return wish == "always"
    if output is not None or os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or sys.stdout.isatty()
