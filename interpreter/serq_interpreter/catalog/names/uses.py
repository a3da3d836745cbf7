"""Catalogue entries of the uses of definitions and their arguments (SQ0248-SQ0253)."""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0248",
        name="expression-used-as-statement",
        severity=Severity.ERROR,
        message="`{name}` is defined as an expression and cannot be a statement",
        why="`def NAME(…) = …;` has a value and does nothing; `def NAME(…) {{ … }}` does something and has no value. "
        "The sign after the parameters decides which of the two a use may be.",
        help="use the value: `set NAME = {name}(…);`",
        wrong="""def twice(x) = 2 * x;
session { twice(2); end; }
        //^^^^^
run { horizon 10; }
""",
        right="""def twice(x) = 2 * x;
session { set four = twice(2); end; }
run { horizon 10; }
""",
        spec="02 §13",
    ),
    Entry(
        code="SQ0249",
        name="statements-used-as-expression",
        severity=Severity.ERROR,
        message="`{name}` is defined as statements and has no value",
        why="The body stands in braces: it is a list of statements, put where the use stands. An expression has no "
        "place for statements.",
        help="define the value with `def {name}(…) = …;`",
        wrong="""def twice(x) { set y = 2 * x; }
session { twice(1); set z = twice(2); end; }
                          //^^^^^
run { horizon 10; }
""",
        right="""def twice(x) { set y = 2 * x; }
session { twice(1); set z = y; end; }
run { horizon 10; }
""",
        spec="02 §13",
    ),
    Entry(
        code="SQ0250",
        name="drawing-argument-read-twice",
        severity=Severity.ERROR,
        message="this argument draws, and `{name}` reads it more than once",
        why="An argument is put in at every occurrence of the parameter. A draw put in twice is two draws: the two "
        "places of the body would see different numbers where they look like one.",
        help="draw once with `set v = …;` and pass `v`",
        wrong="""def square(x) = x * x;
session { set y = square(~exp(2)); end; }
                       //^^^^^^^
run { horizon 10; }
""",
        right="""def square(x) = x * x;
session { set v = ~exp(2); set y = square(v); end; }
run { horizon 10; }
""",
        spec="02 §13",
    ),
    Entry(
        code="SQ0251",
        name="argument-reads-assigned-name",
        severity=Severity.ERROR,
        message="this argument reads `{name}`, which the body assigns",
        why="The argument is read where the parameter stands, not where the use stands. If the body has assigned "
        "`{name}` by then, it is no longer the caller's value.",
        help="copy the value first: `set v = …;`, and pass `v`",
        wrong="""def note0(n) { set x = 1; observe seen = n; }
session { set x = 5; note0(x); end; }
                         //^
run { horizon 10; }
""",
        right="""def note0(n) { set x = 1; observe seen = n; }
session { set x = 5; set v = x; note0(v); end; }
run { horizon 10; }
""",
        spec="02 §13",
    ),
    Entry(
        code="SQ0252",
        name="argument-changes-with-the-turn",
        severity=Severity.ERROR,
        message="this argument reads `{name}`, which a `turn` or `request` in the body assigns",
        why="A `turn` runs the workload's turn block and renews the built-in attributes, and a `request` runs the "
        "server. The body would read the argument before and after, with different values.",
        help="copy the value first: `set v = …;`, and pass `v`",
        wrong="""stage svc : fifo;
def step1(n) { turn; run svc (n); }
session { step1(turn_no); end; }
              //^^^^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
def step1(n) { turn; run svc (n); }
session { set v = turn_no; step1(v); end; }
run { horizon 10; }
""",
        spec="02 §13",
    ),
    Entry(
        code="SQ0253",
        name="argument-reads-live-state",
        severity=Severity.ERROR,
        message="this argument of a statement definition reads {read}",
        why="Statements take time. An argument that reads the clock or a pool's or stage's state would be read at the "
        "instants of the body's statements and give another number at each.",
        help="read it once: `set v = …;`, and pass `v`",
        wrong="""stage svc : fifo;
def work2(n) { run svc (n); run svc (n); }
session { work2(queue(svc)); end; }
              //^^^^^^^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
def work2(n) { run svc (n); run svc (n); }
session { set v = queue(svc); work2(v); end; }
run { horizon 10; }
""",
        spec="02 §13",
    ),
)
