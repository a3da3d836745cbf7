"""SQ0409 and SQ0410: amounts that the text fixes are numbers, not negative, and fit in the pool (02 §4)."""

from __future__ import annotations

import math
from collections.abc import Iterator

from serq_interpreter.rules import edits
from serq_interpreter.rules.survey import Survey
from serq_interpreter.semantics import tree
from serq_interpreter.semantics.closed import closed_value
from serq_interpreter.syntax.tokens import Finding, Note

CODES = ("SQ0409", "SQ0410")


def check(survey: Survey) -> Iterator[Finding]:
    """Evaluate the closed amounts of every statement."""
    for visit in survey.visits:
        match visit.stmt:
            case tree.Run():
                yield from _amount(visit.stmt.work, "the work of a `run`")
            case tree.Grow():
                yield from _amount(visit.stmt.units, "the units of `grow`")
            case tree.Load():
                yield from _amount(visit.stmt.units, "the units of `load`")
            case tree.Hold():
                for take in visit.stmt.takes:
                    yield from _take(survey, take)
            case _:
                pass


def _amount(expr: tree.Expr, part: str) -> Iterator[Finding]:
    value = closed_value(expr)
    if value is not None and not value >= 0.0:
        yield Finding("SQ0410", expr.at, {"part": part, "value": _text(value)})


def _take(survey: Survey, take: tree.Take) -> Iterator[Finding]:
    yield from _amount(take.units, "the units of a hold")
    pool = survey.program.pools.get(take.pool.name or "")
    if pool is None or pool.cap is None:
        return
    for word, expr in (("units", take.units), ("reserve", take.reserve)):
        value = None if expr is None else closed_value(expr)
        if expr is None or value is None or not value >= 0.0 or not _whole_blocks(value, pool.block) > pool.cap:
            continue
        args: dict[str, object] = {
            "name": edits.text_of(take.pool.at),
            "word": word,
            "value": _rounded(value, pool.block),
            "cap": _text(pool.cap),
        }
        notes = () if pool.cap_at is None else (Note(pool.cap_at, f"the cap of `{pool.name}` is {_text(pool.cap)}"),)
        yield Finding("SQ0409", expr.at, args, notes)


def _whole_blocks(units: float, block: float | None) -> float:
    """`units` rounded up to whole blocks."""
    if block is None or not math.isfinite(units) or not block > 0.0 or math.isinf(block):
        return units
    return math.ceil(units / block) * block


def _rounded(units: float, block: float | None) -> str:
    blocks = _whole_blocks(units, block)
    return _text(units) if blocks == units else f"{_text(units)} ({_text(blocks)} in blocks of {_text(block or 0.0)})"


def _text(value: float) -> str:
    """A number as a person writes it."""
    if math.isnan(value):
        return "NaN"
    return f"{value:.15g}"
