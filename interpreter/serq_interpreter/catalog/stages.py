"""Catalogue entries of stages, runs and control (SQ05xx); long because it is a table."""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity

ENTRIES: tuple[Entry, ...] = (
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
)
