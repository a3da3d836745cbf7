"""Characters to tokens (spec 01 §1): one compiled expression, one match per token with the blank space before it.

The matches carry offsets of the text they were found in; `chunks.py` turns them into tokens of a chunk.
"""

from __future__ import annotations

import re
import unicodedata

BLANK = "[\\t\\n\\x0b\\x0c\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]"
"""One character of white space: the Unicode property, which is not what Python's `\\s` means."""

NAME, PUNCTUATION, NUMBER, STRING, COMMENT, OPEN_COMMENT, OPEN_STRING, BAD, END = range(1, 10)
"""The groups of `TOKEN`: `match.lastindex` is one of them."""

_PARTS = (
    "([^\\W\\d]\\w*)",
    "(/(?![/*])|&&|\\|\\||[<>=!]=?|(?!\\.[0-9])[.]|[(){}\\[\\];,:?~+*^-])",
    "((?:[0-9][0-9_.]*|\\.[0-9][0-9_.]*)(?:[eE][+-]?[0-9]+)?)",
    '("[^"]*")',
    "(//[^\\n]*|/\\*[\\s\\S]*?\\*/)",
    "(/\\*[\\s\\S]*)",
    '("[\\s\\S]*)',
    "(#[^\\n]*|[\\s\\S])",
    "(\\Z)",
)

TOKEN = re.compile(BLANK + "*+(?:" + "|".join(_PARTS) + ")")
"""Matches at every offset of every text."""

TOKEN_BY_LINE = re.compile(
    BLANK + "*+(?:" + "|".join((*_PARTS[:3], '("[^"\\n]*")', *_PARTS[4:6], '("[^"\\n]*)', *_PARTS[7:])) + ")"
)
"""The same for a text with a string that is never closed: there no string runs past its line (spec 03 §3)."""


def is_name(text: str) -> bool:
    """Whether a match of group `NAME` is an identifier: other scripts' numbers may only stand inside one."""
    first = text[0]
    return first == "_" or first.isalpha() or unicodedata.category(first) == "Nl"
