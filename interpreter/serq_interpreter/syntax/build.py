"""What each production builds: one function per name in the tables, from the values of its symbols to a node.

An absent optional part is `None`; a list is a Python list with its separators.  The functions mirror `serq.lark`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from serq_interpreter.catalog.vocabulary import RETIRED_WORDS
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Edit, Finding, Fix, Note, Place, Token, place_of


class Context(Protocol):
    """What a builder may tell the parser."""

    def report(self, finding: Finding) -> None: ...

    def own_run(self, paren: Token) -> None:
        """A `run (…)` without a stage was read: SQ0164 outside a queue's entry."""

    def erred_since(self, token: Token) -> bool:
        """Whether a syntax error was met at or after `token`."""


Values = list[Any]
Builder = Callable[[Values, Context], Any]


def _declares(name: Token, context: Context) -> None:
    """A retired word is no name of a constant, attribute, binding or claim (SQ0129)."""
    if name.text in RETIRED_WORDS and name.kind == "NAME":
        context.report(Finding("SQ0129", place_of(name), {"name": name.text}))


def _twice(code: str, first: Token, second: nodes.StepOption) -> Finding:
    fix = Fix("delete it", (Edit(second.place, ""),))
    fixes = (fix,) if second.first.via is None else ()
    return Finding(code, place_of(second.word), {}, (Note(place_of(first), "the first is here"),), fixes)


# --------------------------------------------------------------------------- expressions


def number(c: Values, context: Context) -> nodes.Expr:
    token = c[0]
    if token.kind == "ERROR":
        return nodes.ErrorExpr(token, token)
    return nodes.Number(token, token, number_value(token.text))


def number_value(text: str) -> float:
    """The nearest double of a literal, NaN when it is malformed (spec 01 §1.3)."""
    if text.count(".") > 1:
        return float("nan")
    return float(text.replace("_", ""))


def paren(c: Values, context: Context) -> nodes.Expr:
    return nodes.Paren(c[0], c[2], c[1])


def unary(c: Values, context: Context) -> nodes.Expr:
    return nodes.UnaryOp(c[0], c[1].last, c[0].kind, c[1])


def binary(c: Values, context: Context) -> nodes.Expr:
    if c[1].text == "%":
        return nodes.ErrorExpr(c[0].first, c[2].last)
    return nodes.BinaryOp(c[0].first, c[2].last, c[1].kind, c[0], c[2])


def conditional(c: Values, context: Context) -> nodes.Expr:
    return nodes.Conditional(c[0].first, c[4].last, c[0], c[2], c[4])


def draw(c: Values, context: Context) -> nodes.Expr:
    return nodes.Draw(c[0], c[4], c[1], tuple(c[3][::2]) if c[3] else ())


def aggregate(c: Values, context: Context) -> nodes.Expr:
    return nodes.Aggregate(c[0], c[6], c[0], c[1], c[3], c[5])


def apply(c: Values, context: Context) -> nodes.Expr:
    return nodes.Apply(c[0], c[3], c[0], tuple(c[2][::2]) if c[2] else ())


def reference(c: Values, context: Context) -> nodes.Reference:
    name = c[0]
    size = len(c)
    if size == 1:
        return nodes.Reference(name, name, name)
    if size == 3:
        return nodes.Reference(name, c[2], name, None, c[2])
    if size == 4:
        return nodes.Reference(name, c[3], name, c[2])
    return nodes.Reference(name, c[5], name, c[2], c[5])


# --------------------------------------------------------------------------- statements


def block(c: Values, context: Context) -> nodes.Block:
    return nodes.Block(c[0], c[2], tuple(c[1]))


def simple_statement(c: Values, context: Context) -> nodes.Stmt:
    return nodes.SimpleStmt(c[0], c[1], c[0])


def request_statement(c: Values, context: Context) -> nodes.Stmt:
    return nodes.RequestStmt(c[0], c[2], c[0], c[1])


def set_statement(c: Values, context: Context) -> nodes.Stmt:
    _declares(c[1], context)
    return nodes.SetStmt(c[0], c[4], c[1], c[3])


def observe_statement(c: Values, context: Context) -> nodes.Stmt:
    return nodes.ObserveStmt(c[0], c[4], c[1], c[3])


