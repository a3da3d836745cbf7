"""Catalogue entries of syntax, definitions and libraries (SQ01xx); long because it is a table."""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ0101",
        name="unexpected-character",
        severity=Severity.ERROR,
        message="no token starts with `{character}`",
        why="Programs are made of names, numbers, strings and the signs of the operators. A character that belongs to "
        "none of them, also an invisible one such as a byte-order mark, has no meaning outside comments and strings.",
        help="delete it; outside of comments and quotes a text has names, numbers, operators and brackets only",
        wrong="""stage svc : fifo;
let half = 7 % 2;
           //^
run { horizon 10; }
""",
        right="""stage svc : fifo;
let half = 7 - floor(7 / 2) * 2;
run { horizon 10; }
""",
        spec="01 §1.4",
    ),
    Entry(
        code="SQ0102",
        name="open-comment",
        severity=Severity.ERROR,
        message="this comment is never closed",
        why="A comment that starts with `/*` goes on to the first `*/`, over any number of lines and over other `/*`. "
        "Without one the rest of the file is comment and none of it is read.",
        help="close it with `*/`, or start each line of it with `//`",
        wrong="""run { horizon 10; }
let half = 2; /* to be tuned
            //^^
""",
        right="""run { horizon 10; }
let half = 2; /* to be tuned */
""",
        spec="01 §1.2",
    ),
    Entry(
        code="SQ0103",
        name="open-string",
        severity=Severity.ERROR,
        message="this string is never closed",
        why='A string ends at the next `"`, whatever stands in between. The file holds no other one, so nothing says '
        "where the text ends and the program goes on.",
        help='put the closing `"` behind the text',
        wrong="""workload {
  trace "turns.csv;
      //^^^^^^^^^^^
}
session { end; }
run { horizon 10; }
""",
        right="""workload {
  trace "turns.csv";
}
session { end; }
run { horizon 10; }
""",
        spec="01 §1.4",
    ),
    Entry(
        code="SQ0104",
        name="malformed-number",
        severity=Severity.ERROR,
        message="`{text}` is no number",
        why="Digits, dots and underscores that touch are read as one literal, and a literal has one decimal point. A "
        "range or a version has no spelling of its own in a program.",
        help="a number is digits with at most one point and one exponent: `0.25`, `2e9`",
        wrong="""let cap = 1.500.000;
        //^^^^^^^^^
run { horizon 10; }
""",
        right="""let cap = 1_500_000;
run { horizon 10; }
""",
        spec="01 §1.3",
    ),
    Entry(
        code="SQ0105",
        name="unexpected-token",
        severity=Severity.ERROR,
        message="expected {expected}, found {found}",
        why="Each statement, option and item has one fixed order of words and signs. What stands here cannot follow "
        "what stands before it, and nothing that the rule allows here was written.",
        wrong="""stage svc : fifo;
session { run svc 1; end; }
                //^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { run svc (1); end; }
run { horizon 10; }
""",
        spec="01 §2",
    ),
    Entry(
        code="SQ0106",
        name="name-expected",
        severity=Severity.ERROR,
        message="expected {expected}, found {found}",
        why="The rule names something at this place: what is declared, assigned, requested or meant. A name is one "
        "identifier; a number, a sign or nothing cannot stand for it.",
        wrong="""let 2 = 1;
  //^
run { horizon 10; }
""",
        right="""let two = 1;
run { horizon 10; }
""",
        spec="01 §2",
    ),
    Entry(
        code="SQ0107",
        name="expression-expected",
        severity=Severity.ERROR,
        message="expected an expression, found {found}",
        why="A value belongs here: a number, a name, a call, a draw or something in parentheses. An operator needs its "
        "right operand, an argument list takes no comma at its end, and a plus sign cannot stand before a value.",
        help="write a number, a name, a call, a draw `~exp(…)`, or parentheses around one",
        wrong="""let most = max(1, 2,);
                  //^
run { horizon 10; }
""",
        right="""let most = max(1, 2);
run { horizon 10; }
""",
        spec="01 §2.7",
    ),
    Entry(
        code="SQ0108",
        name="statement-expected",
        severity=Severity.ERROR,
        message="expected a statement, found {found}",
        why="Between the braces of a block only statements stand, one after another. There is no empty statement and no "
        "bare block, and a block goes on until its own closing brace.",
        help="a statement begins with its word, such as `run`, `hold`, `set`, `observe` or `branch`",
        wrong="""stage svc : fifo;
session { run svc (1);; end; }
                    //^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { run svc (1); end; }
run { horizon 10; }
""",
        spec="01 §2.5",
    ),
    Entry(
        code="SQ0109",
        name="string-expected",
        severity=Severity.ERROR,
        message="expected a file name in quotes, found {found}",
        why="`use` and `trace` read a file, and a path is text, not a name of the program: it has dots and slashes, "
        "which outside quotes are operators.",
        help="put the path in double quotes",
        wrong="""workload { trace turns.csv; }
               //^^^^^^^^^
session { end; }
run { horizon 10; }
""",
        right="""workload { trace "turns.csv"; }
session { end; }
run { horizon 10; }
""",
        spec="01 §2.4",
    ),
    Entry(
        code="SQ0110",
        name="item-expected",
        severity=Severity.ERROR,
        message="no item starts with {found}",
        why="Outside all braces a program declares things, and each declaration starts with its own word: `let`, "
        "`pool`, `stage`, `workload`, `session`, `server`, `queue` and so on. Statements belong into blocks.",
        help="delete it, or put it into the block that it belongs to",
        wrong="""stage svc : fifo;
observe seen = 1;
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { observe seen = 1; end; }
run { horizon 10; }
""",
        spec="01 §2.1",
    ),
    Entry(
        code="SQ0111",
        name="workload-clause-expected",
        severity=Severity.ERROR,
        message="a workload takes `arrive`, `trace`, `init`, `turn`, `session` and `hidden`; found {found}",
        why="A workload says when sessions come and what they look like, in six clauses. Its blocks end with their "
        "brace and take no semicolon; constants and stages are declared outside.",
        help="pools, stages and the options of `run` stand outside of the workload",
        wrong="""workload {
  arrive poisson(1);
  init { set x = 1; };
                   //^
}
session { end; }
run { horizon 10; }
""",
        right="""workload {
  arrive poisson(1);
  init { set x = 1; }
}
session { end; }
run { horizon 10; }
""",
        spec="01 §2.4",
    ),
    Entry(
        code="SQ0112",
        name="unknown-statement",
        severity=Severity.ERROR,
        message="there is no statement {found}",
        why="The first word says which statement it is. This one is neither a word of the language nor a definition "
        "above this place; a definition can be used below its text only.",
        help="a statement begins with its word, such as `run`, `hold`, `set` or `branch`, or with a definition from above",
        wrong="""stage svc : fifo;
session {
  n = 2;
  run svc (n);
  end;
}
run { horizon 10; }
""",
        right="""stage svc : fifo;
session {
  set n = 2;
  run svc (n);
  end;
}
run { horizon 10; }
""",
        spec="01 §2.5",
    ),
    Entry(
        code="SQ0113",
        name="unknown-pool-option",
        severity=Severity.ERROR,
        message="a pool has no option {found}",
        why="What can be said about a pool is a closed list: its size and blocks, how it evicts, preempts and queues, "
        "who admits, and what it reserves or spills. Everything else about memory is said by the holds.",
        help="the options are `cap`, `block`, `evict`, `preempt`, `queue`, `admit via`, `reserve held` and `spill`",
        wrong="""pool kv { size 64; }
        //^^^^
run { horizon 10; }
""",
        right="""pool kv { cap 64; }
run { horizon 10; }
""",
        spec="01 §2.2",
    ),
    Entry(
        code="SQ0114",
        name="unknown-stage-kind",
        severity=Severity.ERROR,
        message="there is no stage kind {found}",
        why="The kind decides how the stage shares its time among the runs on it: in order, evenly, not at all, or in "
        "iterations of a batch. The language knows these four.",
        help="the kinds are `fifo`, `ps(CAPACITY)`, `delay` and `step { … }`",
        wrong="""stage svc : lifo;
          //^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
run { horizon 10; }
""",
        spec="01 §2.3",
    ),
    Entry(
        code="SQ0115",
        name="unknown-step-option",
        severity=Severity.ERROR,
        message="a step engine has no option {found}",
        why="An engine is described by what an iteration costs and what it serves. Speed, batch sizes and limits are "
        "expressions in `cost`, `budget` and `chunk`, not options of their own.",
        help="the options are `cost`, `budget`, `chunk`, `granule`, `serve`, `memory`, `state` and `iteration`",
        wrong="""stage e : step { cost 1; speed 2; }
                       //^^^^^
run { horizon 10; }
""",
        right="""stage e : step { cost 1 / 2; }
run { horizon 10; }
""",
        spec="01 §2.3",
    ),
    Entry(
        code="SQ0116",
        name="unknown-run-option",
        severity=Severity.ERROR,
        message="a run has no option {found}",
        why="A run block fixes how long is simulated, from when on is measured, with which seed and how many arrivals. "
        "How the simulator works (threads, output, files) is said on the command line.",
        help="the options are `horizon`, `warmup`, `seed` and `arrivals`",
        wrong="""run { horizon 10; threads 2; }
                //^^^^^^^
""",
        right="""run { horizon 10; }
""",
        spec="01 §2.1",
    ),
    Entry(
        code="SQ0117",
        name="unknown-serve-clause",
        severity=Severity.ERROR,
        message="`serve` of an engine is followed by an order, not by {found}",
        why="The engine's `serve` tells which residents an iteration takes first. `serve;` alone is a statement of an "
        "iteration's body, and a stage kind belongs after the colon of a stage or after `serve` in a queue.",
        help="write `serve admission`, `serve by (…)`, `serve decode first`, `serve exclusive prefill`, or "
        "`serve only (…)` before one of the first three",
        wrong="""stage e : step { cost 1; serve fifo; }
                             //^^^^
run { horizon 10; }
""",
        right="""stage e : step { cost 1; serve admission; }
run { horizon 10; }
""",
        spec="01 §2.3",
    ),
    Entry(
        code="SQ0118",
        name="unknown-iteration-statement",
        severity=Severity.ERROR,
        message="an iteration takes `serve`, `admit`, `branch` and `set`; found {found}",
        why="The body of an iteration is the scheduler's program, not a session's: it chooses residents and keeps "
        "registers. It takes no time, observes nothing and cannot use a definition.",
        help="write `serve;`, `admit;`, `set REGISTER = …;` or `branch (…) {{ … }}`; observing belongs in the session",
        wrong="""stage e : step { cost 1; iteration { observe n = tokens; serve; } }
                                   //^^^^^^^
run { horizon 10; }
""",
        right="""stage e : step { cost 1; iteration { serve; } }
run { horizon 10; }
""",
        spec="01 §2.3",
    ),
    Entry(
        code="SQ0119",
        name="unknown-claim-form",
        severity=Severity.ERROR,
        message="a claim does not start with {found}",
        why="A claim says when its condition is looked at: at the iterations of one engine, in all of them or in one, or "
        "once when the run is over. There is no claim over every instant.",
        help="write `every iteration of STAGE (…)`, `some iteration of STAGE (…)` or `at end (…)`",
        wrong="""stage svc : fifo;
claim short : always (1 < 2);
            //^^^^^^
run { horizon 10; }
""",
        right="""stage svc : fifo;
claim short : at end (1 < 2);
run { horizon 10; }
""",
        spec="01 §2.1",
    ),
    Entry(
        code="SQ0120",
        name="share-policy-expected",
        severity=Severity.ERROR,
        message="expected a share policy, found {found}",
        why="Transfers that cross the same stages have to divide them, and the two policies give different times. A "
        "relation therefore always names one, and there is no other.",
        help="write `share maxmin` or `share bottleneck`",
        wrong="""share equal;
    //^^^^^
stage a : ps(1);
stage b : ps(1);
session { run a, b (1); end; }
run { horizon 10; }
""",
        right="""share maxmin;
stage a : ps(1);
stage b : ps(1);
session { run a, b (1); end; }
run { horizon 10; }
""",
        spec="01 §2.1",
    ),
    Entry(
        code="SQ0121",
        name="count-needs-parentheses",
        severity=Severity.ERROR,
        message="the count of an aggregate is a number, a name or `( … )`; found {found}",
        why="The terms of an aggregate follow its count in parentheses, so a count that is more than one word could not "
        "be told from them. Its own parentheses end it.",
        help="put the count in parentheses",
        wrong="""let n = sum j in -1 + 3 (j);
               //^
run { horizon 10; }
""",
        right="""let n = sum j in (-1 + 3) (j);
run { horizon 10; }
""",
        spec="01 §2.7",
    ),
    Entry(
        code="SQ0122",
        name="admission-expected",
        severity=Severity.ERROR,
        message="`at` in a hold is followed by `admission`, found {found}",
        why="The bindings of a hold are read at one moment, when the pools admit it, and the two words say so. No other "
        "moment can be named there.",
        help="write `at admission (…)`",
        wrong="""pool kv { cap 10; }
stage svc : fifo;
session { hold kv (h) at (h = 1) { run svc (1); } end; }
                       //^
run { horizon 10; }
""",
        right="""pool kv { cap 10; }
stage svc : fifo;
session { hold kv (h) at admission (h = 1) { run svc (1); } end; }
run { horizon 10; }
""",
        spec="01 §2.5",
    ),
    Entry(
        code="SQ0123",
        name="engine-without-cost",
        severity=Severity.ERROR,
        message="this step engine has no `cost`",
        why="The cost is the time of one iteration. It has no default, because an engine that takes no time would serve "
        "everything at once.",
        help="say how long an iteration takes: `cost EXPRESSION;`",
        wrong="""stage e : step { budget 8; }
        //^^^^
run { horizon 10; }
""",
        right="""stage e : step { cost 1; budget 8; }
run { horizon 10; }
""",
        spec="01 §2.3",
    ),
    Entry(
        code="SQ0124",
        name="second-iteration-body",
        severity=Severity.ERROR,
        message="a second `iteration` of this engine",
        why="The body is run once per iteration from its first statement to its last. Two bodies would leave open which "
        "comes first and which of them sees the budget.",
        help="put the statements into one body",
        wrong="""stage e : step { cost 1; iteration { serve; } iteration { admit; } }
                                            //^^^^^^^^^
run { horizon 10; }
""",
        right="""stage e : step { cost 1; iteration { serve; admit; } }
run { horizon 10; }
""",
        spec="01 §2.3",
    ),
    Entry(
        code="SQ0125",
        name="second-serve-clause",
        severity=Severity.ERROR,
        message="a second `serve` of this engine",
        why="One order ranks the residents of an engine. Most options may be given again and the last one counts; for "
        "the order that would silently undo a decision.",
        help="keep one of them, or put both keys into one `serve by (…)`",
        wrong="""stage e : step { cost 1; serve admission; serve by (remaining); }
                                        //^^^^^
run { horizon 10; }
""",
        right="""stage e : step { cost 1; serve by (remaining); }
run { horizon 10; }
""",
        spec="01 §2.3",
    ),
    Entry(
        code="SQ0126",
        name="retired-statement",
        severity=Severity.ERROR,
        message="{found} is the spelling of an older edition",
        why="Taking memory, its condition and its clean-up were statements of their own once. They are one statement "
        "now, `hold`, whose clauses say the same in one place.",
        help="write `{now}`",
        wrong="""pool kv { cap 10; }
stage svc : fifo;
session {
  enter kv (1) { run svc (1); }
  end;
}
run { horizon 10; }
""",
        right="""pool kv { cap 10; }
stage svc : fifo;
session {
  hold kv (1) { run svc (1); }
  end;
}
run { horizon 10; }
""",
        spec="02 §16",
    ),
    Entry(
        code="SQ0127",
        name="retired-hold-clause",
        severity=Severity.ERROR,
        message="{found} is the clause of an older edition",
        why="The clauses of a hold were renamed when they were given their fixed order: what fits is reserved, what is "
        "kept is cached, and the bindings say at which moment they are read.",
        help="write `{now}`",
        wrong="""pool kv { cap 10; }
stage svc : fifo;
session { hold kv (1) fits (2) { run svc (1); } end; }
                    //^^^^
run { horizon 10; }
""",
        right="""pool kv { cap 10; }
stage svc : fifo;
session { hold kv (1) reserve (2) { run svc (1); } end; }
run { horizon 10; }
""",
        spec="02 §16",
    ),
    Entry(
        code="SQ0128",
        name="retired-step-option",
        severity=Severity.ERROR,
        message="{found} is the option of an older edition",
        why="All orders of an engine are given by `serve` today, so that one look tells how it ranks its residents. The "
        "two words alone are no option any more.",
        help="write `{now};`",
        wrong="""stage e : step { cost 1; decode first; }
                       //^^^^^^^^^^^^
run { horizon 10; }
""",
        right="""stage e : step { cost 1; serve decode first; }
run { horizon 10; }
""",
        spec="02 §16",
    ),
    Entry(
        code="SQ0129",
        name="retired-word-as-name",
        severity=Severity.ERROR,
        message="`{name}` is a word of an older edition and names nothing",
        why="The words `enter`, `admit`, `keep`, `where` and `fit` stood where names of values stand. They stay "
        "forbidden for constants, attributes, bindings, claims and definitions, so that an old program is not read as "
        "a new one with another meaning.",
        help="choose another name",
        wrong="""let keep = 4;
  //^^^^
run { horizon 10; }
""",
        right="""let kept = 4;
run { horizon 10; }
""",
        spec="01 §1.5",
    ),
    Entry(
        code="SQ0140",
        name="definition-without-body",
        severity=Severity.ERROR,
        message="the definition `{name}` has no body",
        why="After its parameters a definition says what it stands for: `= EXPRESSION;` for a value or `{{ STATEMENTS }}` "
        "for statements. Without it there is nothing to put in the place of a use.",
        help="add `= …;` or `{{ … }}`",
        wrong="""def twice(x);
          //^
run { horizon 10; }
""",
        right="""def twice(x) = 2 * x;
run { horizon 10; }
""",
        spec="01 §3",
    ),
    Entry(
        code="SQ0141",
        name="definition-not-closed",
        severity=Severity.ERROR,
        message="the body of the definition `{name}` has no end: a `;` is missing, or a bracket is open",
        why="A body is a run of tokens that ends at its `;` or `}}`, and the ones inside brackets do not count. Where the "
        "brackets do not match, nobody can tell where the body ends.",
        help="add or remove a bracket, and end the body with its `;` or `}}`",
        wrong="""run { horizon 10; }
def half(x) = (x / 2;
  //^^^^
""",
        right="""run { horizon 10; }
def half(x) = (x / 2);
""",
        spec="01 §3",
    ),
    Entry(
        code="SQ0142",
        name="empty-expression-definition",
        severity=Severity.ERROR,
        message="the definition `{name}` has no expression",
        why="A use of it would be replaced by an empty pair of parentheses, which is no value. Only a definition of "
        "statements may do nothing.",
        help="write the expression between `=` and `;`",
        wrong="""def base() = ;
  //^^^^
run { horizon 10; }
""",
        right="""def base() = 1;
run { horizon 10; }
""",
        spec="01 §3",
    ),
    Entry(
        code="SQ0143",
        name="use-not-closed",
        severity=Severity.ERROR,
        message="the parentheses of this use of `{name}` are not closed",
        why="The arguments of a use are cut out of the text at its commas before any of them is read. Without the "
        "closing parenthesis the last argument would be the rest of the program.",
        help="add the missing `)`",
        wrong="""def twice(x) = 2 * x;
let four = twice((2;
         //^^^^^
run { horizon 10; }
""",
        right="""def twice(x) = 2 * x;
let four = twice((2));
run { horizon 10; }
""",
        spec="01 §3",
    ),
    Entry(
        code="SQ0144",
        name="use-without-semicolon",
        severity=Severity.ERROR,
        message="the statement `{name}(…)` ends with `;`",
        why="A use of statements is a statement itself and ends like one. Its semicolon goes with it when the body is put "
        "in its place, so the body's own do not replace it.",
        help="put `;` behind the `)`",
        wrong="""stage svc : fifo;
def job(n) { run svc (n); }
session { job(1) end; }
run { horizon 10; }
""",
        right="""stage svc : fifo;
def job(n) { run svc (n); }
session { job(1); end; }
run { horizon 10; }
""",
        spec="01 §3",
    ),
    Entry(
        code="SQ0145",
        name="empty-argument",
        severity=Severity.ERROR,
        message="the argument for `{parameter}` of `{name}` is empty",
        why="Commas separate the arguments, so two in a row, or one at an end, leave a place for a parameter that gets "
        "nothing. There are no default values.",
        help="write the argument",
        wrong="""def add(a, b) = a + b;
let one = add(, 1);
        //^^^^
run { horizon 10; }
""",
        right="""def add(a, b) = a + b;
let one = add(0, 1);
run { horizon 10; }
""",
        spec="01 §3",
    ),
    Entry(
        code="SQ0146",
        name="definition-argument-count",
        severity=Severity.ERROR,
        message="`{name}` takes {wanted} argument(s) and gets {given}",
        why="Each parameter of a definition is replaced by one argument. Arguments are counted by the commas outside "
        "brackets, and a definition without parameters is used with empty parentheses.",
        help="give one argument per parameter",
        wrong="""def add(a, b) = a + b;
let one = add(1);
        //^^^
run { horizon 10; }
""",
        right="""def add(a, b) = a + b;
let one = add(1, 0);
run { horizon 10; }
""",
        spec="01 §3",
    ),
    Entry(
        code="SQ0147",
        name="expansion-too-large",
        severity=Severity.ERROR,
        message="with this use of `{name}` the program has more than {limit} tokens",
        why="Every use is replaced by its body, and bodies by the bodies in them, so a few lines can stand for very many. "
        "The limit keeps reading a program possible.",
        help="use a `loop`, an aggregate or an attribute instead of repeating text",
        unshown="a program that shows it needs some ten definitions that each double the one above",
        spec="01 §3",
    ),
    Entry(
        code="SQ0150",
        name="use-without-file",
        severity=Severity.ERROR,
        message="a program that is no file cannot `use` a library",
        why="The path of a library is relative to the file that says it. A text from a pipe or an unsaved buffer has no "
        "directory to start from.",
        help="save the program as a file",
        unshown="the same text is right in a file",
        spec="01 §3",
    ),
    Entry(
        code="SQ0151",
        name="library-not-readable",
        severity=Severity.ERROR,
        message="the library `{path}` cannot be read: {reason}",
        why="The definitions of a library belong to the program from its `use` on. Without them the uses below have no "
        "meaning, so they are not judged.",
        help="the path is relative to the directory of this file",
        unshown="it depends on which files exist",
        spec="01 §3",
    ),
    Entry(
        code="SQ0152",
        name="not-a-definition-in-library",
        severity=Severity.ERROR,
        message="a library holds definitions and uses only; this item starts with `{found}`",
        why="A library is shared by programs with pools and stages of their own. Whatever declares or runs something "
        "belongs to one program, and a library that held it would change the others.",
        help="move it to the program, or make it a definition",
        unshown="it takes two files",
        spec="01 §3",
    ),
    Entry(
        code="SQ0153",
        name="open-item-in-library",
        severity=Severity.ERROR,
        message="this item does not end in its file",
        why="A library is read as a whole before the program goes on behind its `use`. An item that the file breaks off "
        "would take the program's own lines into its body.",
        help="close it in the library",
        unshown="it takes two files",
        spec="01 §3",
    ),
    Entry(
        code="SQ0154",
        name="program-too-large",
        severity=Severity.ERROR,
        message="with the library `{path}` the program has more than {limit} tokens",
        why="Program and libraries are read as one text, and the size of that text is limited whether the definitions in "
        "it are used or not.",
        help="use smaller libraries",
        unshown="it takes a library of that size",
        spec="01 §3",
    ),
    Entry(
        code="SQ0161",
        name="transfer-without-pools",
        severity=Severity.ERROR,
        message="this transfer does not say from which pool to which",
        why="A transfer moves units: it takes time on the link, adds units to the hold on one pool and gives up those in "
        "the other. All three belong to it, also where only the time seems to matter.",
        help="write `transfer W from P to Q (n);`, or `run STAGE (W);` when only time passes",
        wrong="""stage link : fifo;
session { transfer 1; end; }
        //^^^^^^^^
run { horizon 10; }
""",
        right="""stage link : fifo;
session { run link (1); end; }
run { horizon 10; }
""",
        spec="01 §4.2",
    ),
    Entry(
        code="SQ0162",
        name="transfer-growing",
        severity=Severity.ERROR,
        message="a transfer does not grow a pool",
        why="`growing` takes units while work proceeds, one per token. A transfer brings its units in one piece at its "
        "end, the number in parentheses, so there is nothing that could grow.",
        help="delete `growing …`",
        wrong="""stage link : fifo;
pool kv { cap 10; }
pool kd { cap 10; }
session { hold kv (1), kd (1) { transfer (1) growing kd from kv to kd (1); } end; }
                                           //^^^^^^^^^^
run { horizon 10; }
""",
        right="""stage link : fifo;
pool kv { cap 10; }
pool kd { cap 10; }
session { hold kv (1), kd (1) { transfer (1) from kv to kd (1); } end; }
run { horizon 10; }
""",
        spec="01 §2.5",
    ),
    Entry(
        code="SQ0164",
        name="run-without-stage",
        severity=Severity.ERROR,
        message="this `run` names no stage",
        why="Work is done somewhere. Only in an entry of a queue the place is clear without a name: the queue's own "
        "stage. A session or a server has no stage of its own.",
        help="write `run STAGE (…);`",
        wrong="""stage svc : fifo;
session { run (1); end; }
            //^
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { run svc (1); end; }
run { horizon 10; }
""",
        spec="01 §2.5",
    ),
    Entry(
        code="SQ0190",
        name="nested-too-deeply",
        severity=Severity.ERROR,
        message="this nests more than 2000 levels deep",
        why="Brackets, blocks and operators within each other are read up to a fixed depth. It is our own limit and far "
        "above what people write; the language has none, and its other implementation crashes somewhere beyond.",
        help="give a part a name with `let`, `set` or `def`",
        unshown="a program that shows it has thousands of brackets",
    ),
    Entry(
        code="SQ0191",
        name="text-too-long",
        severity=Severity.ERROR,
        message="this text has {characters} characters; at most {limit} are read",
        why="A program of that size is most often a data file by mistake. It is our own limit, so that an editor stays "
        "responsive and memory is bounded.",
        help="rows of data belong into a file that `trace` reads",
        unshown="a program that shows it has millions of characters",
    ),
    Entry(
        code="SQ0192",
        name="expression-too-large",
        severity=Severity.ERROR,
        message="written out, this expression has more than {limit} parts",
        why="A binding is put into the ones after it wherever its name stands. A chain of bindings that each read the one "
        "before twice doubles at every step: twenty of them are a million parts. It is our own limit; the language has "
        "none, and its other implementation runs out of time or memory instead.",
        help="assign the intermediate value with `set` above the hold",
        unshown="a program that shows it has a long chain of bindings",
    ),
    Entry(
        code="SQ0193",
        name="malformed-ir",
        severity=Severity.ERROR,
        message="this IR cannot be read",
        why="An IR file is a closed data structure: every key has a form, every index names something. A file that is "
        "cut off, edited by hand or written for another version has no program in it that could be checked.",
        help="write the file again with `serq-lsp ir`",
        unshown="it is about IR files, not about program text",
        spec="08 §7",
    ),
    Entry(
        code="SQ0194",
        name="file-cannot-be-read",
        severity=Severity.ERROR,
        message="`{file}` cannot be read: {reason}",
        why="Nothing is known about a file that cannot be opened, so nothing can be said about its program.",
        help="check the path, the permissions and the encoding, which is UTF-8",
        unshown="it is about files, not about program text",
    ),
)
