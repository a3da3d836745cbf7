"""Programs with several independent faults: fragments with one fault each, put together into one program.

A fragment has `«` where its fault's underline starts, and `$` in its names, so that no two fragments share one.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count as count_from
from random import Random

BASE = """\
let size_of_all = 2;
stage svc : fifo;
stage desk : delay;
stage eng : step { cost 1; memory kv; }
pool kv { cap 100; block 2; }
workload {
  arrive poisson(1);
  init { set x = 1; set y = 2; }
}
"""

ITEMS: dict[str, tuple[str, ...]] = {
    "SQ0105": (
        "let a$ = 1«\nlet b$ = 2;",
        "pool a$ { cap (1 + 2«; }",
        "gauge a$ = used(kv«;",
        "stage a$ : ps(1«;",
        "claim a$ : every «of eng (1);",
    ),
    "SQ0106": ("stage «: fifo;", "pool a$ { spill «5 via svc (1) when (1); }"),
    "SQ0107": ("let a$ = 2 * «;", "gauge a$ = «;", "pool a$ { cap «; }"),
    "SQ0110": ("«widget a$;",),
    "SQ0113": ("pool a$ { «colour 5; }",),
    "SQ0114": ("stage a$ : «lifo;",),
    "SQ0115": ("stage a$ : step { cost 1; «colour 2; }",),
    "SQ0201": ("pool a$ { queue by («b$); }", "stage a$ : ps(1 + «b$);"),
    "SQ0202": ("gauge a$ = used(«b$);", "stage a$ : step { cost 1; memory «b$; }"),
    "SQ0203": ("gauge a$ = queue(«b$);", "pool a$ { admit via «b$; }"),
    "SQ0204": ("gauge a$ = «b$(1);",),
    "SQ0206": ("stage a$ : ps(~«b$(1));",),
    "SQ0207": ("claim a$ : at end (total(«b$) > 1);",),
    "SQ0210": ("pool a$ { }\npool «a$ { }",),
    "SQ0211": ("stage a$ : fifo;\nstage «a$ : fifo;",),
    "SQ0216": ("let «waiting = 1;",),
    "SQ0221": ("gauge a$ = «max(1);",),
    "SQ0225": ("pool a$[2] { }\ngauge b$ = used(«a$);",),
    "SQ0226": ("pool a$[2] { }\ngauge b$ = used(a$[«7]);",),
    "SQ0301": ("pool a$ { queue by («remaining); }", "gauge a$ = «tokens;", "stage a$ : ps(1 + «size);"),
    "SQ0307": ("pool a$ { queue by («~exp(1)); }",),
    "SQ0309": ("stage a$ : step { cost 1; serve by («~exp(1)); }",),
    "SQ0311": ("gauge a$ = «~exp(1);",),
    "SQ0319": ("gauge a$ = «x;",),
    "SQ0414": ("pool a$ { block «0; }",),
    "SQ0503": ("stage a$ : fifo(«0);",),
    "SQ0504": ("stage a$ : step { cost 1; granule «0; }",),
    "SQ0801": ("let a$ = «serial + 1;", "pool a$ { cap «b$; }"),
    "SQ0804": ("pool a$ { cap «~exp(1); }",),
    "SQ0805": ("let a$ = «0 / 0;",),
    "SQ0806": ("pool a$[«1.5] { }",),
}
"""Code → items with that one fault."""

STATEMENTS: dict[str, tuple[str, ...]] = {
    "SQ0105": ("set a$ = 1«\n  run svc (1);", "run svc (1«;", "branch (x > 1« { run svc (1); }"),
    "SQ0106": ("observe «= 1;",),
    "SQ0107": ("set a$ = 1 + «;", "run svc («);"),
    "SQ0112": ("«wiggle a$;", "«frob$(1);"),
    "SQ0201": ("set a$ = 1 + «b$;", "run svc («b$);", "branch («b$ > 1) { run svc (1); }"),
    "SQ0202": ("drop «b$;", "set a$ = used(«b$);", "hold «b$ (1) { run svc (1); }"),
    "SQ0203": ("run «b$ (1);", "set a$ = queue(«b$);"),
    "SQ0301": ("set a$ = «tokens;", "run svc («waited);", "observe a$ = «decoding;"),
    "SQ0306": ("hold kv («~exp(1)) { run svc (1); }",),
    "SQ0402": ("grow «kv (1);",),
    "SQ0409": ("hold kv («1000) { run svc (1); }",),
    "SQ0410": ("run svc («-1);",),
    "SQ0413": ("hold kv (1) «reuse (1) { run svc (1); }",),
    "SQ0501": ("run «eng (1);", "run svc «prefill (1);"),
    "SQ0519": ("branch («2) { run svc (1); }",),
    "SQ0518": ("«loop { set a$ = 1; }",),
    "SQ0532": ("tool on «b$ 1;",),
}
"""Code → statements of a session with that one fault."""


@dataclass(frozen=True, slots=True)
class Faulty:
    """A program, and the code, line and column of each of its faults, in order of place."""

    text: str
    faults: tuple[tuple[str, int, int], ...]


def faulty(random: Random, count: int) -> Faulty:
    """A program with `count` faults, in items and statements."""
    kinds = [(code, text, False) for code, texts in ITEMS.items() for text in texts]
    kinds += [(code, text, True) for code, texts in STATEMENTS.items() for text in texts]
    chosen: list[tuple[str, str, bool]] = []
    while len(chosen) < count:
        code, text, inside = random.choice(kinds)
        if any(_depend(code, text, *one[:2]) for one in chosen):
            continue
        chosen.append((code, text.replace("$", str(len(chosen))), inside))
    items = [(code, text) for code, text, inside in chosen if not inside]
    statements = [(code, text) for code, text, inside in chosen if inside]
    half = random.randrange(len(items) + 1)
    codes = [code for code, _ in (*items[:half], *statements, *items[half:])]
    body = "".join(f"  {text}\n  run desk (1);\n" for _, text in statements)
    apart = count_from(0)
    before, after = (
        "".join(f"{text}\n{_SOUND.format(next(apart))}\n" for _, text in part) for part in (items[:half], items[half:])
    )
    text = f"{BASE}{before}session {{\n{body}  run svc (x + y);\n  end;\n}}\n{_SOUND.format('_last')}\n{after}run {{ horizon 10; }}\n"
    return _located(text, codes)


def _depend(code: str, text: str, other: str, other_text: str) -> bool:
    """Whether one of two faults explains the other: a name that is left out may be the one that is missing (03 §4)."""
    if code == other == "SQ0216":
        return True
    for first, second in ((text, other), (other_text, code)):
        if any(first.startswith(start) and second in codes for start, codes in _NAMELESS.items()):
            return True
    return False


_NAMELESS = {"stage «": ("SQ0203", "SQ0532"), "observe «": ("SQ0207",)}
"""Beginnings of declarations that have lost their name → the codes about a name of that kind."""


_SOUND = "gauge sound{} = used(kv);"
"""A sound item between two faulty ones: what follows a damaged item and starts none belongs to the damage."""


def _located(text: str, codes: list[str]) -> Faulty:
    """The text without its marks, and where they stood."""
    faults = []
    for code in codes:
        at = text.index("«")
        text = text[:at] + text[at + 1 :]
        line = text.count("\n", 0, at) + 1
        faults.append((code, line, at - text.rfind("\n", 0, at)))
    return Faulty(text, tuple(faults))
