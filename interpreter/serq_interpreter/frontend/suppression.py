"""Suppression comments: `// serq: allow(CODE-or-name) reason`.

A comment at the end of a line holds for that line, one on a line of its own for the next line that has code.  It
applies to warnings and to our own lints (SQ10xx and above), never to what the language itself refuses.

What a run shows (SQ12xx) is judged by the run alone: its warnings can be silenced, its errors cannot, and a comment
about it is not reported as unused, since another seed or a longer run may show what this one did not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from serq_interpreter.catalog import Severity
from serq_interpreter.frontend.diagnostic import Diagnostic
from serq_interpreter.frontend.wording import Wording
from serq_interpreter.record import struct
from serq_interpreter.syntax.document import Document, Source
from serq_interpreter.syntax.tokens import Edit, Finding, Fix, Place, Token

FORM = re.compile(r"//\s*serq:\s*allow\s*\(([^)]*)\)(.*)")


@struct
class Suppression:
    """One word of one comment: `line` (1-based) is the line it speaks of."""

    word: str
    token: Token
    line: int
    used: bool = False

    def covers(self, diagnostic: Diagnostic) -> bool:
        """Whether it names this diagnostic, wherever that stands."""
        return self.word.upper() == diagnostic.code or self.word.lower() == diagnostic.name


def apply(diagnostics: Iterable[Diagnostic], document: Document, wording: Wording) -> tuple[list[Diagnostic], int]:
    """The diagnostics that remain, and how many were suppressed; comments without effect are reported."""
    found = _suppressions(document.sources[0])
    remaining: list[Diagnostic] = []
    hidden = 0
    for item in diagnostics:
        matching = [one for one in found if one.line == item.location.start.line and one.covers(item)]
        if item.file == document.file and item.code >= "SQ1000" and matching:
            for one in matching:
                one.used = True
            hidden += 1
        else:
            remaining.append(item)
    remaining.extend(
        wording.diagnostic(_unused(one, remaining)) for one in found if not one.used and not _speaks_of_runs(one.word)
    )
    return remaining, hidden


def apply_to_run(diagnostics: Iterable[Diagnostic], document: Document) -> tuple[list[Diagnostic], int]:
    """What remains of the findings of a run, and how many were suppressed.

    Errors stay; a comment that names one is reported (SQ1091).
    """
    remaining: list[Diagnostic] = []
    hidden = 0
    found = [one for one in _suppressions(document.sources[0]) if _speaks_of_runs(one.word)]
    for item in diagnostics:
        matching = [one for one in found if one.line == item.location.start.line and one.covers(item)]
        if item.file != document.file or not matching:
            remaining.append(item)
        elif item.severity is Severity.ERROR:
            wording = Wording(document)
            remaining.append(item)
            remaining.extend(wording.diagnostic(_without_effect(one)) for one in matching if not one.used)
            for one in matching:
                one.used = True
        else:
            hidden += 1
    return remaining, hidden


def _speaks_of_runs(word: str) -> bool:
    """Whether a word names something that only a run shows."""
    if word.upper().startswith("SQ"):
        return word.upper().startswith("SQ12")
    from serq_interpreter.catalog.results import ENTRIES

    return any(word.lower() == known.name for known in ENTRIES)


def _suppressions(source: Source) -> list[Suppression]:
    found: list[Suppression] = []
    for token in source.comments:
        match = FORM.match(token.text)
        if match is None:
            continue
        line = _line_of(source, token)
        words = [word.strip() for word in match[1].split(",") if word.strip()]
        found.extend(Suppression(word, token, line) for word in words)
    return found


def _line_of(source: Source, token: Token) -> int:
    lines = source.layout.lines
    offset = source.layout.offsets[token.chunk] + token.start
    line, column = lines.line_column(offset)
    start = lines.starts[line - 1]
    if source.text[start : start + column - 1].strip():
        return line
    for following in range(line + 1, len(lines.starts) + 1):
        text = source.text[lines.starts[following - 1] : lines.line_end(following)].strip()
        if text and not text.startswith("//"):
            return following
    return line


def _unused(one: Suppression, remaining: list[Diagnostic]) -> Finding:
    if any(one.line == item.location.start.line and one.covers(item) for item in remaining):
        return _without_effect(one)
    place = _place(one)
    fix = Fix("delete the comment", (Edit(place, ""),), safe=True)
    return Finding("SQ1090", place, {"word": one.word}, fixes=(fix,))


def _without_effect(one: Suppression) -> Finding:
    return Finding("SQ1091", _place(one), {"word": one.word})


def _place(one: Suppression) -> Place:
    return Place(one.token.chunk, one.token.start, one.token.end)
