"""Each condition of the coalescing licence: a program that violates only it is refused for it, and runs right."""

from __future__ import annotations

import pytest

from serq_interpreter.analysis.licence import licences
from serq_interpreter.machine.run import Run
from tests.machine.forms import CLOCKS, difference
from tests.support.compiling import program_from

_TEXT = """
stage engine : step {{ budget {budget}; cost {cost}; {options} memory kv; }}
stage tool : delay;
pool kv {{ cap 400; block 16; evict lru; preempt lifo; admit via engine; }}
{more}
workload {{ arrive poisson(1); turn {{ set n = ceil(~uniform(5, 30)); set o = ceil(~exp(40)); }}
  session {{ turn; request; end; }} }}
server {{ set t0 = now;
  hold kv (min(n, budget_left(engine))) {{ run engine prefill (n) growing kv; run engine decode (o) growing kv; }}
  tool (1);
  observe response = now - t0; }}
run {{ horizon 30; warmup 1; seed 3; }}
"""
_COST = "0.01 + 0.001 * kv_decode"


def _text(budget: str = "64", cost: str = _COST, options: str = "", more: str = "") -> str:
    return _TEXT.format(budget=budget, cost=cost, options=options, more=more)


_REFUSED = {
    "budget-draws": _text(budget="60 + ~uniform(0, 4)"),
    "budget-clock": _text(budget="now < 5 ? 64 : 60"),
    "budget-moves": _text(budget="64 - kv_decode / 100"),
    "chunk-draws": _text(options="chunk 8 + ceil(~uniform(0, 4));"),
    "cost-draws": _text(cost="0.01 + ~exp(0.01)"),
    "cost-clock": _text(cost="0.01 + now / 10000"),
    "cost-moves": _text(cost="0.01 + used(kv) / 10000"),
    "order-moves": _text(options="serve by (kv_decode, serial);"),
    "only": _text(options="iteration { serve only (serial < 1000); serve; admit; }"),
    "branch": _text(options="iteration { serve; branch (residents > 2) { admit; } else { admit; } }"),
    "register": _text(options="state R = 0; iteration { serve; admit; set R = tokens; }"),
    "gate-moves": _text(options="iteration { serve; admit while (kv_decode < 300); }"),
    "claim": _text(more="claim small : every iteration of engine (tokens < 1000);"),
}


@pytest.mark.parametrize("rule", sorted(_REFUSED))
def test_a_violated_condition_is_named(rule: str) -> None:
    program = program_from(_REFUSED[rule])
    (licence,) = licences(program)
    assert {refusal.rule for refusal in licence.refusals} == {rule}
    for clock in CLOCKS:
        found, fast = difference(program, clock, record=True)
        assert found is None
        assert fast.form == "reference"


_GRANTED = {
    "plain": _text(),
    "chunk that moves": _text(options="chunk max(1, 20 - decoders);"),
    "order by what remains": _text(options="serve by (remaining);"),
    "exclusive prefill": _text(options="serve exclusive prefill;"),
    "a body that admits under a gate": _text(options="iteration { serve decode first; admit while (tokens < 20); }"),
    "a cost of a query": _text(cost="0.01 + 0.001 * queue(tool) + 0.0001 * kv_decode"),
    "a gauge of memory": _text(more="gauge memory = used(kv);"),
}


@pytest.mark.parametrize("name", sorted(_GRANTED))
def test_a_granted_licence_is_used(name: str) -> None:
    program = program_from(_GRANTED[name])
    (licence,) = licences(program)
    assert licence.granted
    for clock in CLOCKS:
        found, fast = difference(program, clock, record=True)
        assert found is None
        assert fast.form == "coalesced"
        run = Run(program, clock=clock)  # type: ignore[arg-type]
        run.go()
        assert run.fast.windows[0].iterations > 0  # type: ignore[union-attr]
