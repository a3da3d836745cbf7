"""Just enough of a TextMate engine to test our grammar: match rules, begin/end rules and captures, line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

UNICODE_CLASSES = ((r"[_\p{Alphabetic}\p{N}]", r"\w"), (r"[_\p{Alphabetic}]", r"[^\W\d]"))
"""Classes of the grammar's regular expressions in the notation of `re`."""

Scoped = tuple[str, str]


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    for theirs, ours in UNICODE_CLASSES:
        pattern = pattern.replace(theirs, ours)
    return re.compile(pattern)


def flat(grammar: dict[str, Any], patterns: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The rules in order, includes replaced by what they name."""
    for pattern in patterns:
        include = pattern.get("include")
        if include is None:
            yield pattern
        elif include == "$self":
            yield from flat(grammar, grammar["patterns"])
        else:
            yield from flat(grammar, grammar["repository"][include.removeprefix("#")]["patterns"])


def tokenize(grammar: dict[str, Any], text: str) -> list[Scoped]:
    """(text, innermost scope) of every piece that has a scope, without the suffix of the language."""
    rules = list(flat(grammar, grammar["patterns"]))
    found: list[Scoped] = []
    end: dict[str, Any] | None = None
    for line in text.splitlines(keepends=True):
        end = _line(grammar, rules, line, end, found)
    return [(piece, scope.removesuffix(".serq")) for piece, scope in found if piece.strip()]


def _line(
    grammar: dict[str, Any],
    rules: list[dict[str, Any]],
    line: str,
    open_rule: dict[str, Any] | None,
    found: list[Scoped],
) -> dict[str, Any] | None:
    at = 0
    while at < len(line):
        if open_rule is not None:
            closing = compiled(open_rule["end"]).search(line, at)
            stop = closing.end() if closing else len(line)
            found.append((line[at:stop], open_rule["name"]))
            at, open_rule = stop, None if closing else open_rule
            continue
        best, rule = _next(rules, line, at)
        if best is None or rule is None:
            return None
        if "begin" in rule:
            found.append((best.group(), rule["name"]))
            open_rule = rule
        else:
            _emit(grammar, rule, best, found)
        at = max(best.end(), at + 1)
    return open_rule


def _next(rules: list[dict[str, Any]], line: str, at: int) -> tuple[re.Match[str] | None, dict[str, Any] | None]:
    best: tuple[re.Match[str] | None, dict[str, Any] | None] = (None, None)
    for rule in rules:
        match = compiled(rule.get("match") or rule["begin"]).search(line, at)
        if match is not None and (best[0] is None or match.start() < best[0].start()):
            best = (match, rule)
    return best


def _emit(grammar: dict[str, Any], rule: dict[str, Any], match: re.Match[str], found: list[Scoped]) -> None:
    if "name" in rule:
        found.append((match.group(), rule["name"]))
    for number, capture in sorted(rule.get("captures", {}).items(), key=lambda item: int(item[0])):
        piece = match.group(int(number))
        if not piece:
            continue
        if "patterns" in capture:
            _line(grammar, list(flat(grammar, capture["patterns"])), piece, None, found)
        else:
            found.append((piece, capture["name"]))
