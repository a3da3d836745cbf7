"""The fix that gives an aggregate's index a name of its own."""

from __future__ import annotations

from serq_interpreter.semantics.entry_text import EntryText
from serq_interpreter.semantics.text_walk import expressions_of, nodes_of, statements_of
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Edit, Fix, Token, place_of


def rename_index(text: EntryText, index: Token) -> tuple[Fix, ...]:
    """Rename the index and its reads in the aggregate's body; nothing where part of it was expanded."""
    aggregate = _aggregate_of(text, index)
    if aggregate is None:
        return ()
    reads = [index, *_reads(aggregate.body, index.text)]
    if any(token.via is not None for token in reads):
        return ()
    fresh = _fresh(text, index.text)
    edits = tuple(Edit(place_of(token), fresh) for token in reads)
    return (Fix(f"Rename the index to `{fresh}`", edits, safe=True),)


def _aggregate_of(text: EntryText, index: Token) -> nodes.Aggregate | None:
    for statement in statements_of(text.declared.body):
        for expr in expressions_of(statement):
            for part in nodes_of(expr):
                if isinstance(part, nodes.Aggregate) and part.index is index:
                    return part
    return None


def _reads(body: nodes.Expr, name: str) -> list[Token]:
    found = [part for part in nodes_of(body) if isinstance(part, nodes.Reference)]
    return [ref.name for ref in found if ref.name.text == name and ref.member is None]


def _fresh(text: EntryText, name: str) -> str:
    taken = {*text.own_names(), *text.queue.pools, *text.marks}
    number = 2
    while f"{name}{number}" in taken:
        number += 1
    return f"{name}{number}"
