"""Small programs with everything that can deadlock, livelock, starve or be refused, made from a number."""

from __future__ import annotations

from random import Random


def small_program(seed: int, *, finite: bool = False) -> str:
    """A program of a handful of states; the same for the same number.

    `finite`: every draw has finitely many outcomes, and the sessions are a batch of two.
    """
    return _Maker(Random(seed), finite).program()


class _Maker:
    def __init__(self, random: Random, finite: bool) -> None:
        self.random = random
        self.finite = finite
        self.engine = random.random() < 0.5
        self.pools = ["kv", "slots"][: random.choice((1, 2, 2))]

    def program(self) -> str:
        random = self.random
        lines = [self.pool(name) for name in self.pools]
        lines.append("stage client : delay;")
        lines.append(
            random.choice(("stage gpu : ps(1);", "stage gpu : fifo;", "stage gpu : fifo(2);", "stage gpu : delay;"))
        )
        if self.engine:
            budget, chunk = random.choice((2, 4, 8)), random.choice(("", " chunk 2;"))
            lines.append(f"stage engine : step {{ budget {budget}; cost 1;{chunk} memory kv; }}")
            if random.random() < 0.3:
                lines.append(f"claim few : every iteration of engine (residents <= {random.choice((1, 2))});")
        law = random.choice(("poisson(1)", "poisson(1)", "batch(2)", "closed(2)"))
        if self.finite:
            law = "batch(2)"
        draws = "set one = ~bernoulli(0.5);" if random.random() < 0.7 else "set one = 0;"
        lines.append(f"workload {{ arrive {law}; init {{ {draws} set need = {self.size()}; }} }}")
        lines.append("session {")
        if asks := random.random() < 0.5:
            lines.append("  set asked = now;")
        if random.random() < 0.5:
            lines.append(f"  run client ({self.time()});")
        lines += self.body(2)
        if asks:
            lines.append("  observe response = now - asked;")
        lines.append("  end;")
        lines.append("}")
        lines.append("run { horizon 100; }")
        return "\n".join(lines) + "\n"

    def pool(self, name: str) -> str:
        random = self.random
        options = [f"cap {random.choice((2, 3, 4, 6))};"]
        if name == "kv" and self.engine:
            options[0] = f"cap {random.choice((6, 8, 12))};"
            if random.random() < 0.6:
                options.append("admit via engine;")
        preempt = random.choice(("", "", "preempt lifo;", "preempt by (-admission) requeue tail;"))
        order = random.choice(("", "", "queue by (need);", "queue by (need - waited);"))
        reserve = random.choice(("", "", "reserve held;"))
        return f"pool {name} {{ {' '.join(part for part in (*options, preempt, order, reserve) if part)} }}"

    def size(self) -> str:
        return self.random.choice(("1", "1 + one", "ceil(~uniform(0, 2))", "2"))

    def time(self) -> str:
        return self.random.choice(("1", "1", "2", "1 + one", "ceil(~uniform(0, 2))" if self.finite else "~exp(1)"))

    def body(self, depth: int) -> list[str]:
        random = self.random
        lines = []
        if random.random() < 0.4 and len(self.pools) == 2:
            lines.append("  branch (one) {")
            lines += self.hold(self.pools[0], depth)
            lines.append("  } else {")
            lines += self.hold(self.pools[1], depth)
            lines.append("  }")
        else:
            lines += self.hold(random.choice(self.pools), depth)
        if random.random() < 0.3:
            lines.append(f"  run client ({self.time()});")
        return lines

    def hold(self, pool: str, depth: int) -> list[str]:
        random = self.random
        reserve = f" reserve ({random.choice((2, 3, 4))})" if random.random() < 0.2 else ""
        lines = [f"  hold {pool} ({random.choice(('1', 'need', '2'))}){reserve} {{"]
        if self.engine and pool == "kv" and random.random() < 0.7:
            lines.append(f"    prefill {random.choice((1, 2, 'need'))} growing kv;")
            lines.append(f"    decode {random.choice((1, 2, 3))} growing kv;")
        else:
            lines.append(f"    run {random.choice(('gpu', 'client'))} ({self.time()});")
            if random.random() < 0.4:
                lines.append(f"    grow {pool} ({random.choice((1, 2))});")
                lines.append(f"    run client ({self.time()});")
            if depth > 1 and random.random() < 0.5:
                lines += self.hold(random.choice(self.pools), depth - 1)
        lines.append("  }")
        return lines
