"""Catalogue entries of relations between queues (SQ0770–SQ0777); long because it is a table."""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity

ENTRIES: tuple[Entry, ...] = (
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
