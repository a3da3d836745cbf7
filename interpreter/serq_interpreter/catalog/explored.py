"""Catalogue entries of what `serq-lsp explore` finds (SQ13xx); long because it is a table.

The wrong programs show their fault in an exploration with two sessions; the right ones show none.
"""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity

ENTRIES: tuple[Entry, ...] = (
    Entry(
        "SQ1301",
        "can-deadlock",
        Severity.ERROR,
        "{count} can come to wait for ever: {who}",
        "There is an order of arrivals and events, with draws that the program allows, after which these sessions wait "
        "and nothing that can still happen will let them go on. A run meets that order sooner or later; under load it "
        "is sooner.",
        "take what is needed in one hold (`hold a (…), b (…)`) or always in the same order, or `reserve` what the body "
        "grows to",
        """pool a { cap 1; }
pool b { cap 1; }
stage think : delay;
workload { arrive poisson(1); init { set swapped = ~bernoulli(0.5); } }
session {
  branch (swapped) { hold a (1) { run think (1); hold b (1) { run think (1); } } }
  else { hold b (1) { run think (1); hold a (1) { run think (1); } } }
                                        //^^^^^
  end;
}
run { horizon 100; }
""",
        """pool a { cap 1; }
pool b { cap 1; }
stage think : delay;
workload { arrive poisson(1); init { set swapped = ~bernoulli(0.5); } }
session {
  branch (swapped) { hold a (1), b (1) { run think (2); } }
  else { hold b (1), a (1) { run think (2); } }
  end;
}
run { horizon 100; }
""",
        spec="04 §11.5",
    ),
    Entry(
        "SQ1302",
        "can-livelock",
        Severity.ERROR,
        "sessions can preempt each other for ever: session {session} loses `{pool}`, and after {length} more moves "
        "everything is as it was",
        "The way comes back to a state where it has been, and between the two no session has closed a hold, taken a turn, "
        "come or gone. Work is done, thrown away and done again; the machine is busy and nobody is served.",
        "admit so few that what they grow to fits: `reserve` it in the header",
        """pool kv { cap 20; preempt lifo; }
stage engine : step { budget 8; cost 1; memory kv; }
workload { arrive batch(2); }
session {
  hold kv (4) { run engine prefill (4) growing kv; run engine decode (30) growing kv; }
     //^^^^^^
  end;
}
run { horizon 200; }
""",
        """pool kv { cap 40; preempt lifo; reserve held; }
stage engine : step { budget 8; cost 1; memory kv; }
workload { arrive batch(2); }
session {
  hold kv (4) reserve (34) { run engine prefill (4) growing kv; run engine decode (30) growing kv; }
  end;
}
run { horizon 200; }
""",
        spec="04 §8.5",
    ),
    Entry(
        "SQ1303",
        "can-starve",
        Severity.ERROR,
        "a session can wait here for ever while others are admitted from the queue of `{pool}`: session {session} is "
        "overtaken again and again",
        "The queue's order lets whoever comes later go first, and nothing in its key grows while one waits. As long as "
        "others keep coming, the session that is worth least stays where it is.",
        "put an age into the key: `queue by (cost - waited)`",
        """pool slot { cap 1; queue by (-urgent); }
stage work : delay;
workload { arrive closed(3); init { set urgent = ~bernoulli(0.5); } }
session { hold slot (1) { run work (1); } end; }
             //^^^^^^^^
run { horizon 100; }
""",
        """pool slot { cap 1; }
stage work : delay;
workload { arrive closed(3); init { set urgent = ~bernoulli(0.5); } }
session { hold slot (1) { run work (1); } end; }
run { horizon 100; }
""",
        spec="04 §4.3",
    ),
    Entry(
        "SQ1304",
        "claim-can-fail",
        Severity.ERROR,
        "claim `{claim}` can fail: its condition is false at t = {time}, after {length} moves",
        "A run that keeps a claim says that one order of things keeps it. Here is another order, with draws that the "
        "program allows, in which the condition is false when it is read.",
        "look at the way that leads there, then change the policy or the claim",
        """pool kv { cap 64; admit via engine; }
stage engine : step { budget 16; cost 1; memory kv; }
claim alone: every iteration of engine (residents <= 1);
    //^^^^^
workload { arrive poisson(0.01); }
session { hold kv (8) { run engine prefill (8); run engine decode (4); } end; }
run { horizon 50; }
""",
        """pool kv { cap 8; admit via engine; }
stage engine : step { budget 16; cost 1; memory kv; }
claim alone: every iteration of engine (residents <= 1);
workload { arrive poisson(0.01); }
session { hold kv (8) { run engine prefill (8); run engine decode (4); } end; }
run { horizon 50; }
""",
        spec="07 §6",
    ),
    Entry(
        "SQ1305",
        "can-get-stuck",
        Severity.ERROR,
        "session {session} can be preempted on `{pool}` again without having passed position {position}, where it was "
        "preempted before",
        "Between the two preemptions the session has got nowhere: it was admitted, loaded what it had, and fell at the "
        "same point. What it needs there is more than the others leave it.",
        "raise the pool's `cap`, admit fewer sessions at a time, or `reserve` in the header what the body grows to",
        """pool kv { cap 20; preempt lifo; }
stage engine : step { budget 8; cost 1; memory kv; }
workload { arrive poisson(1); }
session {
  hold kv (4) { run engine prefill (4) growing kv; run engine decode (30) growing kv; }
     //^^^^^^
  end;
}
run { horizon 200; }
""",
        """pool kv { cap 40; preempt lifo; reserve held; }
stage engine : step { budget 8; cost 1; memory kv; }
workload { arrive poisson(1); }
session {
  hold kv (4) reserve (34) { run engine prefill (4) growing kv; run engine decode (30) growing kv; }
  end;
}
run { horizon 200; }
""",
        spec="04 §8.5",
    ),
    Entry(
        "SQ1306",
        "can-be-refused",
        Severity.WARNING,
        "session {session} can be refused here: it asks for more than the {cap} units that `{pool}` has",
        "Some draw that the program allows makes the amount larger than the pool. Such a session is turned away at the "
        "door, however empty the pool is, and a long run may never have met one.",
        "raise the cap, or bound the amount: `min(n, 64)`",
        """pool kv { cap 10; }
stage think : delay;
workload { arrive poisson(1); init { set n = 8 * ceil(~uniform(0, 2)); } }
session { hold kv (n) { run think (1); } end; }
             //^^^^^^
run { horizon 20; }
""",
        """pool kv { cap 16; }
stage think : delay;
workload { arrive poisson(1); init { set n = 8 * ceil(~uniform(0, 2)); } }
session { hold kv (n) { run think (1); } end; }
run { horizon 20; }
""",
        spec="04 §4.1",
    ),
)
