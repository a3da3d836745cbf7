"""Statements of sessions, servers and legs."""

from __future__ import annotations

from collections.abc import Callable

from tests.support.generate.expressions import Expressions
from tests.support.generate.world import Macro, Pool


class Statements:
    """Statements of one program, each legal where it is written."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.choices = expressions.choices
        self.world = expressions.world
        self.held: list[str] = []
        """References of the open holds, as written."""
        self.in_preemptible = False
        self.in_leg = False
        self.may_turn = False
        self.may_request: list[str] = []
        self.leased: list[str] = []

    def block(self, depth: int, low: int = 0, high: int = 3) -> str:
        """A block with braces."""
        return f"{{ {' '.join(self.choices.several(lambda: self.statement(depth), low, high))} }}"

    def statement(self, depth: int) -> str:
        """One statement; `depth` bounds the nesting."""
        if len(self.held) > 1 and self.choices.chance(0.15):
            return self.transfer()
        simple: list[Callable[[], str]] = [
            self.set, self.set, self.observe, self.observe, self.run, self.run, self.run, self.drop, self.units,
            self.choose, self.use, self.call, self.serving, self.flow, self.release, self.special, self.transfer,
        ]  # fmt: skip
        nested: list[Callable[[int], str]] = [self.hold, self.hold, self.hold, self.branch, self.loop, self.fork]
        if depth > 0 and self.choices.chance(0.4):
            return self.choices.pick(nested)(depth - 1)
        return self.choices.pick(simple)() or self.run()

    # ---------------------------------------------------------------- assignments

    def set(self) -> str:
        """An assignment of a settled attribute (from a draw or numbers) or a live one (from anything)."""
        if self.world.settled and self.choices.chance(0.3) and not self.held:
            value = self.choices.pick((self.expressions.number(), "~uniform(0, 1)", "serial + 1"))
            return f"set {self.choices.pick(self.world.settled)} = {value};"
        if not self.world.live:
            return ""
        return f"set {self.choices.pick(self.world.live)} = {self.expressions.expr('stmt')};"

    def observe(self) -> str:
        if not self.world.observations:
            return ""
        return f"observe {self.choices.pick(self.world.observations)} = {self.expressions.expr('stmt')};"

    def choose(self) -> str:
        """A choice into a name of its own, so that holds may be indexed by it."""
        name = f"x{len(self.world.taken)}"
        self.world.taken.add(name)
        with self.expressions.having(indices=[]):
            keys = self.choices.joined(lambda: self.expressions.expr("stmt", 1), 1, 2)
        count = self.choices.pick(("2", "3", "1 + 1", "serial + 1"))
        return f"choose {name} in {count} by ({self.choices.pick((keys, name, f'-{name}, {keys}'))});"

    # ---------------------------------------------------------------- pools

    def hold(self, depth: int) -> str:
        """A hold with every clause."""
        choices, expressions = self.choices, self.expressions
        pools = [pool for pool in self.world.pools if pool.name not in {name.split("[")[0] for name in self.held}]
        if not pools:
            return self.run()
        chosen = choices.shuffled(pools)[: choices.pick((1, 1, 2))]
        cached = choices.chance(0.6)
        references = [self._hold_reference(pool) for pool in chosen]
        bindings = [f"b{len(self.world.taken) + number}" for number in range(choices.pick((0, 0, 0, 1, 2)))]
        self.world.taken.update(bindings)
        bound = [f"{name} = {self._header_value(bindings[:number])}" for number, name in enumerate(bindings)]
        takes = []
        engine = chosen[0].engine
        engine = engine if engine is not None and engine.kind == "step" else None
        with expressions.having(own=engine, via=engine is not None, settled_only=True):
            for reference in references:
                units = choices.pick((self._header_amount(), *bindings))
                reserve = choices.maybe(lambda: f" reserve ({self._header_amount()})", 0.25)
                takes.append(f"{reference} ({units}){reserve}")
            reuse = choices.maybe(lambda: f" reuse ({expressions.expr('head', 1)})", 0.4) if cached else ""
        at = f" at admission ({', '.join(bound)})" if bound else ""
        body = self._body(depth, chosen, references, bindings, cached)
        with expressions.having(settled_only=True):
            cache = f" cache ({choices.pick(('inf', expressions.expr('stmt', 1)))})" if cached else ""
            lease = ""
            if choices.chance(0.2):
                lease = f" lease {choices.pick(references)} ({expressions.expr('stmt', 1)})"
        return f"hold {', '.join(takes)}{reuse}{at} {body}{cache}{lease}{choices.maybe(';', 0.3)}"

    def _hold_reference(self, pool: Pool) -> str:
        if pool.size is None:
            return pool.name
        index = self.choices.pick((str(pool.size - 1), "0", "serial"))
        return f"{pool.name}[{index}]"

    def _header_amount(self) -> str:
        with self.expressions.having(settled_only=True):
            return self.expressions.amount("head")

    def _header_value(self, earlier: list[str]) -> str:
        """A binding: attributes other than `cached`, and numbers."""
        names = [*earlier, *self.world.settled, "serial", "turn_no", "1", "2.5", *self.world.constants]
        return f"{self.choices.pick(names)} + {self.choices.pick(names)}"

    def _body(self, depth: int, pools: list[Pool], references: list[str], bindings: list[str], cached: bool) -> str:
        preemptible = self.in_preemptible or any(pool.preempts for pool in pools)
        outer = (self.held, self.in_preemptible, self.may_turn)
        self.held, self.in_preemptible = [*self.held, *references], preemptible
        # A turn would assign what an index reads.
        self.may_turn = self.may_turn and not any("[" in reference for reference in self.held)
        with self.expressions.having(cached=cached, locals=[*self.expressions.locals, *bindings]):
            body = self.block(depth)
        self.held, self.in_preemptible, self.may_turn = outer
        return body

    def units(self) -> str:
        if not self.held:
            return ""
        word = self.choices.word("grow load")
        return f"{word} {self.choices.pick(self.held)} ({self.expressions.amount('stmt')});"

    def release(self) -> str:
        return f"release {self.choices.pick(self.held)};" if self.held else ""

    def drop(self) -> str:
        reference = self.expressions.pool("stmt")
        return f"drop {reference};" if reference else ""

    # ---------------------------------------------------------------- stages

    def run(self) -> str:
        """A run at a stage, with a mode where it is an engine."""
        choices = self.choices
        if not self.world.stages:
            return "run basic (1);"
        if self.world.nics and choices.chance(0.2):
            return f"run {choices.pick(self.world.nics)} (1);"
        stage = choices.pick(self.world.stages)
        reference = self.expressions.reference(stage, "stmt")
        work = self.expressions.amount("stmt")
        if stage.kind != "step":
            return f"run {reference} ({work});"
        growing = f" growing {choices.pick(self.held)}" if self.held and choices.chance(0.5) else ""
        return f"run {reference} {choices.word('prefill decode')} ({work}){growing};"

    def flow(self) -> str:
        """A run over several stages."""
        if len(self.world.flows) < 2:
            return ""
        chosen = self.choices.shuffled(self.world.flows)[: self.choices.pick((2, 2, 3))]
        names = [self.expressions.reference(stage, "stmt") for stage in chosen]
        return f"run {', '.join(names)} ({self.expressions.amount('stmt')});"

    def serving(self) -> str:
        """A serving form."""
        if not self.world.servings:
            return ""
        form = self.choices.pick(self.world.servings)
        work = self.choices.pick((f"({self.expressions.amount('stmt')})", "1 + serial", "2"))
        growing = ""
        if form.startswith(("decode", "prefill")) and self.held and self.choices.chance(0.5):
            growing = f" growing {self.choices.pick(self.held)}" if self._on_engine(form) else ""
        return f"{form} {work}{growing};"

    def transfer(self) -> str:
        """A transfer between two pools that are held, by a form or by a link's entry."""
        if len(self.held) < 2:
            return ""
        source, target = self.choices.shuffled(self.held)[:2]
        move = f"from {source} to {target} ({self.expressions.amount('stmt')})"
        work = self.choices.pick((f"({self.expressions.amount('stmt')})", "serial + 1"))
        forms = [f"transfer on basic {work} {move};", f"transfer on basic {work} {move};"]
        if self.world.link:
            forms.append(f"{self.world.link} {work} {move};")
        if self.world.links and self.choices.chance(0.7):
            forms.clear()
        forms += [f"{link} ({self.expressions.amount('stmt')}) {move};" for link in self.world.links]
        return self.choices.pick(forms)

    def _on_engine(self, form: str) -> bool:
        if " on " in form:
            return True
        named = {stage.name: stage.kind for stage in self.world.stages}
        return named.get(form.split("[")[0], "step") == "step"

    def use(self) -> str:
        """A use of a statement definition; arguments that read no state and nothing that the body assigns."""
        if not self.world.macros:
            return ""
        macro = self.choices.pick(self.world.macros)
        arguments = [
            self.choices.pick(("1", "2 + 1", "serial", "max(1, turn_no)", *self.world.settled))
            for _ in range(macro.parameters)
        ]
        if macro.pool:
            held = {name.split("[")[0] for name in self.held}
            free = [pool for pool in self.world.pools if pool.name not in held]
            if not free:
                return ""
            arguments[0] = self._hold_reference(self.choices.pick(free))
        return f"{macro.name}({', '.join(arguments)});"

    def call(self) -> str:
        return self.choices.pick(self.world.calls) if self.world.calls else ""

    def special(self) -> str:
        """`turn`, `end`, `request`, where the place allows it."""
        options = []
        if self.may_turn and not self.in_leg:
            options += ["turn;", "end;"]
        if not self.in_leg and not self.held:
            options += self.may_request
        return self.choices.pick(options) if options else ""

    # ---------------------------------------------------------------- control

    def branch(self, depth: int) -> str:
        otherwise = self.choices.maybe(lambda: f" else {self.block(depth)}", 0.5)
        if self.choices.chance(0.25):
            return f"branch with ({self.expressions.expr('stmt', 1)}) {self.block(depth)}{otherwise}"
        return f"branch ({self.expressions.test('stmt')}) {self.block(depth)}{otherwise}"

    def loop(self, depth: int) -> str:
        """A loop in which time passes."""
        inner = " ".join(self.choices.several(lambda: self.statement(depth), 0, 2))
        return f"loop {{ {inner} run basic ({self.choices.word('1 0.5 serial')}); }}"

    def fork(self, depth: int) -> str:
        """Legs and their join."""
        if self.in_preemptible or self.in_leg:
            return self.run()
        outer = (self.held, self.in_leg, self.may_turn)
        self.held, self.in_leg, self.may_turn = [], True, False
        legs = " ".join(f"fork {self.block(depth)}" for _ in range(self.choices.pick((1, 2))))
        self.held, self.in_leg, self.may_turn = outer
        return f"{legs} join;"

    # ---------------------------------------------------------------- definitions

    def macro(self) -> str:
        """A statement definition, in either form."""
        choices, world = self.choices, self.world
        name = f"m{len(world.taken)}"
        world.taken.add(name)
        pool = bool(world.pools) and choices.chance(0.4)
        parameters = [f"q{number}" for number in range(choices.random.randint(1 if pool else 0, 3))]
        values = parameters[1:] if pool else parameters
        work = choices.pick((*values, "1", "2"))
        target = f"y{len(world.taken)}"
        world.taken.add(target)
        inner = choices.pick(
            (
                f"set {target} = {work} + 1; run basic ({work} + {target});",
                f"branch ({work} > 1) {{ run basic ({work}); }} else {{ observe seen = {target}; set {target} = 1; }}",
                f"set {target} = now; run basic (max({work}, 1));",
                f"loop {{ run basic (1); branch (serial > {work}) {{ set {target} = 0; }} }}",
                f"set {target} = {work};",
                "",
            )
        )
        if pool:
            inner = f"hold q0 ({work} + 1) {{ {inner} }} cache ({work})"
        world.macros.append(Macro(name, len(parameters), pool))
        return f"def {name}({', '.join(parameters)}) {{ {inner} }}"
