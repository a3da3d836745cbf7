"""Fixes: edits of the text as written.

Nothing inside the expansion of a definition or in a library is edited (03 §1), so every function here returns no fix
when one of its places came from an expansion.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from serq_interpreter.catalog.vocabulary import LANGUAGE_WORDS, SUPPLIED_NAMES
from serq_interpreter.semantics import tree
from serq_interpreter.syntax.tokens import Edit, Fix, Place


def text_of(place: Place) -> str:
    """The text at `place`."""
    return place.chunk.text[place.start : place.end]


def inside(place: Place, outer: Place) -> bool:
    """Whether `place` is written within `outer`."""
    return place.chunk is outer.chunk and outer.start <= place.start and place.end <= outer.end


def replace(title: str, place: Place, text: str, *, safe: bool = False) -> tuple[Fix, ...]:
    """Replace what stands at `place`."""
    return _fix(title, (Edit(place, text),), safe=safe)


def delete(title: str, place: Place, *, safe: bool = False) -> tuple[Fix, ...]:
    """Delete `place` with the blank space before it, or with its line when it stands alone there."""
    text = place.chunk.text
    start, end = place.start, place.end
    while start > 0 and text[start - 1] in " \t":
        start -= 1
    alone = (start == 0 or text[start - 1] == "\n") and (end == len(text) or text[end] == "\n")
    if alone and start > 0:
        start -= 1
    return _fix(title, (Edit(Place(place.chunk, start, end, place.via), ""),), safe=safe)


def insert_before(title: str, place: Place, text: str, *, safe: bool = False) -> tuple[Fix, ...]:
    """Insert a statement before the one at `place`, on a line of its own when that begins a line."""
    return _fix(title, (statement_before(place, text),), safe=safe)


def statement_before(place: Place, text: str) -> Edit:
    """The edit of `insert_before`."""
    indent = _indent(place)
    glue = " " if indent is None else "\n" + indent
    return Edit(Place(place.chunk, place.start, place.start, place.via), text + glue)


def insert_after(title: str, place: Place, text: str, *, safe: bool = False) -> tuple[Fix, ...]:
    """Insert a statement or item after the one at `place`."""
    indent = _indent(place)
    glue = " " if indent is None else "\n" + indent
    return _fix(title, (Edit(Place(place.chunk, place.end, place.end, place.via), glue + text),), safe=safe)


def append(title: str, place: Place, text: str, *, safe: bool = False) -> tuple[Fix, ...]:
    """Add `text` directly after `place`."""
    return _fix(title, (Edit(Place(place.chunk, place.end, place.end, place.via), text),), safe=safe)


def together(title: str, edits: Iterable[Edit], *, safe: bool = False) -> tuple[Fix, ...]:
    """Several edits that are applied as one."""
    return _fix(title, tuple(edits), safe=safe)


def _fix(title: str, edits: tuple[Edit, ...], *, safe: bool) -> tuple[Fix, ...]:
    if any(edit.place.via is not None for edit in edits):
        return ()
    return (Fix(title, edits, safe=safe),)


def _indent(place: Place) -> str | None:
    """The blank space before `place` when it begins its line, else `None`."""
    text = place.chunk.text
    line = text.rfind("\n", 0, place.start) + 1
    before = text[line : place.start]
    return None if before.strip() else before


def fresh_name(program: tree.Elaborated, chunk_text: str, wish: str) -> str:
    """A name like `wish` that means nothing in the program."""
    taken = {*program.attributes, *program.constants, *program.unparsed, *SUPPLIED_NAMES, *LANGUAGE_WORDS}
    taken.update(name for _, name in program.registers)
    taken.update(re.findall(r"[^\W\d]\w*", chunk_text))
    name, number = wish, 1
    while name in taken:
        number += 1
        name = f"{wish}{number}"
    return name


def first_word(place: Place) -> Place:
    """The word that `place` begins with."""
    found = re.match(r"\w+", text_of(place))
    return place if found is None else Place(place.chunk, place.start, place.start + found.end(), place.via)


_BLANK = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)


def in_entry(place: Place) -> bool:
    """Whether `place` stands in a `queue` item, where a header does not read what the entry set (02 §14.3)."""
    blank = _BLANK.match(place.chunk.text)
    return place.chunk.text.startswith("queue", blank.end() if blank else 0)


def move_behind(title: str, place: Place, behind: Place) -> tuple[Fix, ...]:
    """Move the statement at `place` behind the one at `behind`, which it stands in: a change that needs a look."""
    if not inside(place, behind):
        return ()
    (removed,) = delete(title, place) or (None,)
    (added,) = insert_after(title, behind, text_of(place)) or (None,)
    if removed is None or added is None:
        return ()
    return (Fix(title, (*removed.edits, *added.edits)),)


def drop_from_list(title: str, place: Place) -> tuple[Fix, ...]:
    """Take the name at `place` out of a comma list, or the whole clause (`word name;`) when it is the only one."""
    text = place.chunk.text
    before = re.search(r",\s*$", text[: place.start])
    after = re.match(r"\s*,\s*", text[place.end :])
    if before is not None:
        return _fix(title, (Edit(Place(place.chunk, before.start(), place.end, place.via), ""),), safe=False)
    if after is not None:
        return _fix(title, (Edit(Place(place.chunk, place.start, place.end + after.end(), place.via), ""),), safe=False)
    clause = re.search(r"[A-Za-z]+\s*$", text[: place.start])
    semicolon = re.match(r"\s*;", text[place.end :])
    if clause is None or semicolon is None:
        return ()
    return delete(title, Place(place.chunk, clause.start(), place.end + semicolon.end(), place.via))
