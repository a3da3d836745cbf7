"""The JSON of results: its shape, identifiers, ranges, and what belongs to it (editors/PROTOCOL.md)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from serq_interpreter.catalog import entry
from serq_lsp.services.locations import Span
from serq_lsp.services.results.automaton_value import automaton_value
from serq_lsp.services.results.comparing import delta_of
from serq_lsp.services.results.comparison import comparison_value
from serq_lsp.services.results.pictures import histogram_line, sparkline
from serq_lsp.services.results.series import decimate
from serq_lsp.services.results.sites import sites_of
from serq_lsp.services.results.snapshot_json import results_value
from serq_lsp.services.results.sweeping import Point, cliff_of, constant_at, sweep_value, with_constant
from serq_lsp.services.results.testing import tests_value as outcomes_of
from serq_lsp.services.results.units import time_observations
from serq_lsp.services.results.verdict import verdict_of
from serq_lsp.services.results.view import RunView
from serq_lsp.services.run_hover import hover_of, run_hover
from serq_lsp.services.run_lenses import run_lenses
from tests.rules.examples import marked
from tests.support.simulated import past_of, raw_run, snapshot_of, view_of

PROGRAM = """let lam = 0.5;
pool kv { cap 8; }
stage svc : fifo;
workload { arrive poisson(lam); }
gauge load = used(kv);
session {
  set t = now;
  hold kv (2) { run svc (~exp(1)); }
  observe response = now - t;
  observe size = 2;
  end;
}
run { horizon 2000; warmup 100; }
"""
KEYS = {
    "observations": "id name range ranges unit count mean ci min max p50 p90 p99 cv2 verdict histogram series delta",
    "gauges": "id name range mean ci min max series delta",
    "stages": "id name index range kind number utilization throughput wait service completed iterations "
    "iterationsPerSecond batch idleWithWork series delta",
    "pools": "id name index range cap used cached queue holders wait admissions evictions preemptions spills rejected "
    "stuck overCap series delta",
    "claims": "id name range kind result checked failures first note",
    "tests": "id label kind range outcome message at related",
}
TOP = (
    "protocol uri version generation state stale insteadOf error stamp run verdict observations gauges stages pools claims tests "
    "timeline waitFor baseline notes"
)


def to_range(span: Span | None) -> Any:
    """Offsets in place of positions."""
    return None if span is None else [span.start, span.end]


def value_of(view: RunView, **options: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(results_value(view, to_range, **options), allow_nan=False))
    return found


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    return value_of(view_of(snapshot_of(PROGRAM)))


def test_every_field_is_there(results: dict[str, Any]) -> None:
    assert set(results) == set(TOP.split())
    for part, keys in KEYS.items():
        for item in results[part]:
            assert set(item) == set(keys.split()), part
    assert (results["state"], results["stale"], results["error"]) == ("final", False, None)
    assert results["stamp"]["seed"] == 1 and len(results["stamp"]["program"]) == 64


def test_ranges_and_identifiers(results: dict[str, Any]) -> None:
    start, end = results["pools"][0]["range"]
    assert PROGRAM[start:end] == "kv" and results["pools"][0]["id"] == "pool:0"
    start, end = results["observations"][0]["range"]
    assert PROGRAM[start:end] == "observe response = now - t;"
    assert [item["unit"] for item in results["observations"]] == ["s", None]


def test_series_are_short_and_in_order(results: dict[str, Any]) -> None:
    for series in (results["observations"][0]["series"], results["pools"][0]["series"]["used"]):
        assert len(series["t"]) == len(series["v"]) <= 400
        assert series["t"] == sorted(series["t"])
    histogram = results["observations"][0]["histogram"]
    assert len(histogram["edges"]) == len(histogram["counts"]) + 1
    assert sum(histogram["counts"]) == results["observations"][0]["count"]
    few = value_of(view_of(snapshot_of(PROGRAM)), points=10)
    assert len(few["observations"][0]["series"]["t"]) <= 10


def test_a_level_over_time_has_the_mean_of_the_report(results: dict[str, Any]) -> None:
    values = results["pools"][0]["series"]["used"]["v"]
    assert sum(values) / len(values) == pytest.approx(results["pools"][0]["used"], rel=0.02)
    values = results["gauges"][0]["series"]["v"]
    assert sum(values) / len(values) == pytest.approx(results["gauges"][0]["mean"], rel=0.02)


def test_a_library_or_an_edited_place_has_no_range() -> None:
    snapshot = snapshot_of(PROGRAM)
    view = view_of(snapshot)
    edited = snapshot_of(PROGRAM.replace("cap 8", "cap 9"), snapshot)
    stale = value_of(RunView(edited, view.sites, 1, view.data, final=True, stale=True))
    assert stale["stale"] and stale["pools"][0]["range"] is None and stale["stages"][0]["range"] is not None
    assert {test["outcome"] for test in stale["tests"]} == {"unknown"}


def test_a_failed_run_says_what_and_where() -> None:
    text = entry("SQ0901").wrong
    value = value_of(view_of(snapshot_of(text)))
    assert (value["state"], value["error"]["code"], value["verdict"]["state"]) == ("failed", "SQ0901", "unknown")
    start, end = value["error"]["range"]
    assert text[start:end] == "x - 1"


def test_a_worker_that_went_away_is_a_failed_run_without_numbers() -> None:
    snapshot = snapshot_of(PROGRAM)
    sites = sites_of(snapshot.analysis)
    assert sites is not None
    view = RunView(snapshot, sites, 1, {}, final=True, fault="out of memory")
    value = value_of(view)
    assert value["state"] == "failed" and value["error"]["message"] == "out of memory"
    assert value["observations"] == [] and hover_of(view, "observation:0") == ""


@pytest.mark.parametrize(
    ("code", "state"), [("SQ1201", "stuck"), ("SQ1202", "stuck"), ("SQ1206", "overloaded"), ("SQ1209", "steady")]
)
def test_verdicts(code: str, state: str) -> None:
    verdict = verdict_of(view_of(snapshot_of(entry(code).wrong)))
    assert verdict.state == state
    assert (verdict.slope is not None) == (state == "overloaded")


def test_who_waits_for_whom() -> None:
    graph = value_of(view_of(snapshot_of(entry("SQ1202").wrong)))["waitFor"]
    assert {node["id"] for node in graph["nodes"]} == {"session:0", "session:1", "pool:0"}
    assert all(edge["cycle"] for edge in graph["edges"]) and len(graph["edges"]) == 4
    assert "asks 8, 0 free" in {edge["label"] for edge in graph["edges"]}


@pytest.mark.parametrize(
    ("code", "id", "outcome"),
    [
        ("SQ1201", "stuck", "failed"),
        ("SQ1202", "stuck", "failed"),
        ("SQ1203", "rejected", "failed"),
        ("SQ1207", "claim:few", "failed"),
        ("SQ1208", "claim:many", "failed"),
    ],
)
def test_tests_of_programs(code: str, id: str, outcome: str) -> None:
    item = entry(code)
    for text, expected in ((item.wrong, outcome), (item.right, "passed")):
        snapshot = snapshot_of(text)
        found = {test["id"]: test for test in outcomes_of(view_of(snapshot), snapshot, to_range)}
        assert found[id]["outcome"] == expected
    snapshot = snapshot_of(item.wrong)
    assert {test["outcome"] for test in outcomes_of(None, snapshot, to_range)} == {"unknown"}


@pytest.mark.parametrize(("code", "id"), [("SQ1203", "rejected"), ("SQ1208", "claim:many")])
def test_what_a_comment_silences_is_no_note_and_fails_no_test(code: str, id: str) -> None:
    item = entry(code)
    lines = item.wrong.splitlines()
    lines[marked(item.wrong)[0] - 1] += f" // serq: allow({item.name}) known"
    silenced = snapshot_of("\n".join(lines) + "\n")
    data = raw_run(silenced)
    for snapshot, outcome in ((snapshot_of(item.wrong), "failed"), (silenced, "skipped")):
        value = results_value(view_of(snapshot, data), to_range)
        (test,) = (test for test in value["tests"] if test["id"] == id)
        assert test["outcome"] == outcome
        assert test["message"].startswith("silenced by a comment") is (outcome == "skipped")
        assert [note["severity"] for note in value["notes"]] == (["warning"] if outcome == "failed" else [])


# --------------------------------------------------------------------------- before and after


def test_pairs_see_a_change_that_the_intervals_hide() -> None:
    """Two per cent on common random numbers: far inside each run's own interval, and yet significant."""
    before = snapshot_of(PROGRAM)
    after = snapshot_of(PROGRAM.replace("~exp(1)", "1.02 * ~exp(1)"))
    view = view_of(after, baseline=past_of(before))
    row = view.observations()[0]
    delta = delta_of(view, "observations", 0, "response", row)
    assert delta is not None and delta.mean is not None and delta.ci is not None
    assert delta.significant and 0.0 < delta.mean < row["ci"]
    assert delta.ci < row["ci"] / 3