def hold_pool(c: Values, context: Context) -> nodes.HoldPool:
    return nodes.HoldPool(c[0].first, c[7] or c[3], c[0], c[2], c[6])


def clause(c: Values, context: Context) -> nodes.Clause:
    return nodes.Clause(c[0], c[3], c[2])


def lease(c: Values, context: Context) -> nodes.LeaseClause:
    return nodes.LeaseClause(c[0], c[4], c[1], c[3])


def bindings(c: Values, context: Context) -> _Listed:
    return _Listed(c[0], c[4], tuple(c[3][::2]))


def binding(c: Values, context: Context) -> nodes.Binding:
    _declares(c[0], context)
    return nodes.Binding(c[0], c[2].last, c[0], c[2])


class _Listed:
    """A clause on its way to the node that takes its parts over."""

    __slots__ = ("first", "last", "parts", "value")

    def __init__(self, first: Token, last: Token, parts: tuple[Any, ...] = (), value: Any = None) -> None:
        self.first = first
        self.last = last
        self.parts = parts
        self.value = value


def hold_statement(c: Values, context: Context) -> nodes.Stmt:
    last = c[7] or (c[6] or c[5] or c[4]).last
    bound = c[3].parts if c[3] else ()
    return nodes.HoldStmt(c[0], last, c[0], tuple(c[1][::2]), c[2], bound, c[4], c[5], c[6])


def units_statement(c: Values, context: Context) -> nodes.Stmt:
    return nodes.PoolStmt(c[0], c[5], c[0], c[1], c[3])


def pool_statement(c: Values, context: Context) -> nodes.Stmt:
    return nodes.PoolStmt(c[0], c[2], c[0], c[1], None)


def growing(c: Values, context: Context) -> nodes.GrowingClause:
    return nodes.GrowingClause(c[0], c[1].last, c[1])


def run_statement(c: Values, context: Context) -> nodes.Stmt:
    return nodes.RunStmt(c[0], c[7], c[0], tuple(c[1][::2]), c[2], c[4], c[6])


def own_run_statement(c: Values, context: Context) -> nodes.Stmt:
    context.own_run(c[1])
    return nodes.RunStmt(c[0], c[4], c[0], (), None, c[2], None)


def branch_statement(c: Values, context: Context) -> nodes.Stmt:
    last = (c[7] or c[5]).last
    if c[0].text == nodes.DAMAGED:
        return nodes.ErrorStmt(c[0], last, tuple(_assigned(c[5])))
    return nodes.BranchStmt(c[0], last, c[0], c[1] is not None, c[3], c[5], c[7])


def _assigned(body: nodes.Block) -> list[Token]:
    """The names that the statements of a block, and of the blocks in it, assign."""
    found: list[Token] = []
    stack: list[nodes.Block] = [body]
    while stack:
        for statement in stack.pop().statements:
            if isinstance(statement, nodes.SetStmt | nodes.ChooseStmt):
                found.append(statement.name)
            elif isinstance(statement, nodes.ErrorStmt):
                found.extend(statement.assigned)
            elif isinstance(statement, nodes.HoldStmt | nodes.LoopStmt | nodes.ForkStmt):
                stack.append(statement.body)
            elif isinstance(statement, nodes.BranchStmt):
                stack.append(statement.then)
                if statement.otherwise is not None:
                    stack.append(statement.otherwise)
    return found


def loop_statement(c: Values, context: Context) -> nodes.Stmt:
    return nodes.LoopStmt(c[0], c[1].last, c[0], c[1])


def fork_statement(c: Values, context: Context) -> nodes.Stmt:
    return nodes.ForkStmt(c[0], c[1].last, c[0], c[1])


def choose_statement(c: Values, context: Context) -> nodes.Stmt:
    _declares(c[1], context)
    return nodes.ChooseStmt(c[0], c[8], c[0], c[1], c[3], tuple(c[6][::2]))


def mark_statement(c: Values, context: Context) -> nodes.Stmt:
    return nodes.MarkStmt(c[0], c[2], c[1])


def where_index(c: Values, context: Context) -> _Listed:
    return _Listed(c[0], c[2], value=c[1])


def where_on(c: Values, context: Context) -> _Listed:
    return _Listed(c[0], c[1][-1].last, tuple(c[1][::2]))


