"""The scripts that pipelines run, run here by bash on a repository made for the test."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parents[2]
RIGHT = (ROOT / "examples/mm1.sq").read_text(encoding="utf-8")
WRONG = RIGHT.replace("~exp(work)", "~exp(work * tokens)")


@pytest.fixture
def pipeline(tmp_path: Path) -> Path:
    """A folder with one wrong program, and `serq-lsp` and a `pip` that installs nothing on the PATH."""
    (tmp_path / "bin").mkdir()
    paths = os.pathsep.join(str(ROOT / part) for part in ("", "interpreter", "grammar"))
    for name, line in (
        ("serq-lsp", f'PYTHONPATH="{paths}" exec "{sys.executable}" -m serq_lsp "$@"'),
        ("pip", "exit 0"),
    ):
        script = tmp_path / "bin" / name
        script.write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
        script.chmod(0o755)
    work = tmp_path / "work"
    work.mkdir()
    (work / "wrong.sq").write_text(WRONG, encoding="utf-8")
    return work


def bash(script: str, work: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    path = f"{work.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-c", script],
        cwd=work,
        env={**os.environ, "PATH": path, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def action(work: Path, **inputs: str) -> tuple[dict[str, str], str]:
    """Run the check of the GitHub action: its outputs, and what it printed."""
    output = work.parent / "output.txt"
    done = bash(
        f'bash "{ROOT}/integrations/github-check.sh"',
        work,
        GITHUB_OUTPUT=str(output),
        RUNNER_TEMP=str(work.parent),
        **inputs,
    )
    assert done.returncode == 0, done.stderr
    return dict(line.split("=", 1) for line in output.read_text(encoding="utf-8").splitlines()), done.stdout


def test_the_action_annotates_and_writes_sarif(pipeline: Path) -> None:
    outputs, printed = action(pipeline, SERQ_PATHS=".", SERQ_STRICT="true")
    assert outputs["exit-code"] == "1"
    assert re.search(r"^::error title=SQ0301.*file=wrong\.sq,line=13", printed, re.MULTILINE)
    results = json.loads(Path(outputs["sarif"]).read_text(encoding="utf-8"))["runs"][0]["results"]
    assert [item["ruleId"] for item in results] == ["SQ0301"]


def test_the_action_passes_a_right_program(pipeline: Path) -> None:
    (pipeline / "wrong.sq").write_text(RIGHT, encoding="utf-8")
    outputs, _ = action(pipeline, SERQ_ARGS="--error-on-warning --ignore SQ10")
    assert outputs["exit-code"] == "0"
    assert json.loads(Path(outputs["sarif"]).read_text(encoding="utf-8"))["runs"][0]["results"] == []


def test_the_action_tells_wrong_usage_apart(pipeline: Path) -> None:
    outputs, _ = action(pipeline, SERQ_PATHS="missing.sq")
    assert outputs == {"exit-code": "2", "sarif": ""}


def test_the_action_hands_every_input_on() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    script = (ROOT / "integrations/github-check.sh").read_text(encoding="utf-8")
    inputs = re.findall(r"^  (\S+):\n    description", text.partition("outputs:")[0], re.MULTILINE)
    assert inputs == ["paths", "version", "run", "strict", "args", "sarif"]
    page = (ROOT / "docs/integrations/ci.md").read_text(encoding="utf-8")
    for name in inputs:
        assert f"inputs.{name}" in text
        assert f"| `{name}` |" in page
    for variable in re.findall(r"SERQ_\w+(?=: \$\{\{ inputs)", text):
        assert variable in script or variable == "SERQ_VERSION"


def test_the_gitlab_job(pipeline: Path) -> None:
    text = (ROOT / "integrations/gitlab-ci.yml").read_text(encoding="utf-8")
    page = (ROOT / "docs/integrations/ci.md").read_text(encoding="utf-8")
    assert text.split("\n", 1)[1].strip() in page
    lines = re.findall(r"^    - (.+)$", text.partition("artifacts:")[0], re.MULTILINE)
    done = bash("set -eo pipefail\n" + "\n".join(lines), pipeline)
    assert done.returncode == 1, done.stderr
    report = json.loads((pipeline / "gl-code-quality.json").read_text(encoding="utf-8"))
    assert [item["check_name"].split()[0] for item in report] == ["SQ0301"]
    suites = ElementTree.parse(pipeline / "serq.xml").getroot()
    assert [item.get("type") for item in suites.iter("error")] == ["SQ0301"]
