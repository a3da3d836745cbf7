"""SQ0409 and SQ0410: amounts that the text fixes are numbers, not negative, and fit in the pool (02 §4)."""

from __future__ import annotations

import math
from collections.abc import Iterator

from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.rules import edits
from serq_interpreter.rules.survey import Survey
from serq_interpreter.semantics import tree
from serq_interpreter.semantics.closed import closed_value
from serq_interpreter.syntax.tokens import Finding, Note

NEEDS = ("Grow", "Hold", "Load", "Run")
ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0409",
        name="amount-above-the-cap",
        severity=Severity.ERROR,
        message="the hold waits for {value} of `{name}`, whose cap is {cap}: it would wait for ever",
        why="A hold is admitted when what it waits for fits into the pool, counted in whole blocks. More than the cap "
        "never fits, so the first such hold would block the queue until the horizon.",
        help="ask for less, or raise the cap",
        wrong="""pool kv { cap 100; block 16; }
stage svc : fifo;
session { hold kv (97) { run svc (1); } end; }
                 //^^
run { horizon 10; }
""",
        right="""pool kv { cap 100; block 16; }
stage svc : fifo;
session { hold kv (96) { run svc (1); } end; }
run { horizon 10; }
""",
        spec="02 §4",
    ),
    Entry(
        code="SQ0410",
        name="amount-not-a-quantity",
        severity=Severity.ERROR,
        message="{part} is {value}: an amount is a number, and not negative",
        why="Units, tokens and seconds are counted from 0. The value follows from the text alone, so it would be wrong "
        "each time the statement runs.",
        help="subtract in the other direction, or bound the difference with `max(0, …)`",
        wrong="""let used_up = 5;
stage svc : fifo;
session { run svc (3 - used_up); end; }
                 //^^^^^^^^^^^
run { horizon 10; }
""",
        right="""let used_up = 5;
stage svc : fifo;
session { run svc (max(0, 3 - used_up)); end; }
run { horizon 10; }
""",
        spec="02 §4",
    ),
)


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
