"""Which programs run as one generated function: open arrivals, engines with a paged pool each, simple stages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from serq_interpreter.ir import program as ir
from serq_interpreter.machine import automaton as a
from serq_interpreter.machine.arrivals import no_rows
from serq_interpreter.machine.exact_clock import ExactClock
from serq_interpreter.machine.exact_costs import polynomial
from serq_interpreter.machine.generated.expression_source import ARITHMETIC, DEEPEST, PORTABLE, depth
from serq_interpreter.machine.generated.statement_source import may_spin
from serq_interpreter.machine.static_facts import nodes

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine

_MOST_STATES = 200
_MOST_ENGINES = 64
_LARGEST_BLOCK = 512
_LARGEST_COUNT = 2.0**40
"""Budgets and blocks: sums of such numbers stay exact in doubles."""
_COST_READS = frozenset(("Ntok", "Npre", "Nres", "Ndec", "Kvb"))
_SESSION_QUERIES = frozenset(("Used", "Free", "Holders", "Queued", "CachedIn"))
_HEADER_QUERIES = frozenset(("CachedIn", "BudgetLeft"))


def reason_against(machine: Machine) -> str | None:
    """Why the machine's program is left to the other forms; `None` if the generated function runs it."""
    program = machine.program
    if not PORTABLE:
        return "this hardware's NaN is not the reference's"
    if machine.watched or machine.invariants is not None:
        return "every event is looked at"
    if not machine.quirks.settles_once:
        return "instants settle in another way"
    if program.spawning is not None or program.gauges or program.claims or program.registers:
        return "the program spawns, has gauges, claims or registers"
    if machine.estimates_read or program.share is not None:
        return "estimates are read, or stages share"
    if not isinstance(program.arrival, ir.Poisson | ir.Renewal) or machine.lifecycle.scripts.for_session is not no_rows:
        return "sessions do not arrive from an open law without a trace"
    if len(machine.automaton.states) > _MOST_STATES or may_spin(machine.automaton):
        return "the session block is long, or may come round without blocking"
    return _against_deployment(machine) or _against_sessions(machine)


# --------------------------------------------------------------------------- the deployment


def _against_deployment(machine: Machine) -> str | None:
    program = machine.program
    engines = [index for index, stage in enumerate(program.stages) if isinstance(stage.kind, ir.Step)]
    exact = isinstance(machine.clock, ExactClock)
    if not engines or len(engines) > (_MOST_ENGINES if exact else 1):
        return "there is no engine, or there are several and their sums have an order"
    if len(program.pools) != len(engines):
        return "not every pool belongs to one engine"
    for place, index in enumerate(engines):
        kind = program.stages[index].kind
        assert isinstance(kind, ir.Step)
        if kind.memory != place or program.pools[place].admit_via != index:
            return "a pool is not the memory of the engine that admits to it"
        found = _against_engine(kind, exact) or _against_pool(program.pools[place])
        if found is not None:
            return found
    for stage in program.stages:
        if not isinstance(stage.kind, ir.Step | ir.Delay | ir.Fifo):
            return "a stage is shared"
    return None


def _against_engine(kind: ir.Step, exact: bool) -> str | None:
    budget = kind.budget
    if not (isinstance(budget, ir.Num) and budget.value.is_integer() and 1.0 <= budget.value <= _LARGEST_COUNT):
        return "the budget is not a whole number"
    if not (isinstance(kind.chunk, ir.Num) and kind.chunk.value == 0.0):
        return "prefills come in chunks"
    if kind.serve != () or kind.granule is not None or kind.iteration is not None:
        return "the engine has an order or an iteration of its own"
    if depth(kind.cost) > DEEPEST:
        return "the cost is nested deeply"
    for node in nodes((kind.cost,)):
        match node:
            case ir.Ctx(name=name) if name in _COST_READS:
                continue
            case ir.Call(function=function) if function in ARITHMETIC:
                continue
            case ir.Num() | ir.Unary() | ir.Binary() | ir.Cond():
                continue
            case _:
                return "the cost reads more than the batch"
    return None if not exact or polynomial(kind.cost) is not None else "the cost is no polynomial"