def test_without_pairs_intervals_are_added_as_independent_ones() -> None:
    before, after = snapshot_of(PROGRAM), snapshot_of(PROGRAM.replace("warmup 100;", "warmup 100; seed 5;"))
    view = view_of(after, baseline=past_of(before))
    delta = delta_of(view, "observations", 0, "response", view.observations()[0])
    assert delta is not None and delta.ci is not None
    assert delta.ci > view.observations()[0]["ci"]


def test_a_comparison_names_what_both_runs_have() -> None:
    before = snapshot_of(PROGRAM)
    after = snapshot_of(PROGRAM.replace("let lam = 0.5", "let lam = 0.6").replace("kv", "memory0"))
    found = comparison_value(view_of(after, baseline=past_of(before)))
    assert found is not None
    assert [row["id"] for row in found["rows"]] == [
        "observation:0",
        "observation:1",
        "gauge:0",
        "stage:0",
        "pool:0",
    ]
    assert "response" in found["text"] and found["baseline"]["generation"] == 1
    assert comparison_value(view_of(after)) is None


def test_replications_give_the_interval() -> None:
    snapshot = snapshot_of(PROGRAM)
    data = raw_run(snapshot)
    base = [2.0, 2.0]
    data["replicas"] = [
        {"observations": [mean, 2.0], "gauges": [1.0], "pools": [1.0], "stages": [0.5]} for mean in (1.9, 2.0, 2.1)
    ]
    value = value_of(view_of(snapshot, data))
    assert value["observations"][0]["mean"] == pytest.approx(base[0])
    assert value["observations"][0]["ci"] == pytest.approx(4.303 * 0.1 / 3**0.5, rel=0.02)
    assert value["stamp"]["replications"] == 3


