"""The boundary of a queue: what the text of an entry may read and take, whoever calls it (02 §14.3).

A gateway's `route` reads and sets like a server; of the rules here only those about other queues' pools and about
leases concern it.  Names that are refused are remembered, so that a call of the entry does not report them again.
"""

from __future__ import annotations

from serq_interpreter.semantics import constants
from serq_interpreter.semantics.context import Elaboration
from serq_interpreter.semantics.entry_text import EntryText
from serq_interpreter.semantics.text_walk import names_read, references_of, statements_of
from serq_interpreter.semantics.vocabulary import ARITHMETIC_FUNCTIONS, CONTEXT_VARIABLES
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Fix, Place, Token, place_of

HEADER, BODY = "header", "body"

_OUTSIDE_ONLY = frozenset({"position", "admitted", "preempted", "demand", "served", "arrived"})
"""Context variables that an entry sees nowhere; the others are judged by their moment when the entry is called."""

_VISIBLE = frozenset({"cached", "computed", "inf", "self"})

_VERBS = {"grow": "grows", "load": "loads", "drop": "drops", "release": "releases"}

Bindings = dict[str, nodes.Binding]


def check_entry(ctx: Elaboration, text: EntryText, hidden: frozenset[str]) -> None:
    """Report what an entry reads, assigns, takes or leases beyond its queue (SQ0731-0737, 0740, 0760, 0765).

    `hidden` names the request's hidden attributes (see `hidden_names`), the ones of a session that a body may read.
    """
    _Boundary(ctx, text, hidden).check()


