"""CONTRIBUTING.md is followed literally, in a copy of the project: a new rule is found by the tests as the recipe says."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STEP = re.compile(r"<!-- recipe: (.+?) -->\n```\w+\n(.*?)```", re.DOTALL)
COPIED = ("interpreter", "grammar/serq_grammar", "serq_lsp", "docs", "tests/rules", "tests/support", "pyproject.toml")


def copy_of_project(target: Path) -> None:
    for name in COPIED:
        source = ROOT / name
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target / name, ignore=shutil.ignore_patterns("__pycache__", "site"))
        else:
            shutil.copy(source, target / name)
    (target / "tests/__init__.py").touch()


def follow(step: str, text: str, project: Path) -> None:
    """Do one step of a recipe."""
    if step == "run":
        for line in text.strip().splitlines():
            run(line, project)
        return
    assert step.startswith("new "), step
    path = project / step.removeprefix("new ")
    assert not path.exists()
    path.write_text(text, encoding="utf-8")


def run(line: str, project: Path) -> None:
    paths = [str(project), str(project / "interpreter"), str(project / "grammar")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"}
    assert line.startswith("python "), line
    command = f'"{sys.executable}" {line.removeprefix("python ")}'
    done = subprocess.run(
        command, shell=True, cwd=project, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, f"{line}\n{done.stdout[-3000:]}{done.stderr[-2000:]}"


@pytest.mark.full
def test_the_recipe_of_a_rule(tmp_path: Path) -> None:
    steps = STEP.findall((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    assert [step.split()[0] for step, _ in steps] == ["new", "run"]
    copy_of_project(tmp_path)
    for step, text in steps:
        follow(step, text, tmp_path)
    assert (tmp_path / "docs/rules/SQ1050.md").is_file()