def movement(c: Values, context: Context) -> _Listed:
    return _Listed(c[0], c[6], (c[1], c[3]), c[5])


def serving_statement(c: Values, context: Context) -> nodes.Stmt:
    index, stages = _where(c[1])
    return nodes.ServingStmt(c[0], c[4], c[0], index, stages, c[2], c[3], None, None, None)


def _where(value: _Listed | None) -> tuple[Any, tuple[Any, ...]]:
    return (None, ()) if value is None else (value.value, value.parts)


def transfer_statement(c: Values, context: Context) -> nodes.Stmt:
    index, stages = _where(c[1])
    if c[4] is None:
        if not context.erred_since(c[0]):
            context.report(Finding("SQ0161", place_of(c[0]), {}))
        return nodes.ServingStmt(c[0], c[5], c[0], index, stages, c[2], c[3], None, None, None)
    if c[3] is not None:
        place = c[3].place
        fix = Fix("delete `growing …`", (Edit(place, ""),), safe=True)
        context.report(Finding("SQ0162", place, {"pool": c[3].pool.name.text}, fixes=(fix,)))
    source, target = c[4].parts
    return nodes.ServingStmt(c[0], c[5], c[0], index, stages, c[2], None, source, target, c[4].value)


def source(c: Values, context: Context) -> _Listed:
    return _Listed(c[0], c[1].last, value=c[1])


def target(c: Values, context: Context) -> _Listed:
    return _Listed(c[0], c[4], (c[1],), c[3])


def use_statement(c: Values, context: Context) -> nodes.Stmt:
    return nodes.ErrorStmt(c[0], c[-1])


def call_statement(c: Values, context: Context) -> nodes.Stmt:
    index = c[1].value if c[1] else None
    taken = c[7].value if c[7] else None
    filled, units = (c[8].parts[0], c[8].value) if c[8] else (None, None)
    args = tuple(c[5][::2]) if c[5] else ()
    return nodes.CallStmt(c[0], c[9], c[0], index, c[3], args, taken, filled, units)


# --------------------------------------------------------------------------- pools


def value_option(c: Values, context: Context) -> nodes.ValueOption:
    return nodes.ValueOption(c[0], c[2], c[0], c[1])


def keys_option(c: Values, context: Context) -> nodes.KeysOption:
    form, keys, tail = c[1].value
    return nodes.KeysOption(c[0], c[2], c[0], form, keys, tail)


def by_keys(c: Values, context: Context) -> _Listed:
    return _Listed(c[0], c[3], tuple(c[2][::2]))


def order_of_pool(c: Values, context: Context) -> _Listed:
    tail = len(c) > 1 and c[1] is not None and c[1].value
    if isinstance(c[0], Token):
        return _Listed(c[0], c[0], value=(c[0].text, (), False))
    return _Listed(c[0].first, (c[1] if tail else c[0]).last, value=("by", c[0].parts, bool(tail)))


def requeue(c: Values, context: Context) -> _Listed:
    return _Listed(c[0], c[1], value=c[1].text == "tail")


def admit_option(c: Values, context: Context) -> nodes.NameOption:
    return nodes.NameOption(c[0], c[3], c[0], c[2])


def reserve_option(c: Values, context: Context) -> nodes.ReserveHeldOption:
    return nodes.ReserveHeldOption(c[0], c[2], c[0])


def spill_option(c: Values, context: Context) -> nodes.SpillOption:
    return nodes.SpillOption(c[0], c[11], c[0], c[1], c[3], c[5], c[9])


def size(c: Values, context: Context) -> _Listed:
    return _Listed(c[0], c[2], value=c[1])


def pool_item(c: Values, context: Context) -> nodes.PoolItem:
    return nodes.PoolItem(c[0], c[5], c[0], c[1], _size(c[2]), _kept(c[4]), _damaged(c[4]))


def _size(value: Any) -> Any:
    return None if value is None else value.value


def _kept(parts: list[Any]) -> tuple[Any, ...]:
    return tuple(part for part in parts if not isinstance(part, nodes.ErrorStmt))


def _damaged(parts: list[Any]) -> bool:
    return any(isinstance(part, nodes.ErrorStmt) for part in parts)


# --------------------------------------------------------------------------- stages


