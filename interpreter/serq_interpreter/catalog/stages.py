"""Catalogue entries of stages, runs and control (SQ05xx); long because it is a table."""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0501",
        name="run-mode-does-not-fit",
        severity=Severity.ERROR,
        message="{fault}",
        why="On a step engine a request is either computing its prompt or generating, and the engine schedules the two "
        "differently, so a run there says `prefill` or `decode`. Other kinds of stage know neither. Of a run over "
        "several stages the first one decides.",
        help="on a step engine write `run S prefill (w);` or `run S decode (w);`, elsewhere `run S (w);`",
        wrong="""stage svc : fifo;
session { run svc decode (1); end; }
                //^^^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { run svc (1); end; }
run { horizon 10; }
""",
        spec="02 §9",
    ),
    Entry(
        code="SQ0502",
        name="growing-off-an-engine",
        severity=Severity.ERROR,
        message="`growing` on `{name}`, which is a {kind} stage: only a step engine computes tokens one by one",
        why="`growing` lengthens an allocation as the engine computes each token. Other stages do their work as a "
        "whole; there is no progress that the allocation could follow.",
        help="delete the clause and `grow` the pool before or after the run",
        wrong="""pool kv { cap 100; }
stage svc : fifo;
session { hold kv (8) { run svc (1) growing kv; } end; }
                                  //^^^^^^^^^^
run { horizon 10; }
""",
        right="""pool kv { cap 100; }
stage svc : fifo;
session { hold kv (8) { run svc (1); } end; }
run { horizon 10; }
""",
        spec="02 §9",
    ),
    Entry(
        code="SQ0503",
        name="fifo-count-not-whole",
        severity=Severity.ERROR,
        message="the number of servers of `{name}` is {value}: it must be a whole number from 1 on",
        why="The count of a `fifo` is how many jobs it serves at once. A fraction of a server, none, or infinitely many "
        "is a different stage.",
        help="write a whole number; for infinitely many servers use `delay`",
        wrong="""stage svc : fifo(0);
               //^
session { run svc (1); end; }
run { horizon 10; }
""",
        right="""stage svc : fifo(1);
session { run svc (1); end; }
run { horizon 10; }
""",
        spec="02 §4",
    ),
    Entry(
        code="SQ0504",
        name="granule-not-positive",
        severity=Severity.ERROR,
        message="the granule of `{name}` is {value}: it must be above 0",
        why="A prefill that is not finished gets a multiple of the granule. A multiple of 0 is no token at all, and the "
        "prefill would never end.",
        help="write a positive granule, or leave the option out",
        wrong="""stage e : step { cost 1; chunk 8; granule 0; }
                                        //^
session { run e prefill (4); end; }
run { horizon 10; }
""",
        right="""stage e : step { cost 1; chunk 8; }
session { run e prefill (4); end; }
run { horizon 10; }
""",
        spec="02 §4",
    ),
    Entry(
        code="SQ0505",
        name="granule-above-the-chunk",
        severity=Severity.ERROR,
        message="the granule {granule} of `{name}` is above its chunk {chunk}: a long prefill would get no token",
        why="An iteration gives a prefill at most the chunk, rounded down to whole granules. With a chunk smaller than "
        "one granule that is nothing, for every prompt longer than the chunk.",
        help="make the chunk a multiple of the granule",
        wrong="""stage e : step { cost 1; chunk 8; granule 16; }
                                        //^^
session { run e prefill (4); end; }
run { horizon 10; }
""",
        right="""stage e : step { cost 1; chunk 32; granule 16; }
session { run e prefill (4); end; }
run { horizon 10; }
""",
        spec="02 §11",
    ),
    Entry(
        code="SQ0506",
        name="budget-left-of-no-engine",
        severity=Severity.ERROR,
        message="`budget_left({name})`: `{name}` is a {kind} stage, and only a step engine has a token budget",
        why="`budget_left` plans the next iteration and says how many tokens it would not use. Stages of other kinds "
        "have no iterations.",
        help="read `queue({name})` or `busy({name})`",
        wrong="""stage svc : fifo;
session { set x = budget_left(svc); run svc (1 + x); end; }
                            //^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { set x = queue(svc); run svc (1 + x); end; }
run { horizon 10; }
""",
        spec="02 §11",
    ),
    Entry(
        code="SQ0507",
        name="granule-with-exclusive-prefill",
        severity=Severity.ERROR,
        message="`{name}` has a granule and serves one prefill exclusively: a prefill without a token would stop it",
        why="`serve exclusive prefill` lets one prefill take the whole budget and displace the decodes. If the granule "
        "gave that prefill no token, neither it nor the decodes would go on.",
        help="delete the granule, or serve in another order",
        wrong="""stage e : step { cost 1; budget 64; serve exclusive prefill; granule 16; }
                                                                   //^^
session { run e prefill (4); end; }
run { horizon 10; }
""",
        right="""stage e : step { cost 1; budget 64; serve exclusive prefill; }
session { run e prefill (4); end; }
run { horizon 10; }
""",
        spec="02 §11",
    ),
    Entry(
        code="SQ0508",
        name="only-with-exclusive-prefill",
        severity=Severity.ERROR,
        message="`serve only` does not go with `exclusive prefill`",
        why="The exclusive rule admits a waiting prefill in place of the decodes that it displaces. Whom `only` would "
        "shut out of that exchange, the prefill or the decodes, is a third rule that neither of the two states.",
        help="keep one of the two",
        wrong="""stage e : step { cost 1; serve only (decoding) exclusive prefill; }
                                             //^^^^^^^^^^^^^^^^^
session { run e decode (4); end; }
run { horizon 10; }
""",
        right="""stage e : step { cost 1; serve exclusive prefill; }
session { run e decode (4); end; }
run { horizon 10; }
""",
        spec="02 §11",
    ),
    Entry(
        code="SQ0509",
        name="exclusive-prefill-in-a-body",
        severity=Severity.ERROR,
        message="`exclusive prefill` is a rule of the whole stage, not of one `serve`",
        why="The rule takes back decodes that were chosen already. A `serve` of an iteration body gives out tokens for "
        "good, and what a body has given it cannot take back.",
        help="write `serve exclusive prefill;` on the stage, without a body, or order the body's serve with `by`",
        wrong="""stage e : step { cost 1; iteration { serve exclusive prefill; } }
                                         //^^^^^^^^^^^^^^^^^
session { run e decode (4); end; }
run { horizon 10; }
""",
        right="""stage e : step { cost 1; iteration { serve by (decoding); } }
session { run e decode (4); end; }
run { horizon 10; }
""",
        spec="02 §11",
    ),
    Entry(
        code="SQ0510",
        name="body-beside-exclusive-prefill",
        severity=Severity.ERROR,
        message="`{name}` has an iteration body beside `serve exclusive prefill`",
        why="Both say what an iteration does: the rule as a whole, the body step by step. They would answer one "
        "question twice, and a body has no step that displaces decodes.",
        help="delete the body or the serve clause",
        wrong="""stage e : step { cost 1; serve exclusive prefill; iteration { serve; } }
                                                //^^^^^^^^^
session { run e decode (4); end; }
run { horizon 10; }
""",
        right="""stage e : step { cost 1; iteration { serve; } }
session { run e decode (4); end; }
run { horizon 10; }
""",
        spec="02 §11",
    ),
    Entry(
        code="SQ0511",
        name="body-beside-serve-only",
        severity=Severity.ERROR,
        message="`{name}` has an iteration body beside the option `serve only`, which is a body itself",
        why="The option `serve only (p)` stands for a body: `serve only (p);` followed by an `admit only (p)`. With "
        "a body of its own the engine would have two.",
        help="write `serve only (p);` inside the body",
        wrong="""stage e : step { cost 1; serve only (decoding); iteration { serve; } }
                       //^^^^^^^^^^^^^^^^^^^^^^
session { run e decode (4); end; }
run { horizon 10; }
""",
        right="""stage e : step { cost 1; iteration { serve only (decoding); } }
session { run e decode (4); end; }
run { horizon 10; }
""",
        spec="02 §11",
    ),
    Entry(
        code="SQ0512",
        name="iteration-path-without-serve",
        severity=Severity.ERROR,
        message="one way through the iteration body of `{name}` neither serves nor admits",
        why="An iteration that serves nobody and admits nobody schedules nothing, and the engine then waits for an "
        "event that may never come. Every path needs a `serve` or an `admit`, even one that turns out to do nothing.",
        help="put a `serve;` or `admit;` on that path, or one after the branch",
        wrong="""stage e : step { cost 1; state k = 0; iteration { set k = k + 1; branch (k > 3) { serve; } } }
                                    //^^^^^^^^^
session { run e decode (4); end; }
run { horizon 10; }
""",
        right="""stage e : step { cost 1; state k = 0; iteration { set k = k + 1; branch (k > 3) { serve; } else { admit; } } }
session { run e decode (4); end; }
run { horizon 10; }
""",
        spec="02 §11",
    ),
    Entry(
        code="SQ0513",
        name="register-without-a-body",
        severity=Severity.ERROR,
        message="`{engine}` has no iteration body, so nothing ever sets register `{name}`",
        why="Only the `set` of the engine's own iteration body changes a register. Without a body it keeps its first "
        "value, and a constant says that better.",
        help="add `iteration {{ serve; set {name} = …; }}`, or declare the number with `let`",
        wrong="""stage e : step { cost 1 + k; state k = 2; }
                           //^^^^^^^^^^^^
session { run e decode (4); end; }
run { horizon 100; }
""",
        right="""let k = 2;
stage e : step { cost 1 + k; }
session { run e decode (4); end; }
run { horizon 100; }
""",
        spec="02 §11",
    ),
    Entry(
        code="SQ0514",
        name="register-beside-serve-only",
        severity=Severity.ERROR,
        message="`{engine}` serves by `serve only` and has no body of its own that could set register `{name}`",
        why="The option `serve only` stands for a fixed body, and that body sets nothing.",
        help="write the body out: `iteration {{ serve only (…); admit only (…) while (!preempted); set {name} = …; }}`",
        wrong="""stage e : step { cost 1; serve only (decoding); state k = 0; }
                                              //^^^^^^^^^^^^
session { run e decode (4); end; }
run { horizon 100; }
""",
        right="""stage e : step { cost 1; state k = 0; iteration { serve only (decoding); set k = k + 1; } }
session { run e decode (4); end; }
run { horizon 100; }
""",
        spec="02 §11",
    ),
    Entry(
        code="SQ0515",
        name="register-starts-infinite",
        severity=Severity.ERROR,
        message="the first value of register `{name}` is {value}: it must be finite",
        why="A register holds a finite number at all times; a `set` to an infinite one fails when it runs, and so "
        "would the first value.",
        help="start with a finite number, such as a bound that is never reached",
        wrong="""stage e : step { cost 1; state k = inf; iteration { serve; set k = 1; } }
                                 //^^^
session { run e decode (4); end; }
run { horizon 100; }
""",
        right="""stage e : step { cost 1; state k = 1000000; iteration { serve; set k = 1; } }
session { run e decode (4); end; }
run { horizon 100; }
""",
        spec="02 §4",
    ),
    Entry(
        code="SQ0516",
        name="set-of-no-register",
        severity=Severity.ERROR,
        message="`set {name}` in the iteration of `{stage}`: `{name}` is no register of the engine",
        why="An iteration is no session: it serves many at once and has no attributes. What an engine remembers are "
        "its registers, declared with `state`.",
        help="declare `state {name} = 0;` on the engine",
        wrong="""stage e : step { cost 1; iteration { serve; set k = 1; } }
                                              //^
session { run e decode (4); end; }
run { horizon 100; }
""",
        right="""stage e : step { cost 1; state k = 0; iteration { serve; set k = 1; } }
session { run e decode (4); end; }
run { horizon 100; }
""",
        spec="02 §11",
    ),
    Entry(
        code="SQ0517",
        name="set-of-another-engine",
        severity=Severity.ERROR,
        message="the iteration of `{stage}` sets `{name}`, a register of engine `{engine}`",
        why="Two engines plan at different instants. A register that both set would hold whatever the last of them "
        "wrote, in an order that no one decided.",
        help="set it in the body of `{engine}`, or give `{stage}` a register of its own",
        wrong="""stage d : step { cost 1; state k = 0; iteration { serve; set k = 1; } }
stage e : step { cost 1; iteration { serve; set k = 2; } }
                                              //^
session { run d decode (4); run e decode (4); end; }
run { horizon 100; }
""",
        right="""stage d : step { cost 1; state k = 0; iteration { serve; set k = 1; } }
stage e : step { cost 1; state m = 0; iteration { serve; set m = 2; } }
session { run d decode (4); run e decode (4); end; }
run { horizon 100; }
""",
        spec="02 §11",
    ),
    Entry(
        code="SQ0518",
        name="loop-without-time",
        severity=Severity.ERROR,
        message="one way through this loop's body takes no time",
        why="A session that goes round a loop at one instant never lets the clock move on. On every path there must be "
        "a `run` (whose work is not the number 0), an `end`, an inner loop, or a hold with such a body. What a leg "
        "runs does not delay the loop, nor does `join`.",
        help="run something on that path, or `end;` there",
        wrong="""stage svc : fifo;
session { loop { branch (turn_no < 3) { run svc (1); } turn; } }
        //^^^^
run { horizon 100; }
""",
        right="""stage svc : fifo;
session { loop { branch (turn_no < 3) { run svc (1); } else { end; } turn; } }
run { horizon 100; }
""",
        spec="02 §10",
    ),
    Entry(
        code="SQ0519",
        name="guard-is-no-truth-value",
        severity=Severity.ERROR,
        message="`branch ({name})`: a guard is 0 or 1, and this is {value}",
        why="A guard asks yes or no. A number between 0 and 1 looks like a probability, and `branch` does not draw "
        "unless it says `with`; other numbers are most often an unfinished comparison.",
        help="compare (`x > 0`), or write `branch with (p)` for a probability",
        wrong="""stage svc : fifo;
session { branch (0.3) { run svc (1); } end; }
                //^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { branch with (0.3) { run svc (1); } end; }
run { horizon 10; }
""",
        spec="02 §8.1",
    ),
    Entry(
        code="SQ0520",
        name="flow-without-share",
        severity=Severity.ERROR,
        message="a run over several stages needs the program's `share`",
        why="Such a run is a flow: it occupies all its stages at once, and its rate depends on how the flows divide "
        "the capacities. The two answers, `maxmin` and `bottleneck`, give different times, so one must be chosen.",
        help="add `share maxmin;` or `share bottleneck;` at the top level",
        wrong="""stage a : ps(2);
stage b : ps(3);
session { run a, b (6); end; }
        //^^^^^^^^^^^^^
run { horizon 10; }
""",
        right="""stage a : ps(2);
stage b : ps(3);
share maxmin;
session { run a, b (6); end; }
run { horizon 10; }
""",
        spec="02 §9",
    ),
    Entry(
        code="SQ0521",
        name="share-without-flow",
        severity=Severity.ERROR,
        message="no run crosses several stages, so there is nothing to share",
        why="`share` (and a relation of queues) says how flows divide their stages. A flow is a run over two or more "
        "stages that the program reaches; in an entry that nobody calls it does not count.",
        help="delete it, or call the entry whose transfer uses it",
        wrong="""stage a : ps(2);
  share maxmin;
//^^^^^^^^^^^^^
session { run a (6); end; }
run { horizon 10; }
""",
        right="""stage a : ps(2);
session { run a (6); end; }
run { horizon 10; }
""",
        spec="02 §9",
    ),
    Entry(
        code="SQ0522",
        name="second-share",
        severity=Severity.ERROR,
        message="the program has a `share` already",
        why="One policy divides all capacities of a program. A second `share`, or one beside a relation of queues that "
        "names its own, would be a second answer.",
        help="keep one",
        wrong="""stage a : ps(2);
stage b : ps(3);
share maxmin;
  share bottleneck;
//^^^^^^^^^^^^^^^^^
session { run a, b (6); end; }
run { horizon 10; }
""",
        right="""stage a : ps(2);
stage b : ps(3);
share bottleneck;
session { run a, b (6); end; }
run { horizon 10; }
""",
        spec="02 §9",
    ),
    Entry(
        code="SQ0523",
        name="flow-over-an-unshared-stage",
        severity=Severity.ERROR,
        message="`{name}` is {kind}, and a flow crosses only `ps` stages with one positive number",
        why="The rates of all flows are computed together from the capacities of their stages. A capacity must "
        "therefore be one fixed number: a literal, a constant's name or `inf`, not an expression or a queue of jobs.",
        help="declare it as `ps(c)` with a number or a constant",
        wrong="""stage a : ps(2);
stage b : ps(3 * 1);
share maxmin;
session { run a, b (6); end; }
               //^
run { horizon 10; }
""",
        right="""stage a : ps(2);
stage b : ps(3);
share maxmin;
session { run a, b (6); end; }
run { horizon 10; }
""",
        spec="02 §9",
    ),
    Entry(
        code="SQ0524",
        name="flow-names-an-array-twice",
        severity=Severity.ERROR,
        message="this run names `{name}` twice",
        why="A flow takes a share of each stage that it names. Two members of one array could be the same one at run "
        "time, and a flow that crosses a stage twice has no defined share of it.",
        help="name each stage or array once",
        wrong="""stage a[2] : ps(2);
share maxmin;
session { run a[0], a[1] (6); end; }
                  //^^^^
run { horizon 10; }
""",
        right="""stage a[2] : ps(2);
stage b : ps(2);
share maxmin;
session { run a[0], b (6); end; }
run { horizon 10; }
""",
        spec="02 §9",
    ),
    Entry(
        code="SQ0530",
        name="no-stage-plays-the-role",
        severity=Severity.ERROR,
        message="no stage above can play `{role}`: it looks for {wanted}",
        why="A serving form finds its stage by itself: one that is named after the form, else, for `prefill` and "
        "`decode`, the only step engine. It looks upwards from where it stands, so a stage below does not count.",
        help="declare the stage above, or name one with `on`",
        wrong="""stage svc : fifo;
session { tool (1); end; }
        //^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { tool on svc (1); end; }
run { horizon 10; }
""",
        spec="01 §4.2",
    ),
    Entry(
        code="SQ0531",
        name="several-stages-play-the-role",
        severity=Severity.ERROR,
        message="`{role}` could run on {candidates}",
        why="When no stage is named after the form, `prefill` and `decode` take the only step engine above. With two "
        "engines the choice is a decision about the deployment, and the language does not make it.",
        help="name the stage with `on`",
        wrong="""stage d : step { cost 1; }
stage e : step { cost 1; }
session { decode (4); end; }
        //^^^^^^
run { horizon 10; }
""",
        right="""stage d : step { cost 1; }
stage e : step { cost 1; }
session { decode on d (4); end; }
run { horizon 10; }
""",
        spec="01 §4.2",
    ),
    Entry(
        code="SQ0532",
        name="on-names-no-stage-above",
        severity=Severity.ERROR,
        message="`on {name}`: no stage of this name stands above the form",
        why="Serving forms are resolved where they stand, against the stages declared so far.",
        help="move the stage up, or name one that is declared above",
        wrong="""session { tool on svc (1); end; }
                //^^^
stage svc : fifo;
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { tool on svc (1); end; }
run { horizon 10; }
""",
        spec="01 §4.2",
    ),
    Entry(
        code="SQ0540",
        name="session-control-in-a-leg",
        severity=Severity.ERROR,
        message="`{word}` inside a leg",
        why="A leg is a part of the request that runs beside the session. Turns, the end, forks and joins belong to "
        "the session as a whole, and two parts that moved it on at once would contradict each other.",
        help="move the statement to the session, after the `join`",
        wrong="""stage svc : fifo;
session { fork { run svc (1); end; } join; end; }
                            //^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { fork { run svc (1); } join; end; }
run { horizon 10; }
""",
        spec="02 §10",
    ),
    Entry(
        code="SQ0541",
        name="fork-without-join",
        severity=Severity.ERROR,
        message="the program forks and never joins",
        why="A session may not end while one of its legs runs. Without any `join` in the program nothing waits for the "
        "legs, and the first session that ends would fail the run.",
        help="`join;` where the session needs the leg to be finished",
        wrong="""stage svc : fifo;
session { fork { run svc (1); } run svc (2); end; }
        //^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { fork { run svc (1); } run svc (2); join; end; }
run { horizon 10; }
""",
        spec="02 §10",
    ),
    Entry(
        code="SQ0542",
        name="join-without-fork",
        severity=Severity.ERROR,
        message="`join` in a program that never forks waits for nothing",
        why="A `join` waits for the legs of its session, and only a `fork` makes legs. A program with one and not the "
        "other has lost a statement.",
        help="delete it, or fork the work that it should wait for",
        wrong="""stage svc : fifo;
session { run svc (1); join; end; }
                     //^^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { run svc (1); end; }
run { horizon 10; }
""",
        spec="02 §10",
    ),
    Entry(
        code="SQ0543",
        name="claim-over-no-engine",
        severity=Severity.ERROR,
        message="claim `{name}`: `{stage}` is a {kind} stage, and only a step engine has iterations",
        why="`every iteration of S` and `some iteration of S` look at each batch of an engine. Other stages serve jobs "
        "one by one or all at once, and have no batches.",
        help="claim it of an engine, or of observations `at end`",
        wrong="""stage svc : fifo;
session { run svc (1); end; }
claim c : every iteration of svc (now >= 0);
                           //^^^
run { horizon 10; }
""",
        right="""stage svc : step { cost 1; }
session { run svc decode (1); end; }
claim c : every iteration of svc (now >= 0);
run { horizon 10; }
""",
        spec="02 §15",
    ),
    Entry(
        code="SQ0544",
        name="claim-over-an-open-member",
        severity=Severity.ERROR,
        message="claim `{name}` names a member of `{stage}` by an index that is not constant",
        why="A claim watches one engine from the start to the end of the run, so the engine is fixed by the text.",
        help="name the member by a number, one claim for each",
        wrong="""stage e[2] : step { cost 1; }
session { set i = 1; run e[i] decode (1); end; }
claim c : every iteration of e[i] (tokens < 9);
                             //^
run { horizon 10; }
""",
        right="""stage e[2] : step { cost 1; }
session { set i = 1; run e[i] decode (1); end; }
claim c : every iteration of e[1] (tokens < 9);
run { horizon 10; }
""",
        spec="02 §15",
    ),
)
