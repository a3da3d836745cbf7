"""SQ1008 and SQ1009: a constant or an option that a later one of the same name replaces.

What: two `let`s of one name, an option given twice, a second `init` or `turn`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.rules import edits
from serq_interpreter.rules.survey import Survey
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Finding, Note, place_of

NEEDS = ("Source",)
ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ1008",
        name="constant-replaced",
        severity=Severity.WARNING,
        message="this `{name}` is replaced by a later `let` of the name",
        why="Several `let`s of one name are one constant, and everything that reads it sees the last value, also above "
        "that `let`. Only sizes and latencies, which are fixed while reading the text, see the value so far.",
        help="delete it, or give it a name of its own",
        wrong="""let w = 2;
  //^
stage svc : fifo;
let w = 3;
session { run svc (w); observe t = now; end; }
run { horizon 10; }
""",
        right="""stage svc : fifo;
let w = 3;
session { run svc (w); observe t = now; end; }
run { horizon 10; }
""",
        spec="02 §4",
    ),
    Entry(
        code="SQ1009",
        name="option-given-twice",
        severity=Severity.WARNING,
        message="this `{name}` is replaced by a later one",
        why="An option that is given again replaces the earlier one silently, and the earlier text has no effect. So do a "
        "second `init` and a second `turn`: the statements of the first are never executed.",
        help="keep one of the two",
        wrong="""pool kv {
  cap 100;
//^^^
  cap 200;
}
stage svc : fifo;
session { hold kv (8) { run svc (1); } observe t = now; end; }
run { horizon 10; }
""",
        right="""pool kv {
  cap 200;
}
stage svc : fifo;
session { hold kv (8) { run svc (1); } observe t = now; end; }
run { horizon 10; }
""",
        spec="02 §17",
    ),
)

_REPEATABLE = frozenset({"state", "hidden", "session", "serve", "iteration"})
"""Words that may stand several times, or whose repetition is an error of its own."""


def check(survey: Survey) -> Iterator[Finding]:
    """Look at the items as written."""
    if survey.source is None:
        return
    lets: dict[str, nodes.LetItem] = {}
    for item in survey.source.items:
        if isinstance(item, nodes.LetItem):
            earlier = lets.get(item.name.text)
            lets[item.name.text] = item
            if earlier is not None:
                note = Note(place_of(item.name), "the last one counts")
                yield Finding("SQ1008", place_of(earlier.name), {"name": item.name.text}, (note,))
    for options in _options(survey.source):
        yield from _twice(options)


Option = nodes.PoolOption | nodes.StepOption | nodes.WorkloadClause


def _options(source: nodes.Tree) -> Iterator[Sequence[Option]]:
    """The options of each item that has some; those of all `run` items are one list."""
    run: list[Option] = []
    for item in source.items:
        match item:
            case nodes.PoolItem():
                yield item.options
            case nodes.StageItem():
                yield item.kind.options
            case nodes.QueueItem():
                for part in item.parts:
                    if isinstance(part, nodes.PoolItem):
                        yield part.options
                    elif isinstance(part, nodes.ServeDecl):
                        yield part.kind.options
            case nodes.WorkloadItem():
                yield item.clauses
            case nodes.RunItem():
                run.extend(item.options)
            case _:
                pass
    yield run


def _twice(options: Sequence[Option]) -> Iterator[Finding]:
    words = [option.first.text for option in options]
    if len(set(words)) == len(words):
        return
    last: dict[str, Option] = {}
    for option in options:
        word = option.first
        earlier = last.get(word.text)
        last[word.text] = option
        if earlier is None or word.text in _REPEATABLE:
            continue
        safe = word.text not in ("init", "turn")
        fixes = edits.delete(f"delete the earlier `{word.text}`", earlier.place, safe=safe)
        yield Finding(
            "SQ1009",
            place_of(earlier.first),
            {"name": word.text},
            (Note(place_of(word), "the last one counts"),),
            fixes,
        )
