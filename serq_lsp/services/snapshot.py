"""A snapshot: one version of one open text with everything known about it.  Immutable."""

from __future__ import annotations

from dataclasses import dataclass, field

from serq_interpreter.frontend.analysis import Analysis
from serq_interpreter.syntax.document import Document
from serq_interpreter.syntax.lines import LineIndex
from serq_lsp.services.instances import NOTHING, Instance
from serq_lsp.services.settings import Settings


@dataclass(frozen=True, eq=False)
class Snapshot:
    """`uri` and `version` are the client's; offsets in services are characters of `text`."""

    uri: str
    version: int
    analysis: Analysis
    settings: Settings = field(default_factory=Settings)
    instance: Instance = NOTHING
    """Where the values of constants that replace the text's own come from."""

    @property
    def text(self) -> str:
        return self.analysis.text

    @property
    def file(self) -> str:
        return self.analysis.file

    @property
    def edition(self) -> str:
        """The edition of the language that the text is in (`syntax.edition`)."""
        return self.analysis.edition

    @property
    def document(self) -> Document:
        return self.analysis.document

    @property
    def lines(self) -> LineIndex:
        return self.document.sources[0].layout.lines
