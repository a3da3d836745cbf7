"""The parser's tables, read from `tables.json`, which `grammar/generate_tables.py` makes from `serq.lark`.

A state is a number.  `ROW[state]` maps a terminal to the state to shift to (0 or more) or to `-1 - rule` to reduce;
`GOTO[state]` maps a nonterminal to a state.  See `generate_tables.py` for the rest.
"""

from __future__ import annotations

import json
from pathlib import Path


class Rule:
    """One production: `origin`, how many symbols, and what builds its value (`tables.json` names it)."""

    __slots__ = ("absent", "build", "number", "origin", "size")

    def __init__(self, number: int, origin: str, size: int, build: str, absent: list[int]) -> None:
        self.number = number
        self.origin = origin
        self.size = size
        self.build = build
        self.absent = absent


with open(Path(__file__).with_name("tables.json"), encoding="utf-8") as _file:
    _data = json.load(_file)

STARTS: dict[str, int] = _data["starts"]
ENDS: dict[str, int] = _data["ends"]
ROW: list[dict[str, int]] = [_data["rows"][number] for number in _data["states"]]
GOTO: list[dict[str, int]] = _data["goto"]
RULES: list[Rule] = [Rule(number, *rule) for number, rule in enumerate(_data["rules"])]

WORDS: frozenset[str] = frozenset(
    name for row in _data["rows"] for name in row if name[0].isalpha() and name[0].islower()
)
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
