"""`check --explain-coalescing`: of each step engine whether its iterations are taken together, as text."""

from __future__ import annotations

from serq_interpreter.analysis.licence import Refusal
from serq_interpreter.analysis.licence_conditions import CONDITIONS, RUN_TIME_CONDITIONS
from serq_interpreter.frontend.analysis import Analysis
from serq_interpreter.frontend.ir_analysis import IrAnalysis
from serq_interpreter.frontend.wording import Wording
from serq_lsp.services.coalescing import EngineLicence, engines_of


def coalescing_text(analysis: Analysis | IrAnalysis) -> str:
    """One paragraph per engine; empty for a text with errors or a library."""
    if analysis.lowered is None:
        return ""
    engines = engines_of(analysis.lowered)
    if not engines:
        return f"{analysis.file}: no step engine: there are no iterations\n"
    return "".join(_paragraph(analysis, engine) for engine in engines)


def _paragraph(analysis: Analysis | IrAnalysis, engine: EngineLicence) -> str:
    if engine.licence.granted:
        lines = [f"{analysis.file}: `{engine.name}`: coalesced: iterations are taken together while"]
        lines += [f"  {condition}" for condition in RUN_TIME_CONDITIONS]
    else:
        lines = [f"{analysis.file}: `{engine.name}`: one iteration at a time"]
        for refusal in engine.licence.refusals:
            condition = CONDITIONS[refusal.rule]
            lines += [f"  {refusal.text}{_place(analysis, refusal)}", f"      needed: {condition.title}"]
            if condition.instead:
                lines.append(f"      instead: {condition.instead}")
    return "\n".join(lines) + "\n"


def _place(analysis: Analysis | IrAnalysis, refusal: Refusal) -> str:
    """Where it is written, ` (file:line:column)`."""
    if not isinstance(analysis, Analysis) or analysis.lowered is None or refusal.node is None:
        return ""
    place = analysis.lowered.origins.get(refusal.node)
    if place is None:
        return ""
    at = Wording(analysis.document).location(place)
    return f" ({at.file}:{at.start.line}:{at.start.column})"
