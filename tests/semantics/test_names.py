"""What names mean, and what is said of those that mean nothing."""

from __future__ import annotations

import pytest

from tests.semantics.elaborating import check, elaborated

RUN = " run { horizon 10; }"
BASE = "pool kv { cap 64; block 4; } pool f[3] { } stage svc : fifo; stage w[2] : delay; "


@pytest.mark.parametrize(
    ("session", "findings"),
    [
        ("set x = y;", ["SQ0201 y"]),
        ("set x = y + y;", ["SQ0201 y"]),
        ("set x = kv;", ["SQ0201 kv"]),
        ("set x = used(q.kv);", ["SQ0202 q.kv"]),
        ("set x = used(svc);", ["SQ0202 svc"]),
        ("run kv (1);", ["SQ0203 kv"]),
        ("set x = twice(y);", ["SQ0204 twice", "SQ0201 y"]),
        ("set x = n;", ["SQ0205 n"]),
        ("set n = 1; set x = n;", []),
        ("set x = ~normal(1);", ["SQ0206 normal"]),
        ("set x = max(1);", ["SQ0221 max"]),
        ("set x = ~exp();", ["SQ0222 exp"]),
        ("set x = used(1);", ["SQ0223 1"]),
        ("set x = blocksize(f[0]);", ["SQ0224 f[0]"]),
        ("set x = used(f);", ["SQ0225 f"]),
        ("run w (1);", ["SQ0225 w"]),
        ("set x = used(f[1 + 2]);", ["SQ0226 1 + 2"]),
        ("set x = used(kv[0]) + used(f[0 / 0]);", ["SQ0226 0 / 0"]),
        ("set x = sum kv in 2 (kv);", ["SQ0220 kv"]),
        ("set x = sum j in 4 (used(f[j]));", ["SQ0226 j"]),
        ("set x = self;", ["SQ0726 self"]),
        ("set now = 1;", ["SQ0217 now"]),
        ("choose size in 2 by (1); set size = 1;", ["SQ0217 size"]),
    ],
)
def test_session(session: str, findings: list[str]) -> None:
    check(f"{BASE} session {{ {session} end; }}{RUN}", *findings)


@pytest.mark.parametrize(
    ("hold", "findings"),
    [
        ("hold kv (a) at admission (a = 1) { }", []),
        ("hold kv (a) at admission (a = 1, a = 2) { }", ["SQ0260 a"]),
        ("hold kv (a) at admission (a = b, b = 2) { }", ["SQ0261 b"]),
        ("hold kv (1) at admission (a = ~exp(1)) { }", ["SQ0262 ~exp(1)"]),
        ("hold kv (1) at admission (kv = 1) { observe o = used(kv); }", ["SQ0263 kv"]),
        ("hold kv (1) at admission (a = now) { observe o = a; }", ["SQ0264 a"]),
        ("hold kv (1) at admission (a = blocksize(kv)) { observe o = a; }", ["SQ0264 a"]),
        ("hold kv (1) at admission (a = 1) { observe o = a; } observe o = a;", ["SQ0265 a"]),
        ("hold f[a] (1) at admission (a = 1) { observe o = a; }", ["SQ0265 a"]),
        ("hold kv (1) at admission (a = 1) { hold f[0] (1) at admission (a = a) { run svc (a); } }", ["SQ0266 a"]),
        ("hold kv (1) at admission (a = missing) { }", []),
    ],
)
def test_bindings(hold: str, findings: list[str]) -> None:
    check(f"{BASE} session {{ {hold} end; }}{RUN}", *findings)


@pytest.mark.parametrize(
    ("items", "findings"),
    [
        ("pool kv { }", ["SQ0210 kv"]),
        ("stage svc : delay;", ["SQ0211 svc"]),
        ("gauge g = 1; gauge g = 2;", ["SQ0212 g"]),
        ("claim c : at end (1); claim c : at end (1);", ["SQ0213 c"]),
        ("gauge o = 1; session { observe o = 1; }", ["SQ0214 o"]),
        ("let x = 1; session { set x = 2; }", ["SQ0215 x"]),
        ("let cached = 1;", ["SQ0215 cached"]),
        ("let inf = 1;", ["SQ0216 inf"]),
        ("stage e : step { cost 1; state kv = 0; iteration { serve; } }", ["SQ0218 kv"]),
        ("workload { hidden missing, cached; }", ["SQ0229 missing", "SQ0230 cached"]),
        ("claim c : at end (total(o) > 0);", ["SQ0207 o"]),
        ("session { observe o = 1; } claim c : at end (total(o) + count(1) > 0);", ["SQ0227 count(1)"]),
        ("server { prefill 1; } stage prefill : fifo;", ["SQ0530 prefill", "SQ0613 server"]),
    ],
)
def test_items(items: str, findings: list[str]) -> None:
    check(f"{BASE} {items}{RUN}", *findings)


def test_every_name_token_knows_what_it_means() -> None:
    program = BASE + "let c = 2; session { set x = c; hold kv (x) { run svc (now); } observe o = x; }" + RUN
    kinds = {token.text: symbol.kind for token, symbol in elaborated(program).uses.items()}
    assert kinds == {
        "kv": "pool",
        "f": "pool",
        "svc": "stage",
        "w": "stage",
        "c": "constant",
        "x": "attribute",
        "now": "context",
        "o": "observation",
    }
