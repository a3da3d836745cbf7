"""What a tree-sitter tree says: the outline of a program and the places where it breaks the grammar.

Both are about the text as written.  Definitions are not expanded, so an error that only the expansion shows (in the
body of a definition, or where its tokens meet the caller's) is not seen here, nor is one in a library.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

RETIRED_STATEMENTS = frozenset({"enter", "admit", "keep", "where", "fit"})
"""No definition has such a name, so what looks like its use is a statement or clause of an older edition."""


class OutlineItem(NamedTuple):
    """One item: its kind (the word it begins with, or `relation`), its name or path, and its first line from 1.

    The name is empty for an item without one; a relation has `LEFT pull RIGHT` or `LEFT push RIGHT`.
    """

    kind: str
    name: str
    line: int


class Fault(NamedTuple):
    """A place that breaks the grammar: line and column from 1, in characters, and what stands or is missing there."""

    line: int
    column: int
    what: str


def outline(tree: Tree) -> list[OutlineItem]:
    """The items of a program in the order of the text; a damaged item counts when its first words could be read."""
    found = []
    for node in tree.root_node.named_children:
        if node.type.endswith("_item"):
            found.append(OutlineItem(_kind(node), _name(node), node.start_point.row + 1))
    return found


def faults(tree: Tree, text: str) -> list[Fault]:
    """Where the program breaks the grammar, in the order of the text; `text` is what `tree` was parsed from.

    Beside the parser's own errors: a number with two dots (SQ0104), a step engine without `cost` (SQ0123), with two
    bodies (SQ0124) or two `serve` clauses (SQ0125), a retired word used as a statement (SQ0126, SQ0127).
    """
    lines = text.encode("utf-8", "surrogatepass").split(b"\n")
    found = []
    for node, what in _faulty(tree.root_node):
        row, byte = node.start_point
        column = len(lines[row][:byte].decode("utf-8", "replace")) if row < len(lines) else 0
        found.append(Fault(row + 1, column + 1, what))
    return sorted(found)


def _kind(item: Node) -> str:
    return item.type.removesuffix("_item")


def _name(item: Node) -> str:
    match item.type:
        case "use_item":
            return _text(item.child_by_field_name("path")).strip('"')
        case "relation_item":
            return " ".join(_text(item.child_by_field_name(field)) for field in ("left", "verb", "right"))
        case _:
            return _text(item.child_by_field_name("name"))


def _text(node: Node | None) -> str:
    if node is None or node.text is None:
        return ""
    return node.text.decode("utf-8", "replace")


def _faulty(root: Node) -> Iterator[tuple[Node, str]]:
    """Every faulty node and what is wrong with it, in no particular order."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        waiting.extend(node.children)
        if node.is_missing:
            yield node, f"missing {node.type}"
        elif node.is_error:
            yield node, "unexpected text"
        elif node.type == "malformed_number":
            yield node, "malformed number"
        elif node.type == "step_kind":
            yield from _faulty_engine(node)
        elif node.type == "use_stmt":
            name = node.named_children[0].child_by_field_name("name")
            if name is not None and _text(name) in RETIRED_STATEMENTS:
                yield name, f"retired word {_text(name)}"


def _faulty_engine(engine: Node) -> Iterator[tuple[Node, str]]:
    options = [child for child in engine.named_children if child.type.endswith("_option")]
    types = [option.type for option in options]
    if "cost_option" not in types:
        yield engine, "step engine without cost"
    for type_, what in (("iteration_option", "second iteration"), ("serve_option", "second serve")):
        yield from ((option, what) for option in [one for one in options if one.type == type_][1:])
