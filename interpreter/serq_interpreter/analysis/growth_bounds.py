"""What a hold's allocation of a pool grows to, as a linear form over the session's attributes."""

from __future__ import annotations

from serq_interpreter.analysis.linear import ZERO, Form, form_of
from serq_interpreter.ir import program as ir
from serq_interpreter.ir.walk import statements


def grows_on(hold: ir.Hold, pool: int) -> bool:
    """Whether something in the hold's body enlarges its allocation of the pool."""
    return any(_grown(statement, pool) is not None for statement in statements(hold.body))


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
        position = ZERO if hold.cache is None else Form(0.0, ((ir.SLOT_CACHED, 1.0),))
        total = position.plus(runs or ZERO)
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
                amount = _grown(statement, pool)
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


def _grows(block: ir.Block, pool: int) -> bool:
    return any(_grown(statement, pool) is not None for statement in statements(block))


def _grown(statement: ir.Stmt, pool: int) -> ir.Expr | None:
    """The amount by which a statement may enlarge an allocation of the pool."""
    if isinstance(statement, ir.Grow):
        reference, amount = statement.pool, statement.units
    elif isinstance(statement, ir.Run) and statement.growing is not None:
        reference, amount = statement.growing, statement.work
    else:
        return None
    return amount if reference.base <= pool < reference.base + reference.count else None
