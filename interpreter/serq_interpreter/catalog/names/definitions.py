"""Catalogue entries of definitions: their names, parameters and order (SQ0240-SQ0247)."""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity

ENTRIES: tuple[Entry, ...] = (
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
)
