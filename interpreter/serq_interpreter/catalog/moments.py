"""Catalogue entries of moments, hidden attributes, draws and registers (SQ03xx); long because it is a table."""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0301",
        name="context-variable-outside-its-moment",
        severity=Severity.ERROR,
        message="`{name}` does not exist in {part}",
        why="A context variable belongs to one kind of decision: `waited` to a hold in a queue, `tokens` to an "
        "iteration's batch, `present` to a shared stage. Where that decision is not being made there is no value, and "
        "the language does not invent one.",
        help="keep the quantity in an attribute, or ask a pool or stage about it (`queued(p)`, `busy(s)`, `used(p)`)",
        wrong="""stage svc : ps(4 - residents);
                 //^^^^^^^^^
session { run svc (1); end; }
run { horizon 10; }
""",
        right="""stage svc : ps(4 - present);
session { run svc (1); end; }
run { horizon 10; }
""",
        spec="02 §6",
    ),
    Entry(
        code="SQ0302",
        name="hidden-attribute-read-by-a-scheduler",
        severity=Severity.ERROR,
        message="{part} reads `{name}`, which is hidden: the scheduler decides before it is known",
        why="`hidden` marks what nobody knows while the request runs, such as its output length. A pool or an engine "
        "that read it would decide with knowledge of the future, and the model would promise what no real scheduler "
        "can deliver. Only the session's own statements, and the `given` of a claim, read it.",
        help="read something that is known, such as a declared limit, or remove the name from `hidden`",
        wrong="""pool kv { cap 100; queue by (o); }
                           //^
stage svc : fifo;
workload { arrive batch(2); hidden o; init { set o = ~uniform(1, 9); } }
session { hold kv (8) { run svc (o); } end; }
run { horizon 100; }
""",
        right="""pool kv { cap 100; queue by (limit); }
stage svc : fifo;
workload { arrive batch(2); hidden o; init { set o = ~uniform(1, 9); set limit = 9; } }
session { hold kv (8) { run svc (o); } end; }
run { horizon 100; }
""",
        spec="02 §7",
    ),
    Entry(
        code="SQ0303",
        name="register-read-by-a-session",
        severity=Severity.ERROR,
        message="register `{name}` cannot be read in {part}: it is the memory of engine `{engine}`",
        why="A register is what an engine remembers from one iteration to the next, and its value is meaningful inside "
        "the engine's plan. A session that read it would see whatever the last iteration happened to leave.",
        help="read the state through an observable, such as `busy({engine})` or `queue({engine})`",
        wrong="""stage e : step { cost 1; state k = 0; iteration { serve; set k = k + 1; } }
session { set x = k; run e decode (2); observe y = x; end; }
                //^
run { horizon 10; }
""",
        right="""stage e : step { cost 1; state k = 0; iteration { serve; set k = k + 1; } }
session { set x = busy(e); run e decode (2); observe y = x; end; }
run { horizon 10; }
""",
        spec="02 §6.2",
    ),
    Entry(
        code="SQ0304",
        name="register-of-another-engine",
        severity=Severity.ERROR,
        message="{part} cannot read register `{name}`: it belongs to engine `{engine}`",
        why="A register is shared between an engine and the pools that it admits: their decisions are taken inside its "
        "iterations. Another engine, or a pool without `admit via` that engine, decides at other instants.",
        help="add `admit via {engine};` to the pool when the engine is to admit it, or declare a register of its own",
        wrong="""stage e : step { cost 1; state k = 0; iteration { serve; admit; set k = k + 1; } }
pool kv { cap 100; queue by (k); }
                           //^
session { hold kv (8) { run e decode (2); } end; }
run { horizon 100; }
""",
        right="""stage e : step { cost 1; state k = 0; iteration { serve; admit; set k = k + 1; } }
pool kv { cap 100; queue by (k); admit via e; }
session { hold kv (8) { run e decode (2); } end; }
run { horizon 100; }
""",
        spec="02 §6.2",
    ),
    Entry(
        code="SQ0305",
        name="observations-read-before-the-end",
        severity=Severity.ERROR,
        message="{part} cannot aggregate observations with `{name}(…)`: they are complete only when the run is over",
        why="`total`, `count`, `largest`, `smallest` and `prefix_total` run over everything that was observed. During "
        "the run that set still grows, so its aggregate is not a quantity that a decision may rest on.",
        help="use the aggregate in a claim `at end`; during the run, count in an attribute or read a pool or stage",
        wrong="""stage svc : fifo;
session { run svc (1); observe t = now; set c = count(t); run svc (c); end; }
                                              //^^^^^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { run svc (1); observe t = now; set c = queue(svc); run svc (c); end; }
claim many : at end (count(t) >= 0);
run { horizon 10; }
""",
        spec="02 §6",
    ),
    Entry(
        code="SQ0306",
        name="draw-in-a-header",
        severity=Severity.ERROR,
        message="{part} cannot draw: a pool reads the header each time it looks at the waiting hold",
        why="A hold that waits is looked at again and again. If each look drew anew, what the hold asks for would "
        "change while it waits and the number of looks would move the random streams.",
        help="draw once, into an attribute above the hold",
        wrong="""pool kv { cap 100; }
stage svc : fifo;
session { hold kv (~uniform(1, 5)) { run svc (1); } end; }
                 //^^^^^^^^^^^^^^
run { horizon 10; }
""",
        right="""pool kv { cap 100; }
stage svc : fifo;
session { set u = ~uniform(1, 5); hold kv (u) { run svc (1); } end; }
run { horizon 10; }
""",
        spec="02 §6.1",
    ),
    Entry(
        code="SQ0307",
        name="draw-in-a-queue-key",
        severity=Severity.ERROR,
        message="{part} cannot draw: a hold's place in the queue would change each time the pool sorts",
        why="The keys of `queue by` order the holds that wait, and the pool evaluates them whenever it looks for the "
        "next one. An order needs a key that stays what it is.",
        help="draw in `init` or `turn` and sort by that attribute",
        wrong="""pool kv { cap 10; queue by (~uniform(0, 1)); }
                          //^^^^^^^^^^^^^^
stage svc : fifo;
workload { arrive batch(3); }
session { hold kv (8) { run svc (1); } end; }
run { horizon 10; }
""",
        right="""pool kv { cap 10; queue by (luck); }
stage svc : fifo;
workload { arrive batch(3); init { set luck = ~uniform(0, 1); } }
session { hold kv (8) { run svc (1); } end; }
run { horizon 10; }
""",
        spec="02 §6.1",
    ),
    Entry(
        code="SQ0308",
        name="draw-in-a-preempt-key",
        severity=Severity.ERROR,
        message="{part} cannot draw: comparing the holders must give the same victim however often it is done",
        why="A pool that is short of room compares all its holders, possibly several times at one instant. A key that "
        "is drawn anew at each comparison names a different victim each time.",
        help="draw in `init` or `turn` and compare that attribute",
        wrong="""pool kv { cap 40; preempt by (~uniform(0, 1)); }
                            //^^^^^^^^^^^^^^
stage e : step { cost 1; memory kv; }
workload { arrive batch(2); }
session { hold kv (8) { run e decode (4) growing kv; } end; }
run { horizon 100; }
""",
        right="""pool kv { cap 40; preempt by (luck); }
stage e : step { cost 1; memory kv; }
workload { arrive batch(2); init { set luck = ~uniform(0, 1); } }
session { hold kv (8) { run e decode (4) growing kv; } end; }
run { horizon 100; }
""",
        spec="02 §6.1",
    ),
    Entry(
        code="SQ0309",
        name="draw-in-a-serve-key",
        severity=Severity.ERROR,
        message="{part} cannot draw: the engine judges the same resident several times in one plan",
        why="Serve keys and `only` are evaluated for every resident, at planning and again at admission inside the "
        "plan. Judgements about one request must agree within an iteration.",
        help="draw in the session before the `run` and read that attribute",
        wrong="""stage e : step { cost 1; serve by (~uniform(0, 1)); }
                                 //^^^^^^^^^^^^^^
workload { arrive batch(2); }
session { run e decode (4); end; }
run { horizon 100; }
""",
        right="""stage e : step { cost 1; serve by (luck); }
workload { arrive batch(2); }
session { set luck = ~uniform(0, 1); run e decode (4); end; }
run { horizon 100; }
""",
        spec="02 §6.1",
    ),
    Entry(
        code="SQ0310",
        name="draw-in-an-iteration-body",
        severity=Severity.ERROR,
        message="{part} cannot draw: the plan of an iteration is a function of the state",
        why="An engine may plan an iteration, look at the plan through `budget_left` and plan it again. Only a plan "
        "without chance comes out the same.",
        help="let `budget`, `chunk` or `cost` draw instead: each is evaluated once in an iteration",
        wrong="""stage e : step { cost 1; iteration { branch (~bernoulli(0.5)) { serve; } else { admit; serve; } } }
                                           //^^^^^^^^^^^^^^^
workload { arrive batch(2); }
session { run e decode (4); end; }
run { horizon 100; }
""",
        right="""stage e : step { cost ~uniform(1, 2); iteration { branch (residents > 1) { serve; } else { admit; serve; } } }
workload { arrive batch(2); }
session { run e decode (4); end; }
run { horizon 100; }
""",
        spec="02 §6.1",
    ),
    Entry(
        code="SQ0311",
        name="draw-in-a-gauge",
        severity=Severity.ERROR,
        message="{part} cannot draw: measuring must not move the random streams",
        why="A gauge is evaluated after every event. If it drew, adding or removing a gauge would change the run that "
        "it measures.",
        help="draw in the session and `observe` the value there",
        wrong="""stage svc : fifo;
session { run svc (1); end; }
gauge noise = queue(svc) + ~uniform(0, 1);
                         //^^^^^^^^^^^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { run svc (1); observe noise = ~uniform(0, 1); end; }
gauge waiting_jobs = queue(svc);
run { horizon 10; }
""",
        spec="02 §6.1",
    ),
    Entry(
        code="SQ0312",
        name="draw-in-a-claim",
        severity=Severity.ERROR,
        message="{part} cannot draw: a claim reads the run and does not act on it",
        why="A claim is true or false of a run. With a draw it would be true by luck, and stating it would change the "
        "streams of the run it speaks about.",
        help="claim it of an observed value",
        wrong="""stage svc : fifo;
session { run svc (1); observe t = now; end; }
claim lucky : at end (count(t) > ~uniform(0, 1));
                               //^^^^^^^^^^^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { run svc (1); observe t = now; end; }
claim some_done : at end (count(t) > 0);
run { horizon 10; }
""",
        spec="02 §6.1",
    ),
    Entry(
        code="SQ0313",
        name="clock-in-an-iteration-order",
        severity=Severity.ERROR,
        message="{part} cannot read `{name}`: an engine that serves nobody waits for an event, and passing time is none",
        why="An engine whose `only` excludes every resident waits for the next event, and the clock moving on is no "
        "event: it would sleep through the instant at which the test becomes true. `now` and `work(…)` both drift "
        "like that. The stage's own `serve by` sorts and excludes nobody, so it may read both.",
        help="move the order to the stage's `serve by`, or sort by an attribute such as an arrival time set in `init`",
        wrong="""stage e : step { cost 1; serve only (now > 5); }
                                   //^^^
workload { arrive batch(2); }
session { run e decode (4); end; }
run { horizon 100; }
""",
        right="""stage e : step { cost 1; serve only (begun >= 0); }
workload { arrive batch(2); }
session { set begun = now; run e decode (4); end; }
run { horizon 100; }
""",
        spec="02 §6",
    ),
    Entry(
        code="SQ0314",
        name="clock-in-an-iteration-test",
        severity=Severity.ERROR,
        message="{part} cannot read `{name}`: a plan that does nothing is made again at the next event, not at a time",
        why="The guards, `while` tests and `set`s of an iteration body decide what the plan does. A plan that gives out "
        "no token ends until an event happens; if its course hung on the clock or on work that drains between "
        "events, the engine would miss the instant at which it could go on.",
        help="count iterations in a register, or test the batch (`residents`, `tokens`, `queued(p)`)",
        wrong="""stage e : step { cost 1; iteration { serve; branch (now > 5) { admit; } } }
                                                  //^^^
workload { arrive batch(2); }
session { run e decode (4); end; }
run { horizon 100; }
""",
        right="""stage e : step { cost 1; state k = 0; iteration { serve; set k = k + 1; branch (k > 5) { admit; } } }
workload { arrive batch(2); }
session { run e decode (4); end; }
run { horizon 100; }
""",
        spec="02 §6",
    ),
    Entry(
        code="SQ0315",
        name="own-budget-left-in-an-iteration",
        severity=Severity.ERROR,
        message="{part} cannot read `budget_left` of its own engine: that would plan the iteration inside its plan",
        why="`budget_left(e)` answers by planning the next iteration of `e`. Inside the plan of `e` itself the question "
        "has no end. Who is served so far is `tokens`.",
        help="read `tokens`, what the plan has given out so far, and subtract it from the budget",
        wrong="""stage e : step { cost 1; budget 64; iteration { serve; branch (budget_left(e) > 8) { admit; } } }
                                                             //^^^^^^^^^^^^^^
workload { arrive batch(2); }
session { run e decode (4); end; }
run { horizon 100; }
""",
        right="""stage e : step { cost 1; budget 64; iteration { serve; branch (64 - tokens > 8) { admit; } } }
workload { arrive batch(2); }
session { run e decode (4); end; }
run { horizon 100; }
""",
        spec="02 §6",
    ),
    Entry(
        code="SQ0316",
        name="budget-left-in-a-budget",
        severity=Severity.ERROR,
        message="{part} cannot read `budget_left`: the limit would be needed to compute itself",
        why="To answer `budget_left`, an engine evaluates its budget and its chunk, which may draw. A limit that asks "
        "for what another engine has left could ask in a circle.",
        help="read `busy(e)` or `queue(e)` of the other engine",
        wrong="""stage d : step { cost 1; budget 8; }
stage e : step { cost 1; budget 4 + budget_left(d); }
                                  //^^^^^^^^^^^^^^
session { run e decode (4); run d decode (1); end; }
run { horizon 100; }
""",
        right="""stage d : step { cost 1; budget 8; }
stage e : step { cost 1; budget 4 + (busy(d) ? 0 : 8); }
session { run e decode (4); run d decode (1); end; }
run { horizon 100; }
""",
        spec="02 §6",
    ),
    Entry(
        code="SQ0317",
        name="budget-left-in-a-preempt-key",
        severity=Severity.ERROR,
        message="{part} cannot read `budget_left`: a victim is sought in the middle of planning an iteration",
        why="Preemption happens while an engine gives out tokens and finds no room to grow. At that instant its plan "
        "is half made, and `budget_left`, which plans the next one, has no answer.",
        help="compare the holders by `position`, `admission` or an attribute",
        wrong="""stage e : step { cost 1; budget 8; memory kv; }
pool kv { cap 40; preempt by (budget_left(e)); }
                            //^^^^^^^^^^^^^^
session { hold kv (8) { run e decode (4) growing kv; } end; }
run { horizon 100; }
""",
        right="""stage e : step { cost 1; budget 8; memory kv; }
pool kv { cap 40; preempt by (-position); }
session { hold kv (8) { run e decode (4) growing kv; } end; }
run { horizon 100; }
""",
        spec="02 §6",
    ),
    Entry(
        code="SQ0318",
        name="computed-in-a-preempt-key",
        severity=Severity.ERROR,
        message="{part} cannot read `computed`: a preemption sets it, after the victim is chosen",
        why="`computed` tells a session how far it had come when it was thrown out, so it is 0 until that happens. How "
        "far a holder has come now is `position`.",
        help="read `position`",
        wrong="""stage e : step { cost 1; memory kv; }
pool kv { cap 40; preempt by (computed); }
                            //^^^^^^^^
session { hold kv (8) { run e decode (4) growing kv; } end; }
run { horizon 100; }
""",
        right="""stage e : step { cost 1; memory kv; }
pool kv { cap 40; preempt by (position); }
session { hold kv (8) { run e decode (4) growing kv; } end; }
run { horizon 100; }
""",
        spec="02 §6",
    ),
    Entry(
        code="SQ0319",
        name="attribute-in-a-gauge",
        severity=Severity.ERROR,
        message="{part} reads `{name}`, an attribute of a session, and a gauge has no session",
        why="A gauge follows the whole system through time. Every session has its own value of an attribute, so there "
        "is not one value to follow.",
        help="`observe` the attribute in the session, or keep the quantity in a pool and gauge `used(pool)`",
        wrong="""stage svc : fifo;
session { set size_of = 3; run svc (size_of); end; }
gauge g = size_of;
        //^^^^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { set size_of = 3; run svc (size_of); observe sizes = size_of; end; }
gauge g = queue(svc);
run { horizon 10; }
""",
        spec="02 §6",
    ),
    Entry(
        code="SQ0320",
        name="gauge-of-a-moving-quantity",
        severity=Severity.ERROR,
        message="{part} cannot read `{name}`: a gauge is constant between events",
        why="Statistics of a gauge weigh each value with the time until the next event. `now` and `work` move in "
        "between, `cachedin` belongs to a session, and `budget_left` plans an iteration: none is constant there.",
        help="gauge a count instead, such as `queue(s)`, `busy(s)` or `used(p)`",
        wrong="""stage svc : fifo;
session { run svc (1); end; }
gauge backlog = work(svc);
              //^^^^^^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { run svc (1); end; }
gauge backlog = queue(svc);
run { horizon 10; }
""",
        spec="02 §6",
    ),
    Entry(
        code="SQ0321",
        name="attribute-in-a-claim-over-iterations",
        severity=Severity.ERROR,
        message="{part} reads `{name}`, an attribute, but an iteration serves many sessions at once",
        why="A claim over iterations is about a whole batch: its tokens, its residents, the state of the pools. Each "
        "session of the batch has its own attributes.",
        help="claim it of the batch, or select sessions with `given` and aggregate an observation `at end`",
        wrong="""stage e : step { cost 1; budget 8; }
session { set need = 4; run e decode (need); end; }
claim small : every iteration of e (need < 9);
                                  //^^^^
run { horizon 100; }
""",
        right="""stage e : step { cost 1; budget 8; }
session { set need = 4; run e decode (need); end; }
claim small : every iteration of e (tokens < 9);
run { horizon 100; }
""",
        spec="02 §6",
    ),
    Entry(
        code="SQ0322",
        name="claim-over-iterations-of-a-moving-quantity",
        severity=Severity.ERROR,
        message="{part} cannot read `{name}(…)`",
        why="A claim over iterations sees the system as the iteration starts, through `queue`, `busy`, `used`, `free`, "
        "`holders` and `queued`. `work` drains between events, estimates and prices are computed for a session that "
        "asks, `cachedin` is one session's, and `budget_left` plans an iteration.",
        help="claim it of a count, such as `queue(s)` or `used(p)`",
        wrong="""stage e : step { cost 1; budget 8; }
stage svc : fifo;
session { run svc (1); run e decode (2); end; }
claim quiet : every iteration of e (work(svc) < 100);
                                  //^^^^^^^^^
run { horizon 100; }
""",
        right="""stage e : step { cost 1; budget 8; }
stage svc : fifo;
session { run svc (1); run e decode (2); end; }
claim quiet : every iteration of e (queue(svc) < 100);
run { horizon 100; }
""",
        spec="02 §6",
    ),
    Entry(
        code="SQ0323",
        name="state-in-a-claim-at-end",
        severity=Severity.ERROR,
        message="{part}, cannot read `{name}`: what happened is in the observations",
        why="The horizon cuts a run at an arbitrary instant, so the state of the pools and the attributes of whoever "
        "is left say nothing about the run. A claim `at end` speaks about observations, registers and the clock.",
        help="`observe` the value in the session and aggregate it with `total`, `count`, `largest` or `smallest`",
        wrong="""stage svc : fifo;
session { run svc (1); observe t = now; end; }
claim empty : at end (queue(svc) == 0);
                    //^^^^^^^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { observe q = queue(svc); run svc (1); observe t = now; end; }
claim empty : at end (largest(q) == 0);
run { horizon 10; }
""",
        spec="02 §6",
    ),
    Entry(
        code="SQ0324",
        name="state-in-given",
        severity=Severity.ERROR,
        message="{part} cannot read `{name}`: it selects sessions by their attributes",
        why="`given` says which sessions a claim is about. It is evaluated on a session's attributes, hidden ones "
        "included; the clock and the state of the system are no property of a session.",
        help="`set` an attribute from the state when the session meets it, and select by that",
        wrong="""stage svc : fifo;
session { run svc (1); observe t = now; end; }
claim late given (now > 5) : at end (count(t) > 0);
                //^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { set began = now; run svc (1); observe t = now; end; }
claim late given (began > 5) : at end (count(t) > 0);
run { horizon 10; }
""",
        spec="02 §6",
    ),
    Entry(
        code="SQ0325",
        name="open-index-in-a-gauge-or-claim",
        severity=Severity.ERROR,
        message="the index of `{name}` in {part} is not a constant",
        why="A gauge or claim follows one fixed member of a family, so that its values belong to one series. An index "
        "that is read from the state, or from a session, jumps between members.",
        help="name one member, or take `sum`, `max` or `min` over all of them",
        wrong="""pool kv[2] { cap 10; }
stage svc : fifo;
session { hold kv[0] (1) { run svc (1); } end; }
gauge g = used(kv[queue(svc)]);
                //^^^^^^^^^^
run { horizon 10; }
""",
        right="""pool kv[2] { cap 10; }
stage svc : fifo;
session { hold kv[0] (1) { run svc (1); } end; }
gauge g = sum i in 2 (used(kv[i]));
run { horizon 10; }
""",
        spec="02 §5",
    ),
    Entry(
        code="SQ0326",
        name="renewal-gap-that-reads-the-system",
        severity=Severity.ERROR,
        message="{part} cannot read `{name}`: arrivals come from outside the system",
        why="The next arrival is drawn before any session exists that could ask. A gap that looked at the clock, the "
        "state or an attribute would make the outside world react to the model.",
        help="draw the gap from a distribution with constant parameters; a reaction belongs in the session",
        wrong="""stage svc : fifo;
workload { arrive renewal(1 + queue(svc)); }
                            //^^^^^^^^^^
session { run svc (1); end; }
run { horizon 10; }
""",
        right="""stage svc : fifo;
workload { arrive renewal(1 + ~exp(2)); }
session { run svc (queue(svc)); end; }
run { horizon 10; }
""",
        spec="02 §6",
    ),
)
