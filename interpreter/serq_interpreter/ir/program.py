"""The kernel: what a serQ program *is*, with indices in place of names.

A `Program` is closed (every index is in range) and immutable.  It mirrors IR 11
field for field, except that statement blocks are a tree instead of an arena and
that a hold's header is an explicit admission.  Nodes are compared by identity, so
that a side table (`ir.origins`) can map each to its place in the source.

Programs may nest thousands of levels deep: walk them with `ir.walk`, never by
recursion through `repr`, `==` or `copy`.
"""

from __future__ import annotations

from enum import StrEnum

from serq_interpreter.record import record

IR_VERSION = 11
EXTENDED_VERSION = "v4b"
"""The version of a file that says more than IR 11: programs with `spawning`."""

BUILTIN_ATTRIBUTES = (
    "cached",
    "serial",
    "turn_no",
    "new",
    "out",
    "think",
    "more",
    "forced",
    "computed",
)
"""Attribute slots 0 to 8 of every program, in this order."""

SLOT_CACHED, SLOT_SERIAL, SLOT_TURN, SLOT_NEW, SLOT_OUT, SLOT_THINK, SLOT_MORE, SLOT_FORCED, SLOT_COMPUTED = range(9)


# --------------------------------------------------------------------------- expressions


@record
class Num:
    """A number; `inf` and `-inf` are allowed, NaN is not."""

    value: float


@record
class Attr:
    """The session attribute in `slot` of `Program.attrs`."""

    slot: int


@record
class Ctx:
    """A context variable, by its IR name (`Now`, `Ntok`, …; spec 08 §5.4)."""

    name: str


@record
class Sample:
    """A draw; `distribution` is `Exp Det Uniform Erlang H2 Bernoulli`."""

    distribution: str
    args: tuple[Expr, ...]


@record
class PoolRef:
    """Member `index` of the `count` pools that start at `base`; no index means the first."""

    base: int
    count: int
    index: Expr | None


@record
class StageRef:
    """Member `index` of the `count` stages that start at `base`; no index means the first."""

    base: int
    count: int
    index: Expr | None


@record
class Call:
    """A function by its IR name (`Min`, `Used`, `EstRho`, …; spec 08 §2)."""

    function: str
    args: tuple[Expr | PoolRef | StageRef, ...]


@record
class Unary:
    """`op` is `Neg` or `Not`."""

    op: str
    operand: Expr


@record
class Binary:
    """`op` is one of `Add Sub Mul Div Pow Lt Le Gt Ge Eq Ne And Or`."""

    op: str
    left: Expr
    right: Expr


@record
class Cond:
    test: Expr
    then: Expr
    otherwise: Expr


@record
class Agg:
    """`kind` is one of `Total Count Largest Smallest PrefixTotal` of `Program.observes[observation]`."""

    kind: str
    observation: int


@record
class Reg:
    """The register at `index` of `Program.registers`."""

    index: int


Expr = Num | Attr | Ctx | Sample | Call | Unary | Binary | Cond | Agg | Reg


# --------------------------------------------------------------------------- statements


@record
class Block:
    statements: tuple[Stmt, ...] = ()


@record
class Turn:
    pass


@record
class End:
    pass


@record
class Join:
    pass


@record
class Set:
    slot: int
    value: Expr


@record
class Observe:
    observation: int
    value: Expr


@record
class Take:
    """One pool of a hold's header: `units` taken, `reserve` units needed to admit (`None`: the units)."""

    pool: PoolRef
    units: Expr
    reserve: Expr | None


@record
class Admission:
    """What the scheduler evaluates, once, when it decides on a hold."""

    takes: tuple[Take, ...]
    reuse: Expr | None


@record
class Lease:
    pool: PoolRef
    time: Expr


@record
class Hold:
    admission: Admission
    body: Block
    cache: Expr | None
    lease: Lease | None


@record
class Grow:
    pool: PoolRef
    units: Expr


@record
class Load:
    pool: PoolRef
    units: Expr


@record
class Drop:
    pool: PoolRef


@record
class Release:
    pool: PoolRef


class RunMode(StrEnum):
    PLAIN = "Plain"
    PREFILL = "Prefill"
    DECODE = "Decode"


@record
class Run:
    """Work at one stage, or at `stage` and all of `also` at once (a flow)."""

    stage: StageRef
    mode: RunMode
    work: Expr
    growing: PoolRef | None
    also: tuple[StageRef, ...] = ()


@record
class Branch:
    guard: Expr
    then: Block
    otherwise: Block


@record
class Loop:
    body: Block


@record
class Fork:
    body: Block


@record
class Spawn:
    """Create `count` children of the session (extension v4b).

    `body` holds `Set` statements only; their values are read in the parent's session, and written into each child.
    `group` indexes `Spawning.groups`; the children read the parent's cached prefix on `inherit`.
    """

    count: Expr
    group: int
    inherit: PoolRef | None
    body: Block


