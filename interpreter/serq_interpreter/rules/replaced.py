"""SQ1008 and SQ1009: a constant or an option that a later one of the same name replaces.

What: two `let`s of one name, an option given twice, a second `init` or `turn`.

Why: the language accepts both and takes the last one everywhere (sizes and latencies, which are read on the way, take the
one above).  The earlier text looks as if it counted.

Wrong: `pool kv { cap 10; cap 20; }`.  Right: `pool kv { cap 20; }`.
"""

from __future__ import annotations

from collections.abc import Iterator

from serq_interpreter.rules import edits
from serq_interpreter.rules.survey import Survey
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.tokens import Finding, Note, Place, place_of

CODES = ("SQ1008", "SQ1009")

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
    for words in _options(survey.source):
        yield from _twice(words)


Word = tuple[str, Place, Place]
"""A word, its place, and the place of the whole option."""


def _options(source: nodes.Tree) -> Iterator[list[Word]]:
    """The options of each item that has some; those of all `run` items are one list."""
    run: list[Word] = []
    for item in source.items:
        match item:
            case nodes.PoolItem():
                yield [_word(option) for option in item.options]
            case nodes.StageItem():
                yield [_word(option) for option in item.kind.options]
            case nodes.QueueItem():
                for part in item.parts:
                    if isinstance(part, nodes.PoolItem):
                        yield [_word(option) for option in part.options]
                    elif isinstance(part, nodes.ServeDecl):
                        yield [_word(option) for option in part.kind.options]
            case nodes.WorkloadItem():
                yield [(clause.first.text, place_of(clause.first), clause.place) for clause in item.clauses]
            case nodes.RunItem():
                run.extend(_word(option) for option in item.options)
            case _:
                pass
    yield run


def _word(option: nodes.PoolOption | nodes.StepOption) -> Word:
    return option.word.text, place_of(option.word), option.place


def _twice(words: list[Word]) -> Iterator[Finding]:
    last: dict[str, Word] = {}
    for word in words:
        earlier = last.get(word[0])
        last[word[0]] = word
        if earlier is None or word[0] in _REPEATABLE:
            continue
        fixes = edits.delete(f"delete the earlier `{word[0]}`", earlier[2], safe=word[0] not in ("init", "turn"))
        yield Finding("SQ1009", earlier[1], {"name": word[0]}, (Note(word[1], "the last one counts"),), fixes)
