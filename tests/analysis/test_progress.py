"""The progress theorem: programs that it covers, programs that it must not cover, and runs that try to refute it."""

from __future__ import annotations

from random import Random

import pytest

from serq_interpreter.analysis.progress import HYPOTHESES, Guarantee, Verdict, guarantees
from serq_interpreter.frontend.analysis import analyse
from serq_interpreter.ir import program as ir
from serq_interpreter.machine.run import Budget, Run
from tests.machine.programs import Generator

ENGINE = "stage engine : step { budget 512; cost 0.004 + 2e-5 * tokens; memory kv; }"
KV = "pool kv { cap 4096; block 16; preempt lifo; admit via engine; reserve held; }"
INIT = "set prompt = ceil(~uniform(1, 900)); set max_out = 300; set o = min(max_out, ceil(~exp(100)));"
BODY = "prefill prompt growing kv; decode o growing kv;"
HOLD = f"hold kv (prompt) reserve (prompt + max_out) {{ {BODY} }}"


def text(
    kv: str = KV,
    engine: str = ENGINE,
    init: str = INIT,
    session: str = HOLD + " end;",
    arrive: str = "batch(12)",
    turn: str = "",
    more: str = "",
) -> str:
    return (
        f"{kv} {engine} stage think : delay; {more} workload {{ arrive {arrive}; init {{ {init} }} turn {{ {turn} }} }} "
        f"session {{ {session} }} run {{ horizon 100000; seed 3; }}"
    )


def program(source: str) -> ir.Program:
    analysis = analyse(source)
    assert analysis.lowered is not None, [item.message for item in analysis.diagnostics]
    return analysis.lowered.program


def answer(source: str) -> Guarantee:
    return guarantees(program(source))[0]


POSITIVE = {
    "plain": text(),
    "uniform answers below the bound": text(
        init="set prompt = ceil(~uniform(1, 900)); set max_out = 300; set o = ceil(~uniform(20, max_out));"
    ),
    "no blocks": text(kv=KV.replace("block 16; ", "")),
    "by a key, to the tail": text(kv=KV.replace("preempt lifo", "preempt by (-admission) requeue tail")),
    "a queue with an order": text(kv=KV.replace("reserve held", "reserve held; queue by (prompt)")),
    "chunks, decodes first": text(engine=ENGINE.replace("memory", "chunk 64; serve decode first; memory")),
    "conversations of a declared length": text(
        init="set turns = 3;",
        turn="set prompt = ceil(~uniform(1, 500)); set max_out = 200; set o = min(max_out, ceil(~exp(80)));",
        session=f"loop {{ turn; {HOLD} branch (turn_no == turns) {{ end; }} run think (1 + ~exp(2)); }}",
    ),
    "a prefix cache": text(
        session="loop { turn; hold kv (prompt) reserve (prompt + max_out) reuse (prompt) { prefill prompt - cached growing "
        "kv; decode o growing kv; } cache (prompt) branch (turn_no == 3) { end; } run think (1); }"
    ),
    "a branch before": text(session=f"branch (prompt > 500) {{ run think (2); }} {HOLD} end;"),
    "a second pool in the same hold": text(
        more="pool slots { cap 4; }",
        session=f"hold slots (1), kv (prompt) reserve (prompt + max_out) {{ {BODY} }} end;",
        kv=KV.replace(" admit via engine;", ""),
    ),
    "a plain pool afterwards": text(
        more="pool slots { cap 2; }", session=f"{HOLD} hold slots (1) {{ run think (1); }} end;"
    ),
    "grow statements": text(
        kv="pool kv { cap 64; preempt lifo; reserve held; }",
        engine="",
        init="set n = 4;",
        session="hold kv (n) reserve (n + 6) { run think (1); grow kv (2); run think (1); grow kv (4); } end;",
    ),
    "an iteration that says what the default is": text(
        engine=ENGINE.replace("memory kv;", "memory kv; iteration { serve; admit while (!preempted); }")
    ),
}

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
    found = answer(POSITIVE[name])
    assert found.verdict is Verdict.GUARANTEED, [item.text for item in found.findings if not item.holds]
    assert refutation(program(POSITIVE[name])) == []


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


