"""The canonical order of the kernel, and the places its nodes come from (08 §3)."""

from __future__ import annotations

from serq_interpreter.ir import program as ir
from serq_interpreter.ir.lower import lower
from serq_interpreter.ir.walk import count_blocks, roots, statements
from serq_interpreter.semantics.elaborate import elaborate
from serq_interpreter.syntax.document import parse_document

PROGRAM = """
stage svc : fifo;
session {
  hold kv[i] (u) at admission (u = i + 1) { run svc (u); observe late = now; } cache (u)
  branch (i > 1) { set b = 1; } else { set a = 2; }
  choose i in 2 by (used(kv[i]));
  end;
}
workload { arrive batch(1); init { set z = 1; } turn { set i = 0; observe first = i; } }
pool kv[2] { cap 8; admit via e; }
stage e[2] : step { cost 1; memory kv; }
run { horizon 10; }
"""


def lowered() -> ir.Program:
    return lower(elaborate(parse_document(PROGRAM, "example.sq").tree)).program


def test_names_are_numbered_by_first_occurrence_in_init_turn_and_session() -> None:
    program = lowered()
    assert program.attrs[len(ir.BUILTIN_ATTRIBUTES) :] == ("z", "i", "u", "b", "a")
    assert program.observes == ("first", "late")


def test_families_stand_side_by_side_and_are_paired_member_for_member() -> None:
    program = lowered()
    assert [(stage.name, stage.index) for stage in program.stages] == [("svc", None), ("e", 0), ("e", 1)]
    assert [(pool.index, pool.admit_via) for pool in program.pools] == [(0, 1), (1, 2)]
    engines = [stage.kind for stage in program.stages if isinstance(stage.kind, ir.Step)]
    assert [engine.memory for engine in engines] == [0, 1]


def test_blocks_are_counted_with_the_missing_else() -> None:
    assert count_blocks(lowered()) == 6


def test_every_statement_has_its_place() -> None:
    result = lower(elaborate(parse_document(PROGRAM, "example.sq").tree))
    words = []
    for root in roots(result.program):
        for statement in statements(root):
            place = result.origins.get(statement)
            assert place is not None
            words.append(place.chunk.text[place.start : place.end].split()[0])
    assert words == ["set", "set", "observe", "hold", "u", "run", "observe", "branch", "set", "set", "choose", "end;"]
