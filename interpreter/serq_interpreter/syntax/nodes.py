"""A table of node classes, long for that: the syntax tree, what the text says before names mean anything.

Every node has its `first` and `last` token; `place` turns them into a range.  Class
names mirror the rules of `serq.lark`.  A part that could not be read is `ErrorExpr`,
`ErrorStmt` or `None` where the field says so; nothing downstream reports it again.
"""

from __future__ import annotations

from serq_interpreter.record import record
from serq_interpreter.syntax.tokens import Place, Token


@record
class Node:
    first: Token
    last: Token

    @property
    def place(self) -> Place:
        first, last = self.first, self.last
        if last.chunk is not first.chunk or last.end < first.start:
            last = first
        return _made(Place, (first.chunk, first.start, last.end, first.via))


_made = tuple.__new__


# --------------------------------------------------------------------------- expressions


@record
class Number(Node):
    value: float
    """The nearest double; NaN where the literal was malformed (already reported)."""


@record
class Reference(Node):
    """`NAME`, `NAME.NAME`, `NAME[e]`, `NAME[e].NAME`: a pool, stage or queue in a statement, or an argument.

    As a value only the forms without an index occur.
    """

    name: Token
    index: Expr | None = None
    member: Token | None = None


@record
class Paren(Node):
    inner: Expr


@record
class Apply(Node):
    """A function (uses of definitions are expanded and leave no node)."""

    name: Token
    args: tuple[Expr, ...]


@record
class Draw(Node):
    """`~NAME(args)`."""

    name: Token
    args: tuple[Expr, ...]


@record
class Aggregate(Node):
    """`max|min|sum index in count (body)`."""

    op: Token
    index: Token
    count: Expr
    body: Expr


@record
class UnaryOp(Node):
    op: str
    operand: Expr


@record
class BinaryOp(Node):
    """`op` is the operator as written: `+ - * / ^ < <= > >= == != && ||`."""

    op: str
    left: Expr
    right: Expr


@record
class Conditional(Node):
    test: Expr
    then: Expr
    otherwise: Expr


@record
class ErrorExpr(Node):
    pass


Expr = Number | Reference | Paren | Apply | Draw | Aggregate | UnaryOp | BinaryOp | Conditional | ErrorExpr


# --------------------------------------------------------------------------- statements


@record
class Block(Node):
    """`{ … }`; `first` and `last` are the braces."""

    statements: tuple[Stmt, ...]


@record
class SimpleStmt(Node):
    """`turn;` `end;` `join;`: `word` says which."""

    word: Token


@record
class RequestStmt(Node):
    word: Token
    gateway: Token | None


@record
class SetStmt(Node):
    name: Token
    value: Expr


@record
class ObserveStmt(Node):
    name: Token
    value: Expr


@record
class HoldPool(Node):
    pool: Reference
    units: Expr
    reserve: Expr | None


@record
class Binding(Node):
    name: Token
    value: Expr


@record
class Clause(Node):
    """`reuse (e)` or `cache (e)`, from the word to the `)`."""

    value: Expr


@record
class LeaseClause(Node):
    pool: Reference
    time: Expr


@record
class HoldStmt(Node):
    word: Token
    pools: tuple[HoldPool, ...]
    reuse: Clause | None
    bindings: tuple[Binding, ...]
    body: Block
    cache: Clause | None
    lease: LeaseClause | None


@record
class PoolStmt(Node):
    """`grow`, `load` (with units), `drop`, `release` (without): `word` says which."""

    word: Token
    pool: Reference
    units: Expr | None


@record
class GrowingClause(Node):
    pool: Reference


@record
class RunStmt(Node):
    """`stages` is empty for `run (W);` of a queue entry."""

    word: Token
    stages: tuple[Reference, ...]
    mode: Token | None
    work: Expr
    growing: GrowingClause | None


@record
class BranchStmt(Node):
    """`branch (guard)` or, with `probability`, `branch with (guard)`."""

    word: Token
    probability: bool
    guard: Expr
    then: Block
    otherwise: Block | None


@record
class LoopStmt(Node):
    word: Token
    body: Block


@record
class ForkStmt(Node):
    word: Token
    body: Block


@record
class SpawnStmt(Node):
    """`spawn (count) into group inherit pool { body }` (extension v4b)."""

    word: Token
    count: Expr
    group: Token
    inherit: InheritClause | None
    body: Block


