"""A program given as IR 11 JSON, analysed like text: read, validated, judged."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from serq_interpreter.catalog import entry
from serq_interpreter.frontend.diagnostic import Diagnostic, Location, Position
from serq_interpreter.ir.json import IrJsonError, read_program
from serq_interpreter.ir.lower import Lowered
from serq_interpreter.ir.origins import Origins
from serq_interpreter.ir.program import Program
from serq_interpreter.ir.validate import Fault, validate
from serq_interpreter.ir.walk import count_blocks

if TYPE_CHECKING:
    from serq_interpreter.frontend.analysis import Options


@dataclass(frozen=True, eq=False)
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
    faults = validate(program)
    found = tuple(_fault(fault, file) for fault in faults)
    return IrAnalysis(file, text, options, program, found)


def _overridden(program: Program, options: Options) -> Program:
    changes = {
        "seed": options.seed,
        "horizon": options.horizon,
        "warmup": options.warmup,
        "arrivals": options.arrivals,
        "trace": options.trace,
    }
    given = {name: value for name, value in changes.items() if value is not None}
    return replace(program, **given) if given else program


def _fault(fault: Fault, file: str) -> Diagnostic:
    return _diagnostic(fault.code, fault.message, file, Position(1, 1))


def _diagnostic(code: str, message: str, file: str, position: Position) -> Diagnostic:
    known = entry(code)
    return Diagnostic(code, known.name, known.severity, message, Location(file, position, position, 0, 0))
