"""The run options: merged over all `run` items, folded, checked, and replaced by what the caller asks for (02 §4)."""

from __future__ import annotations

from serq_interpreter.semantics import constants
from serq_interpreter.semantics.context import Elaboration
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Edit, Fix, Note, Place, place_of

MAX_COUNT = 2.0**53
"""The largest seed and number of arrivals."""

_NAMES = {"horizon": "the horizon", "warmup": "the warm-up", "seed": "the seed", "arrivals": "the number of arrivals"}


def elaborate_settings(ctx: Elaboration) -> None:
    """Fill `ctx.out.settings`; an option given again replaces the earlier one (SQ0805, 0811-0816)."""
    items = [item for item in ctx.source.items if isinstance(item, nodes.RunItem)]
    options = {option.word.text: option for item in items for option in item.options}
    values: dict[str, float | None] = {}
    settings = ctx.out.settings
    for word, option in options.items():
        settings.places[word] = option.value.place
        values[word] = constants.folded(ctx, option.value, _NAMES[word])
    _override(ctx, values)
    _whole(ctx, values, "seed", "SQ0814", 0.0)
    _whole(ctx, values, "arrivals", "SQ0815", 1.0)
    _horizon(ctx, values, items)
    _arrivals(ctx, options.get("arrivals"), values)
    settings.horizon = values.get("horizon")
    settings.warmup = values.get("warmup")
    settings.seed = values.get("seed")
    settings.arrivals = values.get("arrivals")


def _override(ctx: Elaboration, values: dict[str, float | None]) -> None:
    request = ctx.request
    given = {
        "horizon": request.horizon,
        "warmup": request.warmup,
        "seed": request.seed,
        "arrivals": request.arrivals,
    }
    values.update({word: float(value) for word, value in given.items() if value is not None})


def _whole(ctx: Elaboration, values: dict[str, float | None], word: str, code: str, low: float) -> None:
    value = values.get(word)
    if value is None or constants.is_whole(value, low, MAX_COUNT):
        return
    values[word] = None
    ctx.report(code, _place(ctx, word), value=constants.show(value))


def _place(ctx: Elaboration, word: str) -> Place:
    """Where an option's value is written; the end of the program for one that only the caller gives."""
    return ctx.out.settings.places.get(word) or ctx.end_of_text()


def _horizon(ctx: Elaboration, values: dict[str, float | None], items: list[nodes.RunItem]) -> None:
    if "horizon" not in values:
        if not ctx.source.damaged:
            _missing(ctx, items)
        return
    horizon, warmup = values["horizon"], values.get("warmup", 0.0)
    if horizon is None or warmup is None:
        return
    if not warmup < horizon:
        place = _place(ctx, "warmup" if "warmup" in values else "horizon")
        ctx.report("SQ0812", place, horizon=constants.show(horizon), warmup=constants.show(warmup))
    elif warmup < 0.0:
        ctx.report("SQ0813", _place(ctx, "warmup"), what="the warm-up", value=constants.show(warmup))
    elif horizon == constants.INF:
        ctx.report("SQ0813", _place(ctx, "horizon"), what="the horizon", value="inf")


def _missing(ctx: Elaboration, items: list[nodes.RunItem]) -> None:
    end = ctx.end_of_text()
    if items:
        item = items[-1]
        brace = place_of(item.last)
        edit = Edit(Place(brace.chunk, brace.start, brace.start), " horizon 1000; ")
        fixes = () if brace.via is not None else (Fix("Add `horizon 1000;`", (edit,), safe=True),)
        ctx.report("SQ0811", place_of(item.word), fixes=fixes)
        return
    text = "run { horizon 1000; }\n"
    if end.chunk.text and not end.chunk.text.endswith("\n"):
        text = "\n" + text
    ctx.report("SQ0811", end, fixes=(Fix("Add `run { horizon 1000; }`", (Edit(end, text),), safe=True),))


def _arrivals(ctx: Elaboration, option: nodes.ValueOption | None, values: dict[str, float | None]) -> None:
    """A number of arrivals bounds an open law only (SQ0816)."""
    if "arrivals" not in values:
        return
    arrival = ctx.out.arrival
    form = "none" if arrival is None else arrival.form
    if form in ("poisson", "renewal") or (arrival is None and ctx.source.damaged):
        return
    notes = () if arrival is None else (Note(arrival.at, f"the arrivals are `{form}`"),)
    ctx.report("SQ0816", option.place if option is not None else _place(ctx, "arrivals"), form=form, notes=notes)
