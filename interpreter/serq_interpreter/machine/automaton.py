"""A program as an automaton (seed §5): states, scopes, explicit admissions and moves.

A *state* is a point where a session blocks or acts.  A *scope* is what is open there: the
session itself, a leg, or a hold inside another scope.  A session is a program counter (an
index into `Automaton.states`) and an attribute vector; the holds it has open are the hold
scopes that enclose the counter.  A preemption is a jump to `Scope.reentry` with the vector
intact; `EndState` closes every enclosing scope.

Everything is plain data: `compile_automaton` makes it, the machine executes it, and other
executions (generated source, exploration) start from it too.
"""

from __future__ import annotations

from dataclasses import dataclass

from serq_interpreter.ir import program as ir

StateId = int
ScopeId = int


# --------------------------------------------------------------------------- admission


@dataclass(frozen=True, slots=True, eq=False)
class Let:
    """A value captured at the session's moment that the admission reads: a snapshot of the attribute."""

    slot: int


@dataclass(frozen=True, slots=True, eq=False)
class Take:
    """Units that move from free (or cached) to the hold; `refused_early` if they read only attributes
    and numbers, so that a demand above the cap is refused at the statement (04 §4.1)."""

    pool: ir.PoolRef
    units: ir.Expr
    refused_early: bool
    node: ir.Take


@dataclass(frozen=True, slots=True, eq=False)
class Need:
    """Room that must be there besides the units; same index as the `Take` it belongs to."""

    take: int
    reserve: ir.Expr
    refused_early: bool


@dataclass(frozen=True, slots=True, eq=False)
class Reuse:
    """How much of the own cached prefix may be borrowed back; `None` is all of it."""

    bound: ir.Expr | None


@dataclass(frozen=True, slots=True, eq=False)
class AdmissionBlock:
    """What the scheduler evaluates when it decides on a hold, at the scheduler's moment, each once."""

    lets: tuple[Let, ...]
    takes: tuple[Take, ...]
    needs: tuple[Need | None, ...]
    reuse: Reuse
    caches: bool
    """Whether the hold takes part in prefix caching (it has a `cache` clause)."""


# --------------------------------------------------------------------------- moves at the end of a hold


@dataclass(frozen=True, slots=True, eq=False)
class Keep:
    """Up to `units` stay in the pool's cache, the rest becomes free."""

    take: int
    units: ir.Expr


@dataclass(frozen=True, slots=True, eq=False)
class Free:
    """Everything becomes free."""

    take: int


@dataclass(frozen=True, slots=True, eq=False)
class LeaseOut:
    """The allocation stays with the owner for `time`; `then` is the move when the lease ends."""

    take: int
    time: ir.Expr
    then: Keep | Free


Move = Keep | Free | LeaseOut


# --------------------------------------------------------------------------- states


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """`scope` encloses the state; `next` follows it; `node` is the statement it comes from."""

    scope: ScopeId
    next: StateId
    node: ir.Stmt | None


@dataclass(frozen=True, slots=True, eq=False)
class TurnState(State):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class SetState(State):
    slot: int
    value: ir.Expr


@dataclass(frozen=True, slots=True, eq=False)
class ObserveState(State):
    observation: int
    value: ir.Expr


@dataclass(frozen=True, slots=True, eq=False)
class AcquireState(State):
    """Join the queue of the first pool; once admitted the session goes on at `next`, inside `opens`."""

    opens: ScopeId
    admission: AdmissionBlock


@dataclass(frozen=True, slots=True, eq=False)
class ExitState(State):
    """Close the hold scope `closes`: its moves, in the order of the pools, then one admission pass."""

    closes: ScopeId
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True, eq=False)
class RunState(State):
    """`position` is the slot of the vector that counts the tokens an engine has given this run."""

    stage: ir.StageRef
    mode: ir.RunMode
    work: ir.Expr
    growing: ir.PoolRef | None
    also: tuple[ir.StageRef, ...]
    position: int


@dataclass(frozen=True, slots=True, eq=False)
class GrowState(State):
    pool: ir.PoolRef
    units: ir.Expr


@dataclass(frozen=True, slots=True, eq=False)
class LoadState(State):
    pool: ir.PoolRef
    units: ir.Expr


@dataclass(frozen=True, slots=True, eq=False)
class DropState(State):
    pool: ir.PoolRef


@dataclass(frozen=True, slots=True, eq=False)
class ReleaseState(State):
    pool: ir.PoolRef


@dataclass(frozen=True, slots=True, eq=False)
class BranchState(State):
    """`next` when the guard is 1, `otherwise` when it is 0."""

    guard: ir.Expr
    otherwise: StateId


@dataclass(frozen=True, slots=True, eq=False)
class ChooseState(State):
    slot: int
    count: ir.Expr
    keys: tuple[ir.Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ForkState(State):
    """Start a leg at `leg`; the session goes on at `next`."""

    leg: StateId


@dataclass(frozen=True, slots=True, eq=False)
class JoinState(State):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class SpawnState(State):
    """Create children in `group`, each with the values of `sets`; the session goes on at `next` (extension v4b)."""

    count: ir.Expr
    group: int
    inherit: ir.PoolRef | None
    sets: tuple[ir.Set, ...]


@dataclass(frozen=True, slots=True, eq=False)
class JoinGroupState(State):
    """Wait until every child of `group` has ended (extension v4b)."""

    group: int


@dataclass(frozen=True, slots=True, eq=False)
class GotoState(State):
    """The head of a loop: `next` is the body's first state (itself when the body is empty)."""


@dataclass(frozen=True, slots=True, eq=False)
class EndState(State):
    """The session, or the leg, ends: every enclosing scope is closed from the innermost outwards."""


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """`hold` is `None` for the session's and a leg's own scope; `reentry` is the scope's `AcquireState`,
    where a preemption resumes, or the first state of the session or leg."""

    parent: ScopeId | None
    hold: ir.Hold | None
    reentry: StateId
    leg: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Automaton:
    """States in the order of the program text; `entry` is where a session starts.

    `init` and `turn` are straight lines of `Set` and `Observe` statements: they cannot block.
    """

    program: ir.Program
    states: tuple[State, ...]
    scopes: tuple[Scope, ...]
    entry: StateId
    init: tuple[ir.Set | ir.Observe, ...]
    turn: tuple[ir.Set | ir.Observe, ...]
    n_slots: int
    """Length of a session's vector: the program's attributes, then one position per run."""
    chains: tuple[tuple[ScopeId, ...], ...]
    """For each scope the hold scopes that are open in it, innermost first, itself included."""

    def open_holds(self, state: StateId) -> tuple[ScopeId, ...]:
        """The hold scopes that enclose a state, innermost first."""
        return self.chains[self.states[state].scope]
