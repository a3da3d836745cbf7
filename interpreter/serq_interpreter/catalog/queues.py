"""Catalogue entries of queues and relations (SQ07xx); long because it is a table."""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0701",
        name="second-queue-of-a-name",
        severity=Severity.ERROR,
        message="a queue `{name}` is declared already",
        why="Calls, relations and `request` find a queue by its name alone, in a space of its own where only other "
        "queues can clash. Two queues of one name would make every such reference ambiguous.",
        help="give one of the two another name",
        wrong="""stage svc : delay;
queue q : prefill { prefill (n) { run svc (n); } }
queue q : prefill { prefill (n) { run svc (1); } }
    //^
run { horizon 10; }
""",
        right="""stage svc : delay;
queue q : prefill { prefill (n) { run svc (n); } }
queue q2 : prefill { prefill (n) { run svc (1); } }
run { horizon 10; }
""",
        spec="02 §2",
    ),
    Entry(
        code="SQ0702",
        name="queue-named-after-a-serving-form",
        severity=Severity.ERROR,
        message="a queue cannot be named `{name}`: the word is a serving form",
        why="`prefill`, `decode`, `transfer`, `tool` and `link` look for a stage of their own name first, and a "
        "queue with a serve declares a stage of the queue's name. Such a queue would catch every form of that "
        "word.",
        help="choose a name that says what the queue is for, such as `decoder` or `router`",
        wrong="""stage svc : delay;
queue tool { serve delay; }
    //^^^^
run { horizon 10; }
""",
        right="""stage svc : delay;
queue tools { serve delay; }
run { horizon 10; }
""",
        spec="01 §1.5",
    ),
    Entry(
        code="SQ0703",
        name="unknown-role",
        severity=Severity.ERROR,
        message="`{name}` is no role: a queue is a gateway, prefill, decode or link",
        why="A role says which entries the queue offers and who may use them, and there are exactly four.",
        help="take one of `gateway`, `prefill`, `decode` and `link`, or leave the role out",
        wrong="""queue q : router { }
        //^^^^^^
run { horizon 10; }
""",
        right="""queue q { }
run { horizon 10; }
""",
        spec="02 §14.1",
    ),
    Entry(
        code="SQ0704",
        name="role-twice",
        severity=Severity.ERROR,
        message="the role `{name}` is named twice",
        why="The roles of a queue are a set: naming one again adds nothing, so it is read as a slip for another role.",
        help="delete the second one",
        wrong="""stage svc : delay;
queue q : prefill, prefill { prefill (n) { run svc (n); } }
                 //^^^^^^^
run { horizon 10; }
""",
        right="""stage svc : delay;
queue q : prefill { prefill (n) { run svc (n); } }
run { horizon 10; }
""",
        spec="02 §14.1",
    ),
    Entry(
        code="SQ0705",
        name="role-without-entry",
        severity=Severity.ERROR,
        message="the role {role} needs the entry `{entry}`, and `{queue}` has none",
        why="A role is a promise to callers: a gateway has `route`, a prefill queue `prefill (n)`, and a decode "
        "queue `decode (n)`, the form without `from`, because a request may reach it with nothing to fetch.",
        help="write the entry, with an empty body if it has nothing to do",
        wrong="""queue d : decode { decode (n) from src { release src; } }
        //^^^^^^
run { horizon 10; }
""",
        right="""queue d : decode { decode (n) { } decode (n) from src { release src; } }
run { horizon 10; }
""",
        spec="02 §14.1",
    ),
    Entry(
        code="SQ0706",
        name="link-without-cost",
        severity=Severity.ERROR,
        message="the link `{name}` says nowhere what a copy costs: it has neither a serve nor an entry `transfer`",
        why="A link is used in one of two ways: its serve is a stage that `transfer on LINK` runs on, or its entry "
        "`transfer` is called. Without either there is nothing that a transfer could take time on.",
        help="write `serve ps(BANDWIDTH);` or `transfer (n) {{ … }}` in the link",
        wrong="""queue l : link { }
    //^
run { horizon 10; }
""",
        right="""queue l : link { serve ps(4); }
run { horizon 10; }
""",
        spec="02 §14.1",
    ),
    Entry(
        code="SQ0707",
        name="entry-without-role",
        severity=Severity.ERROR,
        message="`{verb}` is an entry of the role {role}, which `{queue}` does not declare",
        why="The list after the colon is what callers and `request` go by; an entry whose role is not in it could "
        "never be reached.",
        help="add the role to the list after the queue's name",
        wrong="""stage svc : delay;
queue q : prefill {
  prefill (n) { run svc (n); }
  route { }
//^^^^^
}
run { horizon 10; }
""",
        right="""stage svc : delay;
queue q : prefill, gateway {
  prefill (n) { run svc (n); }
  route { }
}
run { horizon 10; }
""",
        spec="02 §14.1",
    ),
    Entry(
        code="SQ0708",
        name="unknown-entry",
        severity=Severity.ERROR,
        message="{what}",
        why="The verbs of entries are fixed by the roles: `route`, `prefill`, `decode` and `transfer`. Only "
        "`decode` has a second form, with `from`, because only a decode may fetch what another queue keeps for "
        "it.",
        help="use one of the four verbs; `from` goes with `decode` only",
        wrong="""stage svc : delay;
queue q : prefill {
  prefill (n) { run svc (n); }
  flush { }
//^^^^^
}
run { horizon 10; }
""",
        right="""stage svc : delay;
queue q : prefill {
  prefill (n) { run svc (n); }
}
run { horizon 10; }
""",
        spec="02 §14.1",
    ),
    Entry(
        code="SQ0709",
        name="entry-twice",
        severity=Severity.ERROR,
        message="`{queue}` has an entry `{verb}` of this form already",
        why="A call names a queue and a verb, and `from` or no `from` tells the two forms of `decode` apart. Two "
        "entries of one verb and form could not be told apart by any call.",
        help="join the two bodies, with a `branch` where they differ",
        wrong="""stage svc : delay;
queue q : prefill {
  prefill (n) { run svc (n); }
  prefill (m) { run svc (1); }
//^^^^^^^
}
run { horizon 10; }
""",
        right="""stage svc : delay;
queue q : prefill {
  prefill (n) { run svc (n); run svc (1); }
}
run { horizon 10; }
""",
        spec="02 §14.1",
    ),
    Entry(
        code="SQ0710",
        name="entry-parameter-count",
        severity=Severity.ERROR,
        message="`{verb}` takes {expected}, not {count}",
        why="What an entry is given follows from its role: a gateway's `route` is reached by `request`, which "
        "passes nothing; the others are given one number, the length or size of the work.",
        help="declare exactly the parameters of the role; other values are session state a caller can pass through "
        "that one",
        wrong="""stage svc : delay;
queue q : prefill { prefill (a, b) { run svc (a); } }
                          //^^^^^^
run { horizon 10; }
""",
        right="""stage svc : delay;
queue q : prefill { prefill (a) { run svc (a); } }
run { horizon 10; }
""",
        spec="02 §14.1",
    ),
    Entry(
        code="SQ0711",
        name="entry-parameter-repeated",
        severity=Severity.ERROR,
        message="the parameter `{name}` is named twice",
        why="A parameter is replaced by its argument wherever its name stands; one name cannot stand for two "
        "arguments.",
        help="rename or delete the second one",
        wrong="""stage svc : delay;
queue q : prefill { prefill (n, n) { run svc (n); } }
                              //^
run { horizon 10; }
""",
        right="""stage svc : delay;
queue q : prefill { prefill (n) { run svc (n); } }
run { horizon 10; }
""",
        spec="02 §14.1",
    ),
    Entry(
        code="SQ0712",
        name="gateway-family",
        severity=Severity.ERROR,
        message="the gateway `{name}` is declared as a family",
        why="`request NAME;` has no place for an index: a gateway is one door, and choosing among several machines "
        "is what its `route` is for. A family of one counts as a family.",
        help="delete the size; let `route` choose a member of the family behind it",
        wrong="""stage svc : delay;
queue gw[2] : gateway { route { run svc (1); } }
      //^^^
run { horizon 10; }
""",
        right="""stage svc : delay;
queue gw : gateway { route { run svc (1); } }
run { horizon 10; }
""",
        spec="02 §14.1",
    ),
    Entry(
        code="SQ0713",
        name="queue-pool-array",
        severity=Severity.ERROR,
        message="a queue's pool has no size of its own",
        why="The size of a queue is the number of its machines, and every machine has one of each of the queue's "
        "pools: the family `QUEUE.POOL` gets its members from the queue. A second dimension does not exist.",
        help="delete the size; give the queue a size for more machines, or declare several pools",
        wrong="""stage svc : delay;
queue q : prefill {
  pool kv[2] { }
       //^^^
  prefill (n) { run svc (n); }
}
run { horizon 10; }
""",
        right="""stage svc : delay;
queue q[2] : prefill {
  pool kv { }
  prefill (n) { run svc (n); }
}
run { horizon 10; }
""",
        spec="02 §14.1",
    ),
    Entry(
        code="SQ0714",
        name="queue-pool-repeated",
        severity=Severity.ERROR,
        message="`{queue}` has a pool `{name}` already",
        why="Entries name the queue's pools by their short names, and the pool becomes `QUEUE.POOL` for the rest of "
        "the program. Both names stand for one pool.",
        help="give the second pool another name",
        wrong="""queue q {
  pool kv { }
  pool kv { cap 4; }
     //^^
}
run { horizon 10; }
""",
        right="""queue q {
  pool kv { }
  pool slots { cap 4; }
}
run { horizon 10; }
""",
        spec="02 §14.1",
    ),
    Entry(
        code="SQ0715",
        name="queue-pool-too-late",
        severity=Severity.ERROR,
        message="the pools of a queue stand above its serve and its entries",
        why="The parts of a queue are read in order, and a serve's `memory` and an entry's names mean the pools "
        "above them. A pool further down would be unknown to what it belongs to.",
        help="move the pool to the top of the queue",
        wrong="""stage svc : delay;
queue q : prefill {
  prefill (n) { run svc (n); }
  pool kv { }
//^^^^
}
run { horizon 10; }
""",
        right="""stage svc : delay;
queue q : prefill {
  pool kv { }
  prefill (n) { run svc (n); }
}
run { horizon 10; }
""",
        spec="02 §14.1",
    ),
    Entry(
        code="SQ0716",
        name="queue-serve-too-late",
        severity=Severity.ERROR,
        message="the serve of a queue stands above its entries",
        why="`run (W);` and the serving forms of an entry mean the serve above them.",
        help="move the serve above the first entry",
        wrong="""stage svc : delay;
queue q : prefill {
  prefill (n) { run svc (n); }
  serve delay;
//^^^^^
}
run { horizon 10; }
""",
        right="""stage svc : delay;
queue q : prefill {
  serve delay;
  prefill (n) { run svc (n); }
}
run { horizon 10; }
""",
        spec="02 §14.1",
    ),
    Entry(
        code="SQ0717",
        name="queue-nic-too-late",
        severity=Severity.ERROR,
        message="the NIC of a queue stands above its entries",
        why="A transfer without `on` in an entry goes over the queue's own NIC, which has to be known when the "
        "entry is read.",
        help="move the NIC above the first entry",
        wrong="""stage svc : delay;
queue q : prefill {
  prefill (n) { run svc (n); }
  nic ps(1);
//^^^
}
run { horizon 10; }
""",
        right="""stage svc : delay;
queue q : prefill {
  nic ps(1);
  prefill (n) { run svc (n); }
}
run { horizon 10; }
""",
        spec="02 §14.1",
    ),
    Entry(
        code="SQ0718",
        name="second-serve",
        severity=Severity.ERROR,
        message="`{queue}` has a serve already",
        why="A queue stands for one kind of machine with one engine: the serve is the stage that bears the queue's "
        "name, so there is room for one.",
        help="declare the second stage at top level, or as a queue of its own",
        wrong="""queue q {
  serve fifo;
  serve delay;
//^^^^^
}
run { horizon 10; }
""",
        right="""queue q {
  serve fifo;
}
run { horizon 10; }
""",
        spec="02 §14.1",
    ),
    Entry(
        code="SQ0719",
        name="second-nic",
        severity=Severity.ERROR,
        message="`{queue}` has a NIC already",
        why="The NIC is the one stage `QUEUE.nic` that the queue's relations copy over; a second one would have no "
        "name and no relation.",
        help="keep one; a further port is a queue of its own with the role link",
        wrong="""queue q {
  nic ps(1);
  nic ps(2);
//^^^
}
run { horizon 10; }
""",
        right="""queue q {
  nic ps(1);
}
run { horizon 10; }
""",
        spec="02 §14.1",
    ),
    Entry(
        code="SQ0720",
        name="latency-of-no-link",
        severity=Severity.ERROR,
        message="{what}",
        why="A latency in a declaration is the fixed wait before each `transfer on` of that queue, and only a queue "
        "with the role link is used by `transfer on`. Between two NICs the latency belongs to the relation.",
        help="delete it here; write it on the relation, `READER pull SOURCE latency X share …`, or give the queue "
        "the role link",
        wrong="""queue q {
  serve ps(1) latency 2;
            //^^^^^^^^^
}
run { horizon 10; }
""",
        right="""queue q : link {
  serve ps(1) latency 2;
}
run { horizon 10; }
""",
        spec="02 §14.1",
    ),
    Entry(
        code="SQ0721",
        name="link-latency-not-constant",
        severity=Severity.ERROR,
        message="the latency of a link is a number known here: it is made of numbers and constants declared above",
        why="The latency is read while the text is read, and declares a delay stage; a constant further down, an "
        "attribute or a draw has no value yet.",
        help="move the `let` above the queue",
        wrong="""queue l : link { serve ps(1) latency w; }
                                   //^
let w = 1;
run { horizon 10; }
""",
        right="""let w = 1;
queue l : link { serve ps(1) latency w; }
run { horizon 10; }
""",
        spec="02 §4",
    ),
    Entry(
        code="SQ0722",
        name="link-latency-and-entry",
        severity=Severity.ERROR,
        message="the link `{name}` has both a latency and an entry `transfer`",
        why="A link is either used by its serve (`transfer on`, which waits the latency first) or called by its "
        "entry. A called link writes every wait in the entry itself, so a latency beside it would never pass.",
        help="delete the latency and write the wait as a `run` in the entry, or delete the entry",
        wrong="""queue l : link {
  serve ps(1) latency 2;
            //^^^^^^^^^
  transfer (n) { run (n); }
}
run { horizon 10; }
""",
        right="""queue l : link {
  serve ps(1) latency 2;
}
run { horizon 10; }
""",
        spec="02 §14.1",
    ),
    Entry(
        code="SQ0723",
        name="run-without-serve",
        severity=Severity.ERROR,
        message="`run (…)` means the queue's own serve, and `{queue}` has none",
        why="A run without a stage is the entry's way to use the machine it belongs to. A queue without a serve has "
        "pools and entries but no machine.",
        help="add `serve KIND` to the queue, or name the stage to run on",
        wrong="""stage svc : delay;
queue q : prefill {
  prefill (n) { run (n); }
                  //^
}
run { horizon 10; }
""",
        right="""stage svc : delay;
queue q : prefill {
  serve delay;
  prefill (n) { run (n); }
}
run { horizon 10; }
""",
        spec="02 §14.3",
    ),
    Entry(
        code="SQ0724",
        name="own-stage-indexed",
        severity=Severity.ERROR,
        message="an entry names its own stage `{name}` without an index",
        why="An entry runs on the member it was called for; that member's stage is what the bare name means. "
        "Another member of the family is another machine, which an entry does not reach into.",
        help="delete the index",
        wrong="""queue q[2] : prefill {
  serve delay;
  prefill (n) { run q[self] (n); }
                   //^^^^^^
}
queue gw : gateway { route { q[1].prefill (1); } }
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        right="""queue q[2] : prefill {
  serve delay;
  prefill (n) { run q (n); }
}
queue gw : gateway { route { q[1].prefill (1); } }
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        spec="02 §14.3",
    ),
    Entry(
        code="SQ0725",
        name="own-pool-indexed",
        severity=Severity.ERROR,
        message="an entry names its own pool `{name}` without an index",
        why="An entry works on the member it was called for; that member's pool is what the short name means. The "
        "pools of other members are out of its reach.",
        help="delete the index",
        wrong="""stage svc : delay;
queue q : prefill {
  pool kv { }
  prefill (n) { hold kv[0] (n) { run svc (1); } }
                     //^^^
}
queue gw : gateway { route { q.prefill (1); } }
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        right="""stage svc : delay;
queue q : prefill {
  pool kv { }
  prefill (n) { hold kv (n) { run svc (1); } }
}
queue gw : gateway { route { q.prefill (1); } }
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        spec="02 §14.3",
    ),
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
    Entry(
        code="SQ0754",
        name="from-family-without-index",
        severity=Severity.ERROR,
        message="`{name}` is a family of {size}; `from` names the member",
        why="What is fetched lies in the pool of one machine, so the call says which.",
        help="write `QUEUE[i]` with the index of the call that left it there",
        wrong="""queue p[2] : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue d[2] : decode {
  pool kv { cap 64; }
  nic ps(8);
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { transfer (n) from src to kv (n); } }
}
d pull p share maxmin;
queue gw : gateway { route { p[0].prefill (4); d[1].decode (4) from p; } }
                                                                  //^
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        right="""queue p[2] : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue d[2] : decode {
  pool kv { cap 64; }
  nic ps(8);
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { transfer (n) from src to kv (n); } }
}
d pull p share maxmin;
queue gw : gateway { route { p[0].prefill (4); d[1].decode (4) from p[0]; } }
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        spec="02 §14.2",
    ),
    Entry(
        code="SQ0755",
        name="from-single-queue-with-index",
        severity=Severity.ERROR,
        message="`{name}` is a single queue and takes no index",
        why="The index after `from` says on which machine the units wait that the call fetches. A queue declared "
        "without a size is one machine, and its pool is found without an index.",
        help="delete the index",
        wrong="""queue p : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue d[2] : decode {
  pool kv { cap 64; }
  nic ps(8);
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { transfer (n) from src to kv (n); } }
}
d pull p share maxmin;
queue gw : gateway { route { p.prefill (4); d[1].decode (4) from p[0]; } }
                                                                //^^^
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        right="""queue p : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue d[2] : decode {
  pool kv { cap 64; }
  nic ps(8);
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { transfer (n) from src to kv (n); } }
}
d pull p share maxmin;
queue gw : gateway { route { p.prefill (4); d[1].decode (4) from p; } }
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        spec="02 §14.2",
    ),
    Entry(
        code="SQ0756",
        name="from-no-queue",
        severity=Severity.ERROR,
        message="`from` takes a queue, and `{name}` is one of its pools",
        why="Which pool keeps the result is the source's own affair: the entries of the queue lease it, and `from` "
        "finds it through the queue.",
        help="name the queue alone",
        wrong="""queue p[2] : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue d[2] : decode {
  pool kv { cap 64; }
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { release src; } }
}
queue gw : gateway { route { p[0].prefill (4); d[1].decode (4) from p[0].kv; } }
                                                                  //^^^^^^^
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        right="""queue p[2] : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue d[2] : decode {
  pool kv { cap 64; }
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { release src; } }
}
queue gw : gateway { route { p[0].prefill (4); d[1].decode (4) from p[0]; } }
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        spec="02 §14.2",
    ),
    Entry(
        code="SQ0757",
        name="from-queue-that-leases-nothing",
        severity=Severity.ERROR,
        message="no entry of `{name}` leases a pool, so there is nothing to fetch",
        why="A request carries something from one queue to the next by a lease: the hold of the first entry ends "
        "with `lease POOL (T)` and the units stay its own until the second releases them.",
        help="end the hold in the entry of the source with `lease POOL (inf)`",
        wrong="""queue p[2] : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } }
}
queue d[2] : decode {
  pool kv { cap 64; }
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { release src; } }
}
queue gw : gateway { route { p[0].prefill (4); d[1].decode (4) from p[0]; } }
                                                                  //^
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        right="""queue p[2] : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue d[2] : decode {
  pool kv { cap 64; }
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { release src; } }
}
queue gw : gateway { route { p[0].prefill (4); d[1].decode (4) from p[0]; } }
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        spec="02 §14.2",
    ),
    Entry(
        code="SQ0758",
        name="from-queue-that-leases-sometimes",
        severity=Severity.ERROR,
        message="not every way through the entries of `{name}` leases a pool",
        why="Which entry ran and which arm it took is not known where `from` stands. So every entry of the source "
        "must lease on every way through: a lease in both arms of a branch counts, one in a single arm or in a "
        "loop does not.",
        help="lease in every entry and in both arms of its branches",
        wrong="""queue p[2] : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { branch (n > 4) { hold kv (n) { run (n); } lease kv (inf); } }
}
queue d[2] : decode {
  pool kv { cap 64; }
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { release src; } }
}
queue gw : gateway { route { p[0].prefill (4); d[1].decode (4) from p[0]; } }
                                                                  //^
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        right="""queue p[2] : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue d[2] : decode {
  pool kv { cap 64; }
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { release src; } }
}
queue gw : gateway { route { p[0].prefill (4); d[1].decode (4) from p[0]; } }
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        spec="02 §14.2",
    ),
    Entry(
        code="SQ0759",
        name="source-leases-several-pools",
        severity=Severity.ERROR,
        message="an entry of `{queue}` leases `{first}` already; `from {queue}` could mean either",
        why="`from` names a queue and means its leased pool, so all entries of a source lease one and the same pool.",
        help="lease the same pool everywhere",
        wrong="""queue p[2] : prefill, decode {
  pool kv { cap 64; }
  pool out { }
  serve delay;
  nic ps(8);
  decode (n) { hold out (n) { run (n); } lease out (inf); }
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
                                             //^^
}
queue d[2] : decode {
  pool kv { cap 64; }
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { release src; } }
}
queue gw : gateway { route { p[0].prefill (4); d[1].decode (4) from p[0]; } }
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        right="""queue p[2] : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue d[2] : decode {
  pool kv { cap 64; }
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { release src; } }
}
queue gw : gateway { route { p[0].prefill (4); d[1].decode (4) from p[0]; } }
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        spec="02 §14.2",
    ),
    Entry(
        code="SQ0760",
        name="source-as-number",
        severity=Severity.ERROR,
        message="`{name}` is the source pool of the call, not a number",
        why="The name after `from` stands for the pool that the source leases: `used(SOURCE)`, `release SOURCE` and "
        "the like read it. It is a number, the member's, inside an index only.",
        help="read the pool with a function, such as `used(SOURCE)`, or pass a number as the parameter",
        wrong="""queue p[2] : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue d[2] : decode {
  pool kv { cap 64; }
  decode (n) { hold kv (n) { } }
  decode (n) from src { set y = src; release src; }
                              //^^^
}
run { horizon 10; }
""",
        right="""queue p[2] : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue d[2] : decode {
  pool kv { cap 64; }
  decode (n) { hold kv (n) { } }
  decode (n) from src { set y = used(src); release src; }
}
run { horizon 10; }
""",
        spec="02 §14.3",
    ),
    Entry(
        code="SQ0761",
        name="source-indexed",
        severity=Severity.ERROR,
        message="the source `{name}` takes no index",
        why="The call has said which member it fetches from; the name means that member's pool.",
        help="delete the index",
        wrong="""queue p[2] : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue d[2] : decode {
  pool kv { cap 64; }
  decode (n) { hold kv (n) { } }
  decode (n) from src { release src[0]; }
                                 //^^^
}
queue gw : gateway { route { p[0].prefill (4); d[1].decode (4) from p[0]; } }
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        right="""queue p[2] : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue d[2] : decode {
  pool kv { cap 64; }
  decode (n) { hold kv (n) { } }
  decode (n) from src { release src; }
}
queue gw : gateway { route { p[0].prefill (4); d[1].decode (4) from p[0]; } }
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        spec="02 §14.3",
    ),
    Entry(
        code="SQ0762",
        name="source-index-of-a-single-queue",
        severity=Severity.ERROR,
        message="as an index `{name}` is the number of the source's member, and this call comes from a single queue",
        why="Only a source that was declared with a size has member numbers.",
        help="declare the source as a family, or use another index such as `self`",
        wrong="""queue l[2] : link { serve ps(4); }
queue p : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue d[2] : decode {
  pool kv { cap 64; }
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { transfer on l[src] (n) from src to kv (n); } }
                                                  //^^^
}
queue gw : gateway { route { p.prefill (4); d[1].decode (4) from p; } }
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        right="""queue l[2] : link { serve ps(4); }
queue p : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue d[2] : decode {
  pool kv { cap 64; }
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { transfer on l[self] (n) from src to kv (n); } }
}
queue gw : gateway { route { p.prefill (4); d[1].decode (4) from p; } }
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        spec="02 §14.3",
    ),
    Entry(
        code="SQ0763",
        name="link-call-without-pools",
        severity=Severity.ERROR,
        message="a link's `transfer` is called with `from POOL to POOL (units)`",
        why="After the entry's own statements the copy is booked: units are loaded at the target and released at "
        "the source. Both have to be named, because the link has neither.",
        help="write both clauses",
        wrong="""pool a { }
queue l : link { serve ps(4); transfer (k) { run (k); } }
session { hold a (1) { l.transfer (1) to a (1); } }
                     //^^^^^^^^^^^^^^^^^^^^^^^^
run { horizon 10; }
""",
        right="""pool a { }
pool b { }
queue l : link { serve ps(4); transfer (k) { run (k); } }
session { hold b (1) { hold a (1) { l.transfer (1) from b to a (1); } } }
run { horizon 10; }
""",
        spec="02 §14.2",
    ),
    Entry(
        code="SQ0764",
        name="transfer-without-relation",
        severity=Severity.ERROR,
        message="`{queue}` has a NIC and no relation, so this transfer has no way to go",
        why="A transfer without `on` in a queue with a NIC copies from the source's NIC to the queue's own, and a "
        "relation is what connects the two. A relation in the other direction does not help.",
        help="declare `QUEUE pull SOURCE share maxmin;` below both queues, or name a stage with `on`",
        wrong="""queue p[2] : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue d[2] : decode {
  pool kv { cap 64; }
  nic ps(8);
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { transfer (n) from src to kv (n); } }
                                    //^^^^^^^^
}
queue gw : gateway { route { p[0].prefill (4); d[1].decode (4) from p[0]; } }
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        right="""queue p[2] : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue d[2] : decode {
  pool kv { cap 64; }
  nic ps(8);
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { transfer (n) from src to kv (n); } }
}
d pull p share maxmin;
queue gw : gateway { route { p[0].prefill (4); d[1].decode (4) from p[0]; } }
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        spec="02 §14.5",
    ),
    Entry(
        code="SQ0765",
        name="transfer-from-another-source",
        severity=Severity.ERROR,
        message="over a relation a transfer takes from the entry's source, written bare: `from {source}`",
        why="The relation connects two machines: the one the entry runs on and the one it was called `from`. The "
        "pool at the far end is the one that the source leases, which only the source's name stands for.",
        help="write `from` and the name that stands after `from` in the entry's head",
        wrong="""queue p[2] : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue d[2] : decode {
  pool kv { cap 64; }
  nic ps(8);
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { transfer (n) from kv to kv (n); } }
                                                      //^^
}
d pull p share maxmin;
queue gw : gateway { route { p[0].prefill (4); d[1].decode (4) from p[0]; } }
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        right="""queue p[2] : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue d[2] : decode {
  pool kv { cap 64; }
  nic ps(8);
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { transfer (n) from src to kv (n); } }
}
d pull p share maxmin;
queue gw : gateway { route { p[0].prefill (4); d[1].decode (4) from p[0]; } }
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        spec="02 §14.5",
    ),
    Entry(
        code="SQ0770",
        name="relation-with-unknown-queue",
        severity=Severity.ERROR,
        message="{what}",
        why="A relation adds to two queues that have been read, their NICs in particular, so both stand above it.",
        help="declare the queue above the relation",
        wrong="""queue p[2] : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue d[2] : decode {
  pool kv { cap 64; }
  nic ps(8);
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { transfer (n) from src to kv (n); } }
}
d pull z share maxmin;
     //^
run { horizon 10; }
""",
        right="""queue p[2] : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue d[2] : decode {
  pool kv { cap 64; }
  nic ps(8);
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { transfer (n) from src to kv (n); } }
}
d pull p share maxmin;
queue gw : gateway { route { p[0].prefill (4); d[1].decode (4) from p[0]; } }
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        spec="02 §14.5",
    ),
    Entry(
        code="SQ0771",
        name="relation-with-itself",
        severity=Severity.ERROR,
        message="`{name}` cannot copy to itself",
        why="A relation carries a copy between the NICs of two queues. Within one queue nothing has to move over a "
        "network.",
        help="name the other queue",
        wrong="""queue p[2] : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue d[2] : decode {
  pool kv { cap 64; }
  nic ps(8);
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { transfer (n) from src to kv (n); } }
}
d pull d share maxmin;
     //^
