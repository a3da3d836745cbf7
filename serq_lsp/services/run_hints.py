"""Inlay hints: the last run's numbers beside the statements that produce them.

A hint takes the same room whatever its numbers are, and there is one for every statement of its kind, run or not
steady; only the numbers change.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from serq_interpreter.syntax.tokens import Place
from serq_lsp.services.results.comparing import delta_of, estimate
from serq_lsp.services.results.numbers import FIGURE_SPACE, fixed, known, level, percent, shown, shown_half
from serq_lsp.services.results.sites import Site, named_now
from serq_lsp.services.results.verdict import verdict_of
from serq_lsp.services.results.view import Row, RunView


@dataclass(frozen=True, slots=True)
class Hint:
    """`offset` is the end of a line; `id` names the thing (`pool:0`) for the panel and the explanation."""

    offset: int
    label: str
    id: str


def run_hints(view: RunView | None, start: int, end: int) -> list[Hint]:
    """The hints between two offsets, in order of place; none when nothing has run yet."""
    if view is None or not view.snapshot.settings["hints.enable"]:
        return []
    found = [hint for hint in _all(view) if start <= hint.offset <= end]
    return sorted(found, key=lambda hint: hint.offset)


def frozen(shown_before: list[Hint] | None, hints: list[Hint], line_start: int, line_end: int) -> list[Hint]:
    """The hints with those of the line being typed as they were: none appears there and none goes away."""
    if shown_before is None:
        return [hint for hint in hints if not line_start <= hint.offset <= line_end]
    kept = {hint.id for hint in shown_before}
    return [hint for hint in hints if not line_start <= hint.offset <= line_end or hint.id in kept]


def _all(view: RunView) -> Iterator[Hint]:
    settings, mark = view.snapshot.settings, _mark(view)
    sites = view.sites
    if view.measured:
        if settings["hints.observations"]:
            for index, (site, row) in enumerate(zip(sites.observations, view.observations(), strict=False)):
                text = mark + _observation(view, index, site, row)
                for place in (_now(view, "observations", site.name, site.at), *site.others):
                    yield from _at(view, place, text, f"observation:{index}")
        if settings["hints.gauges"]:
            for index, (site, row) in enumerate(zip(sites.gauges, view.gauges(), strict=False)):
                mean, ci = estimate(view, "gauges", index, row["mean"], row["ci"])
                text = f"mean {fixed(shown(mean, ci))} ±{fixed(shown_half(ci), 6)}"
                text += _delta(view, "gauges", index, site, row)
                yield from _at(view, _now(view, "gauges", site.name, site.at), mark + text, f"gauge:{index}")
        if settings["hints.claims"]:
            for index, (site, row) in enumerate(zip(sites.claims, view.claims(), strict=False)):
                place = _now(view, "claims", site.name, site.at)
                yield from _at(view, place, mark + _claim(row), f"claim:{index}")
        if settings["hints.pools"]:
            yield from _declared(view, "pools", sites.pools, view.pools(), mark)
        if settings["hints.stages"]:
            yield from _declared(view, "stages", sites.stages, view.stages(), mark)
    if settings["hints.verdict"]:
        yield from _at(view, _now(view, "run", "", sites.run), mark + _verdict(view), "run")


def _mark(view: RunView) -> str:
    """Whether the numbers are those of today's text, of the whole run or a shorter one, and of one that has ended."""
    if view.stale:
        return "~ "
    if view.instead_of is not None:
        return "≈ "
    return "= " if view.final else "… "


def _at(view: RunView, place: Place | None, text: str, id: str) -> Iterator[Hint]:
    span = view.span(place)
    if span is None:
        return
    lines = view.snapshot.lines
    line, _ = lines.line_column(max(span.end - 1, span.start))
    yield Hint(lines.line_end(line), text, id)


def _now(view: RunView, part: str, name: str, place: Place | None) -> Place | None:
    """The place, or where the thing is named in today's text if its own was edited."""
    if not view.stale or view.span(place) is not None:
        return place
    return named_now(view.snapshot, part, name)


# --------------------------------------------------------------------------- texts


