"""What a hold's allocation of a pool grows to, as a linear form over the session's attributes."""

from __future__ import annotations

from serq_interpreter.analysis.linear import ZERO, Form, form_of
from serq_interpreter.analysis.references import grown_by
from serq_interpreter.ir import program as ir
from serq_interpreter.ir.walk import statements


def grows_on(hold: ir.Hold, pool: int) -> bool:
    """Whether something in the hold's body enlarges its allocation of the pool."""
    return any(grown_by(statement, pool) is not None for statement in statements(hold.body))


def growth_of(hold: ir.Hold, take: ir.Take, pool: int, block: float | None, program: ir.Program) -> Form | str:
    """The most that the allocation can be, not rounded to blocks; a text says why there is no such form.

    A growing run ends at the position where it began plus its work; positions begin at the units found in the cache,
    `cached` at most (04 §4.2, 05 §6.5).  Amounts must not read what the body assigns, since the header reads it before.
    """
    assigned = {item.slot for item in statements(hold.body) if isinstance(item, ir.Set | ir.Choose)}
    if any(isinstance(item, ir.Turn) for item in statements(hold.body)):
        return "the hold takes a turn"
    runs, grows = _sums(hold.body, pool, block)
    if isinstance(runs, str) or isinstance(grows, str):
        return runs if isinstance(runs, str) else str(grows)
    if runs is not None and grows is not None:
        return "it grows by `grow` and by runs"
    if grows is not None:
        units = form_of(take.units)
        total = "its units are no sum" if units is None else units.plus(grows)
    else:
        loaded = _loaded(hold.body, pool)
        position = ZERO if hold.cache is None else Form(0.0, ((ir.SLOT_CACHED, 1.0),))
        total = loaded if isinstance(loaded, str) else position.plus(loaded).plus(runs or ZERO)
    if isinstance(total, str):
        return total
    # The argument is that nothing is preempted, and then `computed` is 0.
    total = total.without(ir.SLOT_COMPUTED)
    header = {slot for slot, _ in total.terms}
    if header & assigned:
        return f"`{program.attrs[min(header & assigned)]}` is assigned inside the hold"
    return total


def _sums(block: ir.Block, pool: int, granule: float | None) -> tuple[Form | str | None, Form | str | None]:
    """The work of growing runs and the amounts of `grow`, summed over a block; recursive."""
    runs: Form | None = None
    grows: Form | None = None
    for statement in block.statements:
        match statement:
            case ir.Branch(then=then, otherwise=otherwise):
                if _grows(then, pool) or _grows(otherwise, pool):
                    return "it depends on a branch", None
            case ir.Loop(body=body):
                if _grows(body, pool):
                    return "it grows in a loop", None
            case ir.Hold(body=body) | ir.Fork(body=body):
                if _grows(body, pool):
                    return "it grows in an inner hold or leg", None
            case _:
                amount = grown_by(statement, pool)
                if amount is None:
                    continue
                form = form_of(amount)
                if form is None:
                    return "an amount is no sum of attributes", None
                if isinstance(statement, ir.Grow):
                    # Each amount is rounded up to blocks by itself (04 §2).
                    grows = (grows or ZERO).plus(form).plus(Form(granule or 0.0))
                else:
                    runs = (runs or ZERO).plus(form)
    return runs, grows


def _loaded(block: ir.Block, pool: int) -> Form | str:
    """How far `load` moves the position from which runs go on growing."""
    total = ZERO
    for statement in block.statements:
        if isinstance(statement, ir.Load):
            if statement.pool.base <= pool < statement.pool.base + statement.pool.count:
                form = form_of(statement.units)
                if form is None:
                    return "what is loaded is no sum of attributes"
                total = total.plus(form)
        elif any(isinstance(item, ir.Load) for item in statements(ir.Block((statement,)))):
            return "something is loaded in a branch, loop, leg or inner hold"
    return total


def _grows(block: ir.Block, pool: int) -> bool:
    return any(grown_by(statement, pool) is not None for statement in statements(block))
