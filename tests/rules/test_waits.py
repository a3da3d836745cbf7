"""The rules about waiting (SQ11xx): what they see, what they leave alone, and how they stand to `--strict`."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from pathlib import Path

import pytest

import serq_interpreter.rules.waits
from serq_interpreter.catalog import Severity, all_entries
from serq_interpreter.catalog.index import WAITS
from serq_interpreter.frontend.analysis import Options, analyse
from serq_interpreter.frontend.diagnostic import Diagnostic
from tests.rules.examples import fixed

ROOT = Path(__file__).resolve().parents[2]
HEAD = "stage s : delay; stage gpu : step { budget 64; cost 0.1; memory kv; }"


def found(text: str, *, strict: bool = False) -> list[Diagnostic]:
    """The findings about waiting; everything else must be clean of errors."""
    analysis = analyse(text, "a.sq", options=Options(strict=strict))
    assert not analysis.has_errors, [item.message for item in analysis.diagnostics]
    return [item for item in analysis.diagnostics if "SQ1100" < item.code < "SQ1200"]


def program(session: str, *, kv: str = "cap 100;", more: str = "", arrive: str = "batch(9)", init: str = "") -> str:
    return (
        f"pool kv {{ {kv} }} pool slots {{ cap 3; }} {more} {HEAD} workload {{ arrive {arrive}; init {{ {init} }} }} "
        f"session {{ {session} observe t = now; end; }} run {{ horizon 100; }}"
    )


def codes(text: str) -> list[str]:
    return [item.code for item in found(text)]


def test_every_module_is_registered_with_what_a_kernel_can_show() -> None:
    modules = {
        info.name: import_module(f"serq_interpreter.rules.waits.{info.name}")
        for info in pkgutil.iter_modules(serq_interpreter.rules.waits.__path__)
        if info.name != "registry"
    }
    rules = {name: module for name, module in modules.items() if hasattr(module, "check")}
    assert {name: module.NEEDS for name, module in rules.items()} == WAITS
    assert {need for needs in WAITS.values() for need in needs} <= {"Hold", "Lease", "QueueKey", "Iteration"}
    known = [item.code for module in rules.values() for item in module.ENTRIES]
    assert sorted(known) == [item.code for item in all_entries() if item.code.startswith("SQ11")]


# --------------------------------------------------------------------------- circles


GROWS = "hold kv (30) { run s (1); grow kv (30); run s (1); }"
NESTED = "hold kv (30) { hold kv (30) { run s (1); } }"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (program(GROWS), ["SQ1104"]),
        (program(NESTED), ["SQ1103"]),
        (program("hold kv (20) { hold slots (1) { grow kv (40); } }"), ["SQ1102"]),
        (
            program(
                "branch (serial > 4) { hold kv (40) { hold slots (1) { } } } else { hold slots (1) { hold kv (40) { } } }"
            ),
            ["SQ1101"],
        ),
        # three pools, each pair in one order
        (
            program(
                "branch (serial < 3) { hold kv (50) { hold slots (1) { } } } branch (serial >= 3 && serial < 6) { hold slots "
                "(1) { hold x (1) { } } } branch (serial >= 6) { hold x (1) { hold kv (60) { } } }",
                more="pool x { cap 1; }",
            ),
            ["SQ1101"],
        ),
        # what the hold took is not enough for the run
        (
            program("hold kv (30) { run gpu prefill (30) growing kv; run gpu decode (20) growing kv; }"),
            ["SQ1104", "SQ1104"],
        ),
        # a member of a family is taken while another is held
        (
            program(
                "hold f[serial % 2 == 0 ? 0 : 1] (4) { }".replace("serial % 2 == 0", "serial > 4"),
                more="pool f[2] { cap 8; }",
            ),
            [],
        ),
        (
            program(
                "set i = serial > 4; hold f[i] (4) { hold f[1 - i] (8) { run s (1); } }", more="pool f[2] { cap 8; }"
            ),
            ["SQ1103"],
        ),
    ],
)
def test_a_circle_is_found(text: str, expected: list[str]) -> None:
    assert codes(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(program(GROWS, kv="cap 540;"), id="room for all, grown"),
        pytest.param(program(GROWS, kv="cap 300;"), id="room for all that wait and one growth"),
        pytest.param(program(f"hold slots (1) {{ {GROWS} }}", kv="cap 120;"), id="as many as there are slots"),
        pytest.param(program(GROWS, arrive="batch(1)"), id="one session"),
        pytest.param(program(f"branch (serial == 4) {{ {GROWS} }}"), id="one session comes here"),
        pytest.param(program(GROWS, kv="cap 100; preempt lifo;"), id="somebody is preempted"),
        pytest.param(program(GROWS, kv="cap inf;"), id="no end of units"),
        pytest.param(
            program("hold kv (30) reserve (60) { run s (1); grow kv (30); run s (1); }", kv="cap 100; reserve held;"),
            id="a reserve is kept",
        ),
        pytest.param(program("hold kv (30) { release kv; hold kv (30) { run s (1); } }"), id="given back before"),
        pytest.param(
            program("hold kv (50) { run gpu prefill (30) growing kv; run gpu decode (20) growing kv; }"),
            id="what was taken is enough",
        ),
        pytest.param(
            program("hold kv (used(kv) > 30 ? 1000 : 30) { run s (1); grow kv (30); }"), id="admits by what is used"
        ),
        pytest.param(
            program("hold slots (1) { hold kv (60) { run s (1); } } hold slots (1) { hold kv (60) { } }"),
            id="one order everywhere",
        ),
        pytest.param(
            program("hold slots (1) { hold kv (20) { hold kv (10) { run s (1); } } }"), id="slots bound the parts"
        ),
        pytest.param(
            program(
                "hold gate (1) { branch (serial > 4) { hold kv (60) { hold slots (2) { } } } else { hold slots (2) { hold kv "
                "(60) { } } } }",
                more="pool gate { cap 1; }",
            ),
            id="one at a time through a gate",
        ),
        pytest.param(
            program("hold kv (40) reserve (80) { hold slots (1) { run s (1); } }", kv="cap 100; reserve held;"),
            id="as many slots as can hold the other",
        ),
        pytest.param(program("fork { hold kv (30) { } } hold slots (1) { } join;"), id="a leg holds for itself"),
        pytest.param(program("branch (serial > 99) { hold kv (30) { hold kv (90) { } } }"), id="where nobody comes"),
    ],
)
def test_nothing_is_said_where_nobody_waits_for_ever(text: str) -> None:
    assert codes(text) == []


def test_a_finding_names_every_end_of_its_circle() -> None:
    (one,) = found(program("hold kv (20) { hold slots (1) { grow kv (40); } }"))
    assert [item.message for item in one.related] == [
        "units of `kv` are held from here on",
        "and while `kv` is held, `slots` is waited for here",
        "units of `slots` are held from here on",
    ]


def test_the_repair_of_a_growth_takes_the_finding_away() -> None:
    text = program(GROWS)
    (one,) = found(text)
    (fix,) = one.fixes
    assert not fix.safe
    assert "cap 100; preempt lifo;" in fixed(text, fix)
    assert codes(fixed(text, fix)) == []


def test_strict_makes_hold_and_wait_an_error_and_nothing_else() -> None:
    for text in (program(GROWS), program(NESTED)):
        assert [item.severity for item in found(text)] == [Severity.WARNING] * len(found(text))
        assert {item.severity for item in found(text, strict=True)} == {Severity.ERROR}
    (one,) = found(program("hold kv (200 + serial) { }"), strict=True)
    assert (one.code, one.severity) == ("SQ1105", Severity.WARNING)


def test_a_comment_silences_it() -> None:
    text = program("\nhold kv (30) { // serq: allow(pool-taken-while-held) never two at once\n hold kv (30) { } }")
    assert codes(text) == ["SQ1103"]  # the finding is on the next line
    text = program("hold kv (30) {\nhold kv (30) { } // serq: allow(pool-taken-while-held) never two at once\n }")
    assert codes(text) == []


# --------------------------------------------------------------------------- the others


@pytest.mark.parametrize(
    ("hold", "init", "expected"),
    [
        ("hold kv (n) { }", "set n = 100 + ~uniform(1, 5);", ["SQ1105"]),
        ("hold kv (n) { }", "set n = 90 + ~uniform(1, 50);", []),  # refused, one by one
        ("hold kv (1) reserve (n) { }", "set n = 101;", ["SQ1105"]),
        ("hold kv (n - cachedin(kv)) { }", "set n = 90 + ~uniform(1, 50);", ["SQ1106"]),
        ("hold kv (n - cachedin(kv)) { }", "set n = ~exp(50);", []),  # no bound, nothing to say
        ("branch (n > 100) { end; } hold kv (n - cachedin(kv)) { }", "set n = 90 + ~uniform(1, 50);", []),
        ("hold kv (min(n, free(kv))) { }", "set n = 90 + ~uniform(1, 50);", []),
        ("hold kv (used(slots) == 0 ? 200 : 1) { }", "", []),  # others may change it
        ("hold kv (now < 5 ? 200 : 1) { }", "", []),  # time does
    ],
)
def test_amounts_that_cannot_be_satisfied(hold: str, init: str, expected: list[str]) -> None:
    assert codes(program(hold, init=init)) == expected


@pytest.mark.parametrize(
    ("queue", "arrive", "expected"),
    [
        ("n", "poisson(1)", ["SQ1107"]),
        ("-cachedin(kv)", "poisson(1)", ["SQ1107"]),
        ("3, n", "poisson(1)", ["SQ1107"]),  # the first is the same for all
        ("n, -waited", "poisson(1)", ["SQ1107"]),  # the second decides among equals only
        ("n - 2 * waited", "poisson(1)", []),
        ("deadline", "poisson(1)", []),  # made from the clock
        ("serial", "poisson(1)", []),
        ("-serial", "poisson(1)", ["SQ1107"]),  # whoever came last goes first
        ("waited", "poisson(1)", ["SQ1107"]),
        ("n + 2 * waited", "poisson(1)", ["SQ1107"]),
        ("n - waited / -2", "poisson(1)", ["SQ1107"]),
        ("-(n + waited)", "poisson(1)", []),
        ("now - deadline", "poisson(1)", ["SQ1107"]),
        ("n + now", "poisson(1)", ["SQ1107"]),  # the clock is the same for all
        ("n > 3 ? n : serial", "poisson(1)", []),
        ("n * waited", "poisson(1)", []),  # it may be
        ("3 - 2, -waited", "poisson(1)", []),
        ("n", "batch(9)", []),  # nobody comes later
        ("3", "poisson(1)", []),
    ],
)
def test_queue_keys_without_age(queue: str, arrive: str, expected: list[str]) -> None:
    init = "set n = ceil(~uniform(1, 9)); set deadline = now + 5 * n;"
    text = program("hold kv (n) { run s (1); }", kv=f"cap 100; queue by ({queue});", arrive=arrive, init=init)
    assert codes(text.replace("horizon 100;", "horizon 100; warmup 10;")) == expected


@pytest.mark.parametrize(
    ("session", "expected"),
    [
        ("loop { hold kv (9) { run s (1); } lease kv (inf) run s (1); branch (now > 50) { end; } }", ["SQ1108"]),
        ("loop { hold kv (9) { run s (1); } lease kv (5) run s (1); branch (now > 50) { end; } }", []),
        ("loop { hold kv (9) { run s (1); } lease kv (inf) run s (1); release kv; branch (now > 50) { end; } }", []),
        ("hold kv (9) { run s (1); } lease kv (inf) run s (1);", []),  # it ends with the session
        ("hold kv (9) { run s (1); } lease kv (inf) hold slots (1) { run s (1); }", []),  # room for all leases
        ("hold kv (30) { run s (1); } lease kv (inf) hold kv (1) { run s (1); }", ["SQ1108"]),
        ("branch (serial > 3) { hold kv (30) { } lease kv (inf) } else { hold kv (40) { } }", []),
    ],
)
def test_leases_without_an_exit(session: str, expected: list[str]) -> None:
    assert codes(program(session)) == expected


@pytest.mark.parametrize(
    ("iteration", "expected"),
    [
        ("serve only (decoding); admit;", ["SQ1109"]),
        ("serve only (!decoding); admit;", ["SQ1109"]),
        ("serve only (vip); admit;", ["SQ1109"]),
        ("serve only (vip); serve only (!vip); admit;", []),
        ("serve only (decoding); serve only (!decoding); admit;", []),
        ("branch (residents > 3) { serve only (decoding); } else { serve; admit; }", []),
        ("serve only (computed < 50); admit;", []),  # what changes with time is not judged
    ],
)
def test_predicates_that_leave_somebody_out(iteration: str, expected: list[str]) -> None:
    text = program(
        "hold kv (30) { run gpu prefill (20); run gpu decode (10); }",
        kv="cap 100; admit via gpu;",
        init="set vip = ~bernoulli(0.3);",
    ).replace("memory kv;", f"memory kv; iteration {{ {iteration} }}")
    assert codes(text) == expected


# --------------------------------------------------------------------------- whole programs


JUDGED = {
    "legs_cycle_chain": {"SQ1103"},  # the case is about this very wait
    "legs_no_cycle_growth": {"SQ1104"},
    "legs_of_refused_session_run_on": {"SQ1105"},
    "legs_refused_leg_ends_session": {"SQ1105"},
    "pools_nested_self_wait": {"SQ1103"},
    "pools_over_cap_first_queue": {"SQ1105"},
    "pools_over_cap_names_asked_pool": {"SQ1105"},
    "pools_rejected_behind_a_queue": {"SQ1105"},
    "pools_rejected_counts_at_first_offender": {"SQ1105"},
    "pools_state_dependent_waits": {"SQ1105"},
    "pools_stats_warmup_counters": {"SQ1105"},
    "preempt_none_growth_above_cap": {"SQ1104"},
}
"""Cases in which somebody does wait for ever, or is refused whatever comes; each was looked at."""


@pytest.mark.full
def test_the_corpus_shows_what_was_judged_and_no_more() -> None:
    # The `mixed` cases are random programs that grow without preemption: some of them do stop.
    cases = [path for path in (ROOT / "tests/corpus/cases").rglob("*.sq") if "_mixed_" not in path.name]
    shown: dict[str, set[str]] = {}
    for path in cases:
        text = path.read_text(encoding="utf-8", errors="replace")
        if not any(word in text for word in ("hold", "lease", "queue", "serve")):
            continue
        for item in analyse(text, str(path)).diagnostics:
            if "SQ1100" < item.code < "SQ1200":
                shown.setdefault(path.stem, set()).add(item.code)
    assert shown == JUDGED


def test_a_program_without_finite_pools_loads_no_kernel() -> None:
    analysis = analyse("stage svc : fifo; session { run svc (1); observe t = now; end; } run { horizon 10; }")
    assert analysis.kernel is None
