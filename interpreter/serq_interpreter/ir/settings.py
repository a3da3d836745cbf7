"""What the language demands of a program's numbers: populations, rates, run options (spec 02 §4).

A text is held to the same while its constants are folded; this is for programs that came as IR.
"""

from __future__ import annotations

import math

from serq_interpreter.ir import program as ir

MAX_SESSIONS = 1_000_000
MAX_ARRIVALS = 2**53


def setting_faults(program: ir.Program) -> list[tuple[str, str]]:
    """(code, message) of everything that is out of range."""
    return [
        *_run(program),
        *_arrival(program),
        *_stages(program),
        *_pools(program),
        *_workload_blocks(program),
        *_names(program),
    ]


def _run(program: ir.Program) -> list[tuple[str, str]]:
    found = []
    if not program.warmup < program.horizon:
        found.append(("SQ0812", f"the horizon {program.horizon:g} is not above the warm-up {program.warmup:g}"))
    elif program.warmup < 0 or not math.isfinite(program.horizon):
        found.append(("SQ0813", "the warm-up is 0 or more and the horizon finite"))
    if program.arrivals is not None:
        if not 1 <= program.arrivals <= MAX_ARRIVALS:
            found.append(("SQ0815", f"`arrivals` is from 1 to {MAX_ARRIVALS}, not {program.arrivals}"))
        if not isinstance(program.arrival, ir.Poisson | ir.Renewal):
            found.append(("SQ0816", "`arrivals` needs poisson or renewal arrivals"))
    return found


def _arrival(program: ir.Program) -> list[tuple[str, str]]:
    match program.arrival:
        case ir.Poisson(rate) if not (rate > 0 and math.isfinite(rate)):
            return [("SQ0809", f"the rate of the arrivals is {rate:g}, not a positive finite number")]
        case ir.Closed(sessions) | ir.Batch(sessions) if not 1 <= sessions <= MAX_SESSIONS:
            return [("SQ0808", f"a closed population or a batch is from 1 to {MAX_SESSIONS} sessions, not {sessions}")]
        case ir.Renewal(ir.Num(gap)) if not (gap > 0 and math.isfinite(gap)):
            return [("SQ0810", f"the gap between arrivals is {gap:g}, not a positive finite number")]
        case _:
            return []


def _stages(program: ir.Program) -> list[tuple[str, str]]:
    found = []
    for stage in program.stages:
        kind = stage.kind
        if isinstance(kind, ir.Fifo) and kind.servers < 1:
            found.append(("SQ0503", f"stage `{stage.name}` has {kind.servers} servers: a fifo has at least one"))
        if isinstance(kind, ir.Step) and kind.granule is not None and not kind.granule > 0:
            found.append(("SQ0504", f"the granule of engine `{stage.name}` is {kind.granule:g}: it is above 0"))
    return found


def _pools(program: ir.Program) -> list[tuple[str, str]]:
    return [
        ("SQ0414", f"the block of pool `{pool.name}` is {pool.block:g}: it is above 0")
        for pool in program.pools
        if pool.block is not None and not pool.block > 0
    ]


def _workload_blocks(program: ir.Program) -> list[tuple[str, str]]:
    """What the grammar of texts sees to: these blocks run outside any session's time."""
    return [
        ("SQ0193", f"the `{name}` block has a `{type(statement).__name__}`: it only assigns and observes")
        for name, block in (("init", program.init), ("turn", program.turn))
        for statement in block.statements
        if not isinstance(statement, ir.Set | ir.Observe)
    ]


def _names(program: ir.Program) -> list[tuple[str, str]]:
    """Results that are told apart by their names alone."""
    groups = (
        ("SQ0212", "gauge", program.gauges),
        ("SQ0213", "claim", program.claims),
        ("SQ0218", "register", program.registers),
    )
    found = []
    for code, kind, declared in groups:
        names = [item.name for item in declared]
        found += [(code, f"a second {kind} `{name}`") for name in dict.fromkeys(names) if names.count(name) > 1]
    return found
