"""What a program declares: one table per name space (spec 02 §2).

The tables keep the order of the text.  `order` is the number of the item that declares a thing: what must be declared
above its use has a smaller one.  An array size that did not fold is `size_known=False`.
"""

from __future__ import annotations

from dataclasses import field

from serq_interpreter.record import struct
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Place, Token


@struct
class PoolDecl:
    """A pool or family.  `name` is the full name (`q.kv`), `short_names` maps a queue's short names to full ones."""

    name: str
    token: Token
    size: int | None
    size_known: bool
    order: int
    at: Place
    name_at: Place
    item: nodes.PoolItem | None = None
    """`None` when only its head could be read."""
    owner: str | None = None
    short_names: dict[str, str] = field(default_factory=dict)
    block: float | None = None
    """Folded before any expression is resolved, because `blocksize` reads it."""
    block_known: bool = True
    damaged: bool = False


@struct
class StageDecl:
    """A stage or array.  `kind` is `fifo ps delay step` or `unknown`."""

    name: str
    token: Token
    size: int | None
    size_known: bool
    order: int
    at: Place
    name_at: Place
    kind: str
    node: nodes.StageKind | None = None
    owner: str | None = None
    part: str = "stage"
    """`stage`, or of a queue `serve`, `nic`, `latency` (of a link), `relation` (the latency of a relation)."""
    short_names: dict[str, str] = field(default_factory=dict)
    latency: float | None = None
    """What a run on a latency stage works."""


@struct
class RegisterDecl:
    name: str
    engine: str
    option: nodes.StateOption
    order: int


@struct
class QueueDecl:
    """A queue; `parts` are looked at in `queues`.  `latency` is a link's."""

    name: str
    token: Token
    size: int | None
    size_known: bool
    order: int
    item: nodes.QueueItem | None
    roles: tuple[str, ...] = ()
    pools: dict[str, PoolDecl] = field(default_factory=dict)
    """By short name."""
    serve: StageDecl | None = None
    nic: StageDecl | None = None
    latency: StageDecl | None = None
    entries: dict[tuple[str, bool], nodes.EntryDecl] = field(default_factory=dict)
    """Keyed by (verb, whether it has `from`)."""
    damaged: bool = False


@struct
class RelationDecl:
    """`reader pull source` or `source push reader`, found through its reader.

    `source` is `None` where an error made the relation unknown.  `wait` is the delay stage of its latency, a stage of
    the posting queue: the reader of a pull, the source of a push.
    """

    reader: str
    source: str | None
    item: nodes.RelationItem
    wait: StageDecl | None = None


@struct
class Declarations:
    """Every name space of one program."""

    pools: dict[str, PoolDecl] = field(default_factory=dict)
    stages: dict[str, StageDecl] = field(default_factory=dict)
    queues: dict[str, QueueDecl] = field(default_factory=dict)
    relations: dict[str, RelationDecl] = field(default_factory=dict)
    """By reader."""
    constants: dict[str, float | None] = field(default_factory=dict)
    """Values so far while items are collected, final ones afterwards; `None` is unknown."""
    constant_tokens: dict[str, Token] = field(default_factory=dict)
    constant_orders: dict[str, int] = field(default_factory=dict)
    """The item of each that could be read: the entries of queues see the constants above them."""
    registers: dict[str, RegisterDecl] = field(default_factory=dict)
    repeated: list[PoolDecl | StageDecl] = field(default_factory=list)
    """Second declarations of a name: checked on their own, meant by no reference."""
    gauges: dict[str, Token] = field(default_factory=dict)
    claims: dict[str, Token] = field(default_factory=dict)
