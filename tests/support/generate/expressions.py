"""Expressions that are legal at their moment, by the moment table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from serq_interpreter.semantics.moments import readable
from tests.support.generate.choices import Choices
from tests.support.generate.world import Pool, Stage, World

STAGE_READS = ("queue", "busy", "work", "est_lambda", "est_rho", "est_wait")
POOL_READS = ("used", "free", "cachedin", "holders", "queued")
AGGREGATES = ("total", "count", "largest", "smallest", "prefix_total")
NUMBERS = "0 1 2 3 4 0.5 1.5 .25 2. 1_000 1e1 2.5e-1 007 1_0._5"
BINARY = "+ - * / ^ < <= > >= == != && ||"
CONSTANT_MOMENTS = frozenset({"const", "gap"})
FIXED_INDEX = frozenset({"gauge", "every", "end", "given", "const"})
"""Moments whose references have closed indices."""

KEYED = frozenset({"head", "queue", "evict", "preempt"})
"""Moments whose reader of a register is a pool: it reads those of the engine that admits it."""


class Expressions:
    """Expressions of one program."""

    def __init__(self, choices: Choices, world: World) -> None:
        self.choices = choices
        self.world = world
        self.locals: list[str] = []
        """Names in scope at the place: bindings, parameters of an entry."""
        self.indices: list[str] = []
        self.cached = True
        """Whether `cached` may be read: not in the body of a hold without `cache`."""
        self.own: Stage | None = None
        """The engine whose register and `budget_left` are the own ones."""
        self.via: bool = False
        """Whether the pool that reads is admitted by `own`."""
        self.settled_only = False
        """Whether attributes that snapshot live state are to be left alone."""

    @contextmanager
    def having(self, **state: object) -> Iterator[None]:
        """Some of the fields changed for a while."""
        before = {name: getattr(self, name) for name in state}
        for name, value in state.items():
            setattr(self, name, value)
        try:
            yield
        finally:
            for name, value in before.items():
                setattr(self, name, value)

    # ---------------------------------------------------------------- shapes

    def expr(self, moment: str, depth: int = 2) -> str:
        """An expression of the loosest level."""
        choices = self.choices
        if depth <= 0 or choices.chance(0.35):
            return self.leaf(moment)
        shape = choices.random.randrange(12)
        if shape < 5:
            operator = choices.word(BINARY)
            return f"{self.operand(moment, depth - 1)} {operator} {self.operand(moment, depth - 1)}"
        if shape == 5:
            return f"{choices.word('- ! -- !- -!')}{self.operand(moment, depth - 1)}"
        if shape == 6:
            parts = [self.operand(moment, depth - 1) for _ in range(3)]
            return "{} ? {} : {}".format(*parts)
        if shape == 7:
            return self.operand(moment, depth - 1) + "^" + choices.word("- ! -") + self.operand(moment, depth - 1)
        if shape == 8:
            function = choices.word("min max pow")
            return f"{function}({self.expr(moment, depth - 1)}, {self.expr(moment, depth - 1)})"
        if shape == 9:
            return f"{choices.word('abs floor ceil sqrt exp ln')}({self.expr(moment, depth - 1)})"
        if shape == 10:
            return self.over_index(moment, depth - 1)
        return self.use(moment, depth - 1) or self.leaf(moment)

    def operand(self, moment: str, depth: int) -> str:
        """An expression that stands beside an operator: a leaf, or in parentheses."""
        text = self.expr(moment, depth)
        return text if text.replace("_", "a").isalnum() or self.choices.chance(0.04) else f"({text})"

    def over_index(self, moment: str, depth: int) -> str:
        """An aggregate over an index."""
        index = self.world.name(self.choices, "index", "j")
        count = self.choices.pick(("1", "2", "3", "(1 + 1)", *self.small_constants()))
        self.indices.append(index)
        body = self.expr(moment, depth)
        self.indices.pop()
        return f"{self.choices.word('max min sum')} {index} in {count} ({body})"

    def small_constants(self) -> list[str]:
        """Constants that may count things (their names begin with `N`)."""
        return [name for name in self.world.constants if name.startswith("N")]

    def use(self, moment: str, depth: int) -> str:
        """A use of an expression definition, if there is one."""
        if not self.world.functions:
            return ""
        macro = self.choices.pick(self.world.functions)
        arguments = [self.undrawn(moment, depth) for _ in range(macro.parameters)]
        return f"{macro.name}({', '.join(arguments)})"

    def undrawn(self, moment: str, depth: int) -> str:
        """An expression that draws nothing: an argument."""
        text = self.expr(moment, depth)
        return text if "~" not in text else self.number()

    def test(self, moment: str) -> str:
        """A guard: never a bare number other than 0 and 1."""
        if self.choices.chance(0.1):
            return self.choices.word("0 1")
        operator = self.choices.word("< <= > >= == !=")
        return f"{self.operand(moment, 1)} {operator} {self.operand(moment, 1)}"

    def amount(self, moment: str) -> str:
        """Units or work: not negative when closed."""
        pick = self.choices.random.randrange(5)
        if pick < 2:
            return self.number()
        attribute = self.attribute(moment)
        if pick == 2 or not attribute:
            return attribute or self.number()
        if pick == 3:
            return f"max({attribute}, {self.expr(moment, 1)})"
        return f"{attribute} + {self.number()}"

    # ---------------------------------------------------------------- leaves

    def number(self) -> str:
        return self.choices.word(NUMBERS)

    def attribute(self, moment: str) -> str:
        """A session attribute that may be read here, or nothing."""
        world = self.world
        if moment == "e.head":
            return self.choices.pick((*self.locals, "cached", "computed"))
        names = [*self.locals, *world.settled, "serial", "turn_no", "new", "out", "computed"]
        if not self.settled_only:
            names += world.live
        if self.cached:
            names.append("cached")
        if moment == "stmt":
            names += world.hidden
        if moment == "preempt":
            names = [name for name in names if name != "computed"]
        return self.choices.pick(names)

    def leaf(self, moment: str) -> str:
        """A single read that is legal at the moment."""
        if self.indices and self.choices.chance(0.5):
            return self.choices.pick(self.indices)
        if self.locals and self.choices.chance(0.3):
            return self.choices.pick(self.locals)
        if self.choices.chance(0.25):
            return self.number()
        for _ in range(6):
            text = self.read(self.choices.pick(readable(moment)), moment)
            if text:
                return text
        return self.number()

    def read(self, row: str, moment: str) -> str:
        """A read of a row of the table, empty when this program has nothing of the kind."""
        choices, world = self.choices, self.world
        if row in STAGE_READS:
            return self._of(row, self.stage(moment))
        if row in POOL_READS:
            if world.queue_pools and choices.chance(0.4):
                return self._of(row, choices.pick(world.queue_pools))
            return self._of(row, self.pool(moment))
        if row in AGGREGATES:
            return f"{row}({choices.pick(world.observations)})" if world.observations else ""
        match row:
            case "constant":
                return choices.pick(world.constants) if world.constants else ""
            case "attribute":
                if world.marks and moment == "stmt" and choices.chance(0.3):
                    return choices.pick(world.marks)
                return self.attribute(moment)
            case "hidden":
                return choices.pick(world.hidden) if world.hidden else ""
            case "cached":
                return "cached" if self.cached else ""
            case "arithmetic":
                return f"{choices.word('min max pow')}(1, {self.number()})"
            case "aggregate":
                return self.over_index(moment, 0) if len(self.indices) < 2 else ""
            case "draw":
                return self.draw(moment) if not self.indices else ""
            case "budget_own":
                return f"budget_left({self.own.name})" if self.own is not None and self.own.size is None else ""
            case "budget_other":
                others = [s for s in world.engines() if s is not self.own]
                return self._of("budget_left", self.reference(choices.pick(others), moment)) if others else ""
            case "register_own":
                return choices.pick(self.own.registers) if self._reads_own(moment) and self.own else ""
            case "register_other":
                mine = self.own.registers if self.own is not None else ()
                keyed = moment in KEYED
                names = [name for _, name in world.registers() if name not in mine and not keyed]
                return choices.pick(names) if names else ""
            case "blocksize":
                blocks = [pool for pool in world.pools if pool.block]
                return self._of("blocksize", self.reference(choices.pick(blocks), moment)) if blocks else ""
            case "price":
                stage = self.stage(moment)
                return f"price({stage}, {self.expr(moment, 0)}, {self.expr(moment, 0)})" if stage else ""
            case _:
                return row

    def _reads_own(self, moment: str) -> bool:
        if self.own is None or not self.own.registers:
            return False
        return self.via or moment not in KEYED

    def _of(self, function: str, reference: str) -> str:
        return f"{function}({reference})" if reference else ""

    def draw(self, moment: str) -> str:
        """A sample of each of the six distributions."""
        closed = moment in CONSTANT_MOMENTS
        argument = (lambda: self.number()) if closed else (lambda: self.expr(moment, 0))
        name, count = self.choices.pick(
            (("exp", 1), ("det", 1), ("uniform", 2), ("erlang", 2), ("h2", 2), ("bernoulli", 1))
        )
        return f"~{name}({', '.join(argument() for _ in range(count))})"

    # ---------------------------------------------------------------- references

    def stage(self, moment: str) -> str:
        """A reference to some stage, with an index where it needs one."""
        stages = self.world.stages
        return self.reference(self.choices.pick(stages), moment) if stages else ""

    def pool(self, moment: str) -> str:
        """A reference to some pool."""
        pools = self.world.pools
        return self.reference(self.choices.pick(pools), moment) if pools else ""

    def reference(self, named: Pool | Stage, moment: str) -> str:
        """A reference to a pool or stage, indexed if it is a family."""
        if named.size is None:
            return named.name if self.choices.chance(0.95) else f"{named.name}[0]"
        if moment in FIXED_INDEX or self.choices.chance(0.6):
            return f"{named.name}[{self.choices.random.randrange(named.size)}]"
        if self.indices and self.choices.chance(0.5):
            return f"{named.name}[{self.indices[-1]} * 0]"
        with self.having(settled_only=True):
            return f"{named.name}[{self.attribute(moment) if moment != 'gap' else '0'}]"
