"""The pages of SQ13xx: the wrong program shows its fault at the mark, the right one shows none."""

from __future__ import annotations

import pytest

from serq_interpreter.catalog import Entry, all_entries
from serq_interpreter.explore.search import explore
from serq_interpreter.explore.trace import trace_of
from serq_lsp.services.exploration import CODES, Telling
from tests.explore.instances import analysed, instance
from tests.rules.examples import marked

ENTRIES = [item for item in all_entries() if item.code.startswith("SQ13")]


def sessions(program: str) -> int:
    """A closed population stays as large as it is written."""
    return 3 if "closed(3)" in program else 2


def test_every_kind_has_its_page() -> None:
    assert sorted(CODES.values()) == [item.code for item in ENTRIES]


@pytest.mark.parametrize("item", ENTRIES, ids=lambda item: item.code)
def test_the_wrong_program_shows_its_fault_at_the_mark(item: Entry) -> None:
    kind = next(kind for kind, code in CODES.items() if code == item.code)
    whole = instance(item.wrong, sessions(item.wrong))
    exploration = explore(whole, kinds=frozenset((kind,)))
    assert exploration.findings
    telling = Telling(analysed(item.wrong), whole.program, trace_of(whole, exploration.findings[0]))
    told = telling.diagnostic(way=True)
    at = told.location
    assert told.code == item.code
    assert "{" not in told.message
    assert (at.start.line, at.start.column, at.end.column) == marked(item.wrong)
    assert told.related or item.code == "SQ1306"


@pytest.mark.parametrize("item", ENTRIES, ids=lambda item: item.code)
def test_the_right_program_shows_none(item: Entry) -> None:
    exploration = explore(instance(item.right, sessions(item.right)), every=True)
    assert exploration.complete
    assert exploration.findings == []
