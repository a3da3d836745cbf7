"""Reading files: every failure is a reason in plain words (issue: bad input)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from serq_interpreter.files import FileError, decode, library_loader, read_file
from serq_interpreter.syntax.document import LibraryError, parse_document
from tests.syntax.helpers import found


def test_text_is_utf8(tmp_path: Path) -> None:
    path = tmp_path / "a.sq"
    path.write_bytes("let é = 1;\r\n".encode())
    assert read_file(str(path)) == "let é = 1;\r\n"


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"\xef\xbb\xbflet a = 1;", ("SQ0101", 1, 1, 1)),
        (b"\0", ("SQ0101", 1, 1, 1)),
    ],
)
def test_odd_bytes_are_reported_where_they_stand(data: bytes, place: tuple[str, int, int, int]) -> None:
    assert found(parse_document(decode(data), "a.sq")) == [place]


@pytest.mark.parametrize(
    ("data", "reason", "line", "column"),
    [
        (b"let a = 1;\n\xff", "the byte 0xFF at 2:1 is no UTF-8", 2, 1),
        ("let a = 1;\r\n// é ".encode() + b"caf\xe9", "the byte 0xE9 at 2:9 is no UTF-8", 2, 9),
        ("let a = 1;".encode("utf-16"), "UTF-16", 1, 1),
    ],
)
def test_bytes_that_are_no_utf8_are_refused(data: bytes, reason: str, line: int, column: int) -> None:
    with pytest.raises(FileError, match=reason) as caught:
        decode(data)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_what_cannot_be_read(tmp_path: Path) -> None:
    folder = tmp_path / "x.sq"
    folder.mkdir()
    with pytest.raises(FileError, match="directory"):
        read_file(str(folder))
    with pytest.raises(FileError, match="no such file"):
        read_file(str(tmp_path / "missing.sq"))
    with pytest.raises(FileError):
        read_file("a\0b")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.sq")
        with pytest.raises(FileError, match="no regular file"):
            read_file(str(tmp_path / "pipe.sq"))


def test_libraries_are_found_from_the_file_that_uses_them(tmp_path: Path) -> None:
    (tmp_path / "kit").mkdir()
    (tmp_path / "kit" / "a.sq").write_text('use "../b.sq";\n', encoding="utf-8")
    (tmp_path / "b.sq").write_text('def one() = 1;\nuse "kit/../kit/a.sq";\n', encoding="utf-8")
    program = tmp_path / "main.sq"
    program.write_text('use "kit/a.sq";\nuse "./b.sq";\nlet x = one();\n', encoding="utf-8")
    load = library_loader(str(program))
    document = parse_document(read_file(str(program)), str(program), load_library=load)
    assert document.findings == ()
    assert len(document.sources) == 3
    with pytest.raises(LibraryError, match="no such file"):
        load("gone.sq", str(program))
