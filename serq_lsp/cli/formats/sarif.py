"""SARIF 2.1.0, for code scanning services."""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from serq_interpreter.catalog import Severity, entry
from serq_interpreter.frontend.diagnostic import PAGE_URL, Diagnostic, Location, Repair
from serq_interpreter.version import __version__
from serq_lsp.cli.outcome import Outcome

LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note", Severity.HINT: "note"}
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render(outcome: Outcome) -> str:
    """One run with the rules that occur and a result a diagnostic."""
    codes = sorted({item.code for item in outcome.diagnostics})
    driver = {
        "name": "serq-lsp",
        "semanticVersion": __version__,
        "informationUri": "https://serq-lsp.readthedocs.io",
        "rules": [_rule(code) for code in codes],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(item, codes) for item in outcome.diagnostics],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2)


def _rule(code: str) -> dict[str, Any]:
    known = entry(code)
    rule: dict[str, Any] = {
        "id": code,
        "name": "".join(part.capitalize() for part in known.name.split("-")),
        "shortDescription": {"text": known.name.replace("-", " ")},
        "fullDescription": {"text": known.why or known.name},
        "helpUri": PAGE_URL.format(code=code),
        "defaultConfiguration": {"level": LEVELS[known.severity]},
    }
    if known.help:
        rule["help"] = {"text": known.help}
    return rule


def _result(item: Diagnostic, codes: list[str]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": item.code,
        "ruleIndex": codes.index(item.code),
        "level": LEVELS[item.severity],
        "message": {"text": item.message},
        "locations": [{"physicalLocation": _physical(item.location)}],
    }
    if item.related:
        result["relatedLocations"] = [
            {"id": number, "physicalLocation": _physical(related.location), "message": {"text": related.message}}
            for number, related in enumerate(item.related)
        ]
    if item.fixes:
        result["fixes"] = [_fix(fix) for fix in item.fixes]
    return result


def _fix(fix: Repair) -> dict[str, Any]:
    changes: dict[str, list[dict[str, Any]]] = {}
    for edit in fix.edits:
        changes.setdefault(edit.location.file, []).append(
            {"deletedRegion": _region(edit.location), "insertedContent": {"text": edit.text}}
        )
    return {
        "description": {"text": fix.title},
        "artifactChanges": [
            {"artifactLocation": {"uri": _uri(file)}, "replacements": replacements}
            for file, replacements in changes.items()
        ],
    }


def _physical(at: Location) -> dict[str, Any]:
    return {"artifactLocation": {"uri": _uri(at.file)}, "region": _region(at)}


def _region(at: Location) -> dict[str, int]:
    return {
        "startLine": at.start.line,
        "startColumn": at.start.column,
        "endLine": at.end.line,
        "endColumn": at.end.column,
    }


def _uri(file: str) -> str:
    path = PurePath(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
