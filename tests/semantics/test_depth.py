"""Programs nest deeply and grow by expansion; elaboration stays linear and bounded."""

from __future__ import annotations

import pytest

from serq_interpreter.ir.lower import lower
from serq_interpreter.ir.walk import count_blocks
from tests.semantics.elaborating import elaborated, shown

RUN = " run { horizon 10; }"


@pytest.mark.parametrize(
    "program",
    [
        "session { set x = " + "1 + " * 10_000 + "1; }",
        "session { set x = " + "(" * 1_500 + "1" + ")" * 1_500 + "; }",
        "session { set x = " + "-" * 1_500 + "1; }",
        "session { set x = " + "1 ? 2 : " * 1_500 + "1; }",
        "pool kv[2] { } session { set x = " + "used(kv[" * 800 + "0" + "])" * 800 + "; }",
        "pool kv { } session { " + "hold kv (a) at admission (a = 1) { " * 800 + "set y = 1; " + "} " * 800 + "}",
        "stage e : step { cost 1; iteration { " + "branch (1) { " * 800 + "serve; " + "} " * 800 + "} }",
        "session { set x = sum j in 60 (sum k in 60 (j * k)); }",
    ],
    ids=["chain", "parentheses", "signs", "conditionals", "indices", "holds", "iteration", "aggregates"],
)
def test_deep_programs_are_lowered(program: str) -> None:
    result = elaborated(program + RUN)
    assert result.findings == []
    assert count_blocks(lower(result).program) >= 3


def test_a_chain_of_bindings_is_bounded() -> None:
    chain = ", ".join(["b0 = 1", *(f"b{i} = b{i - 1} + b{i - 1}" for i in range(1, 200))])
    program = f"pool kv {{ }} session {{ hold kv (b199) at admission ({chain}) {{ observe o = b199; }} }}"
    assert [finding.split()[0] for finding in shown(program + RUN)] == ["SQ0192"]


def test_huge_families_and_aggregates_are_refused_at_once() -> None:
    assert shown("pool p[1e9] { }" + RUN) == ["SQ0807 1e9"]
    assert shown("session { set x = sum j in 1e9 (j); }" + RUN) == ["SQ0818 sum j in 1e9 (j)"]
