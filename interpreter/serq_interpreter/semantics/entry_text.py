"""What the text of an entry says before anybody calls it: its own names, what it sets, marks, calls and leases.

Everything here is read off the syntax tree once per entry; calls substitute into it (01 §4.5).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from serq_interpreter.semantics.bindings import nodes_of
from serq_interpreter.semantics.declarations import QueueDecl
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Token

EntryKey = tuple[str, str, bool]
"""Queue, verb, whether it has `from`."""


@dataclass(slots=True, eq=False)
class EntryText:
    """One entry.  `sets` maps what `set`, `choose` and bindings that bodies read assign to the first such name."""

    queue: QueueDecl
    declared: nodes.EntryDecl
    parameters: dict[str, Token] = field(default_factory=dict)
    source: str | None = None
    sets: dict[str, Token] = field(default_factory=dict)
    marks: dict[str, Token] = field(default_factory=dict)
    calls: list[nodes.CallStmt] = field(default_factory=list)
    n_statements: int = 0
    """Statements at any depth, calls counted as one each."""
    refused: set[int] = field(default_factory=set)
    """Identities of name tokens that the boundary refuses: their meaning is unknown (02 §14.3)."""

    @property
    def verb(self) -> str:
        return self.declared.verb.text

    @property
    def is_route(self) -> bool:
        return self.verb == "route"

    @property
    def key(self) -> EntryKey:
        return (self.queue.name, self.verb, self.source is not None)

    @property
    def title(self) -> str:
        """`q.prefill`, as calls write it."""
        return f"{self.queue.name}.{self.verb}"

    def own_names(self) -> Iterator[str]:
        """The names that the entry replaces throughout its text."""
        yield from self.parameters
        yield "self"
        if self.source is not None:
            yield self.source
        if not self.is_route:
            yield from self.sets


def read_entry(queue: QueueDecl, declared: nodes.EntryDecl) -> EntryText:
    """The facts of one entry."""
    text = EntryText(queue, declared)
    for token in declared.parameters or ():
        text.parameters.setdefault(token.text, token)
    text.source = None if declared.source is None else declared.source.text
    for statement in statements_of(declared.body):
        text.n_statements += 1
        match statement:
            case nodes.MarkStmt(name=name):
                text.marks.setdefault(name.text, name)
            case nodes.CallStmt():
                text.calls.append(statement)
            case _:
                for token in assigned_by(statement):
                    text.sets.setdefault(token.text, token)
    return text


def assigned_by(statement: nodes.Stmt) -> Iterator[Token]:
    """The names that the statement itself assigns, without its blocks."""
    match statement:
        case nodes.SetStmt(name=name) | nodes.ChooseStmt(name=name):
            yield name
        case nodes.HoldStmt(bindings=bindings) if bindings:
            read = set(names_read(statement.body))
            yield from (binding.name for binding in bindings if binding.name.text in read)
        case nodes.ErrorStmt(assigned=assigned):
            yield from assigned
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
        case nodes.HoldStmt(body=body) | nodes.LoopStmt(body=body) | nodes.ForkStmt(body=body):
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
        case nodes.ServingStmt(stages=stages, growing=growing, source=source, target=target):
            yield from stages
            if growing is not None:
                yield growing.pool
            yield from (ref for ref in (source, target) if ref is not None)
        case nodes.CallStmt(source=source, target=target):
            yield from (ref for ref in (source, target) if ref is not None)
        case _:
            pass


# --------------------------------------------------------------------------- leases


def leases(text: EntryText) -> list[nodes.LeaseClause]:
    """The leases of an entry in the order of the text, a hold's own before those in its body."""
    holds = [stmt for stmt in statements_of(text.declared.body) if isinstance(stmt, nodes.HoldStmt)]
    return [hold.lease for hold in holds if hold.lease is not None]


def always_leases(block: nodes.Block) -> bool:
    """Whether every way through the block leases something: both arms of a branch count, a loop or a leg does not."""
    for statement in block.statements:
        match statement:
            case nodes.HoldStmt(body=body, lease=lease):
                if lease is not None or always_leases(body):
                    return True
            case nodes.BranchStmt(then=then, otherwise=otherwise):
                if otherwise is not None and always_leases(then) and always_leases(otherwise):
                    return True
            case nodes.ErrorStmt():
                return True
            case _:
                pass
    return False
