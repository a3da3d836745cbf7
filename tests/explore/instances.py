"""Instances of programs given as text, for the tests of exploration."""

from __future__ import annotations

from functools import cache
from typing import Any

from serq_interpreter.explore.instance import small
from serq_interpreter.explore.search import Exploration, Limits, explore
from serq_interpreter.explore.subject import Instance
from serq_interpreter.frontend.analysis import Analysis, analyse

CROSSED = """
pool a { cap 1; }
pool b { cap 1; }
stage think : delay;
workload { arrive poisson(1); init { set swapped = ~bernoulli(0.5); } }
session {
  branch (swapped) { hold a (1) { run think (1); hold b (1) { run think (1); } } }
  else { hold b (1) { run think (1); hold a (1) { run think (1); } } }
  end;
}
run { horizon 100; }
"""
"""Two pools taken in either order: two sessions can wait for each other."""

CIRCLE = """
pool fork[3] { cap 1; }
stage think : delay;
workload { arrive batch(3); }
session {
  hold fork[serial] (1) {
    run think (1);
    hold fork[serial == 2 ? 0 : serial + 1] (1) { run think (1); }
  }
  end;
}
run { horizon 100; }
"""
"""Three at a table: only all three together wait for each other."""

LIVELOCK = """
pool kv { cap 20; preempt lifo; }
stage engine : step { budget 8; cost 1; memory kv; }
workload { arrive batch(2); }
session { hold kv (4) { prefill 4 growing kv; decode 30 growing kv; } end; }
run { horizon 200; }
"""

STARVATION = """
pool slot { cap 1; queue by (-urgent); }
stage work : delay;
workload { arrive closed(3); init { set urgent = ~bernoulli(0.5); } }
session { hold slot (1) { run work (1); } end; }
run { horizon 100; }
"""


SPAWNING = """
// serq: edition v4b
pool a { cap 1; }
pool b { cap 1; }
stage think : delay;
workload { arrive poisson(1); }
session {
  branch (depth == 0) { spawn (2) into helpers { set one = ~bernoulli(0.5); } join helpers; }
  else {
    branch (one) { hold a (1) { run think (1); hold b (1) { run think (1); } } }
    else { hold b (1) { run think (1); hold a (1) { run think (1); } } }
  }
  end;
}
run { horizon 100; }
"""
"""One session's two children can wait for each other while it waits for them."""


@cache
def analysed(text: str) -> Analysis:
    """The analysis of a program without errors, made once: places belong to its own nodes."""
    analysis = analyse(text, "example.sq")
    assert analysis.lowered is not None, analysis.diagnostics
    return analysis


def instance(text: str, sessions: int = 2, **more: Any) -> Instance:
    """An instance; `caps` and `arrivals` as in `small`, the rest as in `Instance`."""
    lowered = analysed(text).lowered
    assert lowered is not None
    program, arrivals = small(lowered.program, sessions, more.pop("arrivals", None), more.pop("caps", None))
    return Instance(program, sessions, arrivals, **more)


def found(text: str, sessions: int = 2, limits: Limits | None = None, **more: Any) -> Exploration:
    """Everything that an exploration finds."""
    return explore(instance(text, sessions, **more), limits, every=True)


def kinds(exploration: Exploration) -> list[str]:
    """The kinds of the findings, in alphabetical order."""
    return sorted(str(finding.kind) for finding in exploration.findings)
