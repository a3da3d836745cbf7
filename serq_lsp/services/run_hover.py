"""Hovers of results: the full statistics of the thing under the cursor, its course over time and its distribution."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from serq_interpreter.version import __version__
from serq_lsp.services.names import symbol_at
from serq_lsp.services.results.comparing import Delta, delta_of, estimate
from serq_lsp.services.results.numbers import FIGURE_SPACE, amount, known, percent, shown, shown_half
from serq_lsp.services.results.pictures import histogram_line, sparkline
from serq_lsp.services.results.sites import Site
from serq_lsp.services.results.units import time_observations
from serq_lsp.services.results.verdict import verdict_of
from serq_lsp.services.results.view import RunView
from serq_lsp.services.tokens import token_at

_PARTS = {
    "observation": "observations",
    "gauge": "gauges",
    "claim": "claims",
    "pool": "pools",
    "stage": "stages",
}


def run_hover(view: RunView, offset: int) -> str:
    """What the last run says about the name at `offset`; empty where it says nothing."""
    found = symbol_at(view.snapshot, offset)
    if found is not None and found[1].kind in _PARTS:
        kind = found[1].kind
        sites: Sequence[Site] = getattr(view.sites, _PARTS[kind])
        texts = [hover_of(view, f"{kind}:{index}") for index, site in enumerate(sites) if site.name == found[1].name]
        return "\n\n".join(text for text in texts[:4] if text)
    if found is not None and found[1].kind == "group":
        return _trees(view)
    at = token_at(view.snapshot, offset)
    word = view.span(view.sites.run)
    if at is not None and word is not None and at.start == word.start:
        return hover_of(view, "run")
    return ""


def hover_of(view: RunView, id: str) -> str:
    """The explanation of one thing, by the identifier that hints and results use."""
    kind, _, number = id.partition(":")
    if kind == "run":
        return _run(view)
    writer = _WRITERS.get(kind)
    if writer is None or not number.isdigit() or not view.measured:
        return ""
    index, part = int(number), _PARTS[kind]
    if index >= min(len(getattr(view.sites, part)), len(getattr(view, part)())):
        return ""
    return f"{writer(view, index)}\n\n{_stamp(view)}"


def _table(rows: Sequence[tuple[str, str]]) -> str:
    head = " | ".join(name for name, _ in rows)
    line = "|".join("---:" for _ in rows)
    return f"| {head} |\n|{line}|\n| {' | '.join(value for _, value in rows)} |"


def _picture(*lines: tuple[str, str]) -> str:
    drawn = [f"{name:<10}{text}" for name, text in lines if text]
    return "```text\n" + "\n".join(drawn) + "\n```" if drawn else ""


def _joined(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)


def _compared(delta: Delta | None) -> str:
    """The difference to the baseline, paired where the runs could be paired."""
    if delta is None or delta.mean is None:
        return ""
    share = "" if delta.relative is None else f" ({100.0 * delta.relative:+.1f} %)"
    said = "significant" if delta.significant else "not significant"
    if delta.ci is None:
        said = "no interval"
    tail = "" if delta.p99 is None else f"; p99 {_signed(delta.p99, None)}"
    return f"Against the baseline: **{_signed(delta.mean, delta.ci)}** ± {shown_half(delta.ci)}{share}, {said}{tail}"


def _signed(value: float, ci: float | None) -> str:
    text = shown(value, ci)
    return text if text.startswith("-") else f"+{text}"


def _trees(view: RunView) -> str:
    """What the last run says of session trees, at the name of a group of children (edition v4b)."""
    trees = view.report.get("trees")
    if trees is None or not trees["ended"]:
        return ""
    rows = [("trees ended", str(trees["ended"]))]
    rows += [
        (name, f"{shown(trees[part]['mean'], trees[part]['ci'])} ± {shown_half(trees[part]['ci'])}")
        for part, name in (("sessions", "sessions"), ("depth", "depth"), ("span", "span (s)"))
    ]
    rows += [("deepest", str(int(trees["depth"]["max"]))), ("span p99", shown(trees["span"]["p99"]))]
    return f"**Session trees** in the last run\n\n{_table(rows)}\n\n{_stamp(view)}"


# --------------------------------------------------------------------------- the kinds


def _observation(view: RunView, index: int) -> str:
    site, row, detail = view.sites.observations[index], view.observations()[index], view.detail("observations", index)
    mean, ci = estimate(view, "observations", index, row["mean"], row["ci"])
    unit = " (s)" if index in time_observations(view.sites.program) else ""
    rows = [("count", str(row["count"])), ("mean", shown(mean, ci)), ("± 95 %", shown_half(ci))]
    rows += [(key, shown(detail.get(key))) for key in ("min", "p50", "p90")]
    rows += [("p99", shown(row["p99"])), ("max", shown(detail.get("max"))), ("cv²", shown(row["cv2"]))]
    state = detail.get("verdict")
    verdict = "" if state is None else f"Verdict: {state['verdict'].replace('-', ' ')}"
    bars = (detail.get("histogram") or {}).get("counts", ())
    values = (detail.get("series") or {}).get("v", ())
    picture = _picture(("over time", sparkline(values)), ("histogram", histogram_line(bars)))
    delta = delta_of(view, "observations", index, site.label, row)
    return _joined(f"**{site.label}**{unit} in the last run", _table(rows), picture, verdict, _compared(delta))


def _gauge(view: RunView, index: int) -> str:
    site, row = view.sites.gauges[index], view.gauges()[index]
    mean, ci = estimate(view, "gauges", index, row["mean"], row["ci"])
    rows = [
        ("mean", shown(mean, ci)),
        ("± 95 %", shown_half(ci)),
        ("min", shown(row["min"])),
        ("max", shown(row["max"])),
    ]
    picture = _picture(("over time", sparkline(view.data["windows"]["gauges"][index])))
    delta = delta_of(view, "gauges", index, site.label, row)
    return _joined(f"gauge **{site.label}** in the last run", _table(rows), picture, _compared(delta))


def _claim(view: RunView, index: int) -> str:
    site, row = view.sites.claims[index], view.claims()[index]
    rows = [
        ("result", str(row["result"]).replace("_", " ")),
        ("checked", str(row["checked"])),
        ("failures", str(row["failures"])),
        ("first at", amount(row["first"])),
    ]
    return _joined(f"claim **{site.label}** in the last run", _table(rows), row["note"] or "")


def _pool(view: RunView, index: int) -> str:
    site, row = view.sites.pools[index], view.pools()[index]
    cap = known(view.sites.program.pools[index].cap)
    means = [("cap", amount(view.sites.program.pools[index].cap))]
    for name, key in (("used", "mean_used"), ("cached", "mean_cached")):
        value = known(row[key])
        share = f" ({percent(value / cap).strip(FIGURE_SPACE)})" if cap and value is not None else ""
        means.append((name, shown(value) + share))
    means += [("queue", shown(row["mean_queue"])), ("holders", shown(row["mean_holders"]))]
    means.append(("wait (s)", shown(row["mean_wait"])))
    counts = [("admissions", "admissions"), ("evictions", "evicted_entries")]
    counts += [(key, key) for key in ("preemptions", "spills", "rejected", "stuck")]
    levels = view.data["windows"]["pools"][index]
    picture = _picture(*((name, sparkline(level)) for name, level in zip(_POOL_LEVELS, levels, strict=True)))
    over = row["over_cap"]
    warning = "" if over is None else f"At the end the head of `{over['queue']}` asks for {amount(over['need'])}."
    delta = delta_of(view, "pools", index, site.label, row)
    return _joined(
        f"pool **{site.label}** in the last run",
        _table(means),
        _table([(name, str(row[key])) for name, key in counts]),
        picture,
        warning,
        _compared(delta),
    )


_POOL_LEVELS = ("used", "cached", "queue")


def _stage(view: RunView, index: int) -> str:
    site, row = view.sites.stages[index], view.stages()[index]
    busy = known(row["utilization"])
    rows = [
        ("busy", "–" if busy is None else f"{100.0 * busy:.1f} %"),
        ("present", shown(row["mean_number"])),
        ("throughput (1/s)", shown(row["throughput"])),
        ("wait (s)", shown(row["mean_wait"])),
        ("service (s)", shown(row["mean_service"])),
        ("completed", str(row["completed"])),
    ]
    engine = ""
    if row["iterations"]:
        engine = _table(
            [
                ("iterations", str(row["iterations"])),
                ("prefill only", _share(row["prefill_only"])),
                ("decode only", _share(row["decode_only"])),
                ("mixed", _share(row["mixed"])),
                ("decode batch", shown(row["mean_decode_batch"])),
                ("token gap (s)", shown(row["mean_itl"])),
                ("p99 gap (s)", shown(row["itl_p99"])),
            ]
        )
    number, load = view.data["windows"]["stages"][index]
    picture = _picture(("present", sparkline(number)), ("busy", sparkline(load)))
    delta = delta_of(view, "stages", index, site.label, row)
    return _joined(f"stage **{site.label}** in the last run", _table(rows), engine, picture, _compared(delta))


def _share(value: object) -> str:
    number = known(value)
    return "–" if number is None else f"{100.0 * number:.0f} %"


def _run(view: RunView) -> str:
    verdict = verdict_of(view)
    if not view.measured:
        return f"Last run: {verdict.message}"
    report = view.report
    rows = [
        ("simulated (s)", amount(report["end"])),
        ("events", str(report["events"])),
        ("arrivals", str(report["arrivals"])),
        ("ended", str(report["ended"])),
        ("mean live", shown(report["mean_live"])),
        ("took (s)", shown(view.data.get("wall"))),
    ]
    notes = "\n".join(f"* {note}" for note in view.data.get("notes") or ())
    return _joined(f"Last run: **{verdict.message}**", _table(rows), notes, _stamp(view))


def _stamp(view: RunView) -> str:
    """What repeats the run, and whether it is today's."""
    settings = view.data.get("settings") or {}
    seed, horizon = settings.get("seed"), settings.get("horizon")
    parts = [f"serq-lsp {__version__}", f"seed {seed}", f"horizon {amount(horizon)} s"]
    parts.append(f"tick {_tick(view.data['tick'])} s" if view.data.get("tick") else "no tick")
    if view.instance:
        parts.append(f"with {view.instance}")
    replicas = len(view.data.get("replicas") or ())
    if replicas > 1:
        parts.append(f"{replicas} replications")
    if view.instead_of is not None:
        own, whole = amount(settings.get("warmup")), view.instead_of
        parts.append(
            f"a shorter run with a warm-up of {own} s; the whole has {amount(whole['horizon'])} s, "
            f"{amount(whole['warmup'])} s of them warm-up"
        )
    state = "of an older text" if view.stale else "" if view.final else "still running"
    return f"*{' · '.join([*parts, *([state] if state else [])])}*"


def _tick(text: str) -> str:
    """The clock's unit: a power of ten as people write it, else the fraction."""
    digits = text.removeprefix("1/1")
    return f"1e-{len(digits)}" if text.startswith("1/1") and digits and not digits.strip("0") else text


_WRITERS: dict[str, Callable[[RunView, int], str]] = {
    "observation": _observation,
    "gauge": _gauge,
    "claim": _claim,
    "pool": _pool,
    "stage": _stage,
}
