"""Catalogue entries of holds and pools (SQ04xx); long because it is a table."""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0401",
        name="pool-taken-twice-in-a-hold",
        severity=Severity.ERROR,
        message="this hold takes `{name}` twice",
        why="A hold has one allocation in each of its pools, which `grow`, `load` and `release` find by the pool's "
        "name. Two takes of one pool would be two allocations under one name.",
        help="take both amounts at once",
        wrong="""pool kv { cap 100; }
stage svc : fifo;
session { hold kv (3), kv (4) { run svc (1); } end; }
                     //^^
run { horizon 10; }
""",
        right="""pool kv { cap 100; }
stage svc : fifo;
session { hold kv (3 + 4) { run svc (1); } end; }
run { horizon 10; }
""",
        spec="02 §8",
    ),
    Entry(
        code="SQ0402",
        name="growth-outside-the-hold",
        severity=Severity.ERROR,
        message="`{word} {name}` outside a hold of `{name}`",
        why="`grow`, `load` and `growing` change the allocation of a hold that is around them in the same leg. Without "
        "such a hold there is nothing to change. A leg of a `fork` runs beside the session's holds, not inside them.",
        help="move the statement into the body of the hold, or take the pool in a hold around it",
        wrong="""pool kv { cap 100; }
stage svc : fifo;
session { hold kv (3) { run svc (1); } grow kv (2); end; }
                                          //^^
run { horizon 10; }
""",
        right="""pool kv { cap 100; }
stage svc : fifo;
session { hold kv (3) { run svc (1); grow kv (2); } end; }
run { horizon 10; }
""",
        spec="02 §8",
    ),
    Entry(
        code="SQ0403",
        name="held-under-another-spelling",
        severity=Severity.ERROR,
        message="`{word} {name}`: it is held or leased as `{held}`",
        why="Which member of a family a statement means is decided by its text, not by running it: an index is the same "
        "when it is the same number, or the same words. `i` and `i + 0` are different spellings, and so are `kv` and "
        "`kv[0]`.",
        help="write the reference as it is written there",
        wrong="""pool kv[2] { cap 100; }
stage svc : fifo;
session { set i = 1; hold kv[i] (3) { run svc (1); grow kv[i + 0] (2); } end; }
                                                      //^^^^^^^^^
run { horizon 10; }
""",
        right="""pool kv[2] { cap 100; }
stage svc : fifo;
session { set i = 1; hold kv[i] (3) { run svc (1); grow kv[i] (2); } end; }
run { horizon 10; }
""",
        spec="02 §8",
    ),
    Entry(
        code="SQ0404",
        name="release-of-what-is-not-held",
        severity=Severity.ERROR,
        message="`release {name}`: no hold around it takes `{name}`, and no hold of the program leases it",
        why="`release` gives an allocation back before its hold ends, or ends a lease that an earlier hold left behind. "
        "A lease may come from any block, so the whole program is searched for one.",
        help="release inside the hold, or give the hold a `lease {name} (time)`",
        wrong="""pool kv { cap 100; }
stage svc : fifo;
session { hold kv (3) { run svc (1); } release kv; end; }
                                             //^^
run { horizon 10; }
""",
        right="""pool kv { cap 100; }
stage svc : fifo;
session { hold kv (3) { run svc (1); } lease kv (5) release kv; end; }
run { horizon 10; }
""",
        spec="02 §8",
    ),
    Entry(
        code="SQ0405",
        name="lease-of-another-pool",
        severity=Severity.ERROR,
        message="`lease {name}`: this hold takes {held}",
        why="A lease keeps what the hold had for a while after the hold's end. It can keep only one of the hold's own "
        "takes, written as in the header.",
        help="lease a pool that the header names, or take `{name}` in the header",
        wrong="""pool kv { cap 100; }
pool slots { cap 4; }
stage svc : fifo;
session { hold kv (3) { run svc (1); } lease slots (5) end; }
                                           //^^^^^
run { horizon 10; }
""",
        right="""pool kv { cap 100; }
pool slots { cap 4; }
stage svc : fifo;
session { hold kv (3) { run svc (1); } lease kv (5) end; }
run { horizon 10; }
""",
        spec="02 §8",
    ),
    Entry(
        code="SQ0406",
        name="index-moves-inside-the-hold",
        severity=Severity.ERROR,
        message="`{name}` reads `{what}` again inside the hold, where it may mean another member",
        why="The hold evaluated the index when it was admitted, and the statement evaluates it once more. The clock, "
        "the state and a draw are different by then, so the two could name different members of the family.",
        help="put the index in an attribute above the hold and use that in both places",
        wrong="""pool kv[2] { cap 100; }
stage svc : fifo;
session { hold kv[queue(svc) > 0] (3) { grow kv[queue(svc) > 0] (1); run svc (1); } end; }
                                              //^^^^^^^^^^^^^^
run { horizon 10; }
""",
        right="""pool kv[2] { cap 100; }
stage svc : fifo;
session { set i = queue(svc) > 0; hold kv[i] (3) { grow kv[i] (1); run svc (1); } end; }
run { horizon 10; }
""",
        spec="02 §8",
    ),
    Entry(
        code="SQ0407",
        name="index-changed-inside-the-hold",
        severity=Severity.ERROR,
        message="this changes `{name}`, which the index of `{pool}` reads, inside the hold",
        why="The member is named anew by each statement inside the hold, and again if the hold is preempted and "
        "admitted once more. They all mean one member only while the attributes of the index keep their values.",
        help="copy the index to another attribute above the hold and use the copy",
        wrong="""pool kv[2] { cap 100; }
stage svc : fifo;
session { set i = 0; hold kv[i] (3) { run svc (1); set i = 1; } end; }
                                                     //^
run { horizon 10; }
""",
        right="""pool kv[2] { cap 100; }
stage svc : fifo;
session { set i = 0; set mine = i; hold kv[mine] (3) { run svc (1); set i = 1; } end; }
run { horizon 10; }
""",
        spec="02 §8",
    ),
    Entry(
        code="SQ0408",
        name="index-of-a-preemptible-hold",
        severity=Severity.ERROR,
        message="`{name}` reads `{what}`, and `{pool}` may preempt the hold: a second admission would read it again",
        why="A preempted hold goes back to the queue and its header is evaluated once more. The state and the clock "
        "have moved on, and admission and preemption themselves set `cached` and `computed`, so the second "
        "reading could name another member.",
        help="put the index in an attribute above the hold",
        wrong="""stage e : step { cost 1; }
pool kv[2] { cap 100; preempt lifo; }
session { hold kv[queue(e) > 0] (3) { run e decode (2); } end; }
                //^^^^^^^^^^^^
run { horizon 10; }
""",
        right="""stage e : step { cost 1; }
pool kv[2] { cap 100; preempt lifo; }
session { set i = queue(e) > 0; hold kv[i] (3) { run e decode (2); } end; }
run { horizon 10; }
""",
        spec="02 §8",
    ),
    Entry(
        code="SQ0409",
        name="amount-above-the-cap",
        severity=Severity.ERROR,
        message="the hold waits for {value} of `{name}`, whose cap is {cap}: it would wait for ever",
        why="A hold is admitted when what it waits for fits into the pool, counted in whole blocks. More than the cap "
        "never fits, so the first such hold would block the queue until the horizon.",
        help="ask for less, or raise the cap",
        wrong="""pool kv { cap 100; block 16; }
stage svc : fifo;
session { hold kv (97) { run svc (1); } end; }
                 //^^
run { horizon 10; }
""",
        right="""pool kv { cap 100; block 16; }
stage svc : fifo;
session { hold kv (96) { run svc (1); } end; }
run { horizon 10; }
""",
        spec="02 §4",
    ),
    Entry(
        code="SQ0410",
        name="amount-not-a-quantity",
        severity=Severity.ERROR,
        message="{part} is {value}: an amount is a number, and not negative",
        why="Units, tokens and seconds are counted from 0. The value follows from the text alone, so it would be wrong "
        "each time the statement runs.",
        help="subtract in the other direction, or bound the difference with `max(0, …)`",
        wrong="""let used_up = 5;
stage svc : fifo;
session { run svc (3 - used_up); end; }
                 //^^^^^^^^^^^
run { horizon 10; }
""",
        right="""let used_up = 5;
stage svc : fifo;
session { run svc (max(0, 3 - used_up)); end; }
run { horizon 10; }
""",
        spec="02 §4",
    ),
    Entry(
        code="SQ0411",
        name="stale-snapshot-in-a-header",
        severity=Severity.ERROR,
        message="the header reads `{name}`, a value of `{what}` from before the hold began to wait",
        why="A hold may wait long, and the pool evaluates its header at each look, when it decides. An attribute that "
        "was set from live state above the hold is by then a picture of the past.",
        help="read the state at the decision: `at admission (x = …)`, or write the observable in the header",
        wrong="""pool kv { cap 100; }
stage svc : fifo;
session {
  set room = free(kv);
  hold kv (min(room, 8)) { run svc (1); }
             //^^^^
  end;
}
run { horizon 10; }
""",
        right="""pool kv { cap 100; }
stage svc : fifo;
session {
  hold kv (min(room, 8)) at admission (room = free(kv)) { run svc (1); }
  end;
}
run { horizon 10; }
""",
        spec="02 §8.1",
    ),
    Entry(
        code="SQ0412",
        name="cached-without-cache",
        severity=Severity.ERROR,
        message="`cached` is always 0 here: the hold around it has no `cache` clause",
        why="`cached` is what the admission found left over from an earlier hold of the session. Only a hold with a "
        "`cache` clause looks for and leaves such entries; in the body of any other the name can only mislead.",
        help="append `cache (0)` to look for entries without leaving one, or `cache (units)` to leave one",
        wrong="""pool kv { cap 100; }
stage svc : fifo;
session { hold kv (8) { run svc (8 - cached); } end; }
                                   //^^^^^^
run { horizon 10; }
""",
        right="""pool kv { cap 100; }
stage svc : fifo;
session { hold kv (8) { run svc (8 - cached); } cache (0) end; }
run { horizon 10; }
""",
        spec="02 §8.1",
    ),
    Entry(
        code="SQ0413",
        name="reuse-without-cache",
        severity=Severity.ERROR,
        message="`reuse` on a hold without `cache`: it never looks for cached units",
        why="`reuse` bounds how many cached units an admission may take over. A hold without `cache` takes over none, "
        "so the bound has no effect and something is missing.",
        help="append `cache (0)`, or delete the clause",
        wrong="""pool kv { cap 100; }
stage svc : fifo;
session { hold kv (8) reuse (4) { run svc (1); } end; }
                    //^^^^^^^^^
run { horizon 10; }
""",
        right="""pool kv { cap 100; }
stage svc : fifo;
session { hold kv (8) reuse (4) { run svc (1); } cache (0) end; }
run { horizon 10; }
""",
        spec="02 §8.1",
    ),
    Entry(
        code="SQ0414",
        name="block-not-positive",
        severity=Severity.ERROR,
        message="the block of `{name}` is {value}: it must be above 0",
        why="Units are taken in whole blocks, so every amount is divided by the block's size. A size of 0 or less "
        "divides nothing.",
        help="write the block's size, or leave the option out: units are then taken one by one",
        wrong="""pool kv { cap 100; block 0; }
                       //^
stage svc : fifo;
session { hold kv (8) { run svc (1); } end; }
run { horizon 10; }
""",
        right="""pool kv { cap 100; }
stage svc : fifo;
session { hold kv (8) { run svc (1); } end; }
run { horizon 10; }
""",
        spec="02 §4",
    ),
    Entry(
        code="SQ0415",
        name="fork-in-a-preemptible-hold",
        severity=Severity.ERROR,
        message="`fork` inside a hold that pool `{pool}` may preempt",
        why="A preemption throws the session out of the hold and lets it begin the body again. A leg that had been "
        "started there would be running already, and would be started a second time.",
        help="start the leg before the hold, or take a pool without `preempt`",
        wrong="""pool kv { cap 100; preempt lifo; }
stage svc : fifo;
session { hold kv (8) { fork { run svc (1); } run svc (2); } join; end; }
                      //^^^^
run { horizon 10; }
""",
        right="""pool kv { cap 100; preempt lifo; }
stage svc : fifo;
session { fork { run svc (1); } hold kv (8) { run svc (2); } join; end; }
run { horizon 10; }
""",
        spec="02 §8",
    ),
    Entry(
        code="SQ0416",
        name="families-of-different-sizes",
        severity=Severity.ERROR,
        message="`{word} {name}`: `{name}` has {count} members and `{family}` has {size}",
        why="`admit via` and `memory` join two families member by member, or all members to the only one of the other. "
        "Any other pair of sizes leaves members without a partner.",
        help="give both the same size, or name a single one",
        wrong="""stage e[2] : step { cost 1; }
pool kv[3] { cap 100; admit via e; }
                              //^
session { hold kv[0] (8) { run e[0] decode (2); } end; }
run { horizon 10; }
""",
        right="""stage e[3] : step { cost 1; }
pool kv[3] { cap 100; admit via e; }
session { hold kv[0] (8) { run e[0] decode (2); } end; }
run { horizon 10; }
""",
        spec="02 §5",
    ),
)
