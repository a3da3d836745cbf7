"""The report of a run: the fields of 07 §1, in order, with doubles as they are."""

from __future__ import annotations

import json
from math import inf, isfinite, nan
from typing import TYPE_CHECKING, Any

from serq_interpreter.machine.expression_text import member_text
from serq_interpreter.machine.numbers import divide, number_text
from serq_interpreter.machine.pools import PoolState
from serq_interpreter.machine.stages.base import StageState
from serq_interpreter.machine.stages.step import StepStage

if TYPE_CHECKING:
    from serq_interpreter.machine.clock import Time
    from serq_interpreter.machine.engine import Machine
    from serq_interpreter.machine.gauges import GaugeSeries

EDITION = "0.1.3"
"""`serq_version`: the edition whose report this is."""


def build_report(machine: Machine, end: Time) -> dict[str, Any]:
    """The report object; NaN and infinities stay doubles (`report_json` writes them as `null`)."""
    settings = machine.settings
    machine.reach_backlog()
    length = end - machine.measured_from if machine.measuring else machine.clock.zero
    seconds = machine.clock.seconds(end)
    area = machine.live_area + machine.live * (end - machine.live_since) if machine.measuring else nan
    report: dict[str, Any] = {
        "serq_version": EDITION,
        "horizon": settings.horizon,
        "end": seconds,
        "warmup": settings.warmup,
        "seed": settings.seed,
        "events": machine.events,
        "arrivals": machine.arrivals,
        "ended": machine.ended,
        "turns": machine.turns,
        "mean_live": divide(area, length),
        "observes": {series.name: _observation(series.summary()) for series in machine.series},
        "gauges": {series.name: _gauge(series, machine, seconds) for series, _ in machine.gauges},
    }
    if machine.claims:
        report["claims"] = [claim.row() for claim in machine.claims]
    report["stages"] = [_stage(machine, stage, length) for stage in machine.stages]
    report["pools"] = [_pool(pool, length) for pool in machine.pools]
    if machine.trees is not None:
        report["trees"] = machine.trees.report(machine.program.observes)
    return report


def _observation(summary: Any) -> dict[str, Any]:
    return {
        "count": summary.count,
        "mean": summary.mean,
        "ci": summary.ci,
        "cv2": summary.cv2,
        "p99": summary.p99,
    }


def _gauge(series: GaugeSeries, machine: Machine, end: float) -> dict[str, Any]:
    if not machine.gauges_were_read or end <= machine.settings.warmup:
        # A run that stopped before anything was measured.
        return {"mean": nan, "ci": nan, "min": inf, "max": -inf}
    summary = series.summary(end)
    return {"mean": summary.mean, "ci": summary.ci, "min": summary.min, "max": summary.max}


def _stage(machine: Machine, stage: StageState, length: Time) -> dict[str, Any]:
    done = stage.completed
    row: dict[str, Any] = {
        "name": stage.declaration.name,
        "index": stage.declaration.index,
        "mean_number": divide(stage.area_number, length),
        "utilization": divide(stage.time_used, length),
        "completed": done,
        "throughput": divide(done, machine.clock.seconds(length)),
        "mean_wait": stage.mean_wait if done else nan,
        "mean_service": stage.mean_service if done else nan,
    }
    if isinstance(stage, StepStage):
        row |= _engine(stage, length)
    else:
        row |= dict.fromkeys(("iterations",), 0)
        row |= dict.fromkeys(("prefill_only", "decode_only", "mixed"), 0.0)
        row |= dict.fromkeys(("mean_decodes",), 0.0)
        row |= dict.fromkeys(("mean_decode_batch", "mean_decode_step", "mean_itl", "itl_p50", "itl_p99"), nan)
        row["idle_with_work"] = False
    return row


def _engine(stage: StepStage, length: Time) -> dict[str, Any]:
    seconds = stage.machine.clock.seconds
    return {
        "iterations": stage.iterations,
        "prefill_only": divide(stage.time_prefill, length),
        "decode_only": divide(stage.time_decode, length),
        "mixed": divide(stage.time_mixed, length),
        "mean_decodes": divide(stage.area_decodes, length),
        "mean_decode_batch": stage.decode_steps.batch(),
        "mean_decode_step": stage.decode_steps.duration(seconds),
        "mean_itl": stage.gaps.average(seconds),
        "itl_p50": stage.gaps.quantile(0.5),
        "itl_p99": stage.gaps.quantile(0.99),
        "idle_with_work": stage.is_idle_with_work(),
    }


def _pool(pool: PoolState, length: Time) -> dict[str, Any]:
    over_cap = None
    if pool.over_cap is not None:
        queue, need = pool.over_cap
        over_cap = {"queue": member_text(queue.declaration), "need": need}
    return {
        "name": pool.declaration.name,
        "index": pool.declaration.index,
        "mean_used": divide(pool.area_used, length),
        "mean_cached": divide(pool.area_cached, length),
        "mean_queue": divide(pool.area_queue, length),
        "mean_holders": divide(pool.area_holders, length),
        "mean_wait": pool.mean_wait if pool.n_waits else nan,
        "admissions": pool.admissions,
        "evicted_entries": pool.evicted_entries,
        "evicted_units": pool.evicted_units,
        "preemptions": pool.preemptions,
        "spills": pool.spills,
        "rejected": pool.rejected,
        "stuck": pool.stuck,
        "over_cap": over_cap,
    }


def read_over_cap(machine: Machine) -> None:
    """At the end the head of every queue is read once more: what can never fit is reported (04 §14)."""
    for queue in machine.pools:
        if not queue.queue:
            continue
        waiting = queue.head()
        plan, actor = waiting.plan, waiting.actor
        for index, (take, pool) in enumerate(zip(plan.takes, waiting.pools, strict=True)):
            need = machine.admission.amount(take.units(actor), plan, index, False)
            if take.reserve is not None:
                need = max(need, machine.admission.amount(take.reserve(actor), plan, index, True))
            if pool.up(need) > pool.cap and pool.over_cap is None:
                pool.over_cap = (queue, need)


# --------------------------------------------------------------------------- JSON


def report_json(report: dict[str, Any]) -> str:
    """The report in the reference's text: no white space, no exponents, `null` for non-finite numbers (07 §1.1)."""
    parts: list[str] = []
    _write(report, parts)
    return "".join(parts)


def _write(value: Any, parts: list[str]) -> None:
    if isinstance(value, dict):
        parts.append("{")
        for number, (key, item) in enumerate(value.items()):
            parts.append(("," if number else "") + json.dumps(key, ensure_ascii=False) + ":")
            _write(item, parts)
        parts.append("}")
    elif isinstance(value, list | tuple):
        parts.append("[")
        for number, item in enumerate(value):
            if number:
                parts.append(",")
            _write(item, parts)
        parts.append("]")
    elif isinstance(value, float):
        parts.append(number_text(value) if isfinite(value) else "null")
    else:
        parts.append(json.dumps(value, ensure_ascii=False))
