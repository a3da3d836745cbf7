"""The expressions of declarations and the moments at which they are read (02 §6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from serq_interpreter.rules.survey import Site, engine_of
from serq_interpreter.semantics import tree


def declared_sites(program: tree.Elaborated) -> list[Site]:
    """Every expression of a pool, stage, gauge, claim or arrival law, in the order of the declarations."""
    found: list[Site] = []
    for pool in program.pools.values():
        found.extend(_pool(pool, engine_of(program, pool)))
    for stage in program.stages.values():
        if stage.capacity is not None:
            found.append(Site(stage.capacity, "ps", f"the capacity of stage `{stage.name}`", "", stage))
        if stage.engine is not None:
            found.extend(_engine(stage, stage.engine))
    for gauge in program.gauges:
        found.append(Site(gauge.value, "gauge", f"gauge `{gauge.name}`", "", gauge))
    for claim in program.claims:
        found.extend(_claim(claim))
    if program.arrival is not None and program.arrival.gap is not None and program.arrival.value is None:
        found.append(Site(program.arrival.gap, "gap", "a renewal gap", "", program.arrival))
    return [site for site in found if type(site.expr) is not tree.Num]


def _keys(
    keys: Iterable[tree.Expr] | None, moment: str, part: str, engine: str | None, owner: object
) -> Iterator[Site]:
    for key in keys or ():
        yield Site(key, moment, part, engine, owner)


def _pool(pool: tree.Pool, engine: str | None) -> Iterator[Site]:
    yield from _keys(pool.evict, "evict", f"`evict by` of pool `{pool.name}`", engine, pool)
    if pool.preempt is not None:
        yield from _keys(pool.preempt.keys, "preempt", f"`preempt by` of pool `{pool.name}`", engine, pool)
    yield from _keys(pool.queue, "queue", f"`queue by` of pool `{pool.name}`", engine, pool)
    if pool.spill is not None:
        parts = (pool.spill.work, pool.spill.when)
        yield from _keys(parts, "evict", f"the `spill` of pool `{pool.name}`", engine, pool)


def _engine(stage: tree.Stage, engine: tree.Engine) -> Iterator[Site]:
    name = stage.name
    if engine.budget is not None:
        yield Site(engine.budget, "budget", f"the `budget` of engine `{name}`", name, stage)
    if engine.chunk is not None:
        yield Site(engine.chunk, "budget", f"the `chunk` of engine `{name}`", name, stage)
    yield Site(engine.cost, "cost", f"the `cost` of engine `{name}`", name, stage)
    if engine.serve_only is not None:
        yield Site(engine.serve_only, "only", f"`serve only` of engine `{name}`", name, stage)
    yield from _keys(engine.serve, "order", f"`serve by` of engine `{name}`", name, stage)
    if engine.iteration is not None and engine.iteration_at is not None:
        yield from _iteration(stage, engine.iteration)


def _iteration(stage: tree.Stage, body: tuple[tree.IterStmt, ...]) -> Iterator[Site]:
    name = stage.name
    stack = list(reversed(body))
    while stack:
        item = stack.pop()
        match item:
            case tree.IterServe():
                if item.only is not None:
                    yield Site(item.only, "only", f"`serve only` in the iteration of `{name}`", name, stage)
                yield from _keys(item.by, "only", f"`serve by` in the iteration of `{name}`", name, stage)
            case tree.IterAdmit():
                if item.only is not None:
                    yield Site(item.only, "only", f"`admit only` in the iteration of `{name}`", name, stage)
                if item.gate is not None:
                    yield Site(item.gate, "iter", f"the `while` of an `admit` of `{name}`", name, stage)
            case tree.IterBranch():
                yield Site(item.guard, "iter", f"a guard in the iteration of `{name}`", name, stage)
                stack.extend(reversed(item.otherwise))
                stack.extend(reversed(item.then))
            case tree.IterSet():
                yield Site(item.value, "iter", f"a `set` in the iteration of `{name}`", name, stage)


def _claim(claim: tree.Claim) -> Iterator[Site]:
    if claim.given is not None:
        yield Site(claim.given, "given", f"the `given` of claim `{claim.name}`", "", claim)
    engine = "" if claim.stage is None else claim.stage.name
    if claim.form == "end":
        yield Site(claim.condition, "end", f"claim `{claim.name}`, checked `at end`", engine or "", claim)
    else:
        yield Site(claim.condition, "every", f"claim `{claim.name}`, checked at iterations", engine, claim)
