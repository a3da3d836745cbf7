"""Each condition of the coalescing licence: a program that violates only it is refused for it, and runs right."""

from __future__ import annotations

import pytest

from serq_interpreter.analysis.licence import licences, same_for_all
from serq_interpreter.analysis.licence_conditions import CONDITIONS, PLAIN
from serq_interpreter.ir import program as ir
from serq_interpreter.machine.run import Run
from tests.machine.forms import CLOCKS, difference
from tests.support.compiling import program_from


@pytest.mark.parametrize("rule", sorted(CONDITIONS))
def test_a_violated_condition_is_named(rule: str) -> None:
    program = program_from(CONDITIONS[rule].example)
    (licence,) = licences(program)
    assert {refusal.rule for refusal in licence.refusals} == {rule}
    for clock in CLOCKS:
        found, fast = difference(program, clock, record=True)
        assert found is None
        assert fast.form == ("reference" if rule == "spawning" else "generated")


def _with(**parts: str) -> str:
    text = PLAIN
    if "cost" in parts:
        text = text.replace("cost 0.01 + 0.001 * kv_decode;", f"cost {parts['cost']};")
    if "options" in parts:
        text = text.replace("memory kv;", f"memory kv; {parts['options']}")
    return text.replace("workload {", f"{parts.get('more', '')}\nworkload {{", 1)


_GRANTED = {
    "plain": PLAIN,
    "chunk that moves": _with(options="chunk max(1, 20 - decoders);"),
    "order by what remains": _with(options="serve by (remaining);"),
    "exclusive prefill": _with(options="serve exclusive prefill;"),
    "a body that admits under a gate": _with(options="iteration { serve decode first; admit while (tokens < 20); }"),
    "a cost of a query": _with(cost="0.01 + 0.001 * queue(tool) + 0.0001 * kv_decode"),
    "a gauge of memory": _with(more="gauge memory = used(kv);"),
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
        (per_step, nothing) = run.iterations_per_step()
        assert per_step is not None and per_step > 1.0 and nothing is None


def test_a_branch_is_the_only_reason_when_what_serves_stands_in_it() -> None:
    (licence,) = licences(
        program_from(_with(options="iteration { branch (residents > 2) { serve; } else { serve; } }"))
    )
    assert [refusal.rule for refusal in licence.refusals] == ["branch"]


def test_a_key_that_orders_nobody_can_be_left_out() -> None:
    """The quick fix that takes such a key away leaves the run as it is."""
    keys = "kv_decode > 30, residents + used(kv), serial"
    engine = next(
        stage.kind
        for stage in program_from(_with(options=f"serve by ({keys});")).stages
        if isinstance(stage.kind, ir.Step)
    )
    assert [same_for_all(key) for key in engine.serve or ()] == [True, True, False]
    reports = []
    for order in (keys, "serial"):
        text = _with(options=f"serve by ({order});").replace("cap 400", "cap 120")
        result = Run(program_from(text), clock="f64", reference=True).go()
        assert result.report["pools"][0]["preemptions"] > 0
        reports.append(result.report)
    assert reports[0] == reports[1]