def simple_kind(c: Values, context: Context) -> nodes.StageKind:
    if c[0].text == "delay" or len(c) < 4 or c[1] is None:
        return nodes.StageKind(c[0], c[0], c[0].text)
    return nodes.StageKind(c[0], c[3], c[0].text, c[2])


def step_kind(c: Values, context: Context) -> nodes.StageKind:
    options = _kept(c[2])
    damaged = _damaged(c[2]) or context.erred_since(c[0])
    seen: dict[str, Token] = {}
    for option in options:
        word = option.word
        code = {"serve": "SQ0125", "iteration": "SQ0124"}.get(word.text)
        if code is not None and word.text in seen:
            context.report(_twice(code, seen[word.text], option))
            damaged = True
            continue
        seen.setdefault(word.text, word)
    if "cost" not in seen and not damaged:
        at = c[1]
        fix = Fix("insert `cost 1;`", (Edit(Place(at.chunk, at.end, at.end), " cost 1;"),), safe=True)
        context.report(Finding("SQ0123", place_of(c[0]), {}, fixes=(fix,) if at.via is None else ()))
    return nodes.StageKind(c[0], c[3], "step", None, options, damaged)


def stage_item(c: Values, context: Context) -> nodes.StageItem:
    last = c[5] if len(c) > 5 and c[5] is not None else c[4].last
    return nodes.StageItem(c[0], last, c[0], c[1], _size(c[2]), c[4])


def only(c: Values, context: Context) -> nodes.Clause:
    return nodes.Clause(c[0], c[3], c[2])


def order(c: Values, context: Context) -> nodes.Order:
    if isinstance(c[0], Token):
        return nodes.Order(c[0], c[-1], " ".join(token.text for token in c))
    return nodes.Order(c[0].first, c[0].last, "by", c[0].parts)


def serve_option(c: Values, context: Context) -> nodes.ServeOption:
    return nodes.ServeOption(c[0], c[2], c[0], None, c[1])


def serve_only_option(c: Values, context: Context) -> nodes.ServeOption:
    if c[2] is not None and c[2].form == "exclusive prefill":
        context.report(Finding("SQ0508", c[2].place, {}))
    return nodes.ServeOption(c[0], c[3], c[0], c[1].value, c[2])


def memory_option(c: Values, context: Context) -> nodes.NameOption:
    return nodes.NameOption(c[0], c[2], c[0], c[1])


def state_option(c: Values, context: Context) -> nodes.StateOption:
    return nodes.StateOption(c[0], c[4], c[0], c[1], c[3])


def iteration_option(c: Values, context: Context) -> nodes.IterationOption:
    return nodes.IterationOption(c[0], c[3], c[0], _kept(c[2]))


def iteration_serve(c: Values, context: Context) -> nodes.IterStmt:
    if c[2] is not None and c[2].form == "exclusive prefill":
        context.report(Finding("SQ0509", c[2].place, {}))
    return nodes.IterServe(c[0], c[3], c[1].value if c[1] else None, c[2])


def iteration_admit(c: Values, context: Context) -> nodes.IterStmt:
    return nodes.IterAdmit(c[0], c[6], c[1].value if c[1] else None, c[4])


def iteration_branch(c: Values, context: Context) -> nodes.IterStmt:
    otherwise = None if c[9] is None else _kept(c[9])
    return nodes.IterBranch(c[0], c[10] or c[6], c[2], _kept(c[5]), otherwise)


def iteration_set(c: Values, context: Context) -> nodes.IterStmt:
    _declares(c[1], context)
    return nodes.IterSet(c[0], c[4], c[1], c[3])


# --------------------------------------------------------------------------- workload and sessions


def arrive_clause(c: Values, context: Context) -> nodes.ArriveClause:
    return nodes.ArriveClause(c[0], c[5], c[1], c[3])


def arrive_none_clause(c: Values, context: Context) -> nodes.ArriveClause:
    return nodes.ArriveClause(c[0], c[2], c[1], None)


def trace_clause(c: Values, context: Context) -> nodes.TraceClause:
    return nodes.TraceClause(c[0], c[3], c[1], c[2] is not None)


def block_clause(c: Values, context: Context) -> nodes.BlockClause:
    return nodes.BlockClause(c[0], c[1].last, c[0], c[1])