@record
class InheritClause(Node):
    """`inherit POOL`."""

    pool: Reference


@record
class JoinGroupStmt(Node):
    """`join group;` (extension v4b)."""

    word: Token
    group: Token


@record
class ChooseStmt(Node):
    word: Token
    name: Token
    count: Expr
    keys: tuple[Expr, ...]


@record
class MarkStmt(Node):
    name: Token


@record
class ServingStmt(Node):
    """`prefill`, `decode`, `tool`, `transfer`: `role` says which.

    `index` is `role[e]`, `stages` is `on S, …`; a transfer has `source`, `target` and `units`.
    """

    role: Token
    index: Expr | None
    stages: tuple[Reference, ...]
    work: Expr
    growing: GrowingClause | None
    source: Reference | None
    target: Reference | None
    units: Expr | None


@record
class CallStmt(Node):
    """`QUEUE[index].verb (args) from source to target (units);`"""

    queue: Token
    index: Expr | None
    verb: Token
    args: tuple[Expr, ...]
    source: Reference | None
    target: Reference | None
    units: Expr | None


DAMAGED = "<damaged>"
"""The text of a `branch` that stands, while parsing, for a hold whose head was given up; it becomes an `ErrorStmt`."""


@record
class ErrorStmt(Node):
    """A statement that could not be read; names that it assigns as far as they could be seen."""

    assigned: tuple[Token, ...] = ()


Stmt = (
    SimpleStmt
    | RequestStmt
    | SetStmt
    | ObserveStmt
    | HoldStmt
    | PoolStmt
    | RunStmt
    | BranchStmt
    | LoopStmt
    | ForkStmt
    | SpawnStmt
    | JoinGroupStmt
    | ChooseStmt
    | MarkStmt
    | ServingStmt
    | CallStmt
    | ErrorStmt
)


# --------------------------------------------------------------------------- iteration bodies


@record
class Order(Node):
    """`admission` (`keys == ()`), `by (keys)`, `decode first`, or `exclusive prefill`.

    `form` is `admission`, `by`, `decode first` or `exclusive prefill`.
    """

    form: str
    keys: tuple[Expr, ...] = ()


@record
class IterServe(Node):
    only: Expr | None
    order: Order | None


@record
class IterAdmit(Node):
    only: Expr | None
    gate: Expr | None


@record
class IterBranch(Node):
    guard: Expr
    then: tuple[IterStmt, ...]
    otherwise: tuple[IterStmt, ...] | None


@record
class IterSet(Node):
    name: Token
    value: Expr


IterStmt = IterServe | IterAdmit | IterBranch | IterSet


# --------------------------------------------------------------------------- options


@record
class ValueOption(Node):
    """An option with one expression: `cap`, `block`, `cost`, `budget`, `chunk`, `granule`, `horizon`, …"""

    word: Token
    value: Expr


@record
class KeysOption(Node):
    """`evict`, `queue`, `preempt`: `form` is `lru`, `fifo`, `none`, `lifo` or `by`; `tail` is `requeue tail`."""

    word: Token
    form: str
    keys: tuple[Expr, ...] = ()
    tail: bool = False


@record
class NameOption(Node):
    """`admit via NAME`, `memory NAME`."""

    word: Token
    name: Token


@record
class ReserveHeldOption(Node):
    word: Token


@record
class SpillOption(Node):
    word: Token
    target: Token
    via: Token
    work: Expr
    when: Expr


@record
class ServeOption(Node):
    """The step option `serve [only (p)] [order]`."""

    word: Token
    only: Expr | None
    order: Order | None


@record
class StateOption(Node):
    word: Token
    name: Token
    value: Expr


@record
class IterationOption(Node):
    word: Token
    body: tuple[IterStmt, ...]


PoolOption = ValueOption | KeysOption | NameOption | ReserveHeldOption | SpillOption
StepOption = ValueOption | ServeOption | NameOption | StateOption | IterationOption


@record
class StageKind(Node):
    """`word` is `fifo`, `ps`, `delay`, `step`, or the text of an unknown kind (already reported).

    `argument` is the count of a fifo or the capacity of a ps; `options` are a step engine's.
    `damaged` says that part of a step body could not be read.
    """

    word: str
    argument: Expr | None = None
    options: tuple[StepOption, ...] = ()
    damaged: bool = False


