"""Which values stand for a draw: all of a finite support, a few of a continuous one.

A draw inside a rounding or a comparison with constants (`ceil(~uniform(0, 8))`, `~uniform(0, 1) < 0.3`) has finitely
many outcomes; one uniform is taken for each.  Any other continuous draw is represented by `values` quantiles, for a
bounded law including both ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from serq_interpreter.explore.oracle import FixedStream
from serq_interpreter.ir import program as ir
from serq_interpreter.machine.draws import DISTRIBUTIONS
from serq_interpreter.machine.evaluate import Evaluator, Moment
from serq_interpreter.machine.static_facts import Node, every_expression, nodes

_LAST = 1.0 - 2.0**-53
"""The greatest uniform there is."""
_GRID = 256
"""Outcomes are looked for at so many uniforms: one that is rarer may be missed."""

Uniforms = tuple[tuple[float, ...], ...]


def supports_of(program: ir.Program, values: int, most: int) -> dict[ir.Sample, Uniforms]:
    """The uniforms that stand for each draw; run under `deep_recursion`.

    `values` represent a continuous draw; a finite support of more than `most` outcomes is thinned to so many.
    """
    found: dict[ir.Sample, Uniforms] = {}
    for root in every_expression(program):
        for node in nodes((root,)):
            if isinstance(node, ir.Sample):
                found.setdefault(node, _by_law(node, values))
        for sample, rounding in _rounded(root):
            uniforms = _by_outcome(program, rounding, most)
            if uniforms:
                found[sample] = uniforms
    if isinstance(program.arrival, ir.Renewal):
        # Arrivals are explored and their gaps never drawn, but the machine compiles the expression.
        for node in nodes((program.arrival.gap,)):
            if isinstance(node, ir.Sample):
                found.setdefault(node, _by_law(node, values))
    return found


def _by_law(sample: ir.Sample, values: int) -> Uniforms:
    match sample.distribution:
        case "Det":
            return ((0.5,),)
        case "Bernoulli":
            return ((_LAST,), (0.0,))
        case "Uniform":
            last = max(values - 1, 1)
            return tuple((min(number / last, _LAST),) for number in range(values)) if values > 1 else ((0.5,),)
        case "H2":
            # Both phases, each with its quantiles.
            return tuple((phase, quantile) for phase in (0.0, _LAST) for quantile in _quantiles(values))
        case _:
            return tuple((quantile,) for quantile in _quantiles(values))


def _quantiles(values: int) -> Iterator[float]:
    for number in range(values):
        yield (number + 0.5) / values


# --------------------------------------------------------------------------- finite supports


def _rounded(root: Node | None) -> Iterator[tuple[ir.Sample, ir.Expr]]:
    """Every draw inside a rounding or comparison that has constants beside it and nothing else."""
    for node in nodes((root,)):
        if not _rounds(node):
            continue
        inner = list(nodes((node,)))
        samples = [item for item in inner if isinstance(item, ir.Sample)]
        if len(samples) == 1 and not any(isinstance(item, _OPEN) for item in inner):
            yield samples[0], node  # type: ignore[misc]  # `_rounds` is true of expressions only


_OPEN = (ir.Attr, ir.Ctx, ir.Agg, ir.Reg, ir.PoolRef, ir.StageRef)
"""What changes from one evaluation to the next."""


def _rounds(node: Node) -> bool:
    match node:
        case ir.Call(function="Floor" | "Ceil"):
            return True
        case ir.Binary(op="Lt" | "Le" | "Gt" | "Ge" | "Eq" | "Ne"):
            return True
        case _:
            return False


def _by_outcome(program: ir.Program, rounding: ir.Expr, most: int) -> Uniforms:
    """One uniform for each outcome of the rounding that has some probability, in the order of the uniforms."""
    outcomes: dict[float, float] = {}
    for step in range(_GRID):
        uniform = (step + 0.5) / _GRID
        outcomes.setdefault(_outcome(program, rounding, uniform), uniform)
    return tuple((uniform,) for uniform in _spread(list(outcomes.values()), most))


def _outcome(program: ir.Program, rounding: ir.Expr, uniform: float) -> float:
    stream = FixedStream((uniform,))
    draw_of = lambda sample: DISTRIBUTIONS[sample.distribution]  # noqa: E731
    closure = Evaluator(_Nothing(program), draw_of).closure(rounding, Moment({}, stream))  # type: ignore[arg-type]
    return closure(None)


class _Nothing:
    """A deployment for expressions that ask nothing of it."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.pools: list[Any] = []
        self.stages: list[Any] = []
        self.registers: list[float] = []

    def aggregate(self, kind: str, observation: int) -> float:
        raise TypeError(f"no observation {observation} to take the {kind} of")


def _spread(items: Sequence[float], most: int) -> list[float]:
    """At most `most` of the items, evenly, with the first and the last."""
    if len(items) <= most:
        return list(items)
    if most == 1:
        return [items[len(items) // 2]]
    return [items[number * (len(items) - 1) // (most - 1)] for number in range(most)]
