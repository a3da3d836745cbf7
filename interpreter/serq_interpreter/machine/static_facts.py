"""What an expression can read, decided without running it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from serq_interpreter.ir import program as ir

Node = ir.Expr | ir.PoolRef | ir.StageRef


def nodes(expressions: Iterable[Node | None]) -> Iterator[Node]:
    """Every expression and reference inside the given ones, in no particular order; iterative."""
    pending: list[Node | None] = list(expressions)
    while pending:
        node = pending.pop()
        if node is None:
            continue
        yield node
        match node:
            case ir.Unary():
                pending.append(node.operand)
            case ir.Binary():
                pending += (node.left, node.right)
            case ir.Cond():
                pending += (node.test, node.then, node.otherwise)
            case ir.Sample() | ir.Call():
                pending += node.args
            case ir.PoolRef() | ir.StageRef():
                pending.append(node.index)


def attributes_read(expressions: Iterable[Node | None]) -> set[int]:
    """The slots the expressions read."""
    return {node.slot for node in nodes(expressions) if isinstance(node, ir.Attr)}


def draws(expressions: Iterable[Node | None]) -> bool:
    """Whether evaluating may take a draw."""
    return any(isinstance(node, ir.Sample) for node in nodes(expressions))


def reads_only_attributes(expression: ir.Expr) -> bool:
    """Numbers, attributes and arithmetic only: the same value until the session runs again (04 §4.1)."""
    return not any(
        isinstance(node, ir.Sample | ir.Ctx | ir.Reg | ir.Agg | ir.PoolRef | ir.StageRef)
        for node in nodes((expression,))
    )


def calls_any(expressions: Iterable[Node | None], functions: frozenset[str]) -> bool:
    """Whether some function of the set is called."""
    return any(isinstance(node, ir.Call) and node.function in functions for node in nodes(expressions))


_PLAN_VARIABLES = frozenset(("Decoding", "Admission", "Remaining", "Now"))


def stable_while_planning(expressions: Iterable[Node | None]) -> bool:
    """Whether a resident's keys keep their value while one iteration is planned: they read only what neither a
    growth, a preemption nor an admission changes.  Attributes of a resident do not change while it runs."""
    for node in nodes(expressions):
        if isinstance(node, ir.Sample | ir.Reg | ir.Agg | ir.PoolRef | ir.StageRef):
            return False
        if isinstance(node, ir.Ctx) and node.name not in _PLAN_VARIABLES:
            return False
    return True
