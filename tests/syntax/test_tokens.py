"""Characters, lines, comments, numbers and names (spec 01 §1)."""

from __future__ import annotations

import pytest

from serq_interpreter.syntax.building.expressions import number_value
from serq_interpreter.syntax.cutting import cut
from serq_interpreter.syntax.lines import LineIndex
from tests.syntax.helpers import codes, found, parse


def tokens(text: str) -> list[str]:
    return [token.text for _, piece in cut("", text) for token in piece.tokens]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1_000 1__2_ 1_.5 1._5 1_e2", ["1_000", "1__2_", "1_.5", "1._5", "1_e2"]),
        ("1e_5", ["1", "e_5"]),
        ("1. .5 1.5e3.2", ["1.", ".5", "1.5e3", ".2"]),
        ("0x10 1e 1e+", ["0", "x10", "1", "e", "1", "e", "+"]),
        ("a² a٣ _ été", ["a²", "a٣", "_", "été"]),
        ("q . kv q.kv", ["q", ".", "kv", "q", ".", "kv"]),
        ("a<=b!=c==d&&e||!f", ["a", "<=", "b", "!=", "c", "==", "d", "&&", "e", "||", "!", "f"]),
        ("a /* / */ b // c\nd/e", ["a", "b", "d", "/", "e"]),
        ("/**/ a /*/ b */ c", ["a", "c"]),
        ('use "a\\n\nb";', ["use", "a\\n\nb", ";"]),
        ("a\u00a0b\u2003c\u0085d", ["a", "b", "c", "d"]),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@pytest.mark.parametrize(
    ("text", "value"), [("1_000", 1000), ("1._5", 1.5), ("1_e2", 100), (".5", 0.5), ("1e999", float("inf"))]
)
def test_number_values(text: str, value: float) -> None:
    assert number_value(text) == value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("let a = 7 % 2;", [("SQ0101", 1, 11, 1)]),
        ("let a = 1 & 1;", [("SQ0101", 1, 11, 1)]),
        ("let a = ²;", [("SQ0101", 1, 9, 1)]),
        ("\ufefflet a = 1;", [("SQ0101", 1, 1, 1)]),
        ("# note\nlet a = 1;", [("SQ0101", 1, 1, 1)]),
        ("let a = 1;\n/* open", [("SQ0102", 2, 1, 2)]),
        ("let a = 1.2.3;", [("SQ0104", 1, 9, 5)]),
        ("/* 𝒳é */ let 1 = 1;", [("SQ0106", 1, 14, 1)]),
        ("\tlet 1 = 1;", [("SQ0106", 1, 6, 1)]),
        ("let a = 1;\r\nlet 1 = 1;", [("SQ0106", 2, 5, 1)]),
    ],
)
def test_lexical_errors(text: str, expected: list[tuple[str, int, int, int]]) -> None:
    assert found(parse(text)) == expected


def test_a_string_that_never_ends_costs_its_line() -> None:
    assert codes('workload {\n  trace "rows.csv;\n}\nsession { wat; }\n') == ["SQ0103", "SQ0112"]


@pytest.mark.parametrize("text", ["", "a", "a\nb", "é\n𝒳x\n", "a\r\nb\r\n", "\n\n", "x\u2028y\nz"])
def test_positions_round_trip(text: str) -> None:
    lines = LineIndex(text)
    for offset in range(len(text) + 1):
        line, column = lines.line_column(offset)
        if offset < lines.line_end(line) or offset == len(text):
            assert lines.offset(line, column) == offset
            assert lines.offset_of_utf16(*lines.utf16_position(offset)) == offset


def test_positions_outside_move_to_the_nearest_place() -> None:
    lines = LineIndex("ab\n𝒳")
    assert lines.offset(9, 9) == 4
    assert lines.offset(0, 0) == 0
    assert lines.offset_of_utf16(0, 99) == 2
    assert lines.offset_of_utf16(1, 1) == 4
