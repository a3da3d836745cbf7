"""Expressions to closures, each bound to the moment at which its position is read (seed §1).

A closure takes the *subject* whose attributes the expression reads (a session, a leg, a
cached entry, or nobody) and returns a double.  Context variables are not looked up when
the closure runs: the `Moment` says, when it is made, where each one comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import copysign, inf
from typing import Any, Protocol

from serq_interpreter.ir import program as ir
from serq_interpreter.machine import numbers
from serq_interpreter.machine.draws import DISTRIBUTIONS, DrawError, Stream
from serq_interpreter.machine.errors import RunError
from serq_interpreter.machine.expression_text import expression_text


class Subject(Protocol):
    """Whose attributes are read.  `root` is the session that owns a cached prefix, or `None`."""

    attrs: list[float]
    root: Any

    def draw_stream(self) -> Stream: ...


Closure = Callable[[Any], float]
Draw = Callable[..., float]
"""A distribution: called with the stream and the evaluated arguments."""


def distribution_of(sample: ir.Sample) -> Draw:
    """How a draw is taken in a run: from its stream."""
    return DISTRIBUTIONS[sample.distribution]


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of evaluation: context variables by IR name, and the stream of its draws.

    `stream` `None` is the subject's own stream.
    """

    context: Mapping[str, Closure] = field(default_factory=dict)
    stream: Stream | None = None


class Observables(Protocol):
    """What expressions can ask of the deployment."""

    program: ir.Program
    pools: list[Any]
    stages: list[Any]
    registers: list[float]

    def aggregate(self, kind: str, observation: int) -> float: ...


