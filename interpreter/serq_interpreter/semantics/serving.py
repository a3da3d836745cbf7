"""Serving forms: `prefill`, `decode`, `tool`, `transfer` as runs of the stage that plays their role (01 §4.2).

The stage is found among the stages declared above the item that the form is written in.
"""

from __future__ import annotations

from serq_interpreter.semantics import constants, tree
from serq_interpreter.semantics.context import Elaboration, Scope
from serq_interpreter.semantics.declarations import StageDecl
from serq_interpreter.semantics.expressions import resolve
from serq_interpreter.semantics.nearest import nearest
from serq_interpreter.semantics.references import (
    as_pool,
    as_stage,
    full_name,
    member_index,
    name_place,
    spelling,
)
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Edit, Fix, Note, Place, Token, place_of

Statements = tuple[tree.Stmt, ...]

_TRANSFER_NAMES = ("link", "transfer")


def elaborate_form(ctx: Elaboration, node: nodes.ServingStmt, scope: Scope) -> Statements:
    """The kernel statements of a serving form; reports SQ0530, 0531, 0532."""
    if node.role.text == "transfer":
        return _transfer(ctx, node, scope)
    stages = _stages(ctx, node, scope)
    work = resolve(ctx, node.work, scope)
    growing = None if node.growing is None else as_pool(ctx, node.growing.pool, scope)
    if not stages:
        return (tree.Opaque(node.place, place_of(node.role)),)
    first = stages[0]
    declared = ctx.declared.stages.get(first.name or "")
    mode = node.role.text if node.role.text != "tool" and declared is not None and declared.kind == "step" else None
    growing_at = None if node.growing is None else node.growing.place
    word_at = place_of(node.role)
    return (tree.Run(node.place, word_at, first, mode, None, work, growing, growing_at, tuple(stages[1:])),)


# --------------------------------------------------------------------------- finding the stage


def _stages(ctx: Elaboration, node: nodes.ServingStmt, scope: Scope) -> list[tree.StageRef]:
    """The stages of a form: those after `on`, or the one that plays the role; empty when there is none."""
    if node.stages:
        return [_on(ctx, ref, scope) for ref in node.stages]
    found = _role_stage(ctx, node, scope)
    return [] if found is None else [found]


def _on(ctx: Elaboration, ref: nodes.Reference, scope: Scope) -> tree.StageRef:
    """A stage named after `on`; it stands above, and in an entry it is no other queue's or program's engine."""
    name = full_name(ref)
    declared = ctx.declared.stages.get(name)
    inside = scope.surroundings.queue
    own = inside is not None and name.split(".")[0] == inside
    if declared is not None and not own:
        if declared.order >= scope.order:
            _not_above(ctx, ref, name, Note(declared.name_at, f"`{name}` is declared here, below the form"))
            return tree.StageRef(None, None, (name,), ref.place, name_place(ref))
        if inside is not None and declared.kind == "step":
            _not_above(ctx, ref, name, Note(declared.name_at, "an entry serves on its own queue's engine only"))
            return tree.StageRef(None, None, (name,), ref.place, name_place(ref))
    around = ctx.declared.queues.get(inside or "")
    is_pool = around is not None and ref.member is None and name in around.pools
    if declared is None and not own and (is_pool or scope.surroundings.stage(ctx, ref, scope) is None):
        queue = ctx.declared.queues.get(ref.name.text)
        if not ctx.may_declare("stage", ref.name.text) and not (queue is not None and queue.damaged):
            _not_above(ctx, ref, name, None)
        return tree.StageRef(None, None, (name,), ref.place, name_place(ref))
    return as_stage(ctx, ref, scope)


def _not_above(ctx: Elaboration, ref: nodes.Reference, name: str, note: Note | None) -> None:
    above = [] if note is not None else list(ctx.declared.stages)
    fixes = constants.rename(name_place(ref), nearest(name, above))
    ctx.report("SQ0532", name_place(ref), name=name, notes=() if note is None else (note,), fixes=fixes)


def _role_stage(ctx: Elaboration, node: nodes.ServingStmt, scope: Scope) -> tree.StageRef | None:
    """The stage named after the role, or the one step engine above that can play it."""
    role = node.role.text
    inside = scope.surroundings.queue is not None  # where no engine but the queue's own serves, whatever it is called
    above = [
        stage
        for stage in ctx.declared.stages.values()
        if stage.order < scope.order and not (inside and stage.kind == "step")
    ]
    names = _TRANSFER_NAMES if role == "transfer" else (role,)
    named = [stage for stage in above if stage.name in names]
    if len(named) == 1:
        return _reference(ctx, node, named[0], scope)
    if named:
        _several(ctx, node, named)
        return None
    if role in ("tool", "transfer"):
        _none(ctx, node, [])
        return None
    engines = scope.surroundings.engines(ctx, scope)
    if engines is not None:
        own = scope.surroundings.own_stage(ctx, node, scope) if engines else None
        if own is None:
            _none(ctx, node, [])
        return own
    unknown = any(stage.kind == "unknown" for stage in above)
    steps = [stage for stage in above if stage.kind == "step"]
    if unknown or (ctx.source.damaged and len(steps) != 1):
        return None
    if len(steps) == 1:
        return _reference(ctx, node, steps[0], scope)
    if steps:
        _several(ctx, node, steps)
    else:
        _none(ctx, node, [stage for stage in ctx.declared.stages.values() if stage.kind == "step"])
    return None


