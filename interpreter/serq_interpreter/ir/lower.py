"""From an elaborated program without errors to the kernel: names become indices (08 §3, §5).

Every table is in the canonical order: attributes and observations by first occurrence, pools and stages by declaration
with a family's members side by side, registers by stage.
"""

from __future__ import annotations

from serq_interpreter.deep import deep_recursion
from serq_interpreter.ir import program as ir
from serq_interpreter.ir.lower_declarations import Declared, lower_arrival, lower_measures, lower_pools, lower_stages
from serq_interpreter.ir.lower_statements import lower_root
from serq_interpreter.ir.names import Names
from serq_interpreter.ir.origins import Origins
from serq_interpreter.ir.walk import statements
from serq_interpreter.record import fact
from serq_interpreter.semantics import tree

_EMPTY = ir.Block()

_SHARES = {"maxmin": ir.Share.MAX_MIN, "bottleneck": ir.Share.BOTTLENECK}


@fact
class Lowered:
    """A kernel program and where its nodes stand in the text."""

    program: ir.Program
    origins: Origins
    names: Names | None = None
    """What the next version of the program may take; `None` for a program that was not lowered."""


def lower(elaborated: tree.Elaborated, before: Lowered | None = None) -> Lowered:
    """The kernel of a program.  Raises `ValueError` where an error has left something unknown.

    `before` is that of an earlier version of the program, some of whose nodes are taken.
    """
    with deep_recursion():
        names = Names(elaborated, None if before is None else before.names)
        declared = Declared(lower_pools(names), lower_stages(names), *lower_measures(names))
        blocks = [
            _EMPTY if block is None else lower_root(names, block)
            for block in (elaborated.init, elaborated.turn, elaborated.session)
        ]
        names.known = {}
        return Lowered(_program(names, declared, *blocks), names.origins, names)


def _program(names: Names, declared: Declared, init: ir.Block, turn: ir.Block, session: ir.Block) -> ir.Program:
    elaborated = names.elaborated
    settings = elaborated.settings
    if settings.horizon is None:
        raise ValueError("the program has no horizon")
    flows = any(isinstance(statement, ir.Run) and statement.also for statement in statements(session))
    return ir.Program(
        attrs=tuple(names.slots),
        observes=tuple(names.observations),
        pools=declared.pools,
        stages=declared.stages,
        arrival=lower_arrival(names),
        trace=elaborated.trace,
        trace_ordered=elaborated.trace_ordered,
        init=init,
        turn=turn,
        session=session,
        horizon=settings.horizon,
        warmup=0.0 if settings.warmup is None else settings.warmup,
        seed=1 if settings.seed is None else int(settings.seed),
        arrivals=None if settings.arrivals is None else int(settings.arrivals),
        hidden=tuple([names.slots[hidden.name] for hidden in elaborated.hidden]),
        share=_SHARES[elaborated.share] if flows and elaborated.share is not None else None,
        gauges=declared.gauges,
        claims=declared.claims,
        registers=declared.registers,
        spawning=_spawning(names),
    )


def _spawning(names: Names) -> ir.Spawning | None:
    if not names.groups and not names.lineage:
        return None
    slots = {name: names.slots[name] for name in names.lineage}
    return ir.Spawning(tuple(names.groups), slots.get("parent"), slots.get("depth"))
