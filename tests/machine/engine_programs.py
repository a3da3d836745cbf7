"""Random serving programs: an engine, its memory, requests of several turns, caching, preemption, families."""

from __future__ import annotations

from random import Random

_KEYS = ("-admission", "admission", "position", "-position", "decoding, -admission", "serial", "-remaining_guess")


def engine_text(seed: int) -> str:
    """One program per seed: `request` by hand, as the measured schedulers are written, with everything varied."""
    rng = Random(seed)
    pick = rng.choice
    family = rng.random() < 0.25
    size, ref = ("[2]", "[j]") if family else ("", "")
    block = pick(("", "block 2;", "block 4;", "block 3;", "block 1;", "block 2;"))
    evict = pick(
        (
            "",
            "evict lru;",
            "evict by (size);",
            "evict by (age, -size);",
            "evict by (waiting, last);",
            "evict by (-serial);",
        )
    )
    preempt = pick(
        (
            "preempt lifo;",
            "preempt lifo;",
            f"preempt by ({pick(_KEYS[:-1])});",
            "preempt by (serial) requeue tail;",
            "preempt none;",
        )
    )
    queue = pick(
        (
            "",
            "",
            "queue by (prompt);",
            "queue by (-prompt, serial);",
            "queue by (waited);",
            "queue by (cachedin(kv{ref}) * -1);".replace("{ref}", "[0]" if family else ""),
        )
    )
    held = pick(("", "", "", "reserve held;"))
    spill = " spill tier via link (size / 4) when (1);" if rng.random() < 0.12 and not family else ""
    cap = pick((12, 16, 20, 24, 32, 40))
    options = [f"budget {pick(('2', '3', '4', '6', '8', '16', 'inf', '8 - decoders', '2 * residents + 1'))};"]
    options.append(
        f"cost {pick(('1', '1', '1', '0.5', '0.25 + 0.125 * tokens', '1 + kv_decode / 16', '0.5 + attention / 64 + 0.25 * decoders', '1 + 0.5 * prefilled', '~exp(1) + 0.25'))};"
    )
    if rng.random() < 0.4:
        options.append(f"chunk {pick(('2', '3', '4', '8', '0', 'max(1, 4 - decoders)'))};")
    if rng.random() < 0.9:
        options.append("memory kv;")
    exclusive = rng.random() < 0.12
    if exclusive:
        options.append("serve exclusive prefill;")
    elif rng.random() < 0.6:
        options.append(
            f"serve {pick(('decode first', 'admission', 'by (remaining)', 'by (-admission)', 'by (decoding)', 'by (serial)', 'by (-remaining, serial)', 'by (kv_decode > 8, serial)'))};"
        )
    if not exclusive and rng.random() < 0.15:
        options.append(f"granule {pick(('1', '2', '4'))};" if "chunk" not in options[-1] else "")
    if not exclusive and rng.random() < 0.25:
        options.append(
            "state R = 0; iteration { "
            + pick(
                (
                    "serve; admit while (!preempted);",
                    "serve only (decoding); serve; admit while (!preempted && R < 6); set R = tokens;",
                    "admit while (residents < 2); serve;",
                    "branch (R > 2) { serve only (1 - decoding); } else { serve only (decoding); } set R = R > 3 ? 0 : R + 1; admit;",
                    "serve by (remaining); branch (tokens < 3) { admit; } else { serve; }",
                )
            )
            + " }"
        )
    reqs_cap = pick((1, 2, 3, 4, 8))
    turns = pick((0, 0, 2, 3))
    arrival = pick(
        (
            "batch(3)",
            "batch(5)",
            "batch(7)",
            "renewal(1)",
            "renewal(2)",
            "poisson(0.7)",
            "closed(3)",
            "renewal(~uniform(0.25, 2))",
        )
    )
    prompt = pick(
        (
            "4",
            "2 + serial",
            "3 + 2 * (serial - 2 * floor(serial / 2))",
            "1 + floor(~uniform(0, 9))",
            "6",
            "8 - serial / 2",
        )
    )
    out = pick(("3", "2 + serial", "1 + floor(~uniform(0, 6))", "5", "1", "4 + turn_no"))
    marks = f"set prompt = max(1, {prompt}); set o = max(1, {out}); set seen = prompt;"
    cached = rng.random() < 0.5
    known = "known = computed < seen ? seen : computed + 1"
    units = pick(("min(known, budget_left(engine{ref}))", "known", "min(known, 4)", "min(2, known)")).replace(
        "{ref}", ref
    )
    hit = f"hit = min(cachedin(kv{ref}), known - 1)"
    reserve = pick((" reserve (known)", "", " reserve (known + 2)", " reserve (min(known, 6))"))
    header = f"kv{ref} ({units}){reserve}"
    bindings = known
    if cached:
        header = f"kv{ref} (hit + max(0, min(known - hit, budget_left(engine{ref})))){reserve} reuse ({pick(('known - 1', 'hit', 'inf'))})"
        bindings += f", {hit}"
    first = f"reqs{ref} (1), {header}" if rng.random() < 0.8 else header
    reqs = (
        f"pool reqs{size} {{ cap {reqs_cap}; admit via engine; {pick(('', '', 'queue by (prompt);', 'queue by (-serial);'))} }}"
        if "reqs" in first
        else ""
    )
    kv_via = "" if "reqs" in first and rng.random() < 0.8 else "admit via engine;"
    work = pick(("max(0, known - cached)", "max(1, known - cached)")) if cached else "known"
    hits = "observe hits = cached;" if cached else ""
    end = f" cache ({pick(('inf', 'prompt', 'computed + 4', 'inf', 'prompt + o'))})" if cached else ""
    body = f"run engine{ref} prefill ({work}) growing kv{ref}; branch (known == prompt) {{ observe first = now; }} run engine{ref} decode (max(0, o - 1 - (known - prompt))) growing kv{ref};"
    if rng.random() < 0.15:
        body = f"run engine{ref} prefill ({work}) growing kv{ref}; grow kv{ref} (1); run d (0.5); run engine{ref} decode (o) growing kv{ref};"
    route = (
        f"choose j in 2 by ({pick(('used(kv[j])', 'queue(engine[j])', 'queued(kv[j])', '-free(kv[j])', '~uniform(0, 1)', 'work(engine[j])'))}); "
        if family
        else ""
    )
    request = f"{route}hold {first} at admission ({bindings}) {{ set seen = known; {hits} {body} }}{end} observe done = now; observe left = budget_left(engine{ref});"
    pause = pick(("run d (1);", "run d (serial / 2);", "run d (~exp(1));", ""))
    if turns:
        session = f"loop {{ turn; {request} branch (turn_no >= {turns}) {{ end; }} run d ({pick(('0.5', '1', '2', '~exp(2)'))}); }}"
        workload = f"workload {{ arrive {arrival}; turn {{ {marks} }} }}"
    else:
        session = f"{pause} {request}"
        workload = f"workload {{ arrive {arrival}; init {{ {marks} }} }}"
    if arrival.startswith("closed"):
        session = "run d (0.25); " + session
    drop = f" drop kv{ref};" if rng.random() < 0.1 and not turns else ""
    gauges = f"gauge u = used(kv{'[0]' if family else ''}); gauge q = queue(engine{'[0]' if family else ''});"
    claim = (
        f"claim k : every iteration of engine{'[1]' if family else ''} (tokens <= 4 && demand >= served - 100);"
        if rng.random() < 0.5
        else ""
    )
    finite = " arrivals 8;" if arrival.startswith(("renewal", "poisson")) and rng.random() < 0.4 else ""
    return "\n".join(
        (
            reqs,
            f"pool kv{size} {{ cap {cap}; {block} {evict} {preempt} {queue} {held} {kv_via}{spill} }}",
            "pool tier { cap 16; block 2; } stage link : fifo;" if spill else "",
            "stage d : delay;",
            f"stage engine{size} : step {{ {' '.join(options)} }}",
            workload,
            f"session {{ {session}{drop} }}",
            gauges,
            claim,
            f"run {{ horizon {pick((40, 60, 25.5))}; warmup {pick((0, 0, 3, 5.5))}; seed {rng.randrange(100)};{finite} }}",
            "",
        )
    )
