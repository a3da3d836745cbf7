"""The statements of sessions as source: a function `go_N(s)` for each state where a session can go on.

A session that blocks keeps the function in `s.go`; what follows within an instant stands in line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from serq_interpreter.ir import program as ir
from serq_interpreter.machine import automaton as a
from serq_interpreter.machine.generated.draw_source import BlockDraws, Samples, StreamDraws
from serq_interpreter.machine.generated.expression_source import source
from serq_interpreter.machine.generated.serving.alike import alike
from serq_interpreter.machine.generated.serving.paste import Scope, indented
from serq_interpreter.machine.generated.serving.shape import attribute
from serq_interpreter.machine.generated.statement_source import successors

if TYPE_CHECKING:
    from serq_interpreter.machine.generated.serving.shape import Shape

_DEEPEST_BRANCHES = 8
_QUERIES = {"Used": "q_used", "Free": "q_free", "Holders": "q_holders", "Queued": "q_queued", "CachedIn": "q_cached"}


class SessionSource:
    """Writes the functions of the session block and the lines of the other blocks."""

    def __init__(self, shape: Shape, slots: set[int], record: bool) -> None:
        self._shape = shape
        self._states = shape.automaton.states
        self._slots = slots
        self._record = record
        self.samples: Samples = {}
        self._own = StreamDraws("(s.stream or opened(s))", self.samples)
        self._heads = self._find_heads()
        self._chosen: tuple[int, float] | None = None
        """While a choice is written: the slot of its candidates, whose number is `number`, and how many there are."""

    def _find_heads(self) -> set[int]:
        """Where sessions go on, and where paths meet."""
        counts = [0] * len(self._states)
        heads = {self._shape.automaton.entry}
        for state in self._states:
            for follower in successors(state):
                counts[follower] += 1
            if isinstance(state, a.RunState | a.AcquireState):
                heads.add(state.next)
        return heads | {number for number, count in enumerate(counts) if count > 1}

    def functions(self, scope: Scope) -> list[str]:
        """All of them; more heads may turn up while they are written."""
        lines: list[str] = []
        written: set[int] = set()
        while self._heads - written:
            number = min(self._heads - written)
            written.add(number)
            lines += scope.function(f"go_{number}(s)", self._straight(number, 0, first=True))
        for number, state in self._shape.holds.items():
            assert isinstance(state.node, ir.Hold)
            if state.node.cache is not None:
                lines += [f"def kept_{number}(s): return {self.value(state.node.cache)}"]
        return lines

    # ------------------------------------------------------------------ statements

    def _straight(self, number: int, level: int, first: bool = False) -> list[str]:
        """States one after the other up to one that blocks, ends or is a head."""
        lines: list[str] = []
        while True:
            if number in self._heads and not first:
                return [*lines, f"return go_{number}(s)"]
            first = False
            state = self._states[number]
            match state:
                case a.SetState():
                    lines += self._set(state.slot, self.value(state.value))
                case a.ObserveState():
                    lines += self._observe(state.observation, self.value(state.value))
                case a.TurnState():
                    lines += self._turn()
                case a.ChooseState():
                    lines += self._choose(state)
                case a.ExitState():
                    lines.append("release[s.home](s)")
                case a.BranchState():
                    return lines + self._branch(state, level)
                case a.RunState():
                    return lines + self._run(state)
                case a.AcquireState():
                    return lines + self._acquire(number, state)
                case a.EndState():
                    return [*lines, "gone(s)", "return"]
                case _:
                    pass
            number = state.next

    def value(self, expression: ir.Expr, draws: BlockDraws | StreamDraws | None = None) -> str:
        """An expression of session `s` as text."""
        chosen = self._own if draws is None else draws
        return source(expression, lambda node: self._leaf(node, chosen))

    def _leaf(self, node: ir.Expr, draws: BlockDraws | StreamDraws) -> str:
        match node:
            case ir.Attr():
                return f"s.{attribute(node.slot)}"
            case ir.Ctx():
                return self._shape.seconds
            case ir.Sample():
                return draws.draw(node, lambda inner: self._leaf(inner, draws))
            case ir.Call():
                reference = node.args[0]
                assert isinstance(reference, ir.PoolRef)
                return f"{_QUERIES[node.function]}[{self._member(reference)}](s)"
        raise TypeError(f"no source for {type(node).__name__}")

    def _member(self, reference: ir.PoolRef) -> str:
        """The number of the pool that is named; engines are numbered alike."""
        index = reference.index
        if index is None:
            return str(reference.base)
        if isinstance(index, ir.Num) and index.value in range(reference.count):
            return str(reference.base + int(index.value))
        base = f"{reference.base} + " if reference.base else ""
        if isinstance(index, ir.Attr) and self._chosen is not None:
            slot, candidates = self._chosen
            if index.slot == slot and candidates <= reference.count:
                return f"{base}number"
        return f"{base}member({self.value(index)}, {reference.count})"

    def _set(self, slot: int, value: str) -> list[str]:
        """A value nobody reads is evaluated all the same: it may draw."""
        return [f"s.{attribute(slot)} = {value}" if slot in self._slots else value]

    def _observe(self, index: int, value: str) -> list[str]:
        places = f", {self._shape.seconds}, s.serial, s.a{ir.SLOT_TURN}" if self._record else ""
        return [f"x = {value}", f"if measuring: o{index}(x{places})"]

    def _turn(self) -> list[str]:
        lines = ["s.turns += 1", "if measuring: turns += 1"]
        if ir.SLOT_TURN in self._slots:
            lines.append(f"s.a{ir.SLOT_TURN} += 1.0")
        return [*lines, "serial = s.serial", *self.block(self._shape.automaton.turn, "s.turns")]

    def block(self, block: tuple[ir.Set | ir.Observe, ...], turns: str) -> list[str]:
        """The lines of an `init` or `turn` block; `serial` is the session's."""
        draws = BlockDraws("turn", turns, self.samples)
        draws.prepare([line.value for line in block])
        lines = draws.opening()
        for line in block:
            value = self.value(line.value, draws)
            if isinstance(line, ir.Set):
                lines += self._set(line.slot, value)
            else:
                lines += self._observe(line.observation, value)
        return lines

    def _branch(self, state: a.BranchState, level: int) -> list[str]:
        return [
            f"x = {self.value(state.guard)}",
            "if x == 1.0:",
            *indented(self._part(state.next, level)),
            "if x == 0.0:",
            *indented(self._part(state.otherwise, level)),
            "leave('a guard is neither true nor false')",
        ]

    def _part(self, number: int, level: int) -> list[str]:
        """A branch in line, or a call where branches are deep; it returns."""
        if level >= _DEEPEST_BRANCHES:
            self._heads.add(number)
        lines = self._straight(number, level + 1)
        return lines if lines[-1].startswith(("return", "leave")) else [*lines, "return"]

    def _choose(self, state: a.ChooseState) -> list[str]:
        name = attribute(state.slot)
        self._chosen = (state.slot, state.count.value) if isinstance(state.count, ir.Num) else None
        keys = [self.value(key) for key in state.keys]
        self._chosen = None
        lines = [
            f"count = {self.value(state.count)}",
            "if not 0.0 <= count < 1e6 or count != int(count): leave('a choice among too many, or not of whole numbers')",
            "best = 0.0; least = None",
            "for number in range(int(count)):",
            f"    s.{name} = float(number)",
        ]
        if len(keys) == 1:
            lines += [f"    x = {keys[0]}", "    if least is None or x < least: best = float(number); least = x"]
        else:
            lines += [f"    x = [{', '.join(keys)}]"]
            lines += ["    if least is None or before(x, least): best = float(number); least = x"]
        return [*lines, f"s.{name} = best"]

    def _acquire(self, number: int, state: a.AcquireState) -> list[str]:
        assert isinstance(state.node, ir.Hold)
        cache = f"kept_{number}" if state.node.cache is not None else "None"
        early = state.admission.takes[0].refused_early
        return [
            f"home = {self._member(state.admission.takes[0].pool)}",
            f"s.home = home; s.uf = units_{number}; s.cf = {cache}; s.body = go_{state.next}; s.early = {early}",
            "enqueue[home](s, False)",
            "return",
        ]

    def _run(self, state: a.RunState) -> list[str]:
        engine = isinstance(self._shape.program.stages[state.stage.base].kind, ir.Step)
        lines = [f"w = {self.value(state.work)}", f"s.go = go_{state.next}"]
        if engine:
            assert state.growing is not None
            decodes = state.mode is ir.RunMode.DECODE
            join = self._join_engine(state, decodes)
        else:
            index = state.stage.index
            place = state.stage.base + (int(index.value) if isinstance(index, ir.Num) else 0)
            join = [f"join_{place}(s, w)"]
        return [
            *lines,
            "if w > 0.0:",
            *indented([*join, "return"]),
            "if not w >= -1e-9: leave('work is negative')",
            "spin(s)",
            "ready.append(s)",
            "return",
        ]

    def _join_engine(self, state: a.RunState, decodes: bool) -> list[str]:
        """The pool that grows must be the memory of the engine, and the session's hold on it."""
        assert state.growing is not None
        pool = state.growing
        first = self._shape.engines[pool.base]
        stage = state.stage
        if alike(stage, ir.StageRef(first, pool.count, pool.index)):
            return [f"join_run[{self._member(pool)}](s, w, {decodes})"]
        other = ir.PoolRef(self._shape.engines.index(stage.base), stage.count, stage.index)
        return [
            f"home = {self._member(pool)}",
            f"if {self._member(other)} != home: leave('a run grows the memory of another engine')",
            f"join_run[home](s, w, {decodes})",
        ]

    # ------------------------------------------------------------------ births and ends

    def end(self) -> list[str]:
        """A session ends, or leaves because its demand can never fit (04 §13)."""
        return ["last_end = now", *self.change_live(-1, "ended += 1")]

    def change_live(self, step: int, *measured: str) -> list[str]:
        """A session arrives or ends (07 §2); `measured` is what else is counted after the warm-up."""
        seconds = self._shape.seconds
        area = "live_area * one" if self._shape.exact else "live_area"
        return [
            "if measuring:",
            *indented([*measured, "live_area += live * (now - live_since); live_since = now"]),
            f"    if {seconds} > b_limit: backlog.pass_to({seconds}, {area}, live); b_limit = backlog.limit",
            f"live += {step}",
        ]
