"""Hovers that say what an attribute can be here, how it stands to its declared bound, and what is guaranteed of a pool."""

from __future__ import annotations

import pytest

from serq_interpreter.analysis.progress import guarantees
from serq_lsp.services import guarantee
from serq_lsp.services.guarantee import guarantee_line, guarantee_of
from serq_lsp.services.hover import hover
from serq_lsp.services.run_lenses import run_lenses
from tests.support.markers import fixture
from tests.support.simulated import snapshot_of

PROGRAM = """
pool kv { cap 4096; preempt lifo; admit via engine; reserve held; }
stage engine : step { budget 512; cost 0.004 + 2e-5 * tokens; memory kv; }
workload {
  arrive batch(12);
  hidden o;
  init { set prompt = ceil(~uniform(1, 900)); set max_out = 300; set o = BOUND; set born = now; }
}
session {
  hold kv (prompt) reserve (prompt + max_out) {
    prefill prompt growing kv;
    set left = o - 1;
    decode o growing kv;
  } cache (left)
  branch (prompt > 500) { observe big = prompt; } else { observe small = prompt; }
  branch (max_out > 300) { observe never = born; }
  observe t = now - born;
  set o = 7;
  end;
}
run { horizon 1000; }
"""
PLAIN = PROGRAM.replace(" cache (left)", "").replace("  set o = 7;\n", "")
DRAWN = {
    "min(max_out, ceil(~exp(100)))": "holds",
    "ceil(~uniform(1, 250))": "holds",
    "ceil(~exp(100))": "may fail",
    "ceil(~uniform(1, 400))": "may fail",
}


def said(text: str, before: str, after: str) -> str:
    """The hover of the word that stands between `before` and `after`."""
    at = text.index(before + after) + len(before)
    found = hover(fixture(text[:at] + "$0" + text[at:]).snapshot(), at - 1 if text.startswith("\n") else at)
    assert found is not None
    return found.text


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("hold kv (", "prompt)", "Here: `1 … 900, whole` (tokens)"),
        ("decode ", "o growing", "Here: `0 … 250, whole` (tokens)"),
        ("set ", "left = o", "Set here to: `-1 … 249, whole`"),
        ("left = ", "o - 1", "Here: `0 … 250, whole` (tokens)"),
        ("cache (", "left)", "Here: `-1 … 249, whole`"),  # read when the body has ended
        ("big = ", "prompt", "Here: `501 … 900, whole`"),
        ("small = ", "prompt", "Here: `1 … 500, whole`"),
        ("never = ", "born", "No session comes here."),
        ("now - ", "born", "Here: `0 … inf` (seconds)"),
        ("set ", "o = 7", "Set here to: `7` (tokens)"),
        ("init { set ", "prompt", "Set here to: `1 … 900, whole`"),
    ],
)
def test_the_range_is_that_of_the_statement(before: str, after: str, expected: str) -> None:
    assert expected in said(PROGRAM.replace("BOUND", "min(250, ceil(~exp(100)))"), before, after)


@pytest.mark.parametrize("drawn", DRAWN)
def test_a_declared_bound_holds_or_may_fail(drawn: str) -> None:
    text = PLAIN.replace("BOUND", drawn)
    for before, after in (("decode ", "o growing"), ("prompt + ", "max_out)")):
        assert f"Declared bound: `o <= max_out` {DRAWN[drawn]}." in said(text, before, after)


def test_a_bound_that_intervals_cannot_tell() -> None:
    text = PLAIN.replace("BOUND", "ceil(~uniform(1, 300))").replace(
        "set max_out = 300", "set max_out = ~uniform(1, 300)"
    )
    assert "Declared bound: `o <= max_out` cannot be shown." in said(text, "decode ", "o growing")


def test_a_text_with_errors_has_no_ranges() -> None:
    text = PROGRAM.replace("BOUND", "nothing")
    assert "Here:" not in said(text, "decode ", "o growing")


def test_a_key_is_read_at_any_time() -> None:
    text = PROGRAM.replace("BOUND", "3").replace("admit via", "queue by (prompt - waited); admit via")
    assert "Over a whole session: `0 … 900, whole`" in said(text, "queue by (", "prompt")


def test_the_hover_of_a_pool_says_what_is_guaranteed() -> None:
    good = PLAIN.replace("BOUND", "min(max_out, ceil(~exp(100)))")
    assert "**Progress**: guaranteed: every admitted session completes" in said(good, "pool ", "kv")
    bad = said(good.replace("reserve held;", ""), "pool ", "kv")
    assert "**Progress**: not guaranteed: `kv` does not keep reserves" in bad
    assert "*covered*" in bad
    assert "Progress" not in said(good.replace("preempt lifo;", ""), "pool ", "kv")
    undecided = said(PLAIN.replace("BOUND", "ceil(~exp(100))"), "pool ", "kv")
    assert "**Progress**: undecided: the growth in `kv` has no bound: declare one" in undecided


def test_the_lens_of_a_pool_is_resolved_later_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    text = PLAIN.replace("BOUND", "ceil(~exp(100))")
    asked: list[int] = []

    def counted(program: object) -> object:
        asked.append(1)
        return guarantees(program)  # type: ignore[arg-type]

    monkeypatch.setattr(guarantee, "guarantees", counted)
    guarantee._BY_IR.clear()
    for version in (text, "// a comment\n" + text, text.replace("end;", " end;")):
        snapshot = snapshot_of(version)
        (lens,) = [lens for lens in run_lenses(snapshot, None, running=False) if lens.pool]
        assert (lens.pool, lens.title) == ("kv", "")
        answer = guarantee_of(snapshot.analysis, lens.pool)
        assert answer is not None
        assert guarantee_line(answer).startswith("undecided: ")
    assert len(asked) == 1
