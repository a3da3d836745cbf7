"""Kernel statements to states and scopes."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import assert_never

from serq_interpreter.ir import program as ir
from serq_interpreter.machine import automaton as a
from serq_interpreter.machine.static_facts import attributes_read, reads_only_attributes

_OPEN = -1
"""A target that is filled in when the following state is known."""


def compile_automaton(program: ir.Program) -> a.Automaton:
    """The automaton of a closed program; run under `deep_recursion`."""
    builder = _Builder(len(program.attrs))
    session = builder.scope(None, None)
    entry = builder.block(program.session, session, None)
    builder.finish_scope(session, entry)
    return a.Automaton(
        program=program,
        states=tuple(builder.finished()),
        scopes=tuple(builder.scopes),
        entry=entry,
        init=_straight(program.init),
        turn=_straight(program.turn),
        n_slots=builder.n_slots,
        chains=tuple(builder.chain(scope) for scope in range(len(builder.scopes))),
    )


def _straight(block: ir.Block) -> tuple[ir.Set | ir.Observe, ...]:
    for statement in block.statements:
        if not isinstance(statement, ir.Set | ir.Observe):
            raise ValueError(f"an `init` or `turn` block holds a {type(statement).__name__}")
    return tuple(statement for statement in block.statements if isinstance(statement, ir.Set | ir.Observe))


class _Builder:
    """Reserves the states of a block, then fills each one, knowing which state follows it."""

    def __init__(self, n_attributes: int) -> None:
        self.n_slots = n_attributes
        self.states: list[a.State | None] = []
        self.scopes: list[a.Scope] = []
        self.legs: list[tuple[ir.Fork, a.StateId]] = []

    def finished(self) -> list[a.State]:
        done = [state for state in self.states if state is not None]
        if len(done) != len(self.states):
            raise AssertionError("a reserved state was never filled")
        return done

    def reserve(self) -> a.StateId:
        self.states.append(None)
        return len(self.states) - 1

    def scope(self, parent: a.ScopeId | None, hold: ir.Hold | None, leg: bool = False) -> a.ScopeId:
        self.scopes.append(a.Scope(parent, hold, _OPEN, leg))
        return len(self.scopes) - 1

    def finish_scope(self, scope: a.ScopeId, reentry: a.StateId) -> None:
        old = self.scopes[scope]
        self.scopes[scope] = a.Scope(old.parent, old.hold, reentry, old.leg)

    def chain(self, scope: a.ScopeId) -> tuple[a.ScopeId, ...]:
        holds: list[a.ScopeId] = []
        current: a.ScopeId | None = scope
        while current is not None:
            if self.scopes[current].hold is not None:
                holds.append(current)
            current = self.scopes[current].parent
        return tuple(holds)

    def block(self, block: ir.Block, scope: a.ScopeId, after: a.StateId | None) -> a.StateId:
        """Compile a block; `after` follows it, `None` ends the session or leg.  Returns its first state."""
        ids = [self.reserve() for _ in block.statements]
        if after is None:
            after = self.reserve()
            self.states[after] = a.EndState(scope, after, None)
        following = [*ids[1:], after][: len(ids)]
        for statement, own, next_state in zip(block.statements, ids, following, strict=True):
            self.statement(statement, own, next_state, scope)
        return ids[0] if ids else after

    def statement(self, statement: ir.Stmt, own: a.StateId, after: a.StateId, scope: a.ScopeId) -> None:
        state: a.State
        match statement:
            case ir.Turn():
                state = a.TurnState(scope, after, statement)
            case ir.End():
                state = a.EndState(scope, own, statement)
            case ir.Join():
                state = a.JoinState(scope, after, statement)
            case ir.Set():
                state = a.SetState(scope, after, statement, statement.slot, statement.value)
            case ir.Observe():
                state = a.ObserveState(scope, after, statement, statement.observation, statement.value)
            case ir.Hold():
                state = self.hold(statement, own, after, scope)
            case ir.Grow():
                state = a.GrowState(scope, after, statement, statement.pool, statement.units)
            case ir.Load():
                state = a.LoadState(scope, after, statement, statement.pool, statement.units)
            case ir.Drop():
                state = a.DropState(scope, after, statement, statement.pool)
            case ir.Release():
                state = a.ReleaseState(scope, after, statement, statement.pool)
            case ir.Run():
                state = self.run(statement, after, scope)
            case ir.Branch():
                then = self.block(statement.then, scope, after)
                otherwise = self.block(statement.otherwise, scope, after)
                state = a.BranchState(scope, then, statement, statement.guard, otherwise)
            case ir.Loop():
                state = a.GotoState(scope, self.block(statement.body, scope, own), statement)
            case ir.Fork():
                leg = self.scope(None, None, leg=True)
                first = self.block(statement.body, leg, None)
                self.finish_scope(leg, first)
                state = a.ForkState(scope, after, statement, first)
            case ir.Spawn():
                sets = tuple(line for line in statement.body.statements if isinstance(line, ir.Set))
                count, group, inherit = statement.count, statement.group, statement.inherit
                state = a.SpawnState(scope, after, statement, count, group, inherit, sets)
            case ir.JoinGroup():
                state = a.JoinGroupState(scope, after, statement, statement.group)
            case ir.Choose():
                choose = statement
                state = a.ChooseState(scope, after, choose, choose.slot, choose.count, choose.keys)
            case _:
                assert_never(statement)
        self.states[own] = state

    def run(self, run: ir.Run, after: a.StateId, scope: a.ScopeId) -> a.State:
        position = self.n_slots
        self.n_slots += 1
        return a.RunState(scope, after, run, run.stage, run.mode, run.work, run.growing, run.also, position)

    def hold(self, hold: ir.Hold, own: a.StateId, after: a.StateId, scope: a.ScopeId) -> a.State:
        inner = self.scope(scope, hold)
        self.finish_scope(inner, own)
        exit_state = self.reserve()
        first = self.block(hold.body, inner, exit_state)
        self.states[exit_state] = a.ExitState(inner, after, hold, inner, hold_moves(hold))
        return a.AcquireState(scope, first, hold, inner, admission_block(hold))


def admission_block(hold: ir.Hold) -> a.AdmissionBlock:
    """The explicit admission of a hold's header."""
    takes = hold.admission.takes
    header = [take.units for take in takes] + [take.reserve for take in takes if take.reserve is not None]
    if hold.admission.reuse is not None:
        header.append(hold.admission.reuse)
    return a.AdmissionBlock(
        lets=tuple(a.Let(slot) for slot in sorted(attributes_read(header))),
        takes=tuple(a.Take(take.pool, take.units, reads_only_attributes(take.units), take) for take in takes),
        needs=tuple(
            None if take.reserve is None else a.Need(number, take.reserve, reads_only_attributes(take.reserve))
            for number, take in enumerate(takes)
        ),
        reuse=a.Reuse(hold.admission.reuse),
        caches=hold.cache is not None,
    )


