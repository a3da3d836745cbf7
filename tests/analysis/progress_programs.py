"""Programs around the progress theorem: written ones that satisfy it, and generated ones that nearly do.

Every written one completes whatever happens; `STILL_OPEN` are those of them that the checker cannot show.
"""

from __future__ import annotations

from random import Random

ENGINE = "stage engine : step { budget 512; cost 0.004 + 2e-5 * tokens; memory kv; }"
KV = "pool kv { cap 4096; block 16; preempt lifo; admit via engine; reserve held; }"
INIT = "set prompt = ceil(~uniform(1, 900)); set max_out = 300; set o = min(max_out, ceil(~exp(100)));"
BODY = "prefill prompt growing kv; decode o growing kv;"
HOLD = f"hold kv (prompt) reserve (prompt + max_out) {{ {BODY} }}"


def text(
    kv: str = KV,
    engine: str = ENGINE,
    init: str = INIT,
    session: str = HOLD + " end;",
    arrive: str = "batch(12)",
    turn: str = "",
    more: str = "",
) -> str:
    return (
        f"{kv} {engine} stage think : delay; {more} workload {{ arrive {arrive}; init {{ {init} }} turn {{ {turn} }} }} "
        f"session {{ {session} }} run {{ horizon 100000; seed 3; }}"
    )


