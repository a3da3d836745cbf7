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
        case tree.Hold(body=body) | tree.Loop(body=body) | tree.Fork(body=body) | tree.Spawn(body=body):
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


def expanded_size(expr: tree.Expr, known: dict[int, int]) -> int:
    """How many parts `expr` has when what it shares is written out; `known` remembers sizes by identity."""
    stack: list[tuple[Part, bool]] = [(expr, False)]
    while stack:
        part, ready = stack.pop()
        if id(part) in known:
            continue
        inner = _inner(part)
        if ready or not inner:
            known[id(part)] = 1 + sum(known[id(child)] for child in inner)
        else:
            stack.append((part, True))
            stack += [(child, False) for child in inner]
    return known[id(expr)]


def _inner(part: Part) -> tuple[Part, ...]:
    match part:
        case tree.Unary(operand=operand):
            return (operand,)
        case tree.Binary(left=left, right=right):
            return (left, right)
        case tree.Cond(test=test, then=then, otherwise=otherwise):
            return (test, then, otherwise)
        case tree.Call(args=args):
            return args
        case tree.Draw(args=args):
            return args
        case tree.PoolRef(index=index) | tree.StageRef(index=index):
            return () if index is None else (index,)
        case _:
            return ()
