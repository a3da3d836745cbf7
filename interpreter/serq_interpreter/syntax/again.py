"""Reading a session again after a definition changed: only the statements that use it (`read_again`).

The text of the session is the same, so its statements stand where they stood.  A *stretch* is a run of its tokens that
gave some statements: one statement as written, or all that a use of a definition stands for.  A stretch in which none of
the changed names occurs gives the same nodes; the others are read between the braces of the body.  Where anything was or
would be wrong the whole item is read, so that every finding comes from one reading.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection
from typing import NamedTuple

from serq_interpreter.syntax import nodes
from serq_interpreter.syntax.chunks import Piece
from serq_interpreter.syntax.definitions import Definitions, Growth
from serq_interpreter.syntax.macro import Macro, UnknownMacro
from serq_interpreter.syntax.parser import Parser
from serq_interpreter.syntax.tokens import Token

_CONTINUES = frozenset(("cache", "lease", "else", ";"))
"""How something begins that may belong to the statement before it."""

Macros = dict[str, Macro | UnknownMacro]


class Stretch(NamedTuple):
    """The statements that the tokens from number `first` up to `end` gave."""

    first: int
    end: int
    statements: tuple[nodes.Stmt, ...]


class Again(NamedTuple):
    """An item read again, the definitions that were asked for meanwhile, and what all its uses grow by."""

    item: nodes.SessionItem | nodes.ServerItem
    asked: Macros
    growth: dict[int, Growth]


def read_again(
    piece: Piece,
    item: nodes.Item,
    growth: dict[int, Growth],
    changed: Collection[str],
    macros: Macros,
    room: int,
) -> Again | None:
    """The item of `piece` below `macros`, of which `changed` are not what they were when it gave `item`.

    `item` was read without any finding, and its uses grew by `growth` (`Definitions.growth`).  `None` when the whole item
    must be read.
    """
    if not isinstance(item, nodes.SessionItem | nodes.ServerItem):
        return None
    body = item.body
    starts = [token.start for token in piece.tokens]
    statements: list[nodes.Stmt] = []
    asked: Macros = {}
    grown: dict[int, Growth] = {}
    unsure = False
    for stretch in _stretches(piece, body, starts):
        tokens = piece.tokens[stretch.first : stretch.end]
        if unsure and tokens and tokens[0].text in _CONTINUES:
            return None
        unsure = any(token.text in changed for token in tokens)
        if not unsure:
            statements += stretch.statements
            grown.update((token.start, growth[token.start]) for token in tokens if token.start in growth)
            continue
        definitions = Definitions(macros, room)
        parser = Parser([body.first, *tokens, body.last], piece.eof, definitions)
        block = parser.run("block")
        if block is None or parser.findings or parser.own_runs or not definitions.clean:
            return None
        if block.statements and block.statements[0].first.text in _CONTINUES:
            return None
        statements += block.statements
        asked.update(definitions.asked)
        grown.update(definitions.growth)
    if needed(grown) > room:
        return None
    made = nodes.Block(body.first, body.last, tuple(statements))
    return Again(type(item)(item.first, item.last, item.word, made), asked, grown)


def needed(growth: dict[int, Growth]) -> int:
    """How much room for expansions the uses take at most, one after the other."""
    most = so_far = 0
    for total, peak in growth.values():
        most = max(most, so_far + peak)
        so_far += total
    return most


def _stretches(piece: Piece, body: nodes.Block, starts: list[int]) -> list[Stretch]:
    """The tokens between the braces, cut where a statement as written or a use begins."""
    found: list[Stretch] = []
    first = bisect_left(starts, body.first.start) + 1
    group: list[nodes.Stmt] = []
    for statement in body.statements:
        begin = bisect_left(starts, _written(statement.first).start)
        if begin > first:
            found.append(Stretch(first, begin, tuple(group)))
            first, group = begin, []
        group.append(statement)
    found.append(Stretch(first, bisect_left(starts, body.last.start), tuple(group)))
    return found


def _written(token: Token) -> Token:
    """The token itself, or the name of the use that it came from."""
    while token.via is not None:
        token = token.via.use
    return token
