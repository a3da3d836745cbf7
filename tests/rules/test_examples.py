"""Every page is true: its wrong program raises exactly its code where it says, its right one is clean, fixes work."""

from __future__ import annotations

import re

import pytest

from serq_interpreter.catalog import Entry, all_entries
from tests.rules.examples import check, codes, fixed, marked, safe_fixes

STATIC = [item for item in all_entries() if item.code < "SQ0900" or "SQ1000" < item.code < "SQ1200"]
WRONG = [item for item in STATIC if item.wrong]


@pytest.mark.parametrize("item", WRONG, ids=lambda item: item.code)
def test_wrong_program_has_exactly_this_fault(item: Entry) -> None:
    analysis = check(item.wrong)
    assert codes(analysis, lints=item.code > "SQ1000") == [item.code]
    said = [one.message + (one.help or "") for one in analysis.diagnostics if one.code == item.code]
    assert not [text for text in said if re.search(r"<\w+>", text)], (
        "a `{name}` of the text is no key of the finding's args"
    )
    place = marked(item.wrong)
    if place is not None:
        found = next(one.location for one in analysis.diagnostics if one.code == item.code)
        assert (found.start.line, found.start.column, found.end.column) == place


@pytest.mark.parametrize("item", [item for item in STATIC if item.right], ids=lambda item: item.code)
def test_right_program_is_clean(item: Entry) -> None:
    assert codes(check(item.right), lints=item.code > "SQ1000") == []


@pytest.mark.parametrize("item", WRONG, ids=lambda item: item.code)
def test_every_safe_fix_makes_it_right(item: Entry) -> None:
    for fix in safe_fixes(check(item.wrong).diagnostics, item.code):
        assert codes(check(fixed(item.wrong, fix)), lints=False) == [], fix.title


@pytest.mark.parametrize("item", STATIC, ids=lambda item: item.code)
def test_page_is_complete(item: Entry) -> None:
    assert item.name == item.name.lower() and " " not in item.name
    assert len(item.why) > 60
    assert item.unshown or (item.wrong and item.right)


def test_pages_differ_in_more_than_names() -> None:
    """Two pages that are equal after replacing names explain nothing."""
    seen: dict[str, str] = {}
    for item in all_entries():
        bare = re.sub(r"`[^`]*`|\{\w*\}|\d+", "·", item.why)
        assert bare not in seen, f"{item.code} and {seen.get(bare)} give one reason"
        seen[bare] = item.code


def test_names_and_codes_are_unique() -> None:
    entries = all_entries()
    assert len({item.code for item in entries}) == len(entries)
    assert len({item.name for item in entries}) == len(entries)
