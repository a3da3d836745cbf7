"""Where each context variable comes from, moment by moment (02 §6, 05 §6.8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from serq_interpreter.machine.actors import QUEUED
from serq_interpreter.machine.evaluate import Closure, Moment

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine
    from serq_interpreter.machine.pools import PoolState
    from serq_interpreter.machine.stages.base import StageState


def now_variable(machine: Machine) -> dict[str, Closure]:
    return {"Now": lambda _: machine.seconds}


def statement_moment(machine: Machine) -> Moment:
    """Statements, headers, claims at the end, gauges: only `now`; draws are the subject's."""
    return Moment(now_variable(machine))


def queue_moment(machine: Machine) -> Moment:
    def waited(actor: Any) -> float:
        return machine.span(machine.now - actor.waiting.joined)

    return Moment(now_variable(machine) | {"Waited": waited})


def evict_moment(machine: Machine) -> Moment:
    """Eviction keys and spills; the subject is an entry or a piece of one."""
    clock = machine.clock
    variables: dict[str, Closure] = {
        "Size": lambda entry: entry.size,
        "Last": lambda entry: clock.seconds(entry.last),
        "Age": lambda entry: machine.span(machine.now - entry.last),
        "Queued": lambda entry: 1.0 if entry.owner is not None and entry.owner.status == QUEUED else 0.0,
    }
    return Moment(now_variable(machine) | variables, machine.draws.evict)


def preempt_moment(machine: Machine, pool: PoolState) -> Moment:
    growth = machine.growth

    def position(actor: Any) -> float:
        allocation = actor.allocation_on(pool)
        return 0.0 if allocation is None else allocation.position

    def decoding(actor: Any) -> float:
        return 1.0 if actor.job is not None and actor.job.stage.is_step and actor.job.decoding else 0.0

    variables: dict[str, Closure] = {
        "Admission": lambda _: float(growth.candidate_index),
        "Position": position,
        "Decoding": decoding,
    }
    return Moment(now_variable(machine) | variables)


def capacity_moment(machine: Machine, stage: StageState) -> Moment:
    present: Closure = lambda _: float(stage.present)  # noqa: E731
    return Moment(now_variable(machine) | {"N": present}, machine.draws.machine)
