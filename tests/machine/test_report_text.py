"""The layout of the text report (07 §7)."""

from __future__ import annotations

import json
from math import inf, nan
from typing import Any

import pytest

from serq_interpreter.machine.report import report_json
from serq_interpreter.machine.report_text import claim_result, decimals, report_text
from tests.support.cases import CASES


def recorded(case: str) -> dict[str, Any]:
    report: dict[str, Any] = json.loads((CASES / case).read_text(encoding="utf-8"))["report"]
    return report


def test_layout() -> None:
    report = recorded("stats/stats_top_level_counts.expect.json")
    report["observes"] = {"wait": {"count": 19, "mean": 0.4112, "ci": inf, "cv2": 1.31, "p99": 2.045}}
    report |= {"stages": [], "pools": [], "gauges": {}}
    run_line, *rest = report_text(report).splitlines()
    assert run_line.startswith("run: horizon ") and " mean live " in run_line
    assert rest == [
        "",
        "observe  count    mean  95% CI    cv2     p99",
        "-------  -----  ------  ------  -----  ------",
        "wait        19  0.4112     NaN  1.310  2.0450",
    ]


def test_family_members_and_single_lines() -> None:
    report = recorded("stats/stats_one_row_per_family_member.expect.json")
    report["stages"][0]["idle_with_work"] = True
    report["pools"][0]["over_cap"] = {"queue": "p[0]", "need": 7}
    verdicts = {"observes": {"x": "warming (drift 0.2)", "y": "steady (drift 0)"}, "gauges": {}}
    text = report_text(report, ["clock unit 1 ps"], verdicts)
    assert "a[0] " in text and "p[1] " in text and "single[0] " in text
    lines = text.splitlines()
    assert any(line.startswith("idle: stage a[0] ") for line in lines)
    assert any(line.startswith("over: ") and "p[0]" in line and "7" in line for line in lines)
    assert lines[-2:] == ["state: observe x is warming (drift 0.2)", "note: clock unit 1 ps"]


def test_claims_of_a_case() -> None:
    claims = {
        claim["name"]: claim_result(claim)
        for claim in recorded("stats/stats_claims_in_the_report.expect.json")["claims"]
    }
    assert claims["c1"] == "witnessed at 0.0000 (7 iterations)"
    assert claims["c2"] == "out of scope: session 1 fails `given`"
    assert claims["c4"] == "fails at 2.0000 (5 of 7 iterations)"


@pytest.mark.parametrize(("x", "text"), [(nan, "NaN"), (None, "NaN"), (inf, "inf"), (-inf, "-inf"), (1.23456, "1.235")])
def test_numbers(x: float | None, text: str) -> None:
    assert decimals(x, 3) == text


def test_json_numbers() -> None:
    value = {"a": [1, 1.0, 1e21, 1e-7, -0.0, nan, inf, True, None, "é\n"]}
    assert report_json(value) == '{"a":[1,1,1000000000000000000000,0.0000001,-0,null,null,true,null,"é\\n"]}'
