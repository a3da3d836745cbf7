"""The workload's arrivals, trace and hidden attributes (01 §2.4, 02 §4, §7).  Its blocks are in `sides`."""

from __future__ import annotations

from serq_interpreter.semantics import constants, tree
from serq_interpreter.semantics.closed import constant_value
from serq_interpreter.semantics.context import OUTSIDE, Elaboration, Scope
from serq_interpreter.semantics.expressions import resolve
from serq_interpreter.semantics.nearest import nearest
from serq_interpreter.semantics.vocabulary import BUILTIN_ATTRIBUTES, SUPPLIED_NAMES
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Edit, Fix, Place, Token, place_of

MAX_SESSIONS = 1_000_000
"""Sessions of a batch or a closed population."""


def elaborate_workload(ctx: Elaboration) -> None:
    """Arrivals and trace of the first workload; a second one is checked and not used.  The last clause counts."""
    workloads = [(order, item) for order, item in enumerate(ctx.source.items) if isinstance(item, nodes.WorkloadItem)]
    for number, (order, item) in enumerate(workloads):
        arrive = next((c for c in item.clauses[::-1] if isinstance(c, nodes.ArriveClause)), None)
        trace = next((c for c in item.clauses[::-1] if isinstance(c, nodes.TraceClause)), None)
        arrival = None if arrive is None else _arrival(ctx, arrive, order)
        if number == 0:
            ctx.out.arrival = arrival
            if trace is not None:
                ctx.out.trace = trace.path.text
                ctx.out.trace_at = place_of(trace.path)
                ctx.out.trace_ordered = trace.ordered


def _arrival(ctx: Elaboration, clause: nodes.ArriveClause, order: int) -> tree.Arrival:
    form, node = clause.form.text, clause.value
    at = clause.place
    if node is None or form == "none":
        return tree.Arrival(form, None, None, at, None)
    if form == "renewal":
        gap = resolve(ctx, node, Scope("the workload", order, OUTSIDE, "gap"))
        value = constant_value(gap)
        if value is not None and not 0.0 < value < constants.INF:
            ctx.report("SQ0810", node.place, value=constants.show(value))
        return tree.Arrival(form, value, gap, at, node.place)
    what = {"poisson": "the rate of `arrive poisson`", "batch": "the size of the batch"}
    value = constants.folded(ctx, node, what.get(form, "the population of `arrive closed`"))
    if value is not None:
        value = _checked(ctx, form, value, node.place)
    return tree.Arrival(form, value, None, at, node.place)


def _checked(ctx: Elaboration, form: str, value: float, at: Place) -> float | None:
    if form == "poisson":
        if 0.0 < value < constants.INF:
            return value
        ctx.report("SQ0809", at, value=constants.show(value))
    else:
        if constants.is_whole(value, 1.0, MAX_SESSIONS):
            return value
        ctx.report("SQ0808", at, form=form, value=constants.show(value), limit=MAX_SESSIONS)
    return None


# --------------------------------------------------------------------------- hidden attributes


def elaborate_hidden(ctx: Elaboration) -> None:
    """The hidden attributes, once all attributes are known (SQ0228, 0229, 0230)."""
    workload = next((item for item in ctx.source.items if isinstance(item, nodes.WorkloadItem)), None)
    clauses = () if workload is None else workload.clauses
    seen: dict[str, Token] = {}
    for token in [name for clause in clauses if isinstance(clause, nodes.HiddenClause) for name in clause.names]:
        name, at = token.text, place_of(token)
        ctx.use(token, "attribute", name, ctx.out.attributes.get(name))
        if name in seen:
            note = (ctx.note(seen[name], "hidden here already"),)
            ctx.report("SQ0228", at, name=name, notes=note, fixes=_delete(ctx, token))
            continue
        seen[name] = token
        if name in ("cached", "computed"):
            ctx.report("SQ0230", at, name=name, fixes=_delete(ctx, token))
        elif name not in ctx.out.attributes and name not in BUILTIN_ATTRIBUTES:
            _no_attribute(ctx, token)
        else:
            ctx.out.hidden.append(tree.Hidden(name, at))


def _no_attribute(ctx: Elaboration, token: Token) -> None:
    name, at = token.text, place_of(token)
    if ctx.may_declare("attribute", name) or name in ctx.possible_attributes:
        return
    if name in SUPPLIED_NAMES and name in ctx.assignments:
        return
    fixes = constants.rename(at, nearest(name, [*ctx.out.attributes, *BUILTIN_ATTRIBUTES]))
    ctx.report("SQ0229", at, name=name, fixes=fixes)


def _delete(ctx: Elaboration, token: Token) -> tuple[Fix, ...]:
    """Delete a name of a `hidden` clause with the comma beside it, or the whole clause when it is the only one."""
    if token.via is not None:
        return ()
    for item in ctx.source.items:
        for clause in item.clauses if isinstance(item, nodes.WorkloadItem) else ():
            if isinstance(clause, nodes.HiddenClause) and token in clause.names:
                return (Fix(f"Delete `{token.text}`", (Edit(_with_comma(clause, token), ""),), safe=True),)
    return ()


def _with_comma(clause: nodes.HiddenClause, token: Token) -> Place:
    if len(clause.names) == 1:
        return clause.place
    position = clause.names.index(token)
    if position > 0:
        return Place(token.chunk, clause.names[position - 1].end, token.end)
    return Place(token.chunk, token.start, clause.names[1].start)
