"""Catalogue entries of what an entry's body may read and touch (SQ0726–SQ0738); long because it is a table."""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0726",
        name="self-outside-an-entry",
        severity=Severity.ERROR,
        message="`self` is the member an entry was called for; here no entry runs",
        why="Only a call `QUEUE[i].verb (…)` fixes a member, and only inside the called entry is there an `i` that "
        "the word could stand for, whatever else in the program is named `self`.",
        help="write the index itself",
        wrong="""stage svc : delay;
session {
  set a = self;
        //^^^^
  run svc (a);
}
run { horizon 10; }
""",
        right="""stage svc : delay;
session {
  set a = 0;
  run svc (a);
}
run { horizon 10; }
""",
        spec="02 §14.3",
    ),
    Entry(
        code="SQ0727",
        name="self-of-a-single-queue",
        severity=Severity.ERROR,
        message="`self` is a member's number, and `{queue}` is no family",
        why="The word is replaced by the index of the call. A queue declared without a size is called without an "
        "index, so there is nothing to put in its place; even a family of one is called as `QUEUE[0]` and has "
        "it.",
        help="write `0`, or declare the queue as a family, `QUEUE[1]`",
        wrong="""stage svc : delay;
queue q : prefill {
  prefill (n) { set y = self; run svc (y); }
                      //^^^^
}
queue gw : gateway { route { q.prefill (1); } }
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        right="""stage svc : delay;
queue q : prefill {
  prefill (n) { set y = 0; run svc (y); }
}
queue gw : gateway { route { q.prefill (1); } }
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        spec="02 §14.3",
    ),
    Entry(
        code="SQ0728",
        name="mark-outside-an-entry",
        severity=Severity.ERROR,
        message="`mark` belongs to an entry of a queue",
        why="A mark is the time stamp that a queue leaves for its callers: `mark m` in an entry of `q` sets the "
        "attribute `q.m`. Outside an entry there is no queue to name it after.",
        help="write `set NAME = now;`",
        wrong="""stage svc : delay;
session {
  mark m;
//^^^^^^^
  run svc (1);
}
run { horizon 10; }
""",
        right="""stage svc : delay;
session {
  set m = now;
  run svc (1);
}
run { horizon 10; }
""",
        spec="02 §12",
    ),
    Entry(
        code="SQ0730",
        name="not-a-part-of-a-queue",
        severity=Severity.ERROR,
        message="a queue holds pools, a serve, a NIC and entries; {found} is none of these",
        why="The body of a queue is a list of declarations, not of statements, and no part of it is closed by an "
        "extra semicolon.",
        help="delete it, or move statements into an entry",
        wrong="""stage svc : delay;
queue q : prefill {
  prefill (n) { run svc (n); };
                            //^
}
run { horizon 10; }
""",
        right="""stage svc : delay;
queue q : prefill {
  prefill (n) { run svc (n); }
}
run { horizon 10; }
""",
        spec="01 §2.6",
    ),
    Entry(
        code="SQ0731",
        name="entry-touches-outer-pool",
        severity=Severity.ERROR,
        message="{what}",
        why="An entry is the inside of one machine: it holds, grows, loads, drops and releases that machine's own "
        "pools, by their short names, and the source it was called `from`. Units of any other pool are for the "
        "caller to take, around the call.",
        help="name one of the queue's own pools, or hold the other pool where the entry is called",
        wrong="""pool gp { }
stage svc : delay;
queue q : prefill {
  prefill (n) { hold gp (n) { run svc (1); } }
                   //^^
}
run { horizon 10; }
""",
        right="""stage svc : delay;
queue q : prefill {
  pool gp { }
  prefill (n) { hold gp (n) { run svc (1); } }
}
run { horizon 10; }
""",
        spec="02 §14.3",
    ),
    Entry(
        code="SQ0732",
        name="entry-leases-outer-pool",
        severity=Severity.ERROR,
        message="{what}",
        why="A lease outlives the entry; it is how a queue keeps a result for the `from` of a later call, and what "
        "is fetched is found through the queue. So a queue leases its own pools only; this holds for a "
        "gateway's route too.",
        help="lease a pool of the queue itself, or make the hold in a server",
        wrong="""pool gp { }
stage svc : delay;
queue gw : gateway { route { hold gp (1) { run svc (1); } lease gp (1); } }
                                                              //^^
run { horizon 10; }
""",
        right="""stage svc : delay;
queue gw : gateway { pool gp { } route { hold gp (1) { run svc (1); } lease gp (1); } }
run { horizon 10; }
""",
        spec="02 §14.3",
    ),
    Entry(
        code="SQ0733",
        name="entry-header-reads-outside",
        severity=Severity.ERROR,
        message="the header of this hold reads {what}, which a queue's scheduler does not see",
        why="The header is read by the queue, again and again while the request waits, not by the session. The "
        "queue knows what arrived with the call (the parameters), its own pools and stage, constants, `cached`, "
        "`computed` and `self`; nothing of the session, no clock, nothing the entry has set.",
        help="make it a parameter and pass it in the call",
        wrong="""stage svc : delay;
queue q : prefill {
  pool kv { }
  prefill (n) { hold kv (size0) { run svc (n); } }
                       //^^^^^
}
workload { arrive none; init { set size0 = 1; } }
run { horizon 10; }
""",
        right="""stage svc : delay;
queue q : prefill {
  pool kv { }
  prefill (n) { hold kv (n) { run svc (n); } }
}
workload { arrive none; init { set size0 = 1; } }
run { horizon 10; }
""",
        spec="02 §14.3",
    ),
    Entry(
        code="SQ0734",
        name="entry-observes-outside",
        severity=Severity.ERROR,
        message="`{name}` is not a pool or stage that an entry of `{queue}` reads by that name",
        why="A queue decides by what it can see of itself: its own pools and its own stage, under their short "
        "names. Comparing machines is the deployment's business, in a gateway or a server; the long names are "
        "for there.",
        help="use the short name of an own pool, or read it at the call and pass it as the argument",
        wrong="""pool gp { }
stage svc : delay;
queue q : prefill {
  pool kv { }
  prefill (n) { hold kv (used(gp) + n) { run svc (1); } }
                            //^^
}
run { horizon 10; }
""",
        right="""stage svc : delay;
queue q : prefill {
  pool kv { }
  prefill (n) { hold kv (used(kv) + n) { run svc (1); } }
}
run { horizon 10; }
""",
        spec="02 §14.3",
    ),
    Entry(
        code="SQ0735",
        name="entry-reads-dotted-attribute",
        severity=Severity.ERROR,
        message="an entry does not read `{name}`: dotted names are for the outside of queues",
        why="`QUEUE.NAME` is how a caller reads what an entry has set or marked, after the call. Inside the entry "
        "its own attributes go by their short names, and other queues' are out of sight.",
        help="use the short name of what this entry sets, or a parameter",
        wrong="""stage svc : delay;
queue q : prefill {
  prefill (n) { set z = 1; run svc (q.z); }
                                  //^^^
}
run { horizon 10; }
""",
        right="""stage svc : delay;
queue q : prefill {
  prefill (n) { set z = 1; run svc (z); }
}
run { horizon 10; }
""",
        spec="02 §14.3",
    ),
    Entry(
        code="SQ0736",
        name="entry-reads-outside",
        severity=Severity.ERROR,
        message="an entry of `{queue}` does not see {what}",
        why="An entry is a component with a small interface: it reads its parameters, the clock, constants, the "
        "queue's own pools and stage, what it sets itself, `cached`, `computed` and the request's hidden "
        "attributes. What a session, a server or another entry sets stays theirs, and a mark is for callers "
        "only.",
        help="make it a parameter and pass it in the call",
        wrong="""stage svc : delay;
queue q : prefill {
  prefill (n) { run svc (size0); }
                       //^^^^^
}
workload { arrive none; init { set size0 = 1; } }
run { horizon 10; }
""",
        right="""stage svc : delay;
queue q : prefill {
  prefill (n) { run svc (n); }
}
workload { arrive none; init { set size0 = 1; } }
run { horizon 10; }
""",
        spec="02 §14.3",
    ),
    Entry(
        code="SQ0737",
        name="entry-assigns-parameter",
        severity=Severity.ERROR,
        message="`{name}` is a parameter of the entry and cannot be assigned",
        why="A parameter is not a variable: it is replaced by the caller's expression wherever it stands, and an "
        "expression cannot be assigned to.",
        help="set another name and use that",
        wrong="""stage svc : delay;
queue q : prefill {
  prefill (n) { set n = 1; run svc (n); }
                  //^
}
run { horizon 10; }
""",
        right="""stage svc : delay;
queue q : prefill {
  prefill (n) { set m = 1; run svc (m); }
}
run { horizon 10; }
""",
        spec="02 §14.3",
    ),
    Entry(
        code="SQ0738",
        name="aggregate-index-named-in-the-entry",
        severity=Severity.ERROR,
        message="the index `{name}` is a name of the entry already",
        why="The parameters, `self`, the source and what the entry sets are replaced throughout its body before an "
        "aggregate is written out, so an index of that name would be replaced with them.",
        help="give the index a name of its own",
        wrong="""stage svc : delay;
queue q : prefill {
  prefill (n) { run svc (max n in 2 (n)); }
                           //^
}
queue gw : gateway { route { q.prefill (1); } }
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        right="""stage svc : delay;
queue q : prefill {
  prefill (n) { run svc (max j in 2 (j)); }
}
queue gw : gateway { route { q.prefill (1); } }
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        spec="02 §14.3",
    ),
)
