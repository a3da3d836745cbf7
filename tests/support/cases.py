"""The case corpus: what the first line of a case says, and how a result is compared with it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

CORPUS = Path(__file__).resolve().parent.parent / "corpus"
CASES = CORPUS / "cases"
POSITIONS: dict[str, str] = json.loads((CORPUS / "oracle_positions.json").read_text(encoding="utf-8"))
"""Code → where the reference implementation points (`start`, `none`, `V; …`, …)."""

ERROR = re.compile(
    r"// expect: error (?:at (?:(?P<file>[^:\s]+):)?(?P<line>\d+):(?P<column>\d+)|\(no position\)) — \[(?P<code>SQ\d{4})\]"
)
RUN_ERROR = re.compile(r"// expect: ok, run error — \[(?P<code>SQ\d{4})\]")


@dataclass(frozen=True, slots=True)
class Expectation:
    """`code` is `None` for a program that is accepted; `run_code` is the error of its run."""

    code: str | None = None
    file: str | None = None
    line: int | None = None
    column: int | None = None
    run_code: str | None = None


@dataclass(frozen=True, slots=True)
class Case:
    path: Path
    text: str
    expected: Expectation

    @property
    def area(self) -> str:
        return self.path.parent.name

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def as_text(self) -> bool:
        """Whether the case is about a program that is no file."""
        return self.name == "syntax_use-from-text"


def all_cases() -> list[Case]:
    """Every program with an expectation, in order of path."""
    found = []
    for path in sorted(CASES.glob("*/*.sq")):
        text = path.read_bytes().decode("utf-8")
        expected = expectation(text.split("\n", 1)[0])
        if expected is not None:
            found.append(Case(path, text, expected))
    return found


def expectation(first_line: str) -> Expectation | None:
    """What a first line expects, `None` when it expects nothing (a library)."""
    if match := RUN_ERROR.match(first_line):
        return Expectation(run_code=match["code"])
    if match := ERROR.match(first_line):
        line, column = match["line"], match["column"]
        return Expectation(match["code"], match["file"], int(line) if line else None, int(column) if column else None)
    return Expectation() if first_line.startswith("// expect: ok") else None
