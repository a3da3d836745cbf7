"""Catalogue entries of `from` and the sources of transfers (SQ0754-SQ0762)."""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity

ENTRIES: tuple[Entry, ...] = (
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
)
