"""Catalogue entries of hidden attributes (SQ0228-SQ0230)."""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0228",
        name="hidden-twice",
        severity=Severity.ERROR,
        message="`{name}` is hidden already",
        why="`hidden` is a list of the attributes that the scheduler may not see; its clauses add up, and a second "
        "mention says nothing new. It is mostly a slip for another name.",
        help="delete it, or write the name that was meant",
        wrong="""workload {
  arrive batch(1);
  init { set out_len = 4; }
  hidden out_len, out_len;
                //^^^^^^^
}
run { horizon 10; }
""",
        right="""workload {
  arrive batch(1);
  init { set out_len = 4; }
  hidden out_len;
}
run { horizon 10; }
""",
        spec="02 §7",
    ),
    Entry(
        code="SQ0229",
        name="hidden-unknown",
        severity=Severity.ERROR,
        message="`hidden {name}`: no `set` or `choose` makes it an attribute",
        why="Only what a session carries can be hidden from the scheduler. A pool, a stage, a constant or a name that "
        "nothing assigns is no part of a session.",
        help="assign it in `init` or `turn`, or delete it from the list",
        wrong="""workload {
  arrive batch(1);
  init { set out_len = 4; }
  hidden out_length;
       //^^^^^^^^^^
}
run { horizon 10; }
""",
        right="""workload {
  arrive batch(1);
  init { set out_len = 4; }
  hidden out_len;
}
run { horizon 10; }
""",
        spec="02 §7",
    ),
    Entry(
        code="SQ0230",
        name="scheduler-attribute-hidden",
        severity=Severity.ERROR,
        message="`{name}` cannot be hidden: the scheduler sets it",
        why="`cached` and `computed` are what the scheduler itself has found out about a hold. Hiding from it what it "
        "wrote would mean nothing.",
        help="delete it from the list",
        wrong="""workload {
  arrive batch(1);
  init { set out_len = 4; }
  hidden out_len, cached;
                //^^^^^^
}
run { horizon 10; }
""",
        right="""workload {
  arrive batch(1);
  init { set out_len = 4; }
  hidden out_len;
}
run { horizon 10; }
""",
        spec="02 §7",
    ),
)
