"""Random serving programs with long decodes: what windows of iterations are for."""

from __future__ import annotations

from random import Random


def window_text(seed: int) -> str:
    """One program per seed: one engine or two, memory from ample to tight, everything that may end a window."""
    rng = Random(seed)
    pick = rng.choice
    n = pick((1, 1, 1, 2))
    size, ref, family = ("[2]", "[j]", True) if n == 2 else ("", "", False)
    block = pick(("block 16;", "block 4;", "block 16;", "block 3;", ""))
    cap = pick((60, 100, 160, 400, 1000, 100000))
    evict = pick(("", "evict lru;", "evict lru;", "evict by (size);", "evict by (age);"))
    preempt = pick(("preempt lifo;", "preempt lifo;", "preempt by (serial) requeue tail;", "preempt none;"))
    queue = pick(("", "", "queue by (prompt);", "queue by (waited);"))
    held = pick(("", "", "reserve held;"))
    cost = pick(
        (
            "0.01 + 0.001 * tokens + 0.0001 * kv_decode",
            "0.0002 + 2e-5 * tokens + 2e-9 * kv_decode",
            "1",
            "0.1",
            "max(0.01, 0.0001 * kv_decode)",
            "0.01 + 0.001 * (kv_decode / 16) ^ 2",
            "0.013 + 0.001 * residents + 0.0003 * queue(tool)",
            "0.3 + 1 / 3 * tokens",
            "kv_decode < 50 ? 0.03 : 0.05",
        )
    )
    if rng.random() < 0.12:
        cost = pick(("0.01 + 0.001 * used(kv)", "0.01 + now * 0.0001", "0.02 + ~exp(0.01)", "0.01 + 0.01 * busy(tool)"))
        cost = cost.replace("used(kv)", "used(kv[0])" if family else "used(kv)")
    options = [f"cost {cost};", f"budget {pick(('16', '64', '8192', 'inf', '6', '2 * residents + 20'))};", "memory kv;"]
    if rng.random() < 0.3:
        options.append(f"chunk {pick(('8', '20', 'max(1, 40 - decoders)'))};")
    if rng.random() < 0.5:
        options.append(
            pick(
                (
                    "serve exclusive prefill;",
                    "serve decode first;",
                    "serve by (remaining);",
                    "serve by (serial % 3);".replace("% 3", "* -1"),
                    "serve by (-remaining, serial);",
                    "iteration { serve; admit; }",
                    "iteration { serve decode first; admit while (tokens < 12); }",
                    "iteration { serve only (serial > 1); serve; admit; }",
                )
            )
        )
    arrive = pick(("batch(5)", "batch(1)", "poisson(0.5)", "poisson(3)", "closed(3)", "renewal(1.25)", "renewal(0.1)"))
    bound = " arrivals 12;" if arrive.startswith(("poisson", "renewal")) and rng.random() < 0.3 else ""
    output = pick(("ceil(~exp(30))", "ceil(~exp(120))", "40 + 10 * serial", "100", "ceil(~uniform(2, 60))"))
    if rng.random() < 0.08:
        output += " + 0.5"
    prompt = pick(("ceil(~uniform(3, 30))", "12", "20 + serial"))
    slots = not family and rng.random() < 0.3
    pools = "pool slots { cap 3; admit via engine; }\n" if slots else ""
    admit = "" if slots else "admit via engine;"
    first = "slots (1), " if slots else ""
    hold = pick((f"kv{ref} (min(known, budget_left(engine{ref})))", f"kv{ref} (known)", f"kv{ref} (known + o)"))
    reserve = pick(("", "", " reserve (known)", " reserve (known + 8)"))
    cache = pick(("", "cache (prompt + o)", "cache (computed)"))
    gauges = pick(
        (
            "",
            "gauge memory = used(kv);",
            "gauge waiting = queued(kv);\ngauge here = queue(engine);",
            "gauge room = free(kv) / 2;",
        )
    )
    if family:
        gauges = gauges.replace("(kv)", "(kv[0])").replace("(engine)", "(engine[1])")
        queue = ""
    claims = pick(("", "", "", "claim fits : every iteration of engine (tokens < 10000);")) if not family else ""
    tool = pick(("delay", "ps(1)", "fifo(1)"))
    choose = "choose j in 2 by (holders(kv[j]) + queued(kv[j]));" if family else ""
    body = f"""  set t0 = now;
  {choose}
  hold {first}{hold}{reserve}
    at admission (known = computed < prompt ? prompt : computed + 1) {{
    {"set c = cached;" if cache else "set c = 0;"}
    run engine{ref} prefill (known - c < 1 ? 1 : known - c) growing kv{ref};
    observe ttft = now - t0;
    run engine{ref} decode (o) growing kv{ref};
  }} {cache}
  observe response = now - t0;"""
    horizon = pick((5, 20, 60, 60))
    return f"""{pools}pool kv{size} {{ cap {cap}; {block} {evict} {preempt} {queue} {held} {admit} }}
stage engine{size} : step {{ {" ".join(options)} }}
stage tool : {tool};
{gauges}
{claims}
workload {{
  arrive {arrive};
  turn {{ set prompt = {prompt}; set o = {output}; set more = ~bernoulli(0.5); set z = ~exp(1); }}
  session {{ turn; loop {{ request; branch (more) {{ tool (z); turn; }} else {{ end; }} }} }}
}}
server {{
{body}
}}
run {{ horizon {horizon}; warmup {pick((0, 1, 2.5))}; seed {seed};{bound} }}
"""
