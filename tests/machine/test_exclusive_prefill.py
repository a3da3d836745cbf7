"""`serve exclusive prefill` while a prefill waits for memory: who else is served and admitted.

At 1 the decode of session 0 takes the last free unit but one, session 1 is admitted and its prefill waits for memory for
the rest of the run.  The decode stays chosen; newcomers are served with what it leaves of the budget.  From the next
attempt on the waiting prefill keeps every decode out, but heads are still admitted.  The figures are the reference's.
"""

from __future__ import annotations

import pytest

from serq_interpreter.machine.run import run_program
from tests.support.compiling import program_from

_TEXT = """
stage e : step { cost 1 + 0.25 * tokens; budget BUDGET; memory p; serve exclusive prefill; }
pool p { cap 4; preempt none; admit via e; }
pool q { cap 9; admit via e; }
workload { arrive batch(4); }
session {
  branch (serial == 0) { hold p (2) { run e prefill (2) growing p; run e decode (4) growing p; } }
  else { branch (serial == 1) { hold p (1) { run e prefill (3) growing p; } }
  else { hold q (1) { observe late = now; run e decode (2); } observe done = now; } }
}
run { horizon 20; }
"""


@pytest.mark.parametrize(("budget", "late"), [("2", [1.5, 3.0]), ("3", [1.5, 1.5]), ("4", [1.5, 1.5])])
@pytest.mark.parametrize("reference", [True, False])
def test_a_prefill_that_waits_keeps_decodes_out_and_lets_heads_in(
    budget: str, late: list[float], reference: bool
) -> None:
    result = run_program(program_from(_TEXT.replace("BUDGET", budget)), clock="f64", reference=reference)
    assert list(result.series["late"].values) == late
    assert list(result.series["done"].values) == []
    assert result.report["stages"][0]["iterations"] == 2
