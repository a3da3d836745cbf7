"""What the source of a serving program has to know of it: names, numbers, costs, headers."""

from __future__ import annotations

from math import floor, inf
from typing import TYPE_CHECKING

from serq_interpreter.ir import program as ir
from serq_interpreter.machine import automaton as a
from serq_interpreter.machine.exact_clock import ExactClock
from serq_interpreter.machine.exact_costs import polynomial
from serq_interpreter.machine.generated.expression_source import source
from serq_interpreter.machine.generated.serving.accounts import Accounts, EagerAccounts, LazyAccounts
from serq_interpreter.machine.generated.serving.alike import alike
from serq_interpreter.machine.generated.serving.double_window import DoubleWindows
from serq_interpreter.machine.generated.serving.whole_window import WholeWindows
from serq_interpreter.machine.generated.statement_source import successors
from serq_interpreter.machine.numbers import SLACK
from serq_interpreter.machine.static_facts import nodes

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine

_OF_THE_BATCH = {"Ntok": "ntok", "Npre": "npre", "Ndec": "ndec", "Nres": "nres", "Kvb": "kvb"}


class Shape:
    """Facts about a machine whose program qualifies."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.program = machine.program
        self.automaton = machine.automaton
        self.exact = isinstance(machine.clock, ExactClock)
        self.engines = [index for index, stage in enumerate(self.program.stages) if isinstance(stage.kind, ir.Step)]
        self.simple = [index for index in range(len(self.program.stages)) if index not in self.engines]
        self.holds = {
            number: state for number, state in enumerate(self.automaton.states) if isinstance(state, a.AcquireState)
        }
        self.preempt = self.program.pools[0].preempt
        kinds = [self.program.stages[index].kind for index in self.engines]
        self._costs = [kind.cost for kind in kinds if isinstance(kind, ir.Step)]
        self.cost_reads = {node.name for cost in self._costs for node in nodes((cost,)) if isinstance(node, ir.Ctx)}
        self.accounts: Accounts = LazyAccounts() if self.exact else EagerAccounts()
        self.scale = self.accounts.scale
        self.seconds = f"(now{self.scale})"
        """The present instant, as expressions read it."""
        self.cost = self._cost_lines()
        self.windows = WholeWindows() if self.exact else DoubleWindows(self._readings(), self._reprice(), self.simple)

    # ------------------------------------------------------------------ numbers of an engine

    def limits(self) -> list[tuple[float, float, int, int]]:
        """For each engine: cap of the units used, the same in whole blocks, block, budget; whole numbers or `inf`."""
        found = []
        for index in self.engines:
            kind = self.program.stages[index].kind
            assert isinstance(kind, ir.Step) and kind.memory is not None and isinstance(kind.budget, ir.Num)
            pool = self.program.pools[kind.memory]
            assert pool.block is not None
            block = int(pool.block)
            cap = floor(pool.cap + SLACK) if pool.cap < 1e15 else inf
            found.append((cap, cap // block * block if cap < inf else inf, block, int(kind.budget.value)))
        return found

    def same_cost(self) -> bool:
        """Whether one text prices the iterations of every engine, and they agree on preemption."""
        agree = all(alike(pool.preempt, self.preempt) for pool in self.program.pools)
        return agree and all(alike(cost, self._costs[0]) for cost in self._costs)

    # ------------------------------------------------------------------ cost

    def whole_cost(self) -> bool:
        """Whether the cost comes out in whole ticks."""
        return not self.exact or self._polynomial() is not None

    def _polynomial(self) -> str | None:
        """The cost in ticks of whole numbers; `None` where a coefficient is no whole number of ticks."""
        clock = self.machine.clock
        found = polynomial(self._costs[0])
        if found is None or not isinstance(clock, ExactClock) or clock.unit.numerator != 1:
            return None
        terms = []
        for coefficient, monomial in clock.exact_cost(found).terms:
            if coefficient.denominator != 1:
                return None
            factors = [_OF_THE_BATCH[node.name] for node in monomial if isinstance(node, ir.Ctx)]
            terms.append(" * ".join([str(int(coefficient)), *factors]))
        return " + ".join(terms) or "0"

    def _cost_lines(self) -> list[str]:
        """`cost` of the iteration that starts, from the totals as whole numbers."""
        lines = ["nres = present"] if "Nres" in self.cost_reads else []
        if self.exact:
            return [*lines, f"cost = {self._polynomial()}"]
        floats = {
            "Ntok": "ntok = float(ntok) if ntok else -0.0",
            "Npre": "npre = float(npre) if npre else -0.0",
            "Ndec": "ndec = float(ndec)",
            "Nres": "nres = float(nres)",
            "Kvb": "kvb = float(kvb)",
        }
        lines += [line for name, line in floats.items() if name in self.cost_reads]
        return [*lines, self._double_cost()]

    def _double_cost(self) -> str:
        def leaf(node: ir.Expr) -> str:
            assert isinstance(node, ir.Ctx)
            return _OF_THE_BATCH[node.name]

        return f"cost = {source(self._costs[0], leaf)}"

    def _readings(self) -> list[str]:
        """What the cost reads of `n` decodes alone."""
        values = {
            "Ntok": "ntok = float(n)",
            "Npre": "npre = -0.0",
            "Ndec": "ndec = float(n)",
            "Nres": "nres = float(n)",
        }
        return [line for name, line in values.items() if name in self.cost_reads]

    def _reprice(self) -> list[str]:
        if "Kvb" not in self.cost_reads:
            return []
        return [
            "kvb = float(kv)",
            self._double_cost(),
            "if not 0.0 < cost < inf: leave('an iteration takes no time, or for ever')",
        ]

    # ------------------------------------------------------------------ headers

    def headers(self) -> list[tuple[int, str]]:
        """The units of each hold as text, of a session `s` and what is `left` of the budget, within its engine."""
        return [
            (number, source(state.admission.takes[0].units, self._header_leaf)) for number, state in self.holds.items()
        ]

    def headers_rise(self) -> bool:
        """Whether no header asks for less because there is more budget."""
        return all(_rises(state.admission.takes[0].units) for state in self.holds.values())

    def holds_may_spin(self) -> bool:
        """Whether some hold may be passed without any run."""
        states = self.automaton.states
        for hold in self.holds.values():
            pending, seen = [hold.next], set()
            while pending:
                number = pending.pop()
                state = states[number]
                if number in seen or isinstance(state, a.RunState):
                    continue
                if isinstance(state, a.ExitState):
                    return True
                seen.add(number)
                pending += successors(state)
        return False

    def _header_leaf(self, node: ir.Expr) -> str:
        match node:
            case ir.Attr(slot=slot):
                return f"s.{attribute(slot)}"
            case ir.Call(function="CachedIn"):
                return "(float(live[s][0]) if s in live else 0.0)"
            case ir.Call(function="BudgetLeft"):
                return "left"
        raise TypeError(f"no source for {type(node).__name__}")

    def asks_at_home(self, state: a.AcquireState) -> bool:
        """Whether a header asks only the pool and the engine it takes from."""
        take = state.admission.takes[0].pool
        for node in nodes((state.admission.takes[0].units,)):
            if isinstance(node, ir.PoolRef) and not alike(node, take):
                return False
            if isinstance(node, ir.StageRef) and not alike(
                node, ir.StageRef(self.engines[take.base], take.count, take.index)
            ):
                return False
        return True


def _rises(expression: ir.Expr) -> bool:
    """Sums, minima and maxima of parts that rise, or that do not read the budget."""
    match expression:
        case ir.Call(function="BudgetLeft"):
            return True
        case ir.Call(function="Min" | "Max", args=args):
            return all(not isinstance(part, ir.PoolRef | ir.StageRef) and _rises(part) for part in args)
        case ir.Binary(op="Add"):
            return _rises(expression.left) and _rises(expression.right)
        case _:
            return not any(isinstance(node, ir.Call) and node.function == "BudgetLeft" for node in nodes((expression,)))


def attribute(slot: int) -> str:
    """The field of a session that keeps an attribute."""
    return {ir.SLOT_CACHED: "consumed", ir.SLOT_COMPUTED: "computed"}.get(slot, f"a{slot}")
