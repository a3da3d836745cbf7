"""`serq-lsp sweep`: grids, tables, pictures."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import click
import pytest

from serq_lsp.cli.simulation.grid import Axis, AxisType, points
from serq_lsp.cli.simulation.replicate import batch_size
from serq_lsp.cli.simulation.table import Table, csv_text
from tests.cli.test_run import QUEUE
from tests.support.command_line import call, spawn


@pytest.fixture
def queue(tmp_path: Path) -> str:
    path = tmp_path / "queue.sq"
    path.write_text(QUEUE, encoding="utf-8")
    return str(path)


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


# --------------------------------------------------------------------------- grids


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("lam=0.1..0.9:5", ("0.1", "0.30000000000000004", "0.5", "0.7000000000000001", "0.9")),
        ("n=1..4", ("1", "2", "3", "4")),
        ("n=8..2:4", ("8", "6", "4", "2")),
        ("n=-1..1:3", ("-1", "0", "1")),
        ("n=3..9:1", ("3",)),
        ("n=1, 2.5,4", ("1", "2.5", "4")),
        ("n=min(1, 2)", ("min(1, 2)",)),
        ("n=1e-3..1e-2:2", ("0.001", "0.01")),
    ],
)
def test_axis(text: str, values: tuple[str, ...]) -> None:
    axis = AxisType().convert(text, None, None)
    assert axis.values == values


@pytest.mark.parametrize(
    "text", ["lam", "=1", "lam=", "lam=a..b:3", "lam=1..2:0", "lam=1..2:1.5", "lam=0.5..2", "l=1,,2"]
)
def test_axes_that_make_no_sense(text: str) -> None:
    with pytest.raises(click.UsageError):
        AxisType().convert(text, None, None)


def test_points_are_the_product_with_the_last_axis_fastest() -> None:
    axes = [Axis("a", ("1", "2")), Axis("b", ("x", "y"))]
    assert [tuple(point.values()) for point in points(axes)] == [("1", "x"), ("1", "y"), ("2", "x"), ("2", "y")]
    with pytest.raises(click.UsageError, match="given twice"):
        points([Axis("a", ("1",)), Axis("a", ("2",))])
    with pytest.raises(click.UsageError, match="at most"):
        points([Axis(name, ("1",) * 100) for name in "abc"])


def test_batches_are_worth_a_message_and_leave_work_for_all() -> None:
    assert batch_size(0.001, 1000, 2) == 50
    assert batch_size(1.0, 1000, 2) == 1
    assert batch_size(0.0, 10, 4) == 3
    assert batch_size(0.001, 3, 8) == 1


# --------------------------------------------------------------------------- the command


def test_table(capsys: pytest.CaptureFixture[str], queue: str) -> None:
    arguments = ("sweep", queue, "--set", "lam=0.2..0.6:3", "--metric", "response.mean", "--jobs", "1")
    ended = call(capsys, *arguments, "--replications", "2")
    assert ended.code == 0, ended.err
    table = rows(ended.out)
    assert list(table[0]) == ["lam", "replication", "seed", "response.mean", "error"]
    assert [row["lam"] for row in table] == ["0.2", "0.2", "0.4", "0.4", "0.6", "0.6"]
    assert [row["seed"] for row in table[:2]] == [row["seed"] for row in table[2:4]]
    means = [float(row["response.mean"]) for row in table if row["replication"] == "0"]
    assert means == sorted(means)


def test_processes_do_not_change_the_table(queue: str) -> None:
    arguments = ("sweep", queue, "--set", "lam=0.1..0.8:8")
    one, two = spawn(*arguments, "--jobs", "1"), spawn(*arguments, "--jobs", "2")
    assert one.code == 0 and one.out == two.out


def test_a_point_that_fails_is_a_row_with_its_error(capsys: pytest.CaptureFixture[str], queue: str) -> None:
    ended = call(capsys, "sweep", queue, "--set", "lam=0.5,0", "--metric", "ended", "--jobs", "1")
    assert ended.code == 1
    good, bad = rows(ended.out)
    assert good["ended"] and not good["error"]
    assert bad["error"] and not bad["ended"]


def test_output_file(capsys: pytest.CaptureFixture[str], queue: str, tmp_path: Path) -> None:
    out = tmp_path / "t.csv"
    ended = call(capsys, "sweep", queue, "--set", "lam=0.2,0.3", "--jobs", "1", "--output", str(out))
    assert (ended.code, ended.out) == (0, "")
    assert len(rows(out.read_text(encoding="utf-8"))) == 2
    missing = str(tmp_path / "no" / "t.csv")
    assert call(capsys, "sweep", queue, "--set", "lam=0.2", "--jobs", "1", "--output", missing).code == 2


def test_unknown_metric(capsys: pytest.CaptureFixture[str], queue: str) -> None:
    ended = call(capsys, "sweep", queue, "--set", "lam=0.2", "--metric", "speed", "--jobs", "1")
    assert ended.code == 2 and "speed" in ended.err


def test_plot(capsys: pytest.CaptureFixture[str], queue: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "p.svg"
    ended = call(capsys, "sweep", queue, "--set", "lam=0.2..0.6:3", "--jobs", "1", "--plot", str(picture))
    assert ended.code == 0 and picture.stat().st_size > 1000


def test_a_plot_without_its_library_says_what_to_install(
    capsys: pytest.CaptureFixture[str], queue: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    ended = call(capsys, "sweep", queue, "--set", "lam=0.2", "--jobs", "1", "--plot", str(tmp_path / "p.png"))
    assert ended.code == 2 and "serq-lsp[plot]" in ended.err


def test_csv_cells() -> None:
    table = Table(("a", "b", "c"), ((1.0, float("nan"), None), (0.1, "x,y", 2**60)))
    assert csv_text(table) == 'a,b,c\n1,,\n0.1,"x,y",1152921504606846976\n'
