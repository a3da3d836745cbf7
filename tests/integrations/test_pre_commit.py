"""The hooks of `.pre-commit-hooks.yaml`, run by pre-commit on a repository made for the test."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integrations.test_ci_scripts import RIGHT, WRONG

ROOT = Path(__file__).resolve().parents[2]
HOOKS = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")


def git(folder: Path, *arguments: str) -> None:
    who = ["-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True, timeout=120)


def test_every_hook_is_a_command_and_is_documented() -> None:
    page = (ROOT / "docs/integrations/ci.md").read_text(encoding="utf-8")
    for name, command in re.findall(r"- id: (\S+)\n.*?entry: serq-lsp (\w+)", HOOKS, re.DOTALL):
        assert f"- id: {name}" in page
        assert command in ("check", "fmt")


@pytest.mark.full
def test_pre_commit_runs_the_hooks(tmp_path: Path) -> None:
    """The hooks' environment is the project's own wheel without its compiled part."""
    pytest.importorskip("pre_commit")
    source = tmp_path / "serq-lsp"
    for name in ("interpreter", "grammar", "serq_lsp"):
        shutil.copytree(
            ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__", "node_modules", ".tools")
        )
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE", ".pre-commit-hooks.yaml"):
        shutil.copy(ROOT / name, source / name)
    git(source, "init")
    git(source, "add", "-A")
    git(source, "commit", "-qm", "all")
    revision = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=source, check=True, capture_output=True, text=True
    ).stdout.strip()
    work = tmp_path / "work"
    work.mkdir()
    (work / ".pre-commit-config.yaml").write_text(
        f"repos:\n  - repo: {source}\n    rev: {revision}\n    hooks:\n      - id: serq-check\n      - id: serq-fmt\n",
        encoding="utf-8",
    )
    (work / "model.sq").write_text(WRONG, encoding="utf-8")
    git(work, "init")
    git(work, "add", "-A")

    def run() -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PRE_COMMIT_HOME": str(tmp_path / "cache"), "SERQ_LSP_PURE": "1"}
        environment.pop("PYTHONPATH", None)
        return subprocess.run(
            [sys.executable, "-m", "pre_commit", "run", "--all-files", "--color", "never"],
            cwd=work,
            env=environment,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )

    first = run()
    assert first.returncode == 1, first.stdout + first.stderr
    assert "SQ0301" in first.stdout, first.stdout + first.stderr
    (work / "model.sq").write_text(RIGHT, encoding="utf-8")
    git(work, "add", "-A")
    second = run()
    assert second.returncode == 0, second.stdout + second.stderr
