"""Diagnostics as people and programs read them: worded, with absolute positions.

Lines and columns count from 1; a column is one character (code point).  Offsets count
characters from 0.
"""

from __future__ import annotations

from typing import NamedTuple

from serq_interpreter.catalog import Severity
from serq_interpreter.record import changed, fact

PAGE_URL = "https://serq-lsp.readthedocs.io/en/latest/rules/{code}/"


class Position(NamedTuple):
    line: int
    column: int


@fact
class Location:
    """A range of a file: positions and, in the same text, character offsets."""

    file: str
    start: Position
    end: Position
    start_offset: int
    end_offset: int


@fact
class Related:
    location: Location
    message: str


@fact
class TextEdit:
    location: Location
    text: str


@fact
class Repair:
    """A fix: `safe` ones need no question."""

    title: str
    safe: bool
    edits: tuple[TextEdit, ...]


@fact
class Diagnostic:
    """One problem of one file."""

    code: str
    name: str
    severity: Severity
    message: str
    location: Location
    related: tuple[Related, ...] = ()
    fixes: tuple[Repair, ...] = ()
    help: str = ""

    @property
    def file(self) -> str:
        return self.location.file

    @property
    def url(self) -> str:
        """The explanation page of the code."""
        return PAGE_URL.format(code=self.code)

    def with_severity(self, severity: Severity) -> Diagnostic:
        """The same diagnostic, weighed differently."""
        return changed(self, severity=severity)


def sort_key(diagnostic: Diagnostic) -> tuple[str, int, int, str]:
    """Order of output: file, place, code."""
    at = diagnostic.location
    return (at.file, at.start_offset, at.end_offset, diagnostic.code)
