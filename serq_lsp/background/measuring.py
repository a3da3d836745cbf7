"""A run so far as plain data: what a worker sends.  Everything is by index, so that renamed programs keep results.

| key | what |
|---|---|
| `status` | `partial`, `complete`, `failed`; `reason` says why it is partial |
| `report` | the report's fields (spec 07 §1), doubles as they are |
| `observations` | by index: `verdict`, quantiles, `histogram`, `series` of samples, `blocks` for pairing |
| `gauges` | by index: `verdict` |
| `windows` | `start` and `width` (s), and the level means `pools`, `stages`, `gauges` in each window |
| `coalesced` | by index of the stage: iterations that a step stood for, of engines that take them together |
| `backlog` | whether arrivals are open, whether the number of live sessions grows, its slope (1/s) |
| `refusals`, `lost` | where sessions were refused, where preemptions made no progress |
| `waiting` | who waits for whom, when sessions are stuck at the end |
| `error` | code, message, number of the kernel node at fault |
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import ceil, inf, isfinite
from typing import TYPE_CHECKING, Any

from serq_interpreter.ir.numbering import number_of
from serq_interpreter.machine.arrivals import is_open
from serq_interpreter.machine.verdicts import run_verdicts
from serq_lsp.background.pairing import blocks_of
from serq_lsp.background.sampling import Sampling
from serq_lsp.background.waiting import waiting_of

if TYPE_CHECKING:
    from serq_interpreter.machine.engine import Machine
    from serq_interpreter.machine.errors import RunError
    from serq_interpreter.machine.observations import Series
    from serq_interpreter.machine.run import Run, RunResult

POINTS = 400
BINS = 24
MOST_RANKED = 500_000
"""Samples up to which it is worked out which session stands at which percentile."""


def measure(run: Run, result: RunResult, sampling: Sampling, look: Callable[[], object]) -> dict[str, Any]:
    """The data of a run after `result`.  `look` is called between the parts; what it raises ends the work."""
    machine = run.machine
    look()
    end = result.report.get("end", machine.seconds)
    grows = is_open(run.program.arrival) and run.settings.arrivals is None
    backlog = machine.backlog if grows else None
    look()
    verdicts = run_verdicts(machine.series, [one for one, _ in machine.gauges], backlog, run.settings.warmup, end)
    tick = getattr(machine.clock, "unit", None)
    ended = result.status == "complete"
    return {
        "status": result.status,
        "reason": result.reason,
        "report": result.report,
        "notes": result.notes,
        "settings": {"seed": run.settings.seed, "horizon": run.settings.horizon, "warmup": run.settings.warmup},
        "tick": None if tick is None else str(tick),
        "observations": [
            _observation(series, verdicts["observes"].get(series.name), look) for series in machine.series
        ],
        "gauges": [_state(verdicts["gauges"].get(series.name)) for series, _ in machine.gauges],
        "windows": _windows(machine, sampling),
        "coalesced": run.iterations_per_step(),
        "backlog": {
            "open": grows,
            "grows": backlog is not None and end > run.settings.warmup and backlog.grows(),
            "slope": machine.backlog.slope() if backlog is not None else None,
        },
        "live": machine.live,
        "refusals": [[pool, state, count] for (pool, state), count in sampling.refusals.items()],
        "lost": [[pool, state, example] for (pool, state), example in sampling.lost.items()],
        "waiting": waiting_of(machine) if ended else None,
        "error": None if result.error is None else error_value(run.program, result.error),
    }


def error_value(program: Any, error: RunError) -> dict[str, Any]:
    """A run-time error; its node by number."""
    node = None if error.node is None or error.node is program else number_of(program, error.node)
    return {
        "code": error.code,
        "message": error.message,
        "node": node,
        "session": error.session,
        "time": error.time,
        "trace": getattr(error.__cause__, "path", None),
    }


def _state(state: Any) -> dict[str, Any] | None:
    return None if state is None else {"verdict": str(state.verdict), "value": state.value}


def _observation(series: Series, state: Any, look: Callable[[], object]) -> dict[str, Any]:
    look()
    values = series.values
    found: dict[str, Any] = {"verdict": _state(state), "min": None, "max": None, "p50": None, "p90": None}
    finite = sorted([value for value in values if isfinite(value)])
    if finite:
        found |= {
            "min": finite[0],
            "max": finite[-1],
            "p50": _quantile(finite, 0.5),
            "p90": _quantile(finite, 0.9),
            "histogram": histogram(finite),
        }
    look()
    if series.times is not None:
        found["series"] = decimated(series.times, values)
    if series.sessions is not None and series.times is not None and len(finite) == len(values) and values:
        look()
        found["blocks"] = blocks_of(series.sessions, values)
        look()
        if len(values) <= MOST_RANKED:
            found["ranks"] = _ranks(series.times, series.sessions, values)
    return found


def _ranks(times: Sequence[float], sessions: Sequence[int], values: Sequence[float]) -> list[list[float]]:
    """For each percentile, and the 99.9th: share, session, value and when it was recorded (s)."""
    order = sorted(range(len(values)), key=values.__getitem__)
    shares = [k / 100.0 for k in range(101)] + [0.999]
    picked = [(share, order[max(ceil(share * len(order)), 1) - 1]) for share in shares]
    return [[share, sessions[i], values[i], times[i]] for share, i in picked]


def _quantile(ordered: Sequence[float], share: float) -> float:
    return ordered[max(ceil(share * len(ordered)), 1) - 1]


def histogram(ordered: Sequence[float]) -> dict[str, Any]:
    """Counts in equal bins from the least value to the 99.5th percentile; the last bin takes what lies above."""
    low, high = ordered[0], _quantile(ordered, 0.995)
    if not high > low:
        high = ordered[-1]
    if not high > low:
        return {"edges": [low, high], "counts": [len(ordered)]}
    edges = [low + (high - low) * i / BINS for i in range(BINS)] + [max(high, ordered[-1])]
    below = [bisect_right(ordered, edge) for edge in edges[1:-1]]
    steps = [0, *below, len(ordered)]
    return {"edges": edges, "counts": [right - left for left, right in pairwise(steps)]}


def decimated(times: Sequence[float], values: Sequence[float]) -> dict[str, Any]:
    """At most `POINTS` samples over time (s): of each stretch its least and its greatest, in order."""
    n = len(values)
    if n <= POINTS:
        picked = list(range(n))
    else:
        picked = []
        stretches = POINTS // 2
        for k in range(stretches):
            first, stop = k * n // stretches, (k + 1) * n // stretches
            part = values[first:stop]
            low, high = min(range(len(part)), key=part.__getitem__), max(range(len(part)), key=part.__getitem__)
            picked += sorted({first + low, first + high})
    return {"t": [times[i] for i in picked], "v": [values[i] for i in picked]}


def _windows(machine: Machine, sampling: Sampling) -> dict[str, Any]:
    windows = sampling.windows
    n_pools, n_stages = len(machine.pools), len(machine.stages)
    first_stage, first_gauge = 3 * n_pools, 3 * n_pools + 2 * n_stages
    per_second = sampling.per_second or 1.0
    return {
        "start": machine.settings.warmup,
        "width": windows.width / per_second,
        "pools": [[windows.means(3 * i + k) for k in range(3)] for i in range(n_pools)],
        "stages": [[windows.means(first_stage + 2 * i + k) for k in range(2)] for i in range(n_stages)],
        "gauges": [windows.means(first_gauge + i) for i in range(len(machine.gauges))],
    }


def widest_interval(result: RunResult) -> float:
    """The largest half-width of the observations and gauges relative to their means; `inf` where one has none."""
    rows = [row for row in result.report.get("observes", {}).values() if row["count"]]
    rows += list(result.report.get("gauges", {}).values())
    widest = 0.0
    for row in rows:
        if not isfinite(row["ci"]) or not isfinite(row["mean"]):
            return inf
        if row["ci"]:
            widest = max(widest, row["ci"] / abs(row["mean"]) if row["mean"] else inf)
    return widest if rows else inf
