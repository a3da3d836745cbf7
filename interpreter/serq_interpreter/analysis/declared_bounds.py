"""Declared bounds: attributes that stand in the room of a hold for what the hold will really grow to.

The scheduler may read `max_out` and not the drawn length `o`; whoever reserves by the one and decodes by the other relies on
`o <= max_out`.  The relation holds, may fail, or cannot be shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from serq_interpreter.analysis.growth_bounds import grows_on, growth_of
from serq_interpreter.analysis.hold_facts import HoldFacts
from serq_interpreter.analysis.linear import Form, form_of, least
from serq_interpreter.analysis.references import members
from serq_interpreter.ir import program as ir


class Standing(StrEnum):
    HOLDS = "holds"
    MAY_FAIL = "may fail"
    NOT_SHOWN = "cannot be shown"


@dataclass(frozen=True, slots=True)
class Relation:
    """`value <= bound`, by attribute slots."""

    value: int
    bound: int
    standing: Standing


def declared_bounds(facts: HoldFacts) -> tuple[Relation, ...]:
    """The relations that the program's assignments state or its reserves rely on; used under `deep_recursion`.

    A relation that several holds rely on stands as badly as it does at the worst of them.
    """
    found: dict[tuple[int, int], Standing] = {}
    for value in range(ir.SLOT_COMPUTED + 1, len(facts.program.attrs)):
        for form in facts.ceilings.of(value):
            if form.constant == 0.0 and len(form.terms) == 1 and form.terms[0][1] == 1.0:
                found[value, form.terms[0][0]] = Standing.HOLDS
    order = list(Standing)
    for pair, standing in _relied_on(facts):
        known = found.get(pair, Standing.HOLDS)
        found[pair] = max(known, standing, key=order.index)
    return tuple(Relation(value, bound, standing) for (value, bound), standing in found.items())


def _relied_on(facts: HoldFacts) -> Iterator[tuple[tuple[int, int], Standing]]:
    for hold in facts.holds:
        if facts.bounds.at(hold) is None:
            continue
        for take in hold.admission.takes:
            for number in members(take.pool)[:1]:
                if take.reserve is None or not grows_on(hold, number):
                    continue
                room = form_of(take.reserve)
                total = growth_of(hold, take, number, facts.program.pools[number].block, facts.program)
                if room is None or isinstance(total, str):
                    continue
                pair = _only_pair(room.plus(total, -1.0))
                if pair is not None:
                    yield pair, _standing(facts, hold, *pair)


def _only_pair(spare: Form) -> tuple[int, int] | None:
    """(value, bound) of `bound - value`, whatever is added as slack."""
    less = [slot for slot, coefficient in spare.terms if coefficient == -1.0]
    more = [slot for slot, coefficient in spare.terms if coefficient == 1.0]
    return (less[0], more[0]) if len(less) == len(more) == 1 and len(spare.terms) == 2 else None


def _standing(facts: HoldFacts, hold: ir.Hold, value: int, bound: int) -> Standing:
    environment = facts.inside(hold)
    difference = Form(0.0, tuple(sorted(((value, -1.0), (bound, 1.0)))))
    if least(difference, environment, facts.ceilings_in(hold)) >= 0.0:
        return Standing.HOLDS
    known, limit = environment[value], environment[bound]
    if known.nan or limit.nan or known.hi <= limit.hi:
        return Standing.NOT_SHOWN
    return Standing.MAY_FAIL
