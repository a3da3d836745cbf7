"""Random small programs of the edition v4b: trees, groups, holds, inherited prefixes, legs.  One program per seed.

Numbers are small so that times and amounts collide.  Every program is accepted; some runs fail, as their text allows.
"""

from __future__ import annotations

from random import Random


class SpawnGenerator:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.groups: list[str] = []
        self.preempts = False

    def pick(self, *values: str) -> str:
        return self.rng.choice(values)

    def chance(self, p: float) -> bool:
        return self.rng.random() < p

    def text(self) -> str:
        """The program."""
        cap, block = self.pick("4", "8", "12"), self.pick("", " block 2;")
        self.preempts = self.chance(0.3)
        lifo = " preempt lifo;" if self.preempts else ""
        order = lifo + self.pick("", " queue by (depth);", " queue by (-depth, parent);", " evict by (depth, size);")
        arrive = self.pick("batch(3)", "poisson(0.7)", "closed(2)", "poisson(2)")
        finite = "" if arrive.startswith("closed") or self.chance(0.6) else f" arrivals {self.pick('3', '6')};"
        finite = finite if arrive.startswith("poisson") else ""
        warmup = self.pick("", " warmup 3;")
        stage = self.pick("delay", "fifo", "fifo(2)", "ps(2)")
        return (
            f"// serq: edition v4b\npool kv {{ cap {cap};{block}{order} }}\nstage svc : {stage};\n"
            f"workload {{ arrive {arrive}; init {{ set a = {self.number()}; set b = 1; }} }}\n"
            f"session {{\n  set a = a + 0; set b = max(b, 1); set began = now;\n{self.body()}  observe took = now - began;\n"
            f"  observe level = depth;\n  end;\n}}\nrun {{ horizon {self.pick('20', '40')};{warmup}{finite} }}\n"
        )

    def number(self) -> str:
        return self.pick("0", "1", "2", "~exp(1)", "~uniform(0, 3)", "floor(~uniform(0, 3))")

    def body(self) -> str:
        parts = [self.delegate() for _ in range(self.rng.choice((1, 1, 2)))]
        steps = [self.step() for _ in range(self.rng.choice((1, 2)))]
        joins = [f"  join {group};\n" for group in self.groups]
        self.rng.shuffle(joins)
        return "".join([*parts, *steps, *joins])

    def delegate(self) -> str:
        """A `spawn` whose offspring is finite by depth or by chance."""
        group = f"g{len(self.groups)}"
        self.groups.append(group)
        first = ""
        inherit = ""
        if self.chance(0.5):
            first = f"    hold kv ({self.pick('1', '2', '4')}) {{ {self.work()} }} cache ({self.pick('1', '2', '4')})\n"
            inherit = " inherit kv"
        guard = self.pick("depth < 1", "depth < 2", "depth == 0 && ~bernoulli(0.5)", "depth < 3 && serial < 40")
        count = self.pick("1", "2", "floor(~uniform(0, 3))", "min(b, 2)")
        if self.chance(0.3):
            guard, count = "~bernoulli(0.2)", self.pick("2", "floor(~exp(2))")
        sets = f"set a = {self.number()}; set b = {self.pick('b', 'a', 'depth', 'b + 1')};"
        sets = sets.replace("set b = a;", "set b = floor(a);")
        return f"  branch ({guard}) {{\n{first}    spawn ({count}) into {group}{inherit} {{ {sets} }}\n  }}\n"

    def work(self) -> str:
        return f"run svc ({self.pick('0', '1', 'a', '0.5', '~exp(1)')});"

    def step(self) -> str:
        kind = self.rng.randrange(5)
        if kind == 4:
            body = f"{self.work()} grow kv (1); {self.work()}"
            return f"  hold kv (1) {{ {body} }} cache (2)\n" if self.preempts else f"  {self.work()}\n"
        if kind == 2 and self.preempts:
            kind = 3
        if kind == 0:
            return f"  {self.work()}\n"
        if kind == 1:
            units = self.pick("1", "2", "b", "4")
            return f"  hold kv ({units}) reuse (b) {{ observe hit = cached; {self.work()} }} cache ({units})\n"
        if kind == 2:
            return f"  fork {{ hold kv (1) {{ {self.work()} }} }}\n  {self.work()}\n  join;\n"
        return f"  observe seen = cachedin(kv) + free(kv);\n  {self.work()}\n"
