"""The audits of a release: what is found fails, and what was not asked is never called passed."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]

NPM_CLEAN = {"vulnerabilities": {}, "metadata": {"vulnerabilities": {"low": 2, "high": 0, "critical": 0, "total": 2}}}
NPM_GRAVE = {
    "vulnerabilities": {"left": {"severity": "high"}, "right": {"severity": "low"}},
    "metadata": {"vulnerabilities": {"low": 1, "high": 1, "critical": 0, "total": 2}},
}
NPM_REFUSED = {"message": "405 Method Not Allowed", "statusCode": 405, "error": {"summary": "", "detail": ""}}
PIP_CLEAN = {"dependencies": [{"name": "lark", "version": "1.2", "vulns": []}]}
PIP_GRAVE = {"dependencies": [{"name": "lark", "version": "1.2", "vulns": [{"id": "PYSEC-1"}]}]}
PIP_PART = {"dependencies": [*PIP_CLEAN["dependencies"], {"name": "click", "skip_reason": "not found"}]}


def program(folder: Path, name: str, says: Any, status: int, complains: str = "") -> None:
    file = folder / name
    text = says if isinstance(says, str) else json.dumps(says)
    file.write_text(f"#!/bin/sh\ncat <<'END'\n{text}\nEND\necho '{complains}' >&2\nexit {status}\n", encoding="utf-8")
    file.chmod(0o755)


@pytest.fixture(scope="module")
def audits() -> ModuleType:
    spec = importlib.util.spec_from_file_location("audits", ROOT / "release/audits.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses look for it
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("npm", "pip", "status", "lines"),
    [
        (NPM_CLEAN, PIP_CLEAN, 0, ["npm audit: passed: 2 advisories, none", "pip-audit: passed: no advisory for 1"]),
        (NPM_GRAVE, PIP_CLEAN, 1, ["npm audit: FAILED: 1 high: left", "pip-audit: passed"]),
        (NPM_CLEAN, PIP_GRAVE, 1, ["npm audit: passed", "pip-audit: FAILED: lark 1.2 (PYSEC-1)"]),
        (NPM_REFUSED, PIP_PART, 0, ["npm audit: NOT RUN: 405", "pip-audit: NOT RUN: no answer for 1 of 2 packages"]),
        ("no such host", "", 0, ["npm audit: NOT RUN: gone", "pip-audit: NOT RUN: gone"]),
    ],
    ids=["clean", "npm", "pip", "refused", "no report"],
)
def test_the_audits_say_what_they_found(
    audits: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    npm: Any,
    pip: Any,
    status: int,
    lines: list[str],
) -> None:
    program(tmp_path, "npm", npm, 1, "gone")
    program(tmp_path, "pip-audit", pip, 1, "gone")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/usr/bin{os.pathsep}/bin")
    assert audits.main() == status
    said = capsys.readouterr().out.splitlines()
    for line, begins in zip(said, lines, strict=True):
        assert line.startswith(begins), said


def test_no_lock_file_names_an_address() -> None:
    """Lock files work with every registry: a hash says what is wanted, no address where it is."""
    pinned = [*ROOT.glob("release/*.txt")]
    assert len(pinned) >= 2
    for file in pinned:
        assert "://" not in file.read_text(encoding="utf-8"), file
    packages = json.loads((ROOT / "editors/vscode/package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert len(packages) > 10
    for name, package in packages.items():
        assert "resolved" not in package, name
        assert name == "" or "integrity" in package, name
