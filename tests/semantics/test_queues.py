"""Queues, relations and sides: the recorded programs, and several faults in one text."""

from __future__ import annotations

import pytest

from serq_interpreter.frontend.analysis import Analysis, analyse
from tests.semantics.queue_programs import HEAD, QueueProgram, judged, programs


@pytest.mark.parametrize("program", programs(), ids=lambda program: program.title)
def test_recorded_program(program: QueueProgram) -> None:
    assert judged(program.text) == program.expected


def _check(text: str, head: str = HEAD) -> Analysis:
    return analyse(f"{head}{text}\nrun {{ horizon 9; }}\n", "queues.sq")


def _faults(text: str, head: str = HEAD) -> list[tuple[str, str]]:
    """Code and underlined text of every error, in order of place."""
    analysis = _check(text, head)
    errors = [item for item in analysis.diagnostics if item.code < "SQ1000"]
    return [(item.code, analysis.text[item.location.start_offset : item.location.end_offset]) for item in errors]


def test_every_fault_of_a_declaration() -> None:
    faults = _faults(
        "queue q : router, gateway, gateway { prefill (a, b) { run svc (a); } flush { } }\n"
        "queue gw : gateway { route { q.prefill (1); zz.prefill (1); end; } }"
    )
    assert faults == [
        ("SQ0703", "router"),
        ("SQ0705", "gateway"),
        ("SQ0704", "gateway"),
        ("SQ0710", "(a, b)"),
        ("SQ0708", "flush"),
        ("SQ0744", "zz"),
        ("SQ0609", "end;"),
    ]


def test_every_fault_at_the_boundary() -> None:
    faults = _faults(
        "queue q : prefill { pool kv { } prefill (n) { set y = size0; mark m;\n"
        "hold kv (now) { drop gp; set n = 2; set z = m + q.m + used(q.kv); } lease gp (1); run (1); } }\n"
        "queue gw : gateway { route { q.prefill (1); } }"
    )
    assert faults == [
        ("SQ0736", "size0"),
        ("SQ0733", "now"),
        ("SQ0731", "gp"),
        ("SQ0737", "n"),
        ("SQ0736", "m"),
        ("SQ0735", "q.m"),
        ("SQ0734", "q.kv"),
        ("SQ0732", "gp"),
        ("SQ0723", "("),
    ]


def test_every_fault_of_the_sides() -> None:
    faults = _faults(
        "server { turn; end; request; }\nserver { run svc (nosuch); }\nsession { mark m; }\n"
        "workload { arrive none; init { run svc (1); request; } session { request zz; request q; } session { } }\n"
        "queue q { }",
        head="stage svc : fifo;\n",
    )
    assert [code for code, _ in faults] == [
        "SQ0612", "SQ0610", "SQ0609", "SQ0608", "SQ0603", "SQ0201", "SQ0605", "SQ0728",
        "SQ0606", "SQ0607", "SQ0615", "SQ0616", "SQ0604",
    ]  # fmt: skip


def test_every_fault_of_two_relations() -> None:
    faults = _faults(
        "queue p : prefill { pool kv { } prefill (a) { hold kv (a) { } lease kv (1); } }\n"
        "queue d : decode { pool kv { } nic ps(1); decode (n) { }\n"
        "decode (n) from s { hold kv (n) { transfer (n) from s to kv (n); } } }\n"
        "d pull p latency xx share maxmin;\np push d share bottleneck;\n"
        "queue gw : gateway { route { p.prefill (1); d.decode (1) from p; } }"
    )
    assert faults == [
        ("SQ0772", "p"),
        ("SQ0775", "xx"),
        ("SQ0772", "p"),
        ("SQ0773", "d"),
        ("SQ0776", "bottleneck"),
    ]


def test_an_entry_is_judged_once_for_all_its_calls() -> None:
    faults = _faults(
        "queue q : prefill { prefill (n) { run nowhere (n); set y = self; } }\n"
        "queue gw : gateway { route { q.prefill (lost); q.prefill (lost + 1); q.prefill (gone); } }"
    )
    assert faults == [("SQ0203", "nowhere"), ("SQ0727", "self"), ("SQ0201", "lost"), ("SQ0201", "gone")]


def test_a_fault_of_an_argument_names_the_call() -> None:
    analysis = _check(
        "queue q : prefill { pool kv { } prefill (n) { hold kv (n) { run svc (1); } } }\n"
        "queue gw : gateway { route { q.prefill (o); } }"
    )
    (error,) = [item for item in analysis.diagnostics if item.code < "SQ1000"]
    assert (error.code, error.location.start.line) == ("SQ0302", 5)
    assert any("q.prefill" in note.message and note.location.start.line == 6 for note in error.related)


def test_members_out_of_range_are_told_per_call() -> None:
    faults = _faults(
        "queue q[2] : prefill { pool kv { } prefill (n) { hold kv (n) { grow kv (1); run svc (self); } } }\n"
        "queue gw : gateway { route { q[2].prefill (1); q[3].prefill (2); } }"
    )
    assert faults == [("SQ0226", "kv"), ("SQ0226", "3")]


def test_a_damaged_queue_hides_what_it_may_declare() -> None:
    faults = _faults(
        "queue q : prefill, decode { pool kv { cap ; } prefill (n) { hold kv (n) { run svc (n) } } decode n { } }\n"
        "queue gw : gateway { route { q.prefill (1); q.decode (1); request; } }"
    )
    assert [code for code, _ in faults if code >= "SQ0200"] == ["SQ0608"]


def test_names_of_an_entry_mean_what_the_editor_shows() -> None:
    analysis = _check(
        "queue q[2] : prefill { pool kv { } serve fifo; prefill (n) { mark m; set y = n; hold kv (y + 0) { run q (y); } } }"
        "\nqueue gw : gateway { route { q[0].prefill (1); set z = q.y; } }"
    )
    kinds = {(token.text, symbol.kind, symbol.name) for token, symbol in analysis.elaborated.uses.items()}
    assert {
        ("n", "parameter", "n"),
        ("kv", "pool", "q.kv"),
        ("y", "attribute", "q.y"),
        ("m", "attribute", "q.m"),
        ("prefill", "entry", "q.prefill"),
    } <= kinds


def test_calls_expand_to_a_limit() -> None:
    calls = "".join(
        f"queue q{i} : gateway {{ route {{ q{i - 1}.route (); q{i - 1}.route (); }} }}\n" for i in range(1, 40)
    )
    faults = _faults(
        f"queue q0 : gateway {{ route {{ run svc (1); }} }}\n{calls}session {{ q39.route (); }}", "stage svc : fifo;\n"
    )
    assert faults == [("SQ0753", "q39.route ();")]
