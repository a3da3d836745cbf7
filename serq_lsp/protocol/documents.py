"""The open documents: their snapshots, analysed lazily, and the libraries they use.

Texts come from pygls's workspace (incremental synchronisation); an analysis is made on first use after a change and
reuses what the change did not touch.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from urllib.parse import unquote, urlparse

from pygls.uris import from_fs_path, to_fs_path

from serq_interpreter.files import library_loader, read_file
from serq_interpreter.frontend.analysis import Analysis, Options, analyse
from serq_interpreter.project import project_edition
from serq_lsp.services.instances import NOTHING, Instance, instance_of
from serq_lsp.services.paths import MOST_ENTRIES
from serq_lsp.services.settings import Settings
from serq_lsp.services.snapshot import Snapshot

logger = logging.getLogger(__name__)

SETTINGS_FILES = ("serq.toml", "pyproject.toml")
"""Files that may say which edition the documents below them are in."""


class Documents:
    """Open documents by URI.  `text_of` gives the current (version, text) of an open URI, or `None`."""

    def __init__(self, text_of: Callable[[str], tuple[int, str] | None]) -> None:
        self.text_of = text_of
        self.snapshots: dict[str, Snapshot] = {}
        self.settings: dict[str, Settings] = {}
        self.default_settings = Settings()
        self.open_uris: dict[str, None] = {}
        self.editions: dict[str, str] = {}
        """What the settings files say about the edition of each open document, read once."""

    def opened(self, uri: str) -> None:
        """A document was opened."""
        self.open_uris[uri] = None

    def closed(self, uri: str) -> None:
        """A document was closed: its text is the file's again."""
        self.open_uris.pop(uri, None)
        self.snapshots.pop(uri, None)
        self.settings.pop(uri, None)
        self.editions.pop(uri, None)

    def settings_of(self, uri: str) -> Settings:
        """The settings of a document."""
        return self.settings.get(uri, self.default_settings)

    def snapshot(self, uri: str) -> Snapshot | None:
        """The current snapshot of an open document; `None` for any other."""
        if uri not in self.open_uris:
            return None
        current = self.text_of(uri)
        if current is None:
            return None
        version, text = current
        settings = self.settings_of(uri)
        kept = self.snapshots.get(uri)
        if kept is not None and kept.version == version and kept.text == text and kept.settings is settings:
            return kept
        fresh = self._made(uri, version, text, settings, kept)
        self.snapshots[uri] = fresh
        return fresh

    def closed_snapshot(self, uri: str, text: str) -> Snapshot:
        """A snapshot of a file that is not open; it is not kept."""
        made = self._made(uri, 0, text, self.settings_of(uri), None)
        self.editions.pop(uri, None)
        return made

    def _made(self, uri: str, version: int, text: str, settings: Settings, kept: Snapshot | None) -> Snapshot:
        instance = instance_of(settings["values"], file_of(uri), self._read) if settings["values"] else NOTHING
        return Snapshot(uri, version, self._analyse(uri, text, settings, instance, kept), settings, instance)

    def forget(self, uri: str) -> None:
        """Something outside the text changed (a library, a setting): analyse again at the next use."""
        self.snapshots.pop(uri, None)
        self.editions.pop(uri, None)

    def users_of(self, file: str) -> list[str]:
        """The open documents that read `file` as a library, an instance file or a trace; all of them for settings."""
        if os.path.basename(file) in SETTINGS_FILES:
            return list(self.snapshots)
        real = os.path.realpath(file)
        return [
            uri
            for uri, snapshot in self.snapshots.items()
            if real in snapshot.analysis.missing_libraries
            or any(os.path.realpath(other) == real for other in _read_by(snapshot))
        ]

    def _analyse(self, uri: str, text: str, settings: Settings, instance: Instance, kept: Snapshot | None) -> Analysis:
        file = file_of(uri)
        from_text = not uri.startswith("file:")
        edition = settings["edition"] or self._project_edition(uri, file)
        options = Options(
            sets=instance.sets, strict=settings["strict"], editor=True, edition=edition, from_text=from_text
        )
        previous = kept.analysis if kept is not None and kept.analysis.options == options else None
        loader = None if options.from_text else library_loader(file, self._read)
        return analyse(text, file, options=options, previous=previous, load_library=loader)

    def _project_edition(self, uri: str, file: str) -> str:
        if uri not in self.editions:
            self.editions[uri] = project_edition(Path(file).parent) if uri.startswith("file:") else ""
        return self.editions[uri]

    def _read(self, path: str) -> str:
        current = self.text_of(uri_of(path)) if uri_of(path) in self.open_uris else None
        return current[1] if current is not None else read_file(path)


def _read_by(snapshot: Snapshot) -> Iterator[str]:
    """The files beside its own that a program is made from."""
    yield from (source.file for source in snapshot.document.sources[1:])
    yield from snapshot.instance.files
    trace = snapshot.analysis.elaborated.trace
    if trace is not None:
        yield os.path.join(os.path.dirname(snapshot.file), trace)


def entries_of(folder: str) -> list[tuple[str, bool]]:
    """What a folder holds: names, and whether they are folders; nothing for one that cannot be read."""
    try:
        with os.scandir(folder or ".") as found:
            return [(entry.name, entry.is_dir()) for entry in islice(found, MOST_ENTRIES)]
    except (OSError, ValueError):  # no such folder, no permission, a name that no file has
        return []


def file_of(uri: str) -> str:
    """The path of a `file:` URI; for other schemes a name to show."""
    path = to_fs_path(uri) if uri.startswith("file:") else None
    return path or unquote(urlparse(uri).path) or uri


def uri_of(file: str) -> str:
    """The URI of a path."""
    return from_fs_path(os.path.abspath(file)) or file
