"""Constants replaced from outside: `--set NAME=EXPR` (spec 09 §2).

An override is evaluated as if it stood in the program in place of the value.  A constant that an array size was
computed from cannot be replaced, because sizes are fixed while the text is read.
"""

from __future__ import annotations

from collections.abc import Iterable

from serq_interpreter.semantics import constants
from serq_interpreter.semantics.context import Elaboration
from serq_interpreter.semantics.nearest import nearest
from serq_interpreter.semantics.text_walk import nodes_of
from serq_interpreter.syntax import nodes


def overridden(ctx: Elaboration, name: str) -> float | None:
    """The value that replaces the constant `name` from here on, or `None` when none does (SQ0833)."""
    expression = ctx.request.constants.get(name)
    if expression is None:
        return None
    since = len(ctx.sink.findings)
    value = constants.fold(ctx, expression)
    if value is not None and value == value:
        return value
    problem = "its value is NaN"
    if value is None:
        problem = _why(ctx, since)
        ctx.sink.take_back(since)
    ctx.report("SQ0833", expression.place, key=name, name=name, problem=problem)
    return None


def _why(ctx: Elaboration, since: int) -> str:
    for finding in ctx.sink.findings[since:]:
        if finding.code == "SQ0804":
            return "a constant cannot draw"
        if finding.code == "SQ0801":
            return f"`{finding.args['name']}` is not a constant"
    return "it is not a constant"


def check_overrides(ctx: Elaboration) -> None:
    """Overrides of what the program does not declare (SQ0830) and of constants behind a size (SQ0834)."""
    if not ctx.request.constants:
        return
    declared = ctx.declared.constants
    for name, expression in ctx.request.constants.items():
        if name not in declared and not ctx.unread(name):
            ctx.report("SQ0830", expression.place, name=name, help=choice(name, declared))
    _check_sizes(ctx)


def choice(name: str, declared: Iterable[str]) -> str:
    """Advice about an override of `name`, when these can be overridden."""
    names = list(declared)
    candidate = nearest(name, names)
    if candidate:
        return f"did you mean `{candidate}`?"
    if not names:
        return "the program has none that can be overridden"
    listed = ", ".join(f"`{one}`" for one in names[:8])
    return f"it has {listed}" + (f" and {len(names) - 8} more" if len(names) > 8 else "")


def _check_sizes(ctx: Elaboration) -> None:
    """Follow each array size through the `let`s that it reads, directly or by way of another."""
    values = {item.name.text: item.value for item in ctx.source.items if isinstance(item, nodes.LetItem)}
    for size in _sizes(ctx):
        pending, seen = [size], set[str]()
        while pending:
            for name in _names(pending.pop()):
                if name in seen:
                    continue
                seen.add(name)
                if name in values:
                    pending.append(values[name])
        for name in seen & ctx.request.constants.keys():
            ctx.report("SQ0834", size.place, name=name)


def _sizes(ctx: Elaboration) -> list[nodes.Expr]:
    items = [item for item in ctx.source.items if isinstance(item, nodes.PoolItem | nodes.StageItem | nodes.QueueItem)]
    return [item.size for item in items if item.size is not None]


def _names(expr: nodes.Expr) -> list[str]:
    return [part.name.text for part in nodes_of(expr) if isinstance(part, nodes.Reference) and part.member is None]
