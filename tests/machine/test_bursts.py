"""Iterations one by one in bursts: most of a long decode's go through one loop, and nothing can tell."""

from __future__ import annotations

import pytest

from serq_interpreter.machine.run import Budget, Run, run_program
from serq_interpreter.machine.stages.step import StepStage
from tests.machine.engine_programs import engine_text
from tests.machine.forms import CLOCKS, everything
from tests.machine.window_programs import window_text
from tests.support.compiling import program_from

_CHAT = """
stage engine : step { budget 8192; cost COST; memory kv; }
pool kv { cap 4000; block 16; evict lru; preempt lifo; admit via engine; }
stage tool : delay;
gauge memory = used(kv) / 2;
workload { arrive poisson(0.3); turn { set n = ceil(~uniform(50, 300)); set o = ceil(~exp(400)); }
  session { turn; loop { request; branch with (0.5) { tool (~exp(3)); turn; } else { end; } } } }
server { set t0 = now;
  hold kv (min(n, budget_left(engine))) { run engine prefill (n) growing kv; run engine decode (o) growing kv; }
  observe response = now - t0; }
run { horizon 20; warmup 5; seed 3; }
"""
_COSTS = (
    "0.002 + 2e-5*tokens + 2e-9*kv_decode",
    "0.002 + 1e-7 * sqrt(kv_decode) + 1e-6 * decoders * residents",
    "now > 12 ? 0.003 : 0.002",
)


@pytest.mark.parametrize("cost", _COSTS)
@pytest.mark.parametrize("clock", CLOCKS)
def test_most_iterations_go_in_bursts(cost: str, clock: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ended = []
    finish = StepStage.finish

    def counted(engine: StepStage, argument: None) -> None:
        ended.append(engine)
        finish(engine, argument)

    monkeypatch.setattr(StepStage, "finish", counted)
    program = program_from(_CHAT.replace("COST", cost))
    fast = run_program(program, clock=clock, record=True, coalesce=False)  # type: ignore[arg-type]
    iterations = fast.report["stages"][0]["iterations"]
    assert len(ended) <= iterations / 4
    slow = run_program(program, clock=clock, record=True, reference=True)  # type: ignore[arg-type]
    assert everything(fast) == everything(slow)


@pytest.mark.parametrize("clock", CLOCKS)
def test_a_budget_ends_a_burst(clock: str) -> None:
    program = program_from(_CHAT.replace("COST", _COSTS[0]))
    pieces = Run(program, clock=clock, record=True, coalesce=False)  # type: ignore[arg-type]
    events = 0
    while (result := pieces.go(Budget(events=997))).status == "partial":
        events += 997
        assert result.report["events"] == events
    whole = run_program(program, clock=clock, record=True, reference=True)  # type: ignore[arg-type]
    assert everything(result) == everything(whole)


@pytest.mark.parametrize("seed", range(2000, 2010))
@pytest.mark.parametrize("clock", CLOCKS)
def test_random_programs(seed: int, clock: str) -> None:
    program = program_from(window_text(seed))
    budget = Budget(events=20_000)
    one, other = (
        run_program(program, clock=clock, record=True, budget=budget, coalesce=False, reference=reference)  # type: ignore[arg-type]
        for reference in (True, False)
    )
    assert everything(one) == everything(other)


@pytest.mark.parametrize("clock", CLOCKS)
def test_who_is_ready_goes_on_at_the_next_event(clock: str) -> None:
    """The edition may leave a session ready until the next event of any kind, so a burst may not pass over one."""
    program = program_from(engine_text(273))
    one = run_program(program, clock=clock, record=True, reference=True)  # type: ignore[arg-type]
    other = run_program(program, clock=clock, record=True, coalesce=False)  # type: ignore[arg-type]
    assert other.form == "generated"
    assert everything(one) == everything(other)
