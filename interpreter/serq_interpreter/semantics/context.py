"""What one elaboration shares: the declarations, the findings, what names mean, and where a text stands.

An `Elaboration` lives for one call of `elaborate`.  A `Scope` says how names read at one point of the text: local names
(aggregate indices, bindings of `at admission`, parameters of a queue's entry), the moment, and the `Surroundings`
(inside which side or entry).  Scopes are never changed, only extended by copies.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import TYPE_CHECKING, NamedTuple

from serq_interpreter.record import fact, record, struct
from serq_interpreter.semantics import tree
from serq_interpreter.semantics.damage import Damage
from serq_interpreter.semantics.declarations import Declarations
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Chunk, Finding, Fix, Note, Place, Token, place_of

if TYPE_CHECKING:
    from serq_interpreter.semantics.entry_text import EntryText


class Sink:
    """Collects findings; the first of equal ones (code and range, or code and `key`) stays (spec 03 §4.4)."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.reported = 0
        """How often something was reported, also what was known or taken back."""
        self._seen: set[object] = set()

    def report(
        self,
        code: str,
        place: Place,
        *,
        notes: tuple[Note, ...] = (),
        fixes: tuple[Fix, ...] = (),
        help: str = "",
        key: object = None,
        **args: object,
    ) -> None:
        """Add one finding.  A part written once and spliced twice is reported once: `via` is not compared."""
        self.reported += 1
        identity = (code, id(place.chunk), place.start, place.end)
        if identity in self._seen or (key is not None and (code, key) in self._seen):
            return
        self._seen.add(identity)
        if key is not None:
            self._seen.add((code, key))
        self.findings.append(Finding(code, place, args, notes, fixes, help, key))

    def take_back(self, since: int) -> None:
        """Forget the findings after the first `since`, for a caller that says the same in one finding of its own."""
        for finding in self.findings[since:]:
            place = finding.place
            self._seen.discard((finding.code, id(place.chunk), place.start, place.end))
            self._seen.discard((finding.code, finding.key))
        del self.findings[since:]


@record
class IndexValue:
    """An aggregate's index within one of its terms; `None` when the count is unknown."""

    value: float | None
    token: Token


@record
class Argument:
    """What a parameter of an entry stands for: an expression of the caller, resolved in the caller's scope at each
    place that reads it.  `node` is `None` where the entry is looked at on its own (no call): then it is unknown."""

    node: nodes.Expr | None
    scope: Scope | None
    token: Token


@struct
class BindingValue:
    """A binding of `at admission`, read in its header, `cache` or `lease`; resolved at its first read, once a moment."""

    binding: nodes.Binding
    scope: Scope
    """The scope of its expression: the bindings before it."""
    resolved: dict[str, tree.Expr] = field(default_factory=dict)
    """By moment."""
    terms: int = 0
    """Aggregate terms in its expression."""


Local = IndexValue | Argument | BindingValue


class Scope:
    """How names read at one point of the text.

    `order` is the number of the item that the text stands in: a serving form sees the stages of items before it.
    `moment` is `statement`, `header`, `option`, `gauge`, `given`, `claim`, `end` or `gap`.
    `where` names the block for rules that report once per block (`init`, `session`, `pool kv`, …).
    """

    __slots__ = ("locals", "moment", "order", "surroundings", "where")

    def __init__(
        self,
        where: str,
        order: int,
        surroundings: Surroundings,
        moment: str = "statement",
        locals: dict[str, Local] | None = None,
    ) -> None:
        self.where = where
        self.order = order
        self.surroundings = surroundings
        self.moment = moment
        self.locals: dict[str, Local] = {} if locals is None else locals

    def at(self, moment: str) -> Scope:
        """The same scope read at another moment."""
        if moment == self.moment:
            return self
        return Scope(self.where, self.order, self.surroundings, moment, self.locals)

    def with_local(self, name: str, value: Local) -> Scope:
        """The scope with one more local name; a parameter of an entry hides an index of its name (spec 02 §2)."""
        if isinstance(value, IndexValue) and isinstance(self.locals.get(name), Argument):
            return self
        return Scope(self.where, self.order, self.surroundings, self.moment, {**self.locals, name: value})

    def without_bindings(self) -> Scope:
        """The scope of a hold's body and of pools' indices: header names of this and outer holds mean nothing there."""
        if not any(isinstance(value, BindingValue) for value in self.locals.values()):
            return self
        kept: dict[str, Local] = {
            name: value for name, value in self.locals.items() if not isinstance(value, BindingValue)
        }
        return Scope(self.where, self.order, self.surroundings, self.moment, kept)


