"""What one elaboration leaves for the next: what items and statements gave, for as long as it is sure to be the same.

A *part* is a pool, a stage, a gauge, a claim or a statement at the top of a block.  What it gives depends on its text and
on its surroundings: the declarations as far as other items read them.  When neither has changed, the part is not
elaborated again: its result is taken and what it told the elaboration on the way (uses, reads, observations) is told
again.  Only parts of programs without queues and servers are kept, and only those of which nothing was reported: a finding
names places of other items.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from serq_interpreter.semantics.context import Elaboration, Read, Use
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Place, place_of

T = TypeVar("T")

_ELSEWHERE = (nodes.ErrorItem, nodes.QueueItem, nodes.RelationItem, nodes.ServerItem, nodes.ShareItem)
"""Items from which statements of other items are made."""


class Part(NamedTuple):
    """What one part gave, and what it told on the way."""

    node: object
    """The syntax; kept so that its identity stays its own."""
    order: int
    result: object
    uses: tuple[Use, ...]
    reads: tuple[Read, ...]
    bound: tuple[int, ...]
    """Which of its reads are `Elaboration.bound_reads`."""
    observed: tuple[tuple[str, Place], ...]


class Kept:
    """The parts of one elaboration, by the identity of their syntax."""

    __slots__ = ("observed", "parts", "surroundings")

    def __init__(self, surroundings: object) -> None:
        self.surroundings = surroundings
        self.observed: tuple[str, ...] = ()
        """The observations that gauges and claims may read."""
        self.parts: dict[int, Part] = {}


class Keeping:
    """Takes parts of an earlier elaboration and remembers those of this one, whose names are all declared by now."""

    def __init__(self, ctx: Elaboration, before: Kept | None) -> None:
        self.ctx = ctx
        self.before = before
        self.known: dict[int, Part] = {}
        self.now: Kept | None = None
        source = ctx.source
        if source.damaged or ctx.request.extended or any(isinstance(item, _ELSEWHERE) for item in source.items):
            return
        self.now = Kept(_surroundings(ctx))
        if before is not None and before.surroundings == self.now.surroundings:
            self.known = before.parts

    def part(self, node: object, order: int, make: Callable[[], T]) -> T:
        """What `make` gives for `node`, which stands in item number `order`."""
        if self.now is None:
            return make()
        known = self.known.get(id(node))
        if known is None or known.order != order:
            return self._made(node, order, make, self.now)
        self._tell(known)
        self.now.parts[id(node)] = known
        return known.result  # type: ignore[return-value]  # the same node is made by the same function

    def measures(self) -> None:
        """From here on the parts are gauges and claims, which may read the observations."""
        if self.now is not None:
            self.now.observed = tuple(self.ctx.observed)
            if self.before is not None and self.before.observed != self.now.observed:
                self.known = {}

    def kept(self) -> Kept | None:
        """What the next elaboration may take; with anything reported, what this one was given."""
        return self.before if self.now is None or self.ctx.sink.reported else self.now

    def _made(self, node: object, order: int, make: Callable[[], T], now: Kept) -> T:
        ctx = self.ctx
        n_reads, n_bound = len(ctx.reads), len(ctx.bound_reads)
        told = _told(ctx)
        log: list[Use] = []
        ctx.log = log
        result = make()
        ctx.log = None
        if _told(ctx) == told:
            bound = () if len(ctx.bound_reads) == n_bound else [at - n_reads for at in ctx.bound_reads if at >= n_reads]
            uses = tuple([_own(use) for use in log])
            observed = [(use.symbol[1], use.declared) for use in uses if use.declared is not None and _observes(use)]
            reads = tuple(ctx.reads[n_reads:])
            now.parts[id(node)] = Part(node, order, result, uses, reads, tuple(bound), tuple(observed))
        return result

    def _tell(self, part: Part) -> None:
        ctx = self.ctx
        for name, place in part.observed:
            ctx.observed.setdefault(name, place)
        ctx.use_again(part.uses)
        if part.bound:
            start = len(ctx.reads)
            ctx.bound_reads.update([start + number for number in part.bound])
        ctx.reads += part.reads


def _own(use: Use) -> Use:
    """The use without a declaration that stands in another item, whose symbol is there already."""
    declared = use.declared
    return use if declared is None or declared.chunk is use.token.chunk else use._replace(declared=None)


def _observes(use: Use) -> bool:
    """Whether the use is the name of an `observe`."""
    return use.symbol[0] == "observation" and use.declared == place_of(use.token)


def _told(ctx: Elaboration) -> tuple[object, ...]:
    """What a part that is kept leaves as it was."""
    return (
        ctx.sink.reported,
        ctx.terms.count,
        ctx.n_expanded,
        ctx.n_earlier_reads,
        len(ctx.aggregates),
        len(ctx.size_places),
        len(ctx.kept),
        len(ctx.body_bindings),
        len(ctx.own_readers),
        len(ctx.judged),
        len(ctx.possible_attributes),
    )


def _surroundings(ctx: Elaboration) -> object:
    """All that a part may read of other items."""
    declared = ctx.declared
    return (
        [(pool.name, pool.size, pool.size_known, pool.block, pool.block_known) for pool in declared.pools.values()],
        [pool.order for pool in declared.pools.values()],
        [(stage.name, stage.size, stage.size_known, stage.kind) for stage in declared.stages.values()],
        [stage.order for stage in declared.stages.values()],
        [(register.name, register.engine) for register in declared.registers.values()],
        list(declared.constants.items()),
    )
