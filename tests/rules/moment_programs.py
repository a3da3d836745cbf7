"""A small program for each cell of the moment table: one read, at one position.

`program(read, position)` is the program; `POSITIONS` names the positions of each moment (the first of a moment stands
for it in the quick test).  A position that ends in `+via` is one of a pool that the register's engine admits.
"""

from __future__ import annotations

from string import Template

READS: dict[str, str] = {
    "attribute": "x",
    "hidden": "hh",
    "budget_own": "budget_left(e)",
    "budget_other": "budget_left(d)",
    "constant": "c",
    "inf": "inf",
    "arithmetic": "max(1, 2)",
    "aggregate": "(sum j in 2 (j))",
    "draw": "~uniform(0, 1)",
    "register_own": "k",
    "register_other": "m",
    "blocksize": "blocksize(kv)",
    "price": "price(svc, 1, 1)",
}
"""How a row is written where that is not its own name or a call of it."""

_ON_STAGES = frozenset(["queue", "busy", "work", "est_lambda", "est_rho", "est_wait"])
_ON_POOLS = frozenset(["used", "free", "cachedin", "holders", "queued"])
_ON_OBSERVATIONS = frozenset(["total", "count", "largest", "smallest", "prefix_total"])


def written(read: str) -> str:
    """The text of a row of the table as an expression."""
    if read in READS:
        return READS[read]
    if read in _ON_STAGES:
        return f"{read}(svc)"
    if read in _ON_POOLS:
        return f"{read}(kv)"
    if read in _ON_OBSERVATIONS:
        return f"{read}(obs)"
    return read


_PROGRAM = Template("""\
let c = 2;
stage svc : fifo;
stage rate : ps($ps);
pool kv { cap 100; block 4; }
pool host { cap 100; }
pool arr[2] { cap 100; }
stage e : step { cost $cost; budget $budget; chunk $chunk; $serve state k = 0; $iteration }
stage d : step { cost 1; state m = 0; iteration { serve; set m = 1; } }
pool own { cap 100; $pool }
$items
workload {
  arrive $arrive;
  hidden hh;
  init { set x = 1; set hh = 2; $init }
  turn { $turn }
}
session {
  run svc (1);
  observe obs = 1;
  run rate (1);
  run e decode (1);
  run d decode (1);
  $session
  end;
}
run { horizon 10; }
""")

_BLANK = {
    "ps": "1",
    "cost": "1",
    "budget": "8",
    "chunk": "0",
    "serve": "",
    "iteration": "iteration { serve; set k = 1; }",
    "pool": "",
    "items": "",
    "arrive": "batch(1)",
    "init": "",
    "turn": "",
    "session": "",
}

