"""Catalogue entries of characters, comments, strings and numbers (SQ0101-SQ0104)."""

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
)
