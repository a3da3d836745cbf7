"""Expressions of a session or leg as source: `actor` is the subject, `a` its attributes, `m` the machine.

Everything a statement or a header can read is here; an expression too deep for the host's compiler is called as the
reference's closure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from serq_interpreter.ir import program as ir
from serq_interpreter.machine import moments
from serq_interpreter.machine.evaluate import Evaluator, member_at
from serq_interpreter.machine.generated.draw_source import BlockDraws, Samples, StreamDraws
from serq_interpreter.machine.generated.expression_source import DEEPEST, depth, source

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine

Draws = BlockDraws | StreamDraws


class SubjectSource:
    """Makes the texts and collects in `names` what they refer to."""

    def __init__(self, machine: Machine, names: dict[str, Any]) -> None:
        self.machine = machine
        self.names = names
        self.samples: Samples = {}
        self._evaluator = Evaluator(machine)
        self._moment = moments.statement_moment(machine)
        self.own = StreamDraws("actor.draw_stream()", self.samples)
        """Draws of the session's own statements."""

    def value(self, expression: ir.Expr, draws: Draws | None = None) -> str:
        """The expression's value as text."""
        chosen = self.own if draws is None else draws
        if depth(expression) > DEEPEST:
            return f"{self.name('deep', self._evaluator.closure(expression, self._moment))}(actor)"
        return source(expression, lambda node: self._leaf(node, chosen))

    def name(self, stem: str, what: Any) -> str:
        """A name of its own for an object that the text refers to."""
        found = f"{stem}_{len(self.names)}"
        self.names[found] = what
        return found

    # ------------------------------------------------------------------ members

    def pool(self, reference: ir.PoolRef, draws: Draws | None = None) -> str:
        """The pool a reference names."""
        return self._member("p", reference, draws)

    def stage(self, reference: ir.StageRef, draws: Draws | None = None) -> str:
        """The stage a reference names."""
        return self._member("s", reference, draws)

    def _member(self, letter: str, reference: ir.PoolRef | ir.StageRef, draws: Draws | None) -> str:
        place = fixed_member(reference)
        if place is not None:
            return f"{letter}{place}"
        index = reference.index
        assert index is not None
        members: list[Any] = [*(self.machine.pools if letter == "p" else self.machine.stages)]
        family = members[reference.base : reference.base + reference.count]
        at = self.name("member", member_at(family, self.machine.program, index))
        return f"{at}({self.value(index, draws)})"

    # ------------------------------------------------------------------ leaves

    def _leaf(self, node: ir.Expr, draws: Draws) -> str:
        match node:
            case ir.Attr():
                return f"a[{node.slot}]"
            case ir.Ctx(name="Now"):
                return "m.seconds"
            case ir.Reg():
                return f"m.registers[{node.index}]"
            case ir.Agg():
                return f"m.aggregate({node.kind!r}, {node.observation})"
            case ir.Sample():
                return draws.draw(node, lambda inner: self._leaf(inner, draws))
            case ir.Call():
                return self._query(node, draws)
        raise TypeError(f"no source for {type(node).__name__}")

    def _query(self, call: ir.Call, draws: Draws) -> str:
        reference = call.args[0]
        if isinstance(reference, ir.PoolRef):
            pool = self.pool(reference, draws)
            match call.function:
                case "Used":
                    return f"{pool}.used"
                case "Free":
                    return f"{pool}.free()"
                case "Holders":
                    return f"float(len({pool}.places))"
                case "Queued":
                    return f"float(len({pool}.queue))"
            return f"{pool}.cached_for(actor.root)"
        assert isinstance(reference, ir.StageRef)
        stage = self.stage(reference, draws)
        if call.function == "Price":
            hit, rest = call.args[1:]
            assert not isinstance(hit, ir.PoolRef | ir.StageRef) and not isinstance(rest, ir.PoolRef | ir.StageRef)
            return f"{stage}.estimator.price({self.value(hit, draws)}, {self.value(rest, draws)})"
        return _STAGE_QUERIES[call.function].format(stage)


_STAGE_QUERIES = {
    "Queue": "float({}.present)",
    "Busy": "float({}.busy())",
    "Work": "{}.work()",
    "BudgetLeft": "{}.budget_left()",
    "EstLambda": "{}.estimator.rate()",
    "EstRho": "{}.estimator.load()",
    "EstWait": "{}.estimator.wait()",
}


def fixed_member(reference: ir.PoolRef | ir.StageRef) -> int | None:
    """The place of the member that a reference always names, among all pools or stages."""
    index = reference.index
    if index is None:
        return reference.base
    if isinstance(index, ir.Num) and index.value in range(reference.count):
        return reference.base + int(index.value)
    return None
