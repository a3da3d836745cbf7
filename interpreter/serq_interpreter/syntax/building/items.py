"""Workloads, sessions, queues and the other items (`serq.lark`)."""

from __future__ import annotations

from typing import Any

from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.building.parts import Context, Listed, Values, declares, is_damaged, kept, size_of


def arrive_clause(c: Values, context: Context) -> nodes.ArriveClause:
    return nodes.ArriveClause(c[0], c[5], c[1], c[3])


def arrive_none_clause(c: Values, context: Context) -> nodes.ArriveClause:
    return nodes.ArriveClause(c[0], c[2], c[1], None)


def trace_clause(c: Values, context: Context) -> nodes.TraceClause:
    return nodes.TraceClause(c[0], c[3], c[1], c[2] is not None)


def block_clause(c: Values, context: Context) -> nodes.BlockClause:
    return nodes.BlockClause(c[0], c[1].last, c[0], c[1])


def hidden_clause(c: Values, context: Context) -> nodes.HiddenClause:
    return nodes.HiddenClause(c[0], c[2], tuple(c[1][::2]))


def workload_item(c: Values, context: Context) -> nodes.WorkloadItem:
    return nodes.WorkloadItem(c[0], c[3], c[0], kept(c[2]), is_damaged(c[2], c[0], context))


def session_item(c: Values, context: Context) -> nodes.SessionItem:
    return nodes.SessionItem(c[0], c[1].last, c[0], c[1])


def server_item(c: Values, context: Context) -> nodes.ServerItem:
    return nodes.ServerItem(c[0], c[1].last, c[0], c[1])


def roles(c: Values, context: Context) -> Listed:
    return Listed(c[0], c[1][-1], tuple(c[1][::2]))


def queue_item(c: Values, context: Context) -> nodes.QueueItem:
    named = c[3].parts if c[3] else ()
    return nodes.QueueItem(c[0], c[6], c[0], c[1], size_of(c[2]), named, kept(c[5]), is_damaged(c[5], c[0], context))


def serve_declaration(c: Values, context: Context) -> nodes.ServeDecl:
    last = c[3] if len(c) > 3 and c[3] is not None else (c[2] or c[1]).last
    return nodes.ServeDecl(c[0], last, c[0], c[1], c[2])


def apart_declaration(c: Values, context: Context) -> nodes.ServeDecl:
    return nodes.ServeDecl(c[0], c[4], c[0], c[1], c[3], apart=True)


def engine_declaration(c: Values, context: Context) -> nodes.ServeDecl:
    """A step engine without a latency; the `;` is optional."""
    return nodes.ServeDecl(c[0], c[1].last if c[2] is None else c[2], c[0], c[1], None)


def entry_declaration(c: Values, context: Context) -> nodes.EntryDecl:
    listed = c[1].parts if c[1] else None
    return nodes.EntryDecl(c[0], c[4].last, c[0], listed, c[3], c[4])


def parameters(c: Values, context: Context) -> Listed:
    return Listed(c[0], c[2], tuple(c[1][::2]) if c[1] else ())


def latency(c: Values, context: Context) -> nodes.Clause:
    return nodes.Clause(c[0], c[1].last, c[1])


def relation_item(c: Values, context: Context) -> nodes.RelationItem:
    return nodes.RelationItem(c[0], c[6], c[0], c[1], c[2], c[3], c[5])


def share_item(c: Values, context: Context) -> nodes.ShareItem:
    return nodes.ShareItem(c[0], c[2], c[0], c[1])


def use_item(c: Values, context: Context) -> nodes.UseItem:
    return nodes.UseItem(c[0], c[2], c[1])


def let_item(c: Values, context: Context) -> nodes.LetItem:
    declares(c[1], context)
    return nodes.LetItem(c[0], c[4], c[1], c[3])


def gauge_item(c: Values, context: Context) -> nodes.GaugeItem:
    return nodes.GaugeItem(c[0], c[4], c[1], c[3])


def given(c: Values, context: Context) -> nodes.Clause:
    return nodes.Clause(c[0], c[3], c[2])


def claim_iteration(c: Values, context: Context) -> Listed:
    return Listed(c[0], c[7], (c[0].text, c[3]), c[5])


def claim_end(c: Values, context: Context) -> Listed:
    return Listed(c[0], c[5], ("end", None), c[3])


def claim_item(c: Values, context: Context) -> nodes.ClaimItem:
    declares(c[1], context)
    form, stage = c[4].parts
    condition = c[2].value if c[2] else None
    return nodes.ClaimItem(c[0], c[4].last, c[1], condition, form, stage, c[4].value)


def run_item(c: Values, context: Context) -> nodes.RunItem:
    return nodes.RunItem(c[0], c[3], c[0], kept(c[2]), is_damaged(c[2], c[0], context))


def program(c: Values, context: Context) -> tuple[Any, ...]:
    return tuple(c[0]) if c else ()


def def_item(c: Values, context: Context) -> nodes.DefItem:
    """Only as written (`outline`); the product reads definitions without the tables."""
    names = tuple(token for token in c[3] or () if token is not None and token.kind == "NAME")
    return nodes.DefItem(c[0], c[7], c[1], names, c[5].kind == "=", tuple(c[6] or ()))
