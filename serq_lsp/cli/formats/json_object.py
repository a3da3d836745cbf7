"""One JSON object; lines and columns from 1, columns in characters."""

from __future__ import annotations

import json
from typing import Any

from serq_interpreter.frontend.diagnostic import Diagnostic, Location, Repair
from serq_lsp.cli.outcome import Outcome


def render(outcome: Outcome) -> str:
    """The object `{"version": 1, "diagnostics": […], "summary": {…}}`."""
    value = {
        "version": 1,
        "diagnostics": [diagnostic_object(item) for item in outcome.diagnostics],
        "summary": outcome.summary(),
    }
    return json.dumps(value, ensure_ascii=False, indent=2)


def diagnostic_object(item: Diagnostic) -> dict[str, Any]:
    """One diagnostic as the JSON format writes it."""
    return {
        "code": item.code,
        "name": item.name,
        "severity": str(item.severity),
        "message": item.message,
        "file": item.file,
        "range": _range(item.location),
        "related": [
            {"file": related.location.file, "range": _range(related.location), "message": related.message}
            for related in item.related
        ],
        "fixes": [_fix(fix) for fix in item.fixes],
        "help": item.help,
        "url": item.url,
    }


def _fix(fix: Repair) -> dict[str, Any]:
    edits = [{"file": edit.location.file, "range": _range(edit.location), "text": edit.text} for edit in fix.edits]
    return {"title": fix.title, "safe": fix.safe, "edits": edits}


def _range(at: Location) -> dict[str, Any]:
    return {
        "start": {"line": at.start.line, "column": at.start.column},
        "end": {"line": at.end.line, "column": at.end.column},
    }
