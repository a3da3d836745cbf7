"""Which pools and stages a statement may name; light, as nearly every check of a program loads it."""

from __future__ import annotations

from serq_interpreter.ir import program as ir


def members(reference: ir.PoolRef | ir.StageRef) -> range:
    """The numbers of the pools or stages that a reference may name."""
    index = reference.index
    if isinstance(index, ir.Num) and index.value.is_integer() and 0.0 <= index.value < reference.count:
        first = reference.base + int(index.value)
        return range(first, first + 1)
    return range(reference.base, reference.base + reference.count)


def member_name(member: ir.Pool | ir.Stage) -> str:
    """`kv`, or `kv[2]` for a member of a family."""
    return member.name if member.index is None else f"{member.name}[{member.index}]"


def grown_by(statement: ir.Stmt, pool: int) -> ir.Expr | None:
    """The amount by which a statement may enlarge an allocation of the pool."""
    if isinstance(statement, ir.Grow):
        reference, amount = statement.pool, statement.units
    elif isinstance(statement, ir.Run) and statement.growing is not None:
        reference, amount = statement.growing, statement.work
    else:
        return None
    return amount if reference.base <= pool < reference.base + reference.count else None
