"""The steady-state verdicts of a run: one per observation and gauge that has something to say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from serq_interpreter.machine.backlog import Backlog
from serq_interpreter.machine.gauges import GaugeSeries
from serq_interpreter.machine.observations import Series
from serq_interpreter.machine.statistics import N_BATCHES
from serq_interpreter.machine.steady import SteadyState, verdict_of_values, verdict_of_windows

Verdicts = Mapping[str, Mapping[str, SteadyState]]
"""`observes` and `gauges`, each by name."""


def run_verdicts(
    series: Iterable[Series], gauges: Iterable[GaugeSeries], backlog: Backlog | None, warmup: float, end: float
) -> Verdicts:
    """The verdicts at `end` (clock units).  `backlog` is that of an open arrival law, `None` of any other.

    A run that has not left its warm-up has none.
    """
    if not end > warmup:
        return {"observes": {}, "gauges": {}}
    if backlog is not None:
        backlog.close(end)
    length = (end - warmup) / N_BATCHES
    return {
        "observes": {one.name: verdict_of_values(one.values, backlog, one.moments()) for one in series},
        "gauges": {
            one.name: verdict_of_windows(one.summary(end).windows, length, one.n_changes, backlog) for one in gauges
        },
    }


def verdicts_value(verdicts: Verdicts) -> dict[str, Any]:
    """The verdicts as plain values, for JSON."""
    return {
        part: {
            name: {"verdict": str(state.verdict), "decided_by": str(state.decided_by), "value": state.value}
            for name, state in entries.items()
        }
        for part, entries in verdicts.items()
    }
