"""Iterative walks over the kernel; programs nest too deeply for recursion through generators or `repr`."""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.ir import program as ir

Part = ir.Expr | ir.PoolRef | ir.StageRef


def expressions(root: Part) -> Iterator[Part]:
    """`root` and every expression and reference inside it, parents first, in order."""
    stack: list[Part] = [root]
    while stack:
        node = stack.pop()
        yield node
        match node:
            case ir.Unary(operand=operand):
                stack.append(operand)
            case ir.Binary(left=left, right=right):
                stack.append(right)
                stack.append(left)
            case ir.Cond(test=test, then=then, otherwise=otherwise):
                stack += (otherwise, then, test)
            case ir.Call(args=args) | ir.Sample(args=args):
                stack += args[::-1]
            case ir.PoolRef(index=index) | ir.StageRef(index=index):
                if index is not None:
                    stack.append(index)
            case _:
                pass


def blocks_of(statement: ir.Stmt) -> tuple[ir.Block, ...]:
    """The blocks inside a statement, in the order of their numbers in IR 11 (08 §3.5)."""
    match statement:
        case ir.Hold(body=body) | ir.Loop(body=body) | ir.Fork(body=body) | ir.Spawn(body=body):
            return (body,)
        case ir.Branch(then=then, otherwise=otherwise):
            return (then, otherwise)
        case _:
            return ()


def blocks(root: ir.Block) -> Iterator[ir.Block]:
    """`root` and every block inside it, in the order of their numbers."""
    stack = [root]
    while stack:
        block = stack.pop()
        yield block
        inner = [child for statement in block.statements for child in blocks_of(statement)]
        stack += inner[::-1]


def statements(root: ir.Block) -> Iterator[ir.Stmt]:
    """Every statement under `root`, a statement's blocks before the statement after it."""
    stack: list[Iterator[ir.Stmt]] = [iter(root.statements)]
    while stack:
        statement = next(stack[-1], None)
        if statement is None:
            stack.pop()
            continue
        yield statement
        stack += [iter(block.statements) for block in blocks_of(statement)[::-1]]


def parts_of(statement: ir.Stmt) -> tuple[Part, ...]:
    """The expressions and references that a statement has itself, in order; those of its blocks are left out."""
    match statement:
        case ir.Set(value=value) | ir.Observe(value=value):
            return (value,)
        case ir.Hold(admission=admission, cache=cache, lease=lease):
            return (*_of_admission(admission), *_present(cache), *((lease.pool, lease.time) if lease else ()))
        case ir.Grow(pool=pool, units=units) | ir.Load(pool=pool, units=units):
            return (pool, units)
        case ir.Drop(pool=pool) | ir.Release(pool=pool):
            return (pool,)
        case ir.Run(stage=stage, work=work, growing=growing, also=also):
            return (stage, *also, work, *_present(growing))
        case ir.Branch(guard=guard):
            return (guard,)
        case ir.Choose(count=count, keys=keys):
            return (count, *keys)
        case ir.Spawn(count=count, inherit=inherit):
            return (count, *_present(inherit))
        case _:
            return ()


def _of_admission(admission: ir.Admission) -> tuple[Part, ...]:
    found: list[Part] = []
    for take in admission.takes:
        found += (take.pool, take.units, *_present(take.reserve))
    return (*found, *_present(admission.reuse))


def _present(part: Part | None) -> tuple[Part, ...]:
    return () if part is None else (part,)


def roots(program: ir.Program) -> tuple[ir.Block, ir.Block, ir.Block]:
    """`init`, `turn` and `session`, blocks 0, 1 and 2 of IR 11."""
    return (program.init, program.turn, program.session)


def count_blocks(program: ir.Program) -> int:
    """The number of blocks of a program, those that no root reaches included."""
    return program.orphan_blocks + sum(1 for root in roots(program) for _ in blocks(root))
