"""How the numbers of a shorter run are shown: marked, with the time they stand for, and judged by nobody."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from serq_interpreter.catalog import entry
from serq_lsp.services.results.comparing import delta_of
from serq_lsp.services.results.snapshot_json import results_value
from serq_lsp.services.results.testing import tests_value as outcomes_of
from serq_lsp.services.results.verdict import verdict_of
from serq_lsp.services.results.view import RunView
from serq_lsp.services.run_diagnostics import run_diagnostics
from serq_lsp.services.run_hints import run_hints
from serq_lsp.services.run_hover import hover_of
from serq_lsp.services.run_lenses import run_lenses
from tests.support.simulated import past_of, raw_run, snapshot_of, view_of

PROGRAM = """pool kv { cap 8; }
stage svc : fifo;
workload { arrive poisson(0.5); }
session { set t = now; hold kv (2) { run svc (~exp(1)); } observe response = now - t; end; }
claim few : at end (count(response) < 1e9);
run { horizon 2000; warmup 200; }
"""


def shorter(text: str) -> RunView:
    """As the server sees it while the numbers are those of a shorter run."""
    whole = {"horizon": 32000.0, "warmup": 3200.0}
    data = raw_run(snapshot_of(text)) | {"status": "partial", "waiting": None, "instead_of": whole}
    return replace(view_of(snapshot_of(text), data), final=False)


def nowhere(span: object) -> Any:
    return None


def test_hints_are_marked_and_say_what_they_stand_for() -> None:
    view = shorter(PROGRAM)
    labels = [hint.label for hint in run_hints(view, 0, len(PROGRAM))]
    assert labels and all(label.startswith("≈ ") for label in labels)
    assert labels[-1].endswith(" · 2000 of 32000 s")
    whole = view_of(view.snapshot, {key: value for key, value in view.data.items() if key != "instead_of"})
    as_whole = [hint.label for hint in run_hints(whole, 0, len(PROGRAM))]
    assert [len(label) for label in labels[:-1]] == [len(label) for label in as_whole[:-1]], "they keep their width"
    assert all(label.startswith("= ") for label in as_whole) and " of " not in as_whole[-1]


def test_a_long_run_under_way_says_how_far_it_is() -> None:
    view = shorter(PROGRAM)
    data = {key: value for key, value in view.data.items() if key != "instead_of"}
    going_on = replace(view, data=data | {"report": data["report"] | {"end": 1500.0}})
    assert run_hints(going_on, 0, len(PROGRAM))[-1].label.endswith(" · 1500 of 2000 s")
    assert verdict_of(going_on).message == "steady (first 1500 of 2000 s)"


def test_verdict_lens_and_hover_say_it_too() -> None:
    view = shorter(PROGRAM)
    said = "steady (a shorter run, 2000 of 32000 s)"
    assert verdict_of(view).message == said
    assert said in [lens.title for lens in run_lenses(view.snapshot, view, running=True)]
    text = hover_of(view, "observation:0")
    assert "a shorter run with a warm-up of 200 s; the whole has 32000 s, 3200 s of them warm-up" in text


def test_it_fails_no_test_and_passes_none() -> None:
    view = shorter(PROGRAM)
    assert {test["outcome"] for test in outcomes_of(view, view.snapshot, nowhere)} == {"unknown"}
    ended = replace(view, final=True)
    assert {test["outcome"] for test in outcomes_of(ended, view.snapshot, nowhere)} == {"unknown"}


@pytest.mark.parametrize("code", ["SQ1201", "SQ1203", "SQ1206", "SQ1207"])
def test_it_complains_of_nothing(code: str) -> None:
    assert run_diagnostics(shorter(entry(code).wrong)) == []


def test_it_is_compared_with_nothing() -> None:
    view = replace(shorter(PROGRAM), baseline=past_of(snapshot_of(PROGRAM.replace("0.5", "0.4"))))
    assert delta_of(view, "observations", 0, "response", view.observations()[0]) is None


def test_results_tell_the_whole_run_beside_their_own() -> None:
    value = results_value(shorter(PROGRAM), nowhere)
    assert value["insteadOf"] == {"horizon": 32000.0, "warmup": 3200.0}
    assert (value["state"], value["stamp"]["horizon"], value["stamp"]["warmup"]) == ("running", 2000.0, 200.0)
    assert [note["message"] for note in value["notes"]] == ["a shorter run: 2000 of 32000 s, with a warm-up of 200 s"]
    assert results_value(view_of(snapshot_of(PROGRAM)), nowhere)["insteadOf"] is None
