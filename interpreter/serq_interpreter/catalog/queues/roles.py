"""Catalogue entries of names, roles and entries of queues (SQ0701–SQ0712); long because it is a table."""

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
)
