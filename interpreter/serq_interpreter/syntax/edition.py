"""Which edition of the language a text asks for: `// serq: edition v4b` among its first comment lines.

`0.1.3` is the language as the reference reads it; `v4b` adds `spawn` and `join NAME` (docs/language/spawn.md).  No word is
reserved by either: what the extension adds is recognised by its form, and refused where the edition does not have it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

BASE = "0.1.3"
EXTENDED = "v4b"
EDITIONS = (BASE, EXTENDED)
LINE = f"// serq: edition {EXTENDED}"
"""The line that turns the extension on."""

_WORD = "edition"
_BLANK = r"(?s)(?:\s+|/\*.*?\*/)*"
_FORM = r"//\s*serq:\s*edition\b\s*(\S*)"


class Declared(NamedTuple):
    """An edition line: the word as written and where it stands in the text (the whole comment if there is no word)."""

    word: str
    start: int
    end: int


def declared_edition(text: str) -> Declared | None:
    """The edition line among the comments before the first token, the first of several; `None` without one."""
    if _WORD not in text:
        return None  # most texts: no pattern is compiled for them
    at = _skip(text, 0)
    while text.startswith("//", at):
        end = text.find("\n", at)
        comment = text[at:] if end < 0 else text[at:end]
        found = re.match(_FORM, comment)
        if found is not None:
            start, stop = found.span(1) if found[1] else (0, len(comment.rstrip()))
            return Declared(found[1], at + start, at + stop)
        at = _skip(text, at + len(comment))
    return None


def edition_of(text: str, setting: str = "") -> str:
    """The edition of a text: what it says itself, then `setting`, then `0.1.3`; an unknown word says nothing."""
    declared = declared_edition(text)
    for word in (declared.word if declared is not None else "", setting):
        if word in EDITIONS:
            return word
    return BASE


def _skip(text: str, at: int) -> int:
    """Past blank space and block comments."""
    blank = re.compile(_BLANK).match(text, at)
    return at if blank is None else blank.end()
