"""Code actions: the fixes of diagnostics, fix all, suppressions, and small refactorings."""

from __future__ import annotations

from dataclasses import dataclass

from serq_interpreter.frontend.diagnostic import Diagnostic, Repair
from serq_interpreter.syntax import nodes
from serq_lsp.services.extracting import extracted_definition, fresh
from serq_lsp.services.inlining import inlined_definition
from serq_lsp.services.locations import Span, span_of
from serq_lsp.services.names import names_of, symbol_at
from serq_lsp.services.snapshot import Snapshot
from serq_lsp.services.tokens import tokens

LONG_TEXT = 15_000
"""Characters from which on an analysis takes longer than an editor should wait at each move of the cursor."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace `span` by `text`."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Action:
    """`kind` is a code action kind of the protocol; `diagnostic` what it repairs."""

    title: str
    kind: str
    edits: tuple[Edit, ...]
    diagnostic: Diagnostic | None = None
    preferred: bool = False


def code_actions(snapshot: Snapshot, start: int, end: int, *, asked: bool = True) -> list[Action]:
    """What can be done at the selection, the most useful first.

    `asked`: a person wants to see the list; else an editor looks whether there is one, and what takes long is left out.
    """
    here = [item for item in own_diagnostics(snapshot) if _touches(item, start, end)]
    actions = [
        Action(_sentence(fix.title), "quickfix", _edits(fix), item, preferred=fix.safe)
        for item in here
        for fix in item.fixes
    ]
    actions.extend(_suppress(snapshot, item) for item in here if item.code >= "SQ1000")
    everything = fix_all(snapshot)
    if everything is not None:
        actions.append(everything)
    actions.extend(_refactorings(snapshot, start, end, tries=asked or len(snapshot.text) < LONG_TEXT))
    return actions


def own_diagnostics(snapshot: Snapshot) -> list[Diagnostic]:
    """The diagnostics of this file (those of libraries show in the library)."""
    return [item for item in snapshot.analysis.diagnostics if item.file == snapshot.file]


def fix_all(snapshot: Snapshot) -> Action | None:
    """All safe fixes at once, those that overlap an earlier one left out."""
    taken: list[Edit] = []
    count = 0
    for item in own_diagnostics(snapshot):
        for fix in item.fixes:
            edits = _edits(fix)
            if fix.safe and not any(_overlap(edit.span, other.span) for edit in edits for other in taken):
                taken.extend(edits)
                count += 1
                break
    if not count:
        return None
    return Action(f"Fix all {count} problems that have a safe fix", "source.fixAll.serq", tuple(taken))


def _sentence(title: str) -> str:
    """A fix's title as an entry of a menu: it begins with a capital."""
    return title[:1].upper() + title[1:]


def _edits(fix: Repair) -> tuple[Edit, ...]:
    return tuple(
        Edit(Span(edit.location.file, edit.location.start_offset, edit.location.end_offset), edit.text)
        for edit in fix.edits
    )


def _suppress(snapshot: Snapshot, item: Diagnostic) -> Action:
    line = snapshot.lines.starts[item.location.start.line - 1]
    text = snapshot.text[line:]
    indent = text[: len(text) - len(text.lstrip(" \t"))]
    comment = f"{indent}// serq: allow({item.name}) reason\n"
    return Action(
        f"Suppress {item.code} here, with a reason",
        "quickfix",
        (Edit(Span(snapshot.file, line, line), comment),),
        item,
    )


def _refactorings(snapshot: Snapshot, start: int, end: int, *, tries: bool) -> list[Action]:
    """Refactorings; with those that are tried before they are offered only if `tries`."""
    found: list[Action] = []
    if end > start:
        extracted = _extract_let(snapshot, start, end)
        if extracted is not None:
            found.append(extracted)
        definition = extracted_definition(snapshot, start, end) if tries else None
        if definition is not None:
            title, changes = definition
            edits = tuple(Edit(Span(snapshot.file, first, last), text) for first, last, text in changes)
            found.append(Action(title, "refactor.extract", edits))
    inlined = _inline_let(snapshot, start)
    if inlined is not None:
        found.append(inlined)
    for title, changes in inlined_definition(snapshot, start) if tries else ():
        edits = tuple(Edit(Span(snapshot.file, first, last), text) for first, last, text in changes)
        found.append(Action(title, "refactor.inline", edits))
    hidden = _add_hidden(snapshot, start)
    if hidden is not None:
        found.append(hidden)
    return found


