"""Gauges and claims: read-only expressions over the run (02 §15)."""

from __future__ import annotations

from functools import partial

from serq_interpreter.semantics import tree
from serq_interpreter.semantics.context import OUTSIDE, Elaboration, Scope
from serq_interpreter.semantics.expressions import resolve, resolve_optional
from serq_interpreter.semantics.keeping import Keeping
from serq_interpreter.semantics.references import as_stage
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import place_of


def elaborate_measures(ctx: Elaboration, keeping: Keeping) -> None:
    """Every gauge and claim, in the order of the text, once all attributes and observations are known."""
    keeping.measures()
    for order, item in enumerate(ctx.source.items):
        if isinstance(item, nodes.GaugeItem):
            ctx.out.gauges.append(keeping.part(item, order, partial(_gauge, ctx, item, order)))
        elif isinstance(item, nodes.ClaimItem):
            ctx.out.claims.append(keeping.part(item, order, partial(_claim, ctx, item, order)))


def _gauge(ctx: Elaboration, item: nodes.GaugeItem, order: int) -> tree.Gauge:
    scope = Scope(f"gauge {item.name.text}", order, OUTSIDE, "gauge")
    return tree.Gauge(item.name.text, resolve(ctx, item.value, scope), item.place, place_of(item.name))


def _claim(ctx: Elaboration, item: nodes.ClaimItem, order: int) -> tree.Claim:
    scope = Scope(f"claim {item.name.text}", order, OUTSIDE, "given")
    given = resolve_optional(ctx, item.given, scope)
    moment = scope.at("end" if item.form == "end" else "claim")
    stage = None if item.stage is None else as_stage(ctx, item.stage, moment)
    condition = resolve(ctx, item.condition, moment)
    return tree.Claim(item.name.text, given, item.form, stage, condition, item.place, place_of(item.name))
