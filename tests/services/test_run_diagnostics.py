"""What runs complain about, shown by the programs of the catalogue: the wrong one at its mark, the right one not."""

from __future__ import annotations

import pytest

from serq_interpreter.catalog import Entry, all_entries
from serq_lsp.services.run_diagnostics import run_diagnostics
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
