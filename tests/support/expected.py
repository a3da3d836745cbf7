"""What an `.expect.json` of the corpus records of a run."""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import inf, nan
from pathlib import Path
from typing import Any

_WORDS = {"inf": inf, "-inf": -inf, "nan": -nan}
"""Arithmetic gives a NaN with its sign bit set."""


@dataclass(frozen=True, slots=True)
class Samples:
    times: tuple[float, ...]
    sessions: tuple[int, ...]
    turns: tuple[int, ...]
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class ChangePoints:
    times: tuple[float, ...]
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Expected:
    """`series` and `gauges` are empty where the case records the report only."""

    seed: int
    report: dict[str, Any]
    series: dict[str, Samples]
    gauges: dict[str, ChangePoints]


def expected_samples(path: Path) -> Expected:
    """The recorded run in `path`, a `NAME.expect.json`."""
    data = json.loads(path.read_text(encoding="utf-8"))
    series = {
        name: Samples(
            _reals(recorded["times"]),
            tuple(recorded["sessions"]),
            tuple(recorded["turns"]),
            _reals(recorded["values"] if "values" in recorded else recorded["samples"]),
        )
        for name, recorded in data.get("samples", {}).items()
    }
    gauges = {
        name: ChangePoints(_reals(recorded["times"]), _reals(recorded["values"]))
        for name, recorded in data.get("gauges", {}).items()
    }
    return Expected(data["seed"], data["report"], series, gauges)


def _reals(values: list[Any]) -> tuple[float, ...]:
    return tuple(_WORDS[v] if isinstance(v, str) else v for v in values)