def _against_pool(pool: ir.Pool) -> str | None:
    block = pool.block
    if block is None or not (block.is_integer() and 1.0 <= block <= _LARGEST_BLOCK):
        return "the pool has no whole blocks"
    if pool.evict_keys is not None or pool.queue_keys is not None or pool.spill is not None or pool.reserve_held:
        return "the pool orders evictions or its queue, spills or reserves"
    if not pool.cap >= 0.0:
        return "the pool's cap is no amount"
    if pool.preempt is not None and not _latest_first(pool.preempt):
        return "the pool chooses whom to preempt"
    return None


def _latest_first(preempt: ir.PreemptBy) -> bool:
    """`preempt lifo`: no key, or the admission counted backwards."""
    match preempt.keys:
        case ():
            return True
        case (ir.Unary(op="Neg", operand=ir.Ctx(name="Admission")),):
            return True
        case _:
            return False


# --------------------------------------------------------------------------- sessions


def _against_sessions(machine: Machine) -> str | None:
    automaton = machine.automaton
    for state in automaton.states:
        found = _against_state(machine.program, state)
        if found is not None:
            return found
    for line in (*automaton.init, *automaton.turn):
        if not _readable(line.value, frozenset()):
            return "a block asks the deployment"
    return None


def _against_state(program: ir.Program, state: a.State) -> str | None:
    asks = "an expression asks more of the deployment"
    match state:
        case a.TurnState() | a.GotoState():
            return None
        case a.EndState():
            return None if state.scope == 0 else "a session may end inside a hold"
        case a.SetState(value=value) | a.ObserveState(value=value):
            return None if _readable(value, _SESSION_QUERIES) else asks
        case a.BranchState(guard=guard):
            return None if _readable(guard, _SESSION_QUERIES) else asks
        case a.ChooseState():
            keys = (state.count, *state.keys)
            return None if all(_readable(key, _SESSION_QUERIES) for key in keys) else asks
        case a.AcquireState():
            return _against_hold(state)
        case a.ExitState():
            if len(state.moves) != 1 or not isinstance(state.moves[0], a.Keep | a.Free):
                return "a hold is leased"
            return None
        case a.RunState():
            return _against_run(program, state)
        case _:
            return f"the session has a {type(state).__name__}"


def _against_hold(state: a.AcquireState) -> str | None:
    block = state.admission
    if state.scope != 0 or len(block.takes) != 1 or block.needs != (None,) or block.reuse.bound is not None:
        return "a hold is nested, takes from several pools, reserves or bounds its reuse"
    assert isinstance(state.node, ir.Hold)
    if not _readable(block.takes[0].units, _HEADER_QUERIES, moment=False):
        return "a header reads more than attributes, its prefix and the budget"
    if state.node.cache is not None and not _readable(state.node.cache, frozenset(), moment=False):
        return "a cache clause asks the deployment"
    index = block.takes[0].pool.index
    if index is not None and not _readable(index, frozenset(), moment=False):
        return "the member of a hold is drawn"
    return None


def _against_run(program: ir.Program, state: a.RunState) -> str | None:
    if state.also or not _readable(state.work, _SESSION_QUERIES):
        return "a run is at several stages, or its work asks the deployment"
    kind = program.stages[state.stage.base].kind
    if not isinstance(kind, ir.Step):
        index = state.stage.index
        fixed = index is None or (isinstance(index, ir.Num) and index.value in range(state.stage.count))
        return None if fixed else "a run's stage is chosen when it starts"
    if state.scope == 0 or state.growing is None or state.mode is ir.RunMode.PLAIN:
        return "a run at an engine does not grow a hold"
    for reference in (state.stage, state.growing):
        if reference.index is not None and not _readable(reference.index, frozenset(), moment=False):
            return "the member of a run is drawn"
    return None


def _readable(expression: ir.Expr, queries: frozenset[str], moment: bool = True) -> bool:
    """Numbers, attributes and arithmetic, these queries and, at a `moment` of its own, the time and draws."""
    if depth(expression) > DEEPEST:
        return False
    for node in nodes((expression,)):
        match node:
            case ir.Agg() | ir.Reg():
                return False
            case ir.Call(function=function):
                if function not in ARITHMETIC and function not in queries:
                    return False
            case ir.Ctx(name=name):
                if name != "Now" or not moment:
                    return False
            case ir.Sample():
                if not moment:
                    return False
            case _:
                continue
    return True
