"""The statements of sessions at simple stages as source, within `event_source`'s function.

Where the paths of the session block are short they stand *in line*: the statements that follow a stage's run are
written where its event is, and no session needs a counter.  A longer block is a branch per state where a session can
resume or where paths meet, entered by the session's counter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from serq_interpreter.ir import program as ir
from serq_interpreter.machine import automaton as a
from serq_interpreter.machine.generated.draw_source import BlockDraws, StreamDraws, session_draws
from serq_interpreter.machine.generated.expression_source import source
from serq_interpreter.machine.generated.statement_source import successors
from serq_interpreter.machine.numbers import SLACK

if TYPE_CHECKING:
    from serq_interpreter.machine.generated.event_source import Source

_MOST_IN_LINE = 40
"""States, counted as often as they would be written."""
_DEEPEST_BRANCHES = 8


class EventStatements:
    """Writes statements into the source."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._automaton = source.automaton
        self._followers = self._after_runs()
        """For each stage where its sessions go on, if that is one state for all of them."""
        self.in_line = self._short_paths()

    def _after_runs(self) -> dict[int, int] | None:
        followers: dict[int, int] = {}
        for state in self._automaton.states:
            if isinstance(state, a.RunState):
                if followers.setdefault(stage_of(state), state.next) != state.next:
                    return None
        return followers

    def _short_paths(self) -> bool:
        """Whether all statements between two events fit in line, wherever they begin."""
        if self._followers is None:
            return False
        states = self._automaton.states
        written = 0
        pending = [(head, 0) for head in (self._automaton.entry, *self._followers.values())]
        while pending:
            number, level = pending.pop()
            written += 1
            if written > _MOST_IN_LINE or level > _DEEPEST_BRANCHES:
                return False
            state = states[number]
            if not isinstance(state, a.RunState):
                level += isinstance(state, a.BranchState)
                pending += [(follower, level) for follower in successors(state)]
        return True

    # ------------------------------------------------------------------ entries

    def begin(self, head: int) -> None:
        """A session that has just arrived starts at `head`."""
        if self.in_line:
            self._straight(head, set())

    def go_on(self, stage: int) -> None:
        """Session `a` goes on after its run at a stage."""
        if self.in_line and self._followers is not None and stage in self._followers:
            self._straight(self._followers[stage], set())

    def nobody(self) -> None:
        """The event concerns no session."""
        if not self.in_line:
            self._source.put("a = None")

    def rest(self) -> None:
        """Whoever is ready goes on, first come first served."""
        text = self._source
        if self.in_line:
            with text.block("while ready:"):
                text.put("a, pc = ready.popleft()")
                heads = sorted(set((self._followers or {}).values()))
                for number, head in enumerate(heads):
                    with text.block(f"{'if' if number == 0 else 'elif'} pc == {head}:"):
                        self._straight(head, set())
                if not heads:
                    text.put("pass")
            return
        heads = self._heads()
        with text.block("while a is not None:"):
            text.put(f"pc = {text.field('PC')}")
            with text.block("while True:"):
                for number, head in enumerate(heads):
                    with text.block(f"{'if' if number == 0 else 'elif'} pc == {head}:"):
                        self._straight(head, set(heads), first=True)
            text.put("a = ready.popleft() if ready else None")

    def _heads(self) -> list[int]:
        states = self._automaton.states
        counts = [0] * len(states)
        heads = {self._automaton.entry}
        for state in states:
            for follower in successors(state):
                counts[follower] += 1
            if isinstance(state, a.RunState):
                heads.add(state.next)
        return sorted(heads | {number for number, count in enumerate(counts) if count > 1})

    # ------------------------------------------------------------------ statements

    def _straight(self, number: int, heads: set[int], first: bool = False) -> None:
        """States one after the other up to one that blocks, ends or is the head of a branch of its own."""
        text = self._source
        stream = text.field("STREAM") if "STREAM" in text.at else "None"
        session = session_draws(stream, text.field("SER"), text.samples)
        while True:
            if number in heads and not first:
                text.put(f"pc = {number}", "continue")
                return
            first = False
            state = self._automaton.states[number]
            match state:
                case a.SetState():
                    self._set(state.slot, self._value(state.value, session))
                case a.ObserveState():
                    self._observe(state.observation, self._value(state.value, session))
                case a.TurnState():
                    self._turn()
                case a.BranchState():
                    self._branch(number, state, heads, session)
                    return
                case a.RunState():
                    self._run(number, state, self._value(state.work, session))
                    return
                case a.EndState():
                    text.put("last_end = now")
                    text.change_live(-1, "ended += 1")
                    self._blocked()
                    return
                case _:
                    text.put("pass")
            number = state.next

    def _blocked(self) -> None:
        if not self.in_line:
            self._source.put("break")

    def _value(self, expression: ir.Expr, draws: BlockDraws | StreamDraws) -> str:
        return source(expression, lambda node: self._leaf(node, draws))

    def _leaf(self, node: ir.Expr, draws: BlockDraws | StreamDraws) -> str:
        match node:
            case ir.Attr():
                return f"a[{self._source.slots[node.slot]}]"
            case ir.Ctx():
                return self._source.seconds
            case ir.Sample():
                return draws.draw(node, lambda inner: self._leaf(inner, draws))
        raise TypeError(f"no source for {type(node).__name__}")

    def lines(self, lines: tuple[ir.Set | ir.Observe, ...], draws: BlockDraws) -> None:
        """The straight line of an `init` or `turn` block; `serial` is the session's."""
        draws.prepare([line.value for line in lines])
        self._source.put(*draws.opening())
        for line in lines:
            value = self._value(line.value, draws)
            if isinstance(line, ir.Set):
                self._set(line.slot, value)
            else:
                self._observe(line.observation, value)

    def _set(self, slot: int, value: str) -> None:
        """A value nobody reads is evaluated all the same: it may draw or fail."""
        slots = self._source.slots
        self._source.put(f"a[{slots[slot]}] = {value}" if slot in slots else value)

    def _observe(self, index: int, value: str) -> None:
        text = self._source
        places = f", {text.seconds}, {text.field('SER')}, a[{text.slots[ir.SLOT_TURN]}]" if text.record else ""
        text.put(f"x = {value}", f"if measuring: o{index}(x{places})")

    def _turn(self) -> None:
        text = self._source
        turns = text.field("TURNS")
        text.put(f"{turns} += 1", "if measuring: turns += 1")
        if ir.SLOT_TURN in text.slots:
            text.put(f"a[{text.slots[ir.SLOT_TURN]}] += 1.0")
        text.put(f"serial = {text.field('SER')}")
        self.lines(self._automaton.turn, BlockDraws("turn", turns, text.samples))

    def _branch(self, number: int, state: a.BranchState, heads: set[int], session: StreamDraws) -> None:
        text = self._source
        text.put(f"x = {self._value(state.guard, session)}")
        with text.block("if x == 1.0:"):
            self._straight(state.next, heads)
        with text.block("elif x == 0.0:"):
            self._straight(state.otherwise, heads)
        text.put(f"else: raise bad_guard(m, now, {text.field('SER')}, {number}, x)")

    def _run(self, number: int, state: a.RunState, work: str) -> None:
        text = self._source
        text.put(f"w = {work}")
        if not self.in_line:
            text.put(f"{text.field('PC')} = {state.next}")
        with text.block("if w > 0.0:"):
            text.stages[stage_of(state)].join()
        with text.block("else:"):
            text.put(f"if not w >= {-SLACK!r}: raise bad_work(m, now, {text.field('SER')}, {number}, w)")
            # A run of zero work is a no-op that lets the others ready go first (05 §2).
            if self.in_line:
                if text.loops:
                    text.put(f"pc = {state.next}")
                text.made_ready()
                text.put(f"ready.append((a, {state.next}))")
            else:
                text.made_ready()
                text.put("ready.append(a)")
        self._blocked()


def stage_of(state: a.RunState) -> int:
    """The stage a run is at, which is fixed."""
    index = state.stage.index
    return state.stage.base + (int(index.value) if isinstance(index, ir.Num) else 0)
