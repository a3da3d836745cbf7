"""Random programs of the kind that runs as one generated function: open arrivals, paged pools, engines, simple stages."""

from __future__ import annotations

from random import Random


def serving_text(seed: int) -> str:
    """One program per seed: an engine or a family behind a router, memory from ample to tight, arrivals that may tie."""
    rng = Random(seed)
    pick = rng.choice
    n = pick((1, 1, 1, 1, 2, 3))
    size, ref, routed = ("[N]", "[j]", True) if n > 1 else ("", "", False)
    block = pick((16, 16, 4, 1, 3, 32))
    cap = pick((60, 100, 160, 400, 1000, 5000, 100000, "inf", 333))
    preempt = pick(("preempt lifo;", "preempt lifo;", "preempt lifo;", "preempt by (-admission) requeue tail;", ""))
    budget = pick((16, 64, 256, 8192, 8192))
    cost = pick(
        (
            "0.01 + 0.001 * tokens + 0.0001 * kv_decode",
            "0.0002 + 2e-5 * tokens + 2e-9 * kv_decode",
            "0.5",
            "0.1",
            "0.01 + 0.002 * residents",
            "0.02 + 0.001 * prefilled + 0.0005 * decoders + 1e-6 * kv_decode",
            "0.004 + 1e-4 * kv_decode",
        )
    )
    arrive = pick(
        (
            "poisson(lam)",
            "poisson(lam)",
            "poisson(lam)",
            "renewal(1 / lam)",
            "renewal(~uniform(0.1, 1))",
            "renewal(0.5)",
        )
    )
    lam = pick((0.3, 1, 2, 5))
    rate = f"let lam = {lam};" if "lam" in arrive else ""
    prompt = pick(("ceil(~uniform(3, 60))", "ceil(~exp(40))", "24", "16", "ceil(~uniform(20, 400))"))
    output = pick(("ceil(~exp(30))", "ceil(~exp(120))", "40 + serial", "1", "100", "ceil(~uniform(1, 12))"))
    think = pick(("~exp(2)", "~exp(0.2)", "0.5", "0", "1", "~uniform(0, 3)"))
    more = pick(("~bernoulli(0.7)", "~bernoulli(0.4)", "turn_no < 3", "0"))
    caches = rng.random() < 0.65
    units = pick(
        ("min(known, hit + budget_left(engine%s))", "min(known, hit + budget_left(engine%s))", "known", "prompt + 40")
    )
    if "%s" in units:
        units = units % ref
    tool = pick(("delay", "delay", "fifo(1)", "fifo(2)"))
    inside = pick(("", "", "", "run tool (~exp(0.1));", "run tool (0);"))
    watch = pick(("", "", f"observe mem = used(kv{ref});", f"observe q = queued(kv{ref}) + holders(kv{ref});"))
    keys = pick(("holders(kv[j]) + queued(kv[j])", "used(kv[j])", "queued(kv[j]), j", "-free(kv[j])", "j - serial"))
    router = f"choose j in N by ({keys});" if routed else ""
    # Where a session is sent may change from turn to turn; its prefix stays where it was.
    cache = f" cache ({pick(('prompt + o', 'prompt', '1000000', '8'))})" if caches else ""
    hit = f"cachedin(kv{ref})" if caches else "0"
    cached = "cached" if caches else "0"
    run = f"horizon {pick((15, 40, 40.5))}; warmup {pick((0, 3, 10))}; seed {rng.randrange(1, 1000)};"
    if rng.random() < 0.2:
        run += f" arrivals {pick((3, 10, 25))};"
    return f"""{rate}
{f"let N = {n};" if routed else ""}
stage engine{size} : step {{ budget {budget}; cost {cost}; memory kv; }}
pool kv{size} {{ cap {cap}; block {block}; evict lru; {preempt} admit via engine; }}
stage tool : {tool};
workload {{
  arrive {arrive};
  hidden o;
  init {{ set K = 0; }}
  turn {{ set n = {prompt}; set o = {output}; set more = {more}; set z = {think}; }}
  session {{ turn; loop {{ request; set K = prompt + o; branch (more) {{ tool (z); turn; }} else {{ end; }} }} }}
}}
server {{
  set t0 = now; set prompt = {pick(("K + n", "n", "min(K + n, 200)"))};
  {router}
  hold kv{ref} ({units})
    at admission (known = computed < prompt ? prompt : computed + 1, hit = {hit}) {{
    set c = {cached};
    {inside}
    run engine{ref} prefill (known - c) growing kv{ref};
    observe ttft = now - t0;
    {watch}
    run engine{ref} decode (o - 1 - (known - prompt)) growing kv{ref};
  }}{cache};
  observe response = now - t0;
}}
run {{ {run} }}
"""
