"""What runs complain about, shown by the programs of the catalogue: the wrong one at its mark, the right one not."""

from __future__ import annotations

import pytest

from serq_interpreter.catalog import Entry, Severity, all_entries
from serq_lsp.services.run_diagnostics import run_diagnostics
from serq_lsp.services.settings import read_settings, severity_setting
from serq_lsp.services.snapshot import Snapshot
from tests.rules.examples import marked
from tests.support.simulated import snapshot_of, view_of

ENTRIES = [item for item in all_entries() if item.code.startswith("SQ12")]


@pytest.mark.parametrize("item", ENTRIES, ids=lambda item: item.code)
def test_wrong_program_shows_it_where_it_says(item: Entry) -> None:
    found = run_diagnostics(view_of(snapshot_of(item.wrong)))
    assert [one.code for one in found] == [item.code]
    at = found[0].location
    assert (at.start.line, at.start.column, at.end.column) == marked(item.wrong)
    assert "{" not in found[0].message and "<" not in found[0].message


@pytest.mark.parametrize("item", ENTRIES, ids=lambda item: item.code)
def test_right_program_shows_nothing(item: Entry) -> None:
    assert run_diagnostics(view_of(snapshot_of(item.right))) == []


BEHIND = """pool kv { cap 13; }
stage think : delay;
workload { arrive batch(2); }
session { hold kv (3 + 3 * serial) { run think (2 - serial); hold kv (4 + 4 * serial) { run think (1); } } end; }
run { horizon 100; }
"""


def test_a_cycle_names_the_head_of_the_line() -> None:
    """Session 0 would fit, and waits behind session 1, which does not."""
    (cycle,) = run_diagnostics(view_of(snapshot_of(BEHIND)))
    assert "session 0 holds units and waits for 4 of `kv`, where 4 of 13 are free at t = 100" in cycle.message
    assert cycle.message.endswith(", behind session 1, which asks for 8 first")


@pytest.mark.parametrize("item", ENTRIES, ids=lambda item: item.code)
def test_settings_weigh_each_finding(item: Entry) -> None:
    snapshot = snapshot_of(item.wrong)
    data = view_of(snapshot).data
    assert [one.severity for one in run_diagnostics(view_of(snapshot, data))] == [item.severity]
    for wish, severities in (("hint", [Severity.HINT]), ("warning", [Severity.WARNING]), ("off", [])):
        settings, problems = read_settings({severity_setting(item.name): wish})
        assert not problems
        chosen = Snapshot(snapshot.uri, 1, snapshot.analysis, settings)
        assert [one.severity for one in run_diagnostics(view_of(chosen, data))] == severities


NEGATIVE = """stage svc : fifo;
workload { arrive batch(1); }
session { run svc (0 - 1 - serial); end; }
run { horizon 10; }
"""


def test_a_run_time_error_has_a_severity_of_its_own() -> None:
    snapshot = snapshot_of(NEGATIVE)
    data = view_of(snapshot).data
    (found,) = run_diagnostics(view_of(snapshot, data))
    assert found.code.startswith("SQ09") and found.severity is Severity.ERROR
    settings, _ = read_settings({"simulation": {"severity": {"run-error": "info"}}})
    (found,) = run_diagnostics(view_of(Snapshot(snapshot.uri, 1, snapshot.analysis, settings), data))
    assert found.severity is Severity.INFO
