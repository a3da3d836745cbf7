"""Catalogue entries of libraries and what they grow to (SQ0150-SQ0154)."""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0150",
        name="use-without-file",
        severity=Severity.ERROR,
        message="a program that is no file cannot `use` a library",
        why="The path of a library is relative to the file that says it. A text from a pipe or an unsaved buffer has no "
        "directory to start from.",
        help="save the program as a file",
        unshown="the same text is right in a file",
        spec="01 §3",
    ),
    Entry(
        code="SQ0151",
        name="library-not-readable",
        severity=Severity.ERROR,
        message="the library `{path}` cannot be read: {reason}",
        why="The definitions of a library belong to the program from its `use` on. Without them the uses below have no "
        "meaning, so they are not judged.",
        help="the path is relative to the directory of this file",
        unshown="it depends on which files exist",
        spec="01 §3",
    ),
    Entry(
        code="SQ0152",
        name="not-a-definition-in-library",
        severity=Severity.ERROR,
        message="a library holds definitions and uses only; this item starts with `{found}`",
        why="A library is shared by programs with pools and stages of their own. Whatever declares or runs something "
        "belongs to one program, and a library that held it would change the others.",
        help="move it to the program, or make it a definition",
        unshown="it takes two files",
        spec="01 §3",
    ),
    Entry(
        code="SQ0153",
        name="open-item-in-library",
        severity=Severity.ERROR,
        message="this item does not end in its file",
        why="A library is read as a whole before the program goes on behind its `use`. An item that the file breaks off "
        "would take the program's own lines into its body.",
        help="close it in the library",
        unshown="it takes two files",
        spec="01 §3",
    ),
    Entry(
        code="SQ0154",
        name="program-too-large",
        severity=Severity.ERROR,
        message="with the library `{path}` the program has more than {limit} tokens",
        why="Program and libraries are read as one text, and the size of that text is limited whether the definitions in "
        "it are used or not.",
        help="use smaller libraries",
        unshown="it takes a library of that size",
        spec="01 §3",
    ),
)
