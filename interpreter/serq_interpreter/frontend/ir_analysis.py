"""A program given as IR 11 JSON, analysed like text: read, validated, judged."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from serq_interpreter.catalog import entry
from serq_interpreter.deep import deep_recursion
from serq_interpreter.frontend.diagnostic import Diagnostic, Location, Position
from serq_interpreter.frontend.wording import Arguments
from serq_interpreter.ir.json import IrJsonError, read_program
from serq_interpreter.ir.lift import lift
from serq_interpreter.ir.lower import Lowered
from serq_interpreter.ir.origins import Origins
from serq_interpreter.ir.program import Program
from serq_interpreter.ir.settings import setting_faults
from serq_interpreter.ir.walk import count_blocks
from serq_interpreter.record import record
from serq_interpreter.rules import registry
from serq_interpreter.rules.finalize import finalize

if TYPE_CHECKING:
    from serq_interpreter.frontend.analysis import Options


@record
class IrAnalysis:
    """What is known about an IR file; the same face as `Analysis`."""

    file: str
    text: str
    options: Options
    program: Program | None
    diagnostics: tuple[Diagnostic, ...]
    suppressed: int = 0
    is_library: bool = False

    @property
    def texts(self) -> dict[str, str]:
        """File → text."""
        return {self.file: self.text}

    @property
    def has_errors(self) -> bool:
        """Whether the program is refused."""
        return self.program is None or bool(self.diagnostics)

    @cached_property
    def lowered(self) -> Lowered | None:
        """The program, with no origins: it came from no text."""
        if self.has_errors or self.program is None:
            return None
        return Lowered(self.program, Origins())

    def summary(self) -> str:
        """What an accepted program consists of (spec 09 §1)."""
        program = self.program
        if program is None:
            return "no program"
        return (
            f"{len(program.pools)} pool(s), {len(program.stages)} stage(s), "
            f"{len(program.attrs)} attribute(s), {count_blocks(program)} block(s)"
        )


def analyse_ir(text: str, file: str, options: Options) -> IrAnalysis:
    """Read and validate an IR file.  Never raises for any text."""
    try:
        program = _overridden(read_program(text), options)
    except IrJsonError as error:
        position = Position(error.line or 1, error.column or 1)
        return IrAnalysis(file, text, options, None, (_diagnostic("SQ0193", error.what, file, position),))
    start = Position(1, 1)
    found = [_diagnostic(code, message, file, start) for code, message in setting_faults(program)]
    found.extend(_of_rules(program, file))
    if program.spawning is not None and not found:
        found.extend(_of_lineage(program, file))
    return IrAnalysis(file, text, options, program, tuple(found))


def _overridden(program: Program, options: Options) -> Program:
    return replace(
        program,
        seed=program.seed if options.seed is None else options.seed,
        horizon=program.horizon if options.horizon is None else options.horizon,
        warmup=program.warmup if options.warmup is None else options.warmup,
        arrivals=program.arrivals if options.arrivals is None else options.arrivals,
        trace=program.trace if options.trace is None else options.trace,
    )


_OF_TEXTS = ("SQ0412", "SQ0413", "SQ0416", "SQ0521")
"""Rules about what a text says; the reference accepts their subjects in IR, where every member is linked by itself."""


def _of_rules(program: Program, file: str) -> list[Diagnostic]:
    """What the static rules of the language say; lints about how a text is written do not apply."""
    with deep_recursion():
        elaborated = lift(program, file)
        findings = finalize([*elaborated.findings, *registry.check(elaborated)], elaborated)
    found = []
    for finding in findings:
        if finding.code < "SQ1000" and finding.code not in _OF_TEXTS:
            message = entry(finding.code).message.format_map(Arguments(finding.args))
            found.append(_diagnostic(finding.code, message, file, Position(1, 1)))
    return found


def _of_lineage(program: Program, file: str) -> list[Diagnostic]:
    """What a text is asked when its names are known: nobody writes the lineage, the offspring is finite (edition v4b)."""
    from serq_interpreter.frontend.editions import lineage_faults

    return [
        _diagnostic(code, entry(code).message.format_map(Arguments(args)), file, Position(1, 1))
        for code, args in lineage_faults(program)
    ]


def _diagnostic(code: str, message: str, file: str, position: Position) -> Diagnostic:
    known = entry(code)
    location = Location(file, position, position, 0, 0)
    help = "" if "{" in known.help else known.help
    return Diagnostic(code, known.name, known.severity, message, location, help=help)
