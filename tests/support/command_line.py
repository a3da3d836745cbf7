"""Commands of serq-lsp, in this process or in their own."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from serq_lsp.cli.main import run_command_line

ROOT = Path(__file__).resolve().parent.parent.parent


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended: its exit code and what it wrote."""

    code: int
    out: str
    err: str


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> Ended:
    """The command in this process."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        run_command_line([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return Ended(int(ended.value.code or 0), captured.out, captured.err)


def start(*arguments: str, cwd: Path | None = None) -> subprocess.Popen[str]:
    """The command in a process of its own, its streams piped."""
    paths = [str(ROOT), str(ROOT / "interpreter"), str(ROOT / "grammar")]
    return subprocess.Popen(
        [sys.executable, "-m", "serq_lsp", *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths), "NO_COLOR": "1"},
    )


def spawn(*arguments: str, given: str = "", cwd: Path | None = None) -> Ended:
    """Run the command in a process of its own to its end."""
    process = start(*arguments, cwd=cwd)
    out, err = process.communicate(given, timeout=120)
    return Ended(process.returncode, out, err)
