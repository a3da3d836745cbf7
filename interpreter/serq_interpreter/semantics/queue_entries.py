"""How names read inside a called entry: parameters, the queue's own pools and stage, `self`, the source (01 §4.5)."""

from __future__ import annotations

from serq_interpreter.record import record, struct
from serq_interpreter.semantics import constants, expressions, names, references, relations, text_places, tree
from serq_interpreter.semantics.closed import closed_value, constant_value
from serq_interpreter.semantics.context import Argument, Elaboration, Read, Scope, Surroundings
from serq_interpreter.semantics.declarations import PoolDecl, QueueDecl, StageDecl
from serq_interpreter.semantics.entry_text import EntryText
from serq_interpreter.semantics.queue_boundary import is_relation_transfer
from serq_interpreter.semantics.relocation import relocated
from serq_interpreter.semantics.renaming import rename_index
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Edit, Expansion, Fix, Place, Token, place_of


@record
class Member:
    """The index that a call writes after a queue's name, read in the scope it is written in."""

    index: nodes.Expr
    scope: Scope

    def value(self, ctx: Elaboration, moment: str) -> tree.Expr:
        """The index as it reads at `moment`."""
        return expressions.resolve(ctx, self.index, self.scope.at(moment))


@record
class Source:
    """What a call is made `from`: the pool that the entries of `queue` lease, or a pool named outright."""

    ref: nodes.Reference
    scope: Scope
    queue: QueueDecl | None = None
    pool: str | None = None
    """The full name of the pool that `queue` leases."""
    member: Member | None = None
    """Which member of `queue`."""

    @property
    def token(self) -> Token:
        return self.ref.name

    def reference(self, ctx: Elaboration, moment: str) -> tree.PoolRef:
        """The pool, read at `moment`."""
        if self.queue is None:
            return references.as_pool(ctx, self.ref, self.scope.at(moment))
        at, name_at = self.ref.place, place_of(self.ref.name)
        declared = ctx.declared.pools.get(self.pool or "")
        index = None
        if self.member is not None:
            index = self.member.value(ctx, moment)
            if declared is not None:
                index = references.closed_index(ctx, index, self.member.index.place, declared, "pool")
        name = None if declared is None else declared.name
        return tree.PoolRef(name, index, references.spelling(self.pool or "", index), at, name_at)


@struct
class CallSite:
    """One call of an entry, or a `request` of a gateway (`node` is then a `RequestStmt`)."""

    node: nodes.CallStmt | nodes.RequestStmt
    queue_token: Token
    scope: Scope
    member: Member | None = None
    source: Source | None = None
    bad_index_told: bool = False


