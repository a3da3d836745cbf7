"""The only reader of files: programs and the libraries that they use, as text.

A text is UTF-8; a file of other bytes is not read, because nobody knows which letters they stand for (the language's own
command refuses it, too).  A byte-order mark stays in the text, so that the lexer reports it where it stands.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable

from serq_interpreter.syntax.reading import LibraryError

MAX_BYTES = 16_000_000
"""Larger files are not read."""

_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


class FileError(Exception):
    """A file that cannot be read; the text says why, in plain words and without the path.

    `line` and `column` (from 1, in characters) are where the first byte stands that is at fault.
    """

    def __init__(self, path: str, reason: str, line: int = 1, column: int = 1) -> None:
        super().__init__(reason)
        self.path = path
        self.reason = reason
        self.line = line
        self.column = column


def read_file(path: str) -> str:
    """The text of a regular file.  Raises `FileError`: missing, unreadable, no regular file, too large or no UTF-8."""
    try:
        status = os.stat(path)
        if stat.S_ISDIR(status.st_mode):
            raise FileError(path, "it is a directory")
        if not stat.S_ISREG(status.st_mode):
            raise FileError(path, "it is no regular file")
        if status.st_size > MAX_BYTES:
            raise FileError(path, f"it has {status.st_size} bytes; at most {MAX_BYTES} are read")
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise FileError(path, "there is no such file") from None
    except PermissionError:
        raise FileError(path, "permission denied") from None
    except (OSError, ValueError) as error:
        raise FileError(path, getattr(error, "strerror", None) or str(error)) from None
    return decode(data, path)


def decode(data: bytes, path: str = "<stdin>") -> str:
    """Bytes to text.  Raises `FileError` at the first byte that is no UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        if data.startswith(_UTF_16):
            raise FileError(path, "it is UTF-16 text: save it as UTF-8") from None
        before = data[: error.start].decode("utf-8")
        line = before.count("\n") + 1
        column = len(before) - before.rfind("\n")
        reason = f"the byte 0x{data[error.start]:02X} at {line}:{column} is no UTF-8: save the file as UTF-8"
        raise FileError(path, reason, line, column) from None


def library_loader(program: str, read: Callable[[str], str] = read_file) -> Callable[[str, str], tuple[str, str]]:
    """How a program at the path `program` finds its libraries (spec 01 §3): relative to the file that says `use`.

    One file gets one name, however it is spelled, so that a library is read once and cycles end.  `read` may look at the
    texts that an editor has open first.  The function raises `LibraryError`.
    """
    names = {os.path.realpath(program): program}

    def load(path: str, used_in: str) -> tuple[str, str]:
        if not path or "\0" in path or "\n" in path:
            raise LibraryError("this is no file name")
        found = os.path.normpath(os.path.join(os.path.dirname(used_in), path))
        name = names.setdefault(os.path.realpath(found), found)
        try:
            return name, read(name)
        except FileError as error:
            raise LibraryError(error.reason) from None

    return load
