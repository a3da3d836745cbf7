"""Diagnostics of a run: what went wrong in it, at the statement that causes it (codes SQ12xx, source `serq-sim`).

They belong to the results that are shown.  While those are stale they stay where their text was not touched.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from serq_interpreter.catalog import Severity, entry
from serq_interpreter.frontend.diagnostic import Diagnostic, Location, Position, Related
from serq_interpreter.frontend.suppression import apply_to_run
from serq_interpreter.frontend.wording import Arguments
from serq_interpreter.ir import program as ir
from serq_interpreter.ir.numbering import node_at
from serq_interpreter.ir.walk import statements
from serq_interpreter.machine.errors import RunError
from serq_interpreter.reading import Reading
from serq_interpreter.syntax.tokens import Place
from serq_lsp.services.results.numbers import amount, known, shown
from serq_lsp.services.results.verdict import verdict_of
from serq_lsp.services.results.view import RunView
from serq_lsp.services.settings import OFF, RUN_ERROR, severity_setting

MOST_RELATED = 8

Notes = list[tuple[Place | None, str]]


def run_diagnostics(view: RunView) -> list[Diagnostic]:
    """Everything a run has to complain about, in order of place.  A run that goes on already tells what it knows.

    A shorter run complains of nothing: it judges what the whole run leaves out as its warm-up.
    """
    if view.instead_of is not None:
        return []
    if not view.measured and view.data.get("error") is None:
        return []
    found = [*_error(view)]
    if view.measured:
        found += [
            *_lost(view),
            *_waiting(view),
            *_rejected(view),
            *_over_cap(view),
            *_idle(view),
            *_overload(view),
            *_claims(view),
            *_constant(view),
        ]
    weighed = [one for item in found if (one := _weighed(view, item)) is not None]
    return sorted(weighed, key=lambda item: (item.location.start_offset, item.code))


def shown_and_silenced(view: RunView) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """What a run has to complain about as it is shown everywhere, and what a comment of the program silences."""
    found = run_diagnostics(view)
    shown, _ = apply_to_run(found, view.snapshot.document)
    kept = {id(item) for item in shown}
    return shown, [item for item in found if id(item) not in kept]


def _weighed(view: RunView, item: Diagnostic) -> Diagnostic | None:
    """The diagnostic as severe as the settings want it; `None` where they want none."""
    name = item.name if item.code.startswith("SQ12") else RUN_ERROR
    wish = view.snapshot.settings[severity_setting(name)]
    return None if wish == OFF else item.with_severity(Severity(wish))


def _diagnostic(view: RunView, code: str, place: Place | None, notes: Notes, **args: object) -> Iterator[Diagnostic]:
    at = location(view, place)
    if at is None:
        return
    known_code = entry(code)
    words = Arguments(args)
    related = [Related(where, text) for note, text in notes if (where := location(view, note)) is not None]
    yield Diagnostic(
        code=code,
        name=known_code.name,
        severity=known_code.severity,
        message=known_code.message.format_map(words),
        location=at,
        related=tuple(related),
        help=known_code.help.format_map(words),
    )


def location(view: RunView, place: Place | None) -> Location | None:
    """Where a place stands in the document now."""
    span = view.span(place)
    if span is None:
        return None
    lines = view.snapshot.lines
    start, end = lines.line_column(span.start), lines.line_column(span.end)
    return Location(span.file, Position(*start), Position(*end), span.start, span.end)


# --------------------------------------------------------------------------- errors


def _error(view: RunView) -> Iterator[Diagnostic]:
    """A run-time error at its statement; while stale it is not said any more, its text may be mended."""
    error = view.data.get("error")
    if error is None or view.stale:
        return
    sites = view.sites
    node = node_at(sites.program, error["node"]) if error["node"] is not None else sites.program
    raised = RunError(error["code"], error["message"], node, error["session"])
    raised.time = error["time"]
    yield Reading(sites.analysis, sites.analysis.file, None).explain(raised)


# --------------------------------------------------------------------------- memory


def _lost(view: RunView) -> Iterator[Diagnostic]:
    """Sessions preempted again without having got any further (spec 04 §8.5)."""
    pools = view.pools()
    for index, state, example in view.data["lost"]:
        site, row = view.sites.pools[index], pools[index]
        cap = view.sites.program.pools[index].cap
        notes: Notes = [(view.sites.cap(index), f"`{site.label}` has {amount(cap)} units")]
        for growing in _growing(view, state, index):
            notes.append((growing, f"this grows in `{site.label}` and finds no room"))
        yield from _diagnostic(
            view,
            "SQ1201",
            view.sites.hold_word(state, index),
            notes,
            count=_sessions(row["stuck"]),
            pool=site.label,
            session=example["session"],
            units=amount(example["units"]),
            cap=amount(cap),
            time=amount(example["time"]),
            others=_others(example["others"]),
        )


def _others(count: int) -> str:
    return "nobody else holds any" if count <= 0 else f"{_sessions(count)} hold the rest"


def _growing(view: RunView, state: int, pool: int) -> list[Place | None]:
    """The statements of a hold that grow its allocation of a pool."""
    hold = view.sites.state_node(state)
    if not isinstance(hold, ir.Hold):
        return []
    found = []
    for statement in statements(hold.body):
        grown = statement.growing if isinstance(statement, ir.Run) else None
        if isinstance(statement, ir.Grow):
            grown = statement.pool
        if grown is not None and grown.base <= pool < grown.base + grown.count:
            found.append(view.sites.lowered.origins.get(statement))
    return found[:MOST_RELATED]


def _waiting(view: RunView) -> Iterator[Diagnostic]:
    """Sessions that hold something and wait for each other when the run ends."""
    waiting = view.data.get("waiting")
    if waiting is None:
        return
    holders = [actor for actor in waiting["actors"] if actor["holds"] and actor["asks"]]
    if not holders:
        return
    pools = {pool["index"]: pool for pool in waiting["pools"]}
    first = holders[0]
    asked, units = _short_of(first, pools)
    if units > pools[asked]["cap"]:
        return  # nobody has what it asks for: the head over the cap is what there is to say
    notes: Notes = []
    for actor in holders[:MOST_RELATED]:
        for pool, held, state in actor["holds"]:
            place = view.sites.hold_word(state, pool)
            text = f"{_who(actor)} holds {amount(held)} of `{view.sites.pools[pool].label}`"
            lacks, more = _short_of(actor, pools)
            notes.append((place, f"{text} and waits for {amount(more)} of `{view.sites.pools[lacks].label}`"))
    place = view.sites.hold_word(first["state"], asked)
    if first["kind"] == "grow":
        place = view.sites.state(first["run"]) or place
    free = pools[asked]["cap"] - pools[asked]["used"]
    yield from _diagnostic(
        view,
        "SQ1202",
        place,
        notes,
        count=_sessions(waiting["total"]),
        who=_who(first),
        units=amount(units),
        pool=view.sites.pools[asked].label,
        free=amount(max(free, 0.0)),
        cap=amount(pools[asked]["cap"]),
        time=amount(waiting["at"]),
        behind=_behind(waiting, first, asked, pools[asked]),
    )


def _behind(waiting: dict[str, Any], actor: dict[str, Any], asked: int, pool: dict[str, Any]) -> str:
    """Who stands at the head of the queue, where it is the head's request that finds no room."""
    if pool["used"] + dict(actor["asks"])[asked] > pool["cap"]:
        return ""
    for other in waiting["actors"]:
        need = dict(other["asks"]).get(asked)
        if other["kind"] == "queue" and other["ahead"] == 0 and need is not None and other is not actor:
            return f", behind {_who(other)}, which asks for {amount(need)} first"
    return ""