def _reference(ctx: Elaboration, node: nodes.ServingStmt, stage: StageDecl, scope: Scope) -> tree.StageRef:
    """The reference to the stage that plays the role, with the index written after the form's word."""
    role = node.role
    last = role if node.index is None else node.index.last
    name = Token(role.kind, stage.name, role.start, role.end, role.chunk, role.via)
    hidden = scope.surroundings.stage(ctx, nodes.Reference(role, last, name, node.index, None), scope)
    if hidden is not None:
        return hidden
    ref = nodes.Reference(role, last, role, node.index, None)
    ctx.use(role, "stage", stage.name, stage.name_at)
    index = member_index(ctx, ref, stage, scope, "stage")
    return tree.StageRef(stage.name, index, spelling(stage.name, index), ref.place, place_of(role))


def _none(ctx: Elaboration, node: nodes.ServingStmt, below: list[StageDecl]) -> None:
    role = node.role.text
    if ctx.source.damaged:
        return
    wanted = _TRANSFER_NAMES if role == "transfer" else (role,)
    below = below or [stage for stage in ctx.declared.stages.values() if stage.name in wanted]
    notes = tuple(Note(stage.name_at, f"`{stage.name}` is declared here, below the form") for stage in below[:1])
    ctx.report("SQ0530", place_of(node.role), role=role, wanted=" or ".join(wanted), notes=notes)


def _several(ctx: Elaboration, node: nodes.ServingStmt, candidates: list[StageDecl]) -> None:
    role = place_of(node.role)
    notes = tuple(Note(stage.name_at, f"`{stage.name}` can play it") for stage in candidates)
    fixes: tuple[Fix, ...] = ()
    if role.via is None:
        after = Place(role.chunk, role.end, role.end)
        fixes = tuple(Fix(f"Say `on {stage.name}`", (Edit(after, f" on {stage.name}"),)) for stage in candidates)
    names = ", ".join(f"`{stage.name}`" for stage in candidates)
    ctx.report("SQ0531", role, role=node.role.text, candidates=names, notes=notes, fixes=fixes)


# --------------------------------------------------------------------------- transfer


def _transfer(ctx: Elaboration, node: nodes.ServingStmt, scope: Scope) -> Statements:
    """A run of the links, then the copy is loaded at its target and released at its source."""
    place, word_at = node.place, place_of(node.role)
    if node.source is None or node.target is None or node.units is None:
        return _without_pools(ctx, node, scope)
    if not node.stages:
        carried = scope.surroundings.transfer(ctx, node, scope)
        if carried is not None:
            return carried
    stages = _stages(ctx, node, scope)
    work = resolve(ctx, node.work, scope)
    target = as_pool(ctx, node.target, scope)
    units = resolve(ctx, node.units, scope)
    source = as_pool(ctx, node.source, scope)
    moved = (tree.Load(place, word_at, target, units), tree.Release(place, word_at, source))
    if not stages:
        return (tree.Opaque(place, word_at), *moved)
    run = tree.Run(place, word_at, stages[0], None, None, work, None, None, tuple(stages[1:]))
    return (*_latencies(ctx, node, stages), run, *moved)


def _latencies(ctx: Elaboration, node: nodes.ServingStmt, stages: list[tree.StageRef]) -> list[tree.Stmt]:
    """A wait for each named link queue that has a latency, in the order named."""
    waits: list[tree.Stmt] = []
    for stage in stages:
        queue = ctx.declared.queues.get(stage.name or "")
        if queue is None or queue.latency is None:
            continue
        latency = queue.latency
        at = tree.StageRef(latency.name, stage.index, spelling(latency.name, stage.index), stage.at, stage.name_at)
        work = tree.Unknown(stage.at) if latency.latency is None else tree.Num(latency.latency, stage.at)
        waits.append(tree.Run(node.place, place_of(node.role), at, None, None, work, None, None))
    return waits


def _without_pools(ctx: Elaboration, node: nodes.ServingStmt, scope: Scope) -> Statements:
    """A transfer that the parser has refused (SQ0161, SQ0162): its parts are looked at, nothing is known of it."""
    resolve(ctx, node.work, scope)
    for ref in (node.source, node.target):
        if ref is not None:
            as_pool(ctx, ref, scope)
    return (tree.Opaque(node.place, place_of(node.role)),)
