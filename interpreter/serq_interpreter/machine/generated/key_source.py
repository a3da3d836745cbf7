"""Keys, costs and gauges as functions of one expression each, in place of the reference's closures inside closures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from serq_interpreter.ir import program as ir
from serq_interpreter.machine import moments
from serq_interpreter.machine.evaluate import Closure, Evaluator, Moment
from serq_interpreter.machine.generated.expression_source import ARITHMETIC, DEEPEST, depth, source
from serq_interpreter.machine.generated.text import Text
from serq_interpreter.machine.stages.step import StepStage

if TYPE_CHECKING:
    from collections.abc import Callable

    from serq_interpreter.machine.engine import Machine


class KeySource:
    """Writes the functions and, once they exist, gives them to the machine's parts."""

    def __init__(self, machine: Machine, text: Text, names: dict[str, Any]) -> None:
        self._machine = machine
        self._text = text
        self._names = names
        self._evaluator = Evaluator(machine)
        self._places: list[tuple[Callable[[Closure], None], str]] = []

    def write(self) -> None:
        """Add the functions to the text."""
        machine = self._machine
        for pool in machine.pools:
            declaration = pool.declaration
            self._keys(pool, "queue_keys", declaration.queue_keys, moments.queue_moment(machine))
            self._keys(pool, "evict_keys", declaration.evict_keys, moments.evict_moment(machine))
            if declaration.preempt is not None:
                self._keys(pool, "preempt_keys", declaration.preempt.keys, moments.preempt_moment(machine, pool))
        for stage in machine.stages:
            kind = stage.declaration.kind
            if isinstance(stage, StepStage) and isinstance(kind, ir.Step):
                found = self._function(kind.cost, stage.code.batch_moment)
                if found is not None:
                    self._places.append((_cost_setter(stage), found))

    def install(self) -> None:
        """Once the text has been executed: the functions take the places of the closures."""
        for put, name in self._places:
            put(self._names[name])

    def _keys(self, pool: Any, attribute: str, keys: tuple[ir.Expr, ...] | None, moment: Moment) -> None:
        """The keys of a pool that are more than a leaf."""
        found = [self._function(key, moment) for key in keys or ()]
        for place, name in enumerate(found):
            if name is not None:
                self._places.append((_key_setter(pool, attribute, place), name))

    def _function(self, expression: ir.Expr, moment: Moment) -> str | None:
        """The name of a function of the subject `s`; `None` where the closure is as good."""
        if (
            isinstance(expression, ir.Num | ir.Attr | ir.Ctx | ir.Reg | ir.Agg | ir.Sample)
            or depth(expression) > DEEPEST
        ):
            return None
        if isinstance(expression, ir.Call) and expression.function not in ARITHMETIC:
            return None
        name = f"key_{len(self._names)}"
        self._names[name] = None
        text = source(expression, lambda node: self._leaf(node, moment))
        with self._text.block(f"def {name}(s):"):
            self._text.put(f"return {text}")
        return name

    def _leaf(self, node: ir.Expr, moment: Moment) -> str:
        match node:
            case ir.Attr():
                return f"s.attrs[{node.slot}]"
            case ir.Ctx(name="Now"):
                return "m.seconds"
            case ir.Reg():
                return f"m.registers[{node.index}]"
        # A draw or a question is the reference's closure, and what it reads of the moment, too.
        name = f"leaf_{len(self._names)}"
        self._names[name] = self._evaluator.closure(node, moment)
        return f"{name}(s)"


def _key_setter(pool: Any, attribute: str, place: int) -> Callable[[Closure], None]:
    def put(function: Closure) -> None:
        keys = list(getattr(pool, attribute))
        keys[place] = function
        setattr(pool, attribute, tuple(keys))

    return put


def _cost_setter(stage: StepStage) -> Callable[[Closure], None]:
    def put(function: Closure) -> None:
        stage.code.cost = function

    return put
