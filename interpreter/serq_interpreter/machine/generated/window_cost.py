"""The cost of a decode-only iteration as a function of the units its decodes hold."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, Any

from serq_interpreter.ir import program as ir
from serq_interpreter.ir.walk import Part, expressions
from serq_interpreter.machine.exact_clock import ExactClock
from serq_interpreter.machine.exact_costs import Polynomial, polynomial
from serq_interpreter.machine.generated.expression_source import ARITHMETIC, DEEPEST, NAMES, depth, source

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine
    from serq_interpreter.machine.stages.step import StepStage

Cost = Callable[..., Any]
"""Of the units on the memory pool; of the time in seconds, too, where the cost reads the clock."""
Ticks = Callable[[float], int]


_BOUND = {"Ntok": "ntok", "Ndec": "ntok", "Nres": "nres", "Kvb": "kvb", "Kvp": "0.0", "Now": "now"}


def _in_arrays(node: Part) -> bool:
    """Whether the source of a part does to each element of an array what it does to a number."""
    match node:
        case ir.Binary(op="Add" | "Sub" | "Mul"):
            return True
        case ir.Binary(op="Div", right=ir.Num(value=value)):
            return value != 0.0
        case ir.Call(function=function):
            return function not in ARITHMETIC
        case ir.Num() | ir.Ctx() | ir.Reg() | ir.Unary(op="Neg") | ir.PoolRef() | ir.StageRef():
            return True
        case _:
            return False


class WindowCost:
    """Compiled once per engine; `at(n)` binds it to a batch of `n` decodes at the present moment.

    `readable` is false for an expression too deep to be compiled.
    """

    def __init__(self, machine: Machine, engine: StepStage) -> None:
        kind = engine.declaration.kind
        assert isinstance(kind, ir.Step)
        self._machine = machine
        self._engine = engine
        self.readable = depth(kind.cost) <= DEEPEST
        self._queries: dict[int, tuple[str, Callable[[Any], float]]] = {}
        self._exact: Polynomial | None = None
        self._by_size: dict[int, list[int | Fraction] | None] = {}
        self.in_arrays = False
        if not self.readable:
            return
        self.in_arrays = all(_in_arrays(node) for node in expressions(kind.cost))
        """Whether the function of `at` takes arrays of units as well as one number."""
        self.reads_units = any(isinstance(node, ir.Ctx) and node.name == "Kvb" for node in expressions(kind.cost))
        body = source(kind.cost, self._leaf)
        names = [name for name, _ in self._queries.values()]
        namespace = dict(NAMES)
        self.reads_clock = any(isinstance(node, ir.Ctx) and node.name == "Now" for node in expressions(kind.cost))
        given = "kvb, now" if self.reads_clock else "kvb"
        exec(f"def bind({', '.join(['ntok', 'nres', *names])}):\n    return lambda {given}: {body}", namespace)
        self._bind = namespace["bind"]
        if isinstance(machine.clock, ExactClock):
            exact = polynomial(kind.cost)
            self._exact = None if exact is None else machine.clock.exact_cost(exact)

    def _leaf(self, node: ir.Expr) -> str:
        if isinstance(node, ir.Ctx):
            return _BOUND.get(node.name, "(-0.0)")
        key = id(node)
        if key not in self._queries:
            closure = self._engine.code.closure_of(node)
            self._queries[key] = (f"q{len(self._queries)}", closure)
        return self._queries[key][0]

    def at(self, n: int) -> Cost:
        """The cost in seconds as a function of `kv_decode`, for `n` residents that decode."""
        nobody = self._machine.nobody
        bound: Cost = self._bind(float(n), float(n), *[closure(nobody) for _, closure in self._queries.values()])
        return bound

    def ticks_at(self, n: int, cost: Cost) -> Ticks:
        """The same in ticks of the exact clock: the polynomial in whole numbers where the cost is one."""
        clock = self._machine.clock
        assert isinstance(clock, ExactClock)
        if self._exact is None:
            return lambda units: clock.ticks(cost(units))
        coefficients = self.coefficients(n)
        if coefficients is None:
            return lambda units: clock.ticks(cost(units))
        constant, *higher = coefficients
        if not higher and isinstance(constant, int):
            return lambda _: constant
        if len(higher) == 1 and isinstance(constant, int) and isinstance(higher[0], int):
            slope = higher[0]
            return lambda units: constant + slope * int(units)

        def ticks(units: float) -> int:
            whole, total = int(units), coefficients[-1]
            for coefficient in reversed(coefficients[:-1]):
                total = total * whole + coefficient
            return total if isinstance(total, int) else round(total)

        return ticks

    def coefficients(self, n: int) -> list[int | Fraction] | None:
        """The cost in ticks by power of `kv_decode`; `None` if it is no polynomial, or a factor is not finite."""
        if self._queries or self._exact is None:
            return None if self._exact is None else self._collected(self._exact, n)
        if n not in self._by_size:
            self._by_size[n] = self._collected(self._exact, n)
        return self._by_size[n]

    def line(self, n: int) -> tuple[int, int] | None:
        """Constant and slope of a cost that is affine in `kv_decode`, positive and does not fall; in ticks."""
        found = self.coefficients(n)
        if found is None or len(found) > 2:
            return None
        constant, slope = found[0], found[1] if len(found) == 2 else 0
        if isinstance(constant, int) and isinstance(slope, int) and constant > 0 and slope >= 0:
            return constant, slope
        return None

    def _collected(self, exact: Polynomial, n: int) -> list[int | Fraction] | None:
        nobody = self._machine.nobody
        found: list[int | Fraction] = [0]
        for coefficient, monomial in exact.terms:
            power = 0
            product: int | Fraction = coefficient
            for node in monomial:
                if isinstance(node, ir.Ctx):
                    if node.name == "Kvb":
                        power += 1
                        continue
                    number = float(n) if node.name in ("Ntok", "Ndec", "Nres") else 0.0
                else:
                    number = self._queries[id(node)][1](nobody)
                if not isfinite(number):
                    return None
                product *= int(number) if number.is_integer() else Fraction(number)
            while len(found) <= power:
                found.append(0)
            total = found[power] + product
            found[power] = int(total) if total == int(total) else total
        return found
