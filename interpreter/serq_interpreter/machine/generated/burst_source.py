"""Iterations of a cohort one after the other, as source: the loop's bookkeeping is done once for all of them.

While nothing but decodes is served, nobody waits and no other event is due, an iteration is a growth of whole blocks, a
cost and a few sums.  `burst_K(most, limit)` goes on with those of engine K, as `StepStage.finish` and `attempt` would,
and stops before one in which a member ends or the memory does not suffice at once.  Every cost is evaluated and, on the
clock of doubles, every sum made in its order, so no licence is needed (05 §11).
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING, Any

from serq_interpreter.ir import program as ir
from serq_interpreter.ir.walk import expressions
from serq_interpreter.machine.exact_clock import ExactClock
from serq_interpreter.machine.exact_costs import polynomial
from serq_interpreter.machine.generated.expression_source import ARITHMETIC, DEEPEST, depth, source
from serq_interpreter.machine.generated.text import Text
from serq_interpreter.machine.numbers import SLACK
from serq_interpreter.machine.stages.decoders import added_times
from serq_interpreter.machine.stages.step import StepStage

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine

LEAST = 3
"""A shorter burst costs more than it saves."""

_VALUES = {
    "Ntok": "size",
    "Ndec": "size",
    "Npre": "-0.0",
    "Nres": "size",
    "Kvb": "units",
    "Kvp": "0.0",
    "Attn": "-0.0",
    "Served": "served",
    "Arrived": "arrivals",
}
_WHOLES = {"Ntok": "n", "Ndec": "n", "Npre": "0", "Nres": "n", "Kvb": "int(units)", "Kvp": "0", "Attn": "0"}


class Bursts:
    """Writes the function of each engine that may have bursts."""

    def __init__(self, machine: Machine, text: Text, names: dict[str, Any]) -> None:
        self._machine = machine
        self._text = text
        self._clock = machine.clock if isinstance(machine.clock, ExactClock) else None
        self.engines = [stage for stage in machine.stages if isinstance(stage, StepStage) and self._may(stage)]
        names |= {"added_times": added_times, "replace": heapq.heapreplace}
        if self._clock is not None:
            names["ticks_of"] = _ticks_of(self._clock)
        names |= {f"finish_{engine.index}": engine.finish for engine in self.engines}

    def _may(self, engine: StepStage) -> bool:
        machine, kind, code = self._machine, engine.declaration.kind, engine.code
        assert isinstance(kind, ir.Step)
        if engine.decoders is None or not machine.quirks.settles_once or "_integrate" in vars(machine):
            return False
        if self._clock is not None and machine.flows.stages:
            return False
        if engine.claims or code.sets_registers or depth(kind.cost) > DEEPEST:
            return False
        if not _stands_still(kind.budget, _OF_RESIDENTS, frozenset()) or _draws(kind.chunk):
            return False
        if not all(_stands_still(gauge.value, frozenset(), _OF_GROWTH) for gauge in machine.program.gauges):
            return False
        for node in expressions(kind.cost):
            if isinstance(node, ir.Sample | ir.Agg | ir.PoolRef | ir.StageRef):
                return False
            if isinstance(node, ir.Ctx) and node.name not in _VALUES and node.name != "Now":
                return False
        return self._step(kind.cost) is not None

    # ------------------------------------------------------------------ cost

    def _step(self, cost: ir.Expr) -> str | None:
        """The duration of an iteration in clock units; `None` if it takes a fraction to say."""
        if self._clock is None:
            return source(cost, _leaf)
        exact = polynomial(cost)
        if exact is None:
            return f"ticks_of({source(cost, _leaf)})"
        terms = []
        for coefficient, monomial in self._clock.exact_cost(exact).terms:
            factors = [node.name for node in monomial if isinstance(node, ir.Ctx)]
            if coefficient.denominator != 1 or len(factors) < len(monomial):
                return None
            terms.append(" * ".join([str(int(coefficient)), *[_WHOLES[name] for name in factors]]))
        return " + ".join(terms) or "0"

    # ------------------------------------------------------------------ text

    def write(self) -> None:
        """Add the functions to the text."""
        text = self._text
        for engine in self.engines:
            kind = engine.declaration.kind
            assert isinstance(kind, ir.Step)
            with text.block(f"def burst_{engine.index}(most, limit):"):
                self._conditions(engine)
                self._load(engine)
                with text.block("while done < most and now < time < upcoming and time <= limit:"):
                    self._foresee(kind.cost)
                    self._commit(engine)
                self._store(engine)
                text.put("return done")

    def _conditions(self, engine: StepStage) -> None:
        text, s = self._text, f"s{engine.index}"
        text.put(f"d = {s}.decoders", f"n = {s}.together")
        text.put(f"if n != len(d.members) or d.fresh or {s}.batch or {s}.others: return 0")
        text.put(f"left = {s}.code.budget(m.nobody)")
        text.put("if not left >= n or not (left.is_integer() or left == inf): return 0")
        if self._clock is not None:
            # Whole units make whole areas, which can be added up in any order.
            text.put("if not d.units.is_integer(): return 0")
            for pool in self._machine.pools:
                p = f"p{pool.index}"
                text.put(f"if type({p}.area_used + {p}.area_cached) is not int: return 0")
                text.put(f"if not {p}.used.is_integer() or not {p}.cached.is_integer(): return 0")
        # A member ends with the iteration after these.
        text.put("steps = d.ends[0][0] - d.finished - 1", "if steps < most: most = steps")
        text.put("upcoming = agenda[1][0] if len(agenda) > 1 else inf")
        text.put("if len(agenda) > 2 and agenda[2][0] < upcoming: upcoming = agenda[2][0]")
        text.put("now = m.now", "time = agenda[0][0]")
        text.put(f"if most < {LEAST} or not now < time < upcoming: return 0")

    def _load(self, engine: StepStage) -> None:
        text, s = self._text, f"s{engine.index}"
        text.put("size = float(n)", "units = d.units", f"served = {s}.served", "arrivals = float(m.arrivals)")
        text.put("measuring = m.measuring", "began = now", "first_end = time", "last = d.last", "done = 0")
        text.put("grown = d.grown", "later = d.later", "takers = d.takers", "block = d.block", "pool = d.pool")
        text.put(f"in_memory = pool is {s}.memory", f"room = 0.0 if pool is None else pool.cap + {SLACK!r}")
        text.put(f"gaps = {s}.gaps", "total = gaps.total", "low = high = -1.0", "seen = 0", "bucket = [0]")
        if self._clock is None:
            text.put(f"means = {s}.decode_steps", "count = means.count")
            text.put("mean_batch = means.mean_batch", "mean_cost = means.mean_cost")
        for pool in self._machine.pools:
            p = f"p{pool.index}"
            text.put(f"u{pool.index} = {p}.used; a{pool.index} = {p}.area_used")
            if self._clock is not None:
                text.put(f"began_{pool.index} = now")
        if self._clock is None:
            self._load_areas()

    def _load_areas(self) -> None:
        """On the clock of doubles every area is added up in its order."""
        text, machine = self._text, self._machine
        for pool in machine.pools:
            k, p = pool.index, f"p{pool.index}"
            text.put(f"c{k} = {p}.cached; w{k} = len({p}.queue); h{k} = len({p}.places)")
            text.put(f"ac{k} = {p}.area_cached; aw{k} = {p}.area_queue; ah{k} = {p}.area_holders")
        for stage in machine.stages:
            if not isinstance(stage, StepStage):
                continue
            k, s = stage.index, f"s{stage.index}"
            text.put(f"n{k} = {s}.present; an{k} = {s}.area_number; tu{k} = {s}.time_used")
            if stage in self.engines:
                text.put(f"dn{k} = {s}.n_decodes; ad{k} = {s}.area_decodes; td{k} = {s}.time_decode")

    def _foresee(self, cost: ir.Expr) -> None:
        """What the next iteration takes, before anything is changed: the burst ends before one that is not plain."""
        text = self._text
        text.put("if later and later[0][0] == grown: break")
        text.put("takes = takers.get(grown % block, 0) if takers else 0", "held = units")
        with text.block("if takes:"):
            text.put("takes = float(takes * block)", "used = pool.used + takes")
            text.put("if used + pool.cached > room: break", "if in_memory: units += takes")
        if any(isinstance(node, ir.Ctx) and node.name == "Now" for node in expressions(cost)):
            text.put("instant = seconds(time)" if self._clock is not None else "instant = time")
        text.put(f"step = {self._step(cost)}", "if not 0.0 < step < inf: units = held; break")

    def _commit(self, engine: StepStage) -> None:
        text, k = self._text, engine.index
        with text.block("if measuring:"):
            text.put("e = time - last")
            text.put("gap = seconds(e)" if self._clock is not None else "gap = e")
            text.put("if low <= gap <= high: seen += n")
            with text.block("else:"):
                text.put("bucket[0] += seen; seen = n", "bucket = gaps.bucket_of(gap)")
                text.put("low = bucket[1]; high = bucket[2]")
            if self._clock is None:
                text.put("total = total + e if n == 1 else added_times(total, e, n)")
                text.put("e = time - now")
                self._areas(k)
                text.put("count += 1", "mean_batch += (n - mean_batch) / count")
                text.put("mean_cost += (step - mean_cost) / count")
            else:
                text.put("total += n * e")
        with text.block("if takes:"):
            text.put("pool.used = used")
            for pool in self._machine.pools:
                held = f"u{pool.index}"
                with text.block(f"if pool is p{pool.index}:"):
                    if self._clock is not None:
                        # Between two growths the units are the same: their area is one product.
                        text.put(f"if measuring: a{pool.index} += int({held}) * (time - began_{pool.index})")
                        text.put(f"began_{pool.index} = time")
                    text.put(f"{held} = used")
            if self._machine.gauges:
                text.put("m.seconds = seconds(time)", "m.read_gauges()")
        text.put("now = last = time", "time += step", "grown += 1", "served += n", "done += 1")

    def _areas(self, own: int) -> None:
        text, machine = self._text, self._machine
        for pool in machine.pools:
            k = pool.index
            text.put(f"if u{k}: a{k} += u{k} * e", f"if c{k}: ac{k} += c{k} * e")
            text.put(f"if w{k}: aw{k} += w{k} * e", f"if h{k}: ah{k} += h{k} * e")
        for stage in machine.stages:
            k = stage.index
            if k == own:
                text.put(f"an{k} += n{k} * e; tu{k} += e; ad{k} += dn{k} * e; td{k} += e")
            else:
                text.put(f"s{k}.integrate(e)")

    def _store(self, engine: StepStage) -> None:
        text, k = self._text, engine.index
        s = f"s{k}"
        text.put("if not done: return 0", "bucket[0] += seen", "gaps.total = total")
        with text.block("if measuring:"):
            text.put("gaps.count += n * done")
            if self._clock is None:
                text.put("means.count = count; means.mean_batch = mean_batch; means.mean_cost = mean_cost")
                self._store_areas(k)
            else:
                text.put(f"means = {s}.decode_steps", "means.count += done", "means.batches += n * done")
                text.put("means.elapsed += time - first_end", "e = now - began")
                self._exact_areas()
        text.put("m.now = now", "m.seconds = seconds(now)", "m.same_instant = 0", "m.events += done")
        text.put("m.n_scheduled += done", f"replace(agenda, (time, m.n_scheduled, {s}.finish, None))")
        text.put("d.grown = grown", "d.started += done", "d.finished += done", "d.last = last", "d.units = units")
        text.put(f"{s}.served = served", f"{s}.iterations += done", f"{s}.last_attempt_empty = False")

    def _store_areas(self, own: int) -> None:
        text = self._text
        for pool in self._machine.pools:
            k, p = pool.index, f"p{pool.index}"
            text.put(f"{p}.area_used = a{k}; {p}.area_cached = ac{k}")
            text.put(f"{p}.area_queue = aw{k}; {p}.area_holders = ah{k}")
        s = f"s{own}"
        text.put(f"{s}.area_number = an{own}; {s}.time_used = tu{own}")
        text.put(f"{s}.area_decodes = ad{own}; {s}.time_decode = td{own}")

    def _exact_areas(self) -> None:
        """Whole numbers of ticks: one product for the whole burst, but for units that grew."""
        text, machine = self._text, self._machine
        for pool in machine.pools:
            k, p = pool.index, f"p{pool.index}"
            text.put(f"{p}.area_used = a{k} + int(u{k}) * (now - began_{k})")
            text.put(f"{p}.area_cached += int({p}.cached) * e")
            text.put(f"{p}.area_queue += len({p}.queue) * e", f"{p}.area_holders += len({p}.places) * e")
        for stage in machine.stages:
            text.put(f"s{stage.index}.integrate(e)")


_OF_RESIDENTS = frozenset(("Nres", "Ndec"))
_OF_GROWTH = frozenset(("Used", "Free", "Holders", "Queued", "Queue", "Busy"))
"""What a growth alone can change during a burst, or nothing."""


def _stands_still(expression: ir.Expr, variables: frozenset[str], queries: frozenset[str]) -> bool:
    """Whether the value is the same for all iterations of a burst, but for growths: it reads nothing else that moves."""
    for node in expressions(expression):
        match node:
            case ir.Sample() | ir.Agg() | ir.Reg():
                return False
            case ir.Ctx(name=name) if name not in variables:
                return False
            case ir.Call(function=function) if function not in ARITHMETIC | queries:
                return False
            case _:
                continue
    return True


def _draws(expression: ir.Expr) -> bool:
    return any(isinstance(node, ir.Sample) for node in expressions(expression))


def _ticks_of(clock: ExactClock) -> Callable[[float], int]:
    """Ticks of a cost; 0 for one that cannot be gone on with in a burst."""
    return lambda cost: clock.ticks(cost) if 0.0 < cost < inf else 0


def _leaf(node: ir.Expr) -> str:
    if isinstance(node, ir.Ctx):
        return "instant" if node.name == "Now" else _VALUES[node.name]
    assert isinstance(node, ir.Reg)
    return f"m.registers[{node.index}]"
