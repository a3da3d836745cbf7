"""The cases of the edition v4b (`tests/corpus/spawn`): a program, and what is expected of it in its first comments.

The first line is that of the case corpus (`tests.support.cases`).  `// samples NAME: 1, 2` are the samples of an
observation in order, worked out by hand; `// report PATH: 3` is a number of the report, its path with dots (a pool or
stage by its name).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.cases import CORPUS, Expectation, expectation

FOLDER = CORPUS / "spawn"
_SAMPLES = re.compile(r"// samples (\w+): (.*)")
_REPORT = re.compile(r"// report ([\w.]+): (.*)")


@dataclass(frozen=True, slots=True)
class SpawnCase:
    """One case; `samples` by observation, `report` by path."""

    path: Path
    text: str
    expected: Expectation
    samples: dict[str, list[float]]
    report: dict[str, float]

    @property
    def name(self) -> str:
        return self.path.stem


def spawn_cases() -> Iterator[SpawnCase]:
    """Every case, in order of name.  Raises `ValueError` for one whose first line expects nothing."""
    for path in sorted(FOLDER.glob("*.sq")):
        text = path.read_text(encoding="utf-8")
        expected = expectation(text.split("\n", 1)[0])
        if expected is None:
            raise ValueError(f"{path.name}: its first line says nothing of what is expected")
        samples = {name: [float(word) for word in words.split(",")] for name, words in _SAMPLES.findall(text)}
        report = {name: float(word) for name, word in _REPORT.findall(text)}
        yield SpawnCase(path, text, expected, samples, report)


def number_at(report: dict[str, Any], path: str) -> float:
    """The number of a report at a path such as `trees.sessions.mean` or `pools.kv.stuck`."""
    value: Any = report
    for word in path.split("."):
        value = next(row for row in value if row["name"] == word) if isinstance(value, list) else value[word]
    return float(value)
