"""Catalogue entries of what functions, families and aggregates are given (SQ0221-SQ0227)."""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0221",
        name="argument-count",
        severity=Severity.ERROR,
        message="`{name}` takes {count} argument(s), not {given}",
        why="Every function has one fixed number of arguments; there are no optional ones, and `min` and `max` take two.",
        help="nest the calls: `max(a, max(b, c))`",
        wrong="""stage svc : fifo;
session { run svc (max(1, 2, 3)); end; }
                 //^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { run svc (max(1, max(2, 3))); end; }
run { horizon 10; }
""",
        spec="01 §2.7",
    ),
    Entry(
        code="SQ0222",
        name="distribution-argument-count",
        severity=Severity.ERROR,
        message="`~{name}` takes {count} argument(s), not {given}",
        why="A distribution is fixed by its parameters, in order: `exp(mean)`, `det(x)`, `uniform(lo, hi)`, "
        "`erlang(k, mean)`, `h2(mean, cv2)`, `bernoulli(p)`. None has a default.",
        help="give every parameter",
        wrong="""stage svc : fifo;
session { run svc (~uniform(4)); end; }
                  //^^^^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { run svc (~uniform(0, 4)); end; }
run { horizon 10; }
""",
        spec="01 §2.7",
    ),
    Entry(
        code="SQ0223",
        name="name-needed",
        severity=Severity.ERROR,
        message="`{name}` wants the name of a {what} here",
        why="Such a function looks at a pool or stage itself, not at a number. Its argument is a bare reference; an "
        "expression, even a name in parentheses, is a value.",
        help="write the {what}'s name alone, with an index where it is a family",
        wrong="""pool kv { cap 10; }
stage svc : fifo;
session { run svc (used((kv))); end; }
                      //^^^^
run { horizon 10; }
""",
        right="""pool kv { cap 10; }
stage svc : fifo;
session { run svc (used(kv)); end; }
run { horizon 10; }
""",
        spec="01 §2.7",
    ),
    Entry(
        code="SQ0224",
        name="blocksize-misused",
        severity=Severity.ERROR,
        message="`blocksize`: {problem}",
        why="`blocksize(p)` is no reading of the run but the number written after `block` in the pool's declaration. "
        "So it needs exactly one pool that has a block, and an index of a family makes no difference.",
        help="name a pool that has a `block`",
        wrong="""pool kv { cap 64; }
stage svc : fifo;
session { run svc (blocksize(kv)); end; }
                           //^^
run { horizon 100; }
""",
        right="""pool kv { cap 64; block 16; }
stage svc : fifo;
session { run svc (blocksize(kv)); end; }
run { horizon 100; }
""",
        spec="02 §4",
    ),
    Entry(
        code="SQ0225",
        name="family-without-index",
        severity=Severity.ERROR,
        message="`{name}` is a family: say which {what} is meant",
        why="A family is many pools or stages under one name, each with units or jobs of its own. Holding or running "
        "means one of them; only `admit via`, `memory` and `spill` take the whole.",
        help="write `{name}[0]`, or any expression for the index",
        wrong="""stage worker[2] : fifo;
session { run worker (1); end; }
            //^^^^^^
run { horizon 10; }
""",
        right="""stage worker[2] : fifo;
session { run worker[0] (1); end; }
run { horizon 10; }
""",
        spec="02 §5",
    ),
    Entry(
        code="SQ0226",
        name="index-out-of-range",
        severity=Severity.ERROR,
        message="`{name}[{value}]` is no member: `{name}` has {members}, numbered from 0",
        why="This index is the same in every run, so it can be judged now: it must be a whole number from 0 to the "
        "size less one. An index that depends on the session is judged each time it is read.",
        help="use an index from 0 to the number of members less one",
        wrong="""stage worker[2] : fifo;
session { run worker[2] (1); end; }
                   //^
run { horizon 10; }
""",
        right="""stage worker[2] : fifo;
session { run worker[1] (1); end; }
run { horizon 10; }
""",
        spec="02 §5",
    ),
    Entry(
        code="SQ0227",
        name="aggregate-of-no-observation",
        severity=Severity.ERROR,
        message="`{name}` takes the name of one observation",
        why="The aggregate runs over the samples of one `observe`; it computes nothing from an expression, because "
        "the samples are what was observed, when it was.",
        help="`observe` the value under a name and aggregate that name",
        wrong="""session { observe wait = 1; end; }
claim low : at end (largest(2 * 3) < 10);
                  //^^^^^^^^^^^^^^
run { horizon 10; }
""",
        right="""session { observe wait = 1; end; }
claim low : at end (largest(wait) < 10);
run { horizon 10; }
""",
        spec="02 §15",
    ),
)
