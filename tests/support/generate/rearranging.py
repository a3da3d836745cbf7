"""Larger changes to a program: names made to clash, statements and items left out, doubled, swapped and moved.

A program stays readable after them (brackets stay balanced), so what is met is the meaning of names and the order of things
rather than the grammar.
"""

from __future__ import annotations

import re
from random import Random

from serq_interpreter.catalog import vocabulary
from tests.support.generate.mutation import Span, spans

_CLASHING = (
    *("prefill", "decode", "tool", "transfer", "link", "self", "kv", "q", "n", "src"),
    *vocabulary.BUILTIN_ATTRIBUTES,
    *vocabulary.CONTEXT_VARIABLES,
    *vocabulary.FUNCTIONS,
)


def rearranged(text: str, random: Random) -> tuple[str, str]:
    """The kind of the change and the changed text."""
    tokens = spans(text)
    kind = random.choice(("clash", "clash", "clash", "drop", "double", "swap", "move", "reorder"))
    if kind == "clash":
        return kind, _clash(text, tokens, random)
    top = _parts(text, tokens, 0, len(tokens))
    if kind == "reorder":
        return kind, _swapped(text, top, random)
    inner = _nested(text, tokens)
    if not top:
        return "none", text
    if not inner or (kind in ("drop", "double") and random.random() < 0.3):
        inner = [top]
    block = random.choice(inner)
    start, end = random.choice(block)
    match kind:
        case "drop":
            return kind, text[:start] + text[end:]
        case "double":
            return kind, f"{text[:end]} {text[start:end]}{text[end:]}"
        case "swap":
            return kind, _swapped(text, block, random)
        case _:
            target = random.choice(random.choice(inner))[0]
            piece = text[start:end]
            if start <= target < end:
                return kind, text[:start] + text[end:]
            if target < start:
                return kind, f"{text[:target]}{piece} {text[target:start]}{text[end:]}"
            return kind, f"{text[:start]}{text[end:target]}{piece} {text[target:]}"


def _clash(text: str, tokens: list[Span], random: Random) -> str:
    """Every token of one name gets another name that is there already, or one with a meaning of its own."""
    names = sorted({text[token.start : token.end] for token in tokens if token.is_name} - vocabulary.LANGUAGE_WORDS)
    if len(names) < 2:
        return text
    old = random.choice(names)
    new = random.choice(_CLASHING) if random.random() < 0.3 else random.choice([name for name in names if name != old])
    return re.sub(rf"\b{re.escape(old)}\b", new, text)


def _parts(text: str, tokens: list[Span], first: int, last: int) -> list[tuple[int, int]]:
    """The statements, options or items between two tokens: each ends with its `;` or its last `}`."""
    found: list[tuple[int, int]] = []
    depth, start = 0, first
    for number in range(first, last):
        token = text[tokens[number].start : tokens[number].end]
        depth += (token in ("{", "(", "[")) - (token in ("}", ")", "]"))
        following = text[tokens[number + 1].start : tokens[number + 1].end] if number + 1 < last else ""
        continues = following in ("else", "cache", "lease")
        if depth == 0 and (token == ";" or (token == "}" and not continues)):
            found.append((tokens[start].start, tokens[number].end))
            start = number + 1
    return found


def _nested(text: str, tokens: list[Span]) -> list[list[tuple[int, int]]]:
    """The parts of every block in braces that has some."""
    blocks: list[list[tuple[int, int]]] = []
    opened: list[int] = []
    for number, token in enumerate(tokens):
        character = text[token.start : token.end]
        if character == "{":
            opened.append(number)
        elif character == "}" and opened:
            parts = _parts(text, tokens, opened.pop() + 1, number)
            if parts:
                blocks.append(parts)
    return blocks


def _swapped(text: str, parts: list[tuple[int, int]], random: Random) -> str:
    if len(parts) < 2:
        return text
    (a, b), (c, d) = sorted(random.sample(parts, 2))
    return text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]
