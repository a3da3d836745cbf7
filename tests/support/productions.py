"""Which productions of `serq.lark` a text has, by lark's own tables.

Lark's lexer takes a word for itself wherever a merged state could take it; here, as in the product, a word is itself
where it can be shifted and a NAME everywhere else.
"""

from __future__ import annotations

from typing import Any

from lark.parsers.lalr_analysis import Shift

from serq_grammar import reference_parser
from tests.support.generate.mutation import spans

_AGGREGATES = frozenset({"max", "min", "sum"})


class Productions:
    """The grammar; `names` are its productions as text, those of the edition v4b left out."""

    def __init__(self) -> None:
        lark = reference_parser()
        table: Any = lark.parser.parser.parser.parse_table
        self._states: dict[int, dict[str, tuple[Any, Any]]] = table.states
        self._start: int = table.start_states["program"]
        self._terminal = {
            terminal.pattern.value: terminal.name for terminal in lark.terminals if terminal.pattern.type == "str"
        }
        self._shown = {name: f"`{text}`" for text, name in self._terminal.items()}
        self.names = sorted({self._name(rule) for rule in lark.rules if self._is_of_the_reference(rule)})

    @staticmethod
    def _is_of_the_reference(rule: Any) -> bool:
        """Whether the reference has the production: not the extension's, and no helper of lark's."""
        names = {rule.origin.name, *(symbol.name for symbol in rule.expansion)}
        return not rule.origin.name.startswith(("__", "$")) and not names & {"SPAWN", "GROUP", "inherit"}

    def met(self, text: str) -> set[str]:
        """The productions reduced in a text, up to its first syntax error."""
        words = [text[span.start : span.end] for span in spans(text)]
        found: set[str] = set()
        stack = [self._start]
        for index, word in enumerate(words):
            if not self._take(stack, self._candidates(word, words[index + 1 : index + 3]), found):
                return found
        self._take(stack, ["$END"], found)
        return found

    def _candidates(self, word: str, following: list[str]) -> list[str]:
        """The terminals that a token may be, the first that fits wins."""
        if word[0] == '"':
            return ["STRING"]
        if word[0].isdigit() or (word[0] == "." and len(word) > 1):
            return ["NUMBER"]
        if not (word[0].isalpha() or word[0] == "_"):
            return [self._terminal.get(word, "?")]
        if word in _AGGREGATES and following[1:] == ["in"]:
            return ["AGGREGATE", "NAME"]
        named = len(following) == 2 and (following[1][0].isalpha() or following[1][0] == "_")
        if word in ("run", "share") and following[0] in ("pull", "push") and named:
            return ["RELATION_LEFT", "NAME"]
        return [self._terminal[word], "NAME"] if word in self._terminal else ["NAME"]

    def _take(self, stack: list[int], kinds: list[str], found: set[str]) -> bool:
        """Shift the first of the terminals that can be shifted."""
        for kind in kinds:
            trial = list(stack)
            reduced: list[str] = []
            while (action := self._states[trial[-1]].get(kind)) is not None:
                what, argument = action
                if what is Shift:
                    trial.append(argument)
                    stack[:] = trial
                    found.update(reduced)
                    return True
                if argument.expansion:
                    del trial[-len(argument.expansion) :]
                trial.append(self._states[trial[-1]][argument.origin.name][1])
                if not argument.origin.name.startswith(("__", "$")):
                    reduced.append(self._name(argument))
            if kind == "$END":
                found.update(reduced)
        return False

    def _name(self, rule: Any) -> str:
        parts = (self._shown.get(symbol.name, symbol.name) for symbol in rule.expansion)
        return f"{rule.origin.name}: {' '.join(parts)}".strip()
