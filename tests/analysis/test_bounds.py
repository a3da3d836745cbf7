"""Bounds: intervals of written programs, and soundness on generated ones."""

from __future__ import annotations

from math import inf, nan
from random import Random

import pytest

from serq_interpreter.analysis.bounds import Bounds, bounds_of
from serq_interpreter.analysis.interval import Interval, divide, multiply, subtract
from serq_interpreter.frontend.analysis import analyse
from serq_interpreter.ir import program as ir
from serq_interpreter.ir.walk import statements
from serq_interpreter.machine import automaton as a
from serq_interpreter.machine.actors import Actor
from serq_interpreter.machine.errors import RunError
from serq_interpreter.machine.run import Budget, Run
from tests.machine.programs import Generator


def bounds(text: str) -> Bounds:
    analysis = analyse(text)
    assert analysis.lowered is not None, analysis.diagnostics
    return bounds_of(analysis.lowered.program)


def check(session: str, name: str, lo: float, hi: float, *, whole: bool = False, init: str = "") -> None:
    """The range of an attribute in front of the last `observe`."""
    found = bounds(
        f"pool kv {{ cap 64; preempt lifo; }} stage s : delay; workload {{ arrive batch(3); init {{ {init} }} }} "
        f"session {{ {session} observe x = 1; end; }} run {{ horizon 10; }}"
    )
    last = [item for item in statements(found.program.session) if isinstance(item, ir.Observe)][-1]
    state = found.at(last)
    assert state is not None
    value = state[found.program.attrs.index(name)]
    assert (value.lo, value.hi, value.whole) == (lo, hi, whole)


def test_draws_arithmetic_and_rounding() -> None:
    check("", "n", 50, 800, whole=True, init="set n = ceil(~uniform(50, 800));")
    check("", "n", 0, inf, init="set n = ~exp(3);")
    check("", "n", 0, 512, whole=True, init="set n = min(512, ceil(~exp(150)));")
    check("set m = n * 2 + 1;", "m", 1, 3, whole=True, init="set n = ~bernoulli(0.5);")
    check("set m = serial - 5;", "m", -5, -3, whole=True)


def test_conditions_narrow() -> None:
    init = "set n = ceil(~uniform(0, 100));"
    check("branch (n > 40) { end; }", "n", 0, 40, whole=True, init=init)
    check("branch (n < 40 || n >= 60) { end; }", "n", 40, 59, whole=True, init=init)
    check("set m = n > 10 ? n - 10 : 0;", "m", 0, 90, whole=True, init=init)


def test_loops_widen_and_their_guards_narrow() -> None:
    found = bounds(
        "stage s : delay; workload { arrive batch(1); } session { set left = 8; loop { run s (1); observe x = left; "
        "set left = left - 1; branch (left <= 0) { end; } } } run { horizon 10; }"
    )
    inside = next(item for item in statements(found.program.session) if isinstance(item, ir.Observe))
    state = found.at(inside)
    assert state is not None
    value = state[found.program.attrs.index("left")]
    assert (value.lo, value.hi, value.whole) == (1, 8, True)


def test_what_the_machine_sets() -> None:
    check("hold kv (4) { run s (1); } cache (4)", "cached", 0, 64 + 1e-6)
    check("hold kv (4) { run s (1); }", "cached", 0, 0, whole=True)
    check("hold kv (4) { set p = computed; run s (1); }", "p", 0, 64 + 1e-6)
    check("hold kv (4) { run s (1); }", "computed", 0, 0, whole=True)


def test_nobody_comes_where_a_guard_is_false() -> None:
    found = bounds(
        "stage s : delay; workload { arrive batch(1); } session { set n = 3; branch (n > 5) { observe x = 1; } "
        "observe y = 1; end; } run { horizon 10; }"
    )
    first, second = (item for item in statements(found.program.session) if isinstance(item, ir.Observe))
    assert found.at(first) is None
    assert found.at(second) is not None


def test_interval_operations_at_infinity() -> None:
    unbounded, zero = Interval(0.0, inf), Interval(0.0, 0.0, True)
    assert subtract(unbounded, unbounded) == Interval(-inf, inf, nan=True)
    assert multiply(unbounded, zero) == Interval(0.0, 0.0, nan=True)
    assert divide(zero, Interval(1.0, inf)) == Interval(0.0, 0.0)
    assert divide(unbounded, Interval(-1.0, 1.0)).contains(nan)
    assert not unbounded.contains(nan)


