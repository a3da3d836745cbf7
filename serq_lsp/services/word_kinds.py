"""Which meaning of a word the place wants: most words of the language have one per place."""

from __future__ import annotations

from serq_interpreter.catalog import vocabulary as v
from serq_lsp.services.cursor import Cursor

_OF_BLOCK = {
    "pool": (v.POOL_OPTION,),
    "step": (v.STEP_OPTION, v.CHOICE),
    "iteration": (v.ITERATION_STATEMENT,),
    "workload": (v.WORKLOAD_OPTION,),
    "run": (v.RUN_OPTION,),
    "queue": (v.QUEUE_OPTION, v.ENTRY),
    "stage": (v.STAGE_KIND,),
    "session": (v.STATEMENT,),
    "server": (v.STATEMENT,),
}
_STATEMENT_BLOCKS = frozenset(("init", "turn", "session", "server", "hold", "loop", "fork", "branch", "else", "into"))


def kinds_of(cursor: Cursor) -> tuple[str, ...]:
    """The kinds of words to prefer at the cursor, the best first."""
    opened = [token for token in cursor.open if token.kind in ("NAME", "{", "(")]
    if not opened:
        return (v.ITEM,)
    if any(token.text == "arrive" for token in opened[-2:]):
        return (v.ARRIVAL,)
    braces = [number for number, token in enumerate(opened) if token.kind == "{"]
    if "hold" in cursor.words and "set" in cursor.words:
        return (v.STATEMENT, v.CLAUSE)
    if not braces:
        return (*_OF_BLOCK.get(opened[0].text, ()), v.CLAUSE, v.CHOICE)
    for number in range(braces[-1] - 1, -1, -1):
        word = opened[number].text
        if word in _STATEMENT_BLOCKS and number > 0:
            return (v.STATEMENT, v.CLAUSE, v.CHOICE)
        if word in _OF_BLOCK:
            return (*_OF_BLOCK[word], v.CLAUSE, v.CHOICE)
    return (v.CLAUSE, v.CHOICE)
