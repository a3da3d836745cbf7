"""What is to be run: a program's text and the settings that replace its own; small and picklable."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import click


@dataclass(frozen=True, slots=True)
class Source:
    """`path` is `None` for standard input.  `None` settings leave the program's own."""

    path: str | None
    text: str
    sets: tuple[tuple[str, str], ...] = ()
    defs: tuple[tuple[str, str], ...] = ()
    seed: int | None = None
    horizon: float | None = None
    warmup: float | None = None
    arrivals: int | None = None
    trace: str | None = None
    edition: str = ""
    """The edition that the settings of the file's project ask for."""

    @property
    def is_ir(self) -> bool:
        """Whether the text is IR JSON."""
        return self.path is not None and self.path.endswith(".json")

    @property
    def name(self) -> str:
        """For messages."""
        return "<stdin>" if self.path is None else self.path

    def with_sets(self, sets: Mapping[str, str]) -> Source:
        """The same with these constants replaced as well."""
        return replace(self, sets=tuple((dict(self.sets) | dict(sets)).items()))


def read_source(file: str, given: Mapping[str, Any]) -> Source:
    """The program in `file` (`-` is standard input) with the command's overrides and settings.

    Raises `click.ClickException` (exit code 2) when it cannot be read, or is IR and constants are to be replaced.
    """
    if file.endswith(".json") and (given.get("sets") or given.get("defs") or given.get("axes")):
        raise click.UsageError("--set and --def apply to program text, not to IR: an IR's constants are already folded")
    from serq_interpreter.files import FileError, decode, read_file
    from serq_interpreter.project import project_edition
    from serq_lsp.cli.loading import folder_of

    try:
        text = decode(sys.stdin.buffer.read()) if file == "-" else read_file(file)
    except FileError as error:
        raise click.ClickException(f"{file}: {error.reason}") from error
    return Source(
        path=None if file == "-" else file,
        text=text,
        sets=tuple(dict(given.get("sets", ())).items()),
        defs=tuple(dict(given.get("defs", ())).items()),
        seed=given.get("seed"),
        horizon=given.get("horizon"),
        warmup=given.get("warmup"),
        arrivals=given.get("arrivals"),
        trace=given.get("trace"),
        edition=project_edition(folder_of(file)),
    )
