"""Reading a workload trace: rows of `session, turn, new, out, think [, forced]` (06 §9).

`parse_trace` is pure; `read_trace` opens the file.  Both raise `TraceError`, which carries the catalogue
code, the place in the trace file and the advice.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import isnan
from pathlib import Path

FIELDS = ("session", "turn", "new", "out", "think", "forced")
_LAYOUT = "session,turn,new,out,think[,forced]"

CODE_UNREADABLE = "SQ0918"
CODE_MALFORMED = "SQ0919"

_WHITE_SPACE = "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
"""What is trimmed from a line: Unicode's `White_Space`.  `str.strip()` would take the separators 1C to 1F too."""

_NUMBER = re.compile(r"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|inf|infinity|nan)", re.IGNORECASE)

Row = tuple[float, float, float, float]
"""new, out, think, forced."""


@dataclass(frozen=True, slots=True)
class Trace:
    """Corpus sessions in file order, each with its turns in file order; never empty."""

    sessions: tuple[tuple[Row, ...], ...]

    @property
    def n_turns(self) -> int:
        return sum(len(rows) for rows in self.sessions)


class TraceError(Exception):
    """A trace that cannot be read (`SQ0918`) or is malformed (`SQ0919`).

    `line` counts physical lines from 1 and `column` characters from 1; both are 0 where the whole file is meant.
    `str(error)` is the reference's text without its advice, which is `help`.
    """

    def __init__(self, code: str, message: str, path: str, *, line: int = 0, column: int = 0, help: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.path = path
        self.line = line
        self.column = column
        self.help = help


def read_trace(path: str | Path) -> Trace:
    """The trace in the file at `path`.  Raises `TraceError`."""
    shown = str(path)
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise TraceError(CODE_UNREADABLE, f"the trace {shown} cannot be read: {reason}", shown) from error
    except ValueError as error:  # a NUL character in the path
        raise TraceError(CODE_UNREADABLE, f"the trace {shown} cannot be read: {error}", shown) from error
    return parse_trace(data, shown)


def parse_trace(data: bytes, path: str) -> Trace:
    """The trace in `data`; `path` is for messages only.  Raises `TraceError`."""
    sessions: list[list[Row]] = []
    number = -1
    for index, line in enumerate(_decoded(data, path).split("\n")):
        text = line.strip(_WHITE_SPACE)
        if not text or text.startswith(("#", "session")):
            continue
        session, row = _row(text, path, index + 1, len(line) - len(line.lstrip(_WHITE_SPACE)))
        if session != number:
            sessions.append([])
            number = session
        sessions[-1].append(row)
    if not sessions:
        raise TraceError(CODE_MALFORMED, f"the trace {path} has no rows", path, help=f"add a data row using {_LAYOUT}")
    return Trace(tuple(tuple(rows) for rows in sessions))


def _decoded(data: bytes, path: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line_start = data.rfind(b"\n", 0, error.start) + 1
        line = data.count(b"\n", 0, error.start) + 1
        column = len(data[line_start : error.start].decode()) + 1
        message = f"the trace {path} is no UTF-8 text"
        raise TraceError(CODE_UNREADABLE, message, path, line=line, column=column) from error


def _row(text: str, path: str, line: int, indent: int) -> tuple[int, Row]:
    """The session number and the values of one data row."""
    fields = text.split(",")
    if len(fields) not in (5, 6):
        message = f"line {line} of the trace {path} has {len(fields)} fields, not 5 or 6"
        raise TraceError(CODE_MALFORMED, message, path, line=line, column=indent + 1, help=f"use {_LAYOUT}")
    values = []
    at = indent
    for index, field in enumerate(fields):
        if index != 1:  # the turn column is not read
            values.append(_number(field, index, path, line, at + 1))
        at += len(field) + 1
    forced = values[4] if len(values) == 5 else 0.0
    return _session_number(values[0]), (values[1], values[2], values[3], forced)


def _number(field: str, index: int, path: str, line: int, column: int) -> float:
    # `float` also takes underscores, other scripts' digits and surrounding space, which a trace may not contain.
    if _NUMBER.fullmatch(field) is None or not field.isascii():
        name = FIELDS[index]
        message = f"line {line} of the trace {path}: `{field}` in column {index + 1} ({name}) is no number"
        advice = f"replace `{name}` with a numeric value"
        raise TraceError(CODE_MALFORMED, message, path, line=line, column=column, help=advice)
    return float(field)


def _session_number(value: float) -> int:
    """A whole 64-bit number: truncated, negative and NaN 0, too large the largest."""
    if isnan(value) or value <= 0.0:
        return 0
    return min(int(value), 2**64 - 1) if value < 2.0**64 else 2**64 - 1
