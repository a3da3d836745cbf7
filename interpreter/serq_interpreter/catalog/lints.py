"""Catalogue entries of our own lints (SQ10xx), which the language accepts; long because it is a table."""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ1001",
        name="join-inside-a-hold",
        severity=Severity.WARNING,
        message="`join` waits inside a hold on `{pool}`: the units stay taken until the slowest leg has ended",
        why="While the session stands at the `join` it computes nothing, and nobody else can have what it holds. With "
        "a finite pool such waiting is the first half of a deadlock: a leg, or another session, that needs the units "
        "waits for a session that waits.",
        help="`join;` before the hold begins or after it has ended",
        wrong="""pool kv { cap 100; }
stage svc : fifo;
session {
  fork { run svc (1); }
  hold kv (8) { run svc (1); join; }
                           //^^^^^
  observe t = now;
  end;
}
run { horizon 10; }
""",
        right="""pool kv { cap 100; }
stage svc : fifo;
session {
  fork { run svc (1); }
  hold kv (8) { run svc (1); }
  join;
  observe t = now;
  end;
}
run { horizon 10; }
""",
        spec="seed §4",
    ),
    Entry(
        code="SQ1002",
        name="hold-and-wait",
        severity=Severity.WARNING,
        message="`join` waits for a leg that takes `{pool}`, and the session holds `{pool}` meanwhile",
        why="The leg queues for units of a finite pool while the session that waits for it keeps some of them. When "
        "enough sessions stand at this point the pool is full of waiting sessions, no leg is admitted, and the run "
        "stops without an end (SQ0914).",
        help="`join;` outside the hold, or let the leg work in a pool of its own",
        wrong="""pool kv { cap 100; }
stage svc : fifo;
session {
  fork { hold kv (8) { run svc (1); } }
  hold kv (8) { run svc (1); join; }
                           //^^^^^
  observe t = now;
  end;
}
run { horizon 10; }
""",
        right="""pool kv { cap 100; }
stage svc : fifo;
session {
  fork { hold kv (8) { run svc (1); } }
  hold kv (8) { run svc (1); }
  join;
  observe t = now;
  end;
}
run { horizon 10; }
""",
        spec="seed §4",
    ),
    Entry(
        code="SQ1003",
        name="unused-pool",
        severity=Severity.WARNING,
        message="pool `{name}` is never used",
        why="No hold takes from it, no expression asks about it and no option names it, so it stays empty for the whole "
        "run. A deployment description with a memory that nobody uses describes another deployment.",
        help="hold it, or delete it",
        wrong="""pool kv { cap 100; }
pool spare { cap 100; }
   //^^^^^
stage svc : fifo;
session { hold kv (8) { run svc (1); } observe t = now; end; }
run { horizon 10; }
""",
        right="""pool kv { cap 100; }
stage svc : fifo;
session { hold kv (8) { run svc (1); } observe t = now; end; }
run { horizon 10; }
""",
        spec="02 §2",
    ),
    Entry(
        code="SQ1004",
        name="unused-stage",
        severity=Severity.WARNING,
        message="stage `{name}` is never used",
        why="Nothing runs there, neither by name nor by a serving form that would find it, so no time is ever spent on "
        "it. Often two stages have similar names and the wrong one is run.",
        help="run something on it, or delete it",
        wrong="""stage svc : fifo;
stage svc2 : fifo;
    //^^^^
session { run svc (1); observe t = now; end; }
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { run svc (1); observe t = now; end; }
run { horizon 10; }
""",
        spec="02 §2",
    ),
    Entry(
        code="SQ1005",
        name="unused-constant",
        severity=Severity.WARNING,
        message="constant `{name}` is never read",
        why="A constant acts only through the expressions that read it. Changing this one, also from the command line "
        "with `--set`, changes nothing.",
        help="read it, or delete it",
        wrong="""let mean_work = 2;
  //^^^^^^^^^
stage svc : fifo;
session { run svc (2); observe t = now; end; }
run { horizon 10; }
""",
        right="""let mean_work = 2;
stage svc : fifo;
session { run svc (mean_work); observe t = now; end; }
run { horizon 10; }
""",
        spec="02 §2",
    ),
    Entry(
        code="SQ1006",
        name="unused-definition",
        severity=Severity.WARNING,
        message="definition `{name}` is never used",
        why="A definition is text that its uses are replaced by. Without a use its body is not even checked.",
        help="use it, move it to a library, or delete it",
        wrong="""def twice(x) = 2 * x;
  //^^^^^
stage svc : fifo;
session { run svc (2); observe t = now; end; }
run { horizon 10; }
""",
        right="""def twice(x) = 2 * x;
stage svc : fifo;
session { run svc (twice(1)); observe t = now; end; }
run { horizon 10; }
""",
        spec="02 §13",
    ),
    Entry(
        code="SQ1007",
        name="unused-queue",
        severity=Severity.WARNING,
        message="queue `{name}` is never called",
        why="A station works only through calls of its entries. Nothing calls one here, so its pools and its engine are "
        "idle for the whole run.",
        help="call one of its entries, or delete the queue",
        wrong="""stage svc : delay;
queue pre : prefill { serve step { cost 1; } prefill (n) { run (n); } }
    //^^^
session { run svc (2); observe t = now; end; }
run { horizon 10; }
""",
        right="""stage svc : delay;
queue pre : prefill { serve step { cost 1; } prefill (n) { prefill (n); } }
session { run svc (2); pre.prefill (4); observe t = now; end; }
run { horizon 10; }
""",
        spec="02 §14",
    ),
    Entry(
        code="SQ1008",
        name="constant-replaced",
        severity=Severity.WARNING,
        message="this `{name}` is replaced by a later `let` of the name",
        why="Several `let`s of one name are one constant, and everything that reads it sees the last value, also above "
        "that `let`. Only sizes and latencies, which are fixed while reading the text, see the value so far.",
        help="delete it, or give it a name of its own",
        wrong="""let w = 2;
  //^
stage svc : fifo;
let w = 3;
session { run svc (w); observe t = now; end; }
run { horizon 10; }
""",
        right="""stage svc : fifo;
let w = 3;
session { run svc (w); observe t = now; end; }
run { horizon 10; }
""",
        spec="02 §4",
    ),
    Entry(
        code="SQ1009",
        name="option-given-twice",
        severity=Severity.WARNING,
        message="this `{name}` is replaced by a later one",
        why="An option that is given again replaces the earlier one silently, and the earlier text has no effect. So do a "
        "second `init` and a second `turn`: the statements of the first are never executed.",
        help="keep one of the two",
        wrong="""pool kv {
  cap 100;
//^^^
  cap 200;
}
stage svc : fifo;
session { hold kv (8) { run svc (1); } observe t = now; end; }
run { horizon 10; }
""",
        right="""pool kv {
  cap 200;
}
stage svc : fifo;
session { hold kv (8) { run svc (1); } observe t = now; end; }
run { horizon 10; }
""",
        spec="02 §17",
    ),
    Entry(
        code="SQ1010",
        name="read-before-set",
        severity=Severity.WARNING,
        message="`{name}` is read before anything can have set it, so it is 0 here",
        why="An attribute exists as soon as a `set` anywhere in the program names it, and it is 0 until that has been "
        "executed. No way to this read passes one. An attribute of the `turn` block is set by `turn;`, not by the "
        "session's arrival.",
        help="move the `set` above the read, into `init`, or begin the turn before",
        wrong="""stage svc : fifo;
session { run svc (w); set w = 3; run svc (w); observe t = now; end; }
                 //^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { set w = 3; run svc (w); run svc (w); observe t = now; end; }
run { horizon 10; }
""",
        spec="02 §3",
    ),
    Entry(
        code="SQ1011",
        name="unreachable-statement",
        severity=Severity.WARNING,
        message="this is never reached: the `{word}` before it never goes on",
        why="`end;` ends the session, and a `loop` is left by `end;` only. Statements behind them are checked like others "
        "and never executed.",
        help="move it up, or delete it",
        wrong="""stage svc : fifo;
session { run svc (1); end; observe t = now; }
                          //^^^^^^^^^^^^^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { run svc (1); observe t = now; end; }
run { horizon 10; }
""",
        spec="02 §12",
    ),
    Entry(
        code="SQ1012",
        name="copy-of-a-hidden-attribute",
        severity=Severity.INFO,
        message="{part} reads `{name}`, whose value comes from hidden `{hidden}`",
        why="`hidden` works by name: a copy under another name is not hidden, and a scheduler that reads it knows the "
        "future all the same. The language accepts it, because the copy may be a lawful estimate.",
        help="read something that is known at that moment, or hide the copy too",
        wrong="""pool kv { cap 100; }
stage svc : fifo;
workload { arrive batch(2); hidden o; init { set o = ~uniform(1, 9); set need = o + 1; } }
session { hold kv (need) { run svc (o); } observe t = now; end; }
                 //^^^^
run { horizon 100; }
""",
        right="""pool kv { cap 100; }
stage svc : fifo;
workload { arrive batch(2); hidden o; init { set o = ~uniform(1, 9); set need = 10; } }
session { hold kv (need) { run svc (o); } observe t = now; end; }
run { horizon 100; }
""",
        spec="02 §7",
    ),
    Entry(
        code="SQ1013",
        name="admitted-by-no-engine",
        severity=Severity.WARNING,
        message="`admit via {stage}`: `{stage}` is a {kind} stage, and nothing ever admits the holds on `{name}`",
        why="With `admit via` a pool admits only inside the iterations of the named engine. A stage of another kind has "
        "none, so every hold on the pool waits for ever. The language accepts any stage.",
        help="name a step engine, or delete the option: the pool then admits by itself",
        wrong="""stage svc : fifo;
pool kv { cap 100; admit via svc; }
                           //^^^
session { hold kv (8) { run svc (1); } observe t = now; end; }
run { horizon 10; }
""",
        right="""stage svc : fifo;
pool kv { cap 100; }
session { hold kv (8) { run svc (1); } observe t = now; end; }
run { horizon 10; }
""",
        spec="02 §5",
    ),
    Entry(
        code="SQ1014",
        name="spill-into-one-member",
        severity=Severity.WARNING,
        message="`spill` of `{name}`: of the family `{family}` ({size} members) only the first takes part",
        why="`spill T via S` takes member 0 of both, whatever their sizes and whichever member spills. The others never "
        "see a spilled entry.",
        help="declare a single pool and a single stage for the spill",
        wrong="""pool host[2] { cap 1000; }
stage bus : fifo;
pool kv { cap 100; evict lru; spill host via bus (size) when (size > 4); }
                            //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
session { hold kv (8) { run bus (1); } cache (8) observe t = used(host[1]); end; }
run { horizon 10; }
""",
        right="""pool host { cap 1000; }
stage bus : fifo;
pool kv { cap 100; evict lru; spill host via bus (size) when (size > 4); }
session { hold kv (8) { run bus (1); } cache (8) observe t = used(host); end; }
run { horizon 10; }
""",
        spec="02 §5",
    ),
    Entry(
        code="SQ1015",
        name="fails-when-run",
        severity=Severity.WARNING,
        message="{part} is always {value}, and must be {wanted}: the run fails here ({code})",
        why="Before a run the language judges bare numbers only; an expression is judged when it is read. This one has "
        "the same value each time, so the first session that comes by fails the run.",
        help="correct the expression; for a probability write `branch with (p)`",
        wrong="""stage svc : fifo;
session { branch (1 / 2) { run svc (1); } observe t = now; end; }
                //^^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { branch with (1 / 2) { run svc (1); } observe t = now; end; }
run { horizon 10; }
""",
        spec="02 §17",
    ),
    Entry(
        code="SQ1016",
        name="nothing-measured",
        severity=Severity.HINT,
        message="the program observes, gauges and claims nothing",
        why="The report of such a run has what pools and stages record by themselves, and not a word about the time a "
        "session took.",
        help="`observe NAME = EXPR;` in the session, such as `observe latency = now - started;`",
        wrong="""stage svc : fifo;
  session { run svc (1); end; }
//^^^^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
  session { set started = now; run svc (1); observe latency = now - started; end; }
run { horizon 10; }
""",
        spec="07",
    ),
    Entry(
        code="SQ1017",
        name="no-warmup",
        severity=Severity.HINT,
        message="an open system is measured from its empty start: there is no `warmup`",
        why="Sessions that arrive in an empty system are served at once. Without a warm-up they count like the others, "
        "and means of waiting times come out too small.",
        help="add `warmup T;` with a time after which the system looks as it will",
        wrong="""stage svc : fifo;
workload { arrive poisson(1); }
session { run svc (~exp(0.5)); observe t = now; end; }
  run { horizon 1000; }
//^^^
""",
        right="""stage svc : fifo;
workload { arrive poisson(1); }
session { run svc (~exp(0.5)); observe t = now; end; }
  run { horizon 1000; warmup 100; }
""",
        spec="07",
    ),
    Entry(
        code="SQ1018",
        name="attribute-without-a-session",
        severity=Severity.WARNING,
        message="{part} reads `{name}`, but no session is meant there: the value is NaN",
        why="A budget, a cost, a shared capacity and the plan of an iteration are read once for all requests, and an "
        "attribute has a value for each of them. The language accepts the read and gives NaN, with which every "
        "comparison is 0.",
        help="read the batch (`tokens`, `residents`), a pool or stage, or a constant",
        wrong="""stage e : step { cost 1 + weight; }
                        //^^^^^^
session { set weight = 2; run e decode (4); observe t = now; end; }
run { horizon 100; }
""",
        right="""let weight = 2;
stage e : step { cost 1 + weight; }
session { run e decode (4); observe t = now; end; }
run { horizon 100; }
""",
        spec="05 §6.10",
    ),
    Entry(
        code="SQ1019",
        name="reserve-below-the-units",
        severity=Severity.WARNING,
        message="a `reserve` of {reserve} has no effect: the hold takes {units}",
        why="A hold waits until the larger of its units and its reserve fits. A reserve is there to wait for more than "
        "is taken at first, so one that is smaller never decides anything.",
        help="reserve more than the units, or delete the clause",
        wrong="""pool kv { cap 100; }
stage svc : fifo;
session { hold kv (8) reserve (4) { run svc (1); } observe t = now; end; }
                             //^
run { horizon 10; }
""",
        right="""pool kv { cap 100; }
stage svc : fifo;
session { hold kv (8) reserve (12) { run svc (1); } observe t = now; end; }
run { horizon 10; }
""",
        spec="04 §4",
    ),
    Entry(
        code="SQ1020",
        name="gate-closed-when-empty",
        severity=Severity.WARNING,
        message="`{name}` admits nobody while it is empty, so it never begins to serve the holds on `{pool}`",
        why="The gate of an `admit` is read before anyone is admitted. With an empty batch its counts are 0, and this "
        "gate is then 0 too; there is no other `admit` that could let the first one in.",
        help="let the gate be 1 for an empty batch: `tokens < …` bounds a batch without closing it",
        wrong="""stage e : step { cost 1; budget 8; iteration { serve; admit while (tokens > 0); } }
                                                                 //^^^^^^^^^^
pool kv { cap 100; admit via e; }
session { hold kv (8) { run e decode (4); } observe t = now; end; }
run { horizon 100; }
""",
        right="""stage e : step { cost 1; budget 8; iteration { serve; admit while (tokens < 8); } }
pool kv { cap 100; admit via e; }
session { hold kv (8) { run e decode (4); } observe t = now; end; }
run { horizon 100; }
""",
        spec="05 §6.12",
    ),
    Entry(
        code="SQ1021",
        name="spill-that-cannot-work",
        severity=Severity.WARNING,
        message="`{name}` {fault}",
        why="A spill moves evicted units to another tier through a stage that takes time. Into the pool itself it makes "
        "room by taking room and never ends; an engine serves requests in iterations and cannot carry a copy.",
        help="spill to another pool, through a `fifo`, `ps` or `delay` stage",
        wrong="""stage bus : fifo;
pool kv { cap 100; evict lru; spill kv via bus (size) when (size > 4); }
                            //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
session { hold kv (8) { run bus (1); } cache (8) observe t = now; end; }
run { horizon 10; }
""",
        right="""stage bus : fifo;
pool host { cap 1000; }
pool kv { cap 100; evict lru; spill host via bus (size) when (size > 4); }
session { hold kv (8) { run bus (1); } cache (8) observe t = now; end; }
run { horizon 10; }
""",
        spec="04 §10",
    ),
    Entry(
        code="SQ1090",
        name="unused-allow",
        severity=Severity.WARNING,
        message="`allow({word})` suppresses nothing on its line",
        why="A suppression that is no longer needed hides the next finding of that kind that appears on the line.",
        help="delete the comment",
        unshown="an `allow` comment would have to stand in the example that it is about",
        spec="frontend",
    ),
    Entry(
        code="SQ1091",
        name="allow-of-an-error",
        severity=Severity.WARNING,
        message="`allow({word})` has no effect: this is an error",
        why="Comments can silence warnings and our own lints. An error of the language cannot be silenced, because the "
        "program would not run all the same, nor can a run that got stuck be made to move by a comment.",
        help="correct the error, and delete the comment (`[thresholds]` in `serq.toml` says how many of a run's faults are "
        "tolerated)",
        unshown="the example would contain an error beside the comment",
        spec="frontend",
    ),
    Entry(
        code="SQ1092",
        name="library-body-does-not-parse",
        severity=Severity.WARNING,
        message="the body of `{name}` does not parse on its own: `{found}` does not fit here",
        why="A definition is replaced by its tokens, so its body is read only where it is used, and the language accepts "
        "a bad one that nobody uses. In a library the users are elsewhere: they would meet the error in their own "
        "program.",
        help="make the body a whole expression, or whole statements",
        wrong="""def twice(x) = 2 * * x;
                 //^
""",
        right="""def twice(x) = 2 * x;
""",
        spec="01 §3",
    ),
)
