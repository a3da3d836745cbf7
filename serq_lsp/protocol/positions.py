"""The only converter between offsets (characters of a text) and protocol positions (in the negotiated encoding)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lsprotocol import types

from serq_interpreter.syntax.lines import LineIndex


@dataclass(frozen=True, slots=True)
class Converter:
    """Converts for one encoding: UTF-16 (every client), UTF-8 or UTF-32 (clients that offer it)."""

    encoding: types.PositionEncodingKind = types.PositionEncodingKind.Utf16

    def position(self, lines: LineIndex, offset: int) -> types.Position:
        """The protocol position of an offset."""
        line, column = lines.line_column(min(max(offset, 0), len(lines.text)))
        start = lines.starts[line - 1]
        return types.Position(line - 1, self._units(lines.text[start : start + column - 1]))

    def range(self, lines: LineIndex, start: int, end: int) -> types.Range:
        """The protocol range of two offsets."""
        return types.Range(self.position(lines, start), self.position(lines, end))

    def offset(self, lines: LineIndex, position: types.Position) -> int:
        """The offset of a protocol position, moved to the nearest place that exists."""
        if self.encoding is types.PositionEncodingKind.Utf16:
            return lines.offset_of_utf16(position.line, position.character)
        if position.line < 0:
            return 0
        if position.line >= len(lines.starts):
            return len(lines.text)
        start = lines.starts[position.line]
        content = lines.text[start : lines.line_end(position.line + 1)]
        if self.encoding is types.PositionEncodingKind.Utf32 or content.isascii():
            return start + min(max(position.character, 0), len(content))
        piece = content.encode("utf-8")[: max(position.character, 0)]
        return start + len(piece.decode("utf-8", errors="ignore"))

    def along(self, lines: LineIndex, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
        """Line, character and length of many spans in order, each within a line; quicker than one by one."""
        text, starts = lines.text, lines.starts
        plain = self.encoding is types.PositionEncodingKind.Utf32 or text.isascii()
        line, last = 0, len(starts) - 1
        for start, end in spans:
            while line < last and starts[line + 1] <= start:
                line += 1
            origin = starts[line]
            if plain:
                yield line, start - origin, end - start
            else:
                yield line, self._units(text[origin:start]), self._units(text[start:end])

    def _units(self, text: str) -> int:
        if text.isascii() or self.encoding is types.PositionEncodingKind.Utf32:
            return len(text)
        if self.encoding is types.PositionEncodingKind.Utf8:
            return len(text.encode("utf-8", errors="replace"))
        return len(text) + sum(1 for character in text if ord(character) > 0xFFFF)
