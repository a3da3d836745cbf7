"""Generate the parser's tables from `serq.lark`; with `--check`, only say whether the committed ones are current.

The tables are LALR(1), made by lark.  A row maps the terminals that a state can take to what it does: a state to
shift to (0 or more) or `-1 - rule` to reduce.  States with equal rows share one: `ROW_OF` gives each state's row.  A
terminal is named by its text (`set`, `<=`) or, for those with many texts, by its name (`NAME`, `NUMBER`, `STRING`,
`AGGREGATE`, `RELATION_LEFT`, `SPAWN`, `GROUP`, `EOF`).  A rule is its nonterminal, its number of symbols, what builds its value (empty: the
only symbol's value; `*`: a new list of all; `+`: the list of the first with the others added) and the numbers of the
symbols before which an optional part is absent.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from lark.lexer import PatternStr
from lark.parsers.lalr_analysis import Reduce

from serq_grammar import STARTS, reference_parser

TARGET = Path(__file__).parents[1] / "interpreter" / "serq_interpreter" / "syntax" / "table_data.py"
_TITLE = '''"""The parser's tables as plain data, written by grammar/generate_tables.py from serq.lark; long because it is data."""

# fmt: off
from __future__ import annotations
'''
LISTS = frozenset(
    (
        "pool_options",
        "expressions",
        "step_options",
        "iteration",
        "workload_clauses",
        "names",
        "statements",
        "hold_pools",
        "binding_list",
        "references",
        "queue_parts",
        "run_options",
        "parameter_names",
        "body_tokens",
        "tokens",
        "token",
        "body_token",
        "arguments",
    )
)
"""Rules whose value is a list of everything in them, as are those that lark adds for `*` and `+`."""


def terminal_names(parser: Any) -> dict[str, str]:
    """lark's name of each terminal → its name in the tables."""
    names = {"$END": "EOF"}
    for terminal in parser.terminals:
        if isinstance(terminal.pattern, PatternStr):
            names[terminal.name] = terminal.pattern.value
        else:
            names[terminal.name] = terminal.name
    return names


def generate() -> str:
    """The text of the tables' module."""
    parser: Any = reference_parser()
    table = parser.parser.parser._parse_table
    names = terminal_names(parser)
    rules = list(parser.rules)
    number = {rule: index for index, rule in enumerate(rules)}
    order = _order(table)
    renumbered = {state: index for index, state in enumerate(order)}
    rows: list[dict[str, int]] = []
    gotos: list[dict[str, int]] = []
    for state in order:
        row: dict[str, int] = {}
        goto: dict[str, int] = {}
        for symbol, (action, argument) in table.states[state].items():
            if action is Reduce:
                row[names[symbol]] = -1 - number[argument]
            elif symbol in names:
                row[names[symbol]] = renumbered[argument]
            else:
                goto[symbol] = renumbered[argument]
        rows.append(dict(sorted(row.items())))
        gotos.append(dict(sorted(goto.items())))
    starts = {name: renumbered[table.start_states[name]] for name in STARTS}
    ends = {name: renumbered[table.end_states[name]] for name in STARTS}
    return _sections(rules, rows, gotos, starts, ends)


def _order(table: Any) -> list[int]:
    """The states in an order that depends on the grammar only: breadth first from the starts, by symbol."""
    order = [table.start_states[name] for name in STARTS]
    order.extend(table.end_states[name] for name in STARTS)
    seen = set(order)
    for state in order:
        for _symbol, (action, argument) in sorted(table.states.get(state, {}).items()):
            if action is not Reduce and argument not in seen:
                seen.add(argument)
                order.append(argument)
    return order


def _sections(
    rules: list[Any],
    rows: list[dict[str, int]],
    gotos: list[dict[str, int]],
    starts: dict[str, int],
    ends: dict[str, int],
) -> str:
    described = [(str(rule.origin.name), len(rule.expansion), _builder(rule), _absent(rule)) for rule in rules]
    words = sorted({name for row in rows for name in row if name[0].isalpha() and name[0].islower()})
    parts = [
        _TITLE,
        f"STARTS: dict[str, int] = {starts!r}",
        f"ENDS: dict[str, int] = {ends!r}",
        f"WORDS: tuple[str, ...] = {tuple(words)!r}",
        _section("RULES: tuple[tuple[str, int, str, tuple[int, ...]], ...]", described),
        *_shared("ROW", rows),
        *_shared("GOTO", gotos),
    ]
    return "\n".join(parts) + "\n"


def _shared(name: str, values: list[dict[str, int]]) -> Iterator[str]:
    """Equal values once, and which of them each state has."""
    distinct: dict[str, int] = {}
    states = [distinct.setdefault(repr(value), len(distinct)) for value in values]
    yield _section(
        f"{name}S: tuple[dict[str, int], ...]", [values[states.index(number)] for number in range(len(distinct))]
    )
    yield f"{name}_OF: tuple[int, ...] = {tuple(states)!r}"


def _section(name: str, values: Iterable[object]) -> str:
    lines = "".join(f"    {value!r},\n" for value in values)
    return f"{name} = (\n{lines})"


def _builder(rule: Any) -> str:
    if rule.alias:
        return str(rule.alias)
    symbols = [str(symbol.name) for symbol in rule.expansion]
    if not str(rule.origin.name).startswith("_") and rule.origin.name not in LISTS:
        return "" if rule.options.expand1 and len(symbols) == 1 else str(rule.origin.name)
    if symbols and (symbols[0].startswith("__") or symbols[0] in LISTS) and not rule.expansion[0].is_term:
        return "" if len(symbols) == 1 else "+"
    return "*"


def _absent(rule: Any) -> tuple[int, ...]:
    """Before which of the rule's symbols (its length: after the last) how many optional parts are absent, one entry each."""
    found: list[int] = []
    position = 0
    for empty in rule.options.empty_indices:
        if empty:
            found.append(position)
        else:
            position += 1
    return tuple(found)


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--check", action="store_true", help="fail when the committed tables differ")
    text = generate()
    if arguments.parse_args().check:
        if TARGET.exists() and TARGET.read_text(encoding="utf-8") == text:
            return 0
        print(f"{TARGET.name} is not current: run generate_tables.py", file=sys.stderr)
        return 1
    TARGET.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
