"""From findings to diagnostics: words from the catalogue, absolute positions."""

from __future__ import annotations

from serq_interpreter.catalog import entry
from serq_interpreter.frontend.diagnostic import Diagnostic, Location, Position, Related, Repair, TextEdit
from serq_interpreter.syntax.document import Document
from serq_interpreter.syntax.tokens import Expansion, Finding, Fix, Place, place_of

OVERRIDE_HEAD = "let value = "
"""What an override's expression is put behind to be read; columns count from after it."""


class Arguments(dict[str, object]):
    """Template arguments; one that a finding forgot shows as its name instead of failing the whole check."""

    def __missing__(self, key: str) -> str:
        return f"<{key}>"


class Wording:
    """Words findings of one document."""

    def __init__(self, document: Document) -> None:
        self.document = document

    def diagnostic(self, finding: Finding) -> Diagnostic:
        """The finding as people read it."""
        known = entry(finding.code)
        message = known.message.format_map(Arguments(finding.args))
        related = [Related(self.location(note.place), note.message) for note in finding.notes]
        related.extend(self._expansions(finding.place))
        return Diagnostic(
            code=finding.code,
            name=known.name,
            severity=known.severity,
            message=message,
            location=self.location(finding.place),
            related=tuple(related),
            fixes=tuple(self._repair(fix) for fix in finding.fixes),
            help=finding.help or known.help.format_map(Arguments(finding.args)),
        )

    def location(self, place: Place) -> Location:
        """Where a place stands in the text it was written in."""
        try:
            source, start, end = self.document.locate(place)
        except KeyError:
            return _in_override(place)
        lines = source.layout.lines
        return Location(
            source.file,
            Position(*lines.line_column(start)),
            Position(*lines.line_column(end)),
            start,
            end,
        )

    def _expansions(self, place: Place) -> list[Related]:
        found: list[Related] = []
        via: Expansion | None = place.via
        while via is not None:
            found.append(Related(self.location(place_of(via.use)), f"in `{via.definition}`, used here"))
            via = via.use.via
        return found

    def _repair(self, fix: Fix) -> Repair:
        edits = tuple(TextEdit(self.location(edit.place), edit.text) for edit in fix.edits)
        return Repair(fix.title, fix.safe, edits)


def _in_override(place: Place) -> Location:
    """A place in the text that a `--set` or `--def` gives, which is one line."""
    text = place.chunk.text
    before = len(OVERRIDE_HEAD) if text.startswith(OVERRIDE_HEAD) else 0
    length = len(text) - before - (1 if before else 0)
    start, end = (min(max(offset - before, 0), length) for offset in (place.start, place.end))
    return Location(place.chunk.file, Position(1, start + 1), Position(1, end + 1), start, end)
