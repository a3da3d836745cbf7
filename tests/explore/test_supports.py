"""Which values stand for a draw."""

from __future__ import annotations

import pytest

from serq_interpreter.explore.oracle import Oracle, possible_values
from serq_interpreter.explore.supports import supports_of
from serq_interpreter.ir import program as ir
from serq_interpreter.ir.deep import deep_recursion
from serq_interpreter.machine.draws import DISTRIBUTIONS
from serq_interpreter.machine.static_facts import every_expression, nodes
from tests.explore.instances import analysed

PROGRAM = """
stage svc : fifo;
workload {{ arrive poisson(1); init {{ set x = {draw}; }} }}
session {{ run svc (x); end; }}
run {{ horizon 10; }}
"""


def values(draw: str, n: int = 2, most: int = 6) -> list[float]:
    """The values of the draw that an expression contains."""
    lowered = analysed(PROGRAM.format(draw=draw)).lowered
    assert lowered is not None
    with deep_recursion():
        supports = supports_of(lowered.program, n, most)
    sample = next(node for node in nodes(every_expression(lowered.program)) if isinstance(node, ir.Sample))
    args = [argument.value for argument in sample.args if isinstance(argument, ir.Num)]
    return possible_values(DISTRIBUTIONS[sample.distribution], supports[sample], args)


def test_a_finite_support_is_covered() -> None:
    assert values("~bernoulli(0.5)") == [0.0, 1.0]
    assert values("~bernoulli(1)") == [1.0]
    assert values("~det(3)") == [3.0]
    assert [-(-value // 1) for value in values("1 + ceil(~uniform(0.5, 4))")] == [1.0, 2.0, 3.0, 4.0]
    assert [-(-value // 1) for value in values("ceil(~uniform(0, 3))")] == [1.0, 2.0, 3.0]
    assert [3 * value // 1 for value in values("floor(3 * ~uniform(0, 1))")] == [0.0, 1.0, 2.0]
    assert [value < 0.3 for value in values("~uniform(0, 1) < 0.3 ? 5 : 7")] == [True, False]


def test_a_large_support_is_thinned_and_keeps_its_ends() -> None:
    found = [-(-value // 1) for value in values("ceil(~uniform(100, 900))", most=3)]
    assert len(found) == 3
    assert (found[0], found[-1]) == (102.0, 899.0)


def test_a_continuous_draw_is_represented() -> None:
    assert values("~uniform(2, 6)", 3) == [2.0, 4.0, pytest.approx(6.0)]
    assert len(values("~exp(1)", 4)) == 4
    assert len(values("~h2(1, 4)", 2)) == 4
    assert len(values("~erlang(2, 1)", 2)) == 2


def test_a_draw_beside_an_attribute_is_not_taken_for_finite() -> None:
    assert len(values("floor(serial * ~uniform(0, 1))")) == 2


def test_an_oracle_goes_through_every_decision_once() -> None:
    oracle = Oracle()
    seen = []
    decisions: tuple[int, ...] | None = ()
    while decisions is not None:
        oracle.begin(decisions)
        first = oracle.decide(2)
        seen.append((first, oracle.decide(3) if first else oracle.decide(1)))
        decisions = oracle.following()
    assert seen == [(0, 0), (1, 0), (1, 1), (1, 2)]