def _short_of(actor: dict[str, Any], pools: dict[int, Any]) -> tuple[int, float]:
    """The pool that an actor lacks units of, and how many it asks for."""
    for pool, units in actor["asks"]:
        if pools[pool]["used"] + units > pools[pool]["cap"]:
            return pool, units
    pool, units = actor["asks"][0]
    return pool, units


def _who(actor: dict[str, Any]) -> str:
    return f"session {actor['session']}" if actor["leg"] is None else f"a leg of session {actor['session']}"


def _rejected(view: RunView) -> Iterator[Diagnostic]:
    """Sessions refused at a hold that could never fit (spec 04 §4.1)."""
    for index, state, count in view.data["refusals"]:
        site, cap = view.sites.pools[index], view.sites.program.pools[index].cap
        yield from _diagnostic(
            view,
            "SQ1203",
            view.sites.hold_word(state, index),
            [(view.sites.cap(index), f"`{site.label}` has {amount(cap)} units")],
            count=_sessions(count),
            pool=site.label,
            cap=amount(cap),
        )


def _over_cap(view: RunView) -> Iterator[Diagnostic]:
    """The head of a queue asks for more than the pool has, at the end (spec 04 §14)."""
    if not view.final or view.data["status"] != "complete":
        return
    for index, row in enumerate(view.pools()):
        over = row["over_cap"]
        if over is None:
            continue
        site, cap = view.sites.pools[index], view.sites.program.pools[index].cap
        yield from _diagnostic(
            view,
            "SQ1204",
            _asking(view, index) or site.name_at,
            [(view.sites.cap(index), f"`{site.label}` has {amount(cap)} units")],
            pool=site.label,
            queue=over["queue"],
            need=amount(over["need"]),
            cap=amount(cap),
        )


