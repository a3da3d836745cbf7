"""GitLab's code quality report."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from typing import Any

from serq_interpreter.catalog import Severity
from serq_interpreter.frontend.diagnostic import Diagnostic
from serq_lsp.cli.outcome import Outcome

LEVELS = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info", Severity.HINT: "info"}


def render(outcome: Outcome) -> str:
    """A JSON array of issues."""
    seen: Counter[str] = Counter()
    return json.dumps([_issue(item, seen) for item in outcome.diagnostics], ensure_ascii=False, indent=2)


def _issue(item: Diagnostic, seen: Counter[str]) -> dict[str, Any]:
    stable = f"{item.file}\0{item.code}\0{item.message}"
    seen[stable] += 1
    fingerprint = hashlib.sha256(f"{stable}\0{seen[stable]}".encode()).hexdigest()
    at = item.location
    return {
        "description": item.message,
        "check_name": f"{item.code} {item.name}",
        "fingerprint": fingerprint,
        "severity": LEVELS[item.severity],
        "location": {
            "path": item.file,
            "positions": {
                "begin": {"line": at.start.line, "column": at.start.column},
                "end": {"line": at.end.line, "column": at.end.column},
            },
        },
    }
