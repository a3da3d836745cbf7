"""An expression moved to another place: what an argument becomes where the entry reads its parameter."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from serq_interpreter.semantics import tree
from serq_interpreter.syntax.tokens import Place


def relocated(expr: tree.Expr, at: Place) -> tree.Expr:
    """A copy of `expr` all of whose parts stand at `at`; the spelling of references does not change."""
    match expr:
        case tree.Num() | tree.Attr() | tree.Ctx() | tree.Reg() | tree.Agg() | tree.Unknown():
            return replace(expr, at=at)
        case tree.Draw(args=args):
            return replace(expr, args=tuple([relocated(part, at) for part in args]), at=at)
        case tree.Call(args=args):
            return replace(expr, args=tuple([_argument(part, at) for part in args]), at=at, name_at=at)
        case tree.Unary(operand=operand):
            return replace(expr, operand=relocated(operand, at), at=at)
        case tree.Binary(left=left, right=right):
            return replace(expr, left=relocated(left, at), right=relocated(right, at), at=at)
        case tree.Cond(test=test, then=then, otherwise=otherwise):
            return tree.Cond(relocated(test, at), relocated(then, at), relocated(otherwise, at), at)
        case _:
            assert_never(expr)


def _argument(part: tree.Expr | tree.PoolRef | tree.StageRef, at: Place) -> tree.Expr | tree.PoolRef | tree.StageRef:
    match part:
        case tree.PoolRef(index=index) | tree.StageRef(index=index):
            moved = None if index is None else relocated(index, at)
            return replace(part, index=moved, at=at, name_at=at)
        case _:
            return relocated(part, at)
