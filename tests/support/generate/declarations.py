"""Declarations: constants, definitions, pools, stages, measurements, settings."""

from __future__ import annotations

from tests.support.generate.expressions import Expressions
from tests.support.generate.world import Macro, Pool, Stage


class Declarations:
    """Items of one program; each method writes one and tells the world."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.choices = expressions.choices
        self.world = expressions.world

    # ---------------------------------------------------------------- constants and definitions

    def constant(self) -> str:
        """A `let`; one whose name begins with `N` is a small count."""
        if self.choices.chance(0.4):
            name, value = f"N{len(self.world.taken)}", self.choices.word("1 2 3 4 min(3,2) 1+1 2^1")
            self.world.taken.add(name)
        else:
            value = self.constant_expression()
            name = self.world.name(self.choices, "constant", "c")
        self.world.constants.append(name)
        return f"let {name} = {value};"

    def constant_expression(self, depth: int = 2) -> str:
        """Arithmetic that is not NaN."""
        choices = self.choices
        if depth == 0 or choices.chance(0.4):
            small = self.world.constants
            return choices.pick(small) if small and choices.chance(0.3) else self.expressions.number()
        inner = self.constant_expression(depth - 1)
        other = self.constant_expression(depth - 1)
        return choices.pick(
            (
                f"({inner}) {choices.word('+ < <= > >= == != && ||')} ({other})",
                f"min({inner}, {other})",
                f"max({inner}, 1) / 2",
                f"{inner} ? {other} : 1",
                f"floor({inner}) + ceil({other})",
                f"sqrt(abs({inner}))",
                f"sum k in 2 (k + {other})",
                "max k in 3 (min k in (2) (k))",
            )
        )

    def function(self) -> str:
        """An expression definition."""
        choices, world = self.choices, self.world
        count = choices.random.randint(0, 3)
        name = f"f{len(world.taken)}"
        world.taken.add(name)
        parameters = [f"a{number}" for number in range(count)]
        with self.expressions.having(locals=parameters):
            body = self._pure(parameters, 2)
        world.functions.append(Macro(name, count))
        trailing = choices.maybe(",", 0.15) if parameters else ""
        head = f"def {name}({', '.join(parameters)}{trailing})"
        return f"{head} = {body};"

    def _pure(self, parameters: list[str], depth: int) -> str:
        choices = self.choices
        if depth == 0 or choices.chance(0.3):
            return choices.pick((*parameters, *self.world.constants, "1", "2", "0.5"))
        earlier = [macro for macro in self.world.functions if macro.parameters == 1]
        inner, other = self._pure(parameters, depth - 1), self._pure(parameters, depth - 1)
        return choices.pick(
            (
                f"{inner} + {other}",
                f"{inner} * ({other})",
                f"{inner} > {other} ? {inner} : {other}",
                f"min({inner}, {other})",
                f"(sum q in 2 (q * {other}))",
                f"{choices.pick(earlier).name}({inner})" if earlier else f"abs({inner})",
            )
        )

    def nonsense(self) -> str:
        """A definition that nothing uses: its body is any run of balanced tokens."""
        tokens = [
            "[1, 2]",
            *[
                "x",
                "1",
                '"s"',
                "()",
                "[]",
                "{}",
                "(x)",
                "{;}",
                ",",
                ":",
                ".",
                "=",
                "?",
                "~",
                "+",
                "-",
                "*",
                "/",
                "^",
                "!",
                "<",
                "<=",
                ">",
                ">=",
                "==",
                "!=",
                "&&",
                "||",
            ],
        ]
        body = " ".join(self.choices.several(lambda: self.choices.pick(tokens), 1, 12))
        name = f"z{len(self.world.taken)}"
        self.world.taken.add(name)
        parameters = self.choices.pick(("", "u", "u, v", "u,"))
        if self.choices.chance(0.5):
            return f"def {name}({parameters}) = 1 {body};"
        return f"def {name}({parameters}) {{ {body} {self.choices.maybe(';')} }}"

    # ---------------------------------------------------------------- pools and stages

    def size(self) -> tuple[str, int | None]:
        """A size as written and as a number."""
        if self.choices.chance(0.65):
            return "", None
        text, value = self.choices.pick((("1", 1), ("2", 2), ("3", 3), ("1 + 1", 2), ("max(1, 2)", 2)))
        return f"[{text}]", value

    def pool(self) -> str:
        """A pool, after the stages."""
        choices, world = self.choices, self.world
        written, size = self.size()
        name = world.name(choices, "pool", "p")
        engines = [s for s in world.stages if s.size in (None, 1) or s.size == size]
        engine = choices.pick(engines) if engines and choices.chance(0.35) else None
        block, preempts = choices.chance(0.4), choices.chance(0.35)
        options = [f"cap {choices.pick(('1000', 'inf', '2e3', f'1000 + ({self.constant_expression(1)})'))};"]
        if block:
            options.append(f"block {choices.word('1 2 4 16 0.5 1+1')};")
        if engine is not None:
            options.append(f"admit via {engine.name};")
        options += self._pool_orders(engine, preempts)
        others = [other.name for other in world.pools]
        plain = [stage.name for stage in world.stages if stage.kind != "step"]
        if others and plain and choices.chance(0.25):
            work, test = self.expressions.expr("evict", 1), self.expressions.expr("evict", 1)
            options.append(f"spill {choices.pick(others)} via {choices.pick(plain)} ({work}) when ({test});")
        if choices.chance(0.2):
            options.append("reserve held;")
        world.pools.append(Pool(name, size, block, preempts, engine))
        return f"pool {name}{written} {{ {' '.join(choices.shuffled(options))} }}"

    def _pool_orders(self, engine: Stage | None, preempts: bool) -> list[str]:
        choices, expressions = self.choices, self.expressions
        options = []
        engine = engine if engine is not None and engine.kind == "step" else None
        with expressions.having(own=engine, via=engine is not None, cached=True):
            if choices.chance(0.4):
                keys = choices.joined(lambda: expressions.expr("evict", 1), 1, 2)
                options.append(choices.pick(("evict lru;", f"evict by ({keys});", f"evict by ({keys});")))
            if choices.chance(0.4):
                keys = choices.joined(lambda: expressions.expr("queue", 1), 1, 2)
                options.append(choices.pick(("queue fifo;", f"queue by ({keys});", f"queue by ({keys});")))
            if preempts:
                keys = choices.joined(lambda: expressions.expr("preempt", 1), 1, 2)
                tail = choices.pick(("", " requeue head", " requeue tail"))
                options.append(choices.pick(("preempt lifo;", f"preempt by ({keys}){tail};")))
            elif choices.chance(0.2):
                options.append("preempt none;")
        return options

    def stage(self, kind: str) -> str:
        """A stage of a kind: `fifo`, `ps`, `delay` or `step`."""
        written, size = self.size()
        name = self.world.name(self.choices, "stage", "s")
        if kind == "step":
            registers = ()
            if size in (None, 1) and self.choices.chance(0.4):
                registers = tuple(self.choices.several(lambda: self.world.name(self.choices, "register", "r"), 1, 2))
            stage = Stage(name, kind, size, registers)
            text = self.step(stage, [pool.name for pool in self.world.pools if pool.size in (None, 1)])
            self.world.stages.append(stage)
            return f"stage {name}{written} : {text}{self.choices.maybe(';', 0.4)}"
        self.world.stages.append(Stage(name, kind, size))
        return f"stage {name}{written} : {self.simple_kind(kind)};"

    def simple_kind(self, kind: str) -> str:
        """The text of `fifo`, `ps` or `delay`."""
        match kind:
            case "fifo":
                return self.choices.pick(("fifo", "fifo(1)", "fifo(1 + 2)", "fifo(3)"))
            case "ps":
                return f"ps({self.expressions.expr('ps')})"
            case _:
                return "delay"

    def step(self, stage: Stage, memories: list[str]) -> str:
        """A step engine's text; `memories` are what it may name as its memory."""
        choices, expressions = self.choices, self.expressions
        with expressions.having(own=stage, cached=True):
            exclusive = not stage.registers and choices.chance(0.15)
            body = bool(stage.registers) or (not exclusive and choices.chance(0.3))
            options = [f"cost {expressions.expr('cost')};"]
            if choices.chance(0.5):
                options.append(f"budget {expressions.expr('budget', 1)};")
            if choices.chance(0.3):
                options.append(f"chunk {choices.pick(('0', '8', expressions.attribute('budget')))};")
            if not exclusive and choices.chance(0.2):
                options.append(f"granule {choices.word('1 2 4 0.5')};")
            if memories and choices.chance(0.5):
                options.append(f"memory {choices.pick(memories)};")
            options += [f"state {name} = {choices.word('0 1 -1 2.5')};" for name in stage.registers]
            if exclusive:
                options.append("serve exclusive prefill;")
            elif body:
                options.append(choices.maybe(lambda: f"serve {self.order('order')};", 0.3))
                options.append(f"iteration {{ {self.iteration(stage)} }}")
            elif choices.chance(0.6):
                only = choices.maybe(lambda: f"only ({expressions.test('only')})", 0.4)
                order = choices.maybe(lambda: self.order("order"), 0.6)
                options.append(f"serve {only} {order};" if only or order else "")
        return f"step {{ {' '.join(choices.shuffled(options))} }}"

    def order(self, moment: str) -> str:
        """A serve order."""
        keys = self.choices.joined(lambda: self.expressions.expr(moment, 1), 1, 2)
        return self.choices.pick(("admission", f"by ({keys})", f"by ({keys})", "decode first"))

    def iteration(self, stage: Stage) -> str:
        """The statements of an iteration body, with something served on every path."""
        statements = self.choices.several(lambda: self.iteration_statement(stage, 2), 0, 3)
        return " ".join([*statements, self.choices.pick(("serve;", "admit;", "serve; admit while (!preempted);"))])

    def iteration_statement(self, stage: Stage, depth: int) -> str:
        """One statement of an iteration body."""
        choices, expressions = self.choices, self.expressions
        kind = choices.random.randrange(4 if depth else 3)
        only = choices.maybe(lambda: f" only ({expressions.test('only')})")
        if kind == 0:
            return f"serve{only}{choices.maybe(lambda: ' ' + self.order('only'))};"
        if kind == 1:
            gate = choices.maybe(lambda: f" while ({expressions.test('iter')})", 0.5)
            return f"admit{only}{gate};"
        if kind == 2:
            if not stage.registers:
                return "serve;"
            return f"set {choices.pick(stage.registers)} = {expressions.expr('iter')};"
        inner = " ".join(choices.several(lambda: self.iteration_statement(stage, depth - 1), 0, 2))
        other = " ".join(choices.several(lambda: self.iteration_statement(stage, depth - 1), 0, 2))
        otherwise = choices.maybe(f" else {{ {other} }}", 0.5)
        return f"branch ({expressions.test('iter')}) {{ {inner} }}{otherwise}"

    def flow_stages(self) -> list[str]:
        """Shared stages for flows, and their share."""
        names = [f"line{number}" for number in range(self.choices.random.randint(2, 3))]
        items = []
        for name in names:
            size = self.choices.pick((None, None, 2))
            self.world.flows.append(Stage(name, "ps", size))
            items.append(f"stage {name}{'' if size is None else f'[{size}]'} : ps({self.choices.word('1 2 8.5 inf')});")
        return items

    # ---------------------------------------------------------------- measurements and settings

    def gauge(self) -> str:
        """A gauge."""
        name = self.world.name(self.choices, "gauge", "g")
        return f"gauge {name} = {self.expressions.expr('gauge')};"

    def claim(self) -> str:
        """A claim of one of the three forms."""
        choices, expressions = self.choices, self.expressions
        name = self.world.name(choices, "claim", "k")
        with expressions.having(cached=True):
            given = choices.maybe(lambda: f" given ({expressions.expr('given', 1)})")
            engines = self.world.engines()
            if engines and choices.chance(0.6):
                engine = choices.pick(engines)
                with expressions.having(own=engine):
                    condition = expressions.expr("every")
                where = expressions.reference(engine, "every")
                return f"claim {name}{given} : {choices.word('every some')} iteration of {where} ({condition});"
            return f"claim {name}{given} : at end ({expressions.expr('end')});"

    def settings(self, counted: bool) -> list[str]:
        """One or two `run` blocks."""
        choices = self.choices
        options = [f"horizon {choices.pick(('10', '1e3', f'10 + ({self.constant_expression(1)})'))};"]
        options += [choices.maybe("warmup 0.5;"), choices.maybe("seed 7;"), choices.maybe("horizon 50;", 0.05)]
        if counted:
            options.append(choices.maybe("arrivals 5;"))
        if choices.chance(0.1):
            return [f"run {{ {option} }}" for option in options]
        return [f"run {{ {' '.join(choices.shuffled(options))} }}"]
