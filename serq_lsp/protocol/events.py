"""What happens to documents, told to whoever listens (diagnostics, background simulation)."""

from __future__ import annotations

from collections.abc import Callable

Listener = Callable[[str], None]


class Events:
    """Listeners are called with the document's URI, in the order in which they were added."""

    def __init__(self) -> None:
        self.on_changed: list[Listener] = []
        self.on_saved: list[Listener] = []
        self.on_closed: list[Listener] = []

    def changed(self, uri: str) -> None:
        """The document was opened, its text, a library of it or its settings changed."""
        for listener in self.on_changed:
            listener(uri)

    def saved(self, uri: str) -> None:
        """The document was saved."""
        for listener in self.on_saved:
            listener(uri)

    def closed(self, uri: str) -> None:
        """The document was closed."""
        for listener in self.on_closed:
            listener(uri)
