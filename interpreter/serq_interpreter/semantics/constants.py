"""Constant expressions: what a constant position may read, and its value (spec 02 §4).

`fold` answers a number (NaN included) or `None` for a value that a reported error made unknown.  Only the operand that
`? :` selects is looked at, as in the language; `&&` and `||` look at both.
"""

from __future__ import annotations

from collections.abc import Callable

from serq_interpreter.semantics import arithmetic
from serq_interpreter.semantics.context import Elaboration, Terms
from serq_interpreter.semantics.nearest import nearest
from serq_interpreter.semantics.vocabulary import RENAMED_CONTEXT
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Edit, Fix, Place, place_of

MAX_TERMS = 4096
"""Aggregate terms that a program may write out."""

MAX_MEMBERS = 10_000
"""Members of an array or family."""

INF = arithmetic.INF

Indices = dict[str, float | None]


def add_terms(ctx: Elaboration, node: nodes.Aggregate, count: float | None, terms: Terms) -> bool:
    """Count the terms of an aggregate; report SQ0818 and answer False when the program then has too many."""
    if count is None:
        return False
    terms.count += int(count)
    if terms.count <= MAX_TERMS:
        return True
    ctx.report("SQ0818", node.place, key="terms", op=node.op.text, terms=terms.count, limit=MAX_TERMS)
    terms.count -= int(count)
    return False


def fold(
    ctx: Elaboration, node: nodes.Expr, indices: Indices | None = None, terms: Terms | None = None
) -> float | None:
    """The value of a constant expression; reports SQ0801-0804, 0817, 0818 for what it may not read."""
    return _FOLD[type(node)](ctx, node, indices or {}, terms or ctx.terms)


def folded(ctx: Elaboration, node: nodes.Expr, what: str, terms: Terms | None = None) -> float | None:
    """Like `fold`, for a value that must not be NaN (SQ0805); `what` names it in the message."""
    value = fold(ctx, node, None, terms)
    if value is not None and value != value:
        ctx.report("SQ0805", node.place, what=what)
        return None
    return value


def is_whole(value: float, low: float = 1.0, high: float = arithmetic.INF) -> bool:
    """Whether `value` is a whole finite number in [low, high]."""
    return low <= value <= high and value != arithmetic.INF and value == int(value)


def fold_size(ctx: Elaboration, node: nodes.Expr | None, what: str) -> tuple[int | None, bool]:
    """The size of an array or family as (size, known); `(None, True)` for a single one (SQ0806, SQ0807)."""
    if node is None:
        return None, True
    findings, indices = len(ctx.sink.findings), len(ctx.aggregates)
    value = fold(ctx, node, None, Terms())
    del ctx.aggregates[indices:]  # a size is read before anything is declared: its indices clash with nothing
    if value is None:
        _size_did_not_fold(ctx, node, findings, what)
        return None, False
    if not is_whole(value):
        ctx.report("SQ0806", node.place, what=what, value=show(value))
        return None, False
    if value > MAX_MEMBERS:
        ctx.report("SQ0807", node.place, what=what, value=show(value), limit=MAX_MEMBERS)
        return None, False
    ctx.size_places.append(node.place)
    return int(value), True


def _size_did_not_fold(ctx: Elaboration, node: nodes.Expr, since: int, what: str) -> None:
    """A size that is no constant is one error, about the size, whatever its expression reads."""
    if len(ctx.sink.findings) == since:
        return
    ctx.sink.take_back(since)
    ctx.report("SQ0806", node.place, what=what, value="")


def show(value: float) -> str:
    """A number as a message shows it: `3`, `0.5`, `inf`, `NaN`."""
    if value != value:
        return "NaN"
    if value in (arithmetic.INF, -arithmetic.INF):
        return "inf" if value > 0 else "-inf"
    return str(int(value)) if value == int(value) and abs(value) < 1e16 else repr(value)


# --------------------------------------------------------------------------- one function per kind of node


def _number(ctx: Elaboration, node: nodes.Number, indices: Indices, terms: Terms) -> float | None:
    return None if node.value != node.value else node.value


def _paren(ctx: Elaboration, node: nodes.Paren, indices: Indices, terms: Terms) -> float | None:
    inner = node.inner
    return _FOLD[type(inner)](ctx, inner, indices, terms)


def _error(ctx: Elaboration, node: nodes.ErrorExpr, indices: Indices, terms: Terms) -> float | None:
    return None


def _name(ctx: Elaboration, node: nodes.Reference, indices: Indices, terms: Terms) -> float | None:
    name = node.name.text
    if node.member is None and node.index is None:
        if name in indices:
            ctx.use(node.name, "index", name)
            return indices[name]
        if name == "inf":
            ctx.use(node.name, "builtin", name)
            return arithmetic.INF
        if name == "self":
            ctx.report("SQ0726", node.place)
            return None
        if name in ctx.declared.constants and name not in ctx.damage.redeclared:
            ctx.use(node.name, "constant", name, place_of(ctx.declared.constant_tokens[name]))
            return ctx.declared.constants[name]
    if ctx.may_declare("constant", name):
        return None
    _no_constant(ctx, node)
    return None


