"""Catalogue entries of constants, run settings and overrides (SQ08xx); long because it is a table."""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity

_OVERRIDE = "overrides are arguments of the run and stand in no program text"

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0801",
        name="not-a-constant",
        severity=Severity.ERROR,
        message="`{name}` is no constant declared above",
        why="This number is computed before anything runs, from literals and from the `let`s above it. Attributes, "
        "registers, pools and the clock do not exist yet, and a `let` further down has no value yet.",
        help="declare it above with `let {name} = …;`",
        wrong="""let total0 = members * 2;
           //^^^^^^^
let members = 4;
run { horizon 10; }
""",
        right="""let members = 4;
let total0 = members * 2;
run { horizon 10; }
""",
        spec="02 §4",
    ),
    Entry(
        code="SQ0802",
        name="not-a-constant-function",
        severity=Severity.ERROR,
        message="`{name}` with {given} argument(s) is no arithmetic function",
        why="A constant expression has the nine pure functions `min max abs floor ceil sqrt exp ln pow`, each with its "
        "own number of arguments, and definitions that come to that. What looks at a pool or a stage cannot be "
        "computed before the run.",
        help="the functions of numbers are `min`, `max`, `pow`, `abs`, `floor`, `ceil`, `sqrt`, `exp` and `ln`",
        wrong="""let half = round(2.5);
         //^^^^^
run { horizon 10; }
""",
        right="""let half = floor(2.5);
run { horizon 10; }
""",
        spec="02 §4",
    ),
    Entry(
        code="SQ0803",
        name="blocksize-in-a-constant",
        severity=Severity.ERROR,
        message="`blocksize` cannot be read in a constant",
        why="Constants are folded before the pools, because a pool's `cap` and `block` are constants themselves: a "
        "`blocksize` in one could stand in the block it asks for.",
        help="name the number with a `let` that the pool's `block` and this constant both read",
        wrong="""pool kv { cap 64; block 16; }
let page = blocksize(kv);
         //^^^^^^^^^^^^^
run { horizon 10; }
""",
        right="""let page = 16;
pool kv { cap 64; block page; }
run { horizon 10; }
""",
        spec="02 §4",
    ),
    Entry(
        code="SQ0804",
        name="draw-in-a-constant",
        severity=Severity.ERROR,
        message="a constant cannot draw from `~{name}`",
        why="A constant is one number, the same in every run of the program and at every place that reads it. A draw "
        "is a new number each time, also `~det`.",
        help="draw in the session: `set v = ~{name}(…);`",
        wrong="""let mean = ~exp(4);
         //^^^^^^^
run { horizon 10; }
""",
        right="""let mean = 4;
run { horizon 10; }
""",
        spec="02 §4",
    ),
    Entry(
        code="SQ0805",
        name="constant-is-nan",
        severity=Severity.ERROR,
        message="{what} is not a number",
        why="`0/0`, `inf - inf`, `0 * inf` and the root of a negative number have no value. Comparisons with such a "
        "result are all false, so whatever read it would go one way silently.",
        help="a constant is a finite number, `inf` or `-inf`",
        wrong="""let share0 = inf - inf;
           //^^^^^^^^^
run { horizon 10; }
""",
        right="""let share0 = inf;
run { horizon 10; }
""",
        spec="02 §4",
    ),
    Entry(
        code="SQ0806",
        name="size-not-whole",
        severity=Severity.ERROR,
        message="the size of {what} must be a whole number from 1 on, known from the constants above",
        why="Each member is a pool or stage of its own, created before the run. Half a member, none, or a number that "
        "is only known further down or during the run cannot be created.",
        help="write a whole number, or a constant declared above",
        wrong="""stage worker[2.5] : fifo;
           //^^^
run { horizon 10; }
""",
        right="""stage worker[3] : fifo;
run { horizon 10; }
""",
        spec="02 §4",
    ),
    Entry(
        code="SQ0807",
        name="size-too-large",
        severity=Severity.ERROR,
        message="the size of {what} is {value}: a family has at most {limit} members",
        why="Every member costs memory and a line in the report, whether a session uses it or not; the language sets "
        "the limit at 10 000.",
        help="use fewer members, or a stage with several servers: `fifo(N)`",
        wrong="""stage worker[20000] : fifo;
           //^^^^^
run { horizon 10; }
""",
        right="""stage worker : fifo(20000);
run { horizon 10; }
""",
        spec="02 §4",
    ),
    Entry(
        code="SQ0808",
        name="population-out-of-range",
        severity=Severity.ERROR,
        message="`arrive {form}` with {value} sessions: it takes a whole number from 1 to {limit}",
        why="The sessions of a batch or a closed population all exist at the start of the run. There is at least one, "
        "none is a fraction, and a million is the most that a run holds.",
        help="write a whole number of sessions",
        wrong="""workload { arrive batch(0.5); }
                      //^^^
run { horizon 10; }
""",
        right="""workload { arrive batch(1); }
run { horizon 10; }
""",
        spec="02 §4",
    ),
    Entry(
        code="SQ0809",
        name="rate-not-positive",
        severity=Severity.ERROR,
        message="the rate of the arrivals is {value}: it must be positive and finite",
        why="The gaps of a Poisson process are drawn with mean 1/rate. A rate of 0 has no next arrival, and an "
        "infinite one has all of them at once.",
        help="for no arrivals at all write `arrive none;`",
        wrong="""workload { arrive poisson(0); }
                        //^
run { horizon 10; }
""",
        right="""workload { arrive poisson(0.5); }
run { horizon 10; }
""",
        spec="02 §4",
    ),
    Entry(
        code="SQ0810",
        name="gap-not-positive",
        severity=Severity.ERROR,
        message="the gap between arrivals is {value}: it must be positive and finite",
        why="A renewal process adds gap after gap. This gap draws nothing, so it is the same every time: at 0 the "
        "clock would stand still, below 0 go back, and after an infinite one nothing would come.",
        help="write the time between two arrivals",
        wrong="""workload { arrive renewal(0); }
                        //^
run { horizon 10; }
""",
        right="""workload { arrive renewal(2); }
run { horizon 10; }
""",
        spec="02 §4",
    ),
    Entry(
        code="SQ0811",
        name="no-horizon",
        severity=Severity.ERROR,
        message="the program has no horizon",
        why="A run ends at its horizon; sessions may go on arriving for ever, so without one the run would not end. "
        "It has no default.",
        help="add `run {{ horizon 1000; }}`",
        wrong="""stage svc : fifo;
  run { }
//^^^
""",
        right="""stage svc : fifo;
  run { horizon 1000; }
""",
        spec="02 §4",
    ),
    Entry(
        code="SQ0812",
        name="warmup-not-below-horizon",
        severity=Severity.ERROR,
        message="the warm-up {warmup} is not below the horizon {horizon}",
        why="What happens before the end of the warm-up is not counted. When it lasts as long as the run, nothing is "
        "left to report.",
        help="make the horizon longer or the warm-up shorter",
        wrong="""run { horizon 100; warmup 100; }
                        //^^^
""",
        right="""run { horizon 100; warmup 20; }
""",
        spec="02 §4",
    ),
    Entry(
        code="SQ0813",
        name="run-time-out-of-range",
        severity=Severity.ERROR,
        message="{what} is {value}: the warm-up is at least 0 and the horizon finite",
        why="The clock starts at 0, so a warm-up cannot end before it, and a run stops at its horizon, so an infinite "
        "one would never stop.",
        help="write a finite time from 0 on",
        wrong="""run { horizon inf; }
            //^^^
""",
        right="""run { horizon 1e6; }
""",
        spec="02 §4",
    ),
    Entry(
        code="SQ0814",
        name="seed-out-of-range",
        severity=Severity.ERROR,
        message="the seed is {value}: it must be a whole number from 0 to 2^53",
        why="The seed starts the generators of all random numbers and is an integer there. Up to 2^53 every whole "
        "number can be written exactly.",
        help="write a whole number",
        wrong="""run { horizon 10; seed 1.5; }
                     //^^^
""",
        right="""run { horizon 10; seed 15; }
""",
        spec="02 §4",
    ),
    Entry(
        code="SQ0815",
        name="arrivals-out-of-range",
        severity=Severity.ERROR,
        message="the number of arrivals is {value}: it must be a whole number from 1 to 2^53",
        why="`arrivals` ends the run after so many sessions have come and gone. It counts sessions, so it is whole, and "
        "a run of none measures nothing.",
        help="write a whole number, or leave the option out",
        wrong="""workload { arrive poisson(1); }
run { horizon 100; arrivals 0; }
                          //^
""",
        right="""workload { arrive poisson(1); }
run { horizon 100; arrivals 50; }
""",
        spec="02 §4",
    ),
    Entry(
        code="SQ0816",
        name="arrivals-of-a-closed-law",
        severity=Severity.ERROR,
        message="`arrivals` with `arrive {form}`: only poisson and renewal arrivals can be counted off",
        why="The option cuts a stream of arrivals that would go on for ever. A batch and a closed population have "
        "their number already, and without a law nobody arrives.",
        help="delete the option, or write `arrive poisson(…)` or `arrive renewal(…)`",
        wrong="""workload { arrive batch(4); }
run { horizon 100; arrivals 4; }
                 //^^^^^^^^^^^
""",
        right="""workload { arrive batch(4); }
run { horizon 100; }
""",
        spec="02 §4",
    ),
    Entry(
        code="SQ0817",
        name="aggregate-count-not-whole",
        severity=Severity.ERROR,
        message="`{op} {index} in` {value} terms: the count must be a whole number from 1 on",
        why="The terms are written out before the run, one for each value of the index. Without a term the maximum of "
        "nothing would be asked for, and half a term cannot be written.",
        help="write a whole number, or a constant",
        wrong="""stage svc : fifo;
session { run svc (sum j in 0 (j)); end; }
                          //^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { run svc (sum j in 3 (j)); end; }
run { horizon 10; }
""",
        spec="02 §4",
    ),
    Entry(
        code="SQ0818",
        name="too-many-terms",
        severity=Severity.ERROR,
        message="the program's aggregates write out {terms} terms: {limit} is the limit",
        why="Each term is a copy of the body, also of aggregates inside it: 64 terms of 64 terms are 64 + 64 · 64. "
        "The sum over the whole program counts, every use of a definition or entry again.",
        help="use fewer terms, or keep a running value in an attribute or a register",
        wrong="""stage svc : fifo;
session { run svc (sum j in 5000 (j)); end; }
                 //^^^^^^^^^^^^^^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { run svc (sum j in 500 (j)); end; }
run { horizon 10; }
""",
        spec="02 §4",
    ),
    Entry(
        code="SQ0819",
        name="tick-not-a-time",
        severity=Severity.ERROR,
        message="`{tick}` is no tick",
        why="The exact clock counts whole ticks, so its unit is a positive amount of simulated seconds. It is not part of "
        "the program: without one, the unit is chosen from the program's own times.",
        help="write seconds (`1e-9`, `1/48`), or a number with fs, ps, ns, us, ms or s",
        unshown=_OVERRIDE,
        spec="05 §1",
    ),
    Entry(
        code="SQ0830",
        name="override-of-no-constant",
        severity=Severity.ERROR,
        message="`--set {name}`: the program declares no constant `{name}`",
        why="`--set` replaces the value of a `let`. An attribute or a pool of this name is computed by the run, and a "
        "misspelt name would be ignored without a word.",
        help="name a `let` of the program",
        unshown=_OVERRIDE,
        spec="09 §2",
    ),
    Entry(
        code="SQ0831",
        name="override-name",
        severity=Severity.ERROR,
        message="`{name}` is no name",
        why="An override is `NAME=EXPR`: the part before `=` is one identifier, without an index or a dot, because "
        "constants and definitions have no other names.",
        help="write `--set NAME=EXPR`",
        unshown=_OVERRIDE,
        spec="09 §2",
    ),
    Entry(
        code="SQ0832",
        name="override-does-not-parse",
        severity=Severity.ERROR,
        message="the override of `{name}` is no expression: {problem}",
        why="The part after `=` is read exactly as an expression of a program is, to its end. A shell may have taken "
        "a `*`, a space or a quote out of it.",
        help="write one expression, in quotes where the shell would change it: `--set 'NAME=2 * 3'`",
        unshown=_OVERRIDE,
        spec="09 §2",
    ),
    Entry(
        code="SQ0833",
        name="override-not-constant",
        severity=Severity.ERROR,
        message="the override of the constant `{name}` has no value: {problem}",
        why="An override stands in the place of the `let`'s own value and may read what that could read: numbers and "
        "the constants above it. It is one number, so it does not draw, and not NaN.",
        help="give a number, or an expression of constants declared above",
        unshown=_OVERRIDE,
        spec="09 §2",
    ),
    Entry(
        code="SQ0834",
        name="override-changes-a-size",
        severity=Severity.ERROR,
        message="`{name}` cannot be overridden: the size of a family is computed from it",
        why="How many members a family has is fixed while the text is read, before overrides apply. The members would "
        "keep the old number while every other reader saw the new one.",
        help="change the `let` in the program",
        unshown=_OVERRIDE,
        spec="09 §2",
    ),
    Entry(
        code="SQ0835",
        name="override-of-no-definition",
        severity=Severity.ERROR,
        message="`--def {name}`: the program declares no expression definition `{name}`",
        why="`--def` replaces the body of a `def NAME(…) = …;` and keeps its parameters, so there must be one, in the "
        "program or in a library that it uses.",
        help="name an expression definition of the program",
        unshown=_OVERRIDE,
        spec="09 §2",
    ),
    Entry(
        code="SQ0836",
        name="override-of-statements",
        severity=Severity.ERROR,
        message="`--def {name}`: `{name}` is defined as statements",
        why="The new body is given as an expression. A definition in braces is a list of statements and is used as "
        "one; an expression could not take its place.",
        help="only `def NAME(…) = …;` can be overridden",
        unshown=_OVERRIDE,
        spec="09 §2",
    ),
)
