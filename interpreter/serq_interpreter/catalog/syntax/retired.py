"""Catalogue entries of words of older editions (SQ0126-SQ0129)."""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0126",
        name="retired-statement",
        severity=Severity.ERROR,
        message="{found} is the spelling of an older edition",
        why="Taking memory, its condition and its clean-up were statements of their own once. They are one statement "
        "now, `hold`, whose clauses say the same in one place.",
        help="write `{now}`",
        wrong="""pool kv { cap 10; }
stage svc : fifo;
session {
  enter kv (1) { run svc (1); }
  end;
}
run { horizon 10; }
""",
        right="""pool kv { cap 10; }
stage svc : fifo;
session {
  hold kv (1) { run svc (1); }
  end;
}
run { horizon 10; }
""",
        spec="02 §16",
    ),
    Entry(
        code="SQ0127",
        name="retired-hold-clause",
        severity=Severity.ERROR,
        message="{found} is the clause of an older edition",
        why="The clauses of a hold were renamed when they were given their fixed order: what fits is reserved, what is "
        "kept is cached, and the bindings say at which moment they are read.",
        help="write `{now}`",
        wrong="""pool kv { cap 10; }
stage svc : fifo;
session { hold kv (1) fits (2) { run svc (1); } end; }
                    //^^^^
run { horizon 10; }
""",
        right="""pool kv { cap 10; }
stage svc : fifo;
session { hold kv (1) reserve (2) { run svc (1); } end; }
run { horizon 10; }
""",
        spec="02 §16",
    ),
    Entry(
        code="SQ0128",
        name="retired-step-option",
        severity=Severity.ERROR,
        message="{found} is the option of an older edition",
        why="All orders of an engine are given by `serve` today, so that one look tells how it ranks its residents. The "
        "two words alone are no option any more.",
        help="write `{now};`",
        wrong="""stage e : step { cost 1; decode first; }
                       //^^^^^^^^^^^^
run { horizon 10; }
""",
        right="""stage e : step { cost 1; serve decode first; }
run { horizon 10; }
""",
        spec="02 §16",
    ),
    Entry(
        code="SQ0129",
        name="retired-word-as-name",
        severity=Severity.ERROR,
        message="`{name}` is a word of an older edition and names nothing",
        why="The words `enter`, `admit`, `keep`, `where` and `fit` stood where names of values stand. They stay "
        "forbidden for constants, attributes, bindings, claims and definitions, so that an old program is not read as "
        "a new one with another meaning.",
        help="choose another name",
        wrong="""let keep = 4;
  //^^^^
run { horizon 10; }
""",
        right="""let kept = 4;
run { horizon 10; }
""",
        spec="01 §1.5",
    ),
)