def _no_constant(ctx: Elaboration, node: nodes.Reference) -> None:
    written = node.name.text if node.member is None else f"{node.name.text}.{node.member.text}"
    below = next((token for token in ctx.lets if token.text == written), None)
    if below is not None:
        note = (ctx.note(below, f"`{written}` is declared here, below its use"),)
        ctx.report("SQ0801", node.place, name=written, notes=note)
        return
    help = ""
    if written in RENAMED_CONTEXT:
        help = f"`{written}` is the older name of the context variable `{RENAMED_CONTEXT[written]}`"
    candidate = nearest(written, ctx.declared.constants)
    fixes = rename(node.place, candidate) if node.member is None else ()
    ctx.report("SQ0801", node.place, name=written, fixes=fixes, help=help)


def rename(place: Place, name: str | None) -> tuple[Fix, ...]:
    """The fix "write `name` there", when there is a name and the text is not an expansion's."""
    if name is None or place.via is not None:
        return ()
    return (Fix(f"Write `{name}`", (Edit(place, name),)),)


def _apply(ctx: Elaboration, node: nodes.Apply, indices: Indices, terms: Terms) -> float | None:
    name = node.name.text
    if name == "blocksize":
        ctx.report("SQ0803", node.place)
        return None
    before = len(ctx.sink.findings)
    values = [_FOLD[type(argument)](ctx, argument, indices, terms) for argument in node.args]
    known = arithmetic.FUNCTIONS.get(name)
    if known is None or known[0] != len(values):
        if len(ctx.sink.findings) == before and not (known is None and ctx.may_declare("function", name)):
            count = 0 if known is None else known[0]
            ctx.report("SQ0802", place_of(node.name), name=name, count=count, given=len(values))
        return None
    ctx.use(node.name, "function", name)
    if any(value is None for value in values):
        return None
    return float(known[1](*values))


def _draw(ctx: Elaboration, node: nodes.Draw, indices: Indices, terms: Terms) -> float | None:
    ctx.report("SQ0804", node.place, name=node.name.text)
    return None


def _unary(ctx: Elaboration, node: nodes.UnaryOp, indices: Indices, terms: Terms) -> float | None:
    operand = node.operand
    value = _FOLD[type(operand)](ctx, operand, indices, terms)
    return None if value is None else arithmetic.UNARY[node.op](value)


def _binary(ctx: Elaboration, node: nodes.BinaryOp, indices: Indices, terms: Terms) -> float | None:
    left, right = node.left, node.right
    a = _FOLD[type(left)](ctx, left, indices, terms)
    b = _FOLD[type(right)](ctx, right, indices, terms)
    return None if a is None or b is None else arithmetic.BINARY[node.op](a, b)


def _conditional(ctx: Elaboration, node: nodes.Conditional, indices: Indices, terms: Terms) -> float | None:
    value = _FOLD[type(node.test)](ctx, node.test, indices, terms)
    if value is None:
        return None
    chosen = node.then if value != 0.0 else node.otherwise
    return _FOLD[type(chosen)](ctx, chosen, indices, terms)


def _aggregate(ctx: Elaboration, node: nodes.Aggregate, indices: Indices, terms: Terms) -> float | None:
    ctx.aggregates.append(node)
    count = aggregate_count(ctx, node, indices, terms)
    if not add_terms(ctx, node, count, terms):
        _FOLD[type(node.body)](ctx, node.body, {**indices, node.index.text: None}, Terms())
        return None
    step = {"max": arithmetic.maximum, "min": arithmetic.minimum}.get(node.op.text, arithmetic.BINARY["+"])
    total: float | None = None
    for position in range(int(count or 0)):
        value = _FOLD[type(node.body)](ctx, node.body, {**indices, node.index.text: float(position)}, terms)
        if value is None:
            return None
        total = value if total is None else step(total, value)
    return total


def aggregate_count(ctx: Elaboration, node: nodes.Aggregate, indices: Indices, terms: Terms) -> float | None:
    """The number of terms of an aggregate (SQ0817); `None` when unknown."""
    count = _FOLD[type(node.count)](ctx, node.count, indices, terms)
    if count is None or is_whole(count):
        return count
    ctx.report("SQ0817", node.count.place, op=node.op.text, index=node.index.text, value=show(count))
    return None


_FOLD: dict[type, Callable[..., float | None]] = {
    nodes.Number: _number,
    nodes.Paren: _paren,
    nodes.ErrorExpr: _error,
    nodes.Reference: _name,
    nodes.Apply: _apply,
    nodes.Draw: _draw,
    nodes.UnaryOp: _unary,
    nodes.BinaryOp: _binary,
    nodes.Conditional: _conditional,
    nodes.Aggregate: _aggregate,
}
