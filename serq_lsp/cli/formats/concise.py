"""One line a diagnostic: `file:line:column: severity[code] message`."""

from __future__ import annotations

from serq_lsp.cli.outcome import Outcome


def render(outcome: Outcome) -> str:
    """The lines, in order of file and place."""
    return "\n".join(
        f"{item.file}:{item.location.start.line}:{item.location.start.column}: "
        f"{item.severity}[{item.code}] {' '.join(item.message.split())}"
        for item in outcome.diagnostics
    )
