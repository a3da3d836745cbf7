"""Bounds: the range of every attribute at every statement of a program.

An abstract interpretation over a flow graph of the session and its legs.  Besides the flow of the text the graph has
what only the machine does: an admission sets `cached`, the end of a hold sets `computed` to 0, and a preemption jumps
from anywhere inside a hold back to it, with `computed` set to the position that was lost (04 §8.3).  Loops end by
widening to the numbers of the program.
"""

from __future__ import annotations

import heapq
from functools import cached_property
from math import inf

from serq_interpreter.analysis import interval as i
from serq_interpreter.analysis.expression_bounds import Environment, ExpressionBounds
from serq_interpreter.analysis.interval import Interval
from serq_interpreter.ir import program as ir
from serq_interpreter.ir.deep import deep_recursion
from serq_interpreter.ir.walk import expressions, parts_of, roots, statements
from serq_interpreter.record import record, struct

_SLACK = 1e-6
_VISITS_BEFORE_WIDENING = 3
_VISITS_BEFORE_INFINITY = 40


@struct
class _Node:
    """A point of the flow; `hold` marks the end (`exit`) or the preemption (`again`) of that hold."""

    kind: str
    statement: ir.Stmt | None = None
    next: int | None = None
    otherwise: int | None = None
    again: int | None = None
    """Where a preemption inside goes: the node that collects for the innermost hold that may fall."""
    visits: int = 0
    state: Environment | None = None


@record
class Bounds:
    """`before` has the ranges in front of each statement that can be reached, `ends` those at the end of each hold."""

    program: ir.Program
    before: dict[ir.Stmt, Environment]
    ends: dict[ir.Stmt, Environment]
    expressions: ExpressionBounds
    start: Environment
    everywhere: Environment
    """The range of each attribute over the whole session."""
    entry: Environment
    """What sessions begin with, children included."""

    def at(self, statement: ir.Stmt) -> Environment | None:
        """The range of each slot in front of a statement; `None` where no session comes."""
        return self.before.get(statement)

    def value(self, expression: ir.Expr, statement: ir.Stmt) -> Interval | None:
        """The range of an expression that stands in a statement."""
        environment = self.before.get(statement)
        if environment is None:
            return None
        with deep_recursion():
            return self.expressions.value(expression, environment)


def bounds_of(program: ir.Program, *, preemptions: bool = True) -> Bounds:
    """The bounds of a closed program; without `preemptions` those of a run up to its first preemption."""
    with deep_recursion():
        return _Analysis(program, preemptions).run()


def session_bounds(program: ir.Program, start: Environment) -> Bounds:
    """The bounds of sessions that begin with `start`; what their children begin with is left out (extension v4b)."""
    with deep_recursion():
        return _Analysis(program, True, start).run()


def start_of(program: ir.Program) -> Environment:
    """The ranges of a session that has just arrived: the `init` block alone, without any walk."""
    return _Analysis(program, preemptions=False).initial()


