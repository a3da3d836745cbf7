"""What the text of an entry says before anybody calls it: its own names, what it sets, marks, calls and leases.

Everything here is read off the syntax tree once per entry; calls substitute into it (01 §4.5).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from serq_interpreter.record import struct
from serq_interpreter.semantics.declarations import QueueDecl
from serq_interpreter.semantics.text_walk import names_read, statements_of
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Token

EntryKey = tuple[str, str, bool]
"""Queue, verb, whether it has `from`."""


@struct
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
    expanded_size: int | None = None
    """Statements that one call comes to, with the calls in it; `None` until asked for."""
    refused: set[int] = field(default_factory=set)
    """Identities of name tokens that the boundary refuses: their meaning is unknown (02 §14.3)."""
    bad_index_told: bool = False
    """Whether a call for a member that does not exist is told here already; a second one is told at its index."""

    verb: str = ""
    is_route: bool = False
    key: EntryKey = ("", "", False)
    title: str = ""
    """`q.prefill`, as calls write it."""

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
    verb = declared.verb.text
    source = None if declared.source is None else declared.source.text
    text = EntryText(
        queue,
        declared,
        source=source,
        verb=verb,
        is_route=verb == "route",
        key=(queue.name, verb, source is not None),
        title=f"{queue.name}.{verb}",
    )
    for token in declared.parameters or ():
        text.parameters.setdefault(token.text, token)
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


# --------------------------------------------------------------------------- leases


def leases(text: EntryText) -> list[nodes.LeaseClause]:
    """The leases of an entry in the order of the text, a hold's own before those in its body."""
    holds = [stmt for stmt in statements_of(text.declared.body) if isinstance(stmt, nodes.HoldStmt)]
    return [hold.lease for hold in holds if hold.lease is not None]


def always_leases(block: nodes.Block) -> bool:
    """Whether every way through the block leases something: both arms of a branch count, a loop or a leg does not.

    What could not be read may lease; a branch on an unreadable test may stand for another statement with a block.
    """
    for statement in block.statements:
        match statement:
            case nodes.HoldStmt(body=body, lease=lease):
                if lease is not None or always_leases(body):
                    return True
            case nodes.ErrorStmt() | nodes.BranchStmt(guard=nodes.ErrorExpr()):
                return True
            case nodes.BranchStmt(then=then, otherwise=otherwise):
                if otherwise is not None and always_leases(then) and always_leases(otherwise):
                    return True
            case _:
                pass
    return False
