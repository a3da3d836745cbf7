"""Random small programs with contention: tiny pools, bursts, ties.  A generator of source text.

Every construct of the machine appears; numbers are small and coarse so that times, keys and
amounts collide.  Some programs do not link; the caller skips them.
"""

from __future__ import annotations

from random import Random

from tests.machine.engine_programs import engine_text


class Generator:
    """One program per seed."""

    def __init__(self, seed: int, p_spill: float = 0.15, p_lease: float = 0.12, p_legs: float = 0.15) -> None:
        self.rng = Random(seed)
        self.p_spill, self.p_lease, self.p_legs = p_spill, p_lease, p_legs
        self.n_observes = 0
        self.lines: list[str] = []
        self.attributes = ["a", "b"]

    # ------------------------------------------------------------------ choices

    def chance(self, p: float) -> bool:
        return self.rng.random() < p

    def pick(self, *values: str) -> str:
        return self.rng.choice(values)

    def small(self) -> str:
        return self.pick("0", "1", "1", "2", "2", "3", "4", "0.5", "1.5", "5")

    def time(self) -> str:
        return self.pick("0", "0.5", "1", "1", "2", "2", "3", "1.5", "serial", "serial % 2" if False else "a", "b + 1")

    def atom(self) -> str:
        return self.pick(
            "a", "b", "serial", "turn_no", "1", "2", "3", "now", *[f"used({p})" for p in self.pools],
            *[f"free({p})" for p in self.pools], *[f"queued({p})" for p in self.pools],
            *[f"holders({p})" for p in self.pools], *[f"queue({s})" for s in self.stages],
            *[f"busy({s})" for s in self.stages],
        )  # fmt: skip

    def key(self) -> str:
        return self.pick("serial", "-serial", "a", "-a", "b", "1", "0/0", "-(0/0)", "a - b", "0", "serial > 1")

    # ------------------------------------------------------------------ the program

    def text(self) -> str:
        rng = self.rng
        self.pools = [f"p{i}" for i in range(rng.choice((1, 1, 2, 2, 3)))]
        self.engine = self.chance(0.6)
        self.second_engine = self.engine and self.chance(0.2)
        self.shared = self.chance(0.15)
        self.family = self.chance(0.2)
        self.legs = self.chance(self.p_legs)
        kinds = {
            "d": "delay",
            "f": self.pick("fifo", "fifo(2)"),
            "s": f"ps({self.pick('1', '2', 'min(present, 2)', '0.5 + present')})",
        }
        names = [name for name in kinds if self.chance(0.7) or name == "d"]
        self.stages = names + (["e"] if self.engine else []) + (["e2"] if self.second_engine else [])
        rng.shuffle(self.stages)
        self.preempting = False
        self.engine_pools = {pool for pool in self.pools if self.engine and self.chance(0.5)}
        out = [self.pool(pool) for pool in self.pools]
        out += [
            self.engine_text(name) if name in ("e", "e2") else f"stage {name} : {kinds[name]};" for name in self.stages
        ]
        if self.shared:
            out.append("stage x : ps(1); stage y : ps(2); stage z : ps(1.5);")
            out.append(f"share {self.pick('maxmin', 'bottleneck')};")
        if self.family:
            out.append("pool fp[2] { cap 4; } stage fs[2] : fifo;")
        if self.chance(0.5):
            rng.shuffle(out)
        out.append(self.workload())
        out.append(self.session())
        out += self.measurements()
        warmup = self.pick("0", "0", "1", "2.5", "4")
        horizon = self.pick("20", "30", "12.5", "40")
        finite = " arrivals 6;" if self.open and self.chance(0.3) else ""
        out.append(f"run {{ horizon {horizon}; warmup {warmup}; seed {rng.randrange(50)};{finite} }}")
        return "\n".join(out) + "\n"

    def pool(self, name: str) -> str:
        options = []
        if self.chance(0.9):
            options.append(f"cap {self.pick('4', '5', '6', '8', '8', '10', '12', '7.5', '16')};")
        if self.chance(0.35):
            options.append(f"block {self.pick('1', '2', '2', '3', '4', '1.5')};")
        if self.chance(0.4):
            options.append(
                f"evict {self.pick('lru', 'by (size)', 'by (-size)', 'by (age)', 'by (last)', 'by (waiting, size)', 'by (serial)', 'by (-a, b)', f'by (cachedin({name}))', 'by (0/0)', 'by (1)')};"
            )
        if self.chance(0.5):
            self.preempting = True
            keys = self.pick(
                "-admission",
                "admission",
                "position",
                "-position",
                "decoding, -admission",
                "serial",
                "-serial",
                "a",
                "0/0, serial",
                "used(" + name + ")",
            )
            tail = self.pick("", "", " requeue head", " requeue tail")
            options.append(self.pick("preempt lifo;", f"preempt by ({keys}){tail};", "preempt none;"))
        if self.chance(0.4):
            keys = self.pick(
                "serial",
                "-serial",
                "a",
                "waited",
                "-waited",
                "a, -serial",
                "0/0",
                f"used({name})",
                "now - waited",
                "b > 1, serial",
            )
            options.append(self.pick("queue fifo;", f"queue by ({keys});"))
        if self.engine and self.chance(0.35 if name != self.pools[0] else 0.55):
            options.append(f"admit via {'e2' if self.second_engine and self.chance(0.3) else 'e'};")
        if self.chance(0.15):
            options.append("reserve held;")
        if len(self.pools) > 1 and self.chance(self.p_spill):
            tier = self.rng.choice([pool for pool in self.pools if pool != name])
            if tier > name:
                via = self.rng.choice([stage for stage in self.stages if not stage.startswith("e")])
                options.append(
                    f"spill {tier} via {via} ({self.pick('0', '1', 'size', 'size / 2')}) when ({self.pick('1', 'size > 1', 'age > 0', 'waiting', '~bernoulli(0.5)', 'serial > 0')});"
                )
        return f"pool {name} {{ {' '.join(options)} }}"

    def engine_text(self, name: str) -> str:
        options = [
            f"cost {self.pick('1', '1', '1', '0.5', '0.25 * tokens + 0.5', '1 + decoders', '0.5 + 0.125 * residents', '1 + 0.25 * kv_decode + 0.125 * kv_prefill', '0.5 + attention / 16', '1 + prefilled', '~det(1)', '~exp(1) + 0.1', '1 + queue(e)' if name == 'e' else '1')};"
        ]
        if self.chance(0.75):
            options.append(
                f"budget {self.pick('1', '2', '3', '4', '6', '8', '2.5', 'residents + 1', '4 - decoders', '3 + queued(p0)', '8', 'inf', '0.5', '~det(3)', 'now > 5 ? 2 : 4', 'free(p0)')};"
            )
        if self.chance(0.4):
            options.append(f"chunk {self.pick('1', '2', '3', '0', '-1', '1.5', 'residents', 'inf')};")
        if self.chance(0.6 if name == "e" else 0.4):
            options.append(f"memory {self.rng.choice(self.pools)};")
        exclusive = self.chance(0.1)
        body = not exclusive and self.chance(0.3)
        if exclusive:
            options.append("serve exclusive prefill;")
        else:
            if self.chance(0.15):
                options.append(f"granule {self.pick('1', '2', '3')};")
            if self.chance(0.5):
                only = f"only ({self.serve_test()}) " if not body and self.chance(0.2) else ""
                options.append(f"serve {only}{self.order()};")
        if body:
            if self.chance(0.6):
                options.append("state R = 0;")
                options.append(f"iteration {{ {self.body(True)} }}")
            else:
                options.append(f"iteration {{ {self.body(False)} }}")
        return f"stage {name} : step {{ {' '.join(options)} }}"

    def order(self) -> str:
        return self.pick(
            "admission", "decode first", "by (remaining)", "by (-remaining)", "by (serial)", "by (-admission)",
            "by (decoding, -serial)", "by (0/0)", "by (kv_decode, serial)", "by (used(p0))", "by (a)", "by (-now)",
            "by (residents > 2, -admission)",
        )  # fmt: skip

    def serve_test(self) -> str:
        return self.pick(
            "decoding", "1 - decoding", "remaining < 3", "serial > 0", "residents < 3", "admission < 2", "used(p0) < 6"
        )

    def body(self, register: bool) -> str:
        statements = []
        for _ in range(self.rng.randrange(1, 4)):
            only = f" only ({self.serve_test()})" if self.chance(0.3) else ""
            order = f" {self.order()}" if self.chance(0.3) else ""
            gate = (
                f" while ({self.pick('!preempted', 'tokens < 4', 'admitted < 2', 'residents < 3', 'prefilled == 0', '!preempted && decoders < 2')})"
                if self.chance(0.6)
                else ""
            )
            kind = self.rng.randrange(4)
            if kind == 0:
                statements.append(f"serve{only}{order};")
            elif kind == 1:
                statements.append(f"admit{only}{gate};")
            elif kind == 2:
                test = self.pick(
                    "tokens > 1",
                    "decoders > 0",
                    "residents > 2",
                    "used(p0) > 4",
                    "R > 1" if register else "1 > 0",
                    "preempted > 0",
                )
                statements.append(f"branch ({test}) {{ serve{only}{order}; }} else {{ admit{gate}; }}")
            elif register:
                statements.append(
                    f"set R = {self.pick('R + 1', 'tokens', 'admitted', 'residents', 'preempted', 'R > 3 ? 0 : R + 1')};"
                )
        statements.append(self.pick("serve;", "admit;", "serve; admit while (!preempted);"))
        return " ".join(statements)

    def workload(self) -> str:
        law = self.pick(
            "batch(3)",
            "batch(5)",
            "batch(7)",
            "batch(2)",
            "renewal(1)",
            "renewal(0.5)",
            "renewal(2)",
            "renewal(~exp(1))",
            "poisson(1)",
            "closed(2)",
            "closed(3)",
        )
        self.open = law.startswith(("renewal", "poisson"))
        self.closed = law.startswith("closed")
        value = (
            "serial",
            "serial > 2 ? 1 : 3",
            "2",
            "~uniform(0, 4)",
            "1",
            "floor(~uniform(0, 3))",
            "3 - serial",
            "serial - 2 * floor(serial / 2)",
        )
        init = (
            f"init {{ set a = {self.nonnegative(self.pick(*value))}; set b = {self.nonnegative(self.pick(*value))}; }}"
        )
        self.turns = self.chance(0.25)
        turn = (
            f"turn {{ set a = {self.nonnegative(self.pick(*value))}; observe t = a + turn_no; }}" if self.turns else ""
        )
        return f"workload {{ arrive {law}; {init} {turn} }}"

    def nonnegative(self, expression: str) -> str:
        return f"max(0, {expression})"

    def session(self) -> str:
        body = []
        if self.closed or self.chance(0.6):
            body.append(f"run d ({self.pick('serial', '1', '0.5', 'a', 'serial / 2', 'b + 0.5')});")
        if self.closed:
            body.append("run d (0.5);")
        if self.turns:
            body.append("turn;")
        for _ in range(self.rng.randrange(1, 4)):
            body.append(self.statement(0, []))
        if self.legs:
            legs = [
                f"fork {{ {self.statement(2, [])} {self.statement(2, [])} }}" for _ in range(self.rng.choice((1, 1, 2)))
            ]
            body += legs if self.chance(0.5) else [*legs, self.statement(0, [])]
        if self.chance(0.2):
            rounds = self.pick("2", "3")
            inner = " ".join(self.statement(1, []) for _ in range(self.rng.randrange(1, 3)))
            turn = "turn; " if self.turns else ""
            body.append(
                f"loop {{ {turn}{inner} run d ({self.pick('1', '0.5')}); set c = c + 1; branch (c >= {rounds}) {{ end; }} }}"
            )
        if self.legs:
            body.append("join;")
        return f"session {{ {' '.join(body)} }}"

    def observe(self) -> str:
        self.n_observes += 1
        value = self.pick(
            "now",
            "now",
            self.atom(),
            "cachedin(" + self.rng.choice(self.pools) + ")",
            "computed",
            "a",
            "work(d)",
            f"est_wait({self.rng.choice(self.stages)})",
            f"est_rho({self.rng.choice(self.stages)})",
            f"price({self.rng.choice(self.stages)}, 1, 2)",
            *(["budget_left(e)"] if self.engine else []),
        )
        return f"observe o{self.n_observes} = {value};"

    def statement(self, depth: int, held: list[str]) -> str:
        roll = self.rng.random()
        if depth < 3 and roll < 0.34:
            return self.hold(depth, held)
        if roll < 0.55:
            return self.run(held)
        if roll < 0.68:
            return self.observe()
        if roll < 0.74 and depth < 3:
            test = self.pick("a > 1", "serial > 1", "b == 2", "computed > 0", f"used({self.pools[0]}) > 3", "c > 0")
            return (
                f"branch ({test}) {{ {self.statement(depth + 1, held)} }} else {{ {self.statement(depth + 1, held)} }}"
            )
        if roll < 0.78:
            return f"set c = {self.pick('c + 1', self.atom(), '~uniform(0, 2)')};"
        if roll < 0.80:
            return f"drop {self.rng.choice(self.pools)};"
        if held and roll < 0.90:
            pool = self.rng.choice(held)
            return self.pick(
                f"grow {pool} ({self.pick('1', '2', '1', '3', 'a')});",
                f"load {pool} (1);",
                f"load {pool} (0);",
                f"release {pool};",
                f"grow {pool} (1);",
            )
        if self.family and roll < 0.95:
            return f"choose j in 2 by ({self.pick('queue(fs[j])', '-j', 'used(fp[j])', '0/0', 'busy(fs[j]) + holders(fp[j])', '~uniform(0, 1)')}); run fs[j] ({self.time()});"
        if self.legs and depth == 0 and roll < 0.97 + 0.02 * (self.p_legs > 0.3):
            return f"fork {{ {self.statement(2, [])} {self.statement(2, [])} }}"
        return self.run(held)

    def run(self, held: list[str]) -> str:
        if self.shared and self.chance(0.4):
            return f"run {self.pick('x', 'y', 'z', 'x, y', 'y, z', 'x, z', 'x, y, z')} ({self.time()});"
        stage = self.rng.choice(self.stages)
        if stage in ("e", "e2"):
            growing = f" growing {self.rng.choice(held)}" if held and self.chance(0.6) else ""
            work = self.pick(
                "2",
                "3",
                "4",
                "6",
                "1",
                "a + 1",
                "serial + 2",
                "5",
                "0",
                "2.5",
                "computed + 2",
                "max(0, 5 - cached)" if False else "3",
            )
            mode = self.pick("prefill", "decode", "decode")
            first = f"run {stage} {mode} ({work}){growing};"
            if mode == "prefill" and self.chance(0.6):
                first += f" run {stage} decode ({self.pick('2', '3', '5')}){growing};"
            return first
        return f"run {stage} ({self.time()});"

    def hold(self, depth: int, held: list[str]) -> str:
        takes = self.rng.sample(self.pools, self.rng.choice((1, 1, 1, min(2, len(self.pools)), len(self.pools))))
        parts = []
        for pool in takes:
            units = self.pick(
                "1",
                "2",
                "2",
                "3",
                "4",
                "a",
                "a + 1",
                "b + serial",
                f"min(3, free({pool}))",
                "1.5",
                "0",
                "queued(p0) + 1",
                *(["min(4, budget_left(e))"] if self.engine else []),
                "computed + 1",
                "now / 4",
            )
            reserve = f" reserve ({self.pick('3', '4', 'a + 2', '2', 'used(p0)', '5')})" if self.chance(0.25) else ""
            parts.append(f"{pool} ({units}){reserve}")
        cache = (
            f" cache ({self.pick('inf', '2', 'a', '1', '3', 'computed + 1', 'b + 1', '~uniform(0, 3)', '1.5')})"
            if self.chance(0.5)
            else ""
        )
        reuse = f" reuse ({self.pick('1', '2', 'a', '0', 'inf', 'cachedin(p0)')})" if cache and self.chance(0.3) else ""
        lease = (
            f" lease {self.rng.choice(takes)} ({self.pick('1', '2', '0', 'inf', '~exp(1)', '0.5')})"
            if self.chance(self.p_lease)
            else ""
        )
        inner = " ".join(self.statement(depth + 1, held + takes) for _ in range(self.rng.randrange(1, 4)))
        return f"hold {', '.join(parts)}{reuse} {{ {inner} }}{cache}{lease} "

    def measurements(self) -> list[str]:
        out = []
        if self.chance(0.7):
            out.append(
                f"gauge g0 = {self.pick(*[f'used({p})' for p in self.pools], *[f'holders({p})' for p in self.pools], *[f'queue({s})' for s in self.stages], *[f'busy({s})' for s in self.stages], *[f'queued({p})' for p in self.pools])};"
            )
        if self.chance(0.3):
            out.append(f"gauge g1 = {self.pick(*[f'used({p}) + 2 * queued({p})' for p in self.pools])};")
        if self.engine and self.chance(0.4):
            condition = self.pick(
                "tokens <= 4",
                "demand > 3",
                "served < 20",
                "kv_decode <= kv_prefill",
                "attention < 5",
                "arrived < 4",
                "now < 9",
                "residents >= decoders",
                "busy(e) == 0",
                "used(p0) < 5",
            )
            given = self.pick("", "", " given (serial < 3)", " given (a > 0)")
            out.append(f"claim k{given} : {self.pick('every', 'some')} iteration of e ({condition});")
        if self.chance(0.2) and self.n_observes:
            out.append(
                f"claim z : at end ({self.pick('total', 'count', 'largest', 'smallest', 'prefix_total')}(o1) > 2);"
            )
        return out


SERVING = 1_000_000
"""Seeds from here on give serving programs (`engine_programs`)."""
MEMORY = 2_000_000
"""Seeds from here on give programs with many spills, leases and legs."""


def program_text(seed: int) -> str:
    """The program of a seed."""
    if seed >= MEMORY:
        return Generator(seed, p_spill=0.7, p_lease=0.4, p_legs=0.5).text()
    return engine_text(seed) if seed >= SERVING else Generator(seed).text()
