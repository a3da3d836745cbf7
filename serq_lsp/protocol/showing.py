"""Texts that the server makes and the editor opens: files in a folder of the server's own, gone with it."""

from __future__ import annotations

import logging
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from serq_lsp.protocol.documents import uri_of

if TYPE_CHECKING:
    from serq_lsp.protocol.server import SerqServer

logger = logging.getLogger(__name__)


class Showing:
    """One per server."""

    def __init__(self, ls: SerqServer) -> None:
        self.ls = ls
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def show(self, name: str, text: str) -> str:
        """Write the text to a file of this name and open it where the client can; its URI.  Raises `OSError`."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="serq-lsp-")
        path = Path(self._folder.name) / name
        path.write_text(text, encoding="utf-8")
        uri = uri_of(str(path))
        window = self.ls.client_capabilities.window
        if window is not None and window.show_document is not None and window.show_document.support:
            self.ls.window_show_document(types.ShowDocumentParams(uri, take_focus=True))
        else:
            self.ls.window_show_message(types.ShowMessageParams(types.MessageType.Info, f"written to {path}"))
        return uri

    def close(self) -> None:
        """Remove what was written."""
        folder, self._folder = self._folder, None
        if folder is not None:
            try:
                folder.cleanup()
            except OSError as error:
                logger.warning("%s cannot be removed: %s", folder.name, error)