class Evaluator:
    """Compiles expressions against one machine."""

    def __init__(self, machine: Observables, draw_of: Callable[[ir.Sample], Draw] = distribution_of) -> None:
        """`draw_of` says how each draw of the program is taken."""
        self.machine = machine
        self.program = machine.program
        self.draw_of = draw_of

    # ------------------------------------------------------------------ expressions

    def many(self, expressions: tuple[ir.Expr, ...], moment: Moment) -> tuple[Closure, ...]:
        return tuple([self.closure(expression, moment) for expression in expressions])

    def optional(self, expression: ir.Expr | None, moment: Moment) -> Closure | None:
        return None if expression is None else self.closure(expression, moment)

    def closure(self, expression: ir.Expr, moment: Moment) -> Closure:
        """The expression at a moment; recursive, run under `deep_recursion`."""
        match expression:
            case ir.Num():
                return _constant(expression.value)
            case ir.Attr():
                return _attribute(expression.slot)
            case ir.Ctx():
                return moment.context[expression.name]
            case ir.Sample():
                return self._sample(expression, moment)
            case ir.Call():
                return self._call(expression, moment)
            case ir.Unary():
                operand = self.closure(expression.operand, moment)
                return _negated(operand) if expression.op == "Neg" else _inverted(operand)
            case ir.Binary():
                return self._binary(expression, moment)
            case ir.Cond():
                test, then, otherwise = self.many((expression.test, expression.then, expression.otherwise), moment)
                return lambda subject: then(subject) if test(subject) != 0.0 else otherwise(subject)
            case ir.Agg():
                kind, observation, machine = expression.kind, expression.observation, self.machine
                return lambda _: machine.aggregate(kind, observation)
        registers, index = self.machine.registers, expression.index
        return lambda _: registers[index]

    def _binary(self, expression: ir.Binary, moment: Moment) -> Closure:
        right_node = expression.right
        left = self.closure(expression.left, moment)
        if isinstance(right_node, ir.Num) and expression.op in _WITH_CONSTANT:
            return _WITH_CONSTANT[expression.op](left, right_node.value)
        return _BINARY[expression.op](left, self.closure(right_node, moment))

    def _sample(self, sample: ir.Sample, moment: Moment) -> Closure:
        draw = self.draw_of(sample)
        args = self.many(sample.args, moment)
        fixed = moment.stream
        if len(args) == 1:
            only = args[0]
            if fixed is not None:
                return lambda subject: draw(fixed, only(subject))

            def one(subject: Any) -> float:
                value = only(subject)
                return draw(subject.draw_stream(), value)

            return one

        def several(subject: Any) -> float:
            values = [arg(subject) for arg in args]
            try:
                return draw(fixed if fixed is not None else subject.draw_stream(), *values)
            except DrawError as error:
                raise RunError("SQ0902", str(error), sample) from error

        return several

    def _call(self, call: ir.Call, moment: Moment) -> Closure:
        if call.function in _UNARY_FUNCTIONS:
            function = _UNARY_FUNCTIONS[call.function]
            operand = self._argument(call.args[0], moment)
            return lambda subject: function(operand(subject))
        if call.function in _BINARY_FUNCTIONS:
            binary = _BINARY_FUNCTIONS[call.function]
            left, right = self._argument(call.args[0], moment), self._argument(call.args[1], moment)
            return lambda subject: binary(left(subject), right(subject))
        reference = call.args[0]
        if isinstance(reference, ir.PoolRef):
            return _pool_query(call.function, *self.pool(reference, moment))
        assert isinstance(reference, ir.StageRef)
        member = self.stage(reference, moment)[1]
        if call.function == "Price":
            hit, rest = self._argument(call.args[1], moment), self._argument(call.args[2], moment)
            return lambda subject: member(subject).estimator.price(hit(subject), rest(subject))
        return _stage_query(call.function, member)

    def _argument(self, argument: ir.Expr | ir.PoolRef | ir.StageRef, moment: Moment) -> Closure:
        assert not isinstance(argument, ir.PoolRef | ir.StageRef)
        return self.closure(argument, moment)

    # ------------------------------------------------------------------ references

    def pool(self, reference: ir.PoolRef, moment: Moment) -> tuple[Any | None, Callable[[Any], Any]]:
        """The member a reference names: itself when fixed, else `None`, and a function of the subject."""
        return self._member(reference, self.machine.pools, moment)

    def stage(self, reference: ir.StageRef, moment: Moment) -> tuple[Any | None, Callable[[Any], Any]]:
        return self._member(reference, self.machine.stages, moment)

    def _member(
        self, reference: ir.PoolRef | ir.StageRef, members: list[Any], moment: Moment
    ) -> tuple[Any | None, Callable[[Any], Any]]:
        index = reference.index
        if index is None or (isinstance(index, ir.Num) and index.value in range(reference.count)):
            fixed = members[reference.base + (0 if index is None else int(index.value))]
            return fixed, lambda _: fixed
        family = members[reference.base : reference.base + reference.count]
        value, at = self.closure(index, moment), member_at(family, self.program, index)
        return None, lambda subject: at(value(subject))


def member_at(family: list[Any], program: ir.Program, index: ir.Expr) -> Callable[[float], Any]:
    """A function from a position to the member of the family there; `index` is how the program writes the position."""
    count = len(family)

    def member(position: float) -> Any:
        if 0.0 <= position < count and position == int(position):
            return family[int(position)]
        text, shown = expression_text(program, index), numbers.number_text(position)
        message = f"the index `{text}` came out as {shown}: the members are numbered 0 to {count - 1}"
        raise RunError("SQ0903", message, index)

    return member


# --------------------------------------------------------------------------- closures


def _constant(value: float) -> Closure:
    return lambda _: value


def _attribute(slot: int) -> Closure:
    return lambda subject: subject.attrs[slot]


def _negated(operand: Closure) -> Closure:
    return lambda subject: -operand(subject)


def _inverted(operand: Closure) -> Closure:
    return lambda subject: 1.0 if operand(subject) == 0.0 else 0.0


