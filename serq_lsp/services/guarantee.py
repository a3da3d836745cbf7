"""What the progress theorem says of a pool, in one line: for hovers and code lenses.

Answers are kept by the program's IR, so that an edit which changes comments or layout alone does not ask again; and they are
computed when a lens is resolved or a pool is pointed at, not on each keystroke.  Who may not wait for them has them worked
out elsewhere (`under_way`, `answers_of`, `keep`): until they are kept, hovers say that they are not there yet.
"""

from __future__ import annotations

from collections import OrderedDict
from hashlib import sha256
from weakref import WeakKeyDictionary, WeakSet

from serq_interpreter.analysis.progress import HYPOTHESES, Guarantee, Verdict, guarantees
from serq_interpreter.frontend.analysis import Analysis
from serq_interpreter.ir import program as ir
from serq_interpreter.ir.deep import deep_recursion
from serq_interpreter.ir.json_text import comparable_bytes
from serq_interpreter.ir.json_write import program_value

MOST_KEPT = 32
NOT_YET = "**Progress**: being worked out"
_BY_IR: OrderedDict[bytes, tuple[Guarantee, ...]] = OrderedDict()
_BY_VERSION: WeakKeyDictionary[Analysis, tuple[Guarantee, ...]] = WeakKeyDictionary()
_UNDER_WAY: WeakSet[Analysis] = WeakSet()


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
    if analysis in _UNDER_WAY:
        return [NOT_YET] if can_preempt(analysis, pool) else []
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


def is_open(analysis: Analysis) -> bool:
    """Whether the theorem is about a pool of this text and the answers are neither known nor being worked out."""
    if analysis.lowered is None or analysis in _BY_VERSION or analysis in _UNDER_WAY:
        return False
    return any(pool.preempt is not None for pool in analysis.elaborated.pools.values())


def under_way(analysis: Analysis) -> None:
    """From now on until `keep`, hovers do not work the answers out themselves."""
    _UNDER_WAY.add(analysis)


def given_up(analysis: Analysis) -> None:
    """The work on a text's answers has failed: who wants them works them out, and meets what is wrong."""
    _UNDER_WAY.discard(analysis)


def answers_of(program: ir.Program) -> tuple[bytes, tuple[Guarantee, ...]]:
    """The answers and the key to keep them under.  It changes nothing that others read: any thread may ask."""
    with deep_recursion():
        key = sha256(comparable_bytes(program_value(program))).digest()
    found = _BY_IR.get(key)
    return key, guarantees(program) if found is None else found


def keep(analysis: Analysis, key: bytes, answers: tuple[Guarantee, ...]) -> None:
    """Answers are there: hovers and lenses of this text, and of texts with the same IR, have them from now on."""
    _UNDER_WAY.discard(analysis)
    _BY_VERSION[analysis] = _BY_IR[key] = answers
    _BY_IR.move_to_end(key)
    while len(_BY_IR) > MOST_KEPT:
        _BY_IR.popitem(last=False)


def _answers(analysis: Analysis, program: ir.Program) -> tuple[Guarantee, ...]:
    found = _BY_VERSION.get(analysis)
    if found is None:
        key, found = answers_of(program)
        keep(analysis, key, found)
    return found