run { horizon 10; }
""",
        right="""queue p[2] : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue d[2] : decode {
  pool kv { cap 64; }
  nic ps(8);
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { transfer (n) from src to kv (n); } }
}
d pull p share maxmin;
queue gw : gateway { route { p[0].prefill (4); d[1].decode (4) from p[0]; } }
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        spec="02 §14.5",
    ),
    Entry(
        code="SQ0772",
        name="relation-without-nic",
        severity=Severity.ERROR,
        message="`{name}` has no NIC for the relation to copy over",
        why="A copy takes time at both ends at once, on the NICs of the two queues.",
        help="add `nic ps(BANDWIDTH);` to the queue",
        wrong="""queue p[2] : prefill {
  pool kv { cap 64; }
  serve delay;
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue d[2] : decode {
  pool kv { cap 64; }
  nic ps(8);
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { transfer (n) from src to kv (n); } }
}
d pull p share maxmin;
     //^
run { horizon 10; }
""",
        right="""queue p[2] : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue d[2] : decode {
  pool kv { cap 64; }
  nic ps(8);
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { transfer (n) from src to kv (n); } }
}
d pull p share maxmin;
queue gw : gateway { route { p[0].prefill (4); d[1].decode (4) from p[0]; } }
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        spec="02 §14.5",
    ),
    Entry(
        code="SQ0773",
        name="second-relation-of-a-reader",
        severity=Severity.ERROR,
        message="`{name}` reads over a relation already",
        why="In the entries of the reader a bare `transfer … from SOURCE` uses the reader's relation, so a queue "
        "reads over one. A `push` towards it counts like a `pull` of its own; one source may serve many "
        "readers.",
        help="delete one of the two, or name a link with `transfer on` for the second source",
        wrong="""queue p[2] : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue d[2] : decode {
  pool kv { cap 64; }
  nic ps(8);
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { transfer (n) from src to kv (n); } }
}
d pull p share maxmin;
p push d share maxmin;
     //^
