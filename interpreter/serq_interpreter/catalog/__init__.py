"""Codes, names, severities and texts of every diagnostic; the bottom layer.

`entry(code)` imports only the family that the code belongs to, so that checking a
correct program loads no text at all.
"""

from __future__ import annotations

from importlib import import_module

from serq_interpreter.catalog.entry import Entry, Severity

__all__ = ["FAMILIES", "Entry", "Severity", "all_entries", "entry"]

FAMILIES = {
    "SQ01": "syntax",
    "SQ02": "names",
    "SQ03": "moments",
    "SQ04": "holds",
    "SQ05": "stages",
    "SQ06": "sides",
    "SQ07": "queues",
    "SQ08": "constants",
    "SQ09": "runtime",
    "SQ10": "lints",
    "SQ11": "progress",
    "SQ12": "results",
}
"""First four characters of a code → the module of this package whose `ENTRIES` hold it."""


def _family(module: str) -> dict[str, Entry]:
    entries: tuple[Entry, ...] = import_module(f"serq_interpreter.catalog.{module}").ENTRIES
    return {item.code: item for item in entries}


def entry(code: str) -> Entry:
    """The entry of `code`; raises `KeyError` for a code that does not exist."""
    module = FAMILIES.get(code[:4])
    if module is None:
        raise KeyError(code)
    return _family(module)[code]


def all_entries() -> tuple[Entry, ...]:
    """Every entry, in the order of the codes."""
    found = [item for module in FAMILIES.values() for item in _family(module).values()]
    return tuple(sorted(found, key=lambda item: item.code))
