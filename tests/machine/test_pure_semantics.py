"""Each named quirk: what the edition does, and the pure outcome worked out by hand."""

from __future__ import annotations

import pytest

from serq_interpreter.machine.quirks import QUIRKS
from serq_interpreter.machine.run import RunResult, run_program
from tests.support.cases import CASES
from tests.support.compiling import program_from


def _run(text: str, semantics: str) -> RunResult:
    result = run_program(program_from(text), semantics=semantics, record=True, check_invariants=True)  # type: ignore[arg-type]
    assert result.error is None, result.error
    return result


def check(text: str, quirk: str, edition: dict[str, list[float]], pure: dict[str, list[float]]) -> None:
    """Samples by observation under both semantics; only the edition is touched by the quirk, and says so."""
    for semantics, wanted in (("edition", edition), ("pure", pure)):
        result = _run(text, semantics)
        assert {name: list(result.series[name].values) for name in wanted} == wanted, semantics
        noted = any(f"`{quirk}`" in note for note in result.notes)
        assert noted == (semantics == "edition")


def test_places_lost() -> None:
    # Both holds are on `m`: the end of the inner one takes the outer one's place with it in the edition.
    # Pure: one place of two goes, so one holder is left while the outer hold runs on.
    check(
        """
        pool m { cap 9; } stage d : delay;
        workload { arrive batch(1); }
        session { hold m (2) { hold m (3) { run d (1); } observe left = holders(m); run d (1); } }
        run { horizon 9; }
        """,
        "places_lost",
        edition={"left": [0.0]},
        pure={"left": [1.0]},
    )


def test_first_place_in_ready_line() -> None:
    # All at time 0: session 2 is admitted, preempted by 1 before it ran, and admitted again after 3. The edition lets
    # it run at its first place: 1, 2, 3. Pure: the victim left the line and stands behind 3.
    check(
        """
        pool kv { cap 12; preempt by (k) requeue tail; } stage think : delay;
        workload { arrive batch(4); }
        session {
          set k = serial == 2 ? 0 : 1;
          branch (serial == 0) { hold kv (6) { } }
          branch (serial == 1) { hold kv (6) { grow kv (1); observe order = 1; release kv; run think (1); } }
          branch (serial >= 2) { hold kv (serial == 2 ? 6 : 5) { observe order = serial; run think (2); } }
        }
        run { horizon 20; }
        """,
        "first_place_in_ready_line",
        edition={"order": [1.0, 2.0, 3.0]},
        pure={"order": [1.0, 3.0, 2.0]},
    )


def test_preempted_prefix_over_cap() -> None:
    # 0 consumed its prefix of 8 and took 2 units when it falls at 3: its position is 8, so the edition leaves 8 units
    # cached beside the 7 that 1 has of 10. Pure: it keeps at most the 2 units it owned. Both hold from 10 to 20.
    text = """
        pool kv { cap 10; preempt by (serial); } stage think : delay;
        workload { arrive batch(2); }
        session {
          branch (serial == 0) {
            hold kv (8) { } cache (8) run think (1);
            hold kv (2 + (computed > 0 ? 8 : 0)) { observe c = cached; run think (2); grow kv (2); } cache (8)
          } else { run think (1.5); hold kv (7) { run think (20); } }
        }
        run { horizon 20; warmup 10; }
        """
    assert [_run(text, semantics).report["pools"][0]["mean_cached"] for semantics in ("edition", "pure")] == [8.0, 2.0]


def test_growing_run_advances_twice() -> None:
    # 1's growth of one unit waits for 0 until 4. In the edition the grant advances its position by the missing unit
    # and the token advances it again: it caches 4 of what was 3 tokens. Pure: 3.
    check(
        """
        pool kv { cap 4; preempt none; } stage e : step { cost 1; } stage d : delay;
        workload { arrive batch(2); }
        session {
          branch (serial == 0) { hold kv (2) { run d (4); } }
          else { hold kv (2) { run e decode (3) growing kv; } cache (inf) observe kept = cachedin(kv); }
        }
        run { horizon 20; }
        """,
        "growing_run_advances_twice",
        edition={"kept": [4.0]},
        pure={"kept": [3.0]},
    )


def test_tier_over_cap() -> None:
    # The tier has room for 4; the piece of 6 units is put there all the same in the edition. Pure: it is lost.
    check(
        """
        pool m { cap 6; spill t via l (0) when (1); } pool t { cap 4; } stage l : delay; stage d : delay;
        workload { arrive batch(1); }
        session { hold m (6) { run d (1); } cache (6) hold m (6) { run d (1); } observe there = cachedin(t); }
        run { horizon 9; }
        """,
        "tier_over_cap",
        edition={"there": [6.0]},
        pure={"there": [0.0]},
    )


def test_settles_once() -> None:
    # The engine admits 0 at time 0; its body asks the plain pool, which nobody looks at again before the next event,
    # the end of `d` at 5. Pure: the instant settles, the inner hold starts at 0.
    check(
        """
        pool slots { cap 1; admit via e; } pool plain { cap 1; } stage e : step { cost 1; } stage d : delay;
        workload { arrive batch(2); }
        session {
          branch (serial == 0) { hold slots (1) { hold plain (1) { observe inner = now; } } }
          else { run d (5); }
        }
        run { horizon 9; }
        """,
        "settles_once",
        edition={"inner": [5.0]},
        pure={"inner": [0.0]},
    )


def test_due_jobs_end_one_by_one() -> None:
    # Both jobs of the shared stage are due at 2. In the edition the engine starts between the two completions, with
    # session 0 alone, so that session 1 waits an iteration: done at 3 and 4. Pure: both are served at 2.
    text = """
        stage s : ps(1); stage e : step { cost 1; }
        workload { arrive batch(2); }
        session { run s (1); run e decode (1); observe done = now; }
        run { horizon 9; }
        """
    assert list(_run(text, "edition").series["done"].values) == [3.0, 4.0]
    assert list(_run(text, "pure").series["done"].values) == [3.0, 3.0]


def test_no_pass_after_preemption() -> None:
    # 0 has 2 units and 1 has 3 of 6; each token needs the next unit. At 3 the fourth token of 0 makes 1 fall, behind 2
    # in the queue: 4 are used and 2 asks for 2. The edition looks at the queue at the next event, the end of the
    # iteration at 4. Pure: at 3.
    check(
        """
        pool kv { cap 6; preempt by (-serial) requeue tail; } stage e : step { cost 1; memory kv; } stage d : delay;
        workload { arrive batch(3); }
        session {
          branch (serial < 2) { hold kv (2 + serial) { run e decode (9) growing kv; } }
          else { run d (0.5); hold kv (2) { observe got = now; } }
        }
        run { horizon 4.5; }
        """,
        "no_pass_after_preemption",
        edition={"got": [4.0]},
        pure={"got": [3.0]},
    )


@pytest.mark.parametrize("quirk", QUIRKS.values(), ids=lambda quirk: quirk.name)
def test_every_quirk_names_its_case(quirk: object) -> None:
    assert list(CASES.glob(f"*/{quirk.case}.sq")), quirk  # type: ignore[attr-defined]