def hold_moves(hold: ir.Hold) -> tuple[a.Move, ...]:
    """What happens to each pool at the end of the scope; a lease names the pool by its reference."""
    moves: list[a.Move] = []
    for number in range(len(hold.admission.takes)):
        moves.append(a.Free(number) if hold.cache is None else a.Keep(number, hold.cache))
    if hold.lease is not None:
        leased = leased_take(hold)
        then = moves[leased]
        assert not isinstance(then, a.LeaseOut)
        moves[leased] = a.LeaseOut(leased, hold.lease.time, then)
    return tuple(moves)


def leased_take(hold: ir.Hold) -> int:
    """Which of the hold's pools its lease names: the same family, and the same index as written."""
    assert hold.lease is not None
    wanted = hold.lease.pool
    for number, take in enumerate(hold.admission.takes):
        if take.pool.base == wanted.base and same_index(take.pool.index, wanted.index):
            return number
    raise ValueError("a lease names none of its hold's pools")


def same_index(left: ir.Expr | None, right: ir.Expr | None) -> bool:
    """Whether two indices are written alike; none is the first member, like 0."""
    pending: list[tuple[object, object]] = [(left or ir.Num(0.0), right or ir.Num(0.0))]
    while pending:
        one, other = pending.pop()
        if type(one) is not type(other):
            return False
        if isinstance(one, tuple) and isinstance(other, tuple):
            if len(one) != len(other):
                return False
            pending.extend(zip(one, other, strict=True))
        elif is_dataclass(one):
            names = [part.name for part in fields(one)]
            pending.extend((getattr(one, name), getattr(other, name)) for name in names)
        elif one != other:
            return False
    return True
