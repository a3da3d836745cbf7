"""`check --guarantees`: what the progress theorem says of each pool that can preempt, as text."""

from __future__ import annotations

from serq_interpreter.analysis.progress import HYPOTHESES, Finding, Guarantee, Verdict, guarantees
from serq_interpreter.frontend.analysis import Analysis
from serq_interpreter.frontend.ir_analysis import IrAnalysis
from serq_interpreter.frontend.wording import Wording
from serq_interpreter.ir.program import Program


def guarantees_text(analysis: Analysis | IrAnalysis) -> str:
    """One paragraph per pool; empty for a text with errors, a library, or a program in which nothing is preempted."""
    if analysis.lowered is None:
        return ""
    program = analysis.lowered.program
    found = guarantees(program)
    if not found:
        return f"{analysis.file}: no pool can preempt; the theorem says nothing\n"
    return "".join(_paragraph(analysis, program, answer) for answer in found)


def _paragraph(analysis: Analysis | IrAnalysis, program: Program, answer: Guarantee) -> str:
    pool = program.pools[answer.pool]
    name = pool.name if pool.index is None else f"{pool.name}[{pool.index}]"
    lines = [f"{analysis.file}: `{name}`: {answer.verdict}"]
    if answer.verdict is Verdict.GUARANTEED:
        lines[0] += ": every admitted session completes, and nothing is preempted"
        lines += [f"  yes: {item.text}" for item in _distinct(answer)]
    else:
        lines += [
            f"  {'no' if item.holds is False else 'not shown'}: {item.text}{_place(analysis, item)}\n"
            f"      needed: {HYPOTHESES[item.hypothesis]}"
            for item in _distinct(answer)
            if not item.holds
        ]
    return "\n".join(lines) + "\n"


def _distinct(answer: Guarantee) -> list[Finding]:
    return list({(item.hypothesis, item.text): item for item in answer.findings}.values())


def _place(analysis: Analysis | IrAnalysis, finding: Finding) -> str:
    """Where the statement at fault stands, ` (line:column)`."""
    if not isinstance(analysis, Analysis) or analysis.lowered is None or finding.node is None:
        return ""
    place = analysis.lowered.origins.get(finding.node)
    if place is None:
        return ""
    at = Wording(analysis.document).location(place)
    return f" ({at.file}:{at.start.line}:{at.start.column})"
