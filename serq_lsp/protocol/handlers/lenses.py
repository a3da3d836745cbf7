"""Code lenses."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from serq_lsp.protocol.server import SerqServer


def register(server: SerqServer) -> None:
    """Add code lenses."""
    del server
