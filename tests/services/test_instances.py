"""Values of constants that the settings give to files."""

from __future__ import annotations

import pytest

from serq_interpreter.files import FileError
from serq_interpreter.frontend.analysis import Options, analyse
from serq_lsp.services.hover import hover
from serq_lsp.services.instances import NOTHING, Instance, instance_diagnostics, instance_of
from serq_lsp.services.run_hints import run_hints
from serq_lsp.services.settings import read_settings
from serq_lsp.services.snapshot import Snapshot
from tests.support.simulated import view_of

TEXT = """let rate = 0.5;
stage svc : fifo;
workload { arrive poisson(rate); }
session { set t = now; run svc (~exp(1)); observe response = now - t; end; }
run { horizon 3000; warmup 100; }
"""
FILES = {
    "/w/fast.toml": 'rate = 0.9\ncap = "2 * 8"\n',
    "/w/slow.json": '{"rate": 0.1}',
    "/w/broken.toml": "rate = ",
    "/w/list.json": "[1]",
    "/w/odd.toml": "rate = true\ncap = 3\n",
}


def read(path: str) -> str:
    if path not in FILES:
        raise FileError(path, "there is no such file")
    return FILES[path]


def snapshot_with(instance: Instance) -> Snapshot:
    analysis = analyse(TEXT, "/w/chat.sq", options=Options(sets=instance.sets, editor=True))
    return Snapshot("file:///w/chat.sq", 1, analysis, instance=instance)


@pytest.mark.parametrize(
    ("pattern", "matches"),
    [("chat.sq", True), ("w/chat.sq", True), ("*.sq", True), ("v/chat.sq", False), ("at.sq", False), ("", False)],
)
def test_a_pattern_is_the_end_of_a_path(pattern: str, matches: bool) -> None:
    found = instance_of({pattern: {"rate": 2}}, "/w/chat.sq", read)
    assert found == (Instance({"rate": "2"}, label="rate = 2") if matches else NOTHING)


def test_later_patterns_win_and_files_are_read() -> None:
    found = instance_of({"*.sq": "fast.toml", "chat.sq": {"rate": 0.25}}, "/w/chat.sq", read)
    assert found.sets == {"rate": "0.25", "cap": "2 * 8"}
    assert found.files == ("/w/fast.toml",) and not found.problems
    assert found.label == "fast.toml, rate = 0.25"
    assert instance_of({"chat.sq": "slow.json"}, "/w/chat.sq", read).sets == {"rate": "0.1"}


@pytest.mark.parametrize(
    ("file", "problem", "names"),
    [
        ("none.toml", "no such file", set()),
        ("broken.toml", "Invalid value", set()),
        ("list.json", "is a table", set()),
        ("odd.toml", "`rate` is a number", {"cap"}),
    ],
)
def test_what_is_wrong_with_a_file_is_said(file: str, problem: str, names: set[str]) -> None:
    found = instance_of({"chat.sq": file}, "/w/chat.sq", read)
    assert len(found.problems) == 1 and problem in found.problems[0] and file in found.problems[0]
    assert set(found.sets) == names and found.files == (f"/w/{file}",)


def test_the_program_is_that_with_the_values() -> None:
    snapshot = snapshot_with(instance_of({"chat.sq": {"rate": 0.9}}, "/w/chat.sq", read))
    assert snapshot.analysis.elaborated.constants["rate"] == 0.9
    found = hover(snapshot, TEXT.index("rate);"))
    assert found is not None and "value **0.9**, given by `serq.values` as `0.9" in found.text
    view = view_of(snapshot, instance=snapshot.instance.label)
    labels = {hint.id: hint.label for hint in run_hints(view, 0, len(TEXT))}
    assert labels["run"].endswith("with rate = 0.9")


def test_wrong_values_are_shown_at_the_constant_or_at_the_start() -> None:
    given = {"chat.sq": {"rate": "1 +", "rte": 1}}
    found = list(instance_diagnostics(snapshot_with(instance_of(given, "/w/chat.sq", read))))
    assert [(item.code, item.location.start_offset, item.location.end_offset) for item in found] == [
        ("SQ0832", 4, 8),
        ("SQ0830", 0, 0),
    ]
    assert all("serq.values" in item.message for item in found)


@pytest.mark.parametrize(
    ("values", "problem"),
    [([], "object"), ({"a.sq": 3}, "instance file"), ({"a.sq": {"x": [1]}}, "number or an expression")],
)
def test_a_setting_of_another_shape_is_refused(values: object, problem: str) -> None:
    settings, problems = read_settings({"values": values})
    assert len(problems) == 1 and problem in problems[0] and settings["values"] == {}
