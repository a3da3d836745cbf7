"""Every execution of a program comes to the same report, samples, gauges, notes and errors, in both clocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from serq_interpreter.machine.generated.sessions import reason_against
from serq_interpreter.machine.run import Budget, Run, run_program
from tests.machine.conformance import expected_runs, program_path
from tests.machine.engine_programs import engine_text
from tests.machine.event_programs import event_text
from tests.machine.forms import CLOCKS, difference, everything
from tests.machine.programs import program_text
from tests.machine.window_programs import window_text
from tests.support.cases import CASES
from tests.support.compiling import program_from, program_of

_TEXTS: list[tuple[Callable[[int], str], int]] = [
    *((window_text, seed) for seed in range(1000, 1025)),
    *((event_text, seed) for seed in range(1000, 1025)),
    *((engine_text, seed) for seed in range(1000, 1012)),
    *((program_text, seed) for seed in range(1000, 1012)),
]


@pytest.mark.full
@pytest.mark.parametrize(("text", "seed"), _TEXTS, ids=lambda value: getattr(value, "__name__", str(value)))
@pytest.mark.parametrize("clock", CLOCKS)
def test_random_programs(text: Callable[[int], str], seed: int, clock: str) -> None:
    try:
        program = program_from(text(seed))
    except ValueError:
        pytest.skip("the program has errors")
    found, _ = difference(program, clock, record=True)
    assert found is None


@pytest.mark.parametrize("area", ["fifo", "ps", "delay", "step", "serve", "iteration", "gauges", "stats"])
def test_corpus(area: str) -> None:
    for path in sorted((CASES / area).glob("*.expect.json")):
        source = path.with_name(path.name.replace(".expect.json", ".sq"))
        if source.exists():
            for clock in CLOCKS:
                found, _ = difference(program_of(source), clock, record=True, directory=source.parent)
                assert found is None, f"{source.name} [{clock}]: {found}"


@pytest.mark.full
def test_how_many_programs_of_the_corpus_use_a_generated_form(capsys: pytest.CaptureFixture[str]) -> None:
    forms: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    for path in expected_runs():
        source = program_path(path)
        # Generating is never given up because of an exception: it would come out here.
        run = Run(program_of(source), directory=source.parent)
        form = run.go(Budget(events=1)).form
        forms[form] += 1
        if form == "reference":
            reason = reason_against(run.machine)
            assert reason is not None, f"{path.name}: left to the reference without a reason"
            reasons[reason] += 1
    fast = forms["generated"] + forms["coalesced"]
    with capsys.disabled():
        print(f"\nforms of the corpus' programs: {dict(forms)} ({fast / forms.total():.0%} generated), {dict(reasons)}")
    assert fast >= 0.6 * forms.total()


_MM1 = """
stage svc : fifo(1);
workload { arrive poisson(0.8); init { set s = ~exp(1); } session { request; end; } }
server { set t0 = now; run svc (s); observe response = now - t0; }
run { horizon 500; warmup 10; seed 3; }
"""


@pytest.mark.parametrize("text", [_MM1, window_text(1001), event_text(1002)], ids=["mm1", "window", "event"])
@pytest.mark.parametrize("clock", CLOCKS)
def test_a_run_in_pieces_is_the_run_at_once(text: str, clock: str) -> None:
    program = program_from(text)
    pieces = Run(program, clock=clock, record=True)  # type: ignore[arg-type]
    result = pieces.go(Budget(events=37))
    while result.status == "partial":
        result = pieces.go(Budget(events=101))
    assert everything(result) == everything(run_program(program, clock=clock, record=True))  # type: ignore[arg-type]


@pytest.mark.parametrize("clock", CLOCKS)
def test_a_stopped_run_reports_as_the_reference_does(clock: str) -> None:
    program = program_from(_MM1)
    one = run_program(program, clock=clock, budget=Budget(events=300), reference=True)  # type: ignore[arg-type]
    other = run_program(program, clock=clock, budget=Budget(events=300))  # type: ignore[arg-type]
    assert (one.status, one.form, other.form) == ("partial", "reference", "generated")
    assert everything(one) == everything(other)


@pytest.mark.parametrize("clock", CLOCKS)
@pytest.mark.parametrize("ending", ["", " arrivals 20;"])
def test_a_budget_that_ends_with_the_run(clock: str, ending: str) -> None:
    program = program_from(_MM1.replace("seed 3;", f"seed 3;{ending}"))
    events = run_program(program, clock=clock).report["events"]  # type: ignore[arg-type]
    for budget, status in ((events, "complete"), (events - 1, "partial")):
        one = run_program(program, clock=clock, budget=Budget(events=budget), reference=True)  # type: ignore[arg-type]
        other = run_program(program, clock=clock, budget=Budget(events=budget))  # type: ignore[arg-type]
        assert (one.status, other.status, other.form) == (status, status, "generated")
        assert everything(one) == everything(other)


_CHAT = """
stage engine : step { budget 8192; cost 0.0002 + 2e-5*tokens + 2e-9*kv_decode; memory kv; }
pool kv { cap 160000; block 16; evict lru; preempt lifo; admit via engine; }
workload { arrive poisson(LAM); turn { set n = ceil(~uniform(500, 3000)); set o = ceil(~exp(OUT)); }
  session { turn; request; end; } }
server { set t0 = now;
  hold kv (min(n, budget_left(engine))) { run engine prefill (n) growing kv; run engine decode (o) growing kv; }
  observe response = now - t0; }
run { horizon 100; warmup 10; seed 3; }
"""


@pytest.mark.parametrize(
    ("rate", "output", "least"), [("0.5", "400", 40.0), ("0.3", "20000", 1000.0), ("5", "400", 8.0)]
)
@pytest.mark.parametrize("whole", [False, True])
def test_iterations_per_step(rate: str, output: str, least: float, whole: bool) -> None:
    run = Run(program_from(_CHAT.replace("LAM", rate).replace("OUT", output)), whole=whole)
    run.go()
    (per_step,) = run.iterations_per_step()
    assert per_step is not None and per_step >= least
