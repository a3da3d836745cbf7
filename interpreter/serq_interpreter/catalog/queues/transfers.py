"""Catalogue entries of transfers: calls of links, and sources of copies (SQ0763-SQ0765)."""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity

ENTRIES: tuple[Entry, ...] = (
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
)