run { horizon 10; }
""",
        right="""queue p[2] : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue d[2] : decode {
  pool kv { cap 64; }
  nic ps(8);
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { transfer (n) from src to kv (n); } }
}
d pull p share maxmin;
queue gw : gateway { route { p[0].prefill (4); d[1].decode (4) from p[0]; } }
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        spec="02 §14.5",
    ),
    Entry(
        code="SQ0774",
        name="second-latency-of-a-poster",
        severity=Severity.ERROR,
        message="`{name}` posts its copies with a latency already",
        why="The latency is the time the posting side needs to start a copy: the reader's of a pull, the source's "
        "of a push. It is one delay stage of that queue, whatever the value.",
        help="state the latency in one of the relations only",
        wrong="""queue p[2] : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue d[2] : decode {
  pool kv { cap 64; }
  nic ps(8);
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { transfer (n) from src to kv (n); } }
}
queue f[2] : decode {
  pool kv { cap 64; }
  nic ps(8);
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { transfer (n) from src to kv (n); } }
}
p push d latency 1 share maxmin;
p push f latency 2 share maxmin;
       //^^^^^^^^^
run { horizon 10; }
""",
        right="""queue p[2] : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue d[2] : decode {
  pool kv { cap 64; }
  nic ps(8);
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { transfer (n) from src to kv (n); } }
}
queue f[2] : decode {
  pool kv { cap 64; }
  nic ps(8);
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { transfer (n) from src to kv (n); } }
}
p push d latency 1 share maxmin;
p push f share maxmin;
queue gw : gateway { route { p[0].prefill (4); d[1].decode (4) from p[0]; } }
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        spec="02 §14.5",
    ),
    Entry(
        code="SQ0775",
        name="relation-latency-not-constant",
        severity=Severity.ERROR,
        message="the latency of a relation is a number known here: it is made of numbers and constants declared above",
        why="A relation is complete where it is written: with its latency it adds a delay stage to the queue that "
        "posts the copies, and every copy waits the same time there. Only what stands above has a value at that "
        "point; what differs from copy to copy is work, and belongs into the transfer.",
        help="move the `let` above the relation",
        wrong="""queue p[2] : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue d[2] : decode {
  pool kv { cap 64; }
  nic ps(8);
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { transfer (n) from src to kv (n); } }
}
d pull p latency w share maxmin;
               //^
