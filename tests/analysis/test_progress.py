"""The progress theorem: programs that it covers, programs that it must not cover, and runs that try to refute it."""

from __future__ import annotations

import pytest

from serq_interpreter.analysis.progress import HYPOTHESES, Guarantee, Verdict, guarantees
from serq_interpreter.frontend.analysis import analyse
from serq_interpreter.ir import program as ir
from tests.analysis.progress_programs import ENGINE, HOLD, INIT, KV, POSITIVE, STILL_OPEN, near_theorem, text
from tests.analysis.refuting import EVENTS, refutation
from tests.machine.programs import Generator


def program(source: str) -> ir.Program:
    analysis = analyse(source)
    assert analysis.lowered is not None, [item.message for item in analysis.diagnostics]
    return analysis.lowered.program


def answer(source: str) -> Guarantee:
    return guarantees(program(source))[0]


NEGATIVE = {
    "reserve forgotten": (text(kv=KV.replace(" reserve held;", "")), "covered"),
    "a bound above the cap": (text(init=INIT.replace("900", "4000")), "fits"),
    "the reserve is too small": (text(session=HOLD.replace("prompt + max_out", "prompt + 100") + " end;"), "covered"),
    "hold inside hold": (
        text(session="hold kv (prompt) { hold kv (max_out) { run think (1); } } end;"),
        "at once",
    ),
}

OPEN = {
    "no bound is declared": (text(init="set prompt = 100; set max_out = 300; set o = ceil(~exp(100));"), "covered"),
    "a loop without an end": (
        text(session=f"loop {{ {HOLD} branch with (0.5) {{ end; }} run think (1); }}"),
        "loops",
    ),
    "an engine that may exclude": (
        text(engine=ENGINE.replace("memory kv;", "memory kv; serve only (decoding);")),
        "batches",
    ),
    "a cost that does not add up": (text(engine=ENGINE.replace("2e-5 * tokens", "1e-5 * tokens * tokens")), "engines"),
    "a lease": (text(session=HOLD + " lease kv (5) end;"), "returned"),
    "an answer that is set anew": (text(session="set o = 2 * o; " + HOLD + " end;"), "covered"),
    "a bound that changes later": (
        text(init=INIT + " set max_out = 10;"),
        "covered",
    ),
}


@pytest.mark.parametrize("name", POSITIVE)
def test_it_is_guaranteed_and_it_completes(name: str) -> None:
    found = guarantees(program(POSITIVE[name]))
    expected = Verdict.UNDECIDED if name in STILL_OPEN else Verdict.GUARANTEED
    assert {item.verdict for item in found} == {expected}, [
        one.text for item in found for one in item.findings if not one.holds
    ]
    assert refutation(program(POSITIVE[name])) == []


@pytest.mark.full
@pytest.mark.parametrize("name", POSITIVE)
def test_it_completes_in_long_runs(name: str) -> None:
    assert refutation(program(POSITIVE[name]), events=60_000) == []


def test_nine_in_ten_of_what_completes_are_proved() -> None:
    assert len(POSITIVE) >= 30
    assert len(STILL_OPEN) <= len(POSITIVE) / 10


@pytest.mark.parametrize("name", NEGATIVE)
def test_it_is_not_guaranteed_for_this_reason(name: str) -> None:
    source, hypothesis = NEGATIVE[name]
    found = answer(source)
    assert found.verdict is Verdict.NOT_GUARANTEED
    assert hypothesis in {item.hypothesis for item in found.findings if item.holds is False}


@pytest.mark.parametrize("name", OPEN)
def test_it_is_undecided_for_this_reason(name: str) -> None:
    source, hypothesis = OPEN[name]
    found = answer(source)
    assert found.verdict is not Verdict.GUARANTEED
    assert hypothesis in {item.hypothesis for item in found.findings if not item.holds}


def test_a_witness_names_the_values() -> None:
    found = answer(NEGATIVE["a bound above the cap"][0]).decisive
    assert found is not None
    assert "may need 4304, and there are 4096: prompt = 4000, max_out = 300" in found.text


def test_a_witness_that_may_not_exist_is_none() -> None:
    # `prompt` is large only where `max_out` is small, which intervals cannot know.
    source = text(
        init="set chat = ~bernoulli(0.5); set prompt = chat ? 100 : 4000; set max_out = chat ? 300 : 50; set o = max_out;"
    )
    found = answer(source)
    assert found.verdict is Verdict.UNDECIDED
    assert found.decisive is not None
    assert found.decisive.text.startswith("whether a hold of `kv` needs 4304 of 4096")
    drawn = text(init="set prompt = ceil(~uniform(1, 4000)); set max_out = ceil(~uniform(1, 300)); set o = max_out;")
    assert answer(drawn).verdict is Verdict.NOT_GUARANTEED


def test_each_hypothesis_is_decided() -> None:
    found = answer(text())
    assert {item.hypothesis for item in found.findings} | {"others"} == set(HYPOTHESES)


# --------------------------------------------------------------------------- refutation


def check_generated(seeds: range, events: int = EVENTS) -> tuple[int, int]:
    """How many generated programs were judged, and how many of them are guaranteed for every pool that preempts."""
    n_judged = n_guaranteed = 0
    for seed in seeds:
        for source in (near_theorem(seed), Generator(seed).text()):
            lowered = analyse(source).lowered
            if lowered is None:
                continue
            n_judged += 1
            found = guarantees(lowered.program)
            if found and all(item.verdict is Verdict.GUARANTEED for item in found):
                n_guaranteed += 1
                assert refutation(lowered.program, events) == [], source
    return n_judged, n_guaranteed


def test_no_run_contradicts_a_guarantee() -> None:
    judged, guaranteed = check_generated(range(12))
    assert judged >= 15
    assert guaranteed >= 3


@pytest.mark.full
def test_no_run_of_many_contradicts_a_guarantee() -> None:
    judged, guaranteed = check_generated(range(12, 500), events=60_000)
    assert judged >= 700
    assert guaranteed >= 150


def test_what_nests_too_deeply_is_undecided_at_once() -> None:
    """Each hold would be looked at with all in it: the square of the depth."""
    depth = 400
    deep = "pool kv { cap 10; preempt lifo; }\nstage s : fifo;\nsession { %s run s (1); grow kv (1); %s end; }\nrun { horizon 1; }\n"
    found = answer(deep % ("hold kv (1) {" * depth, "}" * depth))
    assert found.verdict is Verdict.UNDECIDED
    assert found.decisive is not None and "nest too deeply" in found.decisive.text
    shallow = answer(deep % ("hold kv (1) {" * 4, "}" * 4))
    assert shallow.decisive is not None and "nest too deeply" not in shallow.decisive.text
