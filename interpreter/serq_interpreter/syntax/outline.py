"""A text as written: its items and its syntax errors, before any definition is expanded (`outline`).

The body of a definition is a run of tokens here, and the use of a definition is a statement or a call of its own.  This is
how an editor's grammar sees a program.
"""

from __future__ import annotations

from serq_interpreter.record import fact
from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.chunks import Piece
from serq_interpreter.syntax.cutting import cut
from serq_interpreter.syntax.lines import LineIndex
from serq_interpreter.syntax.parser import Parser
from serq_interpreter.syntax.piece import Repair, declared
from serq_interpreter.syntax.read_definition import read_definition
from serq_interpreter.syntax.tokens import Finding


@fact
class OutlineItem:
    """One item: its `kind` (`pool`, `stage`, `relation`, …, `error`), its name if it has one, its first line (from 1)."""

    kind: str
    name: str
    line: int


@fact
class Outline:
    """The items and syntax errors of a text, both in its order."""

    items: tuple[OutlineItem, ...]
    findings: tuple[Finding, ...]


def outline(text: str) -> Outline:
    """Read a text as written.  Never raises."""
    lines = LineIndex(text)
    items: list[OutlineItem] = []
    findings: list[Finding] = []
    damaged = False
    for offset, piece in cut("", text):
        findings.extend(piece.findings)
        if not piece.tokens:
            continue
        item, found, now_damaged = _item(piece)
        if not damaged or piece.starts_item():
            findings.extend(found)
        damaged = now_damaged
        line, _ = lines.line_column(offset + piece.tokens[0].start)
        items.append(OutlineItem(type(item).__name__.removesuffix("Item").lower(), _name(item), line))
    return Outline(tuple(items), tuple(findings))


def _item(piece: Piece) -> tuple[nodes.Item, list[Finding], bool]:
    first, last = piece.tokens[0], piece.tokens[-1]
    if piece.too_deep is not None:
        return nodes.ErrorItem(first, last, declared(piece.tokens)), [], True
    if first.text == "def" and first.kind == "NAME":
        definition, found = read_definition(piece.tokens, piece.eof)
        return definition, found, bool(found)
    parser = Parser(piece.tokens, piece.eof)
    parser.as_written = True
    recovery = parser.recover = Repair(piece)
    item = parser.run("item") or nodes.ErrorItem(first, last, declared(piece.tokens))
    return item, parser.findings, recovery.damaged


def _name(item: nodes.Item) -> str:
    match item:
        case nodes.UseItem():
            return item.path.text
        case nodes.RelationItem():
            return f"{item.left.text} {item.verb.text} {item.right.text}"
        case nodes.ErrorItem():
            return item.declared[0][1].text if item.declared else ""
        case (
            nodes.LetItem()
            | nodes.DefItem()
            | nodes.PoolItem()
            | nodes.StageItem()
            | nodes.QueueItem()
            | nodes.GaugeItem()
            | nodes.ClaimItem()
        ):
            return item.name.text
        case _:
            return ""
