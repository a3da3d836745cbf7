"""Offsets and positions: lines are separated by LF, a column counts characters (spec 01 §1.1).

Inside, places are offsets in characters.  People read 1-based lines and columns, editors 0-based lines and UTF-16 units.
"""

from __future__ import annotations

from bisect import bisect_right


class LineIndex:
    """The lines of one text.  Immutable."""

    __slots__ = ("starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        starts = [0]
        find = text.find
        at = find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = find("\n", at + 1)
        self.starts = starts

    def line_column(self, offset: int) -> tuple[int, int]:
        """1-based line and column (in characters) of `offset`."""
        line = bisect_right(self.starts, offset) - 1
        return line + 1, offset - self.starts[line] + 1

    def offset(self, line: int, column: int) -> int:
        """The offset of a 1-based line and column, moved to the nearest place that exists."""
        if line < 1:
            return 0
        if line > len(self.starts):
            return len(self.text)
        start, end = self.starts[line - 1], self.line_end(line)
        return min(max(start, start + column - 1), end)

    def line_end(self, line: int) -> int:
        """The offset of the end of a 1-based line, its LF (and a CR before it) excluded."""
        end = self.starts[line] - 1 if line < len(self.starts) else len(self.text)
        if end > self.starts[line - 1] and line < len(self.starts) and self.text[end - 1] == "\r":
            end -= 1
        return end

    def utf16_position(self, offset: int) -> tuple[int, int]:
        """0-based line and UTF-16 units from its start, as editors count."""
        line = bisect_right(self.starts, offset) - 1
        return line, utf16_length(self.text[self.starts[line] : offset])

    def offset_of_utf16(self, line: int, units: int) -> int:
        """The offset of an editor's position, moved to the nearest place that exists; never inside a character."""
        if line < 0:
            return 0
        if line >= len(self.starts):
            return len(self.text)
        start = self.starts[line]
        content = self.text[start : self.line_end(line + 1)]
        if content.isascii():
            return start + min(max(units, 0), len(content))
        seen = 0
        for index, character in enumerate(content):
            if seen >= units:
                return start + index
            seen += 2 if ord(character) > 0xFFFF else 1
        return start + len(content)


def utf16_length(text: str) -> int:
    """How many UTF-16 units `text` has."""
    if text.isascii():
        return len(text)
    return len(text) + sum(1 for character in text if ord(character) > 0xFFFF)
