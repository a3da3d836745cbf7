"""Hover: what an attribute can be at the statement under the cursor, its unit, and the bound that is declared for it.

Everything is computed when someone points at an attribute, once per version of the text.
"""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

from serq_interpreter.analysis import interval as i
from serq_interpreter.analysis.bounds import Bounds, bounds_of
from serq_interpreter.analysis.declared_bounds import Relation, declared_bounds
from serq_interpreter.analysis.hold_facts import HoldFacts
from serq_interpreter.analysis.interval import Interval
from serq_interpreter.analysis.linear import form_of
from serq_interpreter.frontend.analysis import Analysis
from serq_interpreter.ir import program as ir
from serq_interpreter.ir.deep import deep_recursion
from serq_interpreter.ir.lower import Lowered
from serq_interpreter.ir.walk import expressions, roots, statements
from serq_interpreter.syntax.tokens import Place, Token


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of one version of a program without errors."""

    lowered: Lowered
    bounds: Bounds
    relations: tuple[Relation, ...]


_KNOWN: WeakKeyDictionary[Analysis, _Known | None] = WeakKeyDictionary()


def range_hover(analysis: Analysis, token: Token, name: str) -> list[str]:
    """Paragraphs about the attribute `name` where a token stands; none in a text with errors."""
    known = _known(analysis)
    if known is None or name not in known.lowered.program.attrs:
        return []
    slot = known.lowered.program.attrs.index(name)
    said = _said(known, slot, _statements_at(known.lowered, token), token)
    unit = _unit(known.lowered.program, slot) if "`" in said else ""
    return [f"{said} ({unit})" if unit else said, *_relations(known, slot)]


def _known(analysis: Analysis) -> _Known | None:
    if analysis not in _KNOWN:
        _KNOWN[analysis] = None if analysis.lowered is None else _of(analysis.lowered)
    return _KNOWN[analysis]


_LARGEST = 300_000
"""Statements times attributes beyond which nobody waits for the ranges: a hand-written program has some thousands."""


def _of(lowered: Lowered) -> _Known | None:
    n_statements = sum(1 for root in roots(lowered.program) for _ in statements(root))
    if n_statements * len(lowered.program.attrs) > _LARGEST:
        return None
    bounds = bounds_of(lowered.program)
    with deep_recursion():
        return _Known(lowered, bounds, declared_bounds(HoldFacts(lowered.program)))


# --------------------------------------------------------------------------- the place


def _statements_at(lowered: Lowered, token: Token) -> list[ir.Stmt]:
    """The innermost statements that the token stands in: several when it stands in what is used several times."""
    best: list[ir.Stmt] = []
    width: int | None = None
    for root in roots(lowered.program):
        for statement in statements(root):
            place = lowered.origins.get(statement)
            if place is None or not _covers(place, token):
                continue
            if width is None or place.end - place.start < width:
                best, width = [], place.end - place.start
            if place.end - place.start == width:
                best.append(statement)
    return best


def _covers(place: Place, token: Token) -> bool:
    return place.chunk is token.chunk and place.start <= token.start and token.end <= place.end


def _said(known: _Known, slot: int, found: list[ir.Stmt], token: Token) -> str:
    """The range at the statements, in words."""
    if not found:
        return f"Over a whole session: {_shown(known.bounds.everywhere[slot])}"
    assigned = [
        item
        for item in found
        if isinstance(item, ir.Set | ir.Choose) and item.slot == slot and _is_target(known, item, token)
    ]
    ranges = [value for item in found if (value := _at(known, item, slot, token, after=item in assigned)) is not None]
    if not ranges:
        return "No session comes here."
    joined = ranges[0]
    for value in ranges[1:]:
        joined = i.join(joined, value)
    return f"{'Set here to' if assigned else 'Here'}: {_shown(joined)}"


def _is_target(known: _Known, statement: ir.Set | ir.Choose, token: Token) -> bool:
    """Whether the token is the attribute that is assigned, and not read in the value."""
    parts = (statement.value,) if isinstance(statement, ir.Set) else (statement.count, *statement.keys)
    places = [known.lowered.origins.get(part) for part in parts]
    return not any(place is not None and _covers(place, token) for place in places)


def _at(known: _Known, statement: ir.Stmt, slot: int, token: Token, *, after: bool) -> Interval | None:
    before = known.bounds.at(statement)
    if before is None:
        return None
    if after and isinstance(statement, ir.Set):
        return known.bounds.value(statement.value, statement)
    if after and isinstance(statement, ir.Choose):
        count = known.bounds.value(statement.count, statement)
        return Interval(0.0, max(0.0, (count or i.COUNT).hi - 1.0), whole=True)
    if isinstance(statement, ir.Hold) and _in_its_end(known, statement, token):
        ends = known.bounds.ends.get(statement)
        return None if ends is None else ends[slot]
    return before[slot]


def _in_its_end(known: _Known, hold: ir.Hold, token: Token) -> bool:
    """Whether the token stands in a part of a hold that is read when its body has ended."""
    parts = [part for part in (hold.cache, hold.lease) if part is not None]
    places = [known.lowered.origins.get(part) for part in parts]
    return any(place is not None and _covers(place, token) for place in places)


# --------------------------------------------------------------------------- the words


def _shown(value: Interval) -> str:
    if (value.lo, value.hi) == (i.ANYTHING.lo, i.ANYTHING.hi):
        return "any number" if not value.nan else "anything"
    return f"`{value}`"


def _unit(program: ir.Program, slot: int) -> str:
    """What an attribute counts, as far as its uses say: `units of `kv``, tokens, seconds; empty when they do not."""
    for statement in statements(program.session):
        if isinstance(statement, ir.Run) and statement.mode is not ir.RunMode.PLAIN and _reads(statement.work, slot):
            return "tokens"
    for statement in statements(program.session):
        if isinstance(statement, ir.Hold):
            for take in statement.admission.takes:
                if any(_reads(part, slot) for part in (take.units, take.reserve) if part is not None):
                    return f"units of `{program.pools[take.pool.base].name}`"
    for root in roots(program):
        for statement in statements(root):
            if isinstance(statement, ir.Set) and statement.slot == slot:
                if any(isinstance(part, ir.Ctx) and part.name == "Now" for part in expressions(statement.value)):
                    return "seconds"
    return ""


def _reads(expression: ir.Expr, slot: int) -> bool:
    """Whether an expression is a sum with the attribute as a term."""
    form = form_of(expression)
    return form is not None and any(term == slot and coefficient in (1.0, -1.0) for term, coefficient in form.terms)


def _relations(known: _Known, slot: int) -> list[str]:
    names = known.lowered.program.attrs
    return [
        f"Declared bound: `{names[one.value]} <= {names[one.bound]}` {one.standing}."
        for one in known.relations
        if slot in (one.value, one.bound)
    ]
