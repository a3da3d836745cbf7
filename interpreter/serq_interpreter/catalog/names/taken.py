"""Catalogue entries of names that mean two things (SQ0210-SQ0220)."""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0210",
        name="duplicate-pool",
        severity=Severity.ERROR,
        message="a second pool `{name}`",
        why="A hold names its pool, and the report lists pools by name: two of one name could not be told apart. "
        "References mean the first.",
        help="give it another name, or make the first a family `pool {name}[2]`",
        wrong="""pool kv { cap 10; }
pool kv { cap 20; }
   //^^
run { horizon 10; }
""",
        right="""pool kv { cap 10; }
pool kv2 { cap 20; }
run { horizon 10; }
""",
        spec="02 §2",
    ),
    Entry(
        code="SQ0211",
        name="duplicate-stage",
        severity=Severity.ERROR,
        message="a second stage `{name}`",
        why="Stages share one name space, and a queue with a `serve` declares a stage of the queue's own name in it.",
        help="give it another name, or make the first an array `stage {name}[2]`",
        wrong="""stage svc : fifo;
stage svc : delay;
    //^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
stage think : delay;
run { horizon 10; }
""",
        spec="02 §2",
    ),
    Entry(
        code="SQ0212",
        name="duplicate-gauge",
        severity=Severity.ERROR,
        message="a second gauge `{name}`",
        why="A gauge is a column of the report, and its name is the column's head.",
        help="give it another name",
        wrong="""pool kv { cap 10; }
gauge load = used(kv);
gauge load = free(kv);
    //^^^^
run { horizon 10; }
""",
        right="""pool kv { cap 10; }
gauge load = used(kv);
gauge room = free(kv);
run { horizon 10; }
""",
        spec="02 §15",
    ),
    Entry(
        code="SQ0213",
        name="duplicate-claim",
        severity=Severity.ERROR,
        message="a second claim `{name}`",
        why="A run answers each claim by its name, held or broken; two answers under one name would contradict each "
        "other.",
        help="give it another name, or join the two with `&&`",
        wrong="""claim sane : at end (1);
claim sane : at end (now >= 0);
    //^^^^
run { horizon 10; }
""",
        right="""claim sane : at end (1);
claim later : at end (now >= 0);
run { horizon 10; }
""",
        spec="02 §15",
    ),
    Entry(
        code="SQ0214",
        name="gauge-named-as-observation",
        severity=Severity.ERROR,
        message="`{name}` is a gauge and an observation",
        why="Gauges and observations are both series of the report: one over time, one over samples. A series has one "
        "name and one of the two kinds.",
        help="rename the gauge",
        wrong="""pool kv { cap 10; }
gauge level = used(kv);
    //^^^^^
session { observe level = used(kv); end; }
run { horizon 10; }
""",
        right="""pool kv { cap 10; }
gauge held = used(kv);
session { observe level = used(kv); end; }
run { horizon 10; }
""",
        spec="02 §15",
    ),
    Entry(
        code="SQ0215",
        name="constant-named-as-attribute",
        severity=Severity.ERROR,
        message="`{name}` is a constant and an attribute",
        why="A constant is one number for the whole program, an attribute is a number of each session. An expression "
        "that reads the name would not say which of the two it means, and `set` cannot change a constant.",
        help="rename one of them",
        wrong="""let size0 = 8;
  //^^^^^
session { set size0 = 4; end; }
run { horizon 10; }
""",
        right="""let limit = 8;
session { set size0 = 4; end; }
run { horizon 10; }
""",
        spec="02 §2",
    ),
    Entry(
        code="SQ0216",
        name="constant-named-as-context",
        severity=Severity.ERROR,
        message="`{name}` is a name that the language supplies, so it cannot be a constant",
        why="Expressions everywhere read the context variables and `inf` by their names. A constant of such a name "
        "would take the variable's place in every one of them.",
        help="rename the constant",
        wrong="""let age = 3;
  //^^^
run { horizon 10; }
""",
        right="""let max_age = 3;
run { horizon 10; }
""",
        spec="01 §1.5",
    ),
    Entry(
        code="SQ0217",
        name="attribute-named-as-context",
        severity=Severity.ERROR,
        message="`{name}` is a name that the language supplies, so it cannot be an attribute",
        why="`set` would assign something that no expression can read: the name always means the language's own "
        "variable, at the moments where it exists.",
        help="rename the attribute",
        wrong="""session { set tokens = 4; end; }
            //^^^^^^
run { horizon 10; }
""",
        right="""session { set tokens_left = 4; end; }
run { horizon 10; }
""",
        spec="01 §1.5",
    ),
    Entry(
        code="SQ0218",
        name="register-name-taken",
        severity=Severity.ERROR,
        message="the name of register `{name}` is taken: it is {other} too",
        why="A register is read by its bare name, in the keys of pools and in gauges far from its engine. So the name "
        "belongs to it alone: no attribute, constant, pool, stage or register of another engine may have it.",
        help="rename the register",
        wrong="""stage e : step { cost 1; state load = 0; iteration { set load = load + 1; serve; } }
                             //^^^^
pool load { cap 10; }
run { horizon 10; }
""",
        right="""stage e : step { cost 1; state rounds = 0; iteration { set rounds = rounds + 1; serve; } }
pool load { cap 10; }
run { horizon 10; }
""",
        spec="02 §2",
    ),
    Entry(
        code="SQ0219",
        name="register-on-an-array",
        severity=Severity.ERROR,
        message="register `{name}` on `{stage}`, an array of {size} engines",
        why="An expression reads a register by its name, without an index. With several engines each would have its "
        "own value, and a reader could not say whose it means.",
        help="declare the engines one by one, each with a register of its own name",
        wrong="""stage e[2] : step { cost 1; state k = 0; iteration { set k = k + 1; serve; } }
                          //^^^^^^^^^^^^
run { horizon 10; }
""",
        right="""stage e : step { cost 1; state k = 0; iteration { set k = k + 1; serve; } }
run { horizon 10; }
""",
        spec="02 §11",
    ),
    Entry(
        code="SQ0220",
        name="index-name-taken",
        severity=Severity.ERROR,
        message="the index `{name}` of an aggregate has the name of {other}",
        why="Inside the aggregate the name would mean the index, and right beside it something else: `used(kv[kv])` "
        "reads as one thing and is two.",
        help="give the index a name of its own",
        wrong="""let j = 2;
stage svc : fifo;
session { run svc (sum j in 3 (j)); end; }
                     //^
run { horizon 10; }
""",
        right="""let j = 2;
stage svc : fifo;
session { run svc (sum j_ in 3 (j_)); end; }
run { horizon 10; }
""",
        spec="02 §2",
    ),
)
