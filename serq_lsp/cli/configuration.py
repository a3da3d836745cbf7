"""Settings of the command line from `serq.toml` or `[tool.serq]` of `pyproject.toml`.

The nearest file above a checked path counts; a flag on the command line wins over it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import field
from functools import cache
from math import isnan
from pathlib import Path
from typing import Any

import click

from serq_interpreter.record import fact
from serq_interpreter.syntax.edition import EDITIONS

THRESHOLDS = ("stuck", "wait-cycles", "rejected", "over-cap", "idle-with-work", "failed-claims")
"""What `thresholds` can name; `serq_lsp.cli.trial` says what each counts."""


@fact
class Configuration:
    """`strict` turns the warnings about hold-and-wait into errors; `run` is `off`, `quick` or `full`."""

    strict: bool = False
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    error_on_warning: bool = False
    run: str = "off"
    thresholds: dict[str, float] = field(default_factory=dict)
    edition: str = ""
    """The edition of files that name none themselves."""
    exclude: tuple[str, ...] = ()
    file: Path | None = None


class BadConfiguration(click.ClickException):
    """A settings file that cannot be read or holds something else than settings."""


_OUR_TABLE = re.compile(
    rb"""tool\s*["']?\s*\.\s*["']?serq\b | \[\s*["']?tool["']?\s*\] | \btool["']?\s*= | \\[uU]""", re.VERBOSE
)
"""What a file with a table `tool.serq` has somewhere: its name, the table above it, or an escape that may spell them."""


@cache
def configuration_for(folder: Path) -> Configuration:
    """The settings that hold in `folder`; raises `BadConfiguration`."""
    for place in (folder, *folder.parents):
        own = place / "serq.toml"
        if _is_file(own):
            return _read(own, _load(own))
        project = place / "pyproject.toml"
        if _is_file(project) and _OUR_TABLE.search(_bytes(project)):
            # Reading TOML is not cheap at start-up: most projects' files have no settings of ours.
            tools = _load(project).get("tool", {})
            table = tools.get("serq") if isinstance(tools, dict) else None
            if table is not None:
                return _read(project, table)
    return Configuration()


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError as error:
        raise BadConfiguration(f"{path}: cannot be read: {error.strerror}") from error


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadConfiguration(f"{path}: cannot be read: {error.strerror}") from error


def _load(path: Path) -> dict[str, Any]:
    import tomllib

    content = _bytes(path)
    try:
        return tomllib.loads(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise BadConfiguration(f"{path}: cannot be read: byte {error.start} is not UTF-8") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadConfiguration(f"{path}: cannot be read as TOML: {error}") from error


def _read(path: Path, table: object) -> Configuration:
    if not isinstance(table, dict):
        raise BadConfiguration(f"{path}: `tool.serq` is a table of settings, not {table!r}")
    flat = dict(table)
    check = flat.pop("check", {})
    if not isinstance(check, dict):
        raise BadConfiguration(f"{path}: `check` is a table of settings, not {check!r}")
    flat.update(check)
    known = set(Configuration.__match_args__) - {"file"}
    values: dict[str, Any] = {}
    for key, value in flat.items():
        name = key.replace("-", "_")
        if name not in known:
            raise BadConfiguration(f"{path}: unknown setting `{key}`; known are {', '.join(sorted(known))}")
        values[name] = _READERS[name](path, key, value)
    return Configuration(**values, file=path)


# --------------------------------------------------------------------------- one setting


def _truth(path: Path, key: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise BadConfiguration(f"{path}: `{key}` is true or false, not {value!r}")


def _run_mode(path: Path, key: str, value: object) -> str:
    if isinstance(value, str) and value in ("off", "quick", "full"):
        return value
    raise BadConfiguration(f'{path}: `{key}` is "off", "quick" or "full", not {value!r}')


def _edition(path: Path, key: str, value: object) -> str:
    if isinstance(value, str) and value in EDITIONS:
        return value
    raise BadConfiguration(f"{path}: `{key}` is {' or '.join(EDITIONS)}, as a string, not {value!r}")


def _thresholds(path: Path, key: str, value: object) -> dict[str, float]:
    if not isinstance(value, dict):
        raise BadConfiguration(f"{path}: `{key}` is a table of numbers, not {value!r}")
    limits: dict[str, float] = {}
    for word, limit in value.items():
        name = word.replace("_", "-")
        if name not in THRESHOLDS:
            raise BadConfiguration(f"{path}: unknown threshold `{word}`; known are {', '.join(THRESHOLDS)}")
        if isinstance(limit, bool) or not isinstance(limit, int | float) or isnan(limit) or limit < 0:
            raise BadConfiguration(f"{path}: `{key}.{word}` is a number from 0 on, not {limit!r}")
        limits[name] = float(limit)
    return limits


def _strings(path: Path, key: str, value: object) -> tuple[str, ...]:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise BadConfiguration(f"{path}: `{key}` is a list of strings, not {value!r}")


def _codes(path: Path, key: str, value: object) -> tuple[str, ...]:
    from serq_lsp.cli.selection import split, unknown

    words = split(_strings(path, key, value))
    wrong = unknown(words)
    if wrong is not None:
        raise BadConfiguration(f"{path}: `{key}`: no diagnostic has the code or name `{wrong}`")
    return words


def _patterns(path: Path, key: str, value: object) -> tuple[str, ...]:
    from serq_lsp.cli.discovery import bad_pattern

    patterns = _strings(path, key, value)
    wrong = bad_pattern(patterns)
    if wrong is not None:
        raise BadConfiguration(f"{path}: `{key}`: {wrong!r} is no pattern")
    return patterns


_READERS: dict[str, Callable[[Path, str, object], Any]] = {
    "strict": _truth,
    "error_on_warning": _truth,
    "run": _run_mode,
    "thresholds": _thresholds,
    "edition": _edition,
    "select": _codes,
    "ignore": _codes,
    "exclude": _patterns,
}
