"""The reference implementation as a judge of programs, in a child process with a time limit."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys

AVAILABLE = importlib.util.find_spec("pyserq") is not None

_CHILD = """
import json, sys
import pyserq
for text in json.load(sys.stdin):
    try:
        {judge}
    except ValueError as error:
        print(json.dumps(str(error).split(chr(10))[0]))
    else:
        print("null")
"""


def verdicts(programs: list[str], *, seconds: float = 60.0) -> list[str | None]:
    """For each program text `None` when it is accepted, else the first line of the reference's message.

    Raises `subprocess.TimeoutExpired` after `seconds`, and `CalledProcessError` when the child ends otherwise.
    """
    return _ask("pyserq.compile(source=text)", programs, seconds)


def ir_verdicts(files: list[str], *, seconds: float = 60.0) -> list[str | None]:
    """The same for texts of IR files."""
    return _ask("pyserq.Program.from_json(text)", files, seconds)


def _ask(judge: str, programs: list[str], seconds: float) -> list[str | None]:
    child = [sys.executable, "-c", _CHILD.replace("{judge}", judge)]
    done = subprocess.run(
        child, input=json.dumps(programs), capture_output=True, text=True, check=True, timeout=seconds, encoding="utf-8"
    )
    return [json.loads(line) for line in done.stdout.splitlines()]
