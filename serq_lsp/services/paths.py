"""Completion of file names in `use "…"` and `trace "…"`: what the folder holds, relative to the file that says it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from serq_lsp.services.snapshot import Snapshot
from serq_lsp.services.tokens import comment_at

Listing = Callable[[str], Iterable[tuple[str, bool]]]
"""The entries of a folder: name, and whether it is a folder; nothing for one that cannot be read."""

MOST_ENTRIES = 1000
_OPENED = re.compile(r'(?<![\w.])(use|trace)\s*"([^"\n]*)$')
_ENDINGS = {"use": (".sq",), "trace": (".csv",)}
"""The files that are meant, by the word before the string."""


@dataclass(frozen=True, slots=True)
class PathEntry:
    """Replace the text from `start` to `end` by `label`, which ends with `/` for a folder.  Smaller ranks come first."""

    label: str
    is_folder: bool
    start: int
    end: int
    rank: int


def path_completion(snapshot: Snapshot, offset: int, entries_of: Listing) -> list[PathEntry] | None:
    """The entries that can stand at the cursor; `None` where no path of a file is written.

    Files of the kind that is meant come first, then folders, then other files.  What begins with a dot is offered after
    a dot only, a program not to itself, and a file not where the path goes on.
    """
    opened = _opened(snapshot, offset)
    if opened is None:
        return None
    word, before = opened
    folder, _, typed = before.rpartition("/")
    where = os.path.join(os.path.dirname(snapshot.file), folder + "/" if before.startswith("/") else folder)
    start, end = offset - len(typed), _end(snapshot.text, offset)
    goes_on = snapshot.text[end : end + 1] == "/"
    end += goes_on
    own = os.path.realpath(snapshot.file)
    found = []
    if not before.startswith("/") and set(folder.split("/")) <= {"", ".."}:
        found.append(PathEntry("../", True, start, end, 3))
    for name, is_folder in sorted(entries_of(where))[:MOST_ENTRIES]:
        written = not any(letter in name for letter in '"\n')
        if not written or name.startswith(".") > typed.startswith("."):
            continue
        if is_folder:
            found.append(PathEntry(f"{name}/", True, start, end, 1))
        elif not goes_on and os.path.realpath(os.path.join(where, name)) != own:
            rank = 0 if name.lower().endswith(_ENDINGS[word]) else 2
            found.append(PathEntry(name, False, start, end, rank))
    return sorted(found, key=lambda item: (item.rank, item.label))


def _opened(snapshot: Snapshot, offset: int) -> tuple[str, str] | None:
    """`use` or `trace`, and what is written of its string before the cursor; a text without a file has no folder."""
    if not snapshot.uri.startswith("file:") or comment_at(snapshot, offset) is not None:
        return None
    line = snapshot.text.rfind("\n", 0, offset) + 1
    match = _OPENED.search(snapshot.text[line:offset])
    return None if match is None else (match[1], match[2])


def _end(text: str, offset: int) -> int:
    """Where the part of the path ends that the cursor stands in; the cursor where the string is not closed yet."""
    stop = text.find("\n", offset)
    rest = text[offset : stop if stop >= 0 else len(text)]
    if '"' not in rest:
        return offset
    return offset + min(position for mark in '"/' if (position := rest.find(mark)) >= 0)
