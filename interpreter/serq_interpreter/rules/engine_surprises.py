"""SQ1018 and SQ1020: what an engine reads although nothing is there to be read.

What: an attribute where no session is meant (a budget, chunk, cost, shared capacity, a test or `set` of an iteration), and
a gate that is closed whenever the engine is empty.
"""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.rules.survey import Survey
from serq_interpreter.semantics import tree
from serq_interpreter.semantics.closed import closed_value
from serq_interpreter.syntax.tokens import Finding, Note

NEEDS = ("Engine", "Stage")
ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ1018",
        name="attribute-without-a-session",
        severity=Severity.WARNING,
        message="{part} reads `{name}`, but no session is meant there: the value is NaN",
        why="A budget, a cost, a shared capacity and the plan of an iteration are read once for all requests, and an "
        "attribute has a value for each of them. The language accepts the read and gives NaN, with which every "
        "comparison is 0.",
        help="read the batch (`tokens`, `residents`), a pool or stage, or a constant",
        wrong="""stage e : step { cost 1 + weight; }
                        //^^^^^^
session { set weight = 2; run e decode (4); observe t = now; end; }
run { horizon 100; }
""",
        right="""let weight = 2;
stage e : step { cost 1 + weight; }
session { run e decode (4); observe t = now; end; }
run { horizon 100; }
""",
        spec="05 §6.10",
    ),
    Entry(
        code="SQ1020",
        name="gate-closed-when-empty",
        severity=Severity.WARNING,
        message="`{name}` admits nobody while it is empty, so it never begins to serve the holds on `{pool}`",
        why="The gate of an `admit` is read before anyone is admitted. With an empty batch its counts are 0, and this "
        "gate is then 0 too; there is no other `admit` that could let the first one in.",
        help="let the gate be 1 for an empty batch: `tokens < …` bounds a batch without closing it",
        wrong="""stage e : step { cost 1; budget 8; iteration { serve; admit while (tokens > 0); } }
                                                                 //^^^^^^^^^^
pool kv { cap 100; admit via e; }
session { hold kv (8) { run e decode (4); } observe t = now; end; }
run { horizon 100; }
""",
        right="""stage e : step { cost 1; budget 8; iteration { serve; admit while (tokens < 8); } }
pool kv { cap 100; admit via e; }
session { hold kv (8) { run e decode (4); } observe t = now; end; }
run { horizon 100; }
""",
        spec="05 §6.12",
    ),
)

_NO_SESSION = frozenset({"budget", "cost", "ps", "iter"})
_OF_THE_BATCH = frozenset({"tokens", "prefilled", "residents", "decoders", "kv_decode", "kv_prefill"})


def check(survey: Survey) -> Iterator[Finding]:
    """Look at the options of shared stages and engines."""
    for site in survey.sites:
        if site.moment not in _NO_SESSION:
            continue
        for attr in survey.reads(site.expr).attrs:
            if attr.name not in survey.hidden_names and attr.name in survey.program.attributes:
                yield Finding("SQ1018", attr.at, {"name": attr.name, "part": site.part})
                break
    admitting = {pool.admit_via: pool for pool in survey.program.pools.values() if pool.admit_via is not None}
    for stage in survey.program.stages.values():
        engine = stage.engine
        pool = admitting.get(stage.name)
        if pool is not None and engine is not None and engine.iteration_at is not None and not engine.damaged:
            yield from _gates(stage, pool, engine.iteration or ())


def _gates(stage: tree.Stage, pool: tree.Pool, body: tuple[tree.IterStmt, ...]) -> Iterator[Finding]:
    gates = [item.gate for item in _admits(body)]
    closed = [gate for gate in gates if gate is not None and closed_value(_when_empty(gate)) == 0.0]
    if closed and len(closed) == len(gates):
        note = Note(pool.name_at, f"`{pool.name}` is admitted by `{stage.name}` only")
        yield Finding("SQ1020", closed[0].at, {"name": stage.name, "pool": pool.name}, (note,))


def _admits(body: tuple[tree.IterStmt, ...]) -> Iterator[tree.IterAdmit]:
    stack = list(reversed(body))
    while stack:
        item = stack.pop()
        if isinstance(item, tree.IterAdmit):
            yield item
        elif isinstance(item, tree.IterBranch):
            stack.extend(reversed(item.otherwise))
            stack.extend(reversed(item.then))


def _when_empty(expr: tree.Expr) -> tree.Expr:
    """The expression as an engine without residents reads it: the batch's counts are 0."""
    match expr:
        case tree.Ctx() if expr.name in _OF_THE_BATCH:
            return tree.Num(0.0, expr.at)
        case tree.Unary():
            return tree.Unary(expr.op, _when_empty(expr.operand), expr.at)
        case tree.Binary():
            return tree.Binary(expr.op, _when_empty(expr.left), _when_empty(expr.right), expr.at)
        case tree.Cond():
            parts = (_when_empty(expr.test), _when_empty(expr.then), _when_empty(expr.otherwise))
            return tree.Cond(*parts, expr.at)
        case _:
            return expr
