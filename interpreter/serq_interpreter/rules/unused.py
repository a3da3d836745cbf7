"""SQ1003 to SQ1007: a declaration that nothing mentions.

What: a pool, stage, constant, definition or queue whose name stands nowhere else in the program.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from serq_interpreter.catalog.entry import Entry, Severity
from serq_interpreter.rules.survey import Survey
from serq_interpreter.semantics import tree
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Finding, Token, place_of

NEEDS = ("Source",)
ENTRIES: tuple[Entry, ...] = (
    Entry(
        code="SQ1003",
        name="unused-pool",
        severity=Severity.WARNING,
        message="pool `{name}` is never used",
        why="No hold takes from it, no expression asks about it and no option names it, so it stays empty for the whole "
        "run. A deployment description with a memory that nobody uses describes another deployment.",
        help="hold it, or delete it",
        wrong="""pool kv { cap 100; }
pool spare { cap 100; }
   //^^^^^
stage svc : fifo;
session { hold kv (8) { run svc (1); } observe t = now; end; }
run { horizon 10; }
""",
        right="""pool kv { cap 100; }
stage svc : fifo;
session { hold kv (8) { run svc (1); } observe t = now; end; }
run { horizon 10; }
""",
        spec="02 §2",
    ),
    Entry(
        code="SQ1004",
        name="unused-stage",
        severity=Severity.WARNING,
        message="stage `{name}` is never used",
        why="Nothing runs there, neither by name nor by a serving form that would find it, so no time is ever spent on "
        "it. Often two stages have similar names and the wrong one is run.",
        help="run something on it, or delete it",
        wrong="""stage svc : fifo;
stage svc2 : fifo;
    //^^^^
session { run svc (1); observe t = now; end; }
run { horizon 10; }
""",
        right="""stage svc : fifo;
session { run svc (1); observe t = now; end; }
run { horizon 10; }
""",
        spec="02 §2",
    ),
    Entry(
        code="SQ1005",
        name="unused-constant",
        severity=Severity.WARNING,
        message="constant `{name}` is never read",
        why="A constant acts only through the expressions that read it. Changing this one, also from the command line "
        "with `--set`, changes nothing.",
        help="read it, or delete it",
        wrong="""let mean_work = 2;
  //^^^^^^^^^
stage svc : fifo;
session { run svc (2); observe t = now; end; }
run { horizon 10; }
""",
        right="""let mean_work = 2;
stage svc : fifo;
session { run svc (mean_work); observe t = now; end; }
run { horizon 10; }
""",
        spec="02 §2",
    ),
    Entry(
        code="SQ1006",
        name="unused-definition",
        severity=Severity.WARNING,
        message="definition `{name}` is never used",
        why="A definition is text that its uses are replaced by. Without a use its body is not even checked.",
        help="use it, move it to a library, or delete it",
        wrong="""def twice(x) = 2 * x;
  //^^^^^
stage svc : fifo;
session { run svc (2); observe t = now; end; }
run { horizon 10; }
""",
        right="""def twice(x) = 2 * x;
stage svc : fifo;
session { run svc (twice(1)); observe t = now; end; }
run { horizon 10; }
""",
        spec="02 §13",
    ),
    Entry(
        code="SQ1007",
        name="unused-queue",
        severity=Severity.WARNING,
        message="queue `{name}` is never called",
        why="A station works only through calls of its entries. Nothing calls one here, so its pools and its engine are "
        "idle for the whole run.",
        help="call one of its entries, or delete the queue",
        wrong="""stage svc : delay;
queue pre : prefill { serve step { cost 1; } prefill (n) { run (n); } }
    //^^^
session { run svc (2); observe t = now; end; }
run { horizon 10; }
""",
        right="""stage svc : delay;
queue pre : prefill { serve step { cost 1; } prefill (n) { prefill (n); } }
session { run svc (2); pre.prefill (4); observe t = now; end; }
run { horizon 10; }
""",
        spec="02 §14",
    ),
)


def check(survey: Survey) -> Iterator[Finding]:
    """Count the words of the text; a name that stands once is only declared."""
    source = survey.source
    if source is None or source.damaged:
        return
    counts = _words(source)
    run = _run_stages(survey)
    for item in source.items:
        code, name = _declared(item)
        if name is None or counts[name.text] > 1 or name.via is not None:
            continue
        if isinstance(item, nodes.StageItem) and (name.text in run or _played(item, counts)):
            continue
        yield Finding(code, place_of(name), {"name": name.text})


def _declared(item: nodes.Item) -> tuple[str, Token | None]:
    match item:
        case nodes.PoolItem():
            return "SQ1003", item.name
        case nodes.StageItem():
            return "SQ1004", item.name
        case nodes.LetItem():
            return "SQ1005", item.name
        case nodes.DefItem():
            return "SQ1006", item.name
        case nodes.QueueItem():
            return "SQ1007", item.name
        case _:
            return "", None


_WORD = re.compile(r"""//[^\n]*|/\*.*?\*/|"[^"\n]*"|([^\W\d]\w*)""", re.DOTALL)


def _words(source: nodes.Tree) -> Counter[str]:
    """How often each word stands in the program's own text, comments and strings aside."""
    chunks = dict.fromkeys(item.first.chunk for item in source.items)
    counts: Counter[str] = Counter()
    for chunk in chunks:
        counts.update(_words_of(chunk.text))
    return counts


@lru_cache(maxsize=2048)
def _words_of(text: str) -> tuple[str, ...]:
    """The words of one item's text; most items stay as they are from one edit to the next."""
    return tuple(word for word in _WORD.findall(text) if word)


def _run_stages(survey: Survey) -> set[str | None]:
    """Stages that a serving form found without naming them."""
    return {visit.stmt.stage.name for visit in survey.visits if isinstance(visit.stmt, tree.Run)}


def _played(item: nodes.StageItem, counts: Counter[str]) -> bool:
    """Whether a serving form somewhere, in an entry that nobody calls for one, may mean the stage."""
    if item.name.text in ("link", "transfer"):
        return counts["transfer"] > (item.name.text == "transfer")
    return item.kind.word == "step" and counts["prefill"] + counts["decode"] > 0
