"""Loading one program for commands that need its kernel; problems go to standard error."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from serq_interpreter.catalog import Severity

if TYPE_CHECKING:
    from serq_interpreter.frontend.analysis import Analysis
    from serq_interpreter.frontend.ir_analysis import IrAnalysis
    from serq_interpreter.ir.origins import Origins
    from serq_interpreter.ir.program import Program


@dataclass(slots=True)
class Loaded:
    """A program without errors.  `origins` is empty for one read from IR."""

    file: str
    text: str
    program: Program
    origins: Origins
    analysis: Analysis | IrAnalysis


def load(file: str, given: dict[str, Any]) -> Loaded | None:
    """The program of `file` (`-` is standard input), or `None` after its errors were printed.

    `given` holds the command's `sets`, `defs` and run settings.  Raises `click.ClickException` (exit code 2) when the
    file cannot be read, is a library, or is an IR file for which overrides are given.
    """
    from serq_interpreter.files import FileError, decode, read_file
    from serq_interpreter.frontend.analysis import analyse
    from serq_interpreter.project import project_edition

    options = _options(given).with_edition(project_edition(folder_of(file)))
    name = "<stdin>" if file == "-" else file
    try:
        text = decode(sys.stdin.buffer.read()) if file == "-" else read_file(file)
    except FileError as problem:
        raise click.ClickException(f"{file}: {problem.reason}") from problem
    analysis: Analysis | IrAnalysis
    if file.endswith(".json"):
        if options.sets or options.defs:
            raise click.ClickException(
                "`--set` and `--def` apply to program text, not to IR: an IR's constants are already folded"
            )
        from serq_interpreter.frontend.ir_analysis import analyse_ir

        analysis = analyse_ir(text, name, options)
    else:
        analysis = analyse(text, name, options=options)
    lowered = analysis.lowered
    if lowered is None:
        errors = [item for item in analysis.diagnostics if item.severity is Severity.ERROR]
        if not errors:
            raise click.ClickException(f"{file}: this is a library: it has no workload and no run")
        _complain(errors, analysis.texts)
        return None
    return Loaded(name, text, lowered.program, lowered.origins, analysis)


def folder_of(file: str) -> Path:
    """The folder whose settings hold for a file; `-` is standard input."""
    return Path.cwd() if file == "-" else Path(file).absolute().parent


def _options(given: dict[str, Any]) -> Any:
    from serq_interpreter.frontend.analysis import Options

    return Options(
        sets=dict(given.get("sets", ())),
        defs=dict(given.get("defs", ())),
        seed=given.get("seed"),
        horizon=given.get("horizon"),
        warmup=given.get("warmup"),
        arrivals=given.get("arrivals"),
        trace=given.get("trace"),
    )


def _complain(diagnostics: list[Any], texts: dict[str, str]) -> None:
    from serq_lsp.cli.formats.full import render
    from serq_lsp.cli.outcome import Outcome

    click.echo(render(Outcome(tuple(diagnostics), texts, color=sys.stderr.isatty())), err=True)
