"""The sample files of a run (07 §8)."""

from __future__ import annotations

from pathlib import Path

import pytest

from serq_interpreter.machine.dump import dump, file_name, observation_csv
from serq_interpreter.machine.gauges import GaugeSeries
from serq_interpreter.machine.observations import Series


def test_files(tmp_path: Path) -> None:
    series = Series("wait", places=True)
    series.record(0.1, 1e-7, 3, 2.0)
    series.record(4.0, 1e21, 4, -1.0)
    gauge = GaugeSeries("depth", 0.0, 10.0, points=True)
    gauge.record(0.0, 0.0)
    gauge.record(2.5, 3.0)
    written = dump(tmp_path / "d", [series], [gauge])
    assert [path.relative_to(tmp_path).as_posix() for path in written] == ["d/wait.csv", "d/gauge/depth.csv"]
    assert written[0].read_text(encoding="utf-8") == (
        "time,session,turn,value\n0.0000001,3,2,0.1\n1000000000000000000000,4,0,4\n"
    )
    assert written[1].read_text(encoding="utf-8") == "time,value\n0,0\n2.5,3\n"


def test_places_are_needed() -> None:
    with pytest.raises(ValueError, match="without times"):
        list(observation_csv(Series("x")))


@pytest.mark.parametrize(
    ("name", "file"), [("x", "x.csv"), ("../../etc/x", "______etc_x.csv"), ("", "_.csv"), (".x", "_x.csv")]
)
def test_a_name_stays_in_its_folder(name: str, file: str) -> None:
    assert file_name(name) == file
