"""The programs of the workspace's folders, open or not: what symbols and renames look through.

A file that is open counts as the editor has it.  Closed files are read when somebody asks, a file at a time, so that
the requests of the document being typed are answered between them; nothing of them is kept but their symbols.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, TypeVar

from pygls.uris import to_fs_path

from serq_interpreter.files import FileError, read_file
from serq_lsp.protocol.documents import file_of, uri_of
from serq_lsp.services.snapshot import Snapshot

if TYPE_CHECKING:
    from serq_lsp.protocol.server import SerqServer

MOST_FILES = 1000
"""Programs of a workspace that are looked at; a folder with more is no project of programs."""
SKIPPED = frozenset(("node_modules", "__pycache__", "venv", "build", "dist", "target"))

T = TypeVar("T")


class Programs:
    """One per server."""

    def __init__(self, ls: SerqServer) -> None:
        self.ls = ls
        self._made: dict[str, tuple[tuple[int, int], object]] = {}
        """Path → what was made from the closed file, and the file's state then."""

    def files(self) -> list[str]:
        """The paths of the workspace's programs and libraries, in order."""
        found: list[str] = []
        for folder in self.ls.workspace.folders.values():
            top = to_fs_path(folder.uri)
            for place, folders, names in os.walk(top or ""):
                folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in SKIPPED)
                found.extend(os.path.join(place, name) for name in sorted(names) if name.endswith(".sq"))
                if len(found) >= MOST_FILES:
                    return found[:MOST_FILES]
        return found

    async def users_of(self, library: str, name: str) -> AsyncIterator[Snapshot]:
        """The programs that read a library and in whose text the name occurs."""
        real = os.path.realpath(library)
        async for snapshot in self._every(lambda text: name in text):
            if any(os.path.realpath(source.file) == real for source in snapshot.document.sources):
                yield snapshot

    async def made(self, make: Callable[[Snapshot], list[T]]) -> list[T]:
        """What `make` makes of every program, in one list; of closed files it is made once."""
        found: list[T] = []
        for uri in list(self.ls.documents.open_uris):
            snapshot = self.ls.snapshot(uri)
            found.extend(make(snapshot) if snapshot is not None else ())
        for path in self._closed():
            state = _state(path)
            kept = self._made.get(path)
            if kept is None or kept[0] != state:
                snapshot = self._read(path)
                kept = self._made[path] = (state, make(snapshot) if snapshot is not None else [])
                await asyncio.sleep(0)
            found.extend(kept[1])  # type: ignore[arg-type]
        return found

    async def _every(self, wanted: Callable[[str], bool]) -> AsyncIterator[Snapshot]:
        for uri in list(self.ls.documents.open_uris):
            snapshot = self.ls.snapshot(uri)
            if snapshot is not None:
                yield snapshot
        for path in self._closed():
            snapshot = self._read(path, wanted)
            if snapshot is not None:
                yield snapshot
            await asyncio.sleep(0)

    def _closed(self) -> list[str]:
        opened = {os.path.realpath(file_of(uri)) for uri in self.ls.documents.open_uris}
        return [path for path in self.files() if os.path.realpath(path) not in opened]

    def _read(self, path: str, wanted: Callable[[str], bool] = lambda text: True) -> Snapshot | None:
        try:
            text = read_file(path)
        except FileError:
            return None  # it was deleted, or nobody may read it: then nobody asks for its names
        return self.ls.documents.closed_snapshot(uri_of(path), text) if wanted(text) else None


def _state(path: str) -> tuple[int, int]:
    try:
        found = os.stat(path)
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size