@record
class JoinGroup:
    """Wait until all children of the group have ended (extension v4b)."""

    group: int


@record
class Choose:
    slot: int
    count: Expr
    keys: tuple[Expr, ...]


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
)


# --------------------------------------------------------------------------- pools


@record
class PreemptBy:
    keys: tuple[Expr, ...]
    requeue_tail: bool = False


@record
class Spill:
    """To pool `to`, over stage `via`, taking `work`, when `when` holds."""

    to: int
    via: int
    work: Expr
    when: Expr


@record
class Pool:
    """One member of a pool family; `index` is `None` for a pool declared without a size.

    `evict_keys` `None` is least recently used; `queue_keys` `None` is first in, first out;
    `preempt` `None` is no preemption; `admit_via` is the index of the admitting stage.
    """

    name: str
    index: int | None = None
    cap: float = float("inf")
    block: float | None = None
    evict_keys: tuple[Expr, ...] | None = None
    preempt: PreemptBy | None = None
    queue_keys: tuple[Expr, ...] | None = None
    spill: Spill | None = None
    admit_via: int | None = None
    reserve_held: bool = False


# --------------------------------------------------------------------------- stages


@record
class Fifo:
    servers: int


@record
class Ps:
    capacity: Expr


@record
class Delay:
    pass


@record
class IterServe:
    """`only` restricts, `by` orders; an absent order is the engine's."""

    only: Expr | None = None
    by: tuple[Expr, ...] | None = None


@record
class IterAdmit:
    only: Expr | None = None
    gate: Expr | None = None


@record
class IterBranch:
    guard: Expr
    then: tuple[IterStmt, ...]
    otherwise: tuple[IterStmt, ...]


@record
class IterSet:
    register: int
    value: Expr


IterStmt = IterServe | IterAdmit | IterBranch | IterSet


@record
class Step:
    """A step engine.  `serve` `None` is exclusive prefill, `()` is admission order.

    `chunk` 0 is no cap.  `memory` is a pool index.  `iteration` `None` is the default body.
    """

    budget: Expr
    cost: Expr
    chunk: Expr
    serve: tuple[Expr, ...] | None = ()
    granule: float | None = None
    memory: int | None = None
    iteration: tuple[IterStmt, ...] | None = None


StageKind = Fifo | Ps | Delay | Step


@record
class Stage:
    name: str
    index: int | None
    kind: StageKind


# --------------------------------------------------------------------------- workload


@record
class Poisson:
    rate: float


@record
class Renewal:
    gap: Expr


@record
class Closed:
    sessions: int


@record
class Batch:
    sessions: int


@record
class ScriptedSession:
    """Slots and values written after `init`, and one list per scripted turn (spec 08 §6)."""

    attrs: tuple[tuple[int, float], ...]
    turns: tuple[tuple[tuple[int, float], ...], ...] | None = None


@record
class Sessions:
    sessions: tuple[ScriptedSession, ...]


@record
class NoArrival:
    pass


Arrival = Poisson | Renewal | Closed | Batch | Sessions | NoArrival


# --------------------------------------------------------------------------- measurements


class Share(StrEnum):
    MAX_MIN = "MaxMin"
    BOTTLENECK = "Bottleneck"


@record
class Gauge:
    name: str
    value: Expr


class ClaimKind(StrEnum):
    EVERY_ITERATION = "EveryIteration"
    SOME_ITERATION = "SomeIteration"
    AT_END = "AtEnd"


@record
class Claim:
    """`stage` is the step engine's index, `None` for a claim at the end."""

    name: str
    given: Expr | None
    kind: ClaimKind
    stage: int | None
    condition: Expr


@record
class Register:
    name: str
    stage: int
    initial: float


@record
class Spawning:
    """What a program of the extension v4b has besides: the groups of children by name, and the slots of the attributes
    `parent` (the parent's serial, -1 for a session that arrived) and `depth` where the program reads them."""

    groups: tuple[str, ...]
    parent: int | None = None
    depth: int | None = None


@record
class Program:
    """A whole program.  Times are in simulated seconds; `arrivals` bounds a finite run."""

    attrs: tuple[str, ...]
    observes: tuple[str, ...]
    pools: tuple[Pool, ...]
    stages: tuple[Stage, ...]
    arrival: Arrival
    trace: str | None
    trace_ordered: bool
    init: Block
    turn: Block
    session: Block
    horizon: float
    warmup: float
    seed: int
    arrivals: int | None = None
    hidden: tuple[int, ...] = ()
    share: Share | None = None
    gauges: tuple[Gauge, ...] = ()
    claims: tuple[Claim, ...] = ()
    registers: tuple[Register, ...] = ()
    spawning: Spawning | None = None
    """`None` for a program that IR 11 can say."""
    orphan_blocks: int = 0
    """Blocks of an IR 11 file that no root reaches; they mean nothing."""
