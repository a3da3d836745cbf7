"""Errors of a run in local names: the machine is told the time, then says what is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from serq_interpreter.machine import automaton as a
from serq_interpreter.machine.errors import RunError
from serq_interpreter.machine.exact_clock import ExactClock
from serq_interpreter.machine.execute import bad_guard as guard_error
from serq_interpreter.machine.execute import bad_work as work_error

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine


def _at(machine: Machine, now: Any) -> None:
    machine.now = int(now) if isinstance(machine.clock, ExactClock) else now
    machine.seconds = machine.clock.seconds(machine.now)


def unsettled(machine: Machine, now: Any, same: int) -> RunError:
    _at(machine, now)
    return machine._unsettled(f"{same} events without time passing")


class _Somebody:
    """As much of a session as an error message reads."""

    def __init__(self, serial: int, pc: int) -> None:
        self.serial = serial
        self.pc = pc


def spinning(machine: Machine, now: Any, serial: int, pc: int) -> RunError:
    _at(machine, now)
    return machine._spinning(_Somebody(serial, pc))  # type: ignore[arg-type]


def crowded(machine: Machine, now: Any) -> RunError:
    _at(machine, now)
    return machine.crowded(machine.program.arrival)


def bad_guard(machine: Machine, now: Any, serial: int, number: int, value: float) -> RunError:
    state = machine.automaton.states[number]
    assert isinstance(state, a.BranchState)
    _at(machine, now)
    error = guard_error(machine.program, state.guard, value)
    error.session = serial
    return error


def bad_work(machine: Machine, now: Any, serial: int, number: int, value: float) -> RunError:
    state = machine.automaton.states[number]
    assert isinstance(state, a.RunState)
    _at(machine, now)
    error = work_error(machine.program, state, value)
    error.session = serial
    return error
