"""Writing an ordered trace into the program: `batch(n)` with a trace becomes scripted sessions (08 §6)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from serq_interpreter.ir import program as ir
from serq_interpreter.machine.run import load_trace
from serq_interpreter.machine.trace_file import Row


def inline_trace(program: ir.Program, directory: Path | None = None) -> ir.Program:
    """The same program without its trace file.

    Raises `RunError` when the trace cannot be read (SQ0918, SQ0919) and `ValueError` when the program has no
    ordered trace, or an arrival law whose number of sessions is not known in advance.
    """
    if program.trace is None or not program.trace_ordered:
        raise ValueError('only an ordered trace has sessions to write: say `trace "…" ordered;`')
    if not isinstance(program.arrival, ir.Batch):
        raise ValueError("it needs `arrive batch(n)`, whose sessions are known before the run")
    trace = load_trace(program, None, directory)
    assert trace is not None
    corpus = [tuple(_turn(row) for row in rows) for rows in trace.sessions]
    sessions = tuple(
        ir.ScriptedSession(attrs=(), turns=corpus[serial % len(corpus)]) for serial in range(program.arrival.sessions)
    )
    return replace(program, arrival=ir.Sessions(sessions), trace=None, trace_ordered=False)


def _turn(row: Row) -> tuple[tuple[int, float], ...]:
    new, out, think, forced = row
    return ((ir.SLOT_NEW, new), (ir.SLOT_OUT, out), (ir.SLOT_THINK, think), (ir.SLOT_FORCED, forced))
