"""The statements of sessions and legs as one function: `go_on(actor)` executes from the actor's counter until it blocks
or ends.

It does what `settling.Settling._run` does with the closures of `execute`: the states follow each other in line, a branch
per state where an actor can resume or where paths meet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from serq_interpreter.ir import program as ir
from serq_interpreter.machine import automaton as a
from serq_interpreter.machine.actors import IN_STAGE, JOINING
from serq_interpreter.machine.generated.draw_source import BlockDraws
from serq_interpreter.machine.generated.expression_source import DEEPEST, depth
from serq_interpreter.machine.generated.text import Text
from serq_interpreter.machine.growth import FITS
from serq_interpreter.machine.numbers import SLACK
from serq_interpreter.machine.settling import STATEMENTS_WITHOUT_BLOCKING
from serq_interpreter.machine.static_facts import draws

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine
    from serq_interpreter.machine.generated.subject_source import SubjectSource

_DEEPEST_BRANCHES = 8
"""Branches inside branches up to here stand in line; deeper ones have a place of their own."""


def successors(state: a.State) -> tuple[int, ...]:
    """The states that may follow for the same actor."""
    match state:
        case a.EndState():
            return ()
        case a.BranchState():
            return (state.next, state.otherwise)
        case _:
            return (state.next,)


def may_spin(automaton: a.Automaton) -> bool:
    """Whether some cycle of states has none that surely blocks: the statements of such a loop have to be counted."""
    states = automaton.states
    colour = [0] * len(states)
    for root in range(len(states)):
        pending = [(root, False)]
        while pending:
            number, leaving = pending.pop()
            if leaving:
                colour[number] = 2
                continue
            if colour[number] or isinstance(states[number], a.RunState | a.AcquireState):
                continue
            colour[number] = 1
            pending.append((number, True))
            for follower in successors(states[number]):
                if colour[follower] == 1:
                    return True
                pending.append((follower, False))
    return False


class Statements:
    """Writes `go_on`."""

    def __init__(self, machine: Machine, text: Text, subject: SubjectSource, observe: Observe) -> None:
        self._machine = machine
        self._states = machine.automaton.states
        self._text = text
        self._subject = subject
        self._observe = observe
        self._counts = may_spin(machine.automaton)
        self._heads = self._first_heads()

    def write(self) -> None:
        """Add the function to the text."""
        text = self._text
        bodies: dict[int, list[str]] = {}
        # A body may ask for further heads.
        while missing := sorted(self._heads - bodies.keys()):
            for head in missing:
                bodies[head] = self._body(head)
        with text.block("def go_on(actor):"):
            text.put("a = actor.attrs", "pc = actor.pc")
            if self._counts:
                text.put("n = 0")
            with text.block("try:"), text.block("while True:"):
                text.choice("pc", bodies)
            with text.block("except RunError as error:"):
                text.put("m.blame(error, actor, pc)", "raise")

    def _first_heads(self) -> set[int]:
        """Where an actor may resume, and where paths meet."""
        automaton, states = self._machine.automaton, self._states
        counts = [0] * len(states)
        heads = {automaton.entry}
        for state in states:
            for follower in successors(state):
                counts[follower] += 1
            match state:
                case a.RunState() | a.AcquireState() | a.GrowState() | a.JoinState():
                    heads.add(state.next)
                case a.ForkState():
                    heads.add(state.leg)
                case _:
                    continue
        return heads | {number for number, count in enumerate(counts) if count > 1}

    def _body(self, head: int) -> list[str]:
        outer, self._text = self._text, Text()
        self._line(head, 0, first=True)
        body, self._text = self._text.lines, outer
        return body

    def _line(self, number: int, level: int, first: bool = False) -> None:
        """States one after the other up to one that blocks, ends or is a head."""
        text = self._text
        while True:
            if not first:
                if level > _DEEPEST_BRANCHES:
                    self._heads.add(number)
                text.put(f"pc = {number}")
                if number in self._heads:
                    text.put("continue")
                    return
            first = False
            state = self._states[number]
            if self._counts:
                self._count(state)
            if isinstance(state, a.BranchState):
                self._branch(number, state, level)
                return
            if not self._state(number, state):
                return
            number = state.next

    def _count(self, state: a.State) -> None:
        """Near the limit the reference goes on and finds out (05 §12)."""
        if isinstance(state, a.GotoState):
            enough = STATEMENTS_WITHOUT_BLOCKING - len(self._states) - 1
            with self._text.block(f"if n > {enough}:"):
                self._text.put("actor.pc = pc", "m._run(actor, n)", "return")
        self._text.put("n += 1")

    def _branch(self, number: int, state: a.BranchState, level: int) -> None:
        text = self._text
        text.put(f"x = {self._subject.value(state.guard)}")
        with text.block("if x == 1.0:"):
            self._line(state.next, level + 1)
        with text.block("elif x == 0.0:"):
            self._line(state.otherwise, level + 1)
        text.put(f"else: raise bad_guard({number}, x)")

    # ------------------------------------------------------------------ states

    def _state(self, number: int, state: a.State) -> bool:
        """The statements of one state; whether the actor goes on at the next."""
        text, subject = self._text, self._subject
        match state:
            case a.SetState():
                text.put(f"a[{state.slot}] = {subject.value(state.value)}")
            case a.ObserveState():
                self._observe(text, state.observation, subject.value(state.value))
            case a.TurnState():
                self._turn()
            case a.GotoState():
                text.put("pass")
            case a.AcquireState():
                text.put(f"join_{number}(actor, False)", "return")
                return False
            case a.ExitState():
                text.put(f"close_{state.closes}(actor)")
            case a.RunState():
                self._run(number, state)
                return False
            case a.EndState():
                node = subject.name("node", state.node)
                text.put(f"end(actor, {node})", "return")
                return False
            case a.ReleaseState():
                text.put(f"holds.release(actor, {subject.pool(state.pool)})")
            case a.DropState():
                text.put(f"caching.drop({subject.pool(state.pool)}, actor)")
            case a.GrowState():
                text.put(f"q = {subject.pool(state.pool)}", f"x = {subject.value(state.units)}")
                text.put(f"al = growing({number}, actor, q, x)", f"actor.pc = {state.next}")
                text.put(f"if grow(actor, al, q.up(max(x, 0.0))) != {FITS}: return")
            case a.LoadState():
                text.put(f"q = {subject.pool(state.pool)}", f"load({number}, actor, q, {subject.value(state.units)})")
            case a.ChooseState():
                self._choose(number, state)
            case a.ForkState():
                text.put(f"lifecycle.fork(actor, {state.leg})")
            case a.JoinState():
                with text.block("if actor.legs_running:"):
                    text.put(f"actor.status = {JOINING}", f"actor.pc = {state.next}", "return")
            case _:
                raise TypeError(f"no source for {type(state).__name__}")
        return True

    def _turn(self) -> None:
        """`turn;` with the statements of the `turn` block in line (06 §5.4)."""
        text, lines = self._text, self._machine.automaton.turn
        if any(depth(line.value) > DEEPEST for line in lines):
            text.put("lifecycle.turn(actor)")
            return
        text.put("actor.turns += 1", f"a[{ir.SLOT_TURN}] += 1.0")
        text.put("if actor.rows is not None: lifecycle.load_row(actor)")
        text.put("if m.measuring: m.turns += 1")
        block_lines(text, self._subject, self._observe, lines, "actor.turns", "actor.serial")

    def _choose(self, number: int, state: a.ChooseState) -> None:
        text, subject = self._text, self._subject
        text.put(f"x = {subject.value(state.count)}")
        text.put(f"if not 0.0 <= x < inf or x != int(x): raise bad_count({number}, x)", "best = 0")
        with text.block("for candidate in range(int(x)):"):
            text.put(f"a[{state.slot}] = float(candidate)")
            if len(state.keys) == 1:
                text.put(f"key = {subject.value(state.keys[0])}")
                text.put("if candidate == 0 or key < best_key: best = candidate; best_key = key")
            else:
                text.put(f"keys = [{', '.join(subject.value(key) for key in state.keys)}]")
                text.put("if candidate == 0 or before(keys, best_keys): best = candidate; best_keys = keys")
        text.put(f"a[{state.slot}] = float(best)")

    def _run(self, number: int, state: a.RunState) -> None:
        text, subject = self._text, self._subject
        stage = subject.stage(state.stage)
        if not stage.removeprefix("s").isdigit():
            text.put(f"stage = {stage}")
            stage = "stage"
        text.put(f"w = {subject.value(state.work)}", f"if not w >= {-SLACK!r}: raise bad_work({number}, w)")
        text.put(f"actor.pc = {state.next}")
        # A run of zero work is a no-op that lets the others ready go first (05 §2).
        text.put("if w <= 0.0: make_ready(actor); return", f"actor.status = {IN_STAGE}")
        if state.also:
            others = ", ".join(subject.stage(other) for other in state.also)
            text.put(f"actor.job = flows.start(actor, [{stage}, {others}], w)")
        elif isinstance(self._machine.program.stages[state.stage.base].kind, ir.Step):
            pool = "None" if state.growing is None else subject.pool(state.growing)
            text.put(f"actor.job = {stage}.join_run(actor, w, {pool}, {subject.name('run', state)})")
        else:
            text.put(f"actor.job = {stage}.join(actor, w)")
        text.put("return")


class Observe:
    """Writes what takes a sample: `observation` is the value as text, of `actor`, after the warm-up."""

    def __init__(self, machine: Machine, names: dict[str, object]) -> None:
        self._wanted_early = set(machine.before_warmup)
        self._places = any(series.times is not None for series in machine.series)
        for index, series in enumerate(machine.series):
            names[f"sample_of_{index}"] = series.record if self._places else series.values.append
        for index, early in machine.before_warmup.items():
            names[f"early_{index}"] = early.append

    def __call__(self, text: Text, index: int, value: str) -> None:
        places = f", m.seconds, actor.serial, a[{ir.SLOT_TURN}]" if self._places else ""
        text.put(f"x = {value}", f"if m.measuring: sample_of_{index}(x{places})")
        if index in self._wanted_early:
            text.put(f"else: early_{index}(x)")


def block_lines(
    text: Text,
    subject: SubjectSource,
    observe: Observe,
    lines: tuple[ir.Set | ir.Observe, ...],
    turns: str,
    serial: str,
) -> None:
    """The straight line of an `init` or `turn` block, drawn from the stream of (session, turn)."""
    if draws(line.value for line in lines):
        text.put(f"serial = {serial}")
    own = BlockDraws("turn", turns, subject.samples)
    own.prepare([line.value for line in lines])
    text.put(*own.opening())
    for line in lines:
        value = subject.value(line.value, own)
        if isinstance(line, ir.Set):
            text.put(f"a[{line.slot}] = {value}")
        else:
            observe(text, line.observation, value)
