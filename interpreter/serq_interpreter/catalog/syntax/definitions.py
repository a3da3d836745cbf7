"""Catalogue entries of definitions and their uses as text (SQ0140-SQ0147)."""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity

ENTRIES: tuple[Entry, ...] = (
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
)
