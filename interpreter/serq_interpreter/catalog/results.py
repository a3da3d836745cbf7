"""Catalogue entries of what runs show (SQ12xx); long because it is a table.

The programs show their fault when they are run, in the editor's background simulation or with `serq-lsp run`.
"""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity

ENTRIES: tuple[Entry, ...] = (
    Entry(
        "SQ1201",
        "session-never-gets-further",
        Severity.ERROR,
        "{count} preempted again without getting any further: session {session} has {units} of the {cap} units of "
        "`{pool}` at t = {time}, needs more, and starts anew ({others})",
        "A preempted session starts its hold anew. One that is preempted a second time at the same point has done work "
        "for nothing and will do so again: its need grows beyond what the pool can give it. Such a session is counted "
        "as stuck.",
        "raise the pool's `cap`, admit fewer sessions at a time, or `reserve` in the header what the body grows to",
        """pool kv { cap 20; preempt lifo; }
stage engine : step { budget 8; cost 1; memory kv; }
workload { arrive batch(1); }
session {
  hold kv (4) { run engine prefill (4) growing kv; run engine decode (30) growing kv; }
     //^^^^^^
  end;
}
run { horizon 200; }
""",
        """pool kv { cap 40; preempt lifo; }
stage engine : step { budget 8; cost 1; memory kv; }
workload { arrive batch(1); }
session {
  hold kv (4) { run engine prefill (4) growing kv; run engine decode (30) growing kv; }
  end;
}
run { horizon 200; }
""",
        spec="04 §8.5",
    ),
    Entry(
        "SQ1202",
        "hold-and-wait-cycle",
        Severity.ERROR,
        "{count} wait for each other for ever: {who} holds units and waits for {units} of `{pool}`, where {free} of "
        "{cap} are free at t = {time}{behind}",
        "Each of these sessions keeps what another needs, and gives it back only after it has got what it waits for "
        "itself. Nothing in the run can wake them any more. Taking everything in one hold, or in one order, makes such "
        "a circle impossible.",
        "take the pools in one hold (`hold a (…), b (…)`), or `reserve` what the body will need",
        """pool kv { cap 16; }
stage think : delay;
workload { arrive batch(2); }
session {
  hold kv (8) { run think (1); hold kv (8) { run think (1); } }
                                  //^^^^^^
  end;
}
run { horizon 100; }
""",
        """pool kv { cap 24; }
stage think : delay;
workload { arrive batch(2); }
session {
  hold kv (8) { run think (1); hold kv (8) { run think (1); } }
  end;
}
run { horizon 100; }
""",
        spec="04 §11.5",
    ),
    Entry(
        "SQ1203",
        "request-never-fits",
        Severity.WARNING,
        "{count} refused here: asking for more than the {cap} units that `{pool}` has",
        "A hold whose amount depends on the session alone and is above the cap can never be admitted. The session is "
        "refused at once and leaves, which a mean over those that were served does not show.",
        "raise the cap, or bound the amount: `min(n, 64)`",
        """pool kv { cap 10; }
stage think : delay;
workload { arrive batch(4); }
session { hold kv (8 + serial) { run think (1); } end; }
             //^^^^^^^^^^^^^^^
run { horizon 20; }
""",
        """pool kv { cap 16; }
stage think : delay;
workload { arrive batch(4); }
session { hold kv (8 + serial) { run think (1); } end; }
run { horizon 20; }
""",
        spec="04 §4.1",
    ),
    Entry(
        "SQ1204",
        "head-over-cap",
        Severity.ERROR,
        "at the end the head of the queue of `{queue}` asks for {need} of `{pool}`, which has {cap}",
        "The amount is read anew whenever the hold is tried and has grown beyond the pool. The head is never admitted, "
        "and behind it everybody waits: a queue serves its head first.",
        "bound the amount by the cap, or give the queue an order that does not keep such a head in front",
        """pool kv { cap 10; }
pool slots { cap 4; }
stage think : delay;
workload { arrive batch(3); }
session {
  hold slots (1) { run think (serial); hold kv (10 * used(slots)) { run think (5); } }
                                          //^^^^^^^^^^^^^^^^^^^^^
  end;
}
run { horizon 30; }
""",
        """pool kv { cap 40; }
pool slots { cap 4; }
stage think : delay;
workload { arrive batch(3); }
session {
  hold slots (1) { run think (serial); hold kv (10 * used(slots)) { run think (5); } }
  end;
}
run { horizon 30; }
""",
        spec="04 §14",
    ),
    Entry(
        "SQ1205",
        "idle-with-work",
        Severity.ERROR,
        "engine `{stage}` stands still at t = {time} although sessions are there",
        "Its last attempt served nobody: the budget, the order or the room in its memory left nothing to do. An engine "
        "tries again only when something happens, so work that nobody looks at waits for ever.",
        "give the budget a positive value in every state, and the residents room to grow",
        """pool kv { cap 64; admit via engine; }
stage engine : step { budget 4 - decoders * 4; cost 1; memory kv; }
    //^^^^^^
workload { arrive batch(1); }
session { hold kv (8) { run engine prefill (8); run engine decode (4); } end; }
run { horizon 50; }
""",
        """pool kv { cap 64; admit via engine; }
stage engine : step { budget 4; cost 1; memory kv; }
workload { arrive batch(1); }
session { hold kv (8) { run engine prefill (8); run engine decode (4); } end; }
run { horizon 50; }
""",
        spec="05 §6.3",
    ),
    Entry(
        "SQ1206",
        "overloaded",
        Severity.WARNING,
        "overloaded: {slope} more sessions arrive every second than leave ({live} are there at the end)",
        "The number of sessions in the system grows and goes on growing. No mean exists then: every number of this run "
        "depends on when it was stopped.",
        "lower the rate of the arrivals, or add capacity where the deployment is busiest",
        """stage svc : fifo;
workload { arrive poisson(2); }
         //^^^^^^^^^^^^^^^^^^
session { set t = now; run svc (~exp(1)); observe response = now - t; end; }
run { horizon 2000; warmup 100; }
""",
        """stage svc : fifo;
workload { arrive poisson(0.5); }
session { set t = now; run svc (~exp(1)); observe response = now - t; end; }
run { horizon 2000; warmup 100; }
""",
        spec="07 §2",
    ),
    Entry(
        "SQ1207",
        "claim-fails",
        Severity.ERROR,
        "claim `{claim}` fails: {failures} of {checked} that it was read, first at t = {first}",
        "A claim is what the deployment promises. The time of the first failure is that of the iteration, or of the "
        "end, at which its condition was false; the timeline around it shows what led there.",
        "look at the state at that time, then change the policy or the claim",
        """pool kv { cap 64; admit via engine; }
stage engine : step { budget 16; cost 1; memory kv; }
claim few: every iteration of engine (residents <= 2);
    //^^^
workload { arrive batch(4); }
session { hold kv (8) { run engine prefill (8); run engine decode (4); } end; }
run { horizon 50; }
""",
        """pool kv { cap 16; admit via engine; }
stage engine : step { budget 16; cost 1; memory kv; }
claim few: every iteration of engine (residents <= 2);
workload { arrive batch(4); }
session { hold kv (8) { run engine prefill (8); run engine decode (4); } end; }
run { horizon 50; }
""",
        spec="07 §6",
    ),
    Entry(
        "SQ1208",
        "claim-not-witnessed",
        Severity.WARNING,
        "claim `{claim}` was not witnessed: its condition was false at all {checked} iterations",
        "`some iteration` promises that a state is reached. A run that never reaches it neither proves the opposite "
        "nor shows what was promised: the load or the horizon may be too small.",
        "run longer, load more, or see whether the state can be reached at all (explore)",
        """pool kv { cap 64; admit via engine; }
stage engine : step { budget 16; cost 1; memory kv; }
claim many: some iteration of engine (residents >= 9);
    //^^^^
workload { arrive batch(4); }
session { hold kv (8) { run engine prefill (8); run engine decode (20); } end; }
run { horizon 50; }
""",
        """pool kv { cap 128; admit via engine; }
stage engine : step { budget 16; cost 1; memory kv; }
claim many: some iteration of engine (residents >= 9);
workload { arrive batch(12); }
session { hold kv (8) { run engine prefill (8); run engine decode (20); } end; }
run { horizon 50; }
""",
        spec="07 §6",
    ),
    Entry(
        "SQ1209",
        "observation-never-varies",
        Severity.INFO,
        "`{name}` was {value} all {count} times",
        "A measurement that never changes has an interval of width 0 and says nothing about load. Often it is taken at "
        "a point where the wait has not begun, or is a constant by mistake.",
        "measure where something can differ, or say it once in a comment",
        """stage svc : fifo;
workload { arrive poisson(0.5); }
session { set t = now; observe wait = now - t; run svc (~exp(1)); end; }
                     //^^^^^^^^^^^^^^^^^^^^^^^
run { horizon 500; }
""",
        """stage svc : fifo;
workload { arrive poisson(0.5); }
session { set t = now; run svc (~exp(1)); observe wait = now - t; end; }
run { horizon 500; }
""",
        spec="07 §4",
    ),
)
