"""Catalogue entries of names that nothing declares (SQ0201-SQ0207)."""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0201",
        name="unknown-name",
        severity=Severity.ERROR,
        message="nothing declares `{name}`",
        why="A name read as a value is a constant (`let`), a register (`state`), a name that the language supplies, or "
        "an attribute: something that a `set` or `choose` anywhere in the program assigns. Where that assignment "
        "stands does not matter; that there is one decides.",
        help="declare a constant with `let {name} = …;`, or assign the attribute with `set {name} = …;`",
        wrong="""stage svc : fifo;
session { run svc (prompt); end; }
                 //^^^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { set prompt = 4; run svc (prompt); end; }
run { horizon 10; }
""",
        spec="02 §2",
    ),
    Entry(
        code="SQ0202",
        name="unknown-pool",
        severity=Severity.ERROR,
        message="there is no pool `{name}`",
        why="A hold, a statement on units and the functions `used`, `free` and their fellows take the name of a `pool` "
        "item, or `QUEUE.POOL` for a queue's. Pools have a name space of their own: a stage or an attribute of this "
        "name is no pool.",
        help="declare it with `pool {name} {{ cap N; }}`",
        wrong="""pool kv { cap 10; }
stage svc : fifo;
session { hold kb (1) { run svc (1); } end; }
             //^^
run { horizon 10; }
""",
        right="""pool kv { cap 10; }
stage svc : fifo;
session { hold kv (1) { run svc (1); } end; }
run { horizon 10; }
""",
        spec="02 §2",
    ),
    Entry(
        code="SQ0203",
        name="unknown-stage",
        severity=Severity.ERROR,
        message="there is no stage `{name}`",
        why="Work is done at a stage: a `stage` item, or a queue with a `serve`, which is a stage of the queue's name. "
        "A `run` and the functions `queue`, `busy`, `work` look nowhere else.",
        help="declare it with `stage {name} : fifo;`",
        wrong="""stage svc : fifo;
session { run server1 (1); end; }
            //^^^^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { run svc (1); end; }
run { horizon 10; }
""",
        spec="02 §2",
    ),
    Entry(
        code="SQ0204",
        name="unknown-function",
        severity=Severity.ERROR,
        message="there is no function `{name}`",
        why="A name followed by `(` is one of the language's functions, or a use of an expression definition that "
        "stands above. A definition below its use, or in a library that is not used, is not there yet.",
        help="define it above with `def {name}(…) = …;`",
        wrong="""stage svc : fifo;
session { run svc (twice(2)); end; }
                 //^^^^^
run { horizon 10; }
""",
        right="""def twice(x) = 2 * x;
stage svc : fifo;
session { run svc (twice(2)); end; }
run { horizon 10; }
""",
        spec="01 §2.7",
    ),
    Entry(
        code="SQ0205",
        name="renamed-context-variable",
        severity=Severity.ERROR,
        message="`{name}` is the older name of the context variable `{now}`",
        why="Earlier editions abbreviated the context variables. The short names are free today, so a program may set "
        "an attribute of that name; one that declares nothing by it means the variable and says so in the new word.",
        help="write `{now}`",
        wrong="""stage e : step { cost 1 + ntok; }
                        //^^^^
session { decode 4; end; }
run { horizon 100; }
""",
        right="""stage e : step { cost 1 + tokens; }
session { decode 4; end; }
run { horizon 100; }
""",
        spec="02 §16",
    ),
    Entry(
        code="SQ0206",
        name="unknown-distribution",
        severity=Severity.ERROR,
        message="there is no distribution `{name}`",
        why="After `~` stands the name of a distribution: `exp`, `det`, `uniform`, `erlang`, `h2` or `bernoulli`. "
        "A definition cannot take its place; only the whole draw can stand in one.",
        help="the distributions are `exp`, `det`, `uniform`, `erlang`, `h2` and `bernoulli`",
        wrong="""stage svc : fifo;
session { run svc (~normal(4)); end; }
                  //^^^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { run svc (~exp(4)); end; }
run { horizon 10; }
""",
        spec="01 §2.7",
    ),
    Entry(
        code="SQ0207",
        name="unknown-observation",
        severity=Severity.ERROR,
        message="no `observe` names `{name}` here",
        why="An aggregate such as `total` runs over the values that the statements `observe NAME = …;` have collected. "
        "Without such a statement in the part of the program that is linked before, there is nothing to run over.",
        help="collect the values with `observe {name} = …;` in the session",
        wrong="""stage svc : fifo;
session { observe delay = 1; run svc (1); end; }
claim fine : at end (total(delays) >= 0);
                         //^^^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { observe delay = 1; run svc (1); end; }
claim fine : at end (total(delay) >= 0);
run { horizon 10; }
""",
        spec="02 §15",
    ),
)
