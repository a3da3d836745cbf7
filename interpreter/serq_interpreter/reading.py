"""From text to a kernel program that can be run, whether the text is serQ or IR JSON.

This is the one seam between the machine and the front end.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from serq_interpreter.catalog import Severity, entry
from serq_interpreter.frontend.diagnostic import Diagnostic, Location, Position, Related
from serq_interpreter.machine.errors import RunError
from serq_interpreter.machine.trace_file import TraceError

if TYPE_CHECKING:
    from serq_interpreter.frontend.analysis import Analysis
    from serq_interpreter.frontend.ir_analysis import IrAnalysis
    from serq_interpreter.ir.origins import Origins
    from serq_interpreter.ir.program import Program
    from serq_interpreter.syntax.tokens import Place


_SETTING_OF_CODE = {"SQ0915": "arrivals", "SQ0916": "horizon", "SQ0917": "warmup"}
"""The `run` option that a finite run's failure is about."""


@dataclass(frozen=True, eq=False)
class Reading:
    """An analysed text; `path` is `None` for a text without a file."""

    analysis: Analysis | IrAnalysis
    path: str | None
    trace: str | None
    """A trace given from outside: relative to the current directory, unlike the program's own."""

    @property
    def text(self) -> str:
        return self.analysis.text

    @property
    def texts(self) -> dict[str, str]:
        """File → text, of the program and its libraries."""
        return self.analysis.texts

    @property
    def directory(self) -> Path | None:
        """Where the program's own relative trace is looked up: beside its file (06 §9)."""
        return None if self.path is None else Path(self.path).parent

    @cached_property
    def program(self) -> Program | None:
        lowered = self.analysis.lowered
        return None if lowered is None else lowered.program

    @property
    def origins(self) -> Origins | None:
        lowered = self.analysis.lowered
        return None if lowered is None else lowered.origins

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return self.analysis.diagnostics

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """Why there is no program to run; never empty when `program` is `None`."""
        errors = tuple(item for item in self.diagnostics if item.severity is Severity.ERROR)
        return errors or (self._whole_text("SQ0811", "this is a library: it has no workload and no run to simulate"),)

    def explain(self, error: RunError) -> Diagnostic:
        """A run-time error as a diagnostic at the statement that caused it."""
        message = error.message + _when(error)
        place = self._place_of_setting(error.code)
        if place is None and self.origins is not None and error.node is not None:
            place = self.origins.get(error.node)
        found = self._whole_text(error.code, message) if place is None else self._at(place, error.code, message)
        return _with_trace_place(found, error.__cause__) if isinstance(error.__cause__, TraceError) else found

    def _at(self, place: Place, code: str, message: str) -> Diagnostic:
        from serq_interpreter.frontend.analysis import Analysis
        from serq_interpreter.frontend.wording import Wording

        assert isinstance(self.analysis, Analysis)  # IR has no places
        return self._diagnostic(code, message, Wording(self.analysis.document).location(place))

    def _place_of_setting(self, code: str) -> Place | None:
        """Where the setting at fault is written: errors of a whole run have no statement (03 §9)."""
        elaborated = getattr(self.analysis, "elaborated", None)
        if elaborated is None:
            return None
        if code in ("SQ0918", "SQ0919"):
            return elaborated.trace_at if self.trace is None else None
        name = _SETTING_OF_CODE.get(code)
        return None if name is None else elaborated.settings.places.get(name)

    def _whole_text(self, code: str, message: str) -> Diagnostic:
        start = Position(1, 1)
        location = Location(self.analysis.file, start, start, 0, 0)
        return self._diagnostic(code, message, location)

    def _diagnostic(self, code: str, message: str, location: Location) -> Diagnostic:
        name, advice = _words(code)
        return Diagnostic(code, name, Severity.ERROR, message, location, help=advice)


def _words(code: str) -> tuple[str, str]:
    """The name of a code and its advice, unless that wants words which only a finding has."""
    try:
        known = entry(code)
    except KeyError:
        return "run-error", ""
    return known.name, "" if "{" in known.help else known.help


def _when(error: RunError) -> str:
    """The session and the time of an error, where it has them and its message does not say them."""
    session = f"session {error.session}"
    told = [session] if error.session is not None and session not in error.message else []
    told += [] if error.time is None else [f"t = {error.time:.10g}"]
    return f" ({', '.join(told)})" if told else ""


def _with_trace_place(found: Diagnostic, cause: TraceError) -> Diagnostic:
    """The place in the trace file as a note, and its own advice."""
    related = found.related
    if cause.line:
        at = Position(cause.line, max(cause.column, 1))
        related = (*related, Related(Location(cause.path, at, at, 0, 0), "in this row of the trace"))
    return replace(found, related=related, help=cause.help or found.help)


def read_text(
    text: str, path: str | None, *, sets: Mapping[str, str], defs: Mapping[str, str], **settings: Any
) -> Reading:
    """Analyse a text with overrides and run settings; IR when the path ends in `.json`.  Never raises for any text."""
    from serq_interpreter.frontend.analysis import Options, analyse

    options = Options(sets=dict(sets), defs=dict(defs), from_text=path is None, **settings)
    if path is not None and path.endswith(".json"):
        from serq_interpreter.frontend.ir_analysis import analyse_ir

        return Reading(analyse_ir(text, path, options), path, options.trace)
    return Reading(analyse(text, path or "<text>", options=options), path, options.trace)
