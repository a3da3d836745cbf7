"""`serq-lsp ir`: a program's intermediate representation as JSON."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from serq_lsp.cli import exit_codes
from serq_lsp.cli.options import overrides, run_settings

if TYPE_CHECKING:
    from serq_interpreter.syntax.tokens import Place
    from serq_lsp.cli.loading import Loaded


_REFUSED = (
    "{file}: IR 11 has no child sessions: a program that uses `spawn`, `join NAME`, `parent` or `depth` (edition v4b) "
    "cannot be written as IR 11, and the reference could not run it; `--format v4b` writes this product's own form"
)


def _print_schema(context: click.Context, _option: click.Parameter, given: bool) -> None:
    """Print the schema instead of doing anything else."""
    if not given:
        return
    import json

    try:
        from serq_interpreter.machine.automaton_schema import automaton_schema
    except ModuleNotFoundError as error:
        raise click.UsageError(f"--schema needs the package {error.name}, which is not installed") from error
    click.echo(json.dumps(automaton_schema(), indent=2))
    context.exit(exit_codes.OK)


@click.command()
@click.argument("file", metavar="FILE")
@click.option("--format", "form", type=click.Choice(["ir11", "v4b", "automaton"]), default="ir11", show_default=True)
@click.option(
    "--schema",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_schema,
    help="Print the JSON Schema of the automaton's JSON, and nothing else.",
)
@click.option("--inline-trace", is_flag=True, help="Write the ordered trace's sessions into the IR.")
@click.option("--output", type=click.Path(dir_okay=False), help="Write there instead of to standard output.")
@overrides
@run_settings
def command(**given: Any) -> int:
    """Print the IR of FILE (`.sq`, IR `.json`, or `-`), or the session automaton it compiles to.

    `v4b` is IR 11 and what the edition v4b adds to it; a program that does not use that is the same in both.
    """
    from serq_lsp.cli.check import write_output
    from serq_lsp.cli.loading import load

    loaded = load(given["file"], given)
    if loaded is None:
        return exit_codes.FINDINGS
    if given["inline_trace"]:
        from serq_interpreter.machine.errors import RunError
        from serq_interpreter.machine.inline_trace import inline_trace

        try:
            loaded.program = inline_trace(loaded.program, Path(given["file"]).parent)
        except (RunError, ValueError) as error:
            click.echo(f"{loaded.file}: the trace cannot be written into the IR: {error}", err=True)
            return exit_codes.FINDINGS
    if given["form"] == "ir11" and loaded.program.spawning is not None:
        click.echo(_REFUSED.format(file=loaded.file), err=True)
        return exit_codes.FINDINGS
    write_output(_render(loaded, given["form"]), given["output"])
    return exit_codes.OK


def _render(loaded: Loaded, form: str) -> str:
    if form != "automaton":
        from serq_interpreter.ir.json import write_program

        return write_program(loaded.program)
    from serq_interpreter.machine.automaton_json import automaton_json

    return automaton_json(loaded.program, loaded.origins, lambda place: _place(loaded, place))


def _place(loaded: Loaded, place: Place) -> dict[str, Any]:
    """A place as JSON: file, start and end (lines and columns from 1)."""
    from serq_interpreter.frontend.analysis import Analysis
    from serq_interpreter.frontend.wording import Wording

    assert isinstance(loaded.analysis, Analysis)
    at = Wording(loaded.analysis.document).location(place)
    return {
        "file": at.file,
        "start": {"line": at.start.line, "column": at.start.column},
        "end": {"line": at.end.line, "column": at.end.column},
        "text": loaded.analysis.texts[at.file][at.start_offset : at.end_offset],
    }
