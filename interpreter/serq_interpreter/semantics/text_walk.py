"""Iterative walks over the syntax tree of statements and expressions, before names mean anything."""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.syntax import nodes


def nodes_of(expr: nodes.Expr) -> Iterator[nodes.Expr]:
    """`expr` and its parts; references to an aggregate's own index are left out."""
    stack: list[tuple[nodes.Expr, frozenset[str]]] = [(expr, frozenset())]
    while stack:
        part, hidden = stack.pop()
        if isinstance(part, nodes.Reference) and part.name.text in hidden:
            continue
        yield part
        match part:
            case nodes.Paren(inner=inner):
                stack.append((inner, hidden))
            case nodes.UnaryOp(operand=operand):
                stack.append((operand, hidden))
            case nodes.BinaryOp(left=left, right=right):
                stack += ((right, hidden), (left, hidden))
            case nodes.Conditional(test=test, then=then, otherwise=otherwise):
                stack += ((otherwise, hidden), (then, hidden), (test, hidden))
            case nodes.Apply(args=args) | nodes.Draw(args=args):
                stack += [(argument, hidden) for argument in args[::-1]]
            case nodes.Reference(index=index):
                if index is not None:
                    stack.append((index, hidden))
            case nodes.Aggregate(index=index, count=count, body=body):
                stack += ((body, hidden | {index.text}), (count, hidden))
            case _:
                pass


def statements_of(block: nodes.Block) -> Iterator[nodes.Stmt]:
    """Every statement of a block at any depth, in the order of the text."""
    stack: list[nodes.Stmt] = list(block.statements[::-1])
    while stack:
        statement = stack.pop()
        yield statement
        for inner in blocks_of(statement)[::-1]:
            stack += inner.statements[::-1]


def blocks_of(statement: nodes.Stmt) -> tuple[nodes.Block, ...]:
    """The blocks inside a statement, in order."""
    match statement:
        case (
            nodes.HoldStmt(body=body)
            | nodes.LoopStmt(body=body)
            | nodes.ForkStmt(body=body)
            | nodes.SpawnStmt(body=body)
        ):
            return (body,)
        case nodes.BranchStmt(then=then, otherwise=otherwise):
            return (then,) if otherwise is None else (then, otherwise)
        case _:
            return ()


def names_read(block: nodes.Block) -> Iterator[str]:
    """Every name without a dot in a reading place of the block, at any depth (01 §4.3)."""
    for statement in statements_of(block):
        for expr in expressions_of(statement):
            for part in nodes_of(expr):
                if isinstance(part, nodes.Reference) and part.member is None:
                    yield part.name.text


def expressions_of(statement: nodes.Stmt) -> Iterator[nodes.Expr]:
    """The expressions of one statement, indices of its references included, without its blocks."""
    for ref in references_of(statement):
        if ref.index is not None:
            yield ref.index
    match statement:
        case nodes.SetStmt(value=value) | nodes.ObserveStmt(value=value):
            yield value
        case nodes.HoldStmt():
            for pool in statement.pools:
                yield pool.units
                if pool.reserve is not None:
                    yield pool.reserve
            yield from (clause.value for clause in (statement.reuse, statement.cache) if clause is not None)
            yield from (binding.value for binding in statement.bindings)
            if statement.lease is not None:
                yield statement.lease.time
        case nodes.PoolStmt(units=units):
            if units is not None:
                yield units
        case nodes.RunStmt(work=work):
            yield work
        case nodes.BranchStmt(guard=guard):
            yield guard
        case nodes.SpawnStmt(count=count):
            yield count
        case nodes.ChooseStmt(count=count, keys=keys):
            yield count
            yield from keys
        case nodes.ServingStmt():
            yield from (part for part in (statement.index, statement.work, statement.units) if part is not None)
        case nodes.CallStmt():
            yield from statement.args
            yield from (part for part in (statement.index, statement.units) if part is not None)
        case _:
            pass


def references_of(statement: nodes.Stmt) -> Iterator[nodes.Reference]:
    """The references to pools, stages and queues of one statement, without those in expressions and blocks."""
    match statement:
        case nodes.HoldStmt(pools=pools, lease=lease):
            yield from (pool.pool for pool in pools)
            if lease is not None:
                yield lease.pool
        case nodes.PoolStmt(pool=pool):
            yield pool
        case nodes.RunStmt(stages=stages, growing=growing):
            yield from stages
            if growing is not None:
                yield growing.pool
        case nodes.SpawnStmt(inherit=inherit):
            if inherit is not None:
                yield inherit.pool
        case nodes.ServingStmt(stages=stages, growing=growing, source=source, target=target):
            yield from stages
            if growing is not None:
                yield growing.pool
            yield from (ref for ref in (source, target) if ref is not None)
        case nodes.CallStmt(source=source, target=target):
            yield from (ref for ref in (source, target) if ref is not None)
        case _:
            pass