# --------------------------------------------------------------------------- hovers, lenses, sweeps, automata


def test_hovers_tell_numbers_pictures_and_the_stamp() -> None:
    snapshot = snapshot_of(PROGRAM)
    view = view_of(snapshot)
    for id, words in {
        "observation:0": ("p99", "over time", "histogram", "seed 1"),
        "gauge:0": ("mean", "over time"),
        "pool:0": ("admissions", "queue"),
        "stage:0": ("busy", "throughput"),
        "run": ("arrivals", "seed 1"),
    }.items():
        text = hover_of(view, id)
        assert all(word in text for word in words), (id, text)
    assert "stage **svc**" in run_hover(view, PROGRAM.index("run svc") + 4)
    assert "Last run" in run_hover(view, PROGRAM.index("run {"))
    assert run_hover(view, PROGRAM.index("horizon")) == ""
    assert [hover_of(view, id) for id in ("stage:9", "nothing:0", "", "stage:x")] == ["", "", "", ""]


def test_lenses_offer_what_can_be_done() -> None:
    snapshot = snapshot_of(PROGRAM)

    def titles(view: RunView | None, **state: Any) -> list[str]:
        state = {"running": False, "client": frozenset(), "explores": False} | state
        return [lens.title for lens in run_lenses(snapshot, view, **state)]

    assert titles(None) == ["sweep lam", "▶ run"]
    assert titles(None, running=True, explores=True) == ["sweep lam", "■ stop", "explore"]
    found = titles(view_of(snapshot), client=frozenset({"serq.openResults"}))
    assert "explain the slowest response" in found and "pin as baseline" in found and "open results" in found
    library = snapshot_of("def f(x) = x + 1;\n")
    assert run_lenses(library, None, running=False, client=frozenset(), explores=True) == []


