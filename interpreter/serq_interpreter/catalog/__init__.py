"""Codes, names, severities and texts of every diagnostic; the bottom layer.

`entry(code)` imports only the module that carries the entry (`index.PLACES`), so that checking a correct program loads
no text but that of the rules which looked at it.  A rule carries its own entries: those modules stand above this layer
and are found by name, as a plug-in is.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.catalog.index import PLACES

__all__ = ["FAMILIES", "Entry", "Severity", "all_entries", "entry"]

FAMILIES = {
    "SQ00": "Editions; spawn and join",
    "SQ01": "Syntax, definitions and libraries",
    "SQ02": "Names",
    "SQ03": "Moments, hidden attributes, draws, registers",
    "SQ04": "Holds and pools",
    "SQ05": "Stages, runs and control",
    "SQ06": "Workload and sides",
    "SQ07": "Queues and relations",
    "SQ08": "Constants and settings",
    "SQ09": "Errors of a run",
    "SQ10": "Our own lints",
    "SQ11": "Progress and bounds",
    "SQ12": "Results of runs",
    "SQ13": "Findings of explorations",
}
"""First four characters of a code → the title of its family."""


@cache
def _entries(module: str) -> dict[str, Entry]:
    entries: tuple[Entry, ...] = import_module(f"serq_interpreter.{module}").ENTRIES
    return {item.code: item for item in entries}


def entry(code: str) -> Entry:
    """The entry of `code`; raises `KeyError` for a code that does not exist."""
    return _entries(PLACES[code])[code]


def all_entries() -> tuple[Entry, ...]:
    """Every entry, in the order of the codes."""
    return tuple(entry(code) for code in sorted(PLACES))
