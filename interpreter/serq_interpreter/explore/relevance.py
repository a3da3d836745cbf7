"""What of a session's memory can make a difference to what happens later.

Two states that differ only in an attribute that nothing but an observation will read have the same future.  An
attribute is *relevant* if a guard, an amount, a key, a work, an index, a cost or a claim reads it, or a relevant
attribute is computed from it.  Times are kept relative to the present where the program only asks how long ago
something was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from serq_interpreter.ir import program as ir
from serq_interpreter.machine.static_facts import Node, attributes_read, every_expression, every_statement, nodes


@dataclass(frozen=True, slots=True)
class Relevance:
    """What the key of a state contains."""

    slots: tuple[int, ...]
    """Attributes, but not `clocks`."""
    clocks: tuple[int, ...]
    """Attributes that hold an instant and are only read as `now - attribute`."""
    absolute_time: bool
    """Whether something depends on what time it is."""
    context: frozenset[str]
    """The context variables that something relevant reads."""
    aggregates: tuple[tuple[str, int], ...]
    """Kind and observation of what claims add up."""


def everything(program: ir.Program) -> Relevance:
    """Every attribute matters, but for a name: for an exploration without reductions.

    What is only ever set to `now` is kept as the time since then, or a system that comes back to where it was would
    never be the same again.
    """
    kept = relevance_of(program)
    sets = [statement for statement in every_statement(program) if isinstance(statement, ir.Set)]
    slots = set(range(len(program.attrs))) - ({ir.SLOT_SERIAL} - set(kept.slots))
    clocks = {slot for slot in slots if slot not in kept.slots and _holds_an_instant(slot, sets)} | set(kept.clocks)
    context = _context(every_expression(program))
    return Relevance(tuple(sorted(slots - clocks)), tuple(sorted(clocks)), kept.absolute_time, context, kept.aggregates)


def relevance_of(program: ir.Program) -> Relevance:
    """What can make a difference in runs of the program."""
    statements = every_statement(program)
    aggregates = _aggregates(program)
    sinks = list(_sinks(program, statements, {observation for _, observation in aggregates}))
    slots = attributes_read(sinks)
    relevant: list[Node | None] = list(sinks)
    sets = [statement for statement in statements if isinstance(statement, ir.Set)]
    rest = sets
    while True:
        reached = [item for item in rest if item.slot in slots]
        if not reached:
            break
        rest = [item for item in rest if item.slot not in slots]
        relevant += [item.value for item in reached]
        slots |= attributes_read(item.value for item in reached)
    clocks = _clocks(slots, sets, relevant)
    context = _context(relevant)
    return Relevance(
        slots=tuple(sorted(slots - clocks)),
        clocks=tuple(sorted(clocks)),
        absolute_time=_reads_time(relevant, sets, clocks) or bool(context & _ABSOLUTE),
        context=context,
        aggregates=aggregates,
    )


_ABSOLUTE = frozenset(("Last",))
"""Context variables that are instants."""


def _context(expressions: Iterable[Node | None]) -> frozenset[str]:
    return frozenset(node.name for node in nodes(expressions) if isinstance(node, ir.Ctx))


def _aggregates(program: ir.Program) -> tuple[tuple[str, int], ...]:
    found = {
        (node.kind, node.observation)
        for node in nodes(claim.condition for claim in program.claims)
        if isinstance(node, ir.Agg)
    }
    return tuple(sorted(found))


def _sinks(program: ir.Program, statements: list[ir.Stmt], observed: set[int]) -> Iterator[Node | None]:
    """Every expression whose value has an effect by itself."""
    quiet: set[Node] = {gauge.value for gauge in program.gauges}
    for statement in statements:
        if isinstance(statement, ir.Set) or (
            isinstance(statement, ir.Observe) and statement.observation not in observed
        ):
            quiet.add(statement.value)
    for expression in every_expression(program):
        if expression is not None and expression not in quiet:
            yield expression


# --------------------------------------------------------------------------- times


def _clocks(slots: set[int], sets: list[ir.Set], relevant: list[Node | None]) -> set[int]:
    """Relevant attributes that are set to `now` only and read as `now - attribute` only."""
    clocks = {slot for slot in slots if _holds_an_instant(slot, sets)}
    elapsed = {id(node.right) for node in nodes(relevant) if _is_elapsed(node) and isinstance(node, ir.Binary)}
    for node in nodes(relevant):
        if isinstance(node, ir.Attr) and node.slot in clocks and id(node) not in elapsed:
            clocks.discard(node.slot)
    return clocks


def _holds_an_instant(slot: int, sets: list[ir.Set]) -> bool:
    """Whether an attribute is set, and to `now` only."""
    values = [item.value for item in sets if item.slot == slot]
    return bool(values) and all(isinstance(value, ir.Ctx) and value.name == "Now" for value in values)


def _is_elapsed(node: Node) -> bool:
    return (
        isinstance(node, ir.Binary)
        and node.op == "Sub"
        and isinstance(node.left, ir.Ctx)
        and node.left.name == "Now"
        and isinstance(node.right, ir.Attr)
    )


def _reads_time(relevant: list[Node | None], sets: list[ir.Set], clocks: set[int]) -> bool:
    """Whether `now` is read other than to set a clock attribute or to ask how long ago one was set."""
    allowed = {id(item.value) for item in sets if item.slot in clocks}
    for node in nodes(relevant):
        if _is_elapsed(node) and isinstance(node, ir.Binary) and isinstance(node.right, ir.Attr):
            if node.right.slot in clocks:
                allowed.add(id(node.left))
    return any(isinstance(node, ir.Ctx) and node.name == "Now" and id(node) not in allowed for node in nodes(relevant))
