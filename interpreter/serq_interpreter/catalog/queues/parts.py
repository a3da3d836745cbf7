"""Catalogue entries of a queue's pools, serve and nic, and its references to them (SQ0713–SQ0725); long because it is a table."""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity

ENTRIES: tuple[Entry, ...] = (
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
)
