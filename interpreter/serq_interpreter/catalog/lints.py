"""Catalogue entries of our own lints (SQ10xx), which the language accepts; long because it is a table."""

from __future__ import annotations

from serq_interpreter.catalog.entry import Entry, Severity

ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ1090",
        name="unused-allow",
        severity=Severity.WARNING,
        message="`allow({word})` suppresses nothing on its line",
        why="A suppression that is no longer needed hides the next finding of that kind that appears on the line.",
        help="delete the comment",
        unshown="an `allow` comment would have to stand in the example that it is about",
        spec="frontend",
    ),
    Entry(
        code="SQ1091",
        name="allow-of-an-error",
        severity=Severity.WARNING,
        message="`allow({word})` has no effect: this is an error",
        why="Comments can silence warnings and our own lints. An error of the language cannot be silenced, because the "
        "program would not run all the same, nor can a run that got stuck be made to move by a comment.",
        help="correct the error, and delete the comment (`[thresholds]` in `serq.toml` says how many of a run's faults are "
        "tolerated)",
        unshown="the example would contain an error beside the comment",
        spec="frontend",
    ),
    Entry(
        code="SQ1092",
        name="library-body-does-not-parse",
        severity=Severity.WARNING,
        message="the body of `{name}` does not parse on its own: `{found}` does not fit here",
        why="A definition is replaced by its tokens, so its body is read only where it is used, and the language accepts "
        "a bad one that nobody uses. In a library the users are elsewhere: they would meet the error in their own "
        "program.",
        help="make the body a whole expression, or whole statements",
        wrong="""def twice(x) = 2 * * x;
                 //^
""",
        right="""def twice(x) = 2 * x;
""",
        spec="01 §3",
    ),
)
