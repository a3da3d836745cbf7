"""Extracting a selection into a definition: an expression, or whole statements.

A definition is a macro of tokens, so the body keeps its names.  What is offered was tried: the new text has no finding
that the old one has not.
"""

from __future__ import annotations

from collections.abc import Sequence

from serq_interpreter.syntax import nodes
from serq_lsp.services.locations import span_of
from serq_lsp.services.snapshot import Snapshot
from serq_lsp.services.tokens import At, tokens, tokens_before
from serq_lsp.services.trying import Change, tried

MOST_TOKENS = 400
"""Longer selections are not tried."""
_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")


def extracted_definition(snapshot: Snapshot, start: int, end: int) -> tuple[str, tuple[Change, ...]] | None:
    """The title and the changes that make the selection a definition; `None` where that makes no sense."""
    selected = [at for at in tokens(snapshot) if at.start >= start and at.end <= end]
    if not selected or len(selected) > MOST_TOKENS or not _is_balanced(selected):
        return None
    begin, stop = selected[0].start, selected[-1].end
    if snapshot.text[start:begin].strip() or snapshot.text[stop:end].strip():
        return None  # half a token, or a comment, is selected, too
    text = snapshot.text[begin:stop]
    place = _item_start(snapshot, begin)
    before = tokens_before(snapshot, begin, 1)
    if place is None or not before:
        return None
    statements = selected[-1].token.kind in (";", "}") and before[0].token.kind in ("{", ";", "}")
    name = fresh(snapshot, "steps" if statements else "amount")
    if statements:
        body, use = f"def {name}() {{\n  {text}\n}}\n\n", f"{name}();"
    else:
        body, use = f"def {name}() = {text};\n\n", f"{name}()"
    changes = ((place, place, body), (begin, stop, use))
    if tried(snapshot, changes) is None:
        return None
    what = "the statements" if statements else f"`{' '.join(text.split())[:40]}`"
    return f"Extract {what} into a definition", changes


def _is_balanced(selected: Sequence[At]) -> bool:
    depth = 0
    for at in selected:
        depth += (at.token.kind in _OPENING) - (at.token.kind in _CLOSING)
        if depth < 0:
            return False
    return depth == 0


def _item_start(snapshot: Snapshot, offset: int) -> int | None:
    """Where the line begins on which the item around `offset` begins; `None` in a definition or outside of any."""
    for item in snapshot.document.tree.items:
        span = span_of(snapshot, item.place)
        if span is not None and span.file == snapshot.file and span.start <= offset <= span.end:
            if isinstance(item, nodes.DefItem | nodes.LetItem | nodes.UseItem):
                return None
            return snapshot.text.rfind("\n", 0, span.start) + 1
    return None


def fresh(snapshot: Snapshot, wish: str) -> str:
    """A name that the text does not use."""
    used = {at.token.text for at in tokens(snapshot)}
    name, number = wish, 1
    while name in used:
        number += 1
        name = f"{wish}{number}"
    return name
