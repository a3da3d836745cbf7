"""Catalogue entries of run-time errors (SQ09xx); long because it is a table.

Their messages come from the machine, which knows the values; the templates here are what a page shows.
"""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity


def _run_error(code: str, name: str, message: str, why: str, help: str, wrong: str, right: str, spec: str) -> Entry:
    return Entry(code, name, Severity.ERROR, message, why, help, wrong, right, spec=spec)


_TRACE = "it needs a trace file beside the program"

ENTRIES: tuple[Entry, ...] = (
    _run_error(
        "SQ0901",
        "guard-not-truth-value",
        "a guard came to something else than 0 or 1",
        "A branch takes its first arm on 1 and its second on 0. Any other value, NaN included, says that the "
        "expression is not the test it was meant to be, so the run stops instead of guessing.",
        "compare: `branch (x > 0) { … }`; for a probability write `branch with (p) { … }`",
        """stage svc : fifo;
workload { arrive batch(1); init { set x = 3; } }
session { branch (x - 1) { run svc (1); } end; }
                //^^^^^
run { horizon 10; }
""",
        """stage svc : fifo;
workload { arrive batch(1); init { set x = 3; } }
session { branch (x > 1) { run svc (1); } end; }
run { horizon 10; }
""",
        "02 §10",
    ),
    _run_error(
        "SQ0902",
        "amount-not-an-amount",
        "an amount came to a negative number or NaN",
        "Work, units, reserves and growth are amounts: time cannot run backwards and a pool cannot lend less than "
        "nothing. A difference that can fall below 0 is the usual cause.",
        "keep it at 0 or above: `max(0, x - 2)`",
        """stage svc : fifo;
pool kv { cap 10; }
workload { arrive batch(1); init { set x = 1; } }
session { hold kv (1) { grow kv (x - 2); run svc (1); } end; }
                               //^^^^^
run { horizon 10; }
""",
        """stage svc : fifo;
pool kv { cap 10; }
workload { arrive batch(1); init { set x = 1; } }
session { hold kv (1) { grow kv (max(0, x - 2)); run svc (1); } end; }
run { horizon 10; }
""",
        "04 §3",
    ),
    _run_error(
        "SQ0903",
        "index-names-no-member",
        "an index came to no member of its family",
        "A family of n members has the whole numbers 0 to n - 1 as indices. An index that is computed can only be "
        "checked when it is read.",
        "bring it into range, or choose a member: `choose j in N by (queue(s[j]));`",
        """stage svc : fifo;
pool kv[2] { cap 8; }
workload { arrive batch(1); }
session { set i = 1; hold kv[i + 1] (1) { run svc (1); } end; }
                           //^^^^^
run { horizon 10; }
""",
        """stage svc : fifo;
pool kv[2] { cap 8; }
workload { arrive batch(1); }
session { set i = 1; hold kv[i] (1) { run svc (1); } end; }
run { horizon 10; }
""",
        "02 §5",
    ),
    _run_error(
        "SQ0904",
        "hold-names-one-member-twice",
        "two references of a hold came to the same member",
        "A hold has one allocation in each of its pools. Two indices that are written differently may still be equal "
        "in a run, and then the second take would have no allocation of its own.",
        "take both amounts in one reference when the indices are equal",
        """stage svc : fifo;
pool kv[2] { cap 40; }
workload { arrive batch(1); }
session { set i = 1; hold kv[i] (1), kv[i + 0] (1) { run svc (1); } end; }
                                   //^^^^^^^^^
run { horizon 10; }
""",
        """stage svc : fifo;
pool kv[2] { cap 40; }
workload { arrive batch(1); }
session { set i = 1; hold kv[i] (1), kv[1 - i] (1) { run svc (1); } end; }
run { horizon 10; }
""",
        "04 §3",
    ),
    _run_error(
        "SQ0905",
        "change-after-release",
        "a statement grows or loads a pool that its hold has already released",
        "`release` gives the hold's units back before the hold ends. What follows in the body has no allocation in "
        "that pool any more that could grow.",
        "move the `release` below, or take the pool again in a hold of its own",
        """stage svc : fifo;
pool kv { cap 100; }
workload { arrive batch(1); }
session { hold kv (1) { release kv; grow kv (2); run svc (1); } end; }
                                  //^^^^^^^^^^^^
run { horizon 10; }
""",
        """stage svc : fifo;
pool kv { cap 100; }
workload { arrive batch(1); }
session { hold kv (1) { grow kv (2); release kv; run svc (1); } end; }
run { horizon 10; }
""",
        "04 §9",
    ),
    _run_error(
        "SQ0906",
        "load-beyond-allocation",
        "a `load` needs more units than its hold has",
        "`load` fills units that the hold already owns; unlike `grow` it takes no new ones. What does not fit was "
        "never allocated.",
        "take enough in the hold's header, or `grow` first",
        """pool kv { cap 20; }
stage think : delay;
workload { arrive batch(1); }
session { set n = 7; hold kv (6) { load kv (n); run think (1); } cache (6) }
                                 //^^^^^^^^^^^^
run { horizon 20; }
""",
        """pool kv { cap 20; }
stage think : delay;
workload { arrive batch(1); }
session { set n = 7; hold kv (n) { load kv (n); run think (1); } cache (6) }
run { horizon 20; }
""",
        "04 §10",
    ),
    _run_error(
        "SQ0907",
        "choose-count-not-a-count",
        "the count of a `choose` came to something else than a whole number of candidates",
        "`choose j in n by (…)` tries the candidates 0 to n - 1; a fraction, a negative number or infinity is no "
        "number of candidates.",
        "round it: `floor(n)`",
        """stage svc : fifo;
workload { arrive batch(1); init { set x = 1; } }
session { choose j in x / 2 by (j); run svc (1); end; }
                    //^^^^^
run { horizon 10; }
""",
        """stage svc : fifo;
workload { arrive batch(1); init { set x = 1; } }
session { choose j in ceil(x / 2) by (j); run svc (1); end; }
run { horizon 10; }
""",
        "02 §10",
    ),
    _run_error(
        "SQ0908",
        "iteration-test-not-truth-value",
        "a test of an iteration body came to something else than 0 or 1",
        "`only`, `while` and a branch of an iteration decide for each iteration; their values are 0 or 1 as those of a "
        "session's guards are.",
        "compare: `while (residents < 8)`",
        """stage e : step { cost 1; iteration { serve; admit while (residents / 2); } }
                                                       //^^^^^^^^^^^^^
workload { arrive batch(1); }
session { run e prefill (1); end; }
run { horizon 10; }
""",
        """stage e : step { cost 1; iteration { serve; admit while (residents < 2); } }
workload { arrive batch(1); }
session { run e prefill (1); end; }
run { horizon 10; }
""",
        "05 §7",
    ),
    _run_error(
        "SQ0909",
        "register-not-finite",
        "a register was set to infinity or NaN",
        "A register is an engine's memory from one iteration to the next. A value that is not finite would never "
        "change back, and every later iteration would read it.",
        "guard the division, or bound the value with `min`",
        """stage e : step { cost 1; state k = 0; iteration { serve; set k = 1 / 0; } }
                                                       //^^^^^^^^^^^^^^
workload { arrive batch(1); }
session { run e prefill (1); end; }
run { horizon 10; }
""",
        """stage e : step { cost 1; state k = 0; iteration { serve; set k = 1 / max(1, residents); } }
workload { arrive batch(1); }
session { run e prefill (1); end; }
run { horizon 10; }
""",
        "05 §7",
    ),
    _run_error(
        "SQ0910",
        "instant-does-not-settle",
        "one instant does not end: a session was ready more than 1000 times at the same time",
        "Time moves only when everything at an instant is done. A loop whose statements all take no time, because "
        "their work is 0 or too small to move the clock, never lets it move.",
        "give some statement of the loop work that takes time",
        """stage think : delay;
workload { arrive batch(1); init { set w = 0 * 3; } }
session { run think (1); loop { run think (w); } }
                       //^^^^^^^^^^^^^^^^^^^^^^^
run { horizon 5; }
""",
        """stage think : delay;
workload { arrive batch(1); init { set w = 3; } }
session { run think (1); loop { run think (w); } }
run { horizon 5; }
""",
        "05 §12",
    ),
    _run_error(
        "SQ0911",
        "iteration-costs-nothing",
        "an iteration that serves tokens costs no time",
        "An engine starts its next iteration when the last one ends. One that takes no time (a negative or NaN cost "
        "counts as 0) would start the next at once, for ever.",
        "add what every iteration costs: `cost 0.001 + …`",
        """stage e : step { cost 0 * tokens; }
                    //^^^^^^^^^^
workload { arrive batch(1); }
session { run e prefill (1); end; }
run { horizon 10; }
""",
        """stage e : step { cost 0.001 * tokens; }
workload { arrive batch(1); }
session { run e prefill (1); end; }
run { horizon 10; }
""",
        "05 §6",
    ),
    _run_error(
        "SQ0912",
        "arrival-gap-not-positive",
        "a gap between arrivals came to 0, a negative number, infinity or NaN",
        "`arrive renewal(e)` draws the time to the next arrival. A gap of 0 puts all arrivals into one instant, and an "
        "infinite one ends them; both are other arrival laws.",
        "keep the gap above 0, or write `arrive batch(n)` for sessions that come at once",
        """stage svc : fifo;
workload { arrive renewal(~det(0)); }
                        //^^^^^^^
session { run svc (1); end; }
run { horizon 10; }
""",
        """stage svc : fifo;
workload { arrive renewal(~det(2)); }
session { run svc (1); end; }
run { horizon 10; }
""",
        "06 §5",
    ),
    _run_error(
        "SQ0913",
        "ends-while-a-leg-runs",
        "a session ends while one of its legs still runs",
        "A leg works for its session: with the session's attributes and in its name. `join` waits for the legs; "
        "a session that ends first would leave them without anybody.",
        "put `join;` before the session ends",
        """stage think : delay;
workload { arrive batch(1); }
session { fork { run think (3); } run think (1); branch (serial > 5) { join; } end; }
                                                                             //^^^^
run { horizon 20; }
""",
        """stage think : delay;
workload { arrive batch(1); }
session { fork { run think (3); } run think (1); join; end; }
run { horizon 20; }
""",
        "04 §14",
    ),
    _run_error(
        "SQ0914",
        "sessions-wait-for-each-other",
        "the run ended with sessions and legs that wait for each other",
        "A session at `join` waits for its legs while it holds units that a leg needs. Neither can move, so the rest "
        "of the run would measure nothing.",
        "move the `join` behind the hold, or let the leg take its units elsewhere",
        """pool kv { cap 5; }
stage think : delay;
workload { arrive batch(1); }
session { hold kv (5) { fork { hold kv (1) { run think (1); } } join; } }
                                                              //^^^^^
run { horizon 20; }
""",
        """pool kv { cap 5; }
stage think : delay;
workload { arrive batch(1); }
session { fork { hold kv (1) { run think (1); } } hold kv (4) { run think (1); } join; }
run { horizon 20; }
""",
        "04 §14",
    ),
    _run_error(
        "SQ0915",
        "horizon-before-last-arrival",
        "the horizon comes before the last of the requested arrivals",
        "`arrivals N` asks for a finite run with N sessions. A horizon that ends earlier would report fewer sessions "
        "than were asked for.",
        "raise the horizon, or ask for fewer arrivals",
        """stage svc : fifo;
workload { arrive renewal(1); }
session { run svc (1); end; }
run { horizon 10; arrivals 20; }
                         //^^
""",
        """stage svc : fifo;
workload { arrive renewal(1); }
session { run svc (1); end; }
run { horizon 100; arrivals 20; }
""",
        "06 §6",
    ),
    _run_error(
        "SQ0916",
        "horizon-before-last-end",
        "the horizon comes before the last session ends",
        "A run with `arrivals N` is measured until its last session has ended. Sessions cut off at the horizon would "
        "be missing from the averages, the long ones first.",
        "raise the horizon; when it does not help, sessions are stuck: look at the queues in the report",
        """stage svc : fifo;
workload { arrive renewal(1); }
session { run svc (100); end; }
run { horizon 10; arrivals 2; }
            //^^
""",
        """stage svc : fifo;
workload { arrive renewal(1); }
session { run svc (100); end; }
run { horizon 1000; arrivals 2; }
""",
        "06 §6",
    ),
    _run_error(
        "SQ0917",
        "nothing-after-the-warm-up",
        "the run was over at or before the warm-up ended",
        "Statistics count from the warm-up on. A finite run that is already drained by then has nothing to report.",
        "lower the warm-up, or ask for more arrivals",
        """stage svc : fifo;
workload { arrive renewal(1); }
session { run svc (1); end; }
run { horizon 100; arrivals 2; warmup 50; }
                                    //^^
""",
        """stage svc : fifo;
workload { arrive renewal(1); }
session { run svc (1); end; }
run { horizon 100; arrivals 2; warmup 0; }
""",
        "06 §6",
    ),
    Entry(
        "SQ0918",
        "trace-cannot-be-read",
        Severity.ERROR,
        "the trace cannot be read",
        "A trace is read when the run starts, relative to the program's file. Without it there are no sessions to "
        "replay.",
        "correct the path, or give another file with `--trace`",
        unshown=_TRACE,
        spec="06 §9",
    ),
    Entry(
        "SQ0919",
        "trace-row-malformed",
        Severity.ERROR,
        "a row of the trace is malformed, or there is none",
        "Each row of a trace is one turn of one session, with the columns of the header. A value that is missing or no "
        "number would silently change the workload.",
        "correct the row that the note points at",
        unshown=_TRACE,
        spec="06 §9",
    ),
    _run_error(
        "SQ0921",
        "ends-before-joining",
        "a session ends that has not joined its children",
        "A session answers for the children it has spawned: whoever reads its results takes theirs to be in them. One "
        "that ends without `join NAME`, whether the children still run or not, has lost sight of them.",
        "put `join NAME;` before the session ends, on every way to its end",
        """// serq: edition v4b
stage think : delay;
workload { arrive batch(1); }
session {
  branch (depth == 0) {
    spawn (2) into kids { set work = 3; }
    branch (work > 5) { join kids; }
  }
  run think (work + 1);
  end;
//^^^^
}
run { horizon 20; }
""",
        """// serq: edition v4b
stage think : delay;
workload { arrive batch(1); }
session {
  branch (depth == 0) {
    spawn (2) into kids { set work = 3; }
    join kids;
  }
  run think (work + 1);
  end;
}
run { horizon 20; }
""",
        "seed §7",
    ),
    _run_error(
        "SQ0922",
        "no-number-of-children",
        "a `spawn` asked for something else than a number of children",
        "Children are counted: 0, 1, 2 and so on. A count that is negative, broken, infinite or NaN names no number of "
        "sessions, and rounding it would hide that the expression is not the one that was meant.",
        "round it, `spawn (floor(x)) into …`, or keep it from falling below 0 with `max(x, 0)`",
        """// serq: edition v4b
stage think : delay;
workload { arrive batch(1); init { set n = 3; } }
session {
  branch (depth == 0) {
    spawn (n / 2) into kids { set work = 1; }
         //^^^^^
    join kids;
  }
  run think (work + 1);
  end;
}
run { horizon 20; }
""",
        """// serq: edition v4b
stage think : delay;
workload { arrive batch(1); init { set n = 3; } }
session {
  branch (depth == 0) {
    spawn (floor(n / 2)) into kids { set work = 1; }
    join kids;
  }
  run think (work + 1);
  end;
}
run { horizon 20; }
""",
        "seed §7",
    ),
    Entry(
        "SQ0990",
        "too-many-live-sessions",
        Severity.ERROR,
        "more sessions and legs are live than a run may have",
        "Sessions or forked legs come faster than they end, so their number grows without bound. Rather than fill the "
        "memory, a run stops at two million of them and reports what it has measured.",
        "bring them more slowly, make the stages faster, or shorten the horizon; `join` legs that a loop forks",
        unshown="an example would have to run until two million sessions are live",
        spec="machine",
    ),
)