# --------------------------------------------------------------------------- items


@record
class UseItem(Node):
    path: Token
    """The STRING token; its text has no quotes."""


@record
class LetItem(Node):
    name: Token
    value: Expr


@record
class DefItem(Node):
    """`tokens` is the body as written, `None` when it could not be delimited."""

    name: Token
    parameters: tuple[Token, ...]
    is_expression: bool
    tokens: tuple[Token, ...] | None


@record
class PoolItem(Node):
    """Also a pool of a queue.  `damaged` says that an option could not be read."""

    word: Token
    name: Token
    size: Expr | None
    options: tuple[PoolOption, ...]
    damaged: bool = False


@record
class StageItem(Node):
    word: Token
    name: Token
    size: Expr | None
    kind: StageKind


@record
class ArriveClause(Node):
    """`form` is the word after `arrive`; `value` is `None` for `none`."""

    form: Token
    value: Expr | None


@record
class TraceClause(Node):
    path: Token
    ordered: bool


@record
class BlockClause(Node):
    """`init`, `turn` or `session` of a workload."""

    word: Token
    body: Block


@record
class HiddenClause(Node):
    names: tuple[Token, ...]


WorkloadClause = ArriveClause | TraceClause | BlockClause | HiddenClause


@record
class WorkloadItem(Node):
    word: Token
    clauses: tuple[WorkloadClause, ...]
    damaged: bool = False


@record
class SessionItem(Node):
    word: Token
    body: Block


@record
class ServerItem(Node):
    word: Token
    body: Block


@record
class ServeDecl(Node):
    """A queue's `serve KIND [latency e]` or `nic KIND [latency e]` (the latter's latency is an error)."""

    word: Token
    kind: StageKind
    latency: Clause | None
    apart: bool = False
    """`serve KIND; latency e;`: nobody asks then whether the queue is a link."""


@record
class EntryDecl(Node):
    """`parameters` is `None` when no list is written."""

    verb: Token
    parameters: tuple[Token, ...] | None
    source: Token | None
    body: Block


QueuePart = PoolItem | ServeDecl | EntryDecl


@record
class QueueItem(Node):
    word: Token
    name: Token
    size: Expr | None
    roles: tuple[Token, ...]
    parts: tuple[QueuePart, ...]
    damaged: bool = False


@record
class RelationItem(Node):
    """`reader pull source` or `source push reader`: `left verb right [latency e] share POLICY`."""

    left: Token
    verb: Token
    right: Token
    latency: Clause | None
    policy: Token


@record
class ShareItem(Node):
    word: Token
    policy: Token


@record
class GaugeItem(Node):
    name: Token
    value: Expr


@record
class ClaimItem(Node):
    """`form` is `every`, `some` or `end`; `stage` is `None` for `at end`."""

    name: Token
    given: Expr | None
    form: str
    stage: Reference | None
    condition: Expr


@record
class RunItem(Node):
    word: Token
    options: tuple[ValueOption, ...]
    damaged: bool = False


@record
class ErrorItem(Node):
    """An item that could not be read; `declared` are (kind, name) pairs that its head still shows.

    Kinds: `let def pool stage queue gauge claim`.
    """

    declared: tuple[tuple[str, Token], ...] = ()


Item = (
    UseItem
    | LetItem
    | DefItem
    | PoolItem
    | StageItem
    | WorkloadItem
    | SessionItem
    | ServerItem
    | QueueItem
    | RelationItem
    | ShareItem
    | GaugeItem
    | ClaimItem
    | RunItem
    | ErrorItem
)


@record
class Definition:
    """A definition that uses below it may expand.  `tokens` is `None` when its body is unknown."""

    item: DefItem
    file: str

    @property
    def name(self) -> str:
        return self.item.name.text


@record
class Tree:
    """A parsed program.

    `items` are in the order of the text, those of used libraries excluded (`libraries` holds their files).
    `definitions` are all that the program declares or uses, in order.  `unparsed` holds every name that
    occurs as a token in a region that could not be read (spec 03 §4.2); `damaged` says whether there is any.
    """

    file: str
    items: tuple[Item, ...]
    definitions: tuple[Definition, ...]
    unparsed: frozenset[str]
    damaged: bool
