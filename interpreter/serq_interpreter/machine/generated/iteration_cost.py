"""The cost of an iteration as source: one function that looks at the batch once and reads only what the cost reads."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from serq_interpreter.ir import program as ir
from serq_interpreter.ir.walk import expressions
from serq_interpreter.machine.exact_clock import ExactClock
from serq_interpreter.machine.exact_costs import Polynomial, polynomial
from serq_interpreter.machine.generated.expression_source import DEEPEST, NAMES, depth, source

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine
    from serq_interpreter.machine.stages.planning import Plan
    from serq_interpreter.machine.stages.step import StepStage

QuickCost = Callable[["Plan"], tuple[float, int | None, int]]
"""Of a plan: the cost in seconds, in ticks where it is exact (05 §6.8), and the number of decodes."""

_OF_THE_BATCH = {"Ntok": "ntok", "Npre": "npre", "Ndec": "ndec", "Kvb": "kvb", "Kvp": "kvp", "Attn": "attn"}
_OF_THE_MACHINE = {
    "Nres": "float(stage.present)",
    "Now": "m.seconds",
    "Served": "stage.served",
    "Arrived": "float(m.arrivals)",
}


def quick_cost(machine: Machine, engine: StepStage) -> QuickCost | None:
    """The function, or `None` for a cost that draws, reads `demand` or is too deep to be compiled."""
    kind = engine.declaration.kind
    assert isinstance(kind, ir.Step)
    if depth(kind.cost) > DEEPEST:
        return None
    names: dict[str, Any] = dict(NAMES) | {"m": machine, "stage": engine, "nobody": machine.nobody}
    read: set[str] = set()
    for node in expressions(kind.cost):
        if isinstance(node, ir.Sample) or (isinstance(node, ir.Ctx) and node.name == "Demand"):
            return None
        if isinstance(node, ir.Ctx) and node.name in _OF_THE_BATCH:
            read.add(_OF_THE_BATCH[node.name])

    def leaf(node: ir.Expr) -> str:
        if isinstance(node, ir.Ctx):
            return _OF_THE_BATCH.get(node.name) or _OF_THE_MACHINE[node.name]
        if isinstance(node, ir.Reg):
            return f"m.registers[{node.index}]"
        name = f"q{len(names)}"
        names[name] = engine.code.closure_of(node)
        return f"{name}(nobody)"

    if any(isinstance(node, ir.Ctx) and not _known(node.name) for node in expressions(kind.cost)):
        return None
    cost = source(kind.cost, leaf)
    lines = [*_measuring(engine, read), f"cost = {cost}"]
    generic = engine.code.cost_in_ticks
    if generic is None:
        lines.append("return cost, None, members")
    else:
        names["ticks"] = generic
        lines += _in_ticks(machine, kind.cost)
    names["shape"] = engine.code.shape
    exec("def cost_of(plan):\n" + "\n".join(f"    {line}" for line in lines), names)
    found: QuickCost = names["cost_of"]
    return found


def _known(name: str) -> bool:
    return name in _OF_THE_BATCH or name in _OF_THE_MACHINE


def _measuring(engine: StepStage, read: set[str]) -> list[str]:
    """The totals of the members, then those of the batch added up in its order."""
    memory = engine.memory is not None
    lines = ["members = plan.together"]
    if "ntok" in read:
        lines.append("ntok = float(members) if members else -0.0")
    if "npre" in read:
        lines.append("npre = -0.0")
    if "kvb" in read:
        lines.append("kvb = stage.decoders.units if members else 0.0" if memory else "kvb = 0.0")
    if "kvp" in read:
        lines.append("kvp = 0.0")
    if "attn" in read:
        lines.append("attn = -0.0")
    decode, prefill = ["members += 1"], []
    if "kvb" in read and memory:
        decode.append("kvb += job.actor.units_on(stage.memory)")
    if "npre" in read:
        prefill.append("npre += tokens")
    if "kvp" in read and memory:
        prefill.append("kvp += job.actor.units_on(stage.memory)")
    if "attn" in read:
        prefill.append("p = 0.0 if job.allocation is None else job.allocation.position")
        prefill.append("attn += tokens * (p + tokens / 2.0)")
    lines.append("for job, tokens in plan.batch:")
    if "ntok" in read:
        lines.append("    ntok += tokens")
    lines.append("    if job.decoding:")
    lines += [f"        {line}" for line in decode]
    if prefill:
        lines.append("    else:")
        lines += [f"        {line}" for line in prefill]
    if "ndec" in read:
        lines.append("ndec = float(members)")
    return lines


def _in_ticks(machine: Machine, cost: ir.Expr) -> list[str]:
    """Whole ticks of whole numbers in line; the general evaluation for everything else."""
    clock = machine.clock
    assert isinstance(clock, ExactClock)
    exact = polynomial(cost)
    assert exact is not None
    text = _polynomial_text(clock.exact_cost(exact))
    general = ["shape.measure(plan)", "return cost, ticks(nobody), members"]
    if text is None:
        return general
    whole, total = text
    if not whole:
        return [f"return cost, {total}, members"]
    return [f"if {' and '.join(whole)}:", f"    return cost, {total}, members", *general]


def _polynomial_text(exact: Polynomial) -> tuple[list[str], str] | None:
    """What has to be whole, and the sum; `None` where a coefficient is not whole, or a factor is a query."""
    factors: dict[str, None] = {}
    terms = []
    for coefficient, monomial in exact.terms:
        if coefficient.denominator != 1:
            return None
        product = [str(int(coefficient))]
        for node in monomial:
            if not isinstance(node, ir.Ctx):
                return None
            name = _OF_THE_BATCH.get(node.name) or _OF_THE_MACHINE[node.name]
            factors[name] = None
            product.append(f"int({name})")
        terms.append(" * ".join(product))
    return [f"{name}.is_integer()" for name in factors], " + ".join(terms)
