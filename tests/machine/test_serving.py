"""A serving program as one generated function: the same answers as the reference, and a fresh start where it gives up."""

from __future__ import annotations

import pytest

from serq_interpreter.machine.generated.serving.driver import Serving
from serq_interpreter.machine.generated.serving.subset import reason_against
from serq_interpreter.machine.run import Budget, Run
from tests.machine.forms import CLOCKS, difference, everything
from tests.machine.serving_programs import serving_text
from tests.machine.serving_run import differing
from tests.support.compiling import program_from

_CHAT = """
stage engine : step { budget 8192; cost 0.001 + 2e-5*tokens + 2e-8*kv_decode; memory kv; }
pool kv { cap CAP; block 16; evict lru; PREEMPT admit via engine; }
stage tool : delay;
workload {
  arrive poisson(2);
  hidden o;
  init { set K = 0; }
  turn { set n = ceil(~uniform(500, 3000)); set o = ceil(~exp(200)); set more = ~bernoulli(0.7); set z = ~exp(10); }
  session { turn; loop { request; set K = prompt + o; branch (more) { tool (z); turn; } else { end; } } }
}
server {
  set t0 = now; set prompt = K + n;
  hold kv (min(known, hit + budget_left(engine)))
    at admission (known = computed < prompt ? prompt : computed + 1, hit = cachedin(kv)) {
    set c = cached;
    run engine prefill (known - c) growing kv;
    observe ttft = now - t0;
    run engine decode (o - 1 - (known - prompt)) growing kv;
  } cache (prompt + o);
  observe response = now - t0;
}
run { horizon 40; warmup 5; seed 3; }
"""


def _program(cap: str = "40000", preempt: str = "preempt lifo;") -> str:
    return _CHAT.replace("CAP", cap).replace("PREEMPT", preempt)


@pytest.mark.parametrize("clock", CLOCKS)
@pytest.mark.parametrize("cap", ["1e9", "60000", "16000"], ids=["ample", "evicting", "preempting"])
def test_a_chat_is_carried_through(cap: str, clock: str) -> None:
    program = program_from(_program(cap))
    found, _ = difference(program, clock, record=True)
    assert found is None
    run = Run(program, clock=clock)  # type: ignore[arg-type]
    result = run.go()
    assert isinstance(run.fast, Serving) and result.form == "coalesced"
    pool = result.report["pools"][0]
    assert (pool["evicted_units"] > 0) == (cap != "1e9")
    assert (pool["preemptions"] > 0) == (cap == "16000")


@pytest.mark.parametrize("clock", CLOCKS)
def test_memory_that_is_short_for_good_is_left_to_the_others(clock: str) -> None:
    program = program_from(_program("16000", ""))
    one = everything(Run(program, clock=clock, record=True, reference=True).go())  # type: ignore[arg-type]
    run = Run(program, clock=clock, record=True)  # type: ignore[arg-type]
    assert isinstance(run.fast, Serving | None)
    assert everything(run.go()) == one
    assert not isinstance(run.fast, Serving)


@pytest.mark.parametrize("clock", CLOCKS)
def test_a_run_that_starts_over_keeps_its_budget(clock: str) -> None:
    """The others begin again, and go as far as all budgets up to then allowed."""
    program = program_from(_program("16000", ""))
    run = Run(program, clock=clock, record=True)  # type: ignore[arg-type]
    reference = Run(program, clock=clock, record=True, reference=True)  # type: ignore[arg-type]
    for _ in range(40):
        assert everything(run.go(Budget(events=997))) == everything(reference.go(Budget(events=997)))
    assert not isinstance(run.fast, Serving)


@pytest.mark.parametrize("clock", CLOCKS)
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("arrive poisson(2);", "arrive renewal(~uniform(-0.2, 1));"),
        ("set z = ~exp(10);", "set z = ~exp(10) - 1;"),
        ("set more = ~bernoulli(0.7);", "set more = ~bernoulli(0.7) / 2;"),
    ],
    ids=["a gap below 0", "negative work", "a guard of one half"],
)
def test_errors_are_told_by_the_others(before: str, after: str, clock: str) -> None:
    text = _program("1e9").replace(before, after)
    assert text != _program("1e9")
    found, result = difference(program_from(text), clock, record=True)
    assert found is None and result.status == "failed"


@pytest.mark.parametrize("seed", [*range(4), 20652])
def test_generated_programs(seed: int) -> None:
    found, _ = differing(program_from(serving_text(seed)))
    assert not found


@pytest.mark.full
@pytest.mark.parametrize("first", range(100, 300, 20))
def test_more_generated_programs(first: int) -> None:
    forms: list[str] = []
    for seed in range(first, first + 20):
        found, ran = differing(program_from(serving_text(seed)))
        assert not found, seed
        forms += ran
    assert forms.count("carried through") > len(forms) // 2


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ("evict lru;", "evict by (size);", "evictions"),
        ("budget 8192;", "budget 8192; chunk 512;", "chunks"),
        ("set z = ~exp(10);", "set z = est_wait(tool);", "estimates"),
        ("arrive poisson(2);", "arrive closed(4);", "open law"),
        ("stage tool : delay;", "stage tool : ps(1);", "shared"),
    ],
)
def test_what_does_not_qualify(before: str, after: str, why: str) -> None:
    text = _program().replace(before, after)
    assert text != _program()
    reason = reason_against(Run(program_from(text)).machine)
    assert reason is not None and why in reason
