"""Inlay hints of results: what they say, where, and that they keep their width."""

from __future__ import annotations

import pytest

from serq_lsp.services.results.numbers import amount, fixed, half_width, level, percent, shown, shown_half, supported
from serq_lsp.services.run_hints import Hint, frozen, run_hints
from serq_lsp.services.settings import read_settings
from serq_lsp.services.snapshot import Snapshot
from tests.support.simulated import past_of, raw_run, snapshot_of, view_of

PROGRAM = """pool kv[2] { cap 8; }
pool room { }
stage svc : fifo;
workload { arrive poisson(0.5); }
gauge load = used(kv[0]);
session {
  set t = now;
  hold kv[serial - 2 * floor(serial / 2)] (2) { run svc (~exp(1)); }
  observe response = now - t;
  branch (serial > 10) { observe response = now - t; }
  end;
}
run { horizon 2000; warmup 100; seed 7; }
"""


def labels(text: str, **fields: object) -> dict[str, str]:
    snapshot = snapshot_of(text)
    view = view_of(snapshot, **fields)
    return {hint.id: hint.label for hint in run_hints(view, 0, len(text))}


def lines_of(snapshot: Snapshot, hints: list[Hint]) -> list[int]:
    return [snapshot.lines.line_column(hint.offset)[0] for hint in hints]


def test_every_statement_with_numbers_has_a_hint_at_the_end_of_its_line() -> None:
    snapshot = snapshot_of(PROGRAM)
    hints = run_hints(view_of(snapshot), 0, len(PROGRAM))
    assert lines_of(snapshot, hints) == [1, 2, 3, 5, 9, 10, 13]
    assert [hint.id for hint in hints] == [
        "pool:0",
        "pool:2",
        "stage:0",
        "gauge:0",
        "observation:0",
        "observation:0",
        "run",
    ]


def test_an_observation_without_samples_says_so_in_the_room_of_its_numbers() -> None:
    found = labels(PROGRAM)["observation:0"]
    empty = labels(PROGRAM.replace("serial > 10) { observe response", "serial < 0) { observe never"))["observation:1"]
    assert empty.startswith("= nothing observed")
    assert len(empty) == len(found)


def test_what_hints_say() -> None:
    found = labels(PROGRAM)
    assert found["observation:0"].startswith("= mean") and "±" in found["observation:0"]
    assert found["pool:0"].startswith("= used") and "cached" in found["pool:0"]
    assert "%" not in found["pool:2"], "a pool without a cap has no percentage"
    assert found["stage:0"].startswith("= busy") and "/s" in found["stage:0"]
    assert "seed 7" in found["run"]


def test_an_engine_tells_its_iterations() -> None:
    text = """stage engine : step { budget 8; cost 0.1; }
workload { arrive poisson(0.5); }
session { run engine prefill (4); run engine decode (5); observe t = now; end; }
run { horizon 100; }
"""
    assert "it/s" in labels(text)["stage:0"]


def test_width_does_not_depend_on_the_numbers() -> None:
    slow, fast = labels(PROGRAM), labels(PROGRAM.replace("poisson(0.5)", "poisson(0.01)"))
    assert {id: len(label) for id, label in slow.items()} == {id: len(label) for id, label in fast.items()}


def test_a_significant_change_is_shown() -> None:
    before, after = snapshot_of(PROGRAM), snapshot_of(PROGRAM.replace("~exp(1)", "~exp(0.5)"))
    shown_ = {hint.id: hint.label for hint in run_hints(view_of(after, baseline=past_of(before)), 0, 10_000)}
    assert "Δ" in shown_["observation:0"]
    same = view_of(after, raw_run(after), baseline=past_of(after))
    assert all("Δ" not in hint.label for hint in run_hints(same, 0, 10_000))


def test_stale_hints_are_marked_and_stay_with_their_lines() -> None:
    snapshot = snapshot_of(PROGRAM)
    view = view_of(snapshot)
    edited = snapshot_of("// new\n" + PROGRAM.replace("cap 8", "cap 9").replace("~exp(1)", "~exp(2)"), snapshot)
    stale = type(view)(edited, view.sites, 1, view.data, final=True, stale=True)
    hints = run_hints(stale, 0, 10_000)
    assert all(hint.label.startswith("~") for hint in hints)
    assert lines_of(edited, hints)[:3] == [2, 3, 4]
    assert len(hints) >= 6


def test_settings_choose_hints() -> None:
    settings, problems = read_settings({"hints": {"pools": False, "verdict": False}})
    assert not problems
    snapshot = snapshot_of(PROGRAM)
    chosen = Snapshot(snapshot.uri, 1, snapshot.analysis, settings)
    assert [hint.id for hint in run_hints(view_of(chosen), 0, 10_000)] == [
        "stage:0",
        "gauge:0",
        "observation:0",
        "observation:0",
    ]
    off, _ = read_settings({"hints": {"enable": False}})
    assert run_hints(view_of(Snapshot(snapshot.uri, 1, snapshot.analysis, off)), 0, 10_000) == []
    assert run_hints(None, 0, 10_000) == []


def test_no_hint_comes_or_goes_on_the_line_being_typed() -> None:
    one, two = Hint(5, "= a", "stage:0"), Hint(30, "= b", "pool:0")
    assert frozen([two], [one, two], 0, 10) == [two]
    assert frozen([one], [one, two], 0, 10) == [one, two]
    assert frozen(None, [one, two], 0, 10) == [two]


@pytest.mark.parametrize(
    ("value", "ci", "text", "half"),
    [
        (1.23456, 0.0123, "1.235", "0.012"),
        (1.23456, 0.3, "1.2", "0.3"),
        (1234.5, 200.0, "1200", "200"),
        (0.5, None, "0.500", "?"),
        (123.456, None, "123", "?"),
        (0.0, 0.0, "0", "0"),
        (float("nan"), None, "–", "?"),
        (None, None, "–", "?"),
        (2e9, None, "2.00e9", "?"),
        (0.00001234, None, "1.23e-5", "?"),
    ],
)
def test_numbers_have_the_digits_their_uncertainty_supports(
    value: float | None, ci: float | None, text: str, half: str
) -> None:
    assert (shown(value, ci), shown_half(ci)) == (text, half)


def test_numbers_of_json_are_rounded_too() -> None:
    assert supported(1.23456, 0.0123) == 1.235
    assert supported(1.23456789) == 1.235
    assert supported(float("inf")) is None
    assert half_width(0.012345) == 0.012
    assert half_width(float("inf")) is None


def test_small_texts() -> None:
    assert percent(0.5).strip() == "50 %"
    assert percent(0.001).strip("\u2007") == "<1 %"
    assert percent(None).endswith("– %")
    assert len(fixed("1")) == 7
    assert level(0.0001) == "<0.01" and level(123456.0) == "1e5"
    assert amount(float("inf")) == "∞" and amount(20.0) == "20" and amount(None) == "–"
