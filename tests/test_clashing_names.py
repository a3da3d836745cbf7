"""One name that means two things, or stands where another kind is wanted: judged as the reference judges it.

Names are resolved by rules that hang together in a few places of the reference, so every pair is asked, not a sample.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest

from tests.support import oracle
from tests.support.comparison import compare
from tests.support.oracle_process import OracleProcess

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(not oracle.AVAILABLE, reason="the reference implementation is not installed"),
]

# What declares or sets `X`: items, statements of the session.
MEANINGS: dict[str, tuple[str, str]] = {
    "pool": ("pool X { cap 5; }", ""),
    "stage": ("stage X : delay;", ""),
    "engine": ("stage X : step { cost 1; }", ""),
    "family": ("stage X[2] : fifo;", ""),
    "constant": ("let X = 2;", ""),
    "attribute": ("", "set X = 3;"),
    "observation": ("", "observe X = 3;"),
    "register": ("stage en : step { state X = 0; cost 1; iteration { set X = X + 1; serve; } }", ""),
    "gauge": ("gauge X = used(pp);", ""),
    "claim": ("claim X : at end (1 > 0);", ""),
    "definition": ("def X(a) = a + 1;", ""),
    "statement definition": ("def X(a) { observe zz = a; }", ""),
    "queue": ("queue X { serve delay; }", ""),
    "gateway": ("queue X : gateway { route { run svc (1); } }", ""),
    "parameter": ("queue qe : prefill { serve delay; prefill (X) { run qe (X); } }", ""),
    "own pool": ("queue qp : prefill { pool X { cap 4; } serve delay; prefill (n) { hold X (n) { } } }", ""),
    "mark": ("queue qm : prefill { serve delay; prefill (n) { mark X; run qm (n); } }", ""),
    "own attribute": ("queue qs : prefill { serve delay; prefill (n) { set X = n; run qs (n); } }", ""),
    "own binding": (
        "queue qb : prefill { pool kb { cap 4; } serve delay; prefill (n) "
        "{ hold kb (1) at admission (X = 1) { run qb (X); } } }",
        "",
    ),
    "binding of a header": ("", "hold pp (X) at admission (X = 1) { run svc (1); }"),
    "binding": ("", "hold pp (1) at admission (X = 1) { run svc (X); }"),
    "index": ("", "set aa = sum X in 2 (X);"),
    "chosen": ("", "choose X in 3 by (used(pp));"),
}

USES = (
    *("set y = X;", "hold X (1) { run svc (1); }", "run X (1);", "set y = used(X);", "set y = busy(X);", "X(1);"),
    *("set y = X(1);", "hold pp (1) { grow X (1); }", "observe X = 1;", "set X = 4;", "hold fam[X] (1) { }"),
    *("hold pp (X) at admission (X = 2) { }", "hold pp (X) at admission (X = 2) { run svc (X); }"),
    *("set y = max X in 2 (X);", "X.prefill (1);", "set y = X.m;", "run X[0] (1);", "set y = busy(X[1]);"),
)

PROGRAM = """pool pp {{ cap 9; }}
pool fam[4] {{ cap 3; }}
stage svc : fifo;
{items}
workload {{ arrive batch(1); init {{ set w0 = 1; }} }}
session {{ {statements} observe t = now; end; }}
run {{ horizon {horizon}; }}
"""

IN_AN_ENTRY = """pool pp {{ cap 9; }}
let c1 = 1;
stage svc : fifo;
stage tool : delay;
stage prefill : step {{ cost 1; }}
workload {{ arrive batch(1); hidden hh; init {{ set k = 1; set hh = 2; }} session {{ request gw; end; }} }}
queue q : prefill {{ pool kq {{ cap 9; }} serve step {{ cost 1; memory kq; }} prefill (n) {{ {statement} }} }}
queue gw : gateway {{ route {{ run svc (1); {call} }} }}
run {{ horizon 9; }}
"""

ENTRY_STATEMENTS = (
    *("hold kq (used(X)) { }", "hold kq (X) { }", "set y = used(X); hold kq (y) { }", "set y = X; hold kq (y) { }"),
    *("set y = used(kq[X]);", "set y = used(X[0]);", "hold kq (used(X[0])) { }", "hold X (1) { }", "run X (1);"),
    *("hold kq (b) at admission (b = X) { run q prefill (b); }", "hold kq (b) at admission (b = used(X)) { }"),
    *("hold kq (1) { } cache (X)", "hold kq (1) { } lease kq (X)", "tool on X (1);", "prefill on X (1);", "X (1);"),
    *("set y = price(X, 1, 1);", "set y = X.m;", "set y = sum X in 2 (1);", "set X = 1;", "mark X;", "X.prefill (1);"),
    *("choose i in 2 by (used(X[i]));", "hold kq (1) at admission (X = 1) { run q prefill (X); }"),
)

ENTRY_NAMES = (
    *("pp", "svc", "c1", "k", "hh", "q", "gw", "kq", "n", "zz", "now", "tokens", "inf", "serial", "cached"),
    *("tool", "prefill", "self", "used", "hold"),
)


def pairs() -> Iterator[tuple[str, str]]:
    for first, second in combinations(MEANINGS, 2):
        items = " ".join(MEANINGS[name][0] for name in (first, second))
        statements = " ".join(MEANINGS[name][1] for name in (first, second))
        yield f"{first}, {second}", PROGRAM.format(items=items, statements=statements, horizon=9)


def uses() -> Iterator[tuple[str, str]]:
    for name, (items, statements) in MEANINGS.items():
        for use in USES:
            yield f"{name}: {use}", PROGRAM.format(items=items, statements=f"{statements} {use}", horizon=9)


def indices() -> Iterator[tuple[str, str]]:
    """An index of each meaning's name in places that are read early and late."""
    for name, (items, statements) in MEANINGS.items():
        for place in (
            "let v = I;",
            "pool v[I + 1] { cap 3; }",
            "pool v { cap I; }",
            "gauge v = I;",
            "stage v : ps(I + 1);",
        ):
            more = place.replace("I", "(sum X in 2 (X + 1))")
            yield f"{name} in {place}", PROGRAM.format(items=f"{items} {more}", statements=statements, horizon=9)
        horizon = "9 + (sum X in 2 (X))"
        yield f"{name} in the horizon", PROGRAM.format(items=items, statements=statements, horizon=horizon)


def entries() -> Iterator[tuple[str, str]]:
    for call in ("", "q.prefill (1);"):
        for name in ENTRY_NAMES:
            for text in ENTRY_STATEMENTS:
                statement = text.replace("X", name)
                yield f"{statement} {call}", IN_AN_ENTRY.format(statement=statement, call=call)


@pytest.mark.parametrize("programs", [pairs, uses, indices, entries], ids=lambda made: made.__name__)
def test_names_mean_what_they_mean_to_the_reference(programs: object) -> None:
    assert callable(programs)
    with OracleProcess() as reference:
        differences = {label: found for label, text in programs() if (found := compare(text, reference).difference)}
    assert differences == {}
