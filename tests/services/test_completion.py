"""Completion: words by place, names by moment."""

from __future__ import annotations

import pytest

from serq_interpreter.catalog.vocabulary import BUILTIN_ATTRIBUTES, CONTEXT_VARIABLES, FUNCTIONS, RUN_OPTION_WORDS
from serq_interpreter.semantics.moments import MOMENTS, TABLE, VIA
from serq_lsp.services.completion import completion
from serq_lsp.services.cursor import cursor_at, moment_of
from tests.support.markers import fixture

DECLARED = """
let limit = 2;
pool kv { cap 10; block 2; }
stage eng : step { cost 1; state reg = 0; iteration { serve; admit; set reg = 1; } }
stage svc : fifo;
workload { arrive batch(1); hidden o; turn { set o = 3; set prompt = 5; } session { turn; request; } }
server { set other = 1; observe seen = now; run svc (1); }
run { horizon 10; }
"""

POSITIONS = {
    "stmt": "queue x { } session { set y = $0; }",
    "head": "session { hold kv ($0) { } }",
    "queue": "pool p { queue by ($0); }",
    "evict": "pool p { evict by ($0); }",
    "preempt": "pool p { preempt by ($0); }",
    "ps": "stage s : ps($0);",
    "budget": "stage s : step { cost 1; budget $0; }",
    "cost": "stage s : step { cost $0; }",
    "order": "stage s : step { cost 1; serve by ($0); }",
    "only": "stage s : step { cost 1; serve only ($0); }",
    "iter": "stage s : step { cost 1; iteration { admit while ($0); } }",
    "gauge": "gauge g = $0;",
    "given": "claim c given ($0) : at end (1);",
    "every": "claim c : every iteration of eng ($0);",
    "end": "claim c : at end ($0);",
    "const": "let z = $0;",
    "gap": "workload { arrive renewal($0); }",
    "e.head": "queue q : decode { pool own { cap 1; } decode (n) { hold own ($0) { } } }",
    "e.body": "queue q : decode { pool own { cap 1; } decode (n) { set y = $0; } }",
}
OTHER_POSITIONS = [
    ("stmt", "session { branch ($0) { } }"),
    ("stmt", "session { run svc ($0); }"),
    ("stmt", "session { hold kv (1) { } cache ($0) }"),
    ("stmt", "session { choose j in $0 by (j); }"),
    ("stmt", "session { prefill $0; }"),
    ("head", "session { hold kv (1) reserve ($0) { } }"),
    ("head", "session { hold kv (1) reuse ($0) { } cache (1) }"),
    ("head", "session { hold kv (x) at admission (x = $0) { } }"),
    ("budget", "stage s : step { cost 1; chunk $0; }"),
    ("only", "stage s : step { cost 1; iteration { serve by ($0); } }"),
    ("iter", "stage s : step { cost 1; iteration { serve; branch ($0) { } } }"),
    ("every", "claim c : some iteration of eng ($0);"),
    ("const", "pool p { cap $0; }"),
    ("const", "run { horizon $0; }"),
    ("const", "stage s : fifo($0);"),
    ("const", "pool p[$0] { cap 1; }"),
    ("evict", "pool p { spill kv via svc (1) when ($0); }"),
]


def test_every_moment_has_a_position() -> None:
    assert set(POSITIONS) == set(MOMENTS)


def _offered(item: str) -> dict[str, str]:
    given = fixture(DECLARED + item + "\n")
    assert given.cursor is not None
    return {found.label: found.kind for found in completion(given.snapshot(), given.cursor)}


@pytest.mark.parametrize(("moment", "item"), [*POSITIONS.items(), *OTHER_POSITIONS])
def test_completion_offers_exactly_what_the_table_allows(moment: str, item: str) -> None:
    given = fixture(DECLARED + item + "\n")
    assert given.cursor is not None
    assert moment_of(cursor_at(given.snapshot(), given.cursor)) == moment
    offered = _offered(item)
    allowed = {read for read, row in TABLE.items() if row[moment] in ("", VIA)}
    for name in CONTEXT_VARIABLES:
        assert (offered.get(name) == "context") == (name in allowed), name
    for name in BUILTIN_ATTRIBUTES:
        assert (offered.get(name) == "builtin") == (name in allowed), name
    assert ("prompt" in offered) == ("attribute" in allowed)
    assert ("o" in offered) == ("attribute" in allowed and "hidden" in allowed)
    assert ("limit" in offered) == ("constant" in allowed)
    assert ("reg" in offered) == bool({"register_own", "register_other"} & allowed)
    for name in FUNCTIONS:
        row = {"budget_left": "budget_own" if "budget_own" in allowed else "budget_other"}.get(name, name)
        if row in TABLE:
            assert (offered.get(name) == "function") == (row in allowed), name


