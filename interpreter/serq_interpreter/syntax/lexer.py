"""Characters to tokens (spec 01 §1): one compiled expression, one match per token with the blank space before it.

The matches carry offsets of the text they were found in; `chunks.py` turns them into tokens of a chunk.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from serq_interpreter.syntax.letters import other_digits, other_letters

BLANK = "[\\t\\n\\x0b\\x0c\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]"
"""One character of white space: the Unicode property, which is not what Python's `\\s` means."""

NAME, PUNCTUATION, NUMBER, STRING, COMMENT, OPEN_COMMENT, OPEN_STRING, BAD, END = range(1, 10)
"""The groups of `pattern`: `match.lastindex` is one of them."""

_NAME = "([^\\W\\d]\\w*)"


@cache
def pattern(by_line: bool = False, all_letters: bool = False) -> re.Pattern[str]:
    """The expression that matches at every offset of every text.

    `by_line`: for a text with a string that is never closed; there no string runs past its line (spec 03 §3).
    `all_letters`: for a text with letters that Python's `\\w` does not match.
    """
    parts = (
        _any_name() if all_letters else _NAME,
        "(/(?![/*])|&&|\\|\\||[<>=!]=?|(?!\\.[0-9])[.]|[(){}\\[\\];,:?~+*^-])",
        "((?:[0-9][0-9_.]*|\\.[0-9][0-9_.]*)(?:[eE][+-]?[0-9]+)?)",
        '("[^"\\n]*")' if by_line else '("[^"]*")',
        "(//[^\\n]*|/\\*[\\s\\S]*?\\*/)",
        "(/\\*[\\s\\S]*)",
        '("[^"\\n]*)' if by_line else '("[\\s\\S]*)',
        "(#[^\\n]*|[\\s\\S])",
        "(\\Z)",
    )
    return re.compile(BLANK + "*+(?:" + "|".join(parts) + ")")


def _any_name() -> str:
    letters = other_letters()
    return f"((?:[^\\W\\d]|[{letters}])(?:\\w|[{letters}{other_digits()}])*)"


def is_other_letter(character: str) -> bool:
    """Whether a character that starts no token is a letter all the same (see `letters.py`)."""
    return not character.isascii() and re.match(f"[{other_letters()}{other_digits()}]", character) is not None


def is_name(text: str) -> bool:
    """Whether a match of group `NAME` is an identifier: other scripts' numbers may only stand inside one."""
    first = text[0]
    return first == "_" or first.isalpha() or unicodedata.category(first) == "Nl" or is_other_letter(first)
