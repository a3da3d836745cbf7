"""Hovers of results."""

from __future__ import annotations

from serq_lsp.services.results.view import RunView


def run_hover(view: RunView, offset: int) -> str:
    """What the last run says about the thing at `offset`; empty where it says nothing."""
    del view, offset
    return ""


def hover_of(view: RunView, id: str) -> str:
    """The explanation of one thing."""
    del view, id
    return ""