def _asking(view: RunView, pool: int) -> Place | None:
    """The first hold that asks for a pool."""
    for statement in statements(view.sites.program.session):
        if isinstance(statement, ir.Hold):
            for take in statement.admission.takes:
                if take.pool.base <= pool < take.pool.base + take.pool.count:
                    return view.sites.lowered.origins.get(take)
    return None


# --------------------------------------------------------------------------- stages, load, measurements


def _idle(view: RunView) -> Iterator[Diagnostic]:
    """An engine that stands still although somebody is there (spec 05 §6.3)."""
    if view.data["status"] != "complete":
        return
    for index, row in enumerate(view.stages()):
        if row["idle_with_work"]:
            site = view.sites.stages[index]
            yield from _diagnostic(view, "SQ1205", site.name_at, [], stage=site.label, time=amount(view.report["end"]))


def _overload(view: RunView) -> Iterator[Diagnostic]:
    verdict = verdict_of(view)
    if verdict.state != "overloaded" or not view.final:
        return
    busiest = max(enumerate(view.stages()), key=lambda item: known(item[1]["utilization"]) or 0.0, default=None)
    notes: Notes = []
    if busiest is not None:
        index, row = busiest
        share = 100.0 * (known(row["utilization"]) or 0.0)
        notes.append((view.sites.stages[index].name_at, f"the busiest stage: {share:.0f} % of the time"))
    yield from _diagnostic(
        view,
        "SQ1206",
        view.sites.arrival or view.sites.run,
        notes,
        slope=shown(verdict.slope),
        live=view.data["live"],
    )


def _claims(view: RunView) -> Iterator[Diagnostic]:
    for index, row in enumerate(view.claims()):
        site = view.sites.claims[index]
        if row["result"] == "fails":
            checked = "1 time" if row["checked"] == 1 else f"{row['checked']} times"
            yield from _diagnostic(
                view,
                "SQ1207",
                site.name_at,
                [],
                claim=site.label,
                failures=row["failures"],
                checked=checked,
                first=amount(row["first"]),
            )
        elif row["result"] == "not_witnessed" and view.data["status"] == "complete":
            yield from _diagnostic(view, "SQ1208", site.name_at, [], claim=site.label, checked=row["checked"])


FEWEST_EQUAL = 40
"""Samples from which on equal values are worth a word."""


def _constant(view: RunView) -> Iterator[Diagnostic]:
    if not view.final:
        return
    for index, row in enumerate(view.observations()):
        detail = view.detail("observations", index)
        if row["count"] >= FEWEST_EQUAL and detail.get("min") is not None and detail["min"] == detail["max"]:
            site = view.sites.observations[index]
            yield from _diagnostic(
                view, "SQ1209", site.at, [], name=site.label, count=row["count"], value=amount(detail["min"])
            )


def _sessions(count: int) -> str:
    return "1 session" if count == 1 else f"{count} sessions"
