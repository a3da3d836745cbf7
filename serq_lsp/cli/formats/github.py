"""Workflow commands that GitHub Actions turns into annotations."""

from __future__ import annotations

from serq_interpreter.catalog import Severity
from serq_interpreter.frontend.diagnostic import Diagnostic
from serq_lsp.cli.outcome import Outcome

LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice", Severity.HINT: "notice"}


def render(outcome: Outcome) -> str:
    """One `::error file=…::message` line a diagnostic."""
    return "\n".join(_command(item) for item in outcome.diagnostics)


def _command(item: Diagnostic) -> str:
    at = item.location
    properties = {
        "title": f"{item.code} {item.name}",
        "file": at.file,
        "line": str(at.start.line),
        "endLine": str(at.end.line),
        "col": str(at.start.column),
        "endColumn": str(at.end.column),
    }
    listed = ",".join(f"{key}={_escape(value, prop=True)}" for key, value in properties.items())
    message = item.message + (f"\nhelp: {item.help}" if item.help else "")
    return f"::{LEVELS[item.severity]} {listed}::{_escape(message)}"


def _escape(text: str, prop: bool = False) -> str:
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return text.replace(":", "%3A").replace(",", "%2C") if prop else text
