"""Pools, stages, arrivals, gauges, claims and registers of the elaborated program as kernel nodes (08 §5.1)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from serq_interpreter.ir import program as ir
from serq_interpreter.ir.lower_expressions import lower_all, lower_expression, lower_optional
from serq_interpreter.ir.names import Names, known
from serq_interpreter.record import fact
from serq_interpreter.semantics import tree
from serq_interpreter.semantics.closed import closed_value


@fact
class Declared:
    """Everything that a program declares, in canonical order."""

    pools: tuple[ir.Pool, ...]
    stages: tuple[ir.Stage, ...]
    gauges: tuple[ir.Gauge, ...]
    claims: tuple[ir.Claim, ...]
    registers: tuple[ir.Register, ...]


def _members(size: int | None) -> Iterator[tuple[int, int | None]]:
    """(member number, index as IR writes it) of each member; a single one has no index."""
    if size is None:
        yield 0, None
        return
    for member in range(size):
        yield member, member


def _paired(family: tuple[int, int], member: int) -> int:
    """The member of `family` (first index, members) that goes with `member`: its own, or the only one."""
    base, count = family
    return base + (member if count > 1 else 0)


# --------------------------------------------------------------------------- pools


def lower_pools(names: Names) -> tuple[ir.Pool, ...]:
    """One pool per member."""
    return tuple(
        [
            names.once(pool, member, partial(_pool, names, pool, member, index))
            for pool in names.elaborated.pools.values()
            for member, index in _members(pool.size)
        ]
    )


def _pool(names: Names, pool: tree.Pool, member: int, index: int | None) -> ir.Pool:
    preempt = pool.preempt
    node = ir.Pool(
        name=pool.name,
        index=index,
        cap=float("inf") if pool.cap is None else pool.cap,
        block=pool.block,
        evict_keys=None if pool.evict is None else lower_all(names, pool.evict),
        preempt=None if preempt is None else ir.PreemptBy(lower_all(names, preempt.keys), preempt.tail),
        queue_keys=None if pool.queue is None else lower_all(names, pool.queue),
        spill=None if pool.spill is None else _spill(names, pool.spill),
        admit_via=None if pool.admit_via is None else _paired(names.stages[pool.admit_via], member),
        reserve_held=pool.reserve_held,
    )
    names.origins.record(node, pool.at)
    return node


def _spill(names: Names, spill: tree.Spill) -> ir.Spill:
    """Between first members, also of families (01 §5)."""
    to, via = names.pools[known(spill.target)][0], names.stages[known(spill.via)][0]
    work = lower_expression(names, spill.work)
    node = ir.Spill(to, via, work, lower_expression(names, spill.when))
    names.origins.record(node, spill.at)
    return node


# --------------------------------------------------------------------------- stages


def lower_stages(names: Names) -> tuple[ir.Stage, ...]:
    """One stage per member."""
    return tuple(
        [
            names.once(stage, member, partial(_stage, names, stage, member, index))
            for stage in names.elaborated.stages.values()
            for member, index in _members(stage.size)
        ]
    )


def _stage(names: Names, stage: tree.Stage, member: int, index: int | None) -> ir.Stage:
    node = ir.Stage(stage.name, index, _kind(names, stage, member))
    names.origins.record(node, stage.at)
    return node


def _kind(names: Names, stage: tree.Stage, member: int) -> ir.StageKind:
    if stage.kind == "delay":
        return ir.Delay()
    if stage.kind == "fifo" and stage.servers is not None:
        return ir.Fifo(stage.servers)
    if stage.kind == "ps" and stage.capacity is not None:
        return ir.Ps(lower_expression(names, stage.capacity))
    if stage.kind == "step" and stage.engine is not None:
        return _engine(names, stage.engine, member)
    raise ValueError(f"stage {stage.name} has no known kind")


def _engine(names: Names, engine: tree.Engine, member: int) -> ir.Step:
    return ir.Step(
        budget=ir.Num(float("inf")) if engine.budget is None else lower_expression(names, engine.budget),
        cost=lower_expression(names, engine.cost),
        chunk=ir.Num(0.0) if engine.chunk is None else lower_expression(names, engine.chunk),
        serve=None if engine.serve is None else lower_all(names, engine.serve),
        granule=engine.granule,
        memory=None if engine.memory is None else _paired(names.pools[engine.memory], member),
        iteration=None if engine.iteration is None else _iteration(names, engine.iteration),
    )


def _iteration(names: Names, body: tuple[tree.IterStmt, ...]) -> tuple[ir.IterStmt, ...]:
    return tuple([_iteration_statement(names, statement) for statement in body])


def _iteration_statement(names: Names, statement: tree.IterStmt) -> ir.IterStmt:
    node: ir.IterStmt
    match statement:
        case tree.IterServe(only=only, by=by):
            node = ir.IterServe(lower_optional(names, only), None if by is None else lower_all(names, by))
        case tree.IterAdmit(only=only, gate=gate):
            node = ir.IterAdmit(lower_optional(names, only), lower_optional(names, gate))
        case tree.IterBranch(guard=guard, then=then, otherwise=otherwise):
            test = lower_expression(names, guard)
            node = ir.IterBranch(test, _iteration(names, then), _iteration(names, otherwise))
        case tree.IterSet(name=name, engine=engine, value=value):
            node = ir.IterSet(names.register(engine, name), lower_expression(names, value))
    names.origins.record(node, statement.at)
    return node


# --------------------------------------------------------------------------- workload and measures


def lower_arrival(names: Names) -> ir.Arrival:
    """The law of the arrivals; none when the program states none."""
    arrival = names.elaborated.arrival
    if arrival is None or arrival.form == "none":
        return ir.NoArrival()
    node: ir.Arrival
    if arrival.form == "renewal" and arrival.gap is not None:
        gap = ir.Num(arrival.value) if arrival.value is not None else lower_expression(names, arrival.gap)
        node = ir.Renewal(gap)
    elif arrival.value is None:
        raise ValueError("the arrivals are unknown")
    elif arrival.form == "poisson":
        node = ir.Poisson(arrival.value)
    elif arrival.form == "closed":
        node = ir.Closed(int(arrival.value))
    else:
        node = ir.Batch(int(arrival.value))
    names.origins.record(node, arrival.at)
    return node


def lower_measures(names: Names) -> tuple[tuple[ir.Gauge, ...], tuple[ir.Claim, ...], tuple[ir.Register, ...]]:
    """Gauges, claims and registers."""
    elaborated = names.elaborated
    gauges = tuple([names.once(gauge, 0, partial(_gauge, names, gauge)) for gauge in elaborated.gauges])
    claims = tuple([names.once(claim, 0, partial(_claim, names, claim)) for claim in elaborated.claims])
    registers = tuple([_register(names, register) for register in elaborated.registers.values()])
    return gauges, claims, registers


def _gauge(names: Names, gauge: tree.Gauge) -> ir.Gauge:
    node = ir.Gauge(gauge.name, lower_expression(names, gauge.value))
    names.origins.record(node, gauge.at)
    return node


_CLAIMS = {"every": ir.ClaimKind.EVERY_ITERATION, "some": ir.ClaimKind.SOME_ITERATION, "end": ir.ClaimKind.AT_END}


def _claim(names: Names, claim: tree.Claim) -> ir.Claim:
    given = lower_optional(names, claim.given)
    stage = None if claim.stage is None else _member(names, claim.stage)
    node = ir.Claim(claim.name, given, _CLAIMS[claim.form], stage, lower_expression(names, claim.condition))
    names.origins.record(node, claim.at)
    return node


def _member(names: Names, ref: tree.StageRef) -> int:
    index = None if ref.index is None else closed_value(ref.index)
    return names.stages[known(ref.name)][0] + int(index or 0.0)


def _register(names: Names, register: tree.Register) -> ir.Register:
    if register.initial is None:
        raise ValueError(f"register {register.name} has no known first value")
    node = ir.Register(register.name, names.stages[register.engine][0], register.initial)
    names.origins.record(node, register.at)
    return node