_POSITIONS: dict[str, dict[str, tuple[str, str]]] = {
    "stmt": {
        "set": ("session", "set y = $read;"),
        "observe": ("session", "observe o2 = $read;"),
        "work": ("session", "run svc (min($read, 1));"),
        "grow": ("session", "hold kv (1) { grow kv (min($read, 1)); } cache (0)"),
        "load": ("session", "hold kv (1) { load kv (min($read, 1)); } cache (0)"),
        "cache": ("session", "hold kv (1) { } cache (min($read, 1))"),
        "lease": ("session", "hold kv (1) { } lease kv (min($read, 1))"),
        "guard": ("session", "branch ($read > 1) { }"),
        "branch-with": ("session", "branch with (min($read, 1)) { }"),
        "choose-count": ("session", "choose w in min($read, 1) by (w);"),
        "choose-key": ("session", "choose w in 2 by ($read);"),
        "hold-index": ("session", "hold arr[$read > 5] (1) { }"),
        "drop-index": ("session", "drop arr[$read > 5];"),
        "init": ("init", "set y = $read;"),
        "turn": ("turn", "set y = $read;"),
        "leg": ("session", "fork { set y = $read; } join;"),
    },
    "head": {
        "units": ("session", "hold kv (min($read, 1)) { } cache (0)"),
        "reserve": ("session", "hold kv (1) reserve (min($read, 1)) { } cache (0)"),
        "reuse": ("session", "hold kv (1) reuse (min($read, 1)) { } cache (0)"),
    },
    "queue": {"queue": ("pool", "queue by ($read);")},
    "evict": {
        "evict": ("pool", "evict by ($read);"),
        "spill-work": ("pool", "spill host via svc ($read) when (1);"),
        "spill-test": ("pool", "spill host via svc (1) when ($read > 1);"),
    },
    "preempt": {"preempt": ("pool", "preempt by ($read);")},
    "ps": {"ps": ("ps", "1 + $read")},
    "budget": {"budget": ("budget", "1 + $read"), "chunk": ("chunk", "$read")},
    "cost": {"cost": ("cost", "1 + $read")},
    "order": {"serve-by": ("serve", "serve by ($read);")},
    "only": {
        "body-only": ("iteration", "iteration { serve only ($read > 1); set k = 1; }"),
        "body-by": ("iteration", "iteration { serve by ($read); set k = 1; }"),
        "body-admit-only": ("iteration", "iteration { serve; admit only ($read > 1); set k = 1; }"),
    },
    "iter": {
        "body-branch": ("iteration", "iteration { serve; branch ($read > 1) { } set k = 1; }"),
        "body-while": ("iteration", "iteration { serve; admit while ($read > 9); set k = 1; }"),
        "body-set": ("iteration", "iteration { serve; set k = min($read, 1); }"),
    },
    "gauge": {"gauge": ("items", "gauge g = $read;")},
    "given": {"given": ("items", "claim cl given ($read > 1) : at end (count(obs) >= 0);")},
    "every": {
        "every": ("items", "claim cl : every iteration of e ($read > 1);"),
        "some": ("items", "claim cl : some iteration of e ($read > 1);"),
    },
    "end": {"end": ("items", "claim cl : at end ($read > 1);")},
    "const": {
        "let": ("items", "let z = $read;"),
        "cap": ("items", "pool capped { cap $read; }"),
    },
    "gap": {"gap": ("arrive", "renewal(1 + $read)")},
    "e.head": {
        "entry-units": (
            "items",
            "queue q : prefill { pool mine { cap 100; block 2; } prefill (n) { hold mine (min($read, 1)) { run svc (n); } cache (0) } }",
        ),
    },
    "e.body": {
        "entry-set": (
            "items",
            "queue q : prefill { pool mine { cap 100; block 2; } prefill (n) { set y = $read; run svc (n); } }",
        ),
        "entry-work": (
            "items",
            "queue q : prefill { pool mine { cap 100; block 2; } prefill (n) { run svc (min($read, n)); } }",
        ),
    },
}
"""Moment → position → which blank of the program is filled with what."""

_CALL = "q.prefill (1);"
_POOL_POSITIONS = frozenset({"queue", "evict", "spill-work", "spill-test", "preempt"})
_HEADER_POSITIONS = frozenset({"units", "reserve", "reuse"})

POSITIONS: dict[str, tuple[str, ...]] = {
    moment: (
        *positions,
        *(f"{name}+via" for name in positions if name in _POOL_POSITIONS | _HEADER_POSITIONS),
    )
    for moment, positions in _POSITIONS.items()
}


def program(read: str, moment: str, position: str) -> str:
    """The program that reads `read` at `position` of `moment`."""
    name, _, via = position.partition("+")
    blank, text = _POSITIONS[moment][name]
    filled = dict(_BLANK)
    if moment == "head" and via:
        text = text.replace("hold kv", "hold own")
        filled["pool"] = "admit via e;"
    if blank == "pool":
        filled["session"] = "hold own (1) { run svc (1); }"
        text += " admit via e;" if via else ""
    if moment in ("e.head", "e.body"):
        filled["session"] = _CALL
    own = moment.startswith("e.") and read == "blocksize"
    filled[blank] = Template(text).substitute(read="blocksize(mine)" if own else written(read))
    return _PROGRAM.substitute(filled)
