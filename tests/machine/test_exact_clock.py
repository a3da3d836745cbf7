"""Integer ticks: the unit of a program, rounding, exact costs."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from random import Random

import pytest

from serq_interpreter.ir import program as ir
from serq_interpreter.machine.exact_clock import ExactClock, choose_unit, parse_tick
from serq_interpreter.machine.exact_costs import polynomial, rational
from serq_interpreter.machine.run import run_program
from serq_interpreter.machine.settings import run_settings
from tests.support.compiling import program_from


def _unit(cost: str) -> tuple[Fraction, str | None]:
    program = program_from(f"""
    stage e : step {{ cost {cost}; }}
    workload {{ arrive batch(1); }}
    session {{ run e decode (3); }}
    run {{ horizon 9; }}
    """)
    return choose_unit(program, run_settings(program))


def test_the_unit_is_at_most_a_nanosecond() -> None:
    assert _unit("1") == (Fraction(1, 10**9), None)


def test_the_unit_divides_every_coefficient() -> None:
    assert _unit("0.0002 + 2e-5 * tokens + 2e-10 * kv_decode") == (Fraction(1, 5 * 10**9), None)
    assert _unit("tokens / 3") == (Fraction(1, 3 * 10**9), None)


def test_a_unit_that_would_be_too_fine_is_a_picosecond() -> None:
    unit, note = _unit("1e-17 * tokens + 1")
    assert unit == Fraction(1, 10**12)
    assert note is not None


def test_durations_round_half_to_even_and_completions_up() -> None:
    clock = ExactClock(Fraction(1, 2))
    assert [clock.ticks(seconds) for seconds in (0.25, 0.75, 1.25, 0.26)] == [0, 2, 2, 1]
    assert clock.after_up(10, 0.01) == 11
    assert clock.not_before(10, 1.0) == 10
    assert clock.seconds(3) == 1.5


@pytest.mark.parametrize("per_second", [10**9, 3 * 10**9, 7 * 10**10, 10**15])
def test_ticks_decided_by_doubles_are_the_exact_ones(per_second: int) -> None:
    clock, random = ExactClock(Fraction(1, per_second)), Random(per_second)
    halves = [(random.randrange(10**6) + 0.5) / per_second for _ in range(200)]
    for seconds in (*halves, *[random.expovariate(10.0 ** random.randrange(-4, 9)) for _ in range(500)], 0.0):
        exact = Fraction(seconds) * per_second
        assert clock.ticks(seconds) == round(exact)
        assert clock.ticks_up(seconds) == ceil(exact)


def test_iterations_of_one_cost_end_where_the_cost_says() -> None:
    # A tenth of a second has no double: ten of them added up in doubles miss 1.
    program = program_from("""
    stage e : step { cost 0.1; }
    workload { arrive batch(1); }
    session { run e decode (10); observe at = now; }
    run { horizon 9; }
    """)
    assert list(run_program(program, clock="exact").series["at"].values) == [1.0]
    assert list(run_program(program, clock="f64").series["at"].values) != [1.0]


def test_polynomials() -> None:
    tokens = ir.Ctx("Ntok")
    square = ir.Binary("Mul", ir.Binary("Add", tokens, ir.Num(1.0)), ir.Binary("Sub", tokens, ir.Num(0.1)))
    exact = polynomial(square)
    assert exact is not None
    value = exact.scaled(Fraction(10)).evaluator(lambda node: lambda subject: subject)
    assert value(3.0) == 10 * 4 * Fraction(29, 10)
    assert polynomial(ir.Call("Max", (tokens, ir.Num(1.0)))) is None
    assert polynomial(ir.Ctx("Now")) is None
    assert rational(ir.Binary("Div", ir.Num(1.0), ir.Num(3.0))) == Fraction(1, 3)
    assert rational(ir.Binary("Div", ir.Num(1.0), ir.Num(0.0))) is None


@pytest.mark.parametrize(
    ("text", "tick"),
    [
        ("1ns", Fraction(1, 10**9)),
        ("250 ps", Fraction(1, 4 * 10**9)),
        ("1e-6", Fraction(1, 10**6)),
        ("2ms", Fraction(1, 500)),
    ],
)
def test_ticks_from_outside(text: str, tick: Fraction) -> None:
    assert parse_tick(text) == tick


@pytest.mark.parametrize("text", ["", "ns", "0", "-1", "1/0", "1 h", "nan"])
def test_no_tick(text: str) -> None:
    with pytest.raises(ValueError):
        parse_tick(text)