class _Analysis:
    def __init__(self, program: ir.Program, preemptions: bool, given: Environment | None = None) -> None:
        """`given` is what every session begins with, the children's beginnings aside."""
        self.given = given
        self.entry = 0
        self.program = program
        self.preemptions = preemptions
        self.expressions = ExpressionBounds(program)
        self.nodes: list[_Node] = []
        self.line_states: dict[ir.Stmt, Environment] = {}
        self.queued: set[int] = set()

    @cached_property
    def steps(self) -> tuple[float, ...]:
        return _numbers(self.program)

    def run(self) -> Bounds:
        start = self.initial() if self.given is None else self.given
        entry = self._block(self.program.session, None, self._node(_Node("end")))
        if self.program.spawning is not None:
            # Children enter here, too: what they begin with grows along their lineage and has to be widened.
            entry = self._node(_Node("enter", None, entry))
        self.entry = entry
        if not isinstance(self.program.arrival, ir.NoArrival):
            self._solve(entry, start)
        before = dict(self.line_states)
        ends: dict[ir.Stmt, Environment] = {}
        everywhere = start
        for node in self.nodes:
            if node.state is None or node.statement is None or node.kind == "again":
                continue
            everywhere = _joined(everywhere, node.state)
            (before if node.kind == "statement" else ends)[node.statement] = node.state
        for state in self.line_states.values():
            everywhere = _joined(everywhere, state)
        first = self.nodes[self.entry].state or start
        return Bounds(self.program, before, ends, self.expressions, start, everywhere, first)

    # ------------------------------------------------------------------ the flow graph

    def _node(self, node: _Node) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    def _block(self, block: ir.Block, again: int | None, after: int) -> int:
        """The first node of a block; recursive."""
        for statement in reversed(block.statements):
            after = self._statement(statement, again, after)
        return after

    def _statement(self, statement: ir.Stmt, again: int | None, after: int) -> int:
        node = _Node("statement", statement, after, again=again)
        match statement:
            case ir.Hold():
                return self._hold(node, statement, again, after)
            case ir.Branch(then=then, otherwise=otherwise):
                node.next = self._block(then, again, after)
                node.otherwise = self._block(otherwise, again, after)
            case ir.Loop(body=body):
                own = self._node(node)
                node.next = self._block(body, again, own)
                return own
            case ir.Fork(body=body):
                node.otherwise = self._block(body, None, self._node(_Node("end")))
            case ir.End():
                node.next = None
            case _:
                pass
        return self._node(node)

    def _hold(self, node: _Node, hold: ir.Hold, outer: int | None, after: int) -> int:
        own = self._node(node)
        inside = outer
        if self._falls(hold):
            inside = self._node(_Node("again", hold, own, again=outer))
        end = self._node(_Node("exit", hold, after, again=inside))
        node.next = self._block(hold.body, inside, end)
        return own

    def _falls(self, hold: ir.Hold) -> bool:
        """Whether a preemption can hit this hold."""
        return self.preemptions and any(
            pool.preempt is not None for take in hold.admission.takes for pool in self._members(take.pool)
        )

    def _members(self, reference: ir.PoolRef) -> tuple[ir.Pool, ...]:
        return self.program.pools[reference.base : reference.base + reference.count]

    # ------------------------------------------------------------------ the fixed point

    def _solve(self, entry: int, start: Environment) -> None:
        queue: list[int] = []
        self._flow(entry, start, queue)
        while queue:
            number = -heapq.heappop(queue)
            self.queued.discard(number)
            node = self.nodes[number]
            assert node.state is not None
            if node.again is not None:
                self._flow(node.again, node.state, queue)
            for target, state in self._after(node, node.state):
                self._flow(target, state, queue)

    def _flow(self, target: int | None, state: Environment, queue: list[int]) -> None:
        if target is None:
            return
        node = self.nodes[target]
        if node.state is None:
            node.state = state
        else:
            merged = _joined(node.state, state)
            if merged == node.state:
                return
            node.visits += 1
            if (
                isinstance(node.statement, ir.Loop | ir.Hold) or node.kind == "enter"
            ) and node.visits > _VISITS_BEFORE_WIDENING:
                steps = self.steps if node.visits < _VISITS_BEFORE_INFINITY else ()
                merged = tuple(i.widen(a, b, steps) for a, b in zip(node.state, merged, strict=True))
            node.state = merged
        if target not in self.queued:
            self.queued.add(target)
            heapq.heappush(queue, -target)

    def _after(self, node: _Node, state: Environment) -> list[tuple[int | None, Environment]]:
        """Where a session goes from a node, and with what."""
        statement = node.statement
        if node.kind == "exit":
            return [(node.next, _with(state, ir.SLOT_COMPUTED, i.exactly(0.0)))]
        if node.kind == "again":
            assert isinstance(statement, ir.Hold)
            return [(node.next, _with(state, ir.SLOT_COMPUTED, self._positions(statement)))]
        match statement:
            case ir.Set(slot=slot, value=value):
                return [(node.next, _with(state, slot, self.expressions.value(value, state)))]
            case ir.Turn():
                return [(node.next, self._turn(state))]
            case ir.Hold():
                return [(node.next, _with(state, ir.SLOT_CACHED, self._consumed(statement)))]
            case ir.Choose(slot=slot, count=count):
                last = max(self.expressions.value(count, state).hi - 1.0, 0.0)
                return [(node.next, _with(state, slot, Interval(0.0, last, whole=True)))]
            case ir.Branch(guard=guard):
                return [
                    (target, narrowed)
                    for target, truth in ((node.next, True), (node.otherwise, False))
                    if (narrowed := self.expressions.refined(guard, state, truth)) is not None
                ]
            case ir.Fork():
                return [(node.next, state), (node.otherwise, state)]
            case ir.Spawn() if self.given is None:
                return [(node.next, state), (self.entry, self._child(statement, state))]
            case _:
                return [(node.next, state)]

    def _positions(self, hold: ir.Hold) -> Interval:
        """What `computed` can be after a preemption: a position within an allocation (04 §8.3)."""
        return self._up_to_cap(hold)

    def _consumed(self, hold: ir.Hold) -> Interval:
        """What an admission leaves in `cached` (04 §4.2): nothing without a `cache` clause."""
        return i.exactly(0.0) if hold.cache is None else self._up_to_cap(hold)

    def _up_to_cap(self, hold: ir.Hold) -> Interval:
        tiers = {pool.spill.to for pool in self.program.pools if pool.spill is not None}
        numbers = [n for take in hold.admission.takes for n in range(take.pool.base, take.pool.base + take.pool.count)]
        if any(number in tiers for number in numbers):
            return i.NOT_NEGATIVE
        return Interval(0.0, max(self.program.pools[number].cap for number in numbers) + _SLACK)

    # ------------------------------------------------------------------ arrivals and turns

    def initial(self) -> Environment:
        """The attributes of a session that has just arrived (06 §5)."""
        state: Environment = tuple(i.exactly(0.0) for _ in self.program.attrs)
        state = _with(state, ir.SLOT_SERIAL, self._serials())
        state = self._lineage(state, i.exactly(-1.0), i.exactly(0.0))
        state = self._line(self.program.init, state)
        arrival = self.program.arrival
        if isinstance(arrival, ir.Sessions) and arrival.sessions:
            given = [dict(session.attrs) for session in arrival.sessions]
            for slot in {slot for values in given for slot in values}:
                found = [i.exactly(values[slot]) if slot in values else state[slot] for values in given]
                state = _with(state, slot, _hull(found))
        return state

    def _lineage(self, state: Environment, parent: Interval, depth: Interval) -> Environment:
        spawning = self.program.spawning
        if spawning is not None:
            state = state if spawning.parent is None else _with(state, spawning.parent, parent)
            state = state if spawning.depth is None else _with(state, spawning.depth, depth)
        return state

    def _child(self, spawn: ir.Spawn, parent: Environment) -> Environment:
        """What a child begins with: its block, read in the parent's session, and no `init` (extension v4b)."""
        state: Environment = tuple(i.exactly(0.0) for _ in self.program.attrs)
        state = _with(state, ir.SLOT_SERIAL, i.COUNT)
        spawning = self.program.spawning
        depth = i.COUNT
        if spawning is not None and spawning.depth is not None:
            depth = i.add(parent[spawning.depth], i.exactly(1.0))
        state = self._lineage(state, i.COUNT, depth)
        for line in spawn.body.statements:
            known = self.line_states.get(line)
            self.line_states[line] = parent if known is None else _joined(known, parent)
            if isinstance(line, ir.Set):
                state = _with(state, line.slot, self.expressions.value(line.value, parent))
        return state

    def _serials(self) -> Interval:
        if self.program.spawning is not None:
            return i.COUNT
        match self.program.arrival:
            case ir.Batch(sessions=count):
                return Interval(0.0, float(max(count - 1, 0)), whole=True)
            case ir.Sessions(sessions=sessions):
                return Interval(0.0, float(max(len(sessions) - 1, 0)), whole=True)
            case _:
                return i.COUNT

    def _turn(self, state: Environment) -> Environment:
        """`turn;`: the count, the next row of the trace or script, the block (06 §5.4)."""
        state = _with(state, ir.SLOT_TURN, i.add(state[ir.SLOT_TURN], i.exactly(1.0)))
        for slot, values in self._rows().items():
            state = _with(state, slot, i.join(state[slot], values))
        return self._line(self.program.turn, state)

    def _rows(self) -> dict[int, Interval]:
        rows: dict[int, Interval] = {}
        if self.program.trace is not None:
            rows = dict.fromkeys((ir.SLOT_NEW, ir.SLOT_OUT, ir.SLOT_THINK, ir.SLOT_FORCED), i.ANYTHING)
            rows[ir.SLOT_MORE] = i.TRUTH
        if isinstance(self.program.arrival, ir.Sessions):
            for session in self.program.arrival.sessions:
                for turn in session.turns or ():
                    for slot, value in turn:
                        known = rows.get(slot)
                        rows[slot] = i.exactly(value) if known is None else i.join(known, i.exactly(value))
                if session.turns is not None:
                    rows[ir.SLOT_MORE] = i.TRUTH
        return rows

    def _line(self, block: ir.Block, state: Environment) -> Environment:
        """An `init` or `turn` block: assignments and observations in a row."""
        for statement in block.statements:
            known = self.line_states.get(statement)
            self.line_states[statement] = state if known is None else _joined(known, state)
            if isinstance(statement, ir.Set):
                state = _with(state, statement.slot, self.expressions.value(statement.value, state))
        return state


# --------------------------------------------------------------------------- environments


def _with(state: Environment, slot: int, value: Interval) -> Environment:
    return state if state[slot] == value else (*state[:slot], value, *state[slot + 1 :])


def _joined(one: Environment, other: Environment) -> Environment:
    if one is other:
        return one
    return tuple([a if a is b else i.join(a, b) for a, b in zip(one, other, strict=True)])


def _hull(found: list[Interval]) -> Interval:
    whole = found[0]
    for one in found[1:]:
        whole = i.join(whole, one)
    return whole


def _numbers(program: ir.Program) -> tuple[float, ...]:
    """Where widening stops on its way: the numbers that the session's statements name, the least a few dozen."""
    found = {0.0}
    for root in roots(program):
        for statement in statements(root):
            for part in parts_of(statement):
                found.update(node.value for node in expressions(part) if isinstance(node, ir.Num))
    kept = sorted(value for value in found if -inf < value < inf)
    return tuple(kept if len(kept) <= 32 else kept[:: len(kept) // 32 + 1])
