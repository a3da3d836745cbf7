"""Catalogue entries of names of a queue's parts seen from outside, and calls (SQ0740–SQ0753); long because it is a table."""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0740",
        name="queue-pool-from-outside",
        severity=Severity.ERROR,
        message="`{name}` belongs to the queue `{queue}`: only its entries hold, grow, load, drop or release it",
        why="A queue is the one place that says how its pools are used; that is what makes its occupancy a property "
        "of the queue. From outside a pool of a queue can be read, `used(QUEUE.POOL)`, not taken.",
        help="call an entry of the queue that takes what is needed",
        wrong="""stage svc : delay;
queue q : prefill {
  pool kv { cap 4; }
  prefill (n) { hold kv (n) { run svc (n); } }
}
session { hold q.kv (1) { run svc (1); } }
             //^^^^
run { horizon 10; }
""",
        right="""stage svc : delay;
queue q : prefill {
  pool kv { cap 4; }
  prefill (n) { hold kv (n) { run svc (n); } }
}
session { q.prefill (1); }
run { horizon 10; }
""",
        spec="02 §14.4",
    ),
    Entry(
        code="SQ0741",
        name="queue-attribute-indexed",
        severity=Severity.ERROR,
        message="`{name}` is one attribute of the session, not one per member",
        why="What an entry marks or sets is an attribute of the request that called it, named after the queue. The "
        "request was on one member, and the attribute says what happened there; the members themselves keep "
        "nothing.",
        help="delete the index",
        wrong="""stage svc : delay;
queue q[2] : prefill {
  prefill (n) { mark m; run svc (n); }
}
session {
  q[0].prefill (1);
  set a = q[0].m;
         //^^^
}
run { horizon 10; }
""",
        right="""stage svc : delay;
queue q[2] : prefill {
  prefill (n) { mark m; run svc (n); }
}
session {
  q[0].prefill (1);
  set a = q.m;
}
run { horizon 10; }
""",
        spec="02 §14.4",
    ),
    Entry(
        code="SQ0742",
        name="queue-has-no-such-name",
        severity=Severity.ERROR,
        message="`{queue}` has no pool, mark or attribute `{name}`",
        why="Outside a queue a dotted name means what its *called* entries mark or set, or one of its pools where a "
        "pool is wanted. What a gateway's route sets is the session's own attribute and has no dot.",
        help="name a mark, a `set` or a pool of the queue; what a route sets is read without the dot",
        wrong="""stage svc : delay;
queue gw : gateway { route { set w = 1; run svc (w); } }
workload { arrive batch(1); session { request gw; set v = gw.w; } }
                                                           //^
run { horizon 10; }
""",
        right="""stage svc : delay;
queue gw : gateway { route { set w = 1; run svc (w); } }
workload { arrive batch(1); session { request gw; set v = w; } }
run { horizon 10; }
""",
        spec="02 §14.4",
    ),
    Entry(
        code="SQ0743",
        name="queue-member-without-a-spelling",
        severity=Severity.ERROR,
        message="`{name}` names no pool of `{queue}`, and only pools are reached through a member",
        why="`QUEUE[i].POOL` is the one indexed dotted reference. The stage of a member is `QUEUE[i]` itself; the "
        "NICs and latencies of a family are reached by relations only.",
        help="name a pool of the queue, or the stage as `QUEUE[i]`",
        wrong="""queue q[2] { nic ps(1); }
stage svc : delay;
session { set a = queue(q[0].nic); run svc (1); }
                      //^^^^^^^^
run { horizon 10; }
""",
        right="""queue q[2] { serve ps(1); }
stage svc : delay;
session { set a = queue(q[0]); run svc (1); }
run { horizon 10; }
""",
        spec="01 §4.5",
    ),
    Entry(
        code="SQ0744",
        name="call-of-unknown-queue",
        severity=Severity.ERROR,
        message="`{name}` is no queue of this program",
        why="A statement `NAME.verb (…)` calls an entry, and the name is looked up among the queues only, anywhere "
        "in the program.",
        help="name a queue that is declared",
        wrong="""stage svc : delay;
queue q : prefill { prefill (n) { run svc (n); } }
session { r.prefill (1); }
        //^
run { horizon 10; }
""",
        right="""stage svc : delay;
queue q : prefill { prefill (n) { run svc (n); } }
session { q.prefill (1); }
run { horizon 10; }
""",
        spec="02 §14.2",
    ),
    Entry(
        code="SQ0745",
        name="call-of-missing-entry",
        severity=Severity.ERROR,
        message="`{queue}` has no entry `{entry}`",
        why="A call must name the verb and the form of an entry: with `from` and without are two forms, and a queue "
        "has the ones its text declares. A link that has a serve and no entry is not called but used by "
        "`transfer on`.",
        help="call an entry that is there; a link without an entry is used as `transfer on LINK …`",
        wrong="""stage svc : delay;
queue q : prefill { prefill (n) { run svc (n); } }
session { q.decode (1); }
          //^^^^^^
run { horizon 10; }
""",
        right="""stage svc : delay;
queue q : prefill { prefill (n) { run svc (n); } }
session { q.prefill (1); }
run { horizon 10; }
""",
        spec="02 §14.2",
    ),
    Entry(
        code="SQ0746",
        name="call-argument-count",
        severity=Severity.ERROR,
        message="`{entry}` takes {expected}, not {count}",
        why="Each parameter of an entry is replaced by one argument; a missing one would leave a name without a "
        "meaning, a surplus one would be lost.",
        help="write as many arguments as the entry has parameters",
        wrong="""stage svc : delay;
queue q : prefill { prefill (n) { run svc (n); } }
session { q.prefill (1, 2); }
                  //^^^^^^
run { horizon 10; }
""",
        right="""stage svc : delay;
queue q : prefill { prefill (n) { run svc (n); } }
session { q.prefill (1); }
run { horizon 10; }
""",
        spec="02 §14.2",
    ),
    Entry(
        code="SQ0747",
        name="call-of-family-without-index",
        severity=Severity.ERROR,
        message="`{name}` is a family of {size}; a call names the member",
        why="Each member is a machine with its own pools and stage, and a call runs on one of them. There is no "
        "default member, in a family of one neither.",
        help="write `QUEUE[0]`, or choose the member with `choose`",
        wrong="""stage svc : delay;
queue q[2] : prefill { prefill (n) { run svc (n); } }
session { q.prefill (1); }
        //^
run { horizon 10; }
""",
        right="""stage svc : delay;
queue q[2] : prefill { prefill (n) { run svc (n); } }
session { q[0].prefill (1); }
run { horizon 10; }
""",
        spec="02 §14.2",
    ),
    Entry(
        code="SQ0748",
        name="call-of-single-queue-with-index",
        severity=Severity.ERROR,
        message="`{name}` is a single queue and takes no index",
        why="Only a queue declared with a size has members to choose from.",
        help="delete the index",
        wrong="""stage svc : delay;
queue q : prefill { prefill (n) { run svc (n); } }
session { q[0].prefill (1); }
         //^^^
run { horizon 10; }
""",
        right="""stage svc : delay;
queue q : prefill { prefill (n) { run svc (n); } }
session { q.prefill (1); }
run { horizon 10; }
""",
        spec="02 §14.2",
    ),
    Entry(
        code="SQ0749",
        name="not-an-entry-call",
        severity=Severity.ERROR,
        message="a statement that starts with `{name}[…]` calls an entry: `{name}[i].VERB (…);`",
        why="Between the queue's name and the dot of the verb stands at most one index.",
        help="write one index, a dot, the verb and its arguments",
        wrong="""stage svc : delay;
queue q[2] : prefill { prefill (n) { run svc (n); } }
session { q[0][1].prefill (1); }
        //^^^^
run { horizon 10; }
""",
        right="""stage svc : delay;
queue q[2] : prefill { prefill (n) { run svc (n); } }
session { q[0].prefill (1); }
run { horizon 10; }
""",
        spec="02 §14.2",
    ),
    Entry(
        code="SQ0750",
        name="call-argument-draws",
        severity=Severity.ERROR,
        message="an argument of a call cannot draw",
        why="The argument is put in the place of the parameter, so it is evaluated where and as often as the entry "
        "reads it: a draw would give another number at each place.",
        help="draw once before the call, `set v = …;`, and pass `v`",
        wrong="""stage svc : delay;
queue q : prefill { prefill (n) { run svc (n); } }
session { q.prefill (~exp(1)); }
                   //^^^^^^^
run { horizon 10; }
""",
        right="""stage svc : delay;
queue q : prefill { prefill (n) { run svc (n); } }
session { set v = ~exp(1); q.prefill (v); }
run { horizon 10; }
""",
        spec="02 §14.2",
    ),
    Entry(
        code="SQ0751",
        name="to-of-no-link",
        severity=Severity.ERROR,
        message="`to` belongs to the call of a link's `transfer`, and this call is none",
        why="Only a link moves something from one pool to another and needs to know where to. Every other entry "
        "works on the pools of its own queue.",
        help="delete the clause",
        wrong="""pool gp { }
stage svc : delay;
queue q : prefill { prefill (n) { run svc (n); } }
session { q.prefill (1) to gp (1); }
                      //^^^^^^^^^
run { horizon 10; }
""",
        right="""pool gp { }
stage svc : delay;
queue q : prefill { prefill (n) { run svc (n); } }
session { q.prefill (1); }
run { horizon 10; }
""",
        spec="02 §14.2",
    ),
    Entry(
        code="SQ0752",
        name="call-cycle",
        severity=Severity.ERROR,
        message="this call leads back to the entry it stands in: {path}",
        why="A call is replaced by the statements of the entry, all before the run starts; an entry that comes to "
        "call itself would have to be written out for ever. Repetition is a `loop`.",
        help="take the call out of the cycle; repeat with `loop` where the first call is made",
        wrong="""stage svc : delay;
queue q : prefill { prefill (n) { r.prefill (n); } }
queue r : prefill { prefill (n) { q.prefill (n); } }
                                //^^^^^^^^^^^^^^
session { q.prefill (1); }
run { horizon 10; }
""",
        right="""stage svc : delay;
queue q : prefill { prefill (n) { r.prefill (n); } }
queue r : prefill { prefill (n) { run svc (n); } }
session { q.prefill (1); }
run { horizon 10; }
""",
        spec="02 §14.2",
    ),
    Entry(
        code="SQ0753",
        name="calls-expand-too-far",
        severity=Severity.ERROR,
        message="the calls of the program expand to more than {limit} statements",
        why="Every call is written out in full before the run, with a fresh copy of the entry; entries that call "
        "others several times multiply. The number of statements after that, 100 000 in all, is the limit.",
        help="let the entries repeat with `loop`, or call fewer levels deep",
        wrong="""stage svc : delay;
queue q0 : gateway { route { run svc (1); } }
queue q1 : gateway { route { q0.route (); q0.route (); } }
queue q2 : gateway { route { q1.route (); q1.route (); } }
queue q3 : gateway { route { q2.route (); q2.route (); } }
queue q4 : gateway { route { q3.route (); q3.route (); } }
queue q5 : gateway { route { q4.route (); q4.route (); } }
queue q6 : gateway { route { q5.route (); q5.route (); } }
queue q7 : gateway { route { q6.route (); q6.route (); } }
queue q8 : gateway { route { q7.route (); q7.route (); } }
queue q9 : gateway { route { q8.route (); q8.route (); } }
queue q10 : gateway { route { q9.route (); q9.route (); } }
queue q11 : gateway { route { q10.route (); q10.route (); } }
queue q12 : gateway { route { q11.route (); q11.route (); } }
queue q13 : gateway { route { q12.route (); q12.route (); } }
queue q14 : gateway { route { q13.route (); q13.route (); } }
queue q15 : gateway { route { q14.route (); q14.route (); } }
queue q16 : gateway { route { q15.route (); q15.route (); } }
session { q16.route (); }
        //^^^^^^^^^^^^^
run { horizon 10; }
""",
        right="""stage svc : delay;
queue q0 : gateway { route { run svc (1); } }
queue q1 : gateway { route { q0.route (); q0.route (); } }
queue q2 : gateway { route { q1.route (); q1.route (); } }
queue q3 : gateway { route { q2.route (); q2.route (); } }
queue q4 : gateway { route { q3.route (); q3.route (); } }
queue q5 : gateway { route { q4.route (); q4.route (); } }
queue q6 : gateway { route { q5.route (); q5.route (); } }
queue q7 : gateway { route { q6.route (); q6.route (); } }
queue q8 : gateway { route { q7.route (); q7.route (); } }
queue q9 : gateway { route { q8.route (); q8.route (); } }
queue q10 : gateway { route { q9.route (); q9.route (); } }
queue q11 : gateway { route { q10.route (); q10.route (); } }
queue q12 : gateway { route { q11.route (); q11.route (); } }
queue q13 : gateway { route { q12.route (); q12.route (); } }
queue q14 : gateway { route { q13.route (); q13.route (); } }
queue q15 : gateway { route { q14.route (); q14.route (); } }
queue q16 : gateway { route { q15.route (); q15.route (); } }
session { q2.route (); }
run { horizon 10; }
""",
        spec="02 §14.2",
    ),
)
