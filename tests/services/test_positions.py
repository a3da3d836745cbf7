"""Positions of the protocol: many at once are those of one by one, in every encoding."""

from __future__ import annotations

import pytest
from lsprotocol import types

from serq_interpreter.syntax.lines import LineIndex
from serq_lsp.protocol.positions import Converter

TEXTS = ["let a = 1;\n\nlet b = a;\n", "/* 🚀é */ let a = 1; // 🚀\nlet é = a;\r\nlast", "", "\n\n"]


@pytest.mark.parametrize("encoding", list(types.PositionEncodingKind))
@pytest.mark.parametrize("text", TEXTS)
def test_many_positions_are_those_of_one_by_one(encoding: types.PositionEncodingKind, text: str) -> None:
    converter, lines = Converter(encoding), LineIndex(text)
    spans = []
    for line, start in enumerate(lines.starts, 1):
        spans += [(at, min(at + 2, lines.line_end(line))) for at in range(start, lines.line_end(line) + 1)]
    found = list(converter.along(lines, spans))
    wanted = []
    for start, end in spans:
        one = converter.range(lines, start, end)
        wanted.append((one.start.line, one.start.character, one.end.character - one.start.character))
    assert found == wanted
