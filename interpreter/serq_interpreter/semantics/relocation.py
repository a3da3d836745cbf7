"""An expression moved to another place: what an argument becomes where the entry reads its parameter."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar, assert_never

from serq_interpreter.semantics import tree
from serq_interpreter.syntax.tokens import Place

_Ref = TypeVar("_Ref", tree.PoolRef, tree.StageRef)


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
    if isinstance(part, tree.PoolRef | tree.StageRef):
        return _reference(part, at)
    return relocated(part, at)


def _reference(ref: _Ref, at: Place) -> _Ref:
    index = None if ref.index is None else relocated(ref.index, at)
    return replace(ref, index=index, at=at, name_at=at)
