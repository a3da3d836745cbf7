"""What the progress theorem says of a pool, in one line: for hovers and code lenses.

Answers are kept by the program's IR, so that an edit which changes comments or layout alone does not ask again; and they are
computed when a lens is resolved or a pool is pointed at, not on each keystroke.
"""

from __future__ import annotations

from collections import OrderedDict
from weakref import WeakKeyDictionary

from serq_interpreter.analysis.progress import HYPOTHESES, Guarantee, Verdict, guarantees
from serq_interpreter.frontend.analysis import Analysis
from serq_interpreter.ir import program as ir
from serq_interpreter.stamp import program_hash

MOST_KEPT = 32
_BY_IR: OrderedDict[str, tuple[Guarantee, ...]] = OrderedDict()
_BY_VERSION: WeakKeyDictionary[Analysis, tuple[Guarantee, ...]] = WeakKeyDictionary()


def guarantee_of(analysis: Analysis, pool: str) -> Guarantee | None:
    """The answer for a pool, of a family the worst; `None` where the theorem says nothing about it."""
    if analysis.lowered is None or not can_preempt(analysis, pool):
        return None
    program = analysis.lowered.program
    order = [Verdict.NOT_GUARANTEED, Verdict.UNDECIDED, Verdict.GUARANTEED]
    own = [item for item in _answers(analysis, program) if program.pools[item.pool].name == pool]
    return min(own, key=lambda item: order.index(item.verdict), default=None)


def can_preempt(analysis: Analysis, pool: str) -> bool:
    """Whether the theorem is about this pool."""
    declared = analysis.elaborated.pools.get(pool)
    return declared is not None and declared.preempt is not None


def guarantee_line(answer: Guarantee) -> str:
    """`guaranteed`, `not guaranteed: …` or `undecided: …`, with what decides."""
    decisive = answer.decisive
    if decisive is None:
        return "guaranteed: every admitted session completes"
    return f"{answer.verdict}: {decisive.text}"


def guarantee_hover(analysis: Analysis, pool: str) -> list[str]:
    """Paragraphs about a pool: the verdict, and each hypothesis that is not shown."""
    answer = guarantee_of(analysis, pool)
    if answer is None:
        return []
    lines = [f"**Progress**: {guarantee_line(answer)}"]
    missing = {item.hypothesis: item.text for item in reversed(answer.findings) if not item.holds}
    if missing:
        lines.append(
            "\n".join(f"- *{name}*: {text}; needed: {HYPOTHESES[name]}" for name, text in reversed(missing.items()))
        )
    return lines


def _answers(analysis: Analysis, program: ir.Program) -> tuple[Guarantee, ...]:
    found = _BY_VERSION.get(analysis)
    if found is None:
        found = _BY_VERSION[analysis] = _of_ir(program)
    return found


def _of_ir(program: ir.Program) -> tuple[Guarantee, ...]:
    key = program_hash(program)
    found = _BY_IR.get(key)
    if found is None:
        found = _BY_IR[key] = guarantees(program)
        while len(_BY_IR) > MOST_KEPT:
            _BY_IR.popitem(last=False)
    _BY_IR.move_to_end(key)
    return found
