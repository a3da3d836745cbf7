"""Trace files and their errors (06 §9)."""

from __future__ import annotations

from math import inf, isnan
from pathlib import Path

import pytest

from serq_interpreter.machine.trace_file import TraceError, parse_trace, read_trace
from tests.support.cases import CASES, all_cases

BAD_TRACES = [case for case in all_cases() if case.area == "trace" and case.expected.run_code in ("SQ0918", "SQ0919")]


def rows(data: bytes) -> list[list[tuple[float, ...]]]:
    return [list(session) for session in parse_trace(data, "t.csv").sessions]


def fault(data: bytes) -> tuple[str, int, int, str, str]:
    with pytest.raises(TraceError) as caught:
        parse_trace(data, "t.csv")
    error = caught.value
    return error.code, error.line, error.column, error.message, error.help


def test_consecutive_rows_of_one_number_are_one_session() -> None:
    data = b"session,turn,new,out,think\n1,1,10,20,30\n1,2,11,21,31\n2,1,12,22,32,5\n1,1,13,23,33\n"
    assert rows(data) == [
        [(10, 20, 30, 0), (11, 21, 31, 0)],
        [(12, 22, 32, 5)],
        [(13, 23, 33, 0)],
    ]


def test_lines_that_are_no_rows() -> None:
    assert rows(b"\n  \t\r\n# note\nsessions of May\n  1,x y,1,2,3  \r\n\x0b\n") == [[(1, 2, 3, 0)]]


@pytest.mark.parametrize(
    ("text", "value"),
    [("+1.", 1.0), (".5", 0.5), ("1e3", 1000.0), ("-2E-1", -0.2), ("INF", inf), ("-Infinity", -inf), ("1e400", inf)],
)
def test_numbers(text: str, value: float) -> None:
    assert rows(f"1,1,{text},0,0".encode()) == [[(value, 0, 0, 0)]]


def test_not_a_number_is_a_number() -> None:
    assert isnan(rows(b"1,1,+NaN,0,0")[0][0][0])


def test_session_numbers_are_whole_and_saturate() -> None:
    data = b"18446744073709551616,,1,2,3\n1e30,,1,2,3\n-5,,1,2,3\nnan,,1,2,3\n0.9,,2,2,2\n1.1,,3,3,3\n"
    assert [len(session) for session in rows(data)] == [2, 3, 1]


@pytest.mark.parametrize("space", ["\u00a0", "\u2003", "\u1680", "\u3000", "\x85", "\x0c"])
def test_lines_are_trimmed_of_white_space(space: str) -> None:
    assert rows(f"{space}1,1,1,2,3{space}".encode()) == [[(1, 2, 3, 0)]]


@pytest.mark.parametrize("text", ["", " 1", "1 ", "1_0", "0x1", "1e", ".", "-", "infinit", "\u0661", "\x1c1"])
def test_texts_that_are_no_number(text: str) -> None:
    code, line, column, message, help_text = fault(f"# one\n  1,1,1,{text},3".encode())
    assert (code, line, column) == ("SQ0919", 2, 9)
    assert message == f"line 2 of the trace t.csv: `{text}` in column 4 (out) is no number"
    assert help_text == "replace `out` with a numeric value"


@pytest.mark.parametrize(("row", "count"), [("1;1;1;1;1", 1), ("1,1,1,1", 4), ("1,1,1,1,1,1,1", 7)])
def test_field_count(row: str, count: int) -> None:
    expected = f"line 1 of the trace t.csv has {count} fields, not 5 or 6"
    assert fault(row.encode()) == ("SQ0919", 1, 1, expected, "use session,turn,new,out,think[,forced]")


def test_no_row() -> None:
    code, line, _, message, help_text = fault(b"session,turn,new,out,think\n# nothing\n")
    assert (code, line, message) == ("SQ0919", 0, "the trace t.csv has no rows")
    assert help_text == "add a data row using session,turn,new,out,think[,forced]"


def test_text_that_is_not_utf8_is_found_before_any_row() -> None:
    code, line, column, message, _ = fault("x\n1,1,é".encode() + b"\xff,1,1\n")
    assert (code, line, column) == ("SQ0918", 2, 6)
    assert message == "the trace t.csv is no UTF-8 text"


def test_a_byte_order_mark_is_data() -> None:
    assert fault(b"\xef\xbb\xbfsession,turn,new,out,think\n")[:3] == ("SQ0919", 1, 1)


@pytest.mark.parametrize("case", BAD_TRACES, ids=lambda case: case.name)
def test_cases(case) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(TraceError) as caught:
        read_trace(case.path.with_suffix(".csv"))
    assert caught.value.code == case.expected.run_code


def test_every_good_case_reads() -> None:
    bad = {case.path.with_suffix(".csv") for case in BAD_TRACES}
    good = [path for path in sorted((CASES / "trace").glob("*.csv")) if path not in bad]
    assert good
    assert all(read_trace(path).n_turns > 0 for path in good)


@pytest.mark.parametrize("path", ["missing.csv", "missing/t.csv", ".", "a\0b"])
def test_files_that_cannot_be_opened(path: str, tmp_path: Path) -> None:
    with pytest.raises(TraceError, match=r"^the trace .* cannot be read: ") as caught:
        read_trace(f"{tmp_path}/{path}")
    assert caught.value.code == "SQ0918"
