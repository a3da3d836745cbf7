"""An exploration as text and as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

from serq_interpreter.explore.replay import moves_value
from serq_interpreter.explore.search import Exploration
from serq_interpreter.explore.shrink import Shrunk
from serq_interpreter.frontend.diagnostic import Location
from serq_lsp.cli.formats.full import paragraph
from serq_lsp.services.exploration import Line, Telling

VERSION = 1
"""Of the JSON."""

Tellings = list[Telling]


def text(file: str, texts: dict[str, str], exploration: Exploration, tellings: Tellings, shrunk: Shrunk | None) -> str:
    """For people: each finding with the way there, then what was searched."""
    parts = []
    for telling in tellings:
        parts.append(paragraph(telling.diagnostic(way=False), texts, sys.stdout.isatty()))
        parts.append("\n".join(_way(telling)) + "\n")
    if shrunk is not None:
        parts.append(f"shrunk in {shrunk.tried} tries: {_size(shrunk)}\n")
    parts.append(_closing(file, exploration))
    return "\n".join(parts)


def _way(telling: Telling) -> Iterator[str]:
    trace = telling.trace
    yield f"the way there, {_moves(len(trace.finding.path) - 1)}:"
    lines = telling.lines()
    yield from _numbered([line for line in lines if not line.again])
    if trace.waiters:
        yield "then:"
        for waiter in trace.waiters:
            yield f"       {telling.waiter(waiter)}"
        for room in trace.rooms:
            reserved = f", {room.reserved:.10g} reserved" if room.reserved else ""
            yield f"       `{room.pool}`: {room.used:.10g} of {room.cap:.10g} taken{reserved}"
    if trace.finding.again:
        yield f"and again and again, {_moves(len(trace.finding.again))}:"
        yield from _numbered([line for line in lines if line.again])


def _moves(count: int) -> str:
    return "1 move" if count == 1 else f"{count} moves"


def _numbered(lines: list[Line]) -> Iterator[str]:
    """Move and time once, before the first line of a move."""
    last = None
    for line in lines:
        head = f"{line.move:4}  t = {line.time:<10.6g}" if line.move != last else " " * 20
        last = line.move
        yield f"{head} {line.text}{_place(line.at)}"


def _place(at: Location | None) -> str:
    return "" if at is None else f"  ({at.file}:{at.start.line}:{at.start.column})"


def _size(shrunk: Shrunk) -> str:
    size = shrunk.size
    parts = [f"--sessions {size.sessions}"]
    parts += [f"--set {name}={value:.10g}" for name, value in size.constants.items()]
    parts += [f"--cap {name}={value:.10g}" for name, value in size.caps.items()]
    return " ".join(parts)


def _closing(file: str, exploration: Exploration) -> str:
    found = len(exploration.findings)
    what = "nothing found" if not found else "1 finding" if found == 1 else f"{found} findings"
    if exploration.stopped == "replayed":
        return f"{file}: the way ends in the same state\n"
    if exploration.complete:
        extent = "every state of the instance was seen"
    elif exploration.stopped is not None:
        extent = f"stopped after {exploration.stopped}: not every state was seen"
    else:
        extent = "stopped at the first finding"
    instance = exploration.instance
    return (
        f"{file}: {what}; {extent} ({instance.sessions} sessions, {exploration.states} states, "
        f"{exploration.moves} moves, {exploration.depth} deep)\n" + _witnesses(exploration)
    )


def _witnesses(exploration: Exploration) -> str:
    lines = []
    for index, claim in enumerate(exploration.instance.program.claims):
        if claim.kind != "SomeIteration":
            continue
        way = exploration.witnesses.get(index)
        if way is not None:
            lines.append(f"claim `{claim.name}` is witnessed after {_moves(len(way) - 1)}\n")
        elif exploration.complete:
            lines.append(f"claim `{claim.name}` is witnessed in no state of the instance\n")
    return "".join(lines)


# --------------------------------------------------------------------------- JSON


def json_text(
    file: str, texts: dict[str, str], exploration: Exploration, tellings: Tellings, shrunk: Shrunk | None
) -> str:
    """For programs; `--replay` reads it again."""
    del texts
    value = {
        "version": VERSION,
        "file": file,
        "sessions": exploration.instance.sessions,
        "arrivals": exploration.instance.arrivals,
        "states": exploration.states,
        "moves": exploration.moves,
        "depth": exploration.depth,
        "seconds": round(exploration.seconds, 3),
        "complete": exploration.complete,
        "stopped": exploration.stopped,
        "shrunk": None if shrunk is None else _size_value(shrunk),
        "witnessed": {
            exploration.instance.program.claims[index].name: len(way) for index, way in exploration.witnesses.items()
        },
        "findings": [_finding(telling) for telling in tellings],
    }
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _size_value(shrunk: Shrunk) -> dict[str, Any]:
    size = shrunk.size
    return {
        "sessions": size.sessions,
        "constants": dict(size.constants),
        "caps": dict(size.caps),
        "tried": shrunk.tried,
    }


def _finding(telling: Telling) -> dict[str, Any]:
    trace, told = telling.trace, telling.diagnostic(way=False)
    return {
        "kind": str(trace.finding.kind),
        "code": told.code,
        "message": told.message,
        "place": _place_value(told.location),
        "subject": trace.finding.subject,
        "state": None if trace.key is None else trace.key.hex(),
        "time": trace.seconds,
        "path": moves_value(trace.finding.path),
        "again": moves_value(trace.finding.again),
        "trace": [_line(line) for line in telling.lines()],
        "waiting": [telling.waiter(waiter) for waiter in trace.waiters],
    }


def _line(line: Line) -> dict[str, Any]:
    place = None if line.at is None else _place_value(line.at)
    return {"move": line.move, "time": line.time, "text": line.text, "place": place, "again": line.again}


def _place_value(at: Location) -> dict[str, Any]:
    return {
        "file": at.file,
        "line": at.start.line,
        "column": at.start.column,
        "endLine": at.end.line,
        "endColumn": at.end.column,
    }
