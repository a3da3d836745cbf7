"""Catalogue entries of our own limits, and of what cannot be read at all (SQ0190-SQ0194)."""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0190",
        name="nested-too-deeply",
        severity=Severity.ERROR,
        message="this nests more than 2000 levels deep",
        why="Brackets, blocks and operators within each other are read up to a fixed depth. It is our own limit and far "
        "above what people write; the language has none, and its other implementation crashes somewhere beyond.",
        help="give a part a name with `let`, `set` or `def`",
        unshown="a program that shows it has thousands of brackets",
    ),
    Entry(
        code="SQ0191",
        name="text-too-long",
        severity=Severity.ERROR,
        message="this text has {characters} characters; at most {limit} are read",
        why="A program of that size is most often a data file by mistake. It is our own limit, so that an editor stays "
        "responsive and memory is bounded.",
        help="rows of data belong into a file that `trace` reads",
        unshown="a program that shows it has millions of characters",
    ),
    Entry(
        code="SQ0192",
        name="expression-too-large",
        severity=Severity.ERROR,
        message="written out, this expression has more than {limit} parts",
        why="A binding is put into the ones after it wherever its name stands. A chain of bindings that each read the one "
        "before twice doubles at every step: twenty of them are a million parts. It is our own limit; the language has "
        "none, and its other implementation runs out of time or memory instead.",
        help="assign the intermediate value with `set` above the hold",
        unshown="a program that shows it has a long chain of bindings",
    ),
    Entry(
        code="SQ0193",
        name="malformed-ir",
        severity=Severity.ERROR,
        message="this IR cannot be read",
        why="An IR file is a closed data structure: every key has a form, every index names something. A file that is "
        "cut off, edited by hand or written for another version has no program in it that could be checked.",
        help="write the file again with `serq-lsp ir`",
        unshown="it is about IR files, not about program text",
        spec="08 §7",
    ),
    Entry(
        code="SQ0194",
        name="file-cannot-be-read",
        severity=Severity.ERROR,
        message="`{file}` cannot be read: {reason}",
        why="Nothing is known about a file that cannot be opened, so nothing can be said about its program.",
        help="check the path, the permissions and the encoding, which is UTF-8",
        unshown="it is about files, not about program text",
    ),
)