def _observation(view: RunView, index: int, site: Site, row: Row) -> str:
    mean, ci = estimate(view, "observations", index, row["mean"], row["ci"])
    text = f"mean {fixed(shown(mean, ci))} ±{fixed(shown_half(ci), 6)} p99 {fixed(shown(row['p99']))}"
    if not row["count"]:
        text = "nothing observed".ljust(len(text), FIGURE_SPACE)
    return text + _delta(view, "observations", index, site, row)


def _delta(view: RunView, part: str, index: int, site: Site, row: Row) -> str:
    """The change to the baseline where it is significant; blank of the same width where not."""
    delta = delta_of(view, part, index, site.label, row)
    if delta is None or not delta.significant or delta.relative is None:
        return " " + FIGURE_SPACE * 8
    return f" Δ {fixed(f'{100.0 * delta.relative:+.0f}', 4)} %"


def _claim(row: Row) -> str:
    result: str = row["result"].replace("_", " ")
    if row["result"] == "fails" and known(row["first"]) is not None:
        result = f"FAILS at t = {shown(row['first'])}"
    return result.ljust(18, FIGURE_SPACE)


def _declared(view: RunView, part: str, sites: tuple[Site, ...], rows: list[Row], mark: str) -> Iterator[Hint]:
    """One hint per declaration: a family's members are averaged, their counts added."""
    families: dict[str, list[int]] = {}
    for index, site in enumerate(sites):
        if index < len(rows):
            families.setdefault(site.name, []).append(index)
    for members in families.values():
        of_family = [rows[index] for index in members]
        first = members[0]
        if part == "pools":
            text = _pool(view, members, of_family)
        else:
            text = _stage(view, members, of_family)
        site = sites[first]
        yield from _at(view, _now(view, part, site.name, site.name_at), mark + text, f"{part[:-1]}:{first}")


def _pool(view: RunView, members: list[int], rows: list[Row]) -> str:
    cap = known(view.sites.program.pools[members[0]].cap)
    used, cached, queue = (_average(rows, key) for key in ("mean_used", "mean_cached", "mean_queue"))
    if cap:
        text = f"used {percent(used / cap)} cached {percent(cached / cap)}"
    else:
        text = f"used {fixed(shown(used))} cached {fixed(shown(cached))}"
    text += f" queue {fixed(level(queue), 5)}"
    for key in ("stuck", "rejected"):
        count = sum(row[key] for row in rows)
        if count:
            text += f" {key} {count}"
    return text


def _stage(view: RunView, members: list[int], rows: list[Row]) -> str:
    busy, rate = _average(rows, "utilization"), _average(rows, "throughput")
    text = f"busy {percent(busy)} {fixed(shown(rate))}/s"
    if any(row["iterations"] for row in rows):
        length = (known(view.report["end"]) or 0.0) - (known(view.report["warmup"]) or 0.0)
        per_second = _average(rows, "iterations") / length if length > 0.0 else None
        text += f" {fixed(shown(per_second))} it/s batch {fixed(level(_average(rows, 'mean_decode_batch')), 5)}"
        text += _coalesced(view, members)
    if any(row["idle_with_work"] for row in rows):
        text += " idle with work"
    return text


def _coalesced(view: RunView, members: list[int]) -> str:
    """How many iterations were taken at once, the mean over a family; empty where they are taken one by one."""
    if not view.snapshot.settings["hints.coalescing"]:
        return ""
    per_stage = view.data.get("coalesced") or ()
    found = [value for i in members if i < len(per_stage) and (value := known(per_stage[i])) is not None]
    return f" coalesced {fixed(level(sum(found) / len(found)), 5)}×" if found else ""


def _average(rows: list[Row], key: str) -> float:
    values = [value for row in rows if (value := known(row[key])) is not None]
    return sum(values) / len(values) if values else 0.0


def _verdict(view: RunView) -> str:
    verdict = verdict_of(view)
    text = verdict.state.replace("-", " ")
    if verdict.state == "unknown":
        text = "failed" if view.fault is not None or view.data.get("error") else "no result"
    seed = (view.data.get("settings") or {}).get("seed")
    slope = f" +{shown(verdict.slope)}/s" if verdict.slope is not None else ""
    given = f" with {view.instance}" if view.instance else ""
    part = f" · {view.stands_for}" if view.stands_for else ""
    return f"{text.ljust(11, FIGURE_SPACE)}{slope}" + ("" if seed is None else f" seed {seed}") + given + part
