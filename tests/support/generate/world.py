"""What a generated program has declared, so that what follows can name it."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.grammar.words import WORDS, allowed
from tests.support.generate.choices import Choices


@dataclass(frozen=True, slots=True)
class Pool:
    """`size` is `None` for a pool that is no family; `engine` admits its holds."""

    name: str
    size: int | None = None
    block: bool = False
    preempts: bool = False
    engine: Stage | None = None


@dataclass(frozen=True, slots=True)
class Stage:
    name: str
    kind: str
    size: int | None = None
    registers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Macro:
    """A definition; `pool` says that the first parameter is a pool."""

    name: str
    parameters: int
    pool: bool = False


@dataclass
class World:
    """Names by kind.

    `settled` attributes are set from numbers and draws only, so that a header may read them; `live` ones from anything.
    """

    constants: list[str] = field(default_factory=list)
    pools: list[Pool] = field(default_factory=list)
    stages: list[Stage] = field(default_factory=list)
    flows: list[Stage] = field(default_factory=list)
    settled: list[str] = field(default_factory=list)
    live: list[str] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    observations: list[str] = field(default_factory=list)
    functions: list[Macro] = field(default_factory=list)
    macros: list[Macro] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    """Statements that call an entry of a queue, complete."""
    gateways: list[str] = field(default_factory=list)
    servings: list[str] = field(default_factory=list)
    """Serving forms that find their stage, up to their work."""
    link: str = ""
    """A transfer that finds its stage, up to its work."""
    links: list[str] = field(default_factory=list)
    """Calls of links, up to their arguments."""
    nics: list[str] = field(default_factory=list)
    """NICs that a statement may name."""
    queue_pools: list[str] = field(default_factory=list)
    """Pools of queues as a session reads them."""
    marks: list[str] = field(default_factory=list)
    """What entries mark, as a session reads it."""
    taken: set[str] = field(default_factory=set)

    def engines(self) -> list[Stage]:
        """The step engines."""
        return [stage for stage in self.stages if stage.kind == "step"]

    def registers(self) -> list[tuple[Stage, str]]:
        """Every register with its engine."""
        return [(stage, name) for stage in self.engines() for name in stage.registers]

    def name(self, choices: Choices, kind: str, stem: str) -> str:
        """A new name: mostly `stem` and a number, at times a word of the language that may be one (01 §1.5)."""
        if kind in _WORDY and choices.chance(0.12):
            word = choices.pick(WORDS)
            if word not in self.taken and word not in _HARD and all(allowed(place, word) for place in _WORDY[kind]):
                self.taken.add(word)
                return word
        name = f"{stem}{len(self.taken)}"
        self.taken.add(name)
        return name


_WORDY = {
    "pool": ("pool", "pool array"),
    "stage": ("stage", "stage array"),
    "attribute": ("attribute", "constant", "register"),
    "constant": ("constant",),
    "observation": ("observation",),
    "claim": ("claim",),
    "gauge": ("gauge",),
    "register": ("register", "attribute"),
    "index": ("index",),
}
"""Kind → the places of 01 §1.5 whose restrictions hold for it."""

_HARD = frozenset(["share", "run", "prefill", "decode", "transfer", "tool", "link", "self"])
"""Words that stand for themselves in a place that matters here: a stage of such a name plays a role."""
