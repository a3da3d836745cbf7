"""Pools and stages (`serq.lark`, sections pools and stages)."""

from __future__ import annotations

from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.building.parts import Context, Listed, Values, is_damaged, kept, size_of
from serq_interpreter.syntax.tokens import Edit, Finding, Fix, Note, Place, Token, place_of


def value_option(c: Values, context: Context) -> nodes.ValueOption:
    return nodes.ValueOption(c[0], c[2], c[0], c[1])


def keys_option(c: Values, context: Context) -> nodes.KeysOption:
    form, keys, tail = c[1].value
    return nodes.KeysOption(c[0], c[2], c[0], form, keys, tail)


def by_keys(c: Values, context: Context) -> Listed:
    return Listed(c[0], c[3], tuple(c[2][::2]))


def order_of_pool(c: Values, context: Context) -> Listed:
    tail = len(c) > 1 and c[1] is not None and c[1].value
    if isinstance(c[0], Token):
        return Listed(c[0], c[0], value=(c[0].text, (), False))
    return Listed(c[0].first, (c[1] if tail else c[0]).last, value=("by", c[0].parts, bool(tail)))


def requeue(c: Values, context: Context) -> Listed:
    return Listed(c[0], c[1], value=c[1].text == "tail")


def admit_option(c: Values, context: Context) -> nodes.NameOption:
    return nodes.NameOption(c[0], c[3], c[0], c[2])


def reserve_option(c: Values, context: Context) -> nodes.ReserveHeldOption:
    return nodes.ReserveHeldOption(c[0], c[2], c[0])


def spill_option(c: Values, context: Context) -> nodes.SpillOption:
    return nodes.SpillOption(c[0], c[11], c[0], c[1], c[3], c[5], c[9])


def size(c: Values, context: Context) -> Listed:
    return Listed(c[0], c[2], value=c[1])


def pool_item(c: Values, context: Context) -> nodes.PoolItem:
    return nodes.PoolItem(c[0], c[5], c[0], c[1], size_of(c[2]), kept(c[4]), is_damaged(c[4], c[0], context))


def simple_kind(c: Values, context: Context) -> nodes.StageKind:
    if c[0].text == "delay" or len(c) < 4 or c[1] is None:
        return nodes.StageKind(c[0], c[0], c[0].text)
    return nodes.StageKind(c[0], c[3], c[0].text, c[2])


def step_kind(c: Values, context: Context) -> nodes.StageKind:
    options = kept(c[2])
    damaged = is_damaged(c[2], c[0], context)
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
    return nodes.StageItem(c[0], last, c[0], c[1], size_of(c[2]), c[4])


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
    return nodes.IterationOption(c[0], c[3], c[0], kept(c[2]))


def iteration_serve(c: Values, context: Context) -> nodes.IterStmt:
    if c[2] is not None and c[2].form == "exclusive prefill":
        context.report(Finding("SQ0509", c[2].place, {}))
    return nodes.IterServe(c[0], c[3], c[1].value if c[1] else None, c[2])


def iteration_admit(c: Values, context: Context) -> nodes.IterStmt:
    return nodes.IterAdmit(c[0], c[6], c[1].value if c[1] else None, c[4])


def iteration_branch(c: Values, context: Context) -> nodes.IterStmt:
    otherwise = None if c[9] is None else kept(c[9])
    return nodes.IterBranch(c[0], c[10] or c[6], c[2], kept(c[5]), otherwise)


def iteration_set(c: Values, context: Context) -> nodes.IterStmt:
    return nodes.IterSet(c[0], c[4], c[1], c[3])


def _twice(code: str, first: Token, second: nodes.StepOption) -> Finding:
    fix = Fix("delete it", (Edit(second.place, ""),))
    fixes = (fix,) if second.first.via is None else ()
    return Finding(code, place_of(second.word), {}, (Note(place_of(first), "the first is here"),), fixes)
