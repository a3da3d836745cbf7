"""Programs run as a worker would, in this process: a snapshot with its results."""

from __future__ import annotations

import json
from typing import Any

from serq_interpreter.frontend.analysis import Options, analyse
from serq_interpreter.ir.json import write_program
from serq_lsp.background.request import names_of
from serq_lsp.background.running import Order, Running
from serq_lsp.services.results.sites import sites_of
from serq_lsp.services.results.view import Past, RunView
from serq_lsp.services.snapshot import Snapshot

PARTS = ("observations", "gauges", "claims", "pools", "stages")


def snapshot_of(text: str, previous: Snapshot | None = None) -> Snapshot:
    """A text as the editor has it."""
    before = None if previous is None else previous.analysis
    analysis = analyse(text, "/w/program.sq", options=Options(editor=True), previous=before)
    return Snapshot("file:///w/program.sq", 1, analysis)


def raw_run(snapshot: Snapshot, seconds: float = 60.0, **order: Any) -> dict[str, Any]:
    """What a worker would send of the whole run, through JSON as it would."""
    lowered = snapshot.analysis.lowered
    assert lowered is not None, [item.message for item in snapshot.analysis.diagnostics]
    running = Running(Order(write_program(lowered.program), **order))
    data: dict[str, Any] = running.advance(seconds, lambda: False)
    found: dict[str, Any] = json.loads(json.dumps(data))
    return found


def view_of(snapshot: Snapshot, data: dict[str, Any] | None = None, **fields: Any) -> RunView:
    """The results of a snapshot's own run."""
    sites = sites_of(snapshot.analysis)
    assert sites is not None
    return RunView(snapshot, sites, fields.pop("generation", 2), data or raw_run(snapshot), final=True, **fields)


def past_of(snapshot: Snapshot, data: dict[str, Any] | None = None) -> Past:
    """A snapshot's run as a baseline."""
    lowered = snapshot.analysis.lowered
    assert lowered is not None
    names = names_of(lowered.program)
    return Past(1, False, data or raw_run(snapshot), {part: getattr(names, part) for part in PARTS})
