"""Draws as source: the uniforms of a block taken by index, or a stream asked (06 §10, §11)."""

from __future__ import annotations

from collections.abc import Callable
from math import log, sqrt
from typing import Any

from serq_interpreter.ir import program as ir
from serq_interpreter.machine.chacha import OUTPUTS_PER_BLOCK
from serq_interpreter.machine.draws import DISTRIBUTIONS, DrawError, Stream
from serq_interpreter.machine.errors import RunError
from serq_interpreter.machine.foresight import UNIFORMS
from serq_interpreter.machine.generated.expression_source import source
from serq_interpreter.machine.static_facts import nodes

Leaf = Callable[[ir.Expr], str]

Samples = dict[str, ir.Sample]
"""The draws that the source refers to, by name."""


class StreamDraws:
    """Draws from a stream, which is given as text."""

    def __init__(self, stream: str, samples: Samples) -> None:
        self._stream = stream
        self._samples = samples

    def draw(self, sample: ir.Sample, leaf: Leaf) -> str:
        return _call(sample, leaf, self._stream, self._samples)


def session_draws(stream: str, serial: str, samples: Samples) -> StreamDraws:
    """The statements of a session: its own stream, opened at the first draw."""
    return StreamDraws(f"({stream} or opened(draws, a, {serial}))", samples)


class BlockDraws:
    """An `init` or `turn` block, whose stream nobody else reads: uniforms by their place in the first block, where
    their number does not depend on anything."""

    def __init__(self, kind: str, turns: str, samples: Samples) -> None:
        self._samples = samples
        self._kind = kind
        self._turns = turns
        self._counted = False
        self._draws = False
        self._total = 0
        self._next = 0

    def prepare(self, values: list[ir.Expr]) -> None:
        """Decide how the block's draws are made."""
        found = list(nodes(values))
        samples = [node for node in found if isinstance(node, ir.Sample)]
        conditional = any(isinstance(node, ir.Cond) or _is_logical(node) for node in found)
        self._draws = bool(samples)
        total = sum(UNIFORMS.get(sample.distribution, OUTPUTS_PER_BLOCK + 1) for sample in samples)
        self._counted = not conditional and total <= OUTPUTS_PER_BLOCK
        self._total = total

    def opening(self) -> list[str]:
        """The statements before the block."""
        if not self._draws:
            return []
        if not self._counted:
            return [f"stream = draws.workload(serial, {self._turns})"]
        if self._kind == "turn":
            return [f"u, i, _, _ = draws.first_uniforms(serial, {self._turns}, 1, 0, {self._total})"]
        # Sessions arrive in the order of their serials: the next one's uniforms are the next eight of the chunk.
        return [
            "if i_at < i_end: u = i_uniforms; i = i_at",
            "else:",
            f"    u, i, first, after = draws.first_uniforms(serial, 0, 1, served, {self._total})",
            "    served = after - first if first <= serial < after else 0",
            "    i_uniforms = u; i_at = i; i_end = 8 * served",
            "i_at += 8",
        ]

    def draw(self, sample: ir.Sample, leaf: Leaf) -> str:
        if not self._counted:
            return _call(sample, leaf, "stream", self._samples)
        arguments = [source(argument, leaf) for argument in sample.args]
        match sample.distribution:
            case "Det":
                return arguments[0]
            case "Exp":
                return f"(-{arguments[0]} * log(1.0 - {self._uniform()}))"
            case "Bernoulli":
                return _bernoulli(arguments[0], self._uniform())
            case "Uniform":
                return f"uniform_between({arguments[0]}, {arguments[1]}, {self._uniform()})"
        return f"hyperexponential({arguments[0]}, {arguments[1]}, {self._uniform()}, {self._uniform()})"

    def _uniform(self) -> str:
        place = self._next
        self._next += 1
        return f"u[i + {place}]" if place else "u[i]"


# --------------------------------------------------------------------------- what the source calls


def draw(sample: ir.Sample, stream: Stream, *arguments: float) -> float:
    try:
        return DISTRIBUTIONS[sample.distribution](stream, *arguments)
    except DrawError as error:
        raise RunError("SQ0902", str(error), sample) from error


def uniform_between(low: float, high: float, uniform: float) -> float:
    return low + (high - low) * uniform


def hyperexponential(mean: float, cv2: float, first: float, second: float) -> float:
    """`draws.hyperexponential` with its two uniforms given."""
    v = cv2 if cv2 > 1.0 else 1.0
    p = (1.0 + sqrt((v - 1.0) / (v + 1.0))) / 2.0
    share = p if first < p else 1.0 - p
    return -(mean / (2.0 * share)) * log(1.0 - second)


# --------------------------------------------------------------------------- text


def _bernoulli(p: str, uniform: str) -> str:
    return f"(1.0 if {uniform} < {p} else 0.0)"


def _call(sample: ir.Sample, leaf: Leaf, stream: str, samples: Samples) -> str:
    arguments = ", ".join(source(argument, leaf) for argument in sample.args)
    name = f"sample_{len(samples)}"
    samples[name] = sample
    return f"draw({name}, {stream}, {arguments})"


def _is_logical(node: Any) -> bool:
    return isinstance(node, ir.Binary) and node.op in ("And", "Or")