def _extract_let(snapshot: Snapshot, start: int, end: int) -> Action | None:
    """A constant expression that is selected becomes a `let` above its item."""
    text = snapshot.text[start:end].strip()
    if not text:
        return None
    start += snapshot.text[start:end].index(text[0])
    end = start + len(text)
    selected = [at for at in tokens(snapshot) if at.start >= start and at.end <= end]
    if not selected or selected[0].start != start or selected[-1].end != end:
        return None
    index = names_of(snapshot.analysis)
    operators = {"+", "-", "*", "/", "^", "(", ")", ","}
    for at in selected:
        symbol = index.symbol(at.token.chunk, at.token.start)
        constant = symbol is not None and symbol.kind in ("constant", "function")
        if at.token.kind != "NUMBER" and at.token.kind not in operators and not constant:
            return None
    if not any(at.token.kind == "NUMBER" for at in selected) or _balance(text) != 0:
        return None
    place = _item_start(snapshot, start)
    name = fresh(snapshot, "value")
    edits = (
        Edit(Span(snapshot.file, place, place), f"let {name} = {text};\n"),
        Edit(Span(snapshot.file, start, end), name),
    )
    return Action(f"Extract `{text}` into a constant", "refactor.extract", edits)


def _balance(text: str) -> int:
    return text.count("(") - text.count(")")


def _item_start(snapshot: Snapshot, offset: int) -> int:
    for item in snapshot.document.tree.items:
        span = span_of(snapshot, item.place)
        if span is not None and span.file == snapshot.file and span.start <= offset <= span.end:
            return snapshot.text.rfind("\n", 0, span.start) + 1
    return 0


def _inline_let(snapshot: Snapshot, offset: int) -> Action | None:
    """A constant under the cursor is replaced by its expression everywhere in this file."""
    found = symbol_at(snapshot, offset)
    if found is None or found[1].kind != "constant":
        return None
    name = found[1].name
    lets = [item for item in snapshot.document.tree.items if isinstance(item, nodes.LetItem) and item.name.text == name]
    if len(lets) != 1:
        return None
    item, value = span_of(snapshot, lets[0].place), span_of(snapshot, lets[0].value.place)
    if item is None or value is None or item.file != snapshot.file or value.file != snapshot.file:
        return None
    text = snapshot.text[value.start : value.end]
    plain = isinstance(lets[0].value, nodes.Number | nodes.Paren | nodes.Reference | nodes.Apply)
    written = text if plain else f"({text})"
    from serq_lsp.services.definition import references_of

    uses = [span for span in references_of(snapshot, found[1]) if not item.start <= span.start < item.end]
    if any(span.file != snapshot.file for span in uses):
        return None
    end = item.end + 1 if snapshot.text[item.end : item.end + 1] == "\n" else item.end
    edits = [Edit(Span(snapshot.file, item.start, end), ""), *(Edit(span, written) for span in uses)]
    return Action(f"Inline the constant `{name}`", "refactor.inline", tuple(edits))


def _add_hidden(snapshot: Snapshot, offset: int) -> Action | None:
    """An attribute that `init` or `turn` draws can be hidden from the scheduler."""
    found = symbol_at(snapshot, offset)
    if found is None or found[1].kind != "attribute":
        return None
    name = found[1].name
    elaborated = snapshot.analysis.elaborated
    if "." in name or any(item.name == name for item in elaborated.hidden) or name not in elaborated.attributes:
        return None
    for item in snapshot.document.tree.items:
        if isinstance(item, nodes.WorkloadItem):
            span = span_of(snapshot, item.place)
            brace = snapshot.text.find("{", span.start) + 1 if span is not None else 0
            if brace > 0:
                edit = Edit(Span(snapshot.file, brace, brace), f"\n  hidden {name};")
                return Action(f"Hide `{name}` from the scheduler", "refactor.rewrite", (edit,))
    return None


def _touches(item: Diagnostic, start: int, end: int) -> bool:
    return item.location.start_offset <= end and start <= max(item.location.end_offset, item.location.start_offset)


def _overlap(one: Span, other: Span) -> bool:
    if one.file != other.file:
        return False
    if one.start == one.end == other.start == other.end:
        return True
    return one.start < other.end and other.start < one.end