# --------------------------------------------------------------------------- soundness


def outside(program: ir.Program, events: int = 1500) -> list[str]:
    """Values that a run took outside their interval."""
    found = bounds_of(program)
    run = Run(program, reference=True)
    wrong: list[str] = []

    def watched(number: int, state: a.State, execute: object) -> object:
        assert callable(execute)
        expected = (found.ends if isinstance(state, a.ExitState) else found.before).get(state.node)  # type: ignore[arg-type]

        def look(actor: Actor) -> int:
            for slot, name in enumerate(program.attrs):
                if expected is None or not expected[slot].contains(actor.attrs[slot]):
                    shown = "unreachable" if expected is None else str(expected[slot])
                    wrong.append(
                        f"state {number}, {type(state.node).__name__}: {name} = {actor.attrs[slot]} not in {shown}"
                    )
            return int(execute(actor))

        return look if state.node is not None else execute

    machine = run.machine
    machine.code[:] = [
        watched(number, state, execute)  # type: ignore[misc]
        for number, (state, execute) in enumerate(zip(machine.automaton.states, machine.code, strict=True))
    ]
    run.go(Budget(events=events))
    return wrong


def program_of(seed: int) -> ir.Program | None:
    """A generated program, `None` where it does not link."""
    analysis = analyse(Generator(seed).text())
    return None if analysis.lowered is None else analysis.lowered.program


def check_soundness(seeds: range) -> int:
    n_checked = 0
    for seed in seeds:
        program = program_of(seed)
        if program is None:
            continue
        try:
            assert outside(program) == [], Generator(seed).text()
        except RunError:
            continue
        n_checked += 1
    return n_checked


def test_every_value_of_a_run_lies_inside() -> None:
    assert check_soundness(range(60)) > 30


@pytest.mark.full
def test_every_value_of_many_runs_lies_inside() -> None:
    assert check_soundness(range(60, 1600)) >= 1000


# --------------------------------------------------------------------------- sums in guards


def test_a_guard_on_a_sum_narrows_what_is_in_it() -> None:
    init = "set n = ceil(~uniform(0, 100)); set m = ceil(~uniform(10, 30));"
    check("branch (n + m > 64) { end; }", "n", 0, 54, whole=True, init=init)
    check("branch (n + m > 64) { end; }", "m", 10, 30, whole=True, init=init)
    check("branch (2 * n - m < 50) { end; }", "n", 30, 100, whole=True, init=init)
    check("branch (n + m >= 5 && n < m) { end; }", "n", 0, 100, whole=True, init=init)


def test_every_value_that_satisfies_a_guard_stays_inside() -> None:
    rng = Random(7)
    numbers = [-3.0, -1.0, -0.5, 0.1, 0.3, 1.0, 2.0, 7.0]
    for _ in range(120):
        names = ("p", "q", "r")
        factors, limit = [rng.choice(numbers) for _ in names], rng.choice(numbers) * rng.choice([1.0, 10.0])
        op, other = rng.choice([("<", "Lt"), ("<=", "Le"), (">", "Gt"), (">=", "Ge")])
        total = " + ".join(f"({factor:g}) * {name}" for factor, name in zip(factors, names, strict=True))
        found = bounds(
            "stage s : delay; workload { arrive batch(1); init { "
            + " ".join(f"set {name} = ~uniform(-4, 9);" for name in names)
            + f" }} }} session {{ branch ({total} {op} {limit:g}) {{ observe x = 1; }} else {{ observe y = 1; }} end; }} "
            "run { horizon 10; }"
        )
        branch = next(item for item in statements(found.program.session) if isinstance(item, ir.Branch))
        before = found.at(branch)
        assert before is not None
        for _ in range(40):
            values = {name: rng.uniform(-4.0, 9.0) if rng.random() < 0.8 else rng.choice([-4.0, 9.0]) for name in names}
            size = sum(factor * values[name] for factor, name in zip(factors, names, strict=True))
            truth = {"Lt": size < limit, "Le": size <= limit, "Gt": size > limit, "Ge": size >= limit}[other]
            arm = branch.then if truth else branch.otherwise
            state = found.at(arm.statements[0])
            assert state is not None, (total, op, limit, values)
            for name, value in values.items():
                assert state[found.program.attrs.index(name)].contains(value), (total, op, limit, values)
