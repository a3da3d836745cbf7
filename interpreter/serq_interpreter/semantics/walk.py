"""Iterative walks over the elaborated program; programs nest too deeply for recursion through generators."""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.semantics import tree

Part = tree.Expr | tree.PoolRef | tree.StageRef


def parts(expr: tree.Expr, *, inside_references: bool = True) -> Iterator[Part]:
    """`expr` and everything in it, in the order of the text; references too, and their indices unless told not to."""
    stack: list[Part] = [expr]
    while stack:
        part = stack.pop()
        yield part
        match part:
            case tree.Unary(operand=operand):
                stack.append(operand)
            case tree.Binary(left=left, right=right):
                stack.append(right)
                stack.append(left)
            case tree.Cond(test=test, then=then, otherwise=otherwise):
                stack += (otherwise, then, test)
            case tree.Call(args=args) | tree.Draw(args=args):
                stack += args[::-1]
            case tree.PoolRef(index=index) | tree.StageRef(index=index):
                if index is not None and inside_references:
                    stack.append(index)
            case _:
                pass


def blocks_of(statement: tree.Stmt) -> tuple[tree.Block, ...]:
    """The blocks inside a statement, in order."""
    match statement:
        case tree.Hold(body=body) | tree.Loop(body=body) | tree.Fork(body=body):
            return (body,)
        case tree.Branch(then=then, otherwise=otherwise):
            return (then,) if otherwise is None else (then, otherwise)
        case _:
            return ()


def statements(block: tree.Block | None) -> Iterator[tree.Stmt]:
    """Every statement of a block in canonical order: a statement's blocks before the next statement (08 §3)."""
    stack: list[Iterator[tree.Stmt]] = [iter(block.statements)] if block is not None else []
    while stack:
        statement = next(stack[-1], None)
        if statement is None:
            stack.pop()
            continue
        yield statement
        stack += [iter(inner.statements) for inner in blocks_of(statement)[::-1]]