_BINARY: dict[str, Callable[[Closure, Closure], Closure]] = {
    "Add": lambda a, b: lambda s: a(s) + b(s),
    "Sub": lambda a, b: lambda s: a(s) - b(s),
    "Mul": lambda a, b: lambda s: a(s) * b(s),
    "Div": lambda a, b: lambda s: numbers.divide(a(s), b(s)),
    "Pow": lambda a, b: lambda s: numbers.power(a(s), b(s)),
    "Lt": lambda a, b: lambda s: 1.0 if a(s) < b(s) else 0.0,
    "Le": lambda a, b: lambda s: 1.0 if a(s) <= b(s) else 0.0,
    "Gt": lambda a, b: lambda s: 1.0 if a(s) > b(s) else 0.0,
    "Ge": lambda a, b: lambda s: 1.0 if a(s) >= b(s) else 0.0,
    "Eq": lambda a, b: lambda s: 1.0 if a(s) == b(s) else 0.0,
    "Ne": lambda a, b: lambda s: 1.0 if a(s) != b(s) else 0.0,
    "And": lambda a, b: lambda s: 1.0 if a(s) != 0.0 and b(s) != 0.0 else 0.0,
    "Or": lambda a, b: lambda s: 1.0 if a(s) != 0.0 or b(s) != 0.0 else 0.0,
}

_WITH_CONSTANT: dict[str, Callable[[Closure, float], Closure]] = {
    "Add": lambda a, c: lambda s: a(s) + c,
    "Sub": lambda a, c: lambda s: a(s) - c,
    "Mul": lambda a, c: lambda s: a(s) * c,
    "Lt": lambda a, c: lambda s: 1.0 if a(s) < c else 0.0,
    "Le": lambda a, c: lambda s: 1.0 if a(s) <= c else 0.0,
    "Gt": lambda a, c: lambda s: 1.0 if a(s) > c else 0.0,
    "Ge": lambda a, c: lambda s: 1.0 if a(s) >= c else 0.0,
    "Eq": lambda a, c: lambda s: 1.0 if a(s) == c else 0.0,
    "Ne": lambda a, c: lambda s: 1.0 if a(s) != c else 0.0,
}

if copysign(1.0, inf - inf) > 0.0:  # the hardware's default NaN is not the reference's
    for _name, _operation in (
        ("Add", numbers.portable(lambda x, y: x + y)),
        ("Sub", numbers.portable(lambda x, y: x - y)),
        ("Mul", numbers.portable(lambda x, y: x * y)),
    ):
        _BINARY[_name] = lambda a, b, f=_operation: lambda s: f(a(s), b(s))  # type: ignore[misc]
        _WITH_CONSTANT[_name] = lambda a, c, f=_operation: lambda s: f(a(s), c)  # type: ignore[misc]

_UNARY_FUNCTIONS: dict[str, Callable[[float], float]] = {
    "Abs": abs,
    "Floor": numbers.floor,
    "Ceil": numbers.ceil,
    "Sqrt": numbers.square_root,
    "Exp": numbers.exponential,
    "Ln": numbers.logarithm,
}
_BINARY_FUNCTIONS: dict[str, Callable[[float, float], float]] = {
    "Min": numbers.minimum,
    "Max": numbers.maximum,
    "Pow": numbers.power,
}


def _pool_query(function: str, fixed: Any | None, member: Callable[[Any], Any]) -> Closure:
    """`Used`, `Free`, … of one pool; the common fixed member is read without a call."""
    match function:
        case "Used":
            return (lambda _: fixed.used) if fixed is not None else lambda s: member(s).used
        case "Free":
            return (lambda _: fixed.cap - fixed.used) if fixed is not None else lambda s: member(s).free()
        case "Holders":
            return lambda s: float(len(member(s).places))
        case "Queued":
            return lambda s: float(len(member(s).queue))
    return lambda s: member(s).cached_for(s.root)


def _stage_query(function: str, member: Callable[[Any], Any]) -> Closure:
    match function:
        case "Queue":
            return lambda s: float(member(s).present)
        case "Busy":
            return lambda s: float(member(s).busy())
        case "Work":
            return lambda s: member(s).work()
        case "BudgetLeft":
            return lambda s: member(s).budget_left()
        case "EstLambda":
            return lambda s: member(s).estimator.rate()
        case "EstRho":
            return lambda s: member(s).estimator.load()
    return lambda s: member(s).estimator.wait()
