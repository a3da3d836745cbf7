"""SQ0518 beside definitions that cannot be read or used: only the loops that use them are let off."""

import pytest

from serq_interpreter.frontend.analysis import analyse

HEAD = "stage svc : fifo;\nworkload { arrive poisson(1); }\n"


def codes(definition: str, session: str) -> list[str]:
    analysis = analyse(f"{HEAD}{definition}\nsession {{ {session} }}\nrun {{ horizon 10; }}\n")
    return [item.code for item in analysis.diagnostics if item.code < "SQ1000"]


@pytest.mark.parametrize(
    ("definition", "session", "expected"),
    [
        ("def go(x { run svc (x); }", "loop { go(1); }", ["SQ0105"]),
        ("def go(x { run svc (x); }", "loop { branch (turn_no > 1) { go(1); } else { run svc (1); } }", ["SQ0105"]),
        ("def go(x { run svc (x); }", "loop { go(1); } loop { set y = 1; }", ["SQ0105", "SQ0518"]),
        ("def go(x { run svc (x); }", "loop { go(1) }", ["SQ0105"]),
        ("def go(x { run svc (x); } def out(x) { go(x); }", "loop { out(1); }", ["SQ0105"]),
        ("def (x) { run svc (x); }", "loop { go(1); }", ["SQ0106"]),
        ("def go(x) { run svc (x);", "loop { go(1); }", ["SQ0141"]),
        ("def go(x) { run svc (x); }", "loop { go(1, 2); }", ["SQ0146"]),
        ("def go(x) = x;", "loop { go(1); }", ["SQ0248"]),
        ("def go(x { set y = x; }", "go(1); observe z = y; run svc (1);", ["SQ0105"]),
    ],
)
def test_what_cannot_be_read_may_take_the_time(definition: str, session: str, expected: list[str]) -> None:
    assert codes(definition, session) == expected
