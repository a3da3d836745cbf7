"""CONTRIBUTING.md is followed literally, each recipe in a copy of the project: it works, or the text is wrong."""

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
PLACED = re.compile(r"(before|replace) '(.+)' in (\S+)")
RECIPE = re.compile(r"^### (.+?)\n(.*?)(?=^###? |\Z)", re.DOTALL | re.MULTILINE)
COPIED = ("interpreter", "grammar", "serq_lsp", "docs", "editors/vscode/package.json", "tests", "pyproject.toml")
LEFT_OUT = shutil.ignore_patterns("__pycache__", "site", "corpus", "node_modules", "e2e")


def copy_of_project(target: Path) -> None:
    for name in COPIED:
        source = ROOT / name
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target / name, ignore=LEFT_OUT)
        else:
            shutil.copy(source, target / name)


def follow(step: str, text: str, project: Path) -> None:
    """Do one step of a recipe."""
    if step == "run":
        for line in text.strip().splitlines():
            run(line, project)
        return
    if step.startswith("new "):
        path = project / step.removeprefix("new ")
        assert not path.exists()
        path.write_text(text, encoding="utf-8")
        return
    found = PLACED.fullmatch(step)
    assert found, step
    kind, old, name = found.groups()
    before = (project / name).read_text(encoding="utf-8")
    assert before.count(old) == 1, f"{name} has {old!r} {before.count(old)} times"
    new = text + old if kind == "before" else text.removesuffix("\n")
    (project / name).write_text(before.replace(old, new), encoding="utf-8")


def run(line: str, project: Path) -> None:
    paths = [str(project), str(project / "interpreter"), str(project / "grammar")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"}
    assert line.startswith("python "), line
    command = f'"{sys.executable}" {line.removeprefix("python ")}'
    done = subprocess.run(
        command, shell=True, cwd=project, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, f"{line}\n{done.stdout[-3000:]}{done.stderr[-2000:]}"


def recipes() -> dict[str, list[tuple[str, str]]]:
    """Title of each recipe with steps → its steps."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return {title: steps for title, body in RECIPE.findall(text) if (steps := STEP.findall(body))}


def test_what_has_a_recipe() -> None:
    titles = ["A rule of our own (SQ10xx)", "A construct", "An editor feature", "A machine behaviour"]
    assert list(recipes()) == titles
    rule = [step.split()[0] for step, _ in recipes()[titles[0]]]
    assert rule == ["new", "run"], "a rule is one new file"


@pytest.mark.full
@pytest.mark.parametrize("title", recipes())
def test_a_recipe_works_as_it_stands(title: str, tmp_path: Path) -> None:
    copy_of_project(tmp_path)
    for step, text in recipes()[title]:
        follow(step, text, tmp_path)
