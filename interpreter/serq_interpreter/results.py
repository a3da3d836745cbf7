"""A report as an object: the numbers of a run by name, its samples, and its text and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from serq_interpreter.machine.arrivals import is_open
from serq_interpreter.machine.report import report_json
from serq_interpreter.machine.report_text import report_text
from serq_interpreter.machine.verdicts import Verdicts, run_verdicts, verdicts_value
from serq_interpreter.stamp import stamp

if TYPE_CHECKING:
    from serq_interpreter.machine.gauges import GaugeSeries
    from serq_interpreter.machine.observations import Series
    from serq_interpreter.machine.run import Run, RunResult


class Row:
    """One entry of a report: its fields are attributes, and its mapping is `fields`."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.fields = fields

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["fields"][name]
        except KeyError:
            raise AttributeError(f"a report entry has no field {name!r}") from None

    def __repr__(self) -> str:
        return f"Row({', '.join(f'{key}={value!r}' for key, value in self.fields.items())})"


class Observation(Row):
    """`name count mean ci cv2 p99`, and the recorded `samples`, `times`, `sessions`, `turns` (07 §9)."""

    def __init__(self, fields: dict[str, Any], series: Series) -> None:
        super().__init__({"name": series.name, **fields})
        self._series = series

    @property
    def samples(self) -> Sequence[float]:
        return self._series.values

    @property
    def times(self) -> Sequence[float]:
        """Clock units; empty unless the run recorded places."""
        return self._series.times or ()

    @property
    def sessions(self) -> Sequence[int]:
        return self._series.sessions or ()

    @property
    def turns(self) -> Sequence[int]:
        return self._series.turns or ()


class Gauge(Row):
    """`name mean ci min max`, and the change points `times` and `values` (07 §9)."""

    def __init__(self, fields: dict[str, Any], series: GaugeSeries) -> None:
        super().__init__({"name": series.name, **fields})
        self._series = series

    @property
    def times(self) -> Sequence[float]:
        return self._series.times

    @property
    def values(self) -> Sequence[float]:
        return self._series.values


@dataclass(frozen=True, eq=False)
class Report:
    """A run's report.  `report["observes"]` and the like give the object of 07 §1 with doubles as they are.

    `partial` says why a run stopped before its end.  In a notebook a report shows its tables.
    """

    fields: dict[str, Any]
    observes: dict[str, Observation]
    gauges: dict[str, Gauge]
    stages: list[Row]
    pools: list[Row]
    steady: Verdicts
    notes: tuple[str, ...] = ()
    stamp: dict[str, Any] = field(default_factory=dict)
    partial: str | None = None

    def __getitem__(self, key: str) -> Any:
        return self.fields[key]

    def __getattr__(self, name: str) -> Any:
        """The top-level numbers: `end`, `events`, `arrivals`, `ended`, `turns`, `mean_live`, …"""
        if name.startswith("_") or name not in self.fields:
            raise AttributeError(f"a report has no field {name!r}")
        return self.fields[name]

    def observe(self, name: str) -> Observation | None:
        return self.observes.get(name)

    def gauge(self, name: str) -> Gauge | None:
        return self.gauges.get(name)

    def stage(self, name: str) -> Row | None:
        """The first stage of that name."""
        return next(iter(self.stages_named(name)), None)

    def pool(self, name: str) -> Row | None:
        """The first pool of that name."""
        return next(iter(self.pools_named(name)), None)

    def stages_named(self, name: str) -> list[Row]:
        return [row for row in self.stages if row.name == name]

    def pools_named(self, name: str) -> list[Row]:
        return [row for row in self.pools if row.name == name]

    def json(self) -> str:
        """The reference's JSON text (07 §1), without what this product adds to it."""
        return report_json(self.fields)

    def text(self) -> str:
        """The tables of 07 §7, verdicts other than steady, and notes."""
        verdicts = {part: {name: str(state) for name, state in found.items()} for part, found in self.steady.items()}
        return report_text(self.fields, self.notes, verdicts)

    def steady_value(self) -> dict[str, Any]:
        """The verdicts as plain values."""
        return verdicts_value(self.steady)

    def __repr__(self) -> str:
        return self.text()

    __str__ = __repr__


def report_of(run: Run, result: RunResult) -> Report:
    """The report of what `run` has measured so far."""
    fields = result.report
    backlog = run.machine.backlog if is_open(run.program.arrival) and run.settings.arrivals is None else None
    end = fields.get("end", 0.0)
    return Report(
        fields=fields,
        observes={name: Observation(fields["observes"][name], series) for name, series in result.series.items()},
        gauges={name: Gauge(fields["gauges"][name], series) for name, series in result.gauges.items()},
        stages=[Row(row) for row in fields["stages"]],
        pools=[Row(row) for row in fields["pools"]],
        steady=run_verdicts(result.series.values(), result.gauges.values(), backlog, run.settings.warmup, end),
        notes=tuple(result.notes),
        stamp=stamp(run),
        partial=result.reason,
    )
