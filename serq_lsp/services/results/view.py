"""A run's raw output beside today's text: what every service about results reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from serq_interpreter.syntax.tokens import Place
from serq_lsp.services.locations import Span
from serq_lsp.services.results.numbers import amount
from serq_lsp.services.results.sites import Sites, own_span
from serq_lsp.services.snapshot import Snapshot

Row = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Past:
    """The run that others are compared with; `names` are those of its time, by part."""

    generation: int
    pinned: bool
    data: dict[str, Any]
    names: Mapping[str, Sequence[str]]
    differences: dict[Any, Any] = field(default_factory=dict)
    """Differences that were worked out, by what they are of."""

    def index(self, part: str, name: str, index: int, n_now: int) -> int | None:
        """The index of a thing in that run: by its name, else by its number where as many were there."""
        names = self.names[part]
        if name in names:
            return list(names).index(name)
        return index if len(names) == n_now else None


@dataclass(frozen=True, eq=False)
class RunView:
    """One run of one document as seen from a snapshot.

    `data` is what the worker sent (see `serq_lsp.background.measuring`); `sites` are those of the text that was run,
    or of today's text while it means the same.  `stale`: the text means something else by now.
    """

    snapshot: Snapshot
    sites: Sites
    generation: int
    data: dict[str, Any]
    final: bool
    stale: bool = False
    stopped: bool = False
    fault: str | None = None
    baseline: Past | None = None
    instance: str = ""
    """Which values of constants replaced the text's own, in a few words."""

    @property
    def report(self) -> dict[str, Any]:
        found: dict[str, Any] = self.data.get("report") or {}
        return found

    @property
    def measured(self) -> bool:
        """Whether there are numbers at all."""
        return bool(self.report)

    @property
    def instead_of(self) -> Row | None:
        """Horizon and warm-up (s) of the whole run, while the numbers are those of a shorter one."""
        found: Row | None = self.data.get("instead_of")
        return found

    @property
    def stands_for(self) -> str:
        """The simulated time that the numbers are of, where it is not the whole: `125 of 2000 s`; else empty."""
        settings = self.data.get("settings")
        if not self.measured or not settings or (self.final and self.instead_of is None):
            return ""
        whole = self.instead_of or settings
        return f"{amount(self.report['end'])} of {amount(whole['horizon'])} s"

    def span(self, place: Place | None) -> Span | None:
        """Where a place stands in the document now."""
        return own_span(self.snapshot, place)

    def observations(self) -> list[Row]:
        """The report's rows, by index."""
        return list(self.report.get("observes", {}).values())

    def gauges(self) -> list[Row]:
        return list(self.report.get("gauges", {}).values())

    def claims(self) -> list[Row]:
        return list(self.report.get("claims", ()))

    def pools(self) -> list[Row]:
        return list(self.report.get("pools", ()))

    def stages(self) -> list[Row]:
        return list(self.report.get("stages", ()))

    def detail(self, part: str, index: int) -> Row:
        """What the worker says beside the report of an observation or gauge."""
        rows = self.data.get(part) or []
        return rows[index] or {} if index < len(rows) else {}
