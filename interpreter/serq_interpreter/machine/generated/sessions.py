"""Runs a machine by source generated for its program: statements, holds, passes and the event loop.

The machine keeps its objects, so whatever the source does not do itself (an iteration, a preemption, an eviction, a
lease, a fork) is done by the part that owns it; those parts call the generated functions in turn, which take the places
of `Machine.step` and `run_ready`, `Admission.join`, `admit` and `sweep`, and `Lifecycle.create_session`.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from math import ceil, inf, log
from time import monotonic
from typing import TYPE_CHECKING, Any

from serq_interpreter.machine import automaton as a
from serq_interpreter.machine import engine, execute, settling
from serq_interpreter.machine.actors import Actor, HoldFrame
from serq_interpreter.machine.errors import Interrupted, RunError
from serq_interpreter.machine.generated.draw_source import draw, hyperexponential, uniform_between
from serq_interpreter.machine.generated.expression_source import NAMES, PORTABLE
from serq_interpreter.machine.generated.hold_source import Holds
from serq_interpreter.machine.generated.key_source import KeySource
from serq_interpreter.machine.generated.loop_source import Loop
from serq_interpreter.machine.generated.statement_source import Observe, Statements
from serq_interpreter.machine.generated.subject_source import SubjectSource
from serq_interpreter.machine.generated.text import Text, compiled
from serq_interpreter.machine.pools import Allocation, Waiting

if TYPE_CHECKING:
    from serq_interpreter.machine.clock import Time
    from serq_interpreter.machine.engine import Machine

_MOST_STATES = 400
"""A longer program takes longer to generate than many a run of it."""


def reason_against(machine: Machine) -> str | None:
    """Why the machine's program is left to the reference; `None` if generated source runs it."""
    if not PORTABLE:
        return "this hardware's NaN is not the reference's"
    if machine.watched or machine.invariants is not None:
        return "every event is looked at"
    if machine.program.spawning is not None:
        return "sessions spawn sessions"
    if machine.program.spawning is not None:
        return "sessions spawn children"
    if len(machine.automaton.states) > _MOST_STATES:
        return "the session block is long"
    return None


class GeneratedSessions:
    """Drives a machine as `Machine.run_until` does."""

    def __init__(self, machine: Machine, run: Callable[..., None]) -> None:
        self.machine = machine
        self._run = run

    def run_until(
        self, limit: Time, max_events: int | None, deadline: float | None, cancelled: Callable[[], bool] | None
    ) -> bool:
        """As `Machine.run_until`."""
        self._run(limit, -1 if max_events is None else max_events, deadline, cancelled)
        return True


def generated_sessions(machine: Machine) -> GeneratedSessions:
    """The driver of a machine that has not started, to whose parts the generated functions are given."""
    return GeneratedSessions(machine, _install(machine, stepwise=False)["run"])


def generate_steps(machine: Machine) -> None:
    """Generated functions for a machine that has not started and that another driver steps."""
    machine.step = _install(machine, stepwise=True)["step"]  # type: ignore[method-assign]


def _install(machine: Machine, stepwise: bool) -> dict[str, Any]:
    names = _names(machine)
    text = Text()
    keys = KeySource(machine, text, names)
    keys.write()
    _write(machine, text, names, stepwise)
    exec(compiled("\n".join(text.lines) + "\n"), names)
    keys.install()
    states = machine.automaton.states
    for kind in ("join", "admit"):
        names[f"{kind}s"] = [names.get(f"{kind}_{number}") for number in range(len(states))]
    machine.run_ready = names["run_ready"]  # type: ignore[method-assign]
    machine.admission.join = names["join"]  # type: ignore[method-assign]
    machine.admission.admit = names["admit"]  # type: ignore[method-assign]
    machine.admission.sweep = names["sweep"]  # type: ignore[method-assign]
    if "create_session" in names:
        machine.lifecycle.create_session = names["create_session"]  # type: ignore[method-assign]
    return names


def _write(machine: Machine, text: Text, names: dict[str, Any], stepwise: bool) -> None:
    subject, observe = SubjectSource(machine, names), Observe(machine, names)
    Statements(machine, text, subject, observe).write()
    for number, state in enumerate(machine.automaton.states):
        if isinstance(state, a.AcquireState):
            Holds(machine, text, subject, number, state).write()
    Loop(machine, text, subject, observe).write(stepwise)
    names |= subject.samples


# --------------------------------------------------------------------------- what the source calls


def _names(machine: Machine) -> dict[str, Any]:
    """Everything the source refers to, beside what it names itself."""
    names: dict[str, Any] = dict(NAMES)
    names |= {f"p{pool.index}": pool for pool in machine.pools}
    names |= {f"s{stage.index}": stage for stage in machine.stages}
    names |= _states_of(machine)
    return names | {
        "m": machine,
        "pools": machine.pools,
        "admission": machine.admission,
        "amount": machine.admission.amount,
        "refuse": lambda actor, pool: machine.admission._refuse(actor, pool),
        "distinct": machine.admission._check_distinct,
        "holds": machine.holds,
        "caching": machine.caching,
        "growth": machine.growth,
        "grow": machine.growth.grow_statement,
        "grant": machine.growth.grant_waiting,
        "flows": machine.flows,
        "lifecycle": machine.lifecycle,
        "claims": machine.claims,
        "draws": machine.draws,
        "sessions": machine.sessions,
        "ready": machine.ready,
        "take": machine.ready.popleft,
        "agenda": machine.agenda,
        "make_ready": machine.make_ready,
        "change_live": machine.change_live,
        "seconds": machine.clock.seconds,
        "span": machine.span,
        "pop": heapq.heappop,
        "ceil": ceil,
        "log": log,
        "draw": draw,
        "uniform_between": uniform_between,
        "hyperexponential": hyperexponential,
        "before": execute.before,
        "Actor": Actor,
        "Allocation": Allocation,
        "HoldFrame": HoldFrame,
        "Waiting": Waiting,
        "RunError": RunError,
        "Interrupted": Interrupted,
        "EVENTS_PER_INSTANT": engine.EVENTS_PER_INSTANT,
        "look": _look,
        "inf": inf,
    }


def _states_of(machine: Machine) -> dict[str, Any]:
    """Helpers that are told the number of a state or look at the machine."""
    program, states = machine.program, machine.automaton.states

    def unsettled() -> None:
        same = machine.same_instant
        if same > engine.EVENTS_PER_INSTANT + settling.READIES_PER_INSTANT * machine.live:
            raise machine._unsettled(f"{same} events without time passing")

    return {
        "unsettled": unsettled,
        "retime_all": machine.settle_stages,
        "bad_guard": lambda number, value: execute.bad_guard(program, states[number].guard, value),  # type: ignore[attr-defined]
        "bad_work": lambda number, work: execute.bad_work(program, states[number], work),  # type: ignore[arg-type]
        "bad_count": lambda number, count: execute.bad_count(program, states[number].count, count),  # type: ignore[attr-defined]
        "growing": lambda number, *of: execute.growing_allocation(program, states[number], *of),  # type: ignore[arg-type]
        "load": lambda number, *of: execute.load_units(program, states[number], *of),  # type: ignore[arg-type]
    }


def _look(deadline: float | None, cancelled: Callable[[], bool] | None) -> None:
    if deadline is not None and monotonic() >= deadline:
        raise Interrupted("the budget of time is used up")
    if cancelled is not None and cancelled():
        raise Interrupted("cancelled")
