"""Neovim and Emacs ask the server with the configurations of `editors/`: diagnostics, hover, definition."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.editor

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
STUB = HERE.parent / "vscode" / "fixtures" / "stub"
PROGRAM = """\
stage line : fifo;
workload { arrive poisson(0.5); }
session {
  set late = decoding;
  run line (late);
}
run { horizon 10; seed 1; }
"""
MISTAKE_LINE = 4
USE = "5:8"
"""The use of the stage `line`, declared on line 1."""


def server_command() -> tuple[list[str], dict[str, str]]:
    """The project's server, or the stand-in until it has the command `lsp`."""
    real = [sys.executable, "-P", "-m", "serq_lsp", "lsp"]
    there = (
        os.environ.get("SERQ_E2E_SERVER") != "stub"
        and subprocess.run([*real, "--help"], capture_output=True, check=False, timeout=60).returncode == 0
    )
    if there:
        return real, {}
    return [sys.executable, "-m", "serq_lsp", "lsp"], {"PYTHONPATH": str(STUB)}


def needed(program: str) -> str:
    """The program's path; a missing one skips the test and says how to get it."""
    path = shutil.which(program)
    if path is None:
        pytest.skip(f"{program.upper()} IS NOT INSTALLED: tests/e2e/editors/setup.sh installs it where it can")
    return path


def probe(arguments: list[str], editor: str, folder: Path) -> dict[str, Any]:
    """What an editor answers about the program, as its probe prints it."""
    file = folder / "wrong.sq"
    file.write_text(PROGRAM, encoding="utf-8")
    command, environment = server_command()
    env = {
        **os.environ,
        **environment,
        "HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "SERQ_SERVER": json.dumps(command),
        "SERQ_FILE": str(file),
        "SERQ_AT": USE,
        "SERQ_EDITOR": str(ROOT / "editors" / editor),
    }
    result = subprocess.run(arguments, env=env, cwd=folder, capture_output=True, text=True, check=False, timeout=120)
    lines = [line for line in result.stdout.splitlines() if line.startswith("{")]
    assert lines, f"status {result.returncode}\n{result.stdout[-2000:]}\n{result.stderr[-4000:]}"
    answer: dict[str, Any] = json.loads(lines[-1])
    return answer


def check_answers(answer: dict[str, Any]) -> None:
    assert any(found["line"] == MISTAKE_LINE and "decoding" in found["message"] for found in answer["diagnostics"])
    assert "line" in json.dumps(answer["hover"])
    definition = answer["definition"]
    place = definition[0] if isinstance(definition, list) else definition
    start = (place.get("range") or place.get("targetSelectionRange"))["start"]
    assert start == {"line": 0, "character": 6}


def test_neovim(tmp_path: Path) -> None:
    nvim = needed("nvim")
    answer = probe(
        [nvim, "--headless", "-u", "NONE", "-i", "NONE", "-c", f"luafile {HERE / 'probe.lua'}"], "neovim", tmp_path
    )
    check_answers(answer)
    assert answer["filetype"] == "serq"
    assert answer["comments"] == "// %s"
    assert answer["syntax"] == "serq"
    assert {"SerqRun", "SerqSweep", "SerqCompare"} <= set(answer["commands"])


def test_emacs(tmp_path: Path) -> None:
    emacs = needed("emacs")
    eglot = subprocess.run(
        [emacs, "--batch", "--eval", "(progn (package-initialize) (require 'eglot))"],
        capture_output=True,
        check=False,
    )
    if eglot.returncode != 0:
        pytest.skip("EGLOT IS NOT INSTALLED: tests/e2e/editors/setup.sh installs it where it can")
    answer = probe([emacs, "--batch", "-l", str(HERE / "probe.el")], "emacs", tmp_path)
    check_answers(answer)
    assert answer["mode"] == "serq-mode"
    assert answer["face"] == "font-lock-keyword-face"
    assert answer["indent"] == 2
    assert answer["comment"] == "// "
