"""Random programs of sessions at simple stages, as the generated source runs them; some just outside of what it takes."""

from __future__ import annotations

from random import Random


def event_text(seed: int) -> str:
    """One program per seed: an open arrival law, two or three stages, turns, draws of every kind, ties and faults."""
    rng = Random(seed)
    pick = rng.choice
    kinds = ("fifo", "fifo(2)", "fifo(3)", "delay", "ps(1)", "ps(2.5)", "ps(1)")
    family = "[2]" if rng.random() < 0.2 else ""
    index = pick(("[0]", "[1]")) if family else ""
    draw = ("~exp(0.5)", "~exp(x)", "~uniform(0, 1)", "~det(0.25)", "~h2(0.5, 4)", "~erlang(3, 0.6)", "~bernoulli(0.5)")
    work: tuple[str, ...] = (*draw, "0.5", "1", "x", "x / 2", "0", "max(0, 1 - x)", "y", "1e-18")
    if rng.random() < 0.06:
        work = (*work, "-1", "0/0", "0.2 - x")
    arrive = pick(("poisson(1)", "poisson(4)", "poisson(0.3)", "renewal(1)", "renewal(~erlang(2, 1))", "renewal(0.5)"))
    bound = f" arrivals {pick((1, 7, 40))};" if rng.random() < 0.4 else ""
    init = [f"set x = {pick(draw[:1] + draw[2:])};"]
    if rng.random() < 0.5:
        init.append(
            f"set y = {pick(('x + ~exp(1)', '~exp(1) * ~uniform(1, 2)', 'x > 0.5 ? ~exp(1) : 0.1', 'floor(x * 3)'))};"
        )
    else:
        init.append("set y = 0.25;")
    turn = f"set z = {pick(work)};" if rng.random() < 0.7 else "set z = turn_no;"
    if rng.random() < 0.2:
        turn += " observe inturn = z;"
    guard = pick(("with (0.4)", "with (0.4)", "(turn_no < 3)", "(x < 0.5 && turn_no < 3)", "(~bernoulli(0.5))"))
    if rng.random() < 0.04:
        guard = "(x)"
    body = f"run A{index} ({pick(work)});"
    if rng.random() < 0.7:
        body += f" run B ({pick(work)}); "
    if rng.random() < 0.5:
        body += f"branch {pick(('with (0.5)', '(x < y)', '(now > 3)'))} {{ run B ({pick(work)}); }} "
        body += f"else {{ set x = x / 2; run A{index} (x); }} " if rng.random() < 0.5 else ""
    extra = pick(("", "", "", "gauge here = queue(B);", "pool p { cap 2; }"))
    return f"""stage A{family} : {pick(kinds)};
stage B : {pick(kinds)};
{extra}
workload {{
  arrive {arrive};
  init {{ {" ".join(init)} }}
  turn {{ {turn} }}
  session {{ turn; loop {{ request; branch {guard} {{ run A{index} (z); turn; }} else {{ end; }} }} }}
}}
server {{ set t0 = now; {body} observe response = now - t0; observe other = {pick(("x", "now", "z * 2", "~exp(1)"))}; }}
run {{ horizon {pick((3, 10, 50))}; warmup {pick((0, 1, 2.5))}; seed {seed};{bound} }}
"""
