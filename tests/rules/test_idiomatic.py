"""Our lints stay silent on programs as people write them, and our fixes work on programs that we did not write."""

from __future__ import annotations

from pathlib import Path

import pytest

from serq_interpreter.frontend.analysis import analyse
from tests.rules.examples import fixed, safe_fixes

ROOT = Path(__file__).resolve().parents[2]
IDIOMATIC = sorted([*(ROOT / "tests/corpus/vllm").rglob("*.sq"), *(ROOT / "examples").glob("*.sq")])
CASES = sorted((ROOT / "tests/corpus/cases").rglob("*.sq"))
FAMILIES = ("SQ03", "SQ04", "SQ05", "SQ10")


def test_no_lint_fires_on_idiomatic_programs() -> None:
    assert len(IDIOMATIC) > 100
    found = [
        (path.name, item.code)
        for path in IDIOMATIC
        for item in analyse(path.read_text(encoding="utf-8"), str(path)).diagnostics
    ]
    assert found == []


def _broken_by_fixes(path: Path) -> list[str]:
    """Safe fixes after which the finding, at its place, is still there or a new kind of error has come."""
    text = path.read_text(encoding="utf-8", errors="replace")
    before = analyse(text, str(path)).diagnostics
    problems = []
    for code in {item.code for item in before if item.code.startswith(FAMILIES)}:
        count = sum(item.code == code for item in before)
        for fix in safe_fixes(before, code):
            after = analyse(fixed(text, fix), str(path)).diagnostics
            new = {item.code for item in after if item.code < "SQ1000"} - {item.code for item in before}
            if new or sum(item.code == code for item in after) >= count:
                problems.append(f"{path.name}: {code} {fix.title}: {sorted(new)}")
    return problems


@pytest.mark.full
def test_safe_fixes_repair_the_corpus() -> None:
    fixable = [
        path for path in CASES if not path.name.startswith("lib-") and 'use "' not in path.read_text(errors="replace")
    ]
    problems = [problem for path in fixable for problem in _broken_by_fixes(path)]
    # `state x = 0;` is right unless `x` is an attribute as well, which this case has on purpose.
    assert [problem for problem in problems if not problem.startswith("stages_iteration-set-attribute")] == []
