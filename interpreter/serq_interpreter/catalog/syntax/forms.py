"""Catalogue entries of items, options and statements of the wrong form (SQ0120-SQ0125, SQ0161-SQ0164)."""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0120",
        name="share-policy-expected",
        severity=Severity.ERROR,
        message="expected a share policy, found {found}",
        why="Transfers that cross the same stages have to divide them, and the two policies give different times. A "
        "relation therefore always names one, and there is no other.",
        help="write `share maxmin` or `share bottleneck`",
        wrong="""share equal;
    //^^^^^
stage a : ps(1);
stage b : ps(1);
session { run a, b (1); end; }
run { horizon 10; }
""",
        right="""share maxmin;
stage a : ps(1);
stage b : ps(1);
session { run a, b (1); end; }
run { horizon 10; }
""",
        spec="01 §2.1",
    ),
    Entry(
        code="SQ0121",
        name="count-needs-parentheses",
        severity=Severity.ERROR,
        message="the count of an aggregate is a number, a name or `( … )`; found {found}",
        why="The terms of an aggregate follow its count in parentheses, so a count that is more than one word could not "
        "be told from them. Its own parentheses end it.",
        help="put the count in parentheses",
        wrong="""let n = sum j in -1 + 3 (j);
               //^
run { horizon 10; }
""",
        right="""let n = sum j in (-1 + 3) (j);
run { horizon 10; }
""",
        spec="01 §2.7",
    ),
    Entry(
        code="SQ0122",
        name="admission-expected",
        severity=Severity.ERROR,
        message="`at` in a hold is followed by `admission`, found {found}",
        why="The bindings of a hold are read at one moment, when the pools admit it, and the two words say so. No other "
        "moment can be named there.",
        help="write `at admission (…)`",
        wrong="""pool kv { cap 10; }
stage svc : fifo;
session { hold kv (h) at (h = 1) { run svc (1); } end; }
                       //^
run { horizon 10; }
""",
        right="""pool kv { cap 10; }
stage svc : fifo;
session { hold kv (h) at admission (h = 1) { run svc (1); } end; }
run { horizon 10; }
""",
        spec="01 §2.5",
    ),
    Entry(
        code="SQ0123",
        name="engine-without-cost",
        severity=Severity.ERROR,
        message="this step engine has no `cost`",
        why="The cost is the time of one iteration. It has no default, because an engine that takes no time would serve "
        "everything at once.",
        help="say how long an iteration takes: `cost EXPRESSION;`",
        wrong="""stage e : step { budget 8; }
        //^^^^
run { horizon 10; }
""",
        right="""stage e : step { cost 1; budget 8; }
run { horizon 10; }
""",
        spec="01 §2.3",
    ),
    Entry(
        code="SQ0124",
        name="second-iteration-body",
        severity=Severity.ERROR,
        message="a second `iteration` of this engine",
        why="The body is run once per iteration from its first statement to its last. Two bodies would leave open which "
        "comes first and which of them sees the budget.",
        help="put the statements into one body",
        wrong="""stage e : step { cost 1; iteration { serve; } iteration { admit; } }
                                            //^^^^^^^^^
run { horizon 10; }
""",
        right="""stage e : step { cost 1; iteration { serve; admit; } }
run { horizon 10; }
""",
        spec="01 §2.3",
    ),
    Entry(
        code="SQ0125",
        name="second-serve-clause",
        severity=Severity.ERROR,
        message="a second `serve` of this engine",
        why="One order ranks the residents of an engine. Most options may be given again and the last one counts; for "
        "the order that would silently undo a decision.",
        help="keep one of them, or put both keys into one `serve by (…)`",
        wrong="""stage e : step { cost 1; serve admission; serve by (remaining); }
                                        //^^^^^
run { horizon 10; }
""",
        right="""stage e : step { cost 1; serve by (remaining); }
run { horizon 10; }
""",
        spec="01 §2.3",
    ),
    Entry(
        code="SQ0161",
        name="transfer-without-pools",
        severity=Severity.ERROR,
        message="this transfer does not say from which pool to which",
        why="A transfer moves units: it takes time on the link, adds units to the hold on one pool and gives up those in "
        "the other. All three belong to it, also where only the time seems to matter.",
        help="write `transfer W from P to Q (n);`, or `run STAGE (W);` when only time passes",
        wrong="""stage link : fifo;
session { transfer 1; end; }
        //^^^^^^^^
run { horizon 10; }
""",
        right="""stage link : fifo;
session { run link (1); end; }
run { horizon 10; }
""",
        spec="01 §4.2",
    ),
    Entry(
        code="SQ0162",
        name="transfer-growing",
        severity=Severity.ERROR,
        message="a transfer does not grow a pool",
        why="`growing` takes units while work proceeds, one per token. A transfer brings its units in one piece at its "
        "end, the number in parentheses, so there is nothing that could grow.",
        help="delete `growing …`",
        wrong="""stage link : fifo;
pool kv { cap 10; }
pool kd { cap 10; }
session { hold kv (1), kd (1) { transfer (1) growing kd from kv to kd (1); } end; }
                                           //^^^^^^^^^^
run { horizon 10; }
""",
        right="""stage link : fifo;
pool kv { cap 10; }
pool kd { cap 10; }
session { hold kv (1), kd (1) { transfer (1) from kv to kd (1); } end; }
run { horizon 10; }
""",
        spec="01 §2.5",
    ),
    Entry(
        code="SQ0164",
        name="run-without-stage",
        severity=Severity.ERROR,
        message="this `run` names no stage",
        why="Work is done somewhere. Only in an entry of a queue the place is clear without a name: the queue's own "
        "stage. A session or a server has no stage of its own.",
        help="write `run STAGE (…);`",
        wrong="""stage svc : fifo;
session { run (1); end; }
            //^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { run svc (1); end; }
run { horizon 10; }
""",
        spec="01 §2.5",
    ),
)