class Terms:
    """How many aggregate terms have been written out so far (SQ0818)."""

    __slots__ = ("count",)

    def __init__(self) -> None:
        self.count = 0


class Surroundings:
    """Where a text stands, as far as names and statements depend on it.

    This base class is a text outside of queues: items, sessions, servers.  The entries of queues override it.
    A hook that answers `None` leaves the ordinary rule in force.

    `side` is `item`, `init`, `turn`, `session` (at top level), `workload session`, `server`, `entry` or `route`.
    """

    queue: str | None = None
    """The queue whose entry the text is."""

    def __init__(self, side: str) -> None:
        self.side = side

    def value(self, ctx: Elaboration, ref: nodes.Reference, scope: Scope) -> tree.Expr | None:
        """The meaning of a name without a dot read as a value, looked up after locals and before everything else."""
        return None

    def pool(
        self, ctx: Elaboration, ref: nodes.Reference, scope: Scope, *, argument: bool = False
    ) -> tree.PoolRef | None:
        """The pool that a reference of a statement, or an `argument` of a function, names."""
        return None

    def stage(
        self, ctx: Elaboration, ref: nodes.Reference, scope: Scope, *, argument: bool = False
    ) -> tree.StageRef | None:
        """The stage that a reference of a statement, or an `argument` of a function, names."""
        return None

    def attribute(self, ctx: Elaboration, name: Token, scope: Scope) -> str:
        """The full name of the attribute that `set`, `choose` or a body-read binding of `name` assigns."""
        return name.text

    def own_stage(self, ctx: Elaboration, node: nodes.Node, scope: Scope) -> tree.StageRef | None:
        """The stage of `run (W);` and the own engine of a serving form; `None` outside of entries."""
        return None

    def engines(self, ctx: Elaboration, scope: Scope) -> list[str] | None:
        """Names of the step engines that play `prefill` and `decode` here (01 §4.2 rule 3); `None`: all above."""
        return None

    def transfer(self, ctx: Elaboration, node: nodes.ServingStmt, scope: Scope) -> tuple[tree.Stmt, ...] | None:
        """What a `transfer` without `on` means here, where a relation carries it."""
        return None

    def accepts_index(self, ctx: Elaboration, name: Token) -> bool:
        """Whether an aggregate may use `name` as its index; reports SQ0738 when not."""
        return True


OUTSIDE = Surroundings("item")


@fact
class Request:
    """What the caller asks of one elaboration: overrides of constants and run settings (spec 09 §2).

    `constants` maps the name of a `let` to the parsed expression of `--set`.  `horizon` and its fellows, when given,
    replace the program's (finite numbers, already validated).
    """

    constants: dict[str, nodes.Expr] = field(default_factory=dict)
    extended: bool = False
    """Whether the edition of the text has `spawn` and `join NAME`."""
    horizon: float | None = None
    warmup: float | None = None
    seed: int | None = None
    arrivals: int | None = None


