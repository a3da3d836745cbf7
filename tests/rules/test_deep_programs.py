"""Programs that nest as deeply as the language allows are judged, not crashed on."""

from __future__ import annotations

import pytest

from serq_interpreter.frontend.analysis import analyse

_FRAME = """stage svc : fifo;
pool kv[2] {{ cap 100; }}
stage e : step {{ cost 1; state k = 0; iteration {{ serve; {iteration} set k = 1; }} }}
workload {{ arrive batch(1); hidden o; init {{ set x = 1; set o = 1; }} }}
session {{ {session} run e decode (1); observe t = now; end; }}
run {{ horizon 10; }}
"""

LEVELS = 1200


def _codes(session: str = "", iteration: str = "") -> list[str]:
    analysis = analyse(_FRAME.format(session=session, iteration=iteration), "deep.sq")
    return [item.code for item in analysis.diagnostics if item.code < "SQ1003"]


@pytest.mark.full
@pytest.mark.parametrize(
    ("opening", "inside", "expected"),
    [
        ("hold kv[x] (1) {", "grow kv[x] (1); run svc (1);", []),
        ("branch (x) {", "run svc (size);", ["SQ0301"]),
        ("hold kv[0] (1) {", "set x = 2; release kv[1];", ["SQ0403"]),
        ("loop {", "set y = 1;", ["SQ0518"]),
        ("hold kv[x] (1) {", "set x = 2;", ["SQ0407"]),
        ("hold kv[1] (1) {", "fork { run svc (1); } join;", ["SQ1001"]),
    ],
)
def test_nested_statements(opening: str, inside: str, expected: list[str]) -> None:
    assert _codes(opening * LEVELS + inside + "}" * LEVELS) == expected


def test_nested_iteration_branches() -> None:
    assert _codes(iteration="branch (k > 0) {" * LEVELS + "set k = now;" + "}" * LEVELS) == ["SQ0314"]


@pytest.mark.parametrize("end", ["1", "size"])
def test_long_chain_of_operators(end: str) -> None:
    wanted = [] if end == "1" else ["SQ0301"]
    assert _codes(f"run svc (1 {'+ x ' * 20_000} + {end});") == wanted


def test_nested_parentheses() -> None:
    assert _codes(f"hold kv[0] ({'(1 + ' * LEVELS}o{')' * LEVELS}) {{ run svc (1); }}") == ["SQ0302"]