class _Boundary:
    def __init__(self, ctx: Elaboration, text: EntryText, hidden: frozenset[str]) -> None:
        self.ctx = ctx
        self.text = text
        self.queue = text.queue
        self.hidden = hidden
        self.judged: set[tuple[int, str]] = set()
        """Bindings whose expressions have been judged, with how they are read."""

    def check(self) -> None:
        text = self.text
        if not text.is_route:
            for name, token in text.sets.items():
                self._assignment(name, token)
        for statement in statements_of(text.declared.body):
            self._pools(statement)
            if not text.is_route:
                self._reads(statement)

    # ----------------------------------------------------------------------- assignments

    def _assignment(self, name: str, token: Token) -> None:
        ctx = self.ctx
        if name in self.text.parameters:
            note = (ctx.note(self.text.parameters[name], "the parameter"),)
            ctx.report("SQ0737", place_of(token), name=name, notes=note)
        elif self._constant(name):
            let = ctx.declared.constant_tokens[name]
            note = (ctx.note(token, f"`{self.text.title}` sets `{name}` here"),)
            ctx.report("SQ0215", place_of(let), name=name, notes=note)

    # ----------------------------------------------------------------------- pools that statements take

    def _pools(self, statement: nodes.Stmt) -> None:
        match statement:
            case nodes.HoldStmt(pools=pools, lease=lease):
                for pool in pools:
                    self._take(pool.pool, "holds")
                if lease is not None:
                    self._lease(lease.pool)
            case nodes.PoolStmt(word=word, pool=ref):
                self._take(ref, _VERBS[word.text])
            case nodes.RunStmt(growing=growing):
                if growing is not None:
                    self._take(growing.pool, "grows")
            case nodes.ServingStmt():
                self._form(statement)
            case nodes.CallStmt(target=target):
                if target is not None and target.member is None:
                    self._take(target, "loads")
            case _:
                pass

    def _form(self, node: nodes.ServingStmt) -> None:
        if node.growing is not None:
            self._take(node.growing.pool, "grows")
        if node.source is None or node.target is None:
            return
        if is_relation_transfer(self.text, node):
            source = node.source
            if source.name.text != self.text.source or source.index is not None or source.member is not None:
                self.text.refused.add(id(source.name))
                fixes = constants.rename(source.place, self.text.source)
                fixes = tuple(Fix(fix.title, fix.edits, safe=True) for fix in fixes)
                self.ctx.report("SQ0765", source.place, source=self.text.source, fixes=fixes)
        else:
            self._take(node.source, "releases")
        self._take(node.target, "loads")

    def _take(self, ref: nodes.Reference, does: str) -> None:
        """A pool that a statement takes is the queue's own or the source (SQ0731), never another queue's (SQ0740)."""
        if id(ref.name) in self.text.refused:
            return
        queue, name = self.queue, ref.name.text
        written = name if ref.member is None else f"{name}.{ref.member.text}"
        if ref.member is not None and name != queue.name:
            self._refuse(ref)
            self.ctx.report("SQ0740", ref.place, key=(written, self.text.title), name=written, queue=name)
            return
        own_long = ref.member is not None and ref.member.text in queue.pools
        if self.text.is_route or (ref.member is None and (name in queue.pools or name == self.text.source)):
            return
        if ref.member is None and queue.damaged and self.ctx.unread(name):
            return
        self._refuse(ref)
        what = f"`{self.text.title}` {does} `{written}`, which is not a pool of `{queue.name}`"
        fixes: tuple[Fix, ...] = ()
        if own_long and ref.member is not None:
            what = (
                f"`{self.text.title}` {does} `{written}` by its long name; inside the queue it is `{ref.member.text}`"
            )
            fixes = tuple(Fix(f.title, f.edits, safe=True) for f in constants.rename(ref.place, ref.member.text))
        self.ctx.report("SQ0731", ref.place, what=what, name=written, fixes=fixes)

    def _lease(self, ref: nodes.Reference) -> None:
        name = ref.name.text
        if ref.member is None and name in self.queue.pools and name != self.text.source:
            return
        if ref.member is None and self.queue.damaged and self.ctx.unread(name):
            return
        written = name if ref.member is None else f"{name}.{ref.member.text}"
        self._refuse(ref)
        if ref.member is not None and name == self.queue.name and ref.member.text in self.queue.pools:
            what = (
                f"`{self.text.title}` leases `{written}` by its long name; inside the queue it is `{ref.member.text}`"
            )
        else:
            what = f"`{self.text.title}` leases `{written}`, which is not a pool of `{self.queue.name}`"
        self.ctx.report("SQ0732", ref.place, what=what, name=written)

    def _refuse(self, ref: nodes.Reference) -> None:
        self.text.refused.add(id(ref.name))

    # ----------------------------------------------------------------------- what expressions read

    def _reads(self, statement: nodes.Stmt) -> None:
        for ref in references_of(statement):
            if ref.index is not None:
                self._expr(ref.index, BODY, {}, in_index=True)
        match statement:
            case nodes.HoldStmt():
                self._hold(statement)
            case nodes.SetStmt(value=value) | nodes.ObserveStmt(value=value):
                self._expr(value, BODY, {})
            case nodes.PoolStmt(units=units):
                self._optional(units)
            case nodes.RunStmt(work=work):
                self._expr(work, BODY, {})
            case nodes.BranchStmt(guard=guard):
                self._expr(guard, BODY, {})
            case nodes.ChooseStmt(count=count, keys=keys):
                for part in (count, *keys):
                    self._expr(part, BODY, {})
            case nodes.ServingStmt(index=index, work=work, units=units):
                self._optional(index, in_index=True)
                self._expr(work, BODY, {})
                self._optional(units)
            case nodes.CallStmt(index=index, args=args, units=units):
                self._optional(index, in_index=True)
                for argument in args:
                    self._expr(argument, BODY, {})
                self._optional(units)
            case _:
                pass

    def _optional(self, expr: nodes.Expr | None, *, in_index: bool = False) -> None:
        if expr is not None:
            self._expr(expr, BODY, {}, in_index=in_index)

    def _hold(self, hold: nodes.HoldStmt) -> None:
        """Bindings are judged as what they are read by: the header, the rest of the hold, the body."""
        bindings: Bindings = {binding.name.text: binding for binding in hold.bindings}
        for pool in hold.pools:
            self._expr(pool.units, HEADER, bindings)
            if pool.reserve is not None:
                self._expr(pool.reserve, HEADER, bindings)
        if hold.reuse is not None:
            self._expr(hold.reuse.value, HEADER, bindings)
        if hold.cache is not None:
            self._expr(hold.cache.value, BODY, bindings)
        if hold.lease is not None:
            self._expr(hold.lease.time, BODY, bindings)
        if bindings:
            for name in dict.fromkeys(names_read(hold.body)):
                if name in bindings:
                    self._binding(bindings[name], BODY, bindings)

    def _binding(self, binding: nodes.Binding, mode: str, bindings: Bindings) -> None:
        if (id(binding), mode) in self.judged:
            return
        self.judged.add((id(binding), mode))
        names = list(bindings)
        before = {name: bindings[name] for name in names[: names.index(binding.name.text)]}
        self._expr(binding.value, mode, before)

    def _expr(self, expr: nodes.Expr, mode: str, bindings: Bindings, *, in_index: bool = False) -> None:
        """Judge every name of an expression.  Iterative: chains of operators are long."""
        stack: list[tuple[nodes.Expr, frozenset[str], bool, str]] = [(expr, frozenset(), in_index, "")]
        while stack:
            node, indices, index, function = stack.pop()
            match node:
                case nodes.Paren(inner=inner):
                    stack.append((inner, indices, index, ""))
                case nodes.UnaryOp(operand=operand):
                    stack.append((operand, indices, index, ""))
                case nodes.BinaryOp(left=left, right=right):
                    stack += ((right, indices, index, ""), (left, indices, index, ""))
                case nodes.Conditional(test=test, then=then, otherwise=otherwise):
                    stack += [(part, indices, index, "") for part in (otherwise, then, test)]
                case nodes.Draw(args=args):
                    stack += [(part, indices, index, "") for part in args[::-1]]
                case nodes.Apply(name=name, args=args):
                    stack += [(part, indices, index, name.text) for part in args[::-1]]
                case nodes.Aggregate(index=name, body=body):
                    stack.append((body, indices | {name.text}, index, ""))
                case nodes.Reference():
                    if node.index is not None:
                        stack.append((node.index, indices, True, ""))
                    self._name(node, mode, bindings, indices, index, function)
                case _:
                    pass

    def _name(
        self,
        ref: nodes.Reference,
        mode: str,
        bindings: Bindings,
        indices: frozenset[str],
        in_index: bool,
        function: str,
    ) -> None:
        """Judge one name; `function` is the function it is a bare argument of."""
        text, queue, name = self.text, self.queue, ref.name.text
        if ref.member is not None or ref.index is not None:
            self._reference(ref, function)
            return
        if name in indices:
            return
        if name in bindings:
            self._binding(bindings[name], mode, bindings)
            return
        if name == text.source:
            if not in_index and not function:
                self._report(ref, "SQ0760", name=name)
            return
        if name in text.parameters:
            return
        if function and (name in queue.pools or (name == queue.name and queue.serve is not None)):
            return
        if name in _VISIBLE or self._constant(name):
            return
        if mode == BODY and (name == "now" or name in text.sets or name in self.hidden):
            return
        if name in CONTEXT_VARIABLES and name != "now" and name not in _OUTSIDE_ONLY:
            return
        # A `hidden` that could not be read may name any attribute, and those are seen in a body.
        if self.ctx.unread(name) or (mode == BODY and "hidden" in self.ctx.source.unparsed):
            return
        if mode == HEADER and function and function not in ARITHMETIC_FUNCTIONS:
            self._report(ref, "SQ0734", name=name, queue=queue.name)
        elif mode == HEADER:
            self._report(ref, "SQ0733", what=self._describe(name), name=name)
        else:
            self._report(ref, "SQ0736", what=self._describe(name), queue=queue.name, name=name)

    def _reference(self, ref: nodes.Reference, function: str) -> None:
        """A dotted or indexed name: only the own pools and stage by their short names, whose index a call judges."""
        name, queue = ref.name.text, self.queue
        if ref.member is None and (name in queue.pools or name in (queue.name, self.text.source)):
            return
        if self.ctx.unread(name) or (function and ref.member is None and name in self.text.parameters):
            return
        written = name if ref.member is None else f"{name}.{ref.member.text}"
        if not function:
            self._report(ref, "SQ0735", name=written)
            return
        help = ""
        if ref.member is not None and name == queue.name and ref.member.text in queue.pools:
            help = f"inside the queue its pool is `{ref.member.text}`"
        self._report(ref, "SQ0734", name=written, queue=queue.name, help=help)

    def _report(self, ref: nodes.Reference, code: str, *, help: str = "", **args: str | None) -> None:
        self._refuse(ref)
        place: Place = ref.place
        self.ctx.report(code, place, key=(self.text.key, args.get("name")), help=help, **args)

    def _constant(self, name: str) -> bool:
        """Whether the entry sees a constant of this name: one that is declared above its queue."""
        declared = self.ctx.declared
        return name in declared.constants and declared.constant_orders.get(name, -1) < self.queue.order

    def _describe(self, name: str) -> str:
        """What a refused name is, for the message."""
        declared = self.ctx.declared
        if name == "now":
            return "the clock `now`"
        if name in self.text.sets:
            return f"`{name}`, which the entry itself sets"
        if name in self.text.marks:
            return f"`{name}`, a mark for the callers"
        if name in self.hidden:
            return f"the hidden attribute `{name}`"
        if name in declared.registers:
            return f"`{name}`, a register of `{declared.registers[name].engine}`"
        if name in declared.pools or name in self.queue.pools:
            return (
                f"`{name}`, a pool, as a number" if name in self.queue.pools else f"`{name}`, a pool outside the queue"
            )
        if name in declared.stages:
            return f"`{name}`, a stage outside the queue"
        if name in CONTEXT_VARIABLES:
            return f"`{name}`, which only an engine's own options read"
        return f"`{name}`, a name from outside the queue"


def is_relation_transfer(text: EntryText, node: nodes.ServingStmt) -> bool:
    """Whether a transfer goes over the queue's relation: no `on`, no index, an entry with a source, a queue with a NIC."""
    return (
        node.role.text == "transfer"
        and not node.stages
        and node.index is None
        and text.source is not None
        and text.queue.nic is not None
    )


def hidden_names(ctx: Elaboration) -> frozenset[str]:
    """The names in the workload's `hidden` clauses."""
    workloads = [item for item in ctx.source.items if isinstance(item, nodes.WorkloadItem)]
    clauses = [clause for item in workloads for clause in item.clauses if isinstance(clause, nodes.HiddenClause)]
    return frozenset(token.text for clause in clauses for token in clause.names)
