"""`serq-lsp check --run`: what a run shows fails the check, within a budget and above the thresholds."""

from __future__ import annotations

from pathlib import Path

import pytest

from serq_interpreter.catalog import Entry, Severity
from serq_interpreter.catalog.results import ENTRIES
from serq_interpreter.frontend.analysis import analyse
from serq_lsp.cli import configuration
from serq_lsp.cli.trial import THRESHOLDS, trial
from tests.cli.test_check import serq, write

STUCK = next(item for item in ENTRIES if item.code == "SQ1201")
REFUSED = next(item for item in ENTRIES if item.code == "SQ1203")


def codes(text: str, mode: str = "quick", **thresholds: float) -> list[str]:
    found, _ = trial(
        analyse(text, "a.sq"), Path(), mode, {key.replace("_", "-"): one for key, one in thresholds.items()}
    )
    return [item.code for item in found]


@pytest.mark.parametrize("known", ENTRIES, ids=lambda item: item.code)
def test_each_fault_of_a_run_is_found_and_its_repair_is_clean(known: Entry) -> None:
    assert known.code in codes(known.wrong)
    assert known.code not in codes(known.right)


def test_a_refused_request_fails_the_check() -> None:
    found, _ = trial(analyse(REFUSED.wrong, "a.sq"), Path(), "full", {})
    assert [item.severity for item in found if item.code == "SQ1203"] == [Severity.ERROR]


def test_thresholds_say_what_is_tolerated() -> None:
    assert "SQ1201" in codes(STUCK.wrong)
    assert "SQ1201" not in codes(STUCK.wrong, stuck=1000)
    assert "SQ1203" not in codes(REFUSED.wrong, rejected=1)


def test_a_run_error_is_said_at_its_statement() -> None:
    text = (
        "pool kv { cap 4; } workload { arrive batch(1); }\nstage s : delay;\n"
        "session { set x = 2; hold kv (1 - x) { run s (1); } observe t = now; end; }\nrun { horizon 10; }\n"
    )
    found, _ = trial(analyse(text, "a.sq"), Path(), "quick", {})
    assert [(item.code[:4], item.location.start.line) for item in found] == [("SQ09", 3)]


def test_the_command_and_the_settings_file_ask_for_a_run(tmp_path: Path) -> None:
    write(tmp_path, "a.sq", STUCK.wrong)
    assert serq("check", "a.sq", cwd=tmp_path).returncode == 0
    done = serq("check", "--run", "quick", "a.sq", cwd=tmp_path)
    assert done.returncode == 1
    assert "error[SQ1201] 1 session preempted again" in done.stdout.decode()
    write(tmp_path, "serq.toml", '[check]\nrun = "quick"\n')
    assert serq("check", "a.sq", cwd=tmp_path).returncode == 1
    assert serq("check", "--run", "off", "a.sq", cwd=tmp_path).returncode == 0
    write(tmp_path, "serq.toml", 'run = "quick"\n[thresholds]\nstuck = 9\n')
    assert serq("check", "a.sq", cwd=tmp_path).returncode == 0


def test_thresholds_and_settings_know_the_same_names() -> None:
    assert tuple(THRESHOLDS) == configuration.THRESHOLDS


WAITING = next(item for item in ENTRIES if item.code == "SQ1202")
OVER = next(item for item in ENTRIES if item.code == "SQ1204")


def test_every_threshold_silences_its_code_above_the_number_only() -> None:
    for entry, name in ((WAITING, "wait_cycles"), (OVER, "over_cap"), (REFUSED, "rejected")):
        assert entry.code in codes(entry.wrong, "full", **{name: 0})
        assert entry.code not in codes(entry.wrong, "full", **{name: 99})


def marked(text: str, code: str, comment: str) -> str:
    """The program with a comment at the end of the line of its finding."""
    found, _ = trial(analyse(text, "a.sq"), Path(), "full", {})
    line = next(item.location.start.line for item in found if item.code == code) - 1
    lines = text.split("\n")
    return "\n".join([*lines[:line], f"{lines[line]} // serq: allow({comment}) known", *lines[line + 1 :]])


def test_a_comment_silences_a_warning_of_a_run() -> None:
    overloaded = next(item for item in ENTRIES if item.code == "SQ1206")
    for word in ("SQ1206", "overloaded"):
        analysis = analyse(marked(overloaded.wrong, "SQ1206", word), "a.sq")
        assert "SQ1090" not in {item.code for item in analysis.diagnostics}
        found, silenced = trial(analysis, Path(), "full", {})
        assert "SQ1206" not in {item.code for item in found}
        assert silenced == 1


def test_a_comment_silences_no_error_of_a_run() -> None:
    analysis = analyse(marked(STUCK.wrong, "SQ1201", "SQ1201"), "a.sq")
    found, silenced = trial(analysis, Path(), "full", {})
    assert {"SQ1201", "SQ1091"} <= {item.code for item in found}
    assert silenced == 0


def test_a_comment_about_a_run_that_shows_nothing_is_left_alone(tmp_path: Path) -> None:
    write(tmp_path, "a.sq", STUCK.right.replace("\n", " // serq: allow(overloaded) at noon\n", 1))
    for mode in ("off", "quick"):
        done = serq("check", "--error-on-warning", "--run", mode, "a.sq", cwd=tmp_path)
        assert done.returncode == 0, done.stdout