POSITIVE = {
    "plain": text(),
    "uniform answers below the bound": text(
        init="set prompt = ceil(~uniform(1, 900)); set max_out = 300; set o = ceil(~uniform(20, max_out));"
    ),
    "no blocks": text(kv=KV.replace("block 16; ", "")),
    "by a key, to the tail": text(kv=KV.replace("preempt lifo", "preempt by (-admission) requeue tail")),
    "a queue with an order": text(kv=KV.replace("reserve held", "reserve held; queue by (prompt)")),
    "chunks, decodes first": text(engine=ENGINE.replace("memory", "chunk 64; serve decode first; memory")),
    "conversations of a declared length": text(
        init="set turns = 3;",
        turn="set prompt = ceil(~uniform(1, 500)); set max_out = 200; set o = min(max_out, ceil(~exp(80)));",
        session=f"loop {{ turn; {HOLD} branch (turn_no == turns) {{ end; }} run think (1 + ~exp(2)); }}",
    ),
    "a prefix cache": text(
        session="loop { turn; hold kv (prompt) reserve (prompt + max_out) reuse (prompt) { prefill prompt - cached growing "
        "kv; decode o growing kv; } cache (prompt) branch (turn_no == 3) { end; } run think (1); }"
    ),
    "a branch before": text(session=f"branch (prompt > 500) {{ run think (2); }} {HOLD} end;"),
    "a second pool in the same hold": text(
        more="pool slots { cap 4; }",
        session=f"hold slots (1), kv (prompt) reserve (prompt + max_out) {{ {BODY} }} end;",
        kv=KV.replace(" admit via engine;", ""),
    ),
    "a plain pool afterwards": text(
        more="pool slots { cap 2; }", session=f"{HOLD} hold slots (1) {{ run think (1); }} end;"
    ),
    "grow statements": text(
        kv="pool kv { cap 64; preempt lifo; reserve held; }",
        engine="",
        init="set n = 4;",
        session="hold kv (n) reserve (n + 6) { run think (1); grow kv (2); run think (1); grow kv (4); } end;",
    ),
    "an iteration that says what the default is": text(
        engine=ENGINE.replace("memory kv;", "memory kv; iteration { serve; admit while (!preempted); }")
    ),
    "no growth at all": text(session="hold kv (prompt) { run think (1); } end;"),
    "arrivals one by one": text(arrive="poisson(0.5)").replace(
        "horizon 100000;", "horizon 100000; warmup 1; arrivals 40;"
    ),
    "a closed population": text(arrive="closed(5)", session=f"{HOLD} observe t = now; end;"),
    "a declared constant": "let max_answer = 300; "
    + text(
        init="set prompt = ceil(~uniform(1, 900)); set o = min(max_answer, ceil(~exp(100)));",
        session=f"hold kv (prompt) reserve (prompt + max_answer) {{ {BODY} }} end;",
    ),
    "prefill and decode on engines of their own": text(
        kv="pool pkv { cap 2048; block 16; preempt lifo; admit via p; reserve held; } pool dkv { cap 4096; block 16; preempt lifo; admit via d; reserve held; }",
        engine="stage p : step { budget 512; cost 0.01 + 4e-5 * tokens; memory pkv; } stage d : step { budget 64; cost 0.01 + 1e-6 * kv_decode; memory dkv; }",
        session="hold pkv (prompt) { run p prefill (prompt) growing pkv; } hold dkv (prompt) reserve (prompt + max_out) { run d prefill (prompt) growing dkv; run d decode (o) growing dkv; } end;",
    ),
    "two classes of requests": text(
        init="set chat = ~bernoulli(0.5); set prompt = chat ? ceil(~uniform(1, 200)) : ceil(~uniform(500, 2000)); set max_out = chat ? 500 : 100; set o = min(max_out, ceil(~exp(100)));"
    ),
    "replicas": text(
        kv="pool kv[2] { cap 4096; block 16; preempt lifo; admit via engine; reserve held; }",
        engine="stage engine[2] : step { budget 512; cost 0.004 + 2e-5 * tokens; memory kv; }",
        session="choose j in 2 by (used(kv[j]), j); hold kv[j] (prompt) reserve (prompt + max_out) { run engine[j] prefill (prompt) growing kv[j]; run engine[j] decode (o) growing kv[j]; } end;",
    ),
    "processor sharing beside it": text(
        more="stage gpu : ps(2);", session=f"run gpu (0.1 + 0.001 * prompt); {HOLD} end;"
    ),
    "measured on the way": text(
        session="set asked = now; hold kv (prompt) reserve (prompt + max_out) { prefill prompt growing kv; observe ttft = now - asked; decode o growing kv; } observe response = now - asked; end;"
    ),
    "a refusal before": text(
        init="set prompt = ceil(~uniform(1, 9000)); set max_out = 300; set o = min(max_out, ceil(~exp(100)));",
        session=f"branch (prompt > 3000) {{ end; }} {HOLD} end;",
    ),
    "a cap on the prompt": text(
        init="set prompt = min(2000, ceil(~exp(800))); set max_out = 300; set o = min(max_out, ceil(~exp(100)));"
    ),
    "two rounds in the same pool": text(session=f"{HOLD} run think (1); {HOLD} end;"),
    "an answer in two pieces": text(
        session="hold kv (prompt) reserve (prompt + 2 * max_out) { prefill prompt growing kv; decode o growing kv; decode o growing kv; } end;"
    ),
    "a fixed overhead": text(
        session="hold kv (prompt + 8) reserve (prompt + max_out + 8) { prefill prompt + 8 growing kv; decode o growing kv; } end;"
    ),
    "speculative slack": text(session=f"hold kv (prompt) reserve (prompt + max_out + 4) {{ {BODY} }} end;"),
    "a history that is cut": text(
        init="set said = 0; set turns = 3;",
        turn="set fresh = ceil(~uniform(1, 500)); set max_out = 200; set o = min(max_out, ceil(~exp(80))); set prompt = min(1500, said + fresh);",
        session=f"loop {{ turn; hold kv (prompt) reserve (prompt + max_out) {{ {BODY} }} set said = prompt + o; branch (turn_no == turns) {{ end; }} run think (1); }}",
    ),
    "a history that ends the conversation": text(
        init="set said = 0; set turns = 9;",
        turn="set fresh = ceil(~uniform(1, 500)); set max_out = 200; set o = min(max_out, ceil(~exp(80)));",
        session=f"loop {{ turn; set prompt = said + fresh; branch (prompt > 3000) {{ end; }} hold kv (prompt) reserve (prompt + max_out) {{ {BODY} }} set said = prompt + o; branch (turn_no == turns) {{ end; }} run think (1); }}",
    ),
    "a guard on the sum": text(
        session=f"branch (prompt + max_out > 4096) {{ end; }} {HOLD} end;", init=INIT.replace("900", "5000")
    ),
    "a bound with a name": text(
        session="hold kv (prompt) reserve (limit) at admission (limit = prompt + max_out) { " + BODY + " } end;"
    ),
    "claims and gauges": text(
        more="gauge load = used(kv); claim quick : at end (largest(t) < 1000);", session=f"{HOLD} observe t = now; end;"
    ),
    "shortest first, with age": text(kv=KV.replace("reserve held", "reserve held; queue by (prompt - 10 * waited)")),
    "an eviction policy": text(kv=KV.replace("reserve held", "reserve held; evict by (age)")),
    "a turn that reads the last answer": text(
        init="set turns = 2; set o = 0;",
        turn="set prompt = ceil(~uniform(1, 300)) + o; set max_out = 100; set o = min(max_out, ceil(~exp(80)));",
        session=f"loop {{ turn; {HOLD} branch (turn_no == turns) {{ end; }} run think (1); }}",
    ),
    "a router by a draw": text(
        more="stage a : fifo; stage b : fifo;",
        session=f"branch with (0.3) {{ run a (0.1); }} else {{ run b (0.2); }} {HOLD} end;",
    ),
    # What follows completes, too, and the checker cannot show it.
    "released at the end by hand": text(
        session=f"hold kv (prompt) reserve (prompt + max_out) {{ {BODY} release kv; }} end;"
    ),
    "a leg that is joined before": text(
        more="stage log : fifo;", session=f"fork {{ run log (0.1); }} join; {HOLD} end;"
    ),
    "an iteration that serves everybody in two ways": text(
        engine=ENGINE.replace(
            "memory kv;",
            "memory kv; iteration { branch (residents > 4) { serve by (-prompt); } else { serve; } admit while (!preempted); }",
        )
    ),
}

