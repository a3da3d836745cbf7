"""Nothing is reported that is only a consequence of something else (spec 03 §4)."""

from __future__ import annotations

import pytest

from tests.semantics.elaborating import check

RUN = " run { horizon 10; }"


@pytest.mark.parametrize(
    "damaged",
    [
        "stage : fifo; session { run svc (1); }",
        "svc : fifo; session { run svc (queue(svc)); }",
        "pool { cap 3; } session { hold kv (1) { } }",
        "let = 3; pool p[n] { } session { set x = n; }",
        "n = 3; pool p[n] { cap n; }",
        "let n = ; pool p[n] { } session { drop p[7]; }",
        "session { set = 3; set y = x; }",
        "workload { { set x = 1; } } session { set y = x; }",
        "session { o = 2; } claim c : at end (total(o) > 0);",
        "pool p[2 { } session { drop p[5]; }",
        "def f(x { x; } session { set y = f(1); }",
        "stage s : nothing; session { run s prefill (1); }",
        "stage e : stop { cost 1; } session { prefill 1; }",
    ],
)
def test_consequences_are_silent(damaged: str) -> None:
    check(damaged + RUN)


@pytest.mark.parametrize(
    ("program", "findings"),
    [
        ("let a = missing; let b = a; pool p[a] { cap b; }", ["SQ0801 missing"]),
        ("pool p[0] { } session { drop p; drop p[9]; }", ["SQ0806 0"]),
        ("session { hold none (now.x) { grow none (1); } drop none; }", ["SQ0202 none", "SQ0201 now.x"]),
        ("let now = 3; session { set x = now; }", ["SQ0216 now"]),
    ],
)
def test_one_fault_is_one_finding(program: str, findings: list[str]) -> None:
    check(program + RUN, *findings)


def test_faults_that_are_independent_are_all_reported() -> None:
    check(
        "let a = b; pool kv { cap 0 / 0; block -1; } pool kv { } stage s[0.5] : delay; stage t : fifo(zz);"
        " session { set x = y; run u (max(1)); hold kv (v) at admission (v = ~exp(1)) { } }"
        " workload { arrive batch(0); hidden nothing; } run { horizon inf; }",
        "SQ0801 b",
        "SQ0805 0 / 0",
        "SQ0414 -1",
        "SQ0210 kv",
        "SQ0806 0.5",
        "SQ0801 zz",
        "SQ0201 y",
        "SQ0203 u",
        "SQ0221 max",
        "SQ0262 ~exp(1)",
        "SQ0808 0",
        "SQ0229 nothing",
        "SQ0813 inf",
    )


def test_a_bare_block_in_init_is_no_branch() -> None:
    check(
        "workload { arrive batch(1); init { { set x = 1; } { run svc (1); } } } stage svc : fifo;" + RUN,
        "SQ0606 run svc (1);",
    )
