"""Catalogue entries of the bindings of `at admission` (SQ0260-SQ0266)."""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0260",
        name="bound-twice",
        severity=Severity.ERROR,
        message="`{name}` is bound already in this `at admission`",
        why="Within the header each binding's name stands for one expression; the second would hide the first from "
        "everything but the bindings between them.",
        help="rename the second",
        wrong="""pool kv { cap 64; }
stage svc : fifo;
session { hold kv (b) at admission (b = 1, b = 2) { run svc (1); } end; }
                                         //^
run { horizon 10; }
""",
        right="""pool kv { cap 64; }
stage svc : fifo;
session { hold kv (c) at admission (b = 1, c = b + 1) { run svc (1); } end; }
run { horizon 10; }
""",
        spec="02 §8.2",
    ),
    Entry(
        code="SQ0261",
        name="binding-reads-later",
        severity=Severity.ERROR,
        message="`{name}` reads `{later}`, which is bound after it",
        why="Bindings are replaced from left to right: each may use the ones before it. One that comes later has no "
        "expression yet.",
        help="bind `{later}` first",
        wrong="""pool kv { cap 64; }
stage svc : fifo;
session { hold kv (a) at admission (a = b + 1, b = 2) { run svc (1); } end; }
                                      //^
run { horizon 10; }
""",
        right="""pool kv { cap 64; }
stage svc : fifo;
session { hold kv (a) at admission (b = 2, a = b + 1) { run svc (1); } end; }
run { horizon 10; }
""",
        spec="02 §8.2",
    ),
    Entry(
        code="SQ0262",
        name="binding-draws",
        severity=Severity.ERROR,
        message="the binding `{name}` draws",
        why="A binding is put into the header wherever its name stands, and the scheduler reads the header again each "
        "time it looks at the waiting hold. A draw would give another number at every look.",
        help="draw above the hold: `set v = ~…;`, and read `v`",
        wrong="""pool kv { cap 64; }
stage svc : fifo;
session { hold kv (n) at admission (n = ~exp(4)) { run svc (1); } end; }
                                      //^^^^^^^
run { horizon 10; }
""",
        right="""pool kv { cap 64; }
stage svc : fifo;
session { set v = ~exp(4); hold kv (n) at admission (n = v) { run svc (1); } end; }
run { horizon 10; }
""",
        spec="02 §8.2",
    ),
    Entry(
        code="SQ0263",
        name="binding-name-taken",
        severity=Severity.ERROR,
        message="the body reads the binding `{name}`, which is {other} too",
        why="A binding that only its header reads may have any name. One that the body reads becomes an attribute, and "
        "the body could mean either.",
        help="rename the binding",
        wrong="""let need = 3;
pool kv { cap 64; }
stage svc : fifo;
session { hold kv (need) at admission (need = 4) { run svc (need); } end; }
                                     //^^^^
run { horizon 10; }
""",
        right="""let need = 3;
pool kv { cap 64; }
stage svc : fifo;
session { hold kv (need_) at admission (need_ = 4) { run svc (need_); } end; }
run { horizon 10; }
""",
        spec="02 §8.2",
    ),
    Entry(
        code="SQ0264",
        name="body-reads-moving-binding",
        severity=Severity.ERROR,
        message="the body reads `{name}`, and `{name}` reads {read}",
        why="The header is read when the hold is admitted, the body after it. A binding of attributes and constants is "
        "the same at both; one of the clock, of live state or of `cached` is not, and the body would see another "
        "number than the one that was admitted.",
        help="in the body, `set` the value where it is needed",
        wrong="""pool kv { cap 64; }
stage svc : fifo;
session { hold kv (room) at admission (room = free(kv)) { run svc (room); } end; }
                                                                 //^^^^
run { horizon 10; }
""",
        right="""pool kv { cap 64; }
stage svc : fifo;
session { hold kv (room) at admission (room = free(kv)) { set left = free(kv); run svc (left); } end; }
run { horizon 10; }
""",
        spec="02 §8.2",
    ),
    Entry(
        code="SQ0265",
        name="binding-read-outside",
        severity=Severity.ERROR,
        message="`{name}` is a binding of a hold and is read outside of it",
        why="A binding belongs to its hold: to the header as an expression, to the body as an attribute. Outside, "
        "the attribute would show what some hold admitted last.",
        help="keep the value with a `set` of another name",
        wrong="""pool kv { cap 64; }
stage svc : fifo;
session { hold kv (n) at admission (n = 4) { run svc (n); } observe units = n; end; }
                                                                          //^
run { horizon 10; }
""",
        right="""pool kv { cap 64; }
stage svc : fifo;
session { hold kv (n) at admission (n = 4) { run svc (n); set kept = n; } observe units = kept; end; }
run { horizon 10; }
""",
        spec="02 §8.2",
    ),
    Entry(
        code="SQ0266",
        name="binding-reads-itself",
        severity=Severity.ERROR,
        message="the binding `{name}` reads its own name, and the body reads it too",
        why="In its own expression the name means what it meant outside, in the body it means the binding: the "
        "attribute that carries the binding would overwrite the value it was computed from.",
        help="rename the binding",
        wrong="""pool kv { cap 64; }
pool slot { cap 4; }
stage svc : fifo;
session {
  hold kv (n) at admission (n = 4) {
    hold slot (n) at admission (n = n - 3) { run svc (n); }
                                  //^
  }
  end;
}
run { horizon 10; }
""",
        right="""pool kv { cap 64; }
pool slot { cap 4; }
stage svc : fifo;
session {
  hold kv (n) at admission (n = 4) {
    hold slot (m) at admission (m = n - 3) { run svc (m); }
  }
  end;
}
run { horizon 10; }
""",
        spec="02 §8.2",
    ),
)
