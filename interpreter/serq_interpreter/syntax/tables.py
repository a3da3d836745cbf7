"""The parser's tables: `table_data.py`, which `grammar/generate_tables.py` makes from `serq.lark`, by state.

A state is a number.  `ROW[state]` maps a terminal to the state to shift to (0 or more) or to `-1 - rule` to reduce;
`GOTO[state]` maps a nonterminal to a state.  See `generate_tables.py` for the rest.
"""

from __future__ import annotations

from serq_interpreter.syntax import table_data
from serq_interpreter.syntax.table_data import ENDS, STARTS

__all__ = ["ENDS", "GOTO", "ROW", "RULES", "STARTS", "WORDS", "Rule", "reaches_end"]


class Rule:
    """One production: `origin`, how many symbols, and what builds its value, by name."""

    __slots__ = ("absent", "build", "number", "origin", "size")

    def __init__(self, number: int, origin: str, size: int, build: str, absent: tuple[int, ...]) -> None:
        self.number = number
        self.origin = origin
        self.size = size
        self.build = build
        self.absent = absent


ROW: list[dict[str, int]] = [table_data.ROWS[number] for number in table_data.ROW_OF]
GOTO: list[dict[str, int]] = [table_data.GOTOS[number] for number in table_data.GOTO_OF]
RULES: list[Rule] = [Rule(number, *rule) for number, rule in enumerate(table_data.RULES)]

WORDS: frozenset[str] = frozenset(table_data.WORDS)
"""Every word that is a terminal somewhere."""

_END_STATES = frozenset(ENDS.values())


def reaches_end(states: list[int]) -> bool:
    """Whether the input may end here, after the reductions that the end brings about."""
    stack = list(states)
    while stack[-1] not in _END_STATES:
        action = ROW[stack[-1]].get("EOF")
        if action is None or action >= 0:
            return False
        rule = RULES[~action]
        if rule.size:
            del stack[-rule.size :]
        stack.append(GOTO[stack[-1]][rule.origin])
    return True
