"""Instances: values of constants that the settings give to some files, as `--set NAME=EXPR` gives them.

The setting `values` maps file patterns to values, or to the path of an instance file, which holds them:

    "serq.values": {"chat.sq": {"rate": 2.5, "cap": "2 * 1024"}, "sweeps/*.sq": "large.toml"}

A pattern is compared with the end of the path; later ones add to and replace what earlier ones gave.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from serq_interpreter.files import FileError
from serq_interpreter.frontend.diagnostic import Diagnostic, Location, Position
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import place_of

if TYPE_CHECKING:
    from serq_lsp.services.snapshot import Snapshot

Read = Callable[[str], str]
"""The text of a file; raises `FileError`."""


@dataclass(frozen=True, slots=True)
class Instance:
    """`sets` are the constants' expressions by name, `files` the instance files that were looked at, real or not."""

    sets: dict[str, str] = field(default_factory=dict)
    files: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    label: str = ""
    """In a few words for a hint: `rate = 2.5`, or the instance file's name."""


NOTHING = Instance()


def instance_of(values: Mapping[str, Any], file: str, read: Read) -> Instance:
    """The instance of a program at `file`; instance files are looked up relative to it."""
    sets: dict[str, str] = {}
    files: list[str] = []
    problems: list[str] = []
    labels: list[str] = []
    for pattern, given in values.items():
        if not _matches(file, pattern):
            continue
        if isinstance(given, str):
            path = os.path.normpath(os.path.join(os.path.dirname(file), given))
            files.append(path)
            given = _loaded(path, read, problems)
            labels.append(os.path.basename(path))
        else:
            labels.extend(f"{name} = {_text(value)}" for name, value in given.items())
        sets.update({name: _text(value) for name, value in given.items()})
    if not files and not sets:
        return NOTHING
    return Instance(sets, tuple(files), tuple(problems), _short(labels))


def _matches(file: str, pattern: str) -> bool:
    return bool(pattern) and PurePath(file).match(pattern)


def _text(value: object) -> str:
    return value if isinstance(value, str) else repr(value)


MOST_LABELS = 3


def _short(labels: list[str]) -> str:
    more = len(labels) - MOST_LABELS
    return ", ".join(labels[:MOST_LABELS]) + (f" and {more} more" if more > 0 else "")


def _loaded(path: str, read: Read, problems: list[str]) -> dict[str, Any]:
    """The table of an instance file; what is wrong with it goes to `problems`."""
    try:
        table = _parsed(path, read(path))
    except (FileError, ValueError) as error:
        problems.append(f"{path}: {error}")
        return {}
    if not isinstance(table, dict):
        problems.append(f"{path}: an instance file is a table of constants")
        return {}
    good = {}
    for name, value in table.items():
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            good[name] = value
        else:
            problems.append(f"{path}: the value of `{name}` is a number or an expression in quotes")
    return good


def _parsed(path: str, text: str) -> Any:
    """Raises `ValueError`."""
    if path.endswith(".json"):
        return json.loads(text)
    import tomllib

    return tomllib.loads(text)


# --------------------------------------------------------------------------- what is wrong with the values

_OVERRIDE = "--set "
"""How the front end calls the text of a value; the rest is the constant's name."""


def instance_diagnostics(snapshot: Snapshot) -> Iterator[Diagnostic]:
    """What is wrong with the values themselves, at the constants they replace, else at the start of the text."""
    for item in snapshot.analysis.diagnostics:
        if item.file.startswith(_OVERRIDE):
            message = f"value given by the setting `serq.values`: {item.message}"
            at = _at_constant(snapshot, item.file.removeprefix(_OVERRIDE))
            yield replace(item, message=message, location=at, related=(), fixes=())


def _at_constant(snapshot: Snapshot, name: str) -> Location:
    layout = snapshot.document.sources[0].layout
    start = end = 0
    for item in snapshot.document.tree.items:
        if isinstance(item, nodes.LetItem) and item.name.text == name and item.name.chunk in layout.offsets:
            place = place_of(item.name)
            start, end = (layout.offsets[item.name.chunk] + offset for offset in (place.start, place.end))
    lines = snapshot.lines
    return Location(snapshot.file, Position(*lines.line_column(start)), Position(*lines.line_column(end)), start, end)