def hidden_clause(c: Values, context: Context) -> nodes.HiddenClause:
    return nodes.HiddenClause(c[0], c[2], tuple(c[1][::2]))


def workload_item(c: Values, context: Context) -> nodes.WorkloadItem:
    return nodes.WorkloadItem(c[0], c[3], c[0], _kept(c[2]), _damaged(c[2]))


def session_item(c: Values, context: Context) -> nodes.SessionItem:
    return nodes.SessionItem(c[0], c[1].last, c[0], c[1])


def server_item(c: Values, context: Context) -> nodes.ServerItem:
    return nodes.ServerItem(c[0], c[1].last, c[0], c[1])


# --------------------------------------------------------------------------- queues


def roles(c: Values, context: Context) -> _Listed:
    return _Listed(c[0], c[1][-1], tuple(c[1][::2]))


def queue_item(c: Values, context: Context) -> nodes.QueueItem:
    named = c[3].parts if c[3] else ()
    return nodes.QueueItem(c[0], c[6], c[0], c[1], _size(c[2]), named, _kept(c[5]), _damaged(c[5]))


def serve_declaration(c: Values, context: Context) -> nodes.ServeDecl:
    last = c[3] if len(c) > 3 and c[3] is not None else (c[2] or c[1]).last
    return nodes.ServeDecl(c[0], last, c[0], c[1], c[2])


def entry_declaration(c: Values, context: Context) -> nodes.EntryDecl:
    listed = c[1].parts if c[1] else None
    return nodes.EntryDecl(c[0], c[4].last, c[0], listed, c[3], c[4])


def parameters(c: Values, context: Context) -> _Listed:
    return _Listed(c[0], c[2], tuple(c[1][::2]) if c[1] else ())


def latency(c: Values, context: Context) -> nodes.Clause:
    return nodes.Clause(c[0], c[1].last, c[1])


def relation_item(c: Values, context: Context) -> nodes.RelationItem:
    return nodes.RelationItem(c[0], c[6], c[0], c[1], c[2], c[3], c[5])


def share_item(c: Values, context: Context) -> nodes.ShareItem:
    return nodes.ShareItem(c[0], c[2], c[0], c[1])


# --------------------------------------------------------------------------- the other items


def use_item(c: Values, context: Context) -> nodes.UseItem:
    return nodes.UseItem(c[0], c[2], c[1])


def let_item(c: Values, context: Context) -> nodes.LetItem:
    _declares(c[1], context)
    return nodes.LetItem(c[0], c[4], c[1], c[3])


def gauge_item(c: Values, context: Context) -> nodes.GaugeItem:
    return nodes.GaugeItem(c[0], c[4], c[1], c[3])


def given(c: Values, context: Context) -> nodes.Clause:
    return nodes.Clause(c[0], c[3], c[2])


def claim_iteration(c: Values, context: Context) -> _Listed:
    return _Listed(c[0], c[7], (c[0].text, c[3]), c[5])


def claim_end(c: Values, context: Context) -> _Listed:
    return _Listed(c[0], c[5], ("end", None), c[3])


def claim_item(c: Values, context: Context) -> nodes.ClaimItem:
    _declares(c[1], context)
    form, stage = c[4].parts
    condition = c[2].value if c[2] else None
    return nodes.ClaimItem(c[0], c[4].last, c[1], condition, form, stage, c[4].value)


def run_item(c: Values, context: Context) -> nodes.RunItem:
    return nodes.RunItem(c[0], c[3], c[0], _kept(c[2]), _damaged(c[2]))


def program(c: Values, context: Context) -> tuple[Any, ...]:
    return tuple(c[0]) if c else ()


def def_item(c: Values, context: Context) -> nodes.DefItem:
    """Only as written (`outline`); the product reads definitions without the tables."""
    names = tuple(token for token in c[3] or () if token is not None and token.kind == "NAME")
    return nodes.DefItem(c[0], c[7], c[1], names, c[5].kind == "=", tuple(c[6] or ()))


_ALIASES: dict[str, Builder] = {
    "reuse": clause,
    "cache": clause,
    "evict_order": order_of_pool,
    "queue_order": order_of_pool,
    "preempt_order": order_of_pool,
}


def builder(name: str) -> Builder:
    """The function for a builder's name in the tables."""
    found: Builder = _ALIASES.get(name) or globals()[name]
    return found
