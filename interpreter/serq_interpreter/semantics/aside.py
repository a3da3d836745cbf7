"""Elaborating a text that joins no program: what it reads and declares leaves no trace, what it finds is answered."""

from __future__ import annotations

from collections.abc import Callable

from serq_interpreter.semantics.context import Elaboration
from serq_interpreter.syntax.tokens import Finding


def look_aside(ctx: Elaboration, action: Callable[[], object]) -> list[Finding]:
    """Run `action`, undo what it has left in `ctx` except the meanings of tokens, and answer its findings."""
    since, reads, bound = len(ctx.sink.findings), len(ctx.reads), len(ctx.body_bindings)
    owners, indices = len(ctx.own_readers), len(ctx.aggregates)
    terms, expanded, called = ctx.terms.count, ctx.n_expanded, set(ctx.called)
    inside, possible, observed = set(ctx.bound_reads), set(ctx.possible_attributes), dict(ctx.observed)
    action()
    found = ctx.sink.findings[since:]
    ctx.sink.take_back(since)
    del ctx.reads[reads:], ctx.body_bindings[bound:], ctx.own_readers[owners:], ctx.aggregates[indices:]
    ctx.terms.count, ctx.n_expanded, ctx.called = terms, expanded, called
    ctx.bound_reads, ctx.possible_attributes, ctx.observed = inside, possible, observed
    return found
