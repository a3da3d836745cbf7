"""The event log of a run as a text: a line for each happening, with its cause and its statement."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from serq_lsp.services.results.numbers import amount, significant
from serq_lsp.services.results.view import RunView

Record = dict[str, Any]

_DIGITS = 9
"""Significant digits of an instant: events of a long run stay apart."""


def event_text(view: RunView, log: dict[str, Any], title: str, names: Mapping[str, str] | None = None) -> str:
    """The log (`serq_lsp.background.event_log`).  `names`: what pools and stages are called now, where that changed."""
    settings = view.data.get("settings") or {}
    lines = [
        f"# {title}: what happened and why, {len(log['records'])} events",
        f"# seed {settings.get('seed')}, horizon {amount(settings.get('horizon'))} s"
        + (f", with {view.instance}" if view.instance else ""),
        "# time (s)     session        what                                                            line",
    ]
    lines += [_line(view, record, names or {}) for record in log["records"]]
    if log["truncated"]:
        lines.append(f"# the log ends here, at t = {amount(log['end'])} s: the run went on")
    return "\n".join(lines) + "\n"


def _line(view: RunView, record: Record, names: Mapping[str, str]) -> str:
    at = f"{significant(float(record['t']), _DIGITS):.9g}"
    told = {key: names.get(value, value) if isinstance(value, str) else value for key, value in record.items()}
    text = _WORDS.get(record["kind"], _unknown)(told, record.get("cause") or {})
    line = _line_number(view, record)
    return f"{at:>12}   {_who(record):<13}  {text:<62}  {line}".rstrip()


def _who(record: Record) -> str:
    if record.get("session") is None:
        return "–"
    leg = record.get("leg")
    return str(record["session"]) if leg is None else f"{record['session']} leg {leg}"


def _line_number(view: RunView, record: Record) -> str:
    state = record.get("state")
    span = view.span(view.sites.state(state)) if state is not None else None
    return "" if span is None else str(view.snapshot.lines.line_column(span.start)[0])


def _units(record: Record) -> str:
    return _of(record.get("units"))


def _of(units: Any) -> str:
    return f"{amount(units)} {'unit' if units == 1 else 'units'}"


def _queue(record: Record, cause: Record) -> str:
    after = "first again, as it was preempted" if cause.get("preempted") else f"{cause.get('ahead', 0)} ahead"
    return f"asks for {_units(record)} of {record['pool']}, {after}"


def _no_room(cause: Record) -> str:
    outstanding = cause.get("outstanding") or 0
    promised = f", {amount(outstanding)} reserved" if outstanding else ""
    return (
        f"needs {amount(cause.get('need'))}; {amount(cause.get('used'))} of {amount(cause.get('cap'))} used{promised}"
    )


def _admit(record: Record, cause: Record) -> str:
    waited, hit = cause.get("waited") or 0, cause.get("hit") or 0
    after = f" after {amount(waited)} s" if waited else " at once"
    return f"gets {_units(record)} of {record['pool']}{after}" + (f", finds {amount(hit)} cached" if hit else "")


def _evict(record: Record, cause: Record) -> str:
    other = cause.get("session")
    whom = "" if other is None else " to its own need" if other == record.get("session") else f" to session {other}"
    return f"loses {_units(record)} cached in {record['pool']}{whom}"


def _preempt(record: Record, cause: Record) -> str:
    other = cause.get("for")
    whose = "" if other is None else "its own growth" if other == record.get("session") else f"session {other}'s growth"
    return f"is preempted in {record['pool']}" + (f" for {whose} by {_of(cause.get('units'))}" if whose else "")


def _release(record: Record, cause: Record) -> str:
    return f"gives {_units(record)} of {record['pool']} back" + (" as its lease ends" if cause.get("by") else "")


def _run(record: Record, cause: Record) -> str:
    present = cause.get("present") or 0
    return f"joins {record.get('stage')} with work {amount(record.get('units'))}" + (
        f", {present} there" if present else ""
    )


def _unknown(record: Record, _cause: Record) -> str:
    return str(record["kind"])


_WORDS: dict[str, Callable[[Record, Record], str]] = {
    "arrive": lambda record, cause: "arrives",
    "turn": lambda record, cause: f"begins turn {record.get('turn')}",
    "end": lambda record, cause: "ends",
    "queue": _queue,
    "wait": lambda record, cause: f"waits for {record['pool']}: {_no_room(cause)}",
    "admit": _admit,
    "reject": lambda record, cause: f"is rejected: {record['pool']} has {_of(cause.get('cap'))}",
    "stall": lambda record, cause: f"cannot grow in {record['pool']}: {_no_room(cause)}",
    "grow": lambda record, cause: f"grows by {_units(record)} of {record['pool']}",
    "release": _release,
    "keep": lambda record, cause: f"leaves {_units(record)} cached in {record['pool']}",
    "evict": _evict,
    "preempt": _preempt,
    "run": _run,
    "done": lambda record, cause: (
        f"is done at {record.get('stage') or 'its stage'} after {amount(cause.get('lasted'))} s"
    ),
}
