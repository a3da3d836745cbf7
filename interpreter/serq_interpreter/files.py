"""The only reader of files: programs and the libraries that they use, as text.

A text is UTF-8.  A byte-order mark and bytes that are no UTF-8 stay visible in the text (the latter as U+FFFD), so that the
lexer reports them where they stand.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from typing import NamedTuple

from serq_interpreter.syntax.reading import LibraryError

MAX_BYTES = 16_000_000
"""Larger files are not read."""


class FileError(Exception):
    """A file that cannot be read; the text says why, in plain words and without the path."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(reason)
        self.path = path
        self.reason = reason


class FileText(NamedTuple):
    """A file as read.  `exact` says that encoding `text` gives the file's bytes again, so that it may be rewritten."""

    text: str
    exact: bool


def read_file(path: str) -> FileText:
    """Read a regular file.  Raises `FileError` when it is missing, unreadable, no regular file or too large."""
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
    return decode(data)


def decode(data: bytes) -> FileText:
    """Bytes to text; what is no UTF-8 becomes U+FFFD."""
    try:
        return FileText(data.decode("utf-8"), True)
    except UnicodeDecodeError:
        return FileText(data.decode("utf-8", errors="replace"), False)


def library_loader(program: str, read: Callable[[str], FileText] = read_file) -> Callable[[str, str], tuple[str, str]]:
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
            return name, read(name).text
        except FileError as error:
            raise LibraryError(error.reason) from None

    return load