def test_items_at_the_top_level() -> None:
    offered = _offered("$0")
    assert {"pool", "stage", "let", "def", "workload", "session", "gauge", "claim", "run"} <= set(offered)
    assert "set" not in offered


def test_statements_in_a_block() -> None:
    offered = _offered("session { $0 }")
    assert {"set", "hold", "run", "observe", "branch"} <= set(offered)
    assert "cap" not in offered


def test_options_of_a_run_block() -> None:
    assert set(_offered("run { $0 }")) == set(RUN_OPTION_WORDS)


def test_pools_where_a_pool_is_wanted() -> None:
    for item in (
        "session { hold $0 }",
        "session { grow $0 }",
        "session { set y = used($0 }",
        "stage s : step { memory $0",
    ):
        assert {label for label, kind in _offered(item).items() if kind != "keyword"} == {"kv"}, item


def test_stages_where_a_stage_is_wanted() -> None:
    assert {"eng", "svc"} <= set(_offered("session { run $0 }"))
    assert "kv" not in _offered("session { run $0 }")


def test_distributions_after_a_tilde() -> None:
    assert set(_offered("session { set y = ~$0")) == {"exp", "det", "uniform", "erlang", "h2", "bernoulli"}


def test_members_of_a_queue() -> None:
    queue = "queue q : decode { pool own { cap 1; } nic ps(1); decode (n) { mark begun; } }\n"
    offered = _offered(queue + "session { set y = q.$0; }")
    assert {"own", "nic", "decode"} <= set(offered)


def test_nothing_in_a_comment() -> None:
    assert _offered("// what $0 is this") == {}


def test_a_half_typed_line_costs_only_itself() -> None:
    offered = _offered("session { hold kv (; set y = $0; run svc (1); }")
    assert "prompt" in offered


QUEUES = """queue p : prefill { pool kv { cap 9; } serve fifo; prefill (n) { hold kv (n) { run p (n); } } }
queue d : decode { pool kv { cap 9; } serve fifo; decode (n) { hold kv (n) { run d (n); } } }
pool kv { cap 9; }
stage engine : step { cost 1; memory kv; }
stage user : delay;
"""


@pytest.mark.parametrize(
    ("line", "labels"),
    [
        ("stage x : ", {"delay", "fifo", "ps", "step"}),
        ("claim c : ", {"at", "every", "some"}),
        ("claim c : every iteration of ", {"engine"}),
        ("queue z : ", {"gateway", "prefill", "decode", "link"}),
        ("queue z : prefill, ", {"gateway", "decode", "link"}),
        ("queue z : gateway { ", {"route", "pool", "serve", "nic"}),
        ("d ", {"pull", "push"}),
        ("d pull ", {"p", "d"}),
        ("d pull p ", {"latency", "share"}),
        ("pool z { admit via ", {"p", "d", "engine"}),
    ],
)
def test_a_half_typed_line_is_continued(line: str, labels: set[str]) -> None:
    """Also where the item below has already begun: what stands on the line decides."""
    found = completion(
        fixture(f"{QUEUES}{line}$0\nworkload {{ arrive batch(1); }}\n").snapshot(), len(QUEUES) + len(line)
    )
    assert {item.label for item in found} - {"p", "d"} == labels - {"p", "d"}


@pytest.mark.parametrize("statement", ["set ", "observe "])
def test_the_next_statement_is_no_name(statement: str) -> None:
    text = (
        f"stage s : delay;\nsession {{ set t = 1; observe u = t; {statement}$0\n  set v = 1; observe w = t; end; }}\n"
    )
    given = fixture(text)
    assert given.cursor is not None
    labels = {item.label for item in completion(given.snapshot(), given.cursor)}
    wanted = "t" if statement == "set " else "u"
    assert wanted in labels and not labels & {"set", "observe", "run"}
