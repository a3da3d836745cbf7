"""SQ1109: an engine that never serves some of its residents.

What: no `serve` of the engine takes a resident in prefill (or in decode), although runs of that kind stand there; or all
predicates read one attribute of the session, and there is a value with which none of them is true.

Why: a resident that no iteration serves keeps its memory and never leaves.  When everybody is like that the engine stands
still with work (05 §6.3).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

from serq_interpreter.analysis import interval as i
from serq_interpreter.analysis.expression_bounds import Environment, ExpressionBounds
from serq_interpreter.analysis.interval import Interval
from serq_interpreter.analysis.references import members
from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.ir import program as ir
from serq_interpreter.ir.walk import expressions, statements
from serq_interpreter.rules.waits.kernel import Kernel
from serq_interpreter.syntax.tokens import Finding

NEEDS = ("Iteration",)
ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ1109",
        name="residents-never-served",
        severity=Severity.WARNING,
        message="no `serve` of engine `{stage}` takes a {phase}{which}: such residents stay for ever",
        why="An iteration serves whom its predicates choose. Who is in none of them computes nothing, keeps memory and never "
        "leaves; when all residents are like that, the engine stands still although there is work.",
        help="another `serve`, or a predicate that is true for them, too",
        wrong="""pool kv { cap 4096; admit via engine; }
stage engine : step {
  budget 64;
  cost 0.01;
  memory kv;
  serve only (decoding);
            //^^^^^^^^
}
workload { arrive poisson(0.1); }
session {
  hold kv (30) { prefill 20; decode 10; }
  observe t = now;
  end;
}
run { horizon 100; warmup 10; }
""",
        right="""pool kv { cap 4096; admit via engine; }
stage engine : step {
  budget 64;
  cost 0.01;
  memory kv;
  iteration { serve only (decoding); serve only (!decoding); admit while (!preempted); }
}
workload { arrive poisson(0.1); }
session {
  hold kv (30) { prefill 20; decode 10; }
  observe t = now;
  end;
}
run { horizon 100; warmup 10; }
""",
        spec="05 §6.3",
    ),
)
_PHASES = {ir.RunMode.PREFILL: ("prefill", 0.0), ir.RunMode.DECODE: ("decode", 1.0)}


def check(kernel: Kernel) -> Iterator[Finding]:
    """Look at the predicates of each engine's iteration, for each kind of run that stands there."""
    for number, stage in enumerate(kernel.program.stages):
        if not isinstance(stage.kind, ir.Step) or not stage.kind.iteration:
            continue
        predicates = _predicates(stage.kind.iteration)
        if not predicates:
            continue
        for mode in _PHASES:
            found = _excluded(kernel, number, mode, predicates)
            if found is not None:
                yield found
                break


def _predicates(body: tuple[ir.IterStmt, ...]) -> list[ir.Expr]:
    """The predicates of every `serve`, on whatever path; none when one of them serves everybody."""
    stack, found = list(body), list[ir.Expr]()
    while stack:
        item = stack.pop()
        if isinstance(item, ir.IterBranch):
            stack += (*item.then, *item.otherwise)
        elif isinstance(item, ir.IterServe):
            if item.only is None:
                return []
            found.append(item.only)
    return found[::-1]


def _excluded(kernel: Kernel, number: int, mode: ir.RunMode, predicates: list[ir.Expr]) -> Finding | None:
    runs = [
        item
        for item in statements(kernel.program.session)
        if isinstance(item, ir.Run)
        and item.mode is mode
        and number in members(item.stage)
        and kernel.bounds.at(item) is not None
    ]
    place = kernel.place(predicates[0])
    if not runs or place is None:
        return None
    phase, decoding = _PHASES[mode]
    judge = ExpressionBounds(kernel.program, {"Decoding": i.exactly(decoding)})
    environment = _ranges(kernel, runs)
    args: dict[str, object] = {"stage": kernel.program.stages[number].name, "phase": phase, "which": ""}
    notes = kernel.note(runs[0], f"a {phase} that it does not serve")
    if all(_never(judge.value(predicate, environment)) for predicate in predicates):
        return Finding("SQ1109", place, args, notes)
    witness = _witness(kernel, judge, environment, predicates)
    if witness is None:
        return None
    return Finding("SQ1109", place, args | {"which": f" of a session with {witness}"}, notes)


def _ranges(kernel: Kernel, runs: list[ir.Run]) -> Environment:
    """The ranges of attributes over some runs."""
    found: Environment | None = None
    for run in runs:
        state = kernel.bounds.at(run)
        assert state is not None
        found = state if found is None else tuple(i.join(a, b) for a, b in zip(found, state, strict=True))
    assert found is not None
    return found


def _witness(
    kernel: Kernel, judge: ExpressionBounds, environment: Environment, predicates: list[ir.Expr]
) -> str | None:
    """An end of the only attribute that the predicates read with which none is true: an end is a value it takes."""
    parts = [part for predicate in predicates for part in expressions(predicate)]
    slots = {part.slot for part in parts if isinstance(part, ir.Attr)}
    if len(slots) != 1 or any(
        isinstance(part, ir.Reg | ir.Agg | ir.PoolRef | ir.StageRef)
        or (isinstance(part, ir.Ctx) and part.name != "Decoding")
        for part in parts
    ):
        return None
    slot = slots.pop()
    if slot in (ir.SLOT_CACHED, ir.SLOT_COMPUTED, ir.SLOT_TURN):
        return None
    for end in (environment[slot].lo, environment[slot].hi):
        if isfinite(end):
            at = (*environment[:slot], i.exactly(end), *environment[slot + 1 :])
            if all(_never(judge.value(predicate, at)) for predicate in predicates):
                return f"`{kernel.program.attrs[slot]}` = {end:.10g}"
    return None


def _never(value: Interval) -> bool:
    return value.lo == value.hi == 0.0 and not value.nan