STILL_OPEN = frozenset(
    {"released at the end by hand", "a leg that is joined before", "an iteration that serves everybody in two ways"}
)


def near_theorem(seed: int) -> str:
    """A program in whose neighbourhood the theorem holds: each part is right most of the time."""
    rng = Random(seed)

    def mostly(right: str, *wrong: str) -> str:
        return right if rng.random() < 0.85 else rng.choice(wrong)

    block = rng.choice(["", "block 4; ", "block 16; ", "block 1.5; "])
    via = rng.choice(["", " admit via engine;"])
    queue = rng.choice(["", " queue by (prompt);", " queue by (-waited);"])
    held = mostly(" reserve held;", "")
    preempt = rng.choice(["preempt lifo;", "preempt by (admission);", "preempt by (-position) requeue tail;"])
    kv = f"pool kv {{ cap {mostly('160', '90', '64')}; {block}{preempt}{via}{queue}{held} }}"
    order = rng.choice(["", "serve decode first; ", "serve by (remaining); "])
    chunk = rng.choice(["", "chunk 8; "])
    engine = f"stage engine : step {{ budget {mostly('32', '4', '32 - residents')}; {chunk}{order}cost 0.1 + 0.01 * tokens; memory kv; }}"
    out = rng.choice(["min(max_out, ceil(~exp(9)))", "ceil(~uniform(1, max_out))", mostly("max_out", "ceil(~exp(9))")])
    init = f"set prompt = ceil(~uniform(1, 60)); set max_out = 30; set o = {out};"
    reserve = mostly("prompt + max_out", "prompt", "prompt + 20", "prompt + o")
    cached = rng.random() < 0.3
    reuse = " reuse (prompt)" if cached else ""
    prefill = "prompt - cached" if cached else mostly("prompt", "prompt + 5")
    body = f"prefill {prefill} growing kv; decode o growing kv;"
    cache = " cache (prompt)" if cached else ""
    hold = f"hold kv (prompt) reserve ({reserve}){reuse} {{ {body} }}{cache}"
    session = mostly(
        f"{hold} end;", f"hold slots (1) {{ {hold} }} end;", f"loop {{ turn; {hold} branch (turn_no == 3) {{ end; }} }}"
    )
    made = text(kv=kv, engine=engine, init=init, session=session, more="pool slots { cap 2; }")
    if rng.random() < 0.6:
        return made
    return made.replace("arrive batch(12)", "arrive poisson(0.4)").replace("seed 3;", "seed 3; warmup 1; arrivals 25;")
