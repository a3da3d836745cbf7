"""Where lines, blanks and comments go: anything between tokens."""

from __future__ import annotations

from tests.support.generate.choices import Choices
from tests.support.generate.mutation import spans

TRIVIA = (" ", "  ", "\t", "\n", "\r\n", " // said; } \n", " /* { ; */ ", "/**/", "/*/ */", "\u00a0", "\n\n")


def laid_out(items: list[str], choices: Choices) -> str:
    """One item a line, or now and then with trivia between any two tokens."""
    text = "\n".join(items) + "\n"
    if not choices.chance(0.15):
        return text
    parts = []
    previous = ""
    for span in spans(text):
        token = text[span.start : span.end]
        apart = previous[-1:].isalnum() or previous[-1:] == "_"
        needed = apart and (token[0].isalnum() or token[0] in "_.")
        close = not needed and (previous + token[0]) not in _JOINED and choices.chance(0.4)
        parts.append("" if close else choices.pick(TRIVIA) if choices.chance(0.3) else " ")
        parts.append(token)
        previous = token
    return "".join(parts) + "\n"


_JOINED = frozenset(("//", "/*", "==", "<=", ">=", "!=", "&&", "||", "..", "*/"))
"""Two characters that would be read as one token."""
