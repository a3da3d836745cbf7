"""Catalogue entries of words that are no statement, option, kind or clause (SQ0112-SQ0119)."""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0112",
        name="unknown-statement",
        severity=Severity.ERROR,
        message="there is no statement {found}",
        why="The first word says which statement it is. This one is neither a word of the language nor a definition "
        "above this place; a definition can be used below its text only.",
        help="a statement begins with its word, such as `run`, `hold`, `set` or `branch`, or with a definition from above",
        wrong="""stage svc : fifo;
session {
  n = 2;
  run svc (n);
  end;
}
run { horizon 10; }
""",
        right="""stage svc : fifo;
session {
  set n = 2;
  run svc (n);
  end;
}
run { horizon 10; }
""",
        spec="01 §2.5",
    ),
    Entry(
        code="SQ0113",
        name="unknown-pool-option",
        severity=Severity.ERROR,
        message="a pool has no option {found}",
        why="What can be said about a pool is a closed list: its size and blocks, how it evicts, preempts and queues, "
        "who admits, and what it reserves or spills. Everything else about memory is said by the holds.",
        help="the options are `cap`, `block`, `evict`, `preempt`, `queue`, `admit via`, `reserve held` and `spill`",
        wrong="""pool kv { size 64; }
        //^^^^
run { horizon 10; }
""",
        right="""pool kv { cap 64; }
run { horizon 10; }
""",
        spec="01 §2.2",
    ),
    Entry(
        code="SQ0114",
        name="unknown-stage-kind",
        severity=Severity.ERROR,
        message="there is no stage kind {found}",
        why="The kind decides how the stage shares its time among the runs on it: in order, evenly, not at all, or in "
        "iterations of a batch. The language knows these four.",
        help="the kinds are `fifo`, `ps(CAPACITY)`, `delay` and `step { … }`",
        wrong="""stage svc : lifo;
          //^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
run { horizon 10; }
""",
        spec="01 §2.3",
    ),
    Entry(
        code="SQ0115",
        name="unknown-step-option",
        severity=Severity.ERROR,
        message="a step engine has no option {found}",
        why="An engine is described by what an iteration costs and what it serves. Speed, batch sizes and limits are "
        "expressions in `cost`, `budget` and `chunk`, not options of their own.",
        help="the options are `cost`, `budget`, `chunk`, `granule`, `serve`, `memory`, `state` and `iteration`",
        wrong="""stage e : step { cost 1; speed 2; }
                       //^^^^^
run { horizon 10; }
""",
        right="""stage e : step { cost 1 / 2; }
run { horizon 10; }
""",
        spec="01 §2.3",
    ),
    Entry(
        code="SQ0116",
        name="unknown-run-option",
        severity=Severity.ERROR,
        message="a run has no option {found}",
        why="A run block fixes how long is simulated, from when on is measured, with which seed and how many arrivals. "
        "How the simulator works (threads, output, files) is said on the command line.",
        help="the options are `horizon`, `warmup`, `seed` and `arrivals`",
        wrong="""run { horizon 10; threads 2; }
                //^^^^^^^
""",
        right="""run { horizon 10; }
""",
        spec="01 §2.1",
    ),
    Entry(
        code="SQ0117",
        name="unknown-serve-clause",
        severity=Severity.ERROR,
        message="`serve` of an engine is followed by an order, not by {found}",
        why="The engine's `serve` tells which residents an iteration takes first. `serve;` alone is a statement of an "
        "iteration's body, and a stage kind belongs after the colon of a stage or after `serve` in a queue.",
        help="write `serve admission`, `serve by (…)`, `serve decode first`, `serve exclusive prefill`, or "
        "`serve only (…)` before one of the first three",
        wrong="""stage e : step { cost 1; serve fifo; }
                             //^^^^
run { horizon 10; }
""",
        right="""stage e : step { cost 1; serve admission; }
run { horizon 10; }
""",
        spec="01 §2.3",
    ),
    Entry(
        code="SQ0118",
        name="unknown-iteration-statement",
        severity=Severity.ERROR,
        message="an iteration takes `serve`, `admit`, `branch` and `set`; found {found}",
        why="The body of an iteration is the scheduler's program, not a session's: it chooses residents and keeps "
        "registers. It takes no time, observes nothing and cannot use a definition.",
        help="write `serve;`, `admit;`, `set REGISTER = …;` or `branch (…) {{ … }}`; observing belongs in the session",
        wrong="""stage e : step { cost 1; iteration { observe n = tokens; serve; } }
                                   //^^^^^^^
run { horizon 10; }
""",
        right="""stage e : step { cost 1; iteration { serve; } }
run { horizon 10; }
""",
        spec="01 §2.3",
    ),
    Entry(
        code="SQ0119",
        name="unknown-claim-form",
        severity=Severity.ERROR,
        message="a claim does not start with {found}",
        why="A claim says when its condition is looked at: at the iterations of one engine, in all of them or in one, or "
        "once when the run is over. There is no claim over every instant.",
        help="write `every iteration of STAGE (…)`, `some iteration of STAGE (…)` or `at end (…)`",
        wrong="""stage svc : fifo;
claim short : always (1 < 2);
            //^^^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
claim short : at end (1 < 2);
run { horizon 10; }
""",
        spec="01 §2.1",
    ),
)
