"""Catalogue entries of what is expected where something else stands (SQ0105-SQ0111)."""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity

ENTRIES: tuple[Entry, ...] = (
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
)
