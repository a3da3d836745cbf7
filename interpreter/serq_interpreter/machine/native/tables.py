"""A program at simple stages as the tables that `loops/kernel` runs: code, constants, what states and stages are."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING

from serq_interpreter.ir import program as ir
from serq_interpreter.machine import automaton as a
from serq_interpreter.machine import numbers
from serq_interpreter.machine.generated.event_source import expressions_of
from serq_interpreter.machine.generated.event_statements import stage_of
from serq_interpreter.machine.native.loops import opcodes as op
from serq_interpreter.machine.static_facts import attributes_read, draws

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine

_BINARY = {
    "Add": op.ADD,
    "Sub": op.SUB,
    "Mul": op.MUL,
    "Div": op.DIV,
    "Lt": op.LT,
    "Le": op.LE,
    "Gt": op.GT,
    "Ge": op.GE,
    "Eq": op.EQ,
    "Ne": op.NE,
    "Min": op.MIN,
    "Max": op.MAX,
}
_DRAWS = {
    "Exp": op.DRAW_EXP,
    "Uniform": op.DRAW_UNIFORM,
    "Bernoulli": op.DRAW_BERNOULLI,
    "H2": op.DRAW_H2,
    "Erlang": op.DRAW_ERLANG,
}
_PLAIN = {"Abs": op.ABS, "Floor": op.FLOOR, "Ceil": op.CEIL}
_ONE_ARGUMENT: dict[str, Callable[..., float]] = {
    "Sqrt": numbers.square_root,
    "Exp": numbers.exponential,
    "Ln": numbers.logarithm,
}


class Tables:
    """The arrays of the kernel; `samples` are the draws that an instruction may name."""

    def __init__(self, machine: Machine, places: bool) -> None:
        """`machine` has a program that `event_subset` takes; `places` of samples are kept or not."""
        program, automaton = machine.program, machine.automaton
        self.automaton = automaton
        self.code = array("q")
        self.constants = array("d")
        self.functions: list[Callable[..., float]] = []
        self.samples: list[ir.Sample] = []
        own, of_blocks = expressions_of(automaton)
        slots = sorted(attributes_read(own + of_blocks) | ({ir.SLOT_TURN} if places else set()))
        self.slots = {slot: place for place, slot in enumerate(slots)}
        """The attributes that something reads."""
        self.width = len(slots)
        self.serial_place = self.slots.get(ir.SLOT_SERIAL, -1)
        self.turn_place = self.slots.get(ir.SLOT_TURN, -1)
        self.rate = program.arrival.rate if isinstance(program.arrival, ir.Poisson) else 0.0
        self.wanted = -1 if machine.settings.arrivals is None else machine.settings.arrivals
        self.seed = machine.draws.seed
        self._stages([stage.kind for stage in program.stages])
        self._states()

    def _stages(self, kinds: list[ir.StageKind]) -> None:
        self.kinds, self.servers, self.capacity = array("q"), array("q"), array("d")
        for kind in kinds:
            number, servers, capacity = op.UNLIMITED, 0, inf
            if isinstance(kind, ir.Ps):
                assert isinstance(kind.capacity, ir.Num)
                number, capacity = op.SHARED, kind.capacity.value
            elif isinstance(kind, ir.Fifo):
                # More servers than a run may have sessions are as good as that many.
                servers = int(min(kind.servers, 2**62))
                number = op.ONE_SERVER if servers == 1 else op.SERVERS
            self.kinds.append(number)
            self.servers.append(servers)
            self.capacity.append(capacity)
        self.any_shared = op.SHARED in self.kinds

    # ------------------------------------------------------------------ code

    def _put(self, code: int, argument: int = 0) -> int:
        """Add an instruction; the place of its argument."""
        self.code.append(code)
        self.code.append(argument)
        return len(self.code) - 1

    def _land(self, *places: int) -> None:
        """The jumps with these arguments go here."""
        for place in places:
            self.code[place] = len(self.code)

    def _states(self) -> None:
        """The code of every state that can be reached, and where each goes on."""
        automaton = self.automaton
        n = len(automaton.states)
        self.gap_entry = -1
        arrival = self.automaton.program.arrival
        if isinstance(arrival, ir.Renewal):
            self.gap_entry = len(self.code)
            self._value(arrival.gap)
            self._put(op.GAP)
        self.entry = len(self.code)
        if automaton.init:
            self._block(automaton.init, op.INIT, 1)
        places = [-1] * n
        jumps: list[tuple[int, int]] = []
        pending = [automaton.entry]
        while pending:
            number = pending.pop()
            while places[number] < 0:
                places[number] = len(self.code)
                state = automaton.states[number]
                self._state(number, state)
                if isinstance(state, a.BranchState):
                    pending.append(state.otherwise)
                if isinstance(state, a.EndState):
                    break
                number = state.next
            else:
                jumps.append((self._put(op.JUMP), number))
        for place, number in jumps:
            self.code[place] = places[number]
        self._places = places
        self.after = array("q", [places[state.next] for state in automaton.states])
        others = [state.otherwise if isinstance(state, a.BranchState) else 0 for state in automaton.states]
        self.other = array("q", [places[other] for other in others])
        stages = [stage_of(state) if isinstance(state, a.RunState) else -1 for state in automaton.states]
        self.stage_of = array("q", stages)

    def state_at(self, place: int) -> int:
        """The state whose code begins there."""
        return self._places.index(place)

    def _state(self, number: int, state: a.State) -> None:
        match state:
            case a.SetState():
                self._set(state.slot, state.value)
            case a.ObserveState():
                self._value(state.value)
                self._put(op.OBSERVE, state.observation)
            case a.BranchState():
                self._value(state.guard)
                self._put(op.BRANCH, number)
            case a.RunState():
                self._value(state.work)
                self._put(op.RUN, number)
            case a.TurnState():
                self._block(self.automaton.turn, op.TURN, 0)
            case a.EndState():
                self._put(op.END)

    def _block(self, lines: tuple[ir.Set | ir.Observe, ...], opening: int, always: int) -> None:
        """An `init` or `turn` block; a turn is one without draws, too."""
        drawn = draws([line.value for line in lines])
        if drawn or not always:
            self._put(opening, int(drawn))
        for line in lines:
            if isinstance(line, ir.Set):
                self._set(line.slot, line.value)
            else:
                self._value(line.value)
                self._put(op.OBSERVE, line.observation)
        if drawn:
            self._put(op.OWN)

    def _set(self, slot: int, value: ir.Expr) -> None:
        """A value nobody reads is evaluated all the same: it may draw or fail."""
        self._value(value)
        place = self.slots.get(slot)
        if place is None:
            self._put(op.DROP)
        else:
            self._put(op.STORE, place)

    # ------------------------------------------------------------------ expressions

    def _value(self, expression: ir.Expr) -> None:
        """Code that pushes the value; `event_subset` bounds the depth."""
        match expression:
            case ir.Num():
                self._constant(expression.value)
            case ir.Attr():
                self._put(op.ATTR, self.slots[expression.slot])
            case ir.Ctx():
                self._put(op.NOW)
            case ir.Unary():
                self._value(expression.operand)
                self._put(op.NEG if expression.op == "Neg" else op.NOT)
            case ir.Binary(op="And" | "Or"):
                self._logical(expression)
            case ir.Binary():
                self._value(expression.left)
                self._value(expression.right)
                if expression.op in _BINARY:
                    self._put(_BINARY[expression.op])
                else:
                    self._function(op.CALL_2, numbers.power)
            case ir.Cond():
                self._conditional(expression)
            case ir.Sample():
                self._draw(expression)
            case ir.Call():
                self._call(expression)
            case _:
                raise TypeError(f"no code for {type(expression).__name__}")

    def _constant(self, value: float) -> None:
        self._put(op.CONST, len(self.constants))
        self.constants.append(value)

    def _function(self, code: int, function: Callable[..., float]) -> None:
        self._put(code, len(self.functions))
        self.functions.append(function)

    def _logical(self, expression: ir.Binary) -> None:
        """1 or 0; the right side is left out where the left one decides."""
        self._value(expression.left)
        left = self._put(op.JUMP_FALSE)
        if expression.op == "And":
            self._value(expression.right)
            right = self._put(op.JUMP_FALSE)
            self._constant(1.0)
            end = self._put(op.JUMP)
            self._land(left, right)
            self._constant(0.0)
            self._land(end)
            return
        true = self._put(op.JUMP)
        self._land(left)
        self._value(expression.right)
        right = self._put(op.JUMP_FALSE)
        self._land(true)
        self._constant(1.0)
        end = self._put(op.JUMP)
        self._land(right)
        self._constant(0.0)
        self._land(end)

    def _conditional(self, expression: ir.Cond) -> None:
        self._value(expression.test)
        false = self._put(op.JUMP_FALSE)
        self._value(expression.then)
        end = self._put(op.JUMP)
        self._land(false)
        self._value(expression.otherwise)
        self._land(end)

    def _draw(self, sample: ir.Sample) -> None:
        for argument in sample.args:
            self._value(argument)
        if sample.distribution != "Det":
            self._put(_DRAWS[sample.distribution], len(self.samples))
            self.samples.append(sample)

    def _call(self, call: ir.Call) -> None:
        for argument in call.args:
            assert not isinstance(argument, ir.PoolRef | ir.StageRef)
            self._value(argument)
        if call.function in _BINARY:
            self._put(_BINARY[call.function])
        elif call.function == "Pow":
            self._function(op.CALL_2, numbers.power)
        elif call.function in _PLAIN:
            self._put(_PLAIN[call.function])
        else:
            self._function(op.CALL_1, _ONE_ARGUMENT[call.function])


class Books:
    """What the kernel measures, as arrays; one element a stage, or an observation."""

    def __init__(self, n_stages: int, n_observations: int, places: bool) -> None:
        """`places`: whether time, session and turn of samples are kept."""
        self.present, self.completed = (array("q", bytes(8 * n_stages)) for _ in range(2))
        self.mean_wait, self.mean_service = (array("d", bytes(8 * n_stages)) for _ in range(2))
        self.area, self.time_used = (array("d", bytes(8 * n_stages)) for _ in range(2))
        room = 8 * op.SAMPLES * n_observations
        self.samples = array("d", bytes(room))
        self.places = places
        self.sample_times, self.sample_turns = (array("d", bytes(room if places else 0)) for _ in range(2))
        self.sample_serials = array("q", bytes(room if places else 0))
        self.filled = array("q", bytes(8 * n_observations))
