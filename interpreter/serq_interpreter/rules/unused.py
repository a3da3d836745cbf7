"""SQ1003 to SQ1007: a declaration that nothing mentions.

What: a pool, stage, constant, definition or queue whose name stands nowhere else in the program.

Why: it has no effect on the run, except for a row of zeros in the report.  Most often the use was renamed or deleted, or
the wrong one of two names is used.

Wrong: `pool kv { cap 10; } pool kv2 { cap 20; }` with holds of `kv` only.  Right: delete `kv2`, or hold it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from serq_interpreter.rules.survey import Survey
from serq_interpreter.semantics import tree
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Finding, Token, place_of

CODES = ("SQ1003", "SQ1004", "SQ1005", "SQ1006", "SQ1007")


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
