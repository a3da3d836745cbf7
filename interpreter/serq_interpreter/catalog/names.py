"""Catalogue entries of names, definitions and bindings (SQ02xx); long because it is a table."""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0201",
        name="unknown-name",
        severity=Severity.ERROR,
        message="nothing declares `{name}`",
        why="A name read as a value is a constant (`let`), a register (`state`), a name that the language supplies, or "
        "an attribute: something that a `set` or `choose` anywhere in the program assigns. Where that assignment "
        "stands does not matter; that there is one decides.",
        help="declare a constant with `let {name} = …;`, or assign the attribute with `set {name} = …;`",
        wrong="""stage svc : fifo;
session { run svc (prompt); end; }
                 //^^^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { set prompt = 4; run svc (prompt); end; }
run { horizon 10; }
""",
        spec="02 §2",
    ),
    Entry(
        code="SQ0202",
        name="unknown-pool",
        severity=Severity.ERROR,
        message="there is no pool `{name}`",
        why="A hold, a statement on units and the functions `used`, `free` and their fellows take the name of a `pool` "
        "item, or `QUEUE.POOL` for a queue's. Pools have a name space of their own: a stage or an attribute of this "
        "name is no pool.",
        help="declare it with `pool {name} {{ cap N; }}`",
        wrong="""pool kv { cap 10; }
stage svc : fifo;
session { hold kb (1) { run svc (1); } end; }
             //^^
run { horizon 10; }
""",
        right="""pool kv { cap 10; }
stage svc : fifo;
session { hold kv (1) { run svc (1); } end; }
run { horizon 10; }
""",
        spec="02 §2",
    ),
    Entry(
        code="SQ0203",
        name="unknown-stage",
        severity=Severity.ERROR,
        message="there is no stage `{name}`",
        why="Work is done at a stage: a `stage` item, or a queue with a `serve`, which is a stage of the queue's name. "
        "A `run` and the functions `queue`, `busy`, `work` look nowhere else.",
        help="declare it with `stage {name} : fifo;`",
        wrong="""stage svc : fifo;
session { run server1 (1); end; }
            //^^^^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { run svc (1); end; }
run { horizon 10; }
""",
        spec="02 §2",
    ),
    Entry(
        code="SQ0204",
        name="unknown-function",
        severity=Severity.ERROR,
        message="there is no function `{name}`",
        why="A name followed by `(` is one of the language's functions, or a use of an expression definition that "
        "stands above. A definition below its use, or in a library that is not used, is not there yet.",
        help="define it above with `def {name}(…) = …;`",
        wrong="""stage svc : fifo;
session { run svc (twice(2)); end; }
                 //^^^^^
run { horizon 10; }
""",
        right="""def twice(x) = 2 * x;
stage svc : fifo;
session { run svc (twice(2)); end; }
run { horizon 10; }
""",
        spec="01 §2.7",
    ),
    Entry(
        code="SQ0205",
        name="renamed-context-variable",
        severity=Severity.ERROR,
        message="`{name}` is the older name of the context variable `{now}`",
        why="Earlier editions abbreviated the context variables. The short names are free today, so a program may set "
        "an attribute of that name; one that declares nothing by it means the variable and says so in the new word.",
        help="write `{now}`",
        wrong="""stage e : step { cost 1 + ntok; }
                        //^^^^
session { decode 4; end; }
run { horizon 100; }
""",
        right="""stage e : step { cost 1 + tokens; }
session { decode 4; end; }
run { horizon 100; }
""",
        spec="02 §16",
    ),
    Entry(
        code="SQ0206",
        name="unknown-distribution",
        severity=Severity.ERROR,
        message="there is no distribution `{name}`",
        why="After `~` stands the name of a distribution: `exp`, `det`, `uniform`, `erlang`, `h2` or `bernoulli`. "
        "A definition cannot take its place; only the whole draw can stand in one.",
        help="the distributions are `exp`, `det`, `uniform`, `erlang`, `h2` and `bernoulli`",
        wrong="""stage svc : fifo;
session { run svc (~normal(4)); end; }
                  //^^^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { run svc (~exp(4)); end; }
run { horizon 10; }
""",
        spec="01 §2.7",
    ),
    Entry(
        code="SQ0207",
        name="unknown-observation",
        severity=Severity.ERROR,
        message="no `observe` names `{name}` here",
        why="An aggregate such as `total` runs over the values that the statements `observe NAME = …;` have collected. "
        "Without such a statement in the part of the program that is linked before, there is nothing to run over.",
        help="collect the values with `observe {name} = …;` in the session",
        wrong="""stage svc : fifo;
session { observe delay = 1; run svc (1); end; }
claim fine : at end (total(delays) >= 0);
                         //^^^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { observe delay = 1; run svc (1); end; }
claim fine : at end (total(delay) >= 0);
run { horizon 10; }
""",
        spec="02 §15",
    ),
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
    Entry(
        code="SQ0221",
        name="argument-count",
        severity=Severity.ERROR,
        message="`{name}` takes {count} argument(s), not {given}",
        why="Every function has one fixed number of arguments; there are no optional ones, and `min` and `max` take two.",
        help="nest the calls: `max(a, max(b, c))`",
        wrong="""stage svc : fifo;
session { run svc (max(1, 2, 3)); end; }
                 //^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { run svc (max(1, max(2, 3))); end; }
run { horizon 10; }
""",
        spec="01 §2.7",
    ),
    Entry(
        code="SQ0222",
        name="distribution-argument-count",
        severity=Severity.ERROR,
        message="`~{name}` takes {count} argument(s), not {given}",
        why="A distribution is fixed by its parameters, in order: `exp(mean)`, `det(x)`, `uniform(lo, hi)`, "
        "`erlang(k, mean)`, `h2(mean, cv2)`, `bernoulli(p)`. None has a default.",
        help="give every parameter",
        wrong="""stage svc : fifo;
session { run svc (~uniform(4)); end; }
                  //^^^^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { run svc (~uniform(0, 4)); end; }
run { horizon 10; }
""",
        spec="01 §2.7",
    ),
    Entry(
        code="SQ0223",
        name="name-needed",
        severity=Severity.ERROR,
        message="`{name}` wants the name of a {what} here",
        why="Such a function looks at a pool or stage itself, not at a number. Its argument is a bare reference; an "
        "expression, even a name in parentheses, is a value.",
        help="write the {what}'s name alone, with an index where it is a family",
        wrong="""pool kv { cap 10; }
stage svc : fifo;
session { run svc (used((kv))); end; }
                      //^^^^
run { horizon 10; }
""",
        right="""pool kv { cap 10; }
stage svc : fifo;
session { run svc (used(kv)); end; }
run { horizon 10; }
""",
        spec="01 §2.7",
    ),
    Entry(
        code="SQ0224",
        name="blocksize-misused",
        severity=Severity.ERROR,
        message="`blocksize`: {problem}",
        why="`blocksize(p)` is no reading of the run but the number written after `block` in the pool's declaration. "
        "So it needs exactly one pool that has a block, and an index of a family makes no difference.",
        help="name a pool that has a `block`",
        wrong="""pool kv { cap 64; }
stage svc : fifo;
session { run svc (blocksize(kv)); end; }
                           //^^
run { horizon 100; }
""",
        right="""pool kv { cap 64; block 16; }
stage svc : fifo;
session { run svc (blocksize(kv)); end; }
run { horizon 100; }
""",
        spec="02 §4",
    ),
    Entry(
        code="SQ0225",
        name="family-without-index",
        severity=Severity.ERROR,
        message="`{name}` is a family: say which {what} is meant",
        why="A family is many pools or stages under one name, each with units or jobs of its own. Holding or running "
        "means one of them; only `admit via`, `memory` and `spill` take the whole.",
        help="write `{name}[0]`, or any expression for the index",
        wrong="""stage worker[2] : fifo;
session { run worker (1); end; }
            //^^^^^^
run { horizon 10; }
""",
        right="""stage worker[2] : fifo;
session { run worker[0] (1); end; }
run { horizon 10; }
""",
        spec="02 §5",
    ),
    Entry(
        code="SQ0226",
        name="index-out-of-range",
        severity=Severity.ERROR,
        message="`{name}[{value}]` is no member: `{name}` has {members}, numbered from 0",
        why="This index is the same in every run, so it can be judged now: it must be a whole number from 0 to the "
        "size less one. An index that depends on the session is judged each time it is read.",
        help="use an index from 0 to the number of members less one",
        wrong="""stage worker[2] : fifo;
session { run worker[2] (1); end; }
                   //^
run { horizon 10; }
""",
        right="""stage worker[2] : fifo;
session { run worker[1] (1); end; }
run { horizon 10; }
""",
        spec="02 §5",
    ),
    Entry(
        code="SQ0227",
        name="aggregate-of-no-observation",
        severity=Severity.ERROR,
        message="`{name}` takes the name of one observation",
        why="The aggregate runs over the samples of one `observe`; it computes nothing from an expression, because "
        "the samples are what was observed, when it was.",
        help="`observe` the value under a name and aggregate that name",
        wrong="""session { observe wait = 1; end; }
claim low : at end (largest(2 * 3) < 10);
                  //^^^^^^^^^^^^^^
run { horizon 10; }
""",
        right="""session { observe wait = 1; end; }
claim low : at end (largest(wait) < 10);
run { horizon 10; }
""",
        spec="02 §15",
    ),
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
    Entry(
        code="SQ0240",
        name="definition-named-as-word",
        severity=Severity.ERROR,
        message="`{name}` is a word of the language, so it cannot name a definition",
        why="A definition is used like a function or a statement: by its name at the place where such a word may "
        "stand. A use of this one would be read as the language's own word.",
        help="rename the definition",
        wrong="""def count(x) = x + 1;
  //^^^^^
run { horizon 10; }
""",
        right="""def next(x) = x + 1;
run { horizon 10; }
""",
        spec="02 §13",
    ),
    Entry(
        code="SQ0241",
        name="duplicate-definition",
        severity=Severity.ERROR,
        message="a second definition `{name}`",
        why="A use is replaced by the body of the definition of that name; definitions of the program and of every "
        "library it uses share one list, and each name stands in it once.",
        help="rename one of them",
        wrong="""def twice(x) = 2 * x;
def twice(x) = x + x;
  //^^^^^
run { horizon 10; }
""",
        right="""def twice(x) = 2 * x;
def double(x) = x + x;
run { horizon 10; }
""",
        spec="02 §13",
    ),
    Entry(
        code="SQ0242",
        name="definition-name-taken",
        severity=Severity.ERROR,
        message="the definition `{name}` has the name of {other}",
        why="`{name}` would be a definition before `(` and something else without it. Pools, stages and constants "
        "therefore keep their names to themselves, whether they stand above or below the definition.",
        help="rename the definition",
        wrong="""def kv(x) = 2 * x;
  //^^
pool kv { cap 10; }
run { horizon 10; }
""",
        right="""def units(x) = 2 * x;
pool kv { cap 10; }
run { horizon 10; }
""",
        spec="02 §13",
    ),
    Entry(
        code="SQ0243",
        name="definition-uses-itself",
        severity=Severity.ERROR,
        message="`{name}` uses itself",
        why="A use is replaced by the body, once and before the program runs. A body that has a use of itself would be "
        "replaced without end; there is no recursion to stop it.",
        help="write the repetition with `loop`, or the terms with `sum j in N (…)`",
        wrong="""def fall(x) = x * fall(x - 1);
                //^^^^
run { horizon 10; }
""",
        right="""def fall(x) = x * (x - 1);
run { horizon 10; }
""",
        spec="02 §13",
    ),
    Entry(
        code="SQ0244",
        name="definition-uses-later",
        severity=Severity.ERROR,
        message="`{name}` is defined further down",
        why="A body sees the definitions above its own, in the order of the text. That order is what makes every "
        "expansion end.",
        help="move the definition of `{name}` up",
        wrong="""def four(x) = twice(twice(x));
            //^^^^^
def twice(x) = 2 * x;
run { horizon 10; }
""",
        right="""def twice(x) = 2 * x;
def four(x) = twice(twice(x));
run { horizon 10; }
""",
        spec="02 §13",
    ),
    Entry(
        code="SQ0245",
        name="duplicate-parameter",
        severity=Severity.ERROR,
        message="a second parameter `{name}`",
        why="The body's words that equal a parameter's name are replaced by its argument. With two of one name there "
        "would be two arguments for the same words.",
        help="rename one of them",
        wrong="""def area(a, a) = a * a;
          //^
run { horizon 10; }
""",
        right="""def area(a, b) = a * b;
run { horizon 10; }
""",
        spec="02 §13",
    ),
    Entry(
        code="SQ0246",
        name="parameter-named-as-word",
        severity=Severity.ERROR,
        message="`{name}` is a word of the language, so it cannot name a parameter",
        why="Every occurrence of a parameter's name in the body is replaced, also where the word is meant as the "
        "language's own: a parameter `max` would turn `max(1, 2)` into something else.",
        help="rename the parameter",
        wrong="""def room(free) = free + 1;
       //^^^^
run { horizon 10; }
""",
        right="""def room(units) = units + 1;
run { horizon 10; }
""",
        spec="02 §13",
    ),
    Entry(
        code="SQ0247",
        name="parameter-assigned",
        severity=Severity.ERROR,
        message="the body assigns to its parameter `{name}`",
        why="A parameter stands for the argument's text. After the replacement the statement would assign to, observe "
        "under or index with an expression, and an expression is no name.",
        help="assign to a name of its own and read the parameter",
        wrong="""def grow2(n) { set n = n + 1; }
                 //^
session { set total0 = 0; end; }
run { horizon 10; }
""",
        right="""def grow2(n) { set total0 = n + 1; }
session { set total0 = 0; end; }
run { horizon 10; }
""",
        spec="02 §13",
    ),
    Entry(
        code="SQ0248",
        name="expression-used-as-statement",
        severity=Severity.ERROR,
        message="`{name}` is defined as an expression and cannot be a statement",
        why="`def NAME(…) = …;` has a value and does nothing; `def NAME(…) {{ … }}` does something and has no value. "
        "The sign after the parameters decides which of the two a use may be.",
        help="use the value: `set NAME = {name}(…);`",
        wrong="""def twice(x) = 2 * x;
session { twice(2); end; }
        //^^^^^
run { horizon 10; }
""",
        right="""def twice(x) = 2 * x;
session { set four = twice(2); end; }
run { horizon 10; }
""",
        spec="02 §13",
    ),
    Entry(
        code="SQ0249",
        name="statements-used-as-expression",
        severity=Severity.ERROR,
        message="`{name}` is defined as statements and has no value",
        why="The body stands in braces: it is a list of statements, put where the use stands. An expression has no "
        "place for statements.",
        help="define the value with `def {name}(…) = …;`",
        wrong="""def twice(x) { set y = 2 * x; }
session { twice(1); set z = twice(2); end; }
                          //^^^^^
run { horizon 10; }
""",
        right="""def twice(x) { set y = 2 * x; }
session { twice(1); set z = y; end; }
run { horizon 10; }
""",
        spec="02 §13",
    ),
    Entry(
        code="SQ0250",
        name="drawing-argument-read-twice",
        severity=Severity.ERROR,
        message="this argument draws, and `{name}` reads it more than once",
        why="An argument is put in at every occurrence of the parameter. A draw put in twice is two draws: the two "
        "places of the body would see different numbers where they look like one.",
        help="draw once with `set v = …;` and pass `v`",
        wrong="""def square(x) = x * x;
session { set y = square(~exp(2)); end; }
                       //^^^^^^^
run { horizon 10; }
""",
        right="""def square(x) = x * x;
session { set v = ~exp(2); set y = square(v); end; }
run { horizon 10; }
""",
        spec="02 §13",
    ),
    Entry(
        code="SQ0251",
        name="argument-reads-assigned-name",
        severity=Severity.ERROR,
        message="this argument reads `{name}`, which the body assigns",
        why="The argument is read where the parameter stands, not where the use stands. If the body has assigned "
        "`{name}` by then, it is no longer the caller's value.",
        help="copy the value first: `set v = …;`, and pass `v`",
        wrong="""def note0(n) { set x = 1; observe seen = n; }
session { set x = 5; note0(x); end; }
                         //^
run { horizon 10; }
""",
        right="""def note0(n) { set x = 1; observe seen = n; }
session { set x = 5; set v = x; note0(v); end; }
run { horizon 10; }
""",
        spec="02 §13",
    ),
    Entry(
        code="SQ0252",
        name="argument-changes-with-the-turn",
        severity=Severity.ERROR,
        message="this argument reads `{name}`, which a `turn` or `request` in the body assigns",
        why="A `turn` runs the workload's turn block and renews the built-in attributes, and a `request` runs the "
        "server. The body would read the argument before and after, with different values.",
        help="copy the value first: `set v = …;`, and pass `v`",
        wrong="""stage svc : fifo;
def step1(n) { turn; run svc (n); }
session { step1(turn_no); end; }
              //^^^^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
def step1(n) { turn; run svc (n); }
session { set v = turn_no; step1(v); end; }
run { horizon 10; }
""",
        spec="02 §13",
    ),
    Entry(
        code="SQ0253",
        name="argument-reads-live-state",
        severity=Severity.ERROR,
        message="this argument of a statement definition reads {read}",
        why="Statements take time. An argument that reads the clock or a pool's or stage's state would be read at the "
        "instants of the body's statements and give another number at each.",
        help="read it once: `set v = …;`, and pass `v`",
        wrong="""stage svc : fifo;
def work2(n) { run svc (n); run svc (n); }
session { work2(queue(svc)); end; }
              //^^^^^^^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
def work2(n) { run svc (n); run svc (n); }
session { set v = queue(svc); work2(v); end; }
run { horizon 10; }
""",
        spec="02 §13",
    ),
    Entry(
        code="SQ0260",
        name="bound-twice",
        severity=Severity.ERROR,
        message="`{name}` is bound already in this `at admission`",
        why="Within the header each binding's name stands for one expression; the second would hide the first from "
        "everything but the bindings between them.",
        help="rename the second",
        wrong="""pool kv { cap 64; }
stage svc : fifo;
session { hold kv (b) at admission (b = 1, b = 2) { run svc (1); } end; }
                                         //^
run { horizon 10; }
""",
        right="""pool kv { cap 64; }
stage svc : fifo;
session { hold kv (c) at admission (b = 1, c = b + 1) { run svc (1); } end; }
run { horizon 10; }
""",
        spec="02 §8.2",
    ),
    Entry(
        code="SQ0261",
        name="binding-reads-later",
        severity=Severity.ERROR,
        message="`{name}` reads `{later}`, which is bound after it",
        why="Bindings are replaced from left to right: each may use the ones before it. One that comes later has no "
        "expression yet.",
        help="bind `{later}` first",
        wrong="""pool kv { cap 64; }
stage svc : fifo;
session { hold kv (a) at admission (a = b + 1, b = 2) { run svc (1); } end; }
                                      //^
run { horizon 10; }
""",
        right="""pool kv { cap 64; }
stage svc : fifo;
session { hold kv (a) at admission (b = 2, a = b + 1) { run svc (1); } end; }
run { horizon 10; }
""",
        spec="02 §8.2",
    ),
    Entry(
        code="SQ0262",
        name="binding-draws",
        severity=Severity.ERROR,
        message="the binding `{name}` draws",
        why="A binding is put into the header wherever its name stands, and the scheduler reads the header again each "
        "time it looks at the waiting hold. A draw would give another number at every look.",
        help="draw above the hold: `set v = ~…;`, and read `v`",
        wrong="""pool kv { cap 64; }
stage svc : fifo;
session { hold kv (n) at admission (n = ~exp(4)) { run svc (1); } end; }
                                      //^^^^^^^
run { horizon 10; }
""",
        right="""pool kv { cap 64; }
stage svc : fifo;
session { set v = ~exp(4); hold kv (n) at admission (n = v) { run svc (1); } end; }
run { horizon 10; }
""",
        spec="02 §8.2",
    ),
    Entry(
        code="SQ0263",
        name="binding-name-taken",
        severity=Severity.ERROR,
        message="the body reads the binding `{name}`, which is {other} too",
        why="A binding that only its header reads may have any name. One that the body reads becomes an attribute, and "
        "the body could mean either.",
        help="rename the binding",
        wrong="""let need = 3;
pool kv { cap 64; }
stage svc : fifo;
session { hold kv (need) at admission (need = 4) { run svc (need); } end; }
                                     //^^^^
run { horizon 10; }
""",
        right="""let need = 3;
pool kv { cap 64; }
stage svc : fifo;
session { hold kv (need_) at admission (need_ = 4) { run svc (need_); } end; }
run { horizon 10; }
""",
        spec="02 §8.2",
    ),
    Entry(
        code="SQ0264",
        name="body-reads-moving-binding",
        severity=Severity.ERROR,
        message="the body reads `{name}`, and `{name}` reads {read}",
        why="The header is read when the hold is admitted, the body after it. A binding of attributes and constants is "
        "the same at both; one of the clock, of live state or of `cached` is not, and the body would see another "
        "number than the one that was admitted.",
        help="in the body, `set` the value where it is needed",
        wrong="""pool kv { cap 64; }
stage svc : fifo;
session { hold kv (room) at admission (room = free(kv)) { run svc (room); } end; }
                                                                 //^^^^
run { horizon 10; }
""",
        right="""pool kv { cap 64; }
stage svc : fifo;
session { hold kv (room) at admission (room = free(kv)) { set left = free(kv); run svc (left); } end; }
run { horizon 10; }
""",
        spec="02 §8.2",
    ),
    Entry(
        code="SQ0265",
        name="binding-read-outside",
        severity=Severity.ERROR,
        message="`{name}` is a binding of a hold and is read outside of it",
        why="A binding belongs to its hold: to the header as an expression, to the body as an attribute. Outside, "
        "the attribute would show what some hold admitted last.",
        help="keep the value with a `set` of another name",
        wrong="""pool kv { cap 64; }
stage svc : fifo;
session { hold kv (n) at admission (n = 4) { run svc (n); } observe units = n; end; }
                                                                          //^
run { horizon 10; }
""",
        right="""pool kv { cap 64; }
stage svc : fifo;
session { hold kv (n) at admission (n = 4) { run svc (n); set kept = n; } observe units = kept; end; }
run { horizon 10; }
""",
        spec="02 §8.2",
    ),
    Entry(
        code="SQ0266",
        name="binding-reads-itself",
        severity=Severity.ERROR,
        message="the binding `{name}` reads its own name, and the body reads it too",
        why="In its own expression the name means what it meant outside, in the body it means the binding: the "
        "attribute that carries the binding would overwrite the value it was computed from.",
        help="rename the binding",
        wrong="""pool kv { cap 64; }
pool slot { cap 4; }
stage svc : fifo;
session {
  hold kv (n) at admission (n = 4) {
    hold slot (n) at admission (n = n - 3) { run svc (n); }
                                  //^
  }
  end;
}
run { horizon 10; }
""",
        right="""pool kv { cap 64; }
pool slot { cap 4; }
stage svc : fifo;
session {
  hold kv (n) at admission (n = 4) {
    hold slot (m) at admission (m = n - 3) { run svc (m); }
  }
  end;
}
run { horizon 10; }
""",
        spec="02 §8.2",
    ),
)
