"""Which tokens continue a sequence (05 §10); every mean is worked out beside its program."""

from __future__ import annotations

import json

from serq_interpreter import compile as compile_program


def _mean_gap(text: str) -> float | None:
    report = json.loads(compile_program(text).run().json())
    mean: float | None = report["stages"][0]["mean_itl"]
    return mean


def test_a_prefill_continues_what_a_decode_began() -> None:
    """Tokens at 0.5 and 1 (decode), 4.5 (after 3 s), 10, 18 (prefills), then 29.5 (a decode): gaps 0.5, 3.5, 5.5, 7.5, 11.5."""
    mean = _mean_gap(
        """
stage E : step { cost 0.5; }
stage d : delay;
workload { arrive batch(1); }
session {
  run E decode (2); run d (3); run E prefill (3); run d (5); run E prefill (3); run d (7); run E prefill (2); run d (11);
  run E decode (1);
}
run { horizon 100; }
"""
    )
    assert mean == (0.5 + 3.5 + 5.5 + 7.5 + 11.5) / 5


def test_a_prefill_after_a_recomputed_one_starts_anew() -> None:
    """Whoever is preempted in the second prefill recomputes the first: one gap of 1 s, and none between its two prefills."""
    mean = _mean_gap(
        """
pool kv { cap 10; preempt lifo; }
stage E : step { cost 0.5; }
workload { arrive batch(5); }
session { hold kv (3) { run E prefill (3) growing kv; run E prefill (3) growing kv; } }
run { horizon 60; }
"""
    )
    assert mean == 1