class InsideEntry(Surroundings):
    """The text of an entry as one call reads it; without a `site` it is looked at on its own."""

    def __init__(self, text: EntryText, site: CallSite | None) -> None:
        super().__init__("route" if text.is_route else "entry")
        self.text = text
        self.site = site
        self.queue = text.queue.name
        outer = None if site is None else site.scope.surroundings
        self.outer: InsideEntry | None = outer if isinstance(outer, InsideEntry) else None
        """The entry that the call stands in."""
        self.active: frozenset[EntryText] = frozenset((text,)) if self.outer is None else self.outer.active | {text}
        """Every entry that is being expanded here."""
        self.looked_at: bool = site is None or (self.outer is not None and self.outer.looked_at)
        """Whether no call of the program leads here."""

    # ----------------------------------------------------------------------- names

    def value(self, ctx: Elaboration, ref: nodes.Reference, scope: Scope) -> tree.Expr | None:
        """The source's member, `self` and what the entry sets; a name that the boundary refused is unknown."""
        text, token, name = self.text, ref.name, ref.name.text
        at = place_of(token)
        if id(token) in text.refused:
            return tree.Unknown(at)
        if name == text.source:
            ctx.use(token, "source", name, self._declared_source())
            return self._source_member(ctx, token, scope)
        if name == "self":
            ctx.use(token, "self", name)
            ctx.reads.append(Read(name, token, scope, False))
            return self._self(ctx, token, scope)
        if name in text.sets and not text.is_route:
            ctx.bound_reads.add(len(ctx.reads))  # what a binding has set is the queue's, and read outside its hold too
            return names.attribute(ctx, token, f"{self.queue}.{name}", scope)
        return None

    def _declared_source(self) -> Place | None:
        source = self.text.declared.source
        return None if source is None else place_of(source)

    def _self(self, ctx: Elaboration, token: Token, scope: Scope) -> tree.Expr:
        queue, at = self.text.queue, place_of(token)
        if self.site is None or not queue.size_known:
            return tree.Unknown(at)
        if queue.size is None:
            fixes = () if at.via is not None else (Fix("Write `0`", (Edit(at, "0"),), safe=True),)
            note = (ctx.note(queue.token, f"`{queue.name}` is declared without a size"),)
            ctx.report("SQ0727", at, queue=queue.name, notes=note, fixes=fixes)
            return tree.Unknown(at)
        return self._member(ctx, scope, at)

    def _member(self, ctx: Elaboration, scope: Scope, at: Place) -> tree.Expr:
        """The index of the call, read at the moment of `scope`."""
        site = self.site
        if site is None or site.member is None:
            return tree.Unknown(at)
        return relocated(site.member.value(ctx, scope.moment), self.inside(at))

    def _source_member(self, ctx: Elaboration, token: Token, scope: Scope) -> tree.Expr:
        at = place_of(token)
        if self.site is None or self.site.source is None:
            return tree.Unknown(at)
        source = self.site.source
        pool = source.reference(ctx, scope.moment)
        if pool.name is None:
            return tree.Unknown(at)
        declared = ctx.declared.pools[pool.name]
        if declared.size is None and declared.size_known:
            note = (ctx.note(source.token, f"called from `{source.ref.name.text}` here"),)
            ctx.report("SQ0762", at, name=token.text, notes=note)
            return tree.Unknown(at)
        return tree.Unknown(at) if pool.index is None else relocated(pool.index, self.inside(at))

    def attribute(self, ctx: Elaboration, name: Token, scope: Scope) -> str:
        """What an entry sets is the queue's; what a route sets is the session's."""
        return name.text if self.text.is_route else f"{self.queue}.{name.text}"

    def accepts_index(self, ctx: Elaboration, name: Token) -> bool:
        """An aggregate's index is no name of the entry (SQ0738)."""
        if name.text not in self.text.own_names() or self.site is None:
            return True
        fixes = rename_index(self.text, name)
        ctx.report("SQ0738", place_of(name), name=name.text, fixes=fixes)
        return False

    # ----------------------------------------------------------------------- pools and stages

    def pool(
        self, ctx: Elaboration, ref: nodes.Reference, scope: Scope, *, argument: bool = False
    ) -> tree.PoolRef | None:
        """The queue's own pool of the called member, or the source."""
        text, name = self.text, ref.name.text
        if id(ref.name) in text.refused:
            expressions.resolve_optional(ctx, ref.index, scope)
            return tree.PoolRef(None, None, (name,), ref.place, place_of(ref.name))
        if ref.member is not None:
            return None
        if argument and ref.index is None and self._shadowed(scope, name):
            self._no_name(ctx, ref, "pool")
            return tree.PoolRef(None, None, (name,), ref.place, place_of(ref.name))
        if name == text.source:
            return self._source_pool(ctx, ref, scope)
        declared = text.queue.pools.get(name)
        if declared is None:
            return None
        ctx.use(ref.name, "pool", declared.name, declared.name_at)
        index = self._own_index(ctx, ref, declared, scope, "SQ0725")
        return tree.PoolRef(
            declared.name, index, references.spelling(declared.name, index), ref.place, place_of(ref.name)
        )

    def _source_pool(self, ctx: Elaboration, ref: nodes.Reference, scope: Scope) -> tree.PoolRef:
        ctx.use(ref.name, "source", ref.name.text, self._declared_source())
        if self.site is None or self.site.source is None:
            return tree.PoolRef(None, None, (ref.name.text,), ref.place, place_of(ref.name))
        if ref.index is not None:
            self._no_index(ctx, ref.index, "SQ0761", ref.name.text)
        return self.site.source.reference(ctx, scope.moment)

    def stage(
        self, ctx: Elaboration, ref: nodes.Reference, scope: Scope, *, argument: bool = False
    ) -> tree.StageRef | None:
        """The own stage of the called member."""
        if id(ref.name) in self.text.refused:
            expressions.resolve_optional(ctx, ref.index, scope)
            return tree.StageRef(None, None, (ref.name.text,), ref.place, place_of(ref.name))
        serve, name = self.text.queue.serve, ref.name.text
        if argument and ref.member is None and ref.index is None and self._shadowed(scope, name):
            self._no_name(ctx, ref, "stage")
            return tree.StageRef(None, None, (name,), ref.place, place_of(ref.name))
        if ref.member is None and ref.index is not None and name in self.text.queue.pools:
            self._own_index(ctx, ref, self.text.queue.pools[name], scope, "SQ0725")
            return tree.StageRef(None, None, (name,), ref.place, place_of(ref.name))
        if ref.member is None and self._hidden_by_pool(ctx, name, ref.place):
            return tree.StageRef(None, None, (name,), ref.place, place_of(ref.name))
        if ref.member is not None or serve is None or name != self.queue:
            return None
        ctx.use(ref.name, "stage", serve.name, serve.name_at)
        index = self._own_index(ctx, ref, serve, scope, "SQ0724")
        return tree.StageRef(serve.name, index, references.spelling(serve.name, index), ref.place, place_of(ref.name))

    def pool_named(self, name: str) -> tuple[str, Token] | None:
        """The pool, own or the source, that `name` is in the statements of the entry: its name and declaration.

        Such a name hides stages and queues of that name.
        """
        own = self.text.queue.pools.get(name)
        if own is not None:
            return own.name, own.token
        source = self.text.declared.source
        return (name, source) if source is not None and source.text == name else None

    def _hidden_by_pool(self, ctx: Elaboration, name: str, at: Place) -> bool:
        """Whether a pool hides the stage `name` from the entry (SQ0203)."""
        found = self.pool_named(name)
        if found is None:
            return False
        pool, declared = found
        note = (ctx.note(declared, f"in this entry `{name}` is a pool"),)
        ctx.report("SQ0203", at, name=pool, key=(pool, self.text.title), notes=note)
        return True

    def _shadowed(self, scope: Scope, name: str) -> bool:
        """Whether a parameter, or what the entry sets, hides a pool or stage in an expression."""
        if name == "self" or isinstance(scope.locals.get(name), Argument):
            return True
        return name in self.text.sets and not self.text.is_route

    def _no_name(self, ctx: Elaboration, ref: nodes.Reference, what: str) -> None:
        """A function wants a pool or stage, and the name stands for a number in this entry (SQ0223)."""
        name = ref.name.text
        declared = self.text.parameters.get(name) or self.text.sets.get(name) or self.text.declared.verb
        note = (ctx.note(declared, f"in this entry `{name}` is a number, from here"),)
        ctx.report("SQ0223", ref.place, name=f"…({name})", what=what, notes=note)

    def own_member(self, ctx: Elaboration, queue: Token, index: nodes.Expr | None) -> tuple[bool, Member | None]:
        """Whether a call or `from` names the entry's own queue, and then the member: the called one (SQ0724)."""
        if queue.text != self.queue:
            return False, None
        if index is not None and self.site is not None:
            self._no_index(ctx, index, "SQ0724", queue.text)
        return True, None if self.site is None else self.site.member

    def own_stage(self, ctx: Elaboration, node: nodes.Node, scope: Scope) -> tree.StageRef | None:
        """The stage of `run (W);` and the engine of a form: the queue's serve (SQ0723)."""
        serve = self.text.queue.serve
        word = node.first
        if serve is None:
            if isinstance(node, nodes.RunStmt) and not self.text.queue.damaged:
                ctx.report("SQ0723", text_places.opening(node.word), queue=self.queue)
            return None
        at = place_of(word)
        if self._hidden_by_pool(ctx, serve.name, at):
            return tree.StageRef(None, None, (serve.name,), at, at)
        if isinstance(node, nodes.ServingStmt) and node.index is not None:
            self._no_index(ctx, node.index, "SQ0724", serve.name)
        index = self._called_index(ctx, serve, scope, at)
        return tree.StageRef(serve.name, index, references.spelling(serve.name, index), at, at)

    def engines(self, ctx: Elaboration, scope: Scope) -> list[str] | None:
        """An entry's forms run on its own engine only."""
        serve = self.text.queue.serve
        return [serve.name] if serve is not None and serve.kind in ("step", "unknown") else []

    def _own_index(
        self, ctx: Elaboration, ref: nodes.Reference, declared: PoolDecl | StageDecl, scope: Scope, code: str
    ) -> tree.Expr | None:
        """The member that a reference to an own pool or stage means; the text writes no index there."""
        if ref.index is not None:
            if self.site is not None:
                self._no_index(ctx, ref.index, code, ref.name.text)
            expressions.resolve(ctx, ref.index, scope)
        return self._called_index(ctx, declared, scope, ref.place)

    def _no_index(self, ctx: Elaboration, index: nodes.Expr, code: str, name: str) -> None:
        place = text_places.bracketed(index)
        fixes = () if place.via is not None else (Fix("Delete the index", (Edit(place, ""),), safe=True),)
        ctx.report(code, place, name=name, fixes=fixes)

    def _called_index(
        self, ctx: Elaboration, declared: PoolDecl | StageDecl, scope: Scope, at: Place
    ) -> tree.Expr | None:
        """The index of the call, as its number when closed; one that names no member is told once per call (SQ0226)."""
        site, queue = self.site, self.text.queue
        if site is None:
            return None if queue.size is None and queue.size_known else tree.Unknown(at)
        if site.member is None:
            return None if queue.size is None else tree.Unknown(at)
        index = site.member.value(ctx, scope.moment)
        value = closed_value(index)
        if value is None:
            return index
        members = 1 if queue.size is None else queue.size
        if queue.size_known and not constants.is_whole(value, 0.0, members - 1.0):
            if not site.bad_index_told:
                site.bad_index_told = True
                what = "pool" if isinstance(declared, PoolDecl) else "stage"
                note = (
                    ctx.note(
                        site.queue_token, f"`{self.text.title}` is called for member {constants.show(value)} here"
                    ),
                )
                args = {"name": declared.name, "what": what, "value": constants.show(value), "members": members}
                place = site.member.index.place if self.text.bad_index_told else self.inside(at)
                self.text.bad_index_told = True
                ctx.report("SQ0226", place, notes=note, **args)
            return tree.Unknown(at)
        return index if constant_value(index) is None else tree.Num(value, index.at, bare=isinstance(index, tree.Num))

    def inside(self, at: Place) -> Place:
        """A place in the entry's text as this call reaches it: a finding there names the call."""
        if self.site is None or at.via is not None:
            return at
        return Place(at.chunk, at.start, at.end, Expansion(self.site.queue_token, self.text.title))

    # ----------------------------------------------------------------------- transfers over the relation

    def transfer(self, ctx: Elaboration, node: nodes.ServingStmt, scope: Scope) -> tuple[tree.Stmt, ...] | None:
        """A transfer without `on` in an entry with a source, in a queue with a NIC, goes over the relation."""
        if not is_relation_transfer(self.text, node):
            return None
        return relations.transfer(ctx, node, scope, self)

    def own_stage_of(self, ctx: Elaboration, declared: StageDecl, scope: Scope, at: Place) -> tree.StageRef:
        """A stage of the own queue (its NIC, its latency) for the called member."""
        index = self._called_index(ctx, declared, scope, at)
        return tree.StageRef(declared.name, index, references.spelling(declared.name, index), at, at)


def entry_around(scope: Scope) -> InsideEntry | None:
    """The entry whose text `scope` reads, as it was called."""
    return scope.surroundings if isinstance(scope.surroundings, InsideEntry) else None


def member_of(ctx: Elaboration, name: Token, index: nodes.Expr | None, queue: QueueDecl, scope: Scope) -> Member | None:
    """The member that a call or a `from` names: inside an entry of the same queue the one that was called."""
    inside = scope.surroundings
    if isinstance(inside, InsideEntry):
        own, member = inside.own_member(ctx, name, index)
        if own:
            return member
    if index is None or (queue.size is None and queue.size_known):
        return None
    return Member(index, scope)