def test_each_hypothesis_is_decided() -> None:
    found = answer(text())
    assert {item.hypothesis for item in found.findings} | {"others"} == set(HYPOTHESES)


# --------------------------------------------------------------------------- refutation


def refutation(program: ir.Program, events: int = 60_000) -> list[str]:
    """What a run shows against a guarantee."""
    run = Run(program)
    result = run.go(Budget(events=events))
    wrong = [] if result.error is None else [str(result.error)]
    for pool in result.report["pools"]:
        if pool["stuck"] or pool["rejected"] or pool["preemptions"]:
            wrong.append(f"{pool['name']}: stuck {pool['stuck']}, rejected {pool['rejected']}, {pool['preemptions']}")
    if isinstance(program.arrival, ir.Batch) and result.status == "complete" and run.machine.live:
        wrong.append(f"{run.machine.live} sessions do not end")
    return wrong


def near_theorem(seed: int) -> str:
    """A program in whose neighbourhood the theorem holds: each part is right most of the time."""
    rng = Random(seed)

    def mostly(right: str, *wrong: str) -> str:
        return right if rng.random() < 0.85 else rng.choice(wrong)

    block = rng.choice(["", "block 4; ", "block 16; ", "block 1.5; "])
    via = rng.choice(["", " admit via engine;"])
    queue = rng.choice(["", " queue by (prompt);", " queue by (-waited);"])
    held = mostly(" reserve held;", "")
    preempt = rng.choice(["preempt lifo;", "preempt by (admission);", "preempt by (-position) requeue tail;"])
    kv = f"pool kv {{ cap {mostly('160', '90', '64')}; {block}{preempt}{via}{queue}{held} }}"
    order = rng.choice(["", "serve decode first; ", "serve by (remaining); "])
    chunk = rng.choice(["", "chunk 8; "])
    engine = f"stage engine : step {{ budget {mostly('32', '4', '32 - residents')}; {chunk}{order}cost 0.1 + 0.01 * tokens; memory kv; }}"
    out = rng.choice(["min(max_out, ceil(~exp(9)))", "ceil(~uniform(1, max_out))", mostly("max_out", "ceil(~exp(9))")])
    init = f"set prompt = ceil(~uniform(1, 60)); set max_out = 30; set o = {out};"
    reserve = mostly("prompt + max_out", "prompt", "prompt + 20", "prompt + o")
    cached = rng.random() < 0.3
    reuse = " reuse (prompt)" if cached else ""
    prefill = "prompt - cached" if cached else mostly("prompt", "prompt + 5")
    body = f"prefill {prefill} growing kv; decode o growing kv;"
    cache = " cache (prompt)" if cached else ""
    hold = f"hold kv (prompt) reserve ({reserve}){reuse} {{ {body} }}{cache}"
    session = mostly(
        f"{hold} end;", f"hold slots (1) {{ {hold} }} end;", f"loop {{ turn; {hold} branch (turn_no == 3) {{ end; }} }}"
    )
    return text(kv=kv, engine=engine, init=init, session=session, more="pool slots { cap 2; }")


def check_generated(seeds: range) -> tuple[int, int]:
    """How many generated programs were judged, and how many of them are guaranteed."""
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
                assert refutation(lowered.program) == [], source
    return n_judged, n_guaranteed


def test_no_run_contradicts_a_guarantee() -> None:
    judged, guaranteed = check_generated(range(40))
    assert judged >= 50
    assert guaranteed >= 8


@pytest.mark.full
def test_no_run_of_many_contradicts_a_guarantee() -> None:
    judged, guaranteed = check_generated(range(40, 440))
    assert judged >= 500
    assert guaranteed >= 100