class Elaboration:
    """The state of one elaboration."""

    def __init__(self, source: nodes.Tree, request: Request) -> None:
        self.source = source
        self.request = request
        self.damage = Damage(source)
        self.declared = Declarations()
        self.lineage_known = request.extended
        """Whether `parent` and `depth` mean something; also where `spawn` is refused, so that it is refused once."""
        self.sink = Sink()
        self.report: Callable[..., None] = self.sink.report
        self.out = tree.Elaborated(damaged=source.damaged, unparsed=source.unparsed, extended=request.extended)
        self.uses = self.out.uses
        self.log: list[Use] | None = None
        """The calls of `use`, while somebody wants to know them."""
        self.reads: list[Read] = []
        """Every name without a dot that an expression has read, in the order of elaboration (see `Read`)."""
        self.bound_reads: set[int] = set()
        """Numbers of the reads that stand in the body of a hold that binds their name, or where a name that a body reads
        may be read although nothing binds it (see `unwatched`)."""
        self.own_readers: list[tuple[Token, Token]] = []
        """Bindings that their bodies read and that read their own name: (binding, read)."""
        self.assignments: dict[str, Place] = {}
        """Attributes that a `set` or `choose` of the linked program assigns, with the first that does."""
        self.assigned_at: dict[str, list[Place]] = {}
        """All assignments of each."""
        self.observed: dict[str, Place] = {}
        """Observations of the statements elaborated so far."""
        self.judged: set[Token] = set()
        """Names about which something more specific is reported than that nothing declares them."""
        self.body_bindings: list[BodyBinding] = []
        """The bindings of `at admission` that their bodies read."""
        self.n_earlier_reads = 0
        """How often a statement or option read an observation of the statements before it."""
        self.aggregates: list[nodes.Aggregate] = []
        """Checked against the other names once all are known (SQ0220)."""
        self.possible_attributes: set[str] = set()
        """Names set by text that is checked but not used (a second session): no read of one is unknown."""
        self.lets: tuple[Token, ...] = tuple(i.name for i in source.items if isinstance(i, nodes.LetItem))
        self.size_places: list[Place] = []
        self.entries: dict[tuple[str, str, bool], EntryText] = {}
        """Entries of queues by queue, verb and whether they have `from`."""
        self.called: set[tuple[str, str, bool]] = set()
        """Entries that some call or request has reached."""
        self.argument_depth = 0
        """How many arguments of calls are being resolved, one inside the other."""
        self.n_expanded = 0
        """Statements that calls have expanded to so far; a program may have 100 000 (SQ0753)."""
        self.terms = Terms()
        self.sizes: dict[int, int] = {}
        """Written-out sizes of parts of bindings' expressions, by identity."""
        self.kept: list[tree.Expr] = []
        """The expressions that `sizes` knows: an identity is theirs while they live."""
        self.symbols = self.out.symbols

    def use(self, token: Token, kind: str, name: str, declared: Place | None = None) -> None:
        """Record what a name token means."""
        key = (kind, name)
        if self.log is not None:
            self.log.append(Use(token, key, declared))
        symbol = self.symbols.get(key)
        if symbol is None or (symbol.declared is None and declared is not None):
            symbol = self.symbols[key] = tree.Symbol(kind, name, declared)
        self.uses[token] = symbol

    def use_again(self, uses: tuple[Use, ...]) -> None:
        """`use` each of them, whose symbols are mostly known."""
        symbols, found = self.symbols, self.uses
        for use in uses:
            symbol = symbols.get(use.symbol)
            if symbol is None or (symbol.declared is None and use.declared is not None):
                self.use(use.token, *use.symbol, use.declared)
            else:
                found[use.token] = symbol

    def end_of_text(self) -> Place:
        """The empty range after the program's last item."""
        last = self.source.items[-1].last if self.source.items else None
        if last is None or last.chunk.file != self.source.file:
            return Place(Chunk(self.source.file, ""), 0, 0)
        return Place(last.chunk, last.end, last.end)

    def note(self, token: Token, message: str) -> Note:
        """A note at a token."""
        return Note(place_of(token), message)

    def unread(self, *names: str) -> bool:
        """Whether an unparsed region mentions one of `names`, or a queue has lost its name and might have them.

        Nothing about the absence of such a name is reported.
        """
        return "queue" in self.damage.nameless or any(name in self.damage.unparsed for name in names)

    def unwatched(self, since: int) -> None:
        """Let the reads after the first `since` read what some hold binds (SQ0265 does not look there)."""
        self.bound_reads.update(range(since, len(self.reads)))

    def may_declare(self, kind: str, *names: str) -> bool:
        """`unread`, also when a declaration of `kind` has lost its name (see `damage`)."""
        return self.damage.may_declare(kind, *names)


class Use(NamedTuple):
    """The arguments of a call of `Elaboration.use`."""

    token: Token
    symbol: tuple[str, str]
    """Kind and name."""
    declared: Place | None


class Read(NamedTuple):
    """A name read at `token`; `name` is the attribute's full name when it must turn out to be one, else as written.

    Also the bare argument of a function that names a pool, stage or observation: it is a read for `at admission`.
    """

    name: str
    token: Token
    scope: Scope
    attribute: bool


@record
class BodyBinding:
    """A binding that its body reads: `name` is the attribute's full name, `hold` the hold that binds it."""

    name: str
    token: Token
    hold: nodes.HoldStmt
    value: tree.Expr
    reads: tuple[Token, ...]
    """The body's reads of it."""
