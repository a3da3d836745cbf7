"""Constants, sizes, run settings and overrides."""

from __future__ import annotations

import math

import pytest

from serq_interpreter.semantics.context import Request
from tests.semantics.elaborating import check, elaborated, expression, shown


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2 ^ 3 ^ 2", 512.0),
        ("-2 ^ 2", -4.0),
        ("1 / 0", math.inf),
        ("max(0 / 0, 1)", 1.0),
        ("1 ? 2 : missing", 2.0),
        ("5 ^ 1000", math.inf),
        ("ln(0)", -math.inf),
        ("0 / 0 != 0 / 0", 1.0),
        ("sum j in 3 (max k in (j + 1) (k))", 3.0),
        ("floor(-0.5) + ceil(0.5)", 0.0),
        ("!1 == 0", 1.0),
    ],
)
def test_folding(text: str, value: float) -> None:
    program = elaborated(f"let a = {text}; run {{ horizon 10; }}")
    assert program.findings == []
    assert program.constants == {"a": value}


@pytest.mark.parametrize(
    ("items", "findings"),
    [
        ("let a = b; let b = 1;", ["SQ0801 b"]),
        ("let a = used(kv);", ["SQ0801 kv"]),
        ("let a = used(1) + max(1);", ["SQ0802 used", "SQ0802 max"]),
        ("let a = blocksize(kv);", ["SQ0803 blocksize(kv)"]),
        ("let a = ~det(1);", ["SQ0804 ~det(1)"]),
        ("let a = 0 / 0; let b = a; pool p { cap b; }", ["SQ0805 0 / 0"]),
        ("stage s[0.5] : delay; pool p[n] { }", ["SQ0806 0.5", "SQ0806 n"]),
        ("stage s[1e9] : delay;", ["SQ0807 1e9"]),
        ("workload { arrive closed(0); }", ["SQ0808 0"]),
        ("workload { arrive poisson(-1); }", ["SQ0809 -1"]),
        ("workload { arrive renewal(1 - 1); }", ["SQ0810 1 - 1"]),
        ("let a = max j in 0 (j);", ["SQ0817 0"]),
        ("let a = sum j in 1e6 (1);", ["SQ0818 sum j in 1e6 (1)"]),
        ("stage s : fifo(1.5);", ["SQ0503 1.5"]),
        ("pool p { block 0; }", ["SQ0414 0"]),
    ],
)
def test_constant_positions(items: str, findings: list[str]) -> None:
    check(f"{items} run {{ horizon 10; }}", *findings)


@pytest.mark.parametrize(
    ("options", "findings"),
    [
        ("", ["SQ0811 run"]),
        ("horizon 10; horizon 20; warmup 15;", []),
        ("horizon 10; warmup 10;", ["SQ0812 10"]),
        ("horizon inf;", ["SQ0813 inf"]),
        ("horizon 10; warmup -1;", ["SQ0813 -1"]),
        ("horizon 10; seed 0.5;", ["SQ0814 0.5"]),
        ("horizon 10; arrivals 0;", ["SQ0815 0", "SQ0816 arrivals 0;"]),
        ("horizon 10; arrivals 3;", ["SQ0816 arrivals 3;"]),
    ],
)
def test_run_options(options: str, findings: list[str]) -> None:
    check(f"run {{ {options} }}", *findings)


def test_an_override_stands_in_the_place_of_the_value() -> None:
    program = elaborated("let a = 1; let b = a + 1; run { horizon b; }", Request({"a": expression("3 * 2")}))
    assert program.findings == []
    assert program.constants == {"a": 6.0, "b": 7.0}
    assert program.settings.horizon == 7.0


@pytest.mark.parametrize(
    ("override", "findings"),
    [
        ({"zz": "1"}, ["SQ0830 1"]),
        ({"a": "0 / 0"}, ["SQ0833 0 / 0"]),
        ({"a": "~exp(1)"}, ["SQ0833 ~exp(1)"]),
        ({"a": "later"}, ["SQ0833 later"]),
        ({"n": "3"}, ["SQ0834 n"]),
        ({"m": "3"}, ["SQ0834 n"]),
    ],
)
def test_overrides_that_cannot_be(override: dict[str, str], findings: list[str]) -> None:
    program = "let a = 1; let m = 2; let n = m; pool p[n] { } run { horizon 10; }"
    request = Request({name: expression(text) for name, text in override.items()})
    assert shown(program, request) == findings


def test_settings_of_the_caller_win() -> None:
    program = elaborated("run { seed 2; }", Request(horizon=50.0, seed=7))
    assert program.findings == []
    assert (program.settings.horizon, program.settings.seed) == (50.0, 7.0)
