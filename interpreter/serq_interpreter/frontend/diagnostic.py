"""Diagnostics as people and programs read them: worded, with absolute positions.

Lines and columns count from 1; a column is one character (code point).  Offsets count
characters from 0.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from serq_interpreter.catalog import Severity

PAGE_URL = "https://serq-lsp.readthedocs.io/en/latest/rules/{code}/"


@dataclass(frozen=True, slots=True, order=True)
class Position:
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Location:
    """A range of a file: positions and, in the same text, character offsets."""

    file: str
    start: Position
    end: Position
    start_offset: int
    end_offset: int


@dataclass(frozen=True, slots=True)
class Related:
    location: Location
    message: str


@dataclass(frozen=True, slots=True)
class TextEdit:
    location: Location
    text: str


@dataclass(frozen=True, slots=True)
class Repair:
    """A fix: `safe` ones need no question."""

    title: str
    safe: bool
    edits: tuple[TextEdit, ...]


@dataclass(frozen=True, slots=True)
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
        return replace(self, severity=severity)


def sort_key(diagnostic: Diagnostic) -> tuple[str, int, int, str]:
    """Order of output: file, place, code."""
    at = diagnostic.location
    return (at.file, at.start_offset, at.end_offset, diagnostic.code)
