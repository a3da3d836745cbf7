"""Settings of the command line from `serq.toml` or `[tool.serq]` of `pyproject.toml`.

The nearest file above a checked path counts; a flag on the command line wins over it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any

import click


@dataclass(frozen=True, slots=True)
class Configuration:
    """`strict` turns the warnings about hold-and-wait into errors; `run` is `off`, `quick` or `full`."""

    strict: bool = False
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    error_on_warning: bool = False
    run: str = "off"
    thresholds: dict[str, float] = field(default_factory=dict)
    exclude: tuple[str, ...] = ()
    file: Path | None = None


class BadConfiguration(click.ClickException):
    """A settings file that cannot be read or holds something else than settings."""


@cache
def configuration_for(folder: Path) -> Configuration:
    """The settings that hold in `folder`; raises `BadConfiguration`."""
    for place in (folder, *folder.parents):
        own = place / "serq.toml"
        if own.is_file():
            return _read(own, _load(own))
        project = place / "pyproject.toml"
        if project.is_file() and b"serq" in project.read_bytes():
            # Reading TOML is not cheap at start-up: most projects' files do not speak of us at all.
            table = _load(project).get("tool", {}).get("serq")
            if table is not None:
                return _read(project, table)
    return Configuration()


def _load(path: Path) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadConfiguration(f"{path}: cannot be read as TOML: {error}") from error


def _read(path: Path, table: dict[str, Any]) -> Configuration:
    flat = dict(table)
    check = flat.pop("check", {})
    if isinstance(check, dict):
        flat.update(check)
    known = {item.name for item in fields(Configuration)} - {"file"}
    values: dict[str, Any] = {}
    for key, value in flat.items():
        name = key.replace("-", "_")
        if name not in known:
            raise BadConfiguration(f"{path}: unknown setting `{key}`; known are {', '.join(sorted(known))}")
        values[name] = _value(path, key, name, value)
    return Configuration(**values, file=path)


def _value(path: Path, key: str, name: str, value: Any) -> Any:
    if name in ("strict", "error_on_warning"):
        if isinstance(value, bool):
            return value
        raise BadConfiguration(f"{path}: `{key}` is true or false, not {value!r}")
    if name == "run":
        if value in ("off", "quick", "full"):
            return value
        raise BadConfiguration(f'{path}: `{key}` is "off", "quick" or "full", not {value!r}')
    if name == "thresholds":
        if isinstance(value, dict) and all(_is_number(item) for item in value.values()):
            return {str(item): float(limit) for item, limit in value.items()}
        raise BadConfiguration(f"{path}: `{key}` is a table of numbers, not {value!r}")
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise BadConfiguration(f"{path}: `{key}` is a list of strings, not {value!r}")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
