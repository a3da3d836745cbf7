"""Breaking long lines: at the outermost place that makes them short enough, from left to right."""

from __future__ import annotations

WIDTH = 100
"""How many columns a line should have at most."""
CONTINUED = "    "


class Word:
    """A token or comment on a line.  `level` is how many brackets are open around it.

    `force`: the line ends after it.
    """

    __slots__ = ("breaks", "comment", "force", "level", "space", "text")

    def __init__(self, text: str, space: bool, level: int, breaks: bool = False, comment: bool = False) -> None:
        self.text = text
        self.space = space
        self.level = level
        self.breaks = breaks
        self.comment = comment
        self.force = False


def broken(words: list[Word], indent: str) -> list[str]:
    """The lines for one logical line."""
    lines: list[str] = []
    rest = words
    first = True
    while rest:
        start = indent if first else indent + CONTINUED
        count = _taken(rest, WIDTH - len(start))
        lines.append(start + _joined(rest[:count]))
        rest = rest[count:]
        first = False
    return lines


def _joined(words: list[Word]) -> str:
    parts = [words[0].text]
    for word in words[1:]:
        parts.append(" " + word.text if word.space else word.text)
    return "".join(parts)


def _taken(words: list[Word], width: int) -> int:
    """How many words go on the first line."""
    used = 0
    best = 0
    best_level = -1
    for count, word in enumerate(words):
        used += len(word.text) + (word.space and count > 0)
        if count and word.breaks and (best_level < 0 or word.level <= best_level):
            best, best_level = count, word.level
        if used > width and best:
            return best
        if word.force:
            return count + 1
    return len(words)
