"""The sample files of a run: one CSV per observation and per gauge (07 §8)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from serq_interpreter.machine.gauges import GaugeSeries
from serq_interpreter.machine.numbers import number_text
from serq_interpreter.machine.observations import Series
from serq_interpreter.machine.trees import Trees

_PLAIN_NAME = re.compile(r"[A-Za-z0-9_.\-]+")


def observation_csv(series: Series) -> Iterator[str]:
    """Lines `time,session,turn,value`, a header first.  The series must have been recorded with places."""
    if series.times is None or series.sessions is None or series.turns is None:
        raise ValueError(f"observation {series.name!r} was recorded without times, sessions and turns")
    yield "time,session,turn,value\n"
    for time, session, turn, value in zip(series.times, series.sessions, series.turns, series.values, strict=True):
        yield f"{number_text(time)},{session},{turn},{number_text(value)}\n"


def gauge_csv(series: GaugeSeries) -> Iterator[str]:
    """Lines `time,value` of the change points, a header first."""
    yield "time,value\n"
    for time, value in zip(series.times, series.values, strict=True):
        yield f"{number_text(time)},{number_text(value)}\n"


def tree_csv(trees: Trees, observations: Iterable[str]) -> Iterator[str]:
    """Lines `root,sessions,depth,span` and two columns per observation, one line a session tree (edition v4b)."""
    columns = [f"{part} {name}" for name in observations for part in ("count", "total")]
    yield ",".join(("root", "sessions", "depth", "span", *columns)) + "\n"
    for row in trees.rows():
        yield ",".join(number_text(value) for value in row) + "\n"


def dump(
    directory: str | Path,
    observations: Iterable[Series],
    gauges: Iterable[GaugeSeries],
    trees: Trees | None = None,
) -> list[Path]:
    """Write `NAME.csv` for each observation, `gauge/NAME.csv` for each gauge, `tree/trees.csv`; the paths written.

    Raises `OSError` where the directory or a file cannot be written.
    """
    root = Path(directory)
    root.mkdir(parents=True, exist_ok=True)
    observations = list(observations)
    written = [_write(root / file_name(series.name), observation_csv(series)) for series in observations]
    gauges = list(gauges)
    if gauges:
        (root / "gauge").mkdir(exist_ok=True)
    written += [_write(root / "gauge" / file_name(series.name), gauge_csv(series)) for series in gauges]
    if trees is not None:
        (root / "tree").mkdir(exist_ok=True)
        written.append(_write(root / "tree" / "trees.csv", tree_csv(trees, [series.name for series in observations])))
    return written


def file_name(name: str) -> str:
    """`NAME.csv`; a name that only an IR file can carry has other characters replaced, so that it stays in DIR."""
    if _PLAIN_NAME.fullmatch(name) and not name.startswith("."):
        return f"{name}.csv"
    return f"{re.sub(r'[^A-Za-z0-9_-]', '_', name) or '_'}.csv"


def _write(path: Path, lines: Iterable[str]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        file.writelines(lines)
    return path