let w = 1;
run { horizon 10; }
""",
        right="""let w = 1;
queue p[2] : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue d[2] : decode {
  pool kv { cap 64; }
  nic ps(8);
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { transfer (n) from src to kv (n); } }
}
d pull p latency w share maxmin;
queue gw : gateway { route { p[0].prefill (4); d[1].decode (4) from p[0]; } }
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        spec="02 §14.5",
    ),
    Entry(
        code="SQ0776",
        name="policies-differ",
        severity=Severity.ERROR,
        message="the program shares by `{first}` already, and this says `{name}`",
        why="All copies that run at the same time compete for the same capacities, and one rule divides these: "
        "there is one policy per program, however many relations name it.",
        help="use one policy everywhere",
        wrong="""queue p[2] : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue d[2] : decode {
  pool kv { cap 64; }
  nic ps(8);
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { transfer (n) from src to kv (n); } }
}
queue f[2] : decode {
  pool kv { cap 64; }
  nic ps(8);
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { transfer (n) from src to kv (n); } }
}
d pull p share maxmin;
f pull p share bottleneck;
             //^^^^^^^^^^
queue gw : gateway { route { p[0].prefill (4); d[1].decode (4) from p[0]; } }
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        right="""queue p[2] : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue d[2] : decode {
  pool kv { cap 64; }
  nic ps(8);
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { transfer (n) from src to kv (n); } }
}
queue f[2] : decode {
  pool kv { cap 64; }
  nic ps(8);
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { transfer (n) from src to kv (n); } }
}
d pull p share maxmin;
f pull p share maxmin;
queue gw : gateway { route { p[0].prefill (4); d[1].decode (4) from p[0]; } }
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        spec="02 §14.5",
    ),
    Entry(
        code="SQ0777",
        name="from-outside-the-relation",
        severity=Severity.ERROR,
        message="`{reader}` reads from `{source}` over its relation, not from `{name}`",
        why="The transfers in the reader's entries go over the NICs that its relation connects; fetched from "
        "another queue they would copy over a connection that does not exist.",
        help="call it from the queue the relation names, or use a link for the other one",
        wrong="""queue p3[2] : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue p[2] : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue d[2] : decode {
  pool kv { cap 64; }
  nic ps(8);
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { transfer (n) from src to kv (n); } }
}
d pull p share maxmin;
queue gw : gateway { route { p3[0].prefill (4); d[1].decode (4) from p3[0]; } }
                                                                   //^^^^^
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        right="""queue p3[2] : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue p[2] : prefill {
  pool kv { cap 64; }
  serve delay;
  nic ps(8);
  prefill (n) { hold kv (n) { run (n); } lease kv (inf); }
}
queue d[2] : decode {
  pool kv { cap 64; }
  nic ps(8);
  decode (n) { hold kv (n) { } }
  decode (n) from src { hold kv (n) { transfer (n) from src to kv (n); } }
}
d pull p share maxmin;
queue gw : gateway { route { p[0].prefill (4); d[1].decode (4) from p[0]; } }
workload { arrive batch(1); session { request gw; } }
run { horizon 10; }
""",
        spec="02 §14.5",
    ),
)
"""The entries in the order of their codes."""