def test_a_cliff_is_where_the_metric_breaks_away() -> None:
    calm = [Point(f, f, f, 0.1, "steady") for f in (0.5, 1.0, 1.5)]
    assert cliff_of(calm) is None
    assert cliff_of([*calm, Point(2.0, 2.0, 3.0, 0.5, "overloaded")]) == 2.0
    assert cliff_of([*calm, Point(2.0, 2.0, 30.0, 0.5, "steady")]) == 2.0
    falling = [Point(0.5, 0.5, 40.0, 1.0, "warming"), Point(1.0, 1.0, 1.0, 0.1, "steady")]
    assert cliff_of(falling) == 0.5
    assert cliff_of([Point(1.0, 1.0, None, None, "unknown")]) is None


def test_a_constant_is_found_and_replaced() -> None:
    snapshot = snapshot_of(PROGRAM)
    by_name, by_place = constant_at(snapshot, "lam", None), constant_at(snapshot, None, PROGRAM.index("lam);"))
    assert by_name is not None and by_place is not None and by_name.value == by_place.value == 0.5
    assert constant_at(snapshot, "svc", None) is None and constant_at(snapshot, None, 0) is None
    analysis, error = with_constant(snapshot, "lam", 0.25)
    assert error is None and analysis.lowered is not None
    _, error = with_constant(snapshot, "lam", -1.0)
    assert error is not None
    value = sweep_value(snapshot, by_name, "response", "s", [Point(1.0, 0.5, 2.0, 0.1, "steady")], to_range)
    assert value["constant"] == "lam" and value["text"].startswith("response over lam")


def test_the_automaton_as_data_text_and_graph() -> None:
    snapshot = snapshot_of(entry("SQ1201").right)
    sites = sites_of(snapshot.analysis)
    assert sites is not None
    value = automaton_value(snapshot, sites, to_range)
    ids = {state["id"] for state in value["states"]}
    assert value["entry"] in ids
    assert all(edge["from"] in ids and edge["to"] in ids for edge in value["edges"])
    assert {edge["kind"] for edge in value["edges"]} == {"next", "exit", "preempt"}
    assert value["dot"].startswith("digraph") and value["dot"].count("{") == value["dot"].count("}")
    assert "hold kv (4)" in value["text"]


def test_which_observations_are_times() -> None:
    text = """stage svc : fifo;
workload { arrive poisson(1); }
session {
  set a = now;
  set b = 3;
  run svc (1);
  observe t1 = now - a;
  observe t2 = (now - a) / 2;
  observe ratio = (now - a) / (now - a + 1);
  observe plain = b;
  observe mixed = now;
  observe mixed = b;
  end;
}
run { horizon 10; }
"""
    lowered = snapshot_of(text).analysis.lowered
    assert lowered is not None
    names = lowered.program.observes
    assert {names[index] for index in time_observations(lowered.program)} == {"t1", "t2"}


def test_pictures() -> None:
    assert sparkline([0.0, 1.0, None, 0.6]) == "▁█ ▅"
    assert sparkline([]) == "" and sparkline([2.0, 2.0]) == "▅▅" and sparkline([0.0, 0.0]) == "▁▁"
    long = sparkline([float(i % 2) + i // 500 for i in range(1000)])
    assert len(long) == 40 and set(long) == {"▁", "█"}, "the scale is that of what is shown"
    assert histogram_line([0, 5, 10]) == " ▄█" and histogram_line([]) == ""
    times, values = decimate(list(range(100)), [float(i % 7) for i in range(100)], 10)
    assert len(times) == len(values) <= 10 and times == sorted(times)
