"""Words and signs of other languages: one error that says how the thing is written here."""

from __future__ import annotations

import pytest

from tests.syntax.helpers import parse

SAMPLES = (
    ("run { horizn 10; }", "SQ0116", "did you mean `horizon`?", "horizon"),
    ("pool p { capp 10; }", "SQ0113", "did you mean `cap`?", "cap"),
    ("stage s : FIFO;", "SQ0114", "did you mean `fifo`?", "fifo"),
    ("workload { arrive possion(1); }", "SQ0105", "did you mean `poisson`?", "poisson"),
    ("Workload { arrive poisson(1); }", "SQ0110", "did you mean `workload`?", "workload"),
    ("polo p { cap 3; }", "SQ0110", "did you mean `pool`?", "pool"),
    ("session { obsreve x = 1; }", "SQ0112", "did you mean `observe`?", "observe"),
    ("session { if x = 1 { end; } }", "SQ0112", "`branch (…)", ""),
    ("session { while x { end; } }", "SQ0112", "`loop {", ""),
    ("session { wait 3; end; }", "SQ0112", ": delay;`", ""),
    ("session { acquire kv (1); }", "SQ0112", "`hold POOL", ""),
    ("session { return; }", "SQ0112", "`end;`", ""),
    ("session { let x = 1; }", "SQ0112", "`set NAME", ""),
    ("session { x += 1; }", "SQ0112", "`set x = x + …;`", ""),
    ("pool p { capacity 10; }", "SQ0113", "`cap`", "cap"),
    ("pool p { policy lru; }", "SQ0113", "`evict by", ""),
    ("run { time 10; }", "SQ0116", "`horizon`", "horizon"),
    ("run { reps 3; }", "SQ0116", "--replications", ""),
    ("workload { rate 3; }", "SQ0111", "`arrive poisson", ""),
    ("const a = 3;", "SQ0110", "`let NAME", "let"),
    ("gpu g;", "SQ0110", "`stage NAME", ""),
    ('import "a.sq";', "SQ0110", '`use "FILE";`', "use"),
    ("let a = 5ms;", "SQ0105", "no units", "0.005"),
    ("let a = 1 and 0;", "SQ0105", "`&&`", "&&"),
    ("let a = 2 ** 3;", "SQ0107", "`a ^ b`", ""),
)


@pytest.mark.parametrize(("sample", "code", "advice", "written"), SAMPLES, ids=[sample[0] for sample in SAMPLES])
def test_one_error_with_advice(sample: str, code: str, advice: str, written: str) -> None:
    (finding,) = [item for item in parse(sample).findings if item.code != "SQ0151"]
    assert finding.code == code
    assert advice in finding.help
    assert ([edit.text for fix in finding.fixes for edit in fix.edits] or [""])[0] == written
