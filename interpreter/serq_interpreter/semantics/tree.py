"""A table of node classes, long for that: the elaborated program, names resolved and sugar gone.

This is what the static rules read and what is lowered to the kernel.  It is symbolic
(pools, stages, attributes, registers and observations by name) and tolerant: what an
error made unknown is `Unknown` or `None`, and satisfies every check (spec 03 §3).
Every node knows the syntax node or token it stands for (`at`), also where it was
written once and spliced twice; a finding is kept once per code and place.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from serq_interpreter.record import fact, record, struct
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Finding, Place, Token, place_of

if TYPE_CHECKING:
    from serq_interpreter.semantics.keeping import Kept

# --------------------------------------------------------------------------- expressions


@record
class Num:
    """`bare`: written as a literal, a constant's name, `inf` or `blocksize(p)` (spec 02 §4).

    `measured`: a `blocksize(p)`; what is computed from one is closed, and yet no constant that is folded.
    """

    value: float
    at: Place
    bare: bool = True
    measured: bool = False


@record
class Attr:
    """A session attribute by its full name (`q.m` for a queue's)."""

    name: str
    at: Place


@record
class Ctx:
    """A context variable by its source name (`now`, `tokens`, …)."""

    name: str
    at: Place


@record
class Reg:
    """A register; `engine` is the stage that declares it."""

    name: str
    engine: str
    at: Place


@record
class Draw:
    """`distribution` by its source name; `at` is the whole draw, `~` included."""

    distribution: str
    args: tuple[Expr, ...]
    at: Place


@record
class PoolRef:
    """A pool, or a member of a family.  `at` is the whole reference, `name_at` its name.

    `spelling` identifies the reference as written: two references are the same when it is equal (closed
    indices by value, others token for token after expansion; spec 02 §8).  `name` is `None` when unknown.
    """

    name: str | None
    index: Expr | None
    spelling: tuple[object, ...]
    at: Place
    name_at: Place


@record
class StageRef:
    """A stage, or a member of an array; fields as in `PoolRef`."""

    name: str | None
    index: Expr | None
    spelling: tuple[object, ...]
    at: Place
    name_at: Place


@record
class Call:
    """A function by its source name (`max`, `used`, `est_rho`, …); `at` is the call, `name_at` its name."""

    function: str
    args: tuple[Expr | PoolRef | StageRef, ...]
    at: Place
    name_at: Place


@record
class Unary:
    """`op` is `-` or `!`."""

    op: str
    operand: Expr
    at: Place


@record
class Binary:
    """`op` as written: `+ - * / ^ < <= > >= == != && ||`."""

    op: str
    left: Expr
    right: Expr
    at: Place


@record
class Cond:
    test: Expr
    then: Expr
    otherwise: Expr
    at: Place


@record
class Agg:
    """`total count largest smallest prefix_total` of an observation."""

    kind: str
    observation: str
    at: Place


@record
class Unknown:
    """An expression whose value or meaning an error has made unknown."""

    at: Place


Expr = Num | Attr | Ctx | Reg | Draw | Call | Unary | Binary | Cond | Agg | Unknown


# --------------------------------------------------------------------------- statements


@record
class Block:
    statements: tuple[Stmt, ...]
    at: Place


@record
class Stmt_:
    """What all statements have: the place of the whole statement and of its word."""

    at: Place
    word_at: Place


@record
class Turn(Stmt_):
    pass


@record
class End(Stmt_):
    pass


@record
class Join(Stmt_):
    pass


@record
class Set(Stmt_):
    """`from_binding`: put at the top of a hold's body for an `at admission` binding."""

    name: str
    value: Expr
    name_at: Place
    from_binding: bool = False


@record
class Observe(Stmt_):
    name: str
    value: Expr
    name_at: Place


@record
class Take:
    pool: PoolRef
    units: Expr
    reserve: Expr | None
    at: Place


@record
class Lease:
    pool: PoolRef
    time: Expr
    at: Place


@record
class Hold(Stmt_):
    """Bindings of `at admission` are already replaced in the expressions."""

    takes: tuple[Take, ...]
    reuse: Expr | None
    reuse_at: Place | None
    body: Block
    cache: Expr | None
    lease: Lease | None


@record
class Grow(Stmt_):
    pool: PoolRef
    units: Expr


@record
class Load(Stmt_):
    pool: PoolRef
    units: Expr


@record
class Drop(Stmt_):
    pool: PoolRef


@record
class Release(Stmt_):
    pool: PoolRef


@record
class Run(Stmt_):
    """`mode` is `None`, `prefill` or `decode`; `also` makes it a flow."""

    stage: StageRef
    mode: str | None
    mode_at: Place | None
    work: Expr
    growing: PoolRef | None
    growing_at: Place | None
    also: tuple[StageRef, ...] = ()


@record
class Branch(Stmt_):
    guard: Expr
    then: Block
    otherwise: Block | None


@record
class Loop(Stmt_):
    body: Block


@record
class Fork(Stmt_):
    body: Block


@record
class Spawn(Stmt_):
    """`body` holds `Set` statements only: each child's attributes, their values read in the parent's session."""

    count: Expr
    group: str
    group_at: Place
    inherit: PoolRef | None
    body: Block


@record
class JoinGroup(Stmt_):
    group: str
    group_at: Place


@record
class Choose(Stmt_):
    name: str
    count: Expr
    keys: tuple[Expr, ...]
    name_at: Place


@record
class Opaque(Stmt_):
    """A statement that an error made unknown: it may set, run, take, fork or end anything."""


Stmt = (
    Turn
    | End
    | Join
    | Set
    | Observe
    | Hold
    | Grow
    | Load
    | Drop
    | Release
    | Run
    | Branch
    | Loop
    | Fork
    | Spawn
    | JoinGroup
    | Choose
    | Opaque
)


# --------------------------------------------------------------------------- iteration bodies


@record
class IterServe:
    only: Expr | None
    by: tuple[Expr, ...] | None
    at: Place


@record
class IterAdmit:
    only: Expr | None
    gate: Expr | None
    at: Place


@record
class IterBranch:
    guard: Expr
    then: tuple[IterStmt, ...]
    otherwise: tuple[IterStmt, ...]
    at: Place


@record
class IterSet:
    """`engine` is the engine that declares the register, `None` when it is none (already reported)."""

    name: str
    engine: str | None
    value: Expr
    at: Place
    name_at: Place


IterStmt = IterServe | IterAdmit | IterBranch | IterSet


# --------------------------------------------------------------------------- declarations


@record
class Preempt:
    keys: tuple[Expr, ...]
    tail: bool


@record
class Spill:
    target: str | None
    via: str | None
    work: Expr
    when: Expr
    at: Place


@record
class Pool:
    """A pool or family.  `size` is `None` for a single pool; `size_known` is false when it did not fold.

    `cap` and `block` are `None` when absent or unknown (`cap` absent is `inf`).  `admit_via` is a stage's name.
    """

    name: str
    size: int | None
    size_known: bool
    cap: float | None
    cap_at: Place | None
    block: float | None
    evict: tuple[Expr, ...] | None
    preempt: Preempt | None
    queue: tuple[Expr, ...] | None
    admit_via: str | None
    admit_via_at: Place | None
    reserve_held: bool
    spill: Spill | None
    at: Place
    name_at: Place
    owner: str | None = None
    """The queue that declares it."""


@record
class Engine:
    """The options of a step engine.  `serve` `None` is exclusive prefill; `()` is admission order.

    `serve_only` is the predicate of the option `serve only (p)`; then `iteration` is what the option means
    and `iteration_at` is `None`.
    """

    cost: Expr
    budget: Expr | None
    chunk: Expr | None
    granule: float | None
    granule_at: Place | None
    chunk_at: Place | None
    serve: tuple[Expr, ...] | None
    serve_only: Expr | None
    serve_at: Place | None
    memory: str | None
    memory_at: Place | None
    iteration: tuple[IterStmt, ...] | None
    iteration_at: Place | None
    damaged: bool = False


@record
class Stage:
    """A stage or array.  `kind` is `fifo ps delay step` or `unknown`; `capacity` is a ps stage's."""

    name: str
    size: int | None
    size_known: bool
    kind: str
    servers: int | None
    capacity: Expr | None
    engine: Engine | None
    at: Place
    name_at: Place
    owner: str | None = None
    """The queue (or relation's reader) that declares it."""


@record
class Register:
    name: str
    engine: str
    initial: float | None
    at: Place
    name_at: Place


@record
class Gauge:
    name: str
    value: Expr
    at: Place
    name_at: Place


@record
class Claim:
    """`form` is `every`, `some` or `end`."""

    name: str
    given: Expr | None
    form: str
    stage: StageRef | None
    condition: Expr
    at: Place
    name_at: Place


@record
class Arrival:
    """`form` is `poisson renewal closed batch none`; `value` its folded number, `gap` a renewal's expression."""

    form: str
    value: float | None
    gap: Expr | None
    at: Place
    value_at: Place | None


@record
class Hidden:
    name: str
    at: Place


@struct
class Settings:
    """The run options after folding; `None` when absent or unknown."""

    horizon: float | None = None
    warmup: float | None = None
    seed: float | None = None
    arrivals: float | None = None
    places: dict[str, Place] = field(default_factory=dict)
    """Option word → place of its value."""


@struct
class Elaborated:
    """One elaborated program.  Dictionaries keep the order of declaration (attributes: of first assignment)."""

    pools: dict[str, Pool] = field(default_factory=dict)
    stages: dict[str, Stage] = field(default_factory=dict)
    registers: dict[tuple[str, str], Register] = field(default_factory=dict)
    """Keyed by (engine, name)."""
    attributes: dict[str, Place] = field(default_factory=dict)
    """Full name → first assignment, built-in ones excluded."""
    observations: dict[str, Place] = field(default_factory=dict)
    gauges: list[Gauge] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    constants: dict[str, float | None] = field(default_factory=dict)
    hidden: list[Hidden] = field(default_factory=list)
    extended: bool = False
    """Whether the edition has `spawn`, `join NAME` and the attributes `parent` and `depth` (v4b)."""
    groups: dict[str, Place] = field(default_factory=dict)
    """Group of children → the first `spawn` into it."""
    lineage: dict[str, None] = field(default_factory=dict)
    """Which of `parent` and `depth` the program reads."""
    arrival: Arrival | None = None
    trace: str | None = None
    trace_at: Place | None = None
    trace_ordered: bool = False
    share: str | None = None
    share_at: Place | None = None
    share_places: list[Place] = field(default_factory=list)
    settings: Settings = field(default_factory=Settings)
    init: Block | None = None
    turn: Block | None = None
    session: Block | None = None
    damaged: bool = False
    """Some region of the text could not be read: rules about an absence stay silent."""
    unparsed: frozenset[str] = frozenset()
    findings: list[Finding] = field(default_factory=list)
    """What elaboration itself found (names, sides, queues, constants)."""
    uses: dict[Token, Symbol] = field(default_factory=dict)
    """What each name token means, for hover, definition, references, rename, semantic tokens."""
    symbols: dict[tuple[str, str], Symbol] = field(default_factory=dict)
    """Everything that a name of the program means, by kind and name."""
    facts: object | None = None
    """What the rules know of its expressions (`rules.facts`)."""
    kept: Kept | None = None
    """What the elaboration of the next version of the text may take from this one."""


@fact
class Symbol:
    """What a name stands for.

    `kind`: pool, stage, queue, entry, constant, attribute, register, observation, gauge, claim, definition,
    parameter, index, binding, context, builtin, function, distribution, source, self, group.
    `declared` is where it is declared (for an attribute its first assignment), `None` for the language's own.
    """

    kind: str
    name: str
    declared: Place | None


def place(node: nodes.Node) -> Place:
    """The place of a syntax node."""
    return place_of(node.first, node.last)
